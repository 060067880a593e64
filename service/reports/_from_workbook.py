"""The result of an experiment, read from its workbook."""

from service.errors import ExperimentMissing, ExperimentNotRun
from service.reports._study import Study
from service.workbook import Limits, named_cells, outcomes, read


def study_of(content: bytes, limits: Limits) -> Study:
    """Return the experiment in a workbook.

    Raise what `service.workbook.read` raises, `ExperimentMissing` for a workbook without a sheet `NIAH`, and
    `ExperimentNotRun` where no cell has a result yet.
    """
    reading = read(content, limits=limits)
    if reading.niah is None:
        raise ExperimentMissing(sheet=reading.sheet)
    if not reading.niah.measured:
        raise ExperimentNotRun()
    found = reading.niah
    return Study(
        config=found.config,
        told=found.told,
        cells=list(named_cells(reading)),
        outcomes=list(outcomes(reading)),
    )

"""What persons said of answers: taken in from reviewed workbooks, and what it tells."""

from collections.abc import Mapping, Sequence

from service.errors import ApprovedUnknown, FileOfOtherRun
from service.runs._approvals import ApprovedView, remember, view
from service.runs._calibrate import Calibration, calibrate, reviewed_run
from service.runs._cells import is_experiment
from service.runs._check import read_soon
from service.runs._shapes import User
from service.runs._submit import reviews_of
from service.store import RowRecord, RunRecord, Store
from service.workbook import Limits, Reading


class Reviews:
    """Reviews of the answers of runs; those of another company do not exist."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def take(self, reading: Reading, run: RunRecord, user: User) -> None:
        """Keep the reviews in the result of a run."""
        reviews = reviews_of(reading)
        await self._store.runs.review(run.id, user.company, user.name, reviews)
        await remember(self._store, run, reviews, user)

    async def approved(self, *, user: User) -> Sequence[ApprovedView]:
        """Return the answers that the company's people accepted although they were flagged, the newest first."""
        return [view(each) for each in await self._store.approved.of_company(user.company)]

    async def withdraw(self, approved: str, *, user: User) -> None:
        """Forget that an answer was accepted; raise `ApprovedUnknown`."""
        if not await self._store.approved.remove(user.company, approved):
            raise ApprovedUnknown(approved=approved)

    async def take_from_upload(self, reading: Reading, user: User) -> None:
        """Keep the reviews in a workbook that is run again with the run that gave the answers, where it is known."""
        run = await self._store.runs.get(reading.run_id, user.company) if reading.run_id and reading.reviews else None
        if run is not None:
            await self.take(reading, run, user)

    async def calibration(self, *, user: User) -> Calibration:
        """Say how right the flags were, by all reviews of the company's runs."""
        reviewed, seen = [], set[tuple[str, str, str]]()
        for run_id in await self._store.runs.reviewed(user.company):
            run = await self._store.runs.get(run_id, user.company)
            if run is not None and not is_experiment(run):
                rows = await self._store.rows.page(run.id)
                reviews = _first(rows, await self._store.runs.reviews(run.id), seen)
                reviewed.append(reviewed_run(run, rows, reviews))
        return calibrate(reviewed)


def _first(
    rows: Sequence[RowRecord], reviews: Mapping[int, tuple[str, bool]], seen: set[tuple[str, str, str]]
) -> dict[int, tuple[str, bool]]:
    """Return the reviews of answers that no earlier run has shown: one look is not counted twice."""
    keys = {row.number: (row.space, row.question.text, reviews[row.number][0]) for row in rows if row.number in reviews}
    new = {number: reviews[number] for number, key in keys.items() if key not in seen}
    seen.update(keys.values())
    return new


async def read_reviewed(content: bytes, run: RunRecord, limits: Limits) -> Reading:
    """Read a file that a person says is the run's result; raise `FileOfOtherRun` when it is not."""
    reading = await read_soon(content, run.name, run.sheet or None, limits.for_results())
    if reading.run_id != run.id:
        found = f"its sheet Run names {reading.run_id}" if reading.run_id else "it has no sheet Run of flagbook"
        raise FileOfOtherRun(run=run.id, found=found)
    return reading

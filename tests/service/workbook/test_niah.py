"""An experiment is planned, filled in place, read back and filled again."""

import io
import json
from typing import Any

import pytest

from flags.niah import PRESETS, Experiment, aggregate, discover_tasks
from service.errors import ServiceError
from service.workbook import (
    AddedSheet,
    Chart,
    Limits,
    Line,
    Measured,
    Section,
    adopt,
    outcomes,
    plan_workbook,
    read,
    write_niah,
)
from service.workbook._niah_nouns import measured_values
from service.workbook._nouns import make_reading
from service.workbook._package import Package
from service.workbook._read_cells import is_experiment, read_cells
from service.workbook._records import Terms
from service.workbook._write import write_xlsx
from service.workbook.niah_columns import NIAH_COLUMNS

HEADERS = [column.header for column in NIAH_COLUMNS]
CONFIG: dict[str, Any] = {"name": "=mine", "models": ["One", "=1+1"], "preset": "quick", **PRESETS["quick"]}


def planned(**more: Any) -> tuple[bytes, Experiment]:
    """A plan of the preset quick for two assistants."""
    experiment = Experiment.of({**CONFIG, **more})
    return plan_workbook({**CONFIG, **more}, experiment.specs()), experiment


def reading_of(content: bytes, **limits: int) -> Any:
    """Read as the child process does."""
    package = Package(content, Limits(**limits))
    assert is_experiment(package)
    return make_reading(read_cells(package))


def written(content: bytes, results: Any, sections: Any = (), sheets: Any = ()) -> bytes:
    """Write as the child process does."""
    out = io.BytesIO()
    rows = ((number, measured_values(measured)) for number, measured in results)
    terms = Terms(sheet="NIAH", niah=True, sheets=tuple(sheets))
    write_xlsx(Package(content, Limits().for_results()), rows, sections, terms, out)
    return out.getvalue()


def test_a_plan_holds_the_cells_and_the_config_it_came_from():
    """Every cell comes back as it was planned, with a text for each text, and the config says the same again."""
    content, experiment = planned()
    reading = reading_of(content)
    cells = [(row.question.space, reading.niah.cells[row.number]) for row in reading.rows]
    assert cells == list(experiment.specs())
    assert Experiment.of(reading.niah.config) == experiment
    assert reading.spaces == {"One": 9, "=1+1": 9}
    assert (reading.errors, reading.missing, reading.run_id) == ((), (), "")


def test_the_same_config_gives_the_same_bytes():
    """Whatever the clock says and however the file is packed."""
    assert planned()[0] == planned()[0]
    assert planned()[0] != planned(seed=7)[0]
    assert planned()[0][:2] == b"PK"


def test_every_task_with_its_parameters_survives_the_sheet():
    """The largest preset, and settings with quotes, umlauts and nested lists."""
    fields = {
        "models": ["m"],
        "tasks": [
            *discover_tasks(),
            {"task": "m_rs", "parameters": {"reasoning": "max"}},
            {"task": "atc", "parameters": {"hops": 4, "structure": "chain"}},
        ],
        "context_lengths": [1000],
        "depth_percents": [0, 33.3, 100],
        "needles": {"type": "custom", "library": [{"needle_text": "“Ü”", "expected_answer": "Ü", "question": "?"}]},
        "literal": True,
        "temperature": 0.5,
        "description": "123",
    }
    experiment = Experiment.of(fields)
    reading = reading_of(plan_workbook(fields, experiment.specs()))
    assert [reading.niah.cells[row.number] for row in reading.rows] == [spec for _, spec in experiment.specs()]
    assert Experiment.of(reading.niah.config) == experiment


GOOD = {"Assistant": "One", "task": "S-RT", "context_length": 500}


@pytest.mark.parametrize(
    ("changes", "cell", "says"),
    [
        ({"task": "s_r"}, "C2", "Did you mean “s_rt”?"),
        ({"Assistant": ""}, "B2", "names no assistant"),
        ({"context_length": "many"}, "D2", "“many” is not a number"),
        ({"context_length": 500.5}, "D2", "not a whole number"),
        ({"context_length": 0}, "D2", "between 1 and 10000000"),
        ({"context_length": None}, "D2", "between 1 and"),
        ({"depth_percent": 101}, "E2", "between 0 and 100"),
        ({"depth_percent": "nan"}, "E2", "is not a number"),
        ({"num_needles": 3}, "F2", "takes 1 needles"),
        ({"task": "atc", "num_needles": 3}, "F2", "its parameter is `hops`"),
        ({"distribution": "unifrom"}, "G2", "Did you mean “uniform”?"),
        ({"trial": 0}, "J2", "counted from 1"),
        ({"parameters": "{reasoning"}, "K2", "is not a JSON object"),
        ({"parameters": "[1]"}, "K2", "is not a JSON object"),
        ({"parameters": '{"hop": 3}'}, "K2", "There is no field in parameters of s_rt “hop”"),
        ({"task": "atc", "parameters": '{"hops": 11}'}, "K2", "`hops` must be 2 to 10"),
    ],
)
def test_a_cell_that_cannot_be_made_is_named(room, changes, cell, says):
    """The row is not asked; the error names its cell and what to write there."""
    given = {**GOOD, **changes}
    rows = [[given.get(header) for header in HEADERS], [GOOD.get(header) for header in HEADERS]]
    reading = reading_of(room.sheet(HEADERS, *rows, title="NIAH"))
    [error] = reading.errors
    assert (error.row, error.cell) == (2, cell)
    assert says in error.message
    assert [row.number for row in reading.rows] == [3]


def test_a_sheet_a_person_made_needs_three_columns_only(room):
    """What is not said is the task's own, at the middle, first trial; percent formats and groups are understood."""

    def edit(sheet: Any) -> None:
        sheet["D3"].number_format = "0%"
        sheet["C3"].number_format = "#,##0"

    rows = [["Task", "assistant", "Context length", "Depth Percent"], ["s-rt", "A", "1'000", None]]
    content = room.sheet(*rows, ["Key Value", "A", 4000, 0.25], edit=edit, title="niah")
    first, second = reading_of(content).niah.cells.values()
    assert (first.task, first.context_length, first.depth, first.trial, first.haystack) == (
        "s_rt", 1000, 0.5, 0, "synthetic",
    )  # fmt: skip
    assert (second.task, second.context_length, second.depth) == ("key_value", 4000, 0.25)
    assert reading_of(content).niah.config == {}


def test_what_is_no_experiment_is_refused_with_a_reason(room):
    """A missing header, no rows, too many rows; another sheet asked for by name is no experiment."""
    with pytest.raises(ServiceError, match="headed Assistant"):
        reading_of(room.sheet(["task", "context_length"], ["s_rt", 5], title="NIAH"))
    with pytest.raises(ServiceError, match="No questions were found"):
        reading_of(room.sheet(HEADERS, title="NIAH"))
    with pytest.raises(ServiceError, match="number of cells"):
        reading_of(planned()[0], questions=5)
    assert not is_experiment(Package(planned()[0], Limits()), "Experiment")
    assert not is_experiment(Package(room.case("baseline_5q.xlsx"), Limits()))


FULL = Measured(
    category="partial",
    score=0.5,
    question="What?",
    expected=("a", "b"),
    answer="=1+1",
    scorer="substring",
    explanation="1 of 2 values are given.",
    depths=(0.1, 0.9),
    prompt_tokens=1234,
    completion_tokens=5,
    seconds=1.25,
)
SKIPPED = Measured(category="skipped", error="niah_window_exceeded: too long")


def results() -> list[tuple[int, Measured]]:
    """A result for each row of the plan."""
    return [(number, SKIPPED if number % 2 else FULL) for number in range(2, 20)]


def test_results_are_read_back_as_they_were_written():
    """Numbers as numbers, texts as texts, several values as several; the plan beside them stays."""
    content, experiment = planned()
    told = [Section("Run", (("Run id", "r1"), ("Model of One", "m-1")))]
    reading = reading_of(written(content, results(), told))
    assert reading.niah.measured == dict(results())
    assert (reading.run_id, reading.niah.told["Model of One"]) == ("r1", "m-1")
    assert [reading.niah.cells[row.number] for row in reading.rows] == [spec for _, spec in experiment.specs()]
    found = list(outcomes(reading))
    assert [outcome.category for outcome in found] == [measured.category for _, measured in results()]
    first, _ = aggregate(found)
    assert (first.mean.value, first.excluded) == (0.5, {"skipped": 4})


def test_what_a_person_wrote_over_results_does_no_harm(room):
    """A category that is none, figures that are none."""
    values = {**GOOD, "category": "great", "score": "1,0", "true_depths": "a; 5", "prompt_tokens": "many"}
    reading = reading_of(room.sheet(HEADERS, [values.get(header) for header in HEADERS], title="NIAH"))
    [measured] = reading.niah.measured.values()
    assert (measured.category, measured.score, measured.depths, measured.prompt_tokens) == (
        "failed",
        None,
        (0.05,),
        None,
    )


SHEET = AddedSheet(
    "Heatmap",
    (
        Line(("flagbook heatmap",), "title"),
        Line(),
        Line(("depth", 1000, 4000), "header"),
        Line(("0 %", 1.0, None)),
        Line(("50 %", 0.25, 0.0)),
    ),
    (20, 10, 10),
    ("B4:C5",),
    (
        Chart("line", "By <length>", "B3:C3", (("A4", "B4:C4"), ("A5", "B5:C5")), 7, 0, "tokens"),
        Chart("radar", "Tasks", "B3:C3", (("A4", "B4:C4"),), 7, 1),
    ),
)


def test_added_sheets_carry_scales_and_charts_and_are_replaced_by_the_next_run(room):
    """Twice the same: no sheet, drawing or chart of the first run is left behind."""
    first = written(planned()[0], results(), [Section("Run", (("Run id", "r1"),))], [SHEET])
    second = written(first, results(), [Section("Run", (("Run id", "r2"),))], [SHEET])
    for content in (first, second):
        book = room.opened(content)
        assert book.sheetnames == ["NIAH", "Experiment", "Heatmap", "Run"]
        heat = book["Heatmap"]
        line, radar = heat._charts
        assert (type(line).__name__, type(radar).__name__) == ("LineChart", "RadarChart")
        assert line.ser[1].val.numRef.f == "'Heatmap'!$B$5:$C$5"
        assert [heat["B4"].value, heat["C4"].value, heat["C5"].value] == [1, None, 0]
        [rule] = next(iter(heat.conditional_formatting)).rules
        assert rule.type == "colorScale"
        names = room.parts(content)
        assert sum("charts/chart" in name for name in names) == 2
        assert sum("drawings/drawing" in name for name in names) == 1
    assert reading_of(second).run_id == "r2"


def test_a_sheet_of_the_same_name_is_the_persons(room):
    """Theirs stays, ours gets another name, and its charts point at it."""
    book = room.opened(planned()[0])
    book.create_sheet("Heatmap")["A1"] = "mine"
    out = io.BytesIO()
    book.save(out)
    after = room.opened(written(out.getvalue(), results(), (), [SHEET]))
    assert after["Heatmap"]["A1"].value == "mine"
    assert after["Heatmap (flagbook)"]._charts[0].ser[0].val.numRef.f == "'Heatmap (flagbook)'!$B$4:$C$4"


def test_in_a_strict_workbook_all_is_strict(room):
    """Namespaces of the added parts are those of the workbook."""
    parts = room.parts(planned()[0])
    purl = b"http://purl.oclc.org/ooxml/"
    for name, content in parts.items():
        changed = content.replace(
            b"http://schemas.openxmlformats.org/spreadsheetml/2006/main", purl + b"spreadsheetml/main"
        )
        parts[name] = changed.replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            purl + b"officeDocument/relationships",
        )
    after = room.parts(written(room.packed(parts), results(), (), [SHEET]))
    added = [content for name, content in after.items() if "chart" in name or name.endswith("sheet3.xml")]
    assert len(added) == 3
    assert all(purl in content and b"schemas.openxmlformats.org" not in content for content in added)


def test_rows_that_were_not_run_again_lose_what_an_earlier_run_wrote():
    """Nobody shall take yesterday's score for today's."""
    first = written(planned()[0], results())
    again = reading_of(written(first, [(2, FULL)]))
    assert again.niah.measured == {2: FULL}


def test_the_doors_do_the_same_in_a_process_of_their_own():
    """Read, write and the refusal to adopt."""
    content, _ = planned()
    after = write_niah(content, results(), [Section("Run", (("Run id", "r1"),))], [SHEET])
    assert read(after, filename="x.xlsx").niah == reading_of(after).niah
    with pytest.raises(ServiceError) as refused:
        adopt(after, lineage={"run": "r1"})
    assert refused.value.code == "workbook_is_experiment"


def test_the_plan_says_what_it_was_made_of(room):
    """Version and hash of the config stand in the sheet Experiment."""
    sheet = room.opened(planned()[0])["Experiment"]
    pairs = {row[0].value: row[1].value for row in sheet.iter_rows()}
    assert len(pairs["config sha256"]) == 64
    assert json.loads(pairs["models"]) == CONFIG["models"]
    assert pairs["name"] == "=mine"

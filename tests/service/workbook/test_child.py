"""Each file is handled by a process of its own: nothing a file does reaches the service."""

import io
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from flags import Question
from service.errors import ServiceError, WorkbookRefused
from service.workbook import Limits, Result, Section, adopt, read, write
from service.workbook._child import _TASKS, Request
from service.workbook._parent import Child, _PlainUnpickler
from service.workbook._records import Terms


def test_reading_writing_and_adopting_through_the_process_equal_those_without(room: Any) -> None:
    """The public doors give what the room's operations give in this process."""
    content = room.case("baseline_5q.xlsx")
    reading = read(content, filename="baseline_5q.xlsx")
    assert reading.rows == room.read(content).rows
    results = room.answered(reading)
    run = Section("Run", (("Run id", "r1"),))
    after = write(content, results, [run])
    assert room.parts(after) == room.parts(room.write(content, results, run))
    adoption = adopt(after, lineage={"run": "r1"})
    assert (adoption.adopted, dict(adoption.kept)) == ((2, 3, 4, 5, 6), {})
    assert room.parts(adoption.content) == room.parts(room.adopt(after).content)


def test_refusals_come_out_of_the_process_with_code_and_parameters(room: Any) -> None:
    """The same class with the same sentence as if it had been raised here."""
    with pytest.raises(WorkbookRefused) as refused:
        read(room.case("billion_laughs_sheet.xlsx"))
    assert refused.value.code == "workbook_forbidden_xml"
    with pytest.raises(WorkbookRefused) as refused:
        read(room.case("missing_question_header.xlsx"))
    assert refused.value.params["column"] == "Question"


def test_a_mistake_of_the_caller_is_not_blamed_on_the_file(room: Any) -> None:
    """A result for a row that is not there is a ValueError, as it would be in this process."""
    content = room.case("baseline_5q.xlsx")
    with pytest.raises(ValueError, match="row 99"):
        write(content, [Result(99, Question(text="", space=""), None, {})], [])


def test_a_file_that_takes_too_long_is_ended(room: Any) -> None:
    """The clock of the service ends the process; the refusal says so."""
    with pytest.raises(WorkbookRefused) as refused:
        read(room.case("blank_styled_rows_20000.xlsx"), limits=Limits(seconds=0))
    assert refused.value.code == "workbook_too_slow"


def test_a_file_that_takes_too_much_memory_is_ended(room: Any) -> None:
    """A million long texts do not fit into 60 MB; the service lives on and names the limit."""
    texts = "".join(f"<si><t>{number:0>200}</t></si>" for number in range(300_000))
    parts = room.parts(room.case("baseline_5q.xlsx"))
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="x">{texts}</sst>'.encode()
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b"<v>0</v>", b"<v>299999</v>", 1)  # texts are read as far as a cell asks for
    with pytest.raises(WorkbookRefused) as refused:
        read(room.packed(parts), limits=Limits(memory_mb=60))
    assert refused.value.code == "workbook_too_large"
    assert read(room.case("baseline_5q.xlsx")).rows


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "workbook_too_large"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "workbook_damaged"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", "workbook_too_slow"),
        ("raise SystemExit(3)", "workbook_damaged"),
        ("import pickle, sys; sys.stdout.buffer.write(pickle.dumps(('refused', ('Nope', {}))))", "workbook_damaged"),
        (
            "import pickle, sys; sys.stdout.buffer.write(pickle.dumps(('fault', ('KeyError', 'x', ''))))",
            "workbook_damaged",
        ),
        ("while True: pass", "workbook_too_slow"),
    ],
)
def test_however_the_process_ends_it_is_named(code: str, expected: str) -> None:
    """Killed, crashed, silent or endless: one code and one sentence each."""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    child = Child(process, Limits(seconds=1))
    try:
        with pytest.raises(WorkbookRefused) as refused:
            list(child.replies())
    finally:
        child.close()
    assert refused.value.code == expected
    assert process.returncode is not None


def test_what_comes_back_can_only_be_plain_values() -> None:
    """A process taken over by a file cannot make the service run anything."""
    with pytest.raises(pickle.UnpicklingError, match="not a plain value"):
        _PlainUnpickler(io.BytesIO(pickle.dumps(os.getcwd))).load()


@pytest.mark.parametrize("task", ["read", "adopt"])
def test_the_tasks_answer_with_plain_values(room: Any, task: str, tmp_path: Path) -> None:
    """Rows and a summary, or the rows adopted and kept, with notes."""
    reading = room.read(room.case("baseline_5q.xlsx"))
    (tmp_path / "in").write_bytes(room.write(room.case("baseline_5q.xlsx"), room.answered(reading)))
    request = Request(task=task, folder=str(tmp_path), is_csv=False, terms=Terms(), limits=Limits())  # type: ignore[arg-type]
    replies: list[tuple[str, Any]] = []
    _TASKS[task](request, lambda kind, value: replies.append((kind, value)))
    assert [kind for kind, _ in replies] == {"read": ["rows", "summary"], "adopt": ["done"]}[task]
    assert len(replies[0][1]) == {"read": 5, "adopt": 3}[task]


def test_a_process_starts_without_what_it_does_not_need() -> None:
    """Neither numpy nor openpyxl nor lxml is loaded to read one file: it starts in a fraction of the time."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import service.workbook._child, service.workbook._read, "
        "service.workbook._write, service.workbook._adopt, service.workbook._csv; "
        "print([name for name in ('numpy', 'flags', 'openpyxl', 'lxml', 'pydantic') if name in sys.modules])"
    )
    root = str(Path(__file__).parents[3])
    command = [sys.executable, "-I", "-S", "-c", code, root]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_every_refusal_survives_the_way_out() -> None:
    """Each code of this room can be raised from its name and parameters, as the process reports them."""
    from service import errors

    for kind in errors.every_error():
        if issubclass(kind, WorkbookRefused):
            assert getattr(errors, kind.__name__) is kind
            assert issubclass(kind, ServiceError)

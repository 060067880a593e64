"""What the tests of the workbook room share: its operations in this process, and sheets made in a line."""

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from flags import Answer, Source, Verdict
from service.workbook import Adoption, Limits, Reading, Result, Section
from service.workbook._adopt import adopt_xlsx
from service.workbook._cells import output_values
from service.workbook._nouns import make_reading
from service.workbook._package import Package
from service.workbook._read import read_rows
from service.workbook._recognise import recognise
from service.workbook._records import Terms
from service.workbook._write import write_xlsx

CASES = Path(__file__).parent / "cases"


class Room:
    """The room's operations without the process around them."""

    cases = CASES

    def case(self, name: str) -> bytes:
        """Return a handed file."""
        return (CASES / name).read_bytes()

    def read(self, content: bytes, filename: str = "", sheet: str | None = None, **limits: int) -> Reading:
        """Read as the child process does."""
        recognise(content, filename)
        return make_reading(read_rows(Package(content, Limits(**limits)), sheet))

    def write(self, content: bytes, results: Iterable[Result], *sections: Section, **terms: Any) -> bytes:
        """Write as the child process does."""
        out = io.BytesIO()
        rows = ((result.number, output_values(result)) for result in results)
        write_xlsx(Package(content, Limits().for_results()), rows, sections, Terms(**terms), out)
        return out.getvalue()

    def adopt(self, content: bytes, *, every: bool = False, lineage: Mapping[str, str] | None = None) -> Adoption:
        """Adopt as the child process does."""
        out = io.BytesIO()
        terms = Terms(every=every, lineage=lineage or {"run": "r1"})
        adopted, kept, notes = adopt_xlsx(Package(content, Limits().for_results()), terms, out)
        return Adoption(out.getvalue(), adopted, kept, notes)

    def answered(self, reading: Reading, text: str = "The new answer.", *, flagged: bool = False) -> list[Result]:
        """Return a result for each row of a reading."""
        verdicts = {
            "embedding": Verdict.given(flagged, score=0.5),
            "contradiction": Verdict.given(flagged, "It says something else."),
            "final": Verdict.given(flagged, "why"),
        }
        answer = Answer(text=text, sources=(Source(name="a.pdf", pages="3"),), modules=("Search",), messages={"m": 1})
        return [Result(row.number, row.question, answer, verdicts) for row in reading.rows]

    def parts(self, content: bytes) -> dict[str, bytes]:
        """Return the parts of a file."""
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def packed(self, parts: Mapping[str, bytes]) -> bytes:
        """Return a file made of parts."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
        return out.getvalue()

    def sheet(self, *rows: Sequence[Any], edit: Callable[[Any], None] | None = None, title: str = "Set") -> bytes:
        """Return a workbook of one sheet with these rows, changed further by `edit`."""
        book = openpyxl.Workbook()
        page = book.active
        page.title = title
        for row in rows:
            page.append(row)
        if edit:
            edit(page)
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()

    def changed(self, content: bytes, part: str, old: str, new: str) -> bytes:
        """Return a file with a text in one of its parts replaced; the text must stand there."""
        parts = self.parts(content)
        assert old.encode() in parts[part]
        parts[part] = parts[part].replace(old.encode(), new.encode())
        return self.packed(parts)

    def opened(self, content: bytes) -> Any:
        """Return the workbook as openpyxl reads it."""
        return openpyxl.load_workbook(io.BytesIO(content))


@pytest.fixture(scope="session")
def room() -> Room:
    """The room's operations."""
    return Room()

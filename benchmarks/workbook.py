"""How fast workbooks are read and written, beside python-calamine and openpyxl on the same file in the same run.

`python -m benchmarks.workbook [--rows 10000] [--large 100000] [--rounds 3]` prints CPU seconds (of all processes that
took part, the best of the rounds) and peak memory (of the largest process) of each way, and the ratios. Workbooks come
in two forms: texts in their cells (*inline*, as openpyxl writes them) and in a table (*shared*, as Excel does).
"""

import argparse
import io
import random
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from service.workbook.columns import COLUMNS

ALPHABET = "aabcdeeefghiiklmnnoprsttuvwz"


class Writer:
    """Writes distinct texts of invented words, a few of them frequent as in any language (G. K. Zipf, 1949).

    The same seed gives the same texts.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = ["".join(self._random.choices(ALPHABET, k=self._random.randint(2, 11))) for _ in range(8000)]
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))
        self._documents = [f"{self.text(1, 3)}.pdf" for _ in range(300)]

    def text(self, least: int, most: int) -> str:
        """Return between `least` and `most` words."""
        count = self._random.randint(least, most)
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=count))

    def documents(self) -> list[str]:
        """Return one to three of the company's documents."""
        return self._random.choices(self._documents, k=self._random.randint(1, 3))

    def page(self) -> str:
        """Return a page number."""
        return str(self._random.randint(1, 60))


def sheet_rows(rows: int, *, judged: bool) -> Iterator[list[Any]]:
    """Yield a header and rows of questions with reference answers of 60-300 words and the results of an old run.

    Without `judged` they are as uploaded first: columns A-F, with references of 60-200 words.
    """
    writer = Writer(7)
    yield [column.header for column in COLUMNS[: None if judged else 6]]
    for number in range(1, rows + 1):
        asked = [number, writer.text(6, 18) + "?", f"Space {number % 7}", "yes" if number % 3 else "no"]
        if not judged:
            yield [*asked, writer.text(60, 200), sources_cell(writer)]
            continue
        answers = [[writer.text(60, 300), sources_cell(writer), "Search", False, writer.text(20, 40)] for _ in range(2)]
        verdicts = [0.93, False, *(cell for _ in range(3) for cell in (writer.text(10, 30), False))]
        verdicts += [False, False, False, False, writer.text(10, 30)]
        yield [*asked, *answers[0], *answers[1], *verdicts]


def sources_cell(writer: Writer) -> str:
    """Return documents with pages, one a line."""
    return "\n".join(f"{name} : {writer.page()}" for name in writer.documents())


def write_inline(rows: Iterable[list[Any]], path: Path) -> None:
    """Write a workbook with the texts in its cells."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Benchmark")
    for row in rows:
        sheet.append(row)
    book.save(path)


def write_shared(rows: Iterable[list[Any]], path: Path) -> None:
    """Write a workbook with a table of texts."""
    from xlsxwriter import Workbook

    with Workbook(str(path)) as book:
        sheet = book.add_worksheet("Benchmark")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)


def results(rows: int) -> Iterator["object"]:
    """Yield a result for each row, with answers of 60-300 words, none of them like another."""
    from flags import Answer, Source, Verdict
    from service.workbook import Result

    writer = Writer(9)
    for number in range(2, rows + 2):
        answer = Answer(
            text=writer.text(60, 300),
            sources=tuple(Source(name=name, pages=writer.page()) for name in writer.documents()),
            modules=("Search",),
            messages={"text": writer.text(20, 40)},
        )
        verdicts = {"embedding": Verdict.given(False, score=0.93), "final": Verdict.given(number % 3 == 0, "why")}
        for flag in ("contradiction", "extent", "hallucination"):
            verdicts[flag] = Verdict.given(False, writer.text(10, 30))
        for flag in ("source", "module", "relation"):
            verdicts[flag] = Verdict.given(False)
        yield Result(number, None, answer, verdicts)  # type: ignore[arg-type]


def cpu_seconds() -> float:
    """Return the processor time of this process and its finished children."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def read_ours(path: Path, rows: int) -> None:
    """Read with flagbook."""
    from service.workbook import read

    assert len(read(path.read_bytes()).rows) == rows


def read_calamine(path: Path, rows: int) -> None:
    """Read all cells with python-calamine."""
    from python_calamine import CalamineWorkbook

    assert len(CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()) == rows + 1


def write_ours(path: Path, rows: int) -> None:
    """Fill, write and verify with flagbook."""
    from service.workbook import write

    assert write(path.read_bytes(), results(rows), [])  # type: ignore[arg-type]


def write_openpyxl(path: Path, rows: int) -> None:
    """Load, fill and save with openpyxl; nothing is verified."""
    from openpyxl import load_workbook

    from service.workbook._cells import output_values

    book = load_workbook(path)
    sheet = book.worksheets[0]
    for result in results(rows):
        for column, value in enumerate(output_values(result), start=10):  # type: ignore[arg-type]
            sheet.cell(result.number, column).value = value  # type: ignore[attr-defined]
    book.save(io.BytesIO())


def make_workbook(form: str, rows: int, judged: bool, path: Path) -> None:
    """Write a workbook in a process of its own: peaks are inherited by processes started later."""
    making = get_context("spawn").Process(target=write_form, args=(form, rows, judged, path))
    making.start()
    making.join()
    assert making.exitcode == 0


def write_form(form: str, rows: int, judged: bool, path: Path) -> None:
    """Write a workbook of one form."""
    FORMS[form](sheet_rows(rows, judged=judged), path)


FORMS = {"inline": write_inline, "shared": write_shared}
WAYS = {one.__name__: one for one in (read_ours, read_calamine, write_ours, write_openpyxl)}


def measure(way: str, path: Path, rows: int) -> None:
    """Print CPU seconds and peak memory in MB of one way, run in this process."""
    _load(way)
    if way.startswith("write"):
        started = cpu_seconds()
        for _ in results(rows):
            pass
        making = cpu_seconds() - started
    else:
        making = 0.0
    started = cpu_seconds()
    WAYS[way](path, rows)
    spent = cpu_seconds() - started - making
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{spent:.3f} {peak / 1024:.1f}")


def _load(way: str) -> None:
    """Import what a way needs, before the clock starts."""
    needed = {"read_calamine": ["python_calamine"], "write_openpyxl": ["openpyxl", "service.workbook._cells"]}
    for name in needed.get(way, ["service.workbook._doors"]):
        import_module(name)


def best(ways: Sequence[str], path: Path, rows: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Return each way's least CPU seconds and largest peak; in every round each runs once in a fresh process."""
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            command = [sys.executable, "-m", "benchmarks.workbook", "--way", way, "--file", path, "--rows", str(rows)]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            seconds, peak = map(float, printed.split())
            found[way].append((seconds, peak))
    return {way: (min(one[0] for one in each), max(one[1] for one in each)) for way, each in found.items()}


def compare(folder: Path, rows: int, large: int, rounds: int) -> None:
    """Print the table: all ways on `rows` rows in both forms, and flagbook alone on few columns and `large` rows."""
    files = {
        (form, count, columns): folder / f"{form} {count} {columns}.xlsx"
        for form, count, columns in (
            ("inline", rows, 27),
            ("shared", rows, 27),
            *(("inline", count, 6) for count in (rows, large)),
            *(("shared", count, 6) for count in (rows, large)),
        )
    }
    found: dict[tuple[str, str, int, int], tuple[float, float]] = {}
    print("| way | texts | columns | rows | CPU s | peak MB |\n|---|---|---:|---:|---:|---:|")
    for (form, count, columns), path in files.items():
        make_workbook(form, count, columns == 27, path)
        ways = tuple(WAYS) if columns == 27 else ("read_ours", "write_ours")
        for way, (seconds, peak) in best(ways, path, count, 1 if count > rows else rounds).items():
            found[way, form, columns, count] = seconds, peak
            print(f"| {way} | {form} | {columns} | {count:,} | {seconds:.2f} | {peak:.0f} |", flush=True)
    judge(found, rows, large)


def judge(found: dict[tuple[str, str, int, int], tuple[float, float]], rows: int, large: int) -> None:
    """Print the ratios beside what they may be."""
    print()
    for form in FORMS:
        read, calamine, write, openpyxl = (found[way, form, 27, rows] for way in WAYS)
        print(f"- {form}, reading: {read[0] / calamine[0]:.2f} × the CPU of python-calamine (at most 3)")
        print(f"- {form}, fill, write, verify: {write[0] / openpyxl[0]:.2f} × the CPU of openpyxl (at most 0.5)")
        print(f"- {form}, fill, write, verify: {write[1] / openpyxl[1]:.2f} × its peak memory (at most 0.35)")
        for way in ("read_ours", "write_ours"):
            (few, _), (many, peak) = (found[way, form, 6, count] for count in (rows, large))
            growth = f"{large / rows:.0f} × the rows take {many / few:.1f} × the CPU"
            print(f"- {form}, {way}: {growth}, peak {peak:.0f} MB (at most 300)")


def main() -> None:
    """Run the comparison, or one way of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--way", choices=sorted(WAYS))
    parser.add_argument("--file", type=Path)
    chosen = parser.parse_args()
    if chosen.way:
        measure(chosen.way, chosen.file, chosen.rows)
        return
    with TemporaryDirectory() as folder:
        compare(Path(folder), chosen.rows, chosen.large, chosen.rounds)


if __name__ == "__main__":
    main()

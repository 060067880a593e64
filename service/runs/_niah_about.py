"""The sheet `Run` of an experiment: what a reader needs to trust its figures and to repeat them."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence

from flags.niah import EXCLUDED
from service import __version__
from service.runs._cells import NiahPlan
from service.runs._measured import measured_of
from service.runs._plan import Plan
from service.runs._summary import about
from service.store import RowRecord, RunRecord
from service.workbook import CellValue, Section

_Line = tuple[CellValue, ...]
TOKENIZER = "cl100k_base"


def about_experiment(run: RunRecord, rows: Sequence[RowRecord]) -> list[Section]:
    """Return the sections of the sheet `Run` for what is known by now."""
    plan = Plan.model_validate(run.plan)
    niah = plan.niah or NiahPlan()
    sections = [
        Section("Run", tuple(about(run))),
        Section("Result", tuple(_result(rows))),
        Section("Assistants", tuple(_assistants(plan, niah, rows))),
        Section("Not scored, by code", tuple(_codes(rows))),
        Section("Experiment", tuple(_experiment(run, niah))),
        Section("Haystacks", tuple(_haystacks(niah, rows))),
        Section("For publication", tuple(_checklist(niah, rows))),
        Section("Notes", tuple((str(note["message"]), str(note.get("cell", ""))) for note in run.notes)),
    ]
    return [section for section in sections if section.lines]


def _result(rows: Sequence[RowRecord]) -> Iterator[_Line]:
    categories = Counter(measured_of(row).category for row in rows if row.verdicts)
    excluded = sum(count for name, count in categories.items() if name in EXCLUDED)
    yield ("Cells", len(rows))
    yield ("Cells scored", sum(categories.values()) - excluded)
    for name, count in sorted(categories.items()):
        if name in EXCLUDED:
            yield (f"Cells {name}", count)
    waiting = sum(not row.verdicts for row in rows)
    if waiting:
        yield ("Cells not finished", waiting)
    cached = sum(bool(row.answer and row.answer.messages.get("cached")) for row in rows)
    if cached:
        yield ("Answers taken from earlier runs (cache)", cached)


def _assistants(plan: Plan, niah: NiahPlan, rows: Sequence[RowRecord]) -> Iterator[_Line]:
    yield (
        "Assistant",
        "Backend",
        "Models that answered",
        "Version (config)",
        "Window",
        "Prompt tokens",
        "Answer tokens",
    )
    for name, space in plan.spaces.items():
        own = [(row, measured_of(row)) for row in rows if row.space == name]
        told = {str(row.answer.messages.get("model") or "") for row, _ in own if row.answer} - {""}
        prompts = sum(measured.prompt_tokens or 0 for _, measured in own)
        answers = sum(measured.completion_tokens or 0 for _, measured in own)
        window: CellValue = niah.window(space) or "not known"
        yield (name, space.backend, ", ".join(sorted(told)), niah.versions.get(name, ""), window, prompts, answers)


def _codes(rows: Sequence[RowRecord]) -> Iterator[_Line]:
    yield from Counter(row.code for row in rows if row.code).most_common()


def _experiment(run: RunRecord, niah: NiahPlan) -> Iterator[_Line]:
    yield ("Tokenizer of all lengths", TOKENIZER)
    yield ("Temperature", niah.temperature)
    yield ("max_tokens", niah.max_tokens)
    yield ("Time-out, s", niah.timeout_seconds)
    yield ("Judge", run.judge)
    yield ("Embedder", run.embedder)
    if niah.config:
        text = json.dumps(niah.config, sort_keys=True, ensure_ascii=False)
        yield ("Config sha256", hashlib.sha256(text.encode()).hexdigest())
        yield ("Config", text)


def _haystacks(niah: NiahPlan, rows: Sequence[RowRecord]) -> Iterator[_Line]:
    names = sorted({str(row.cell["haystack"]) for row in rows if row.cell})
    for name in names:
        yield (name, niah.corpora.get(name) or f"written by flagbook {__version__} from the seed")


def _checklist(niah: NiahPlan, rows: Sequence[RowRecord]) -> Iterator[_Line]:
    trials = len({row.cell["trial"] for row in rows if row.cell})
    yield ("Three trials a cell or more", "yes" if trials >= 3 else f"no ({trials})")
    yield ("Temperature 0", "yes" if niah.temperature == 0 else f"no ({niah.temperature:g})")
    yield ("Model versions recorded", "yes" if niah.versions else "as the endpoints name them; none in the config")
    yield ("Haystack with its hash, templates and config recorded", "yes" if niah.config else "no sheet Experiment")

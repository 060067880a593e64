"""An experiment goes in, its cells are asked and scored, and the figures come back."""

import asyncio
import csv
import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from flags.niah import aggregate, discover_tasks, prose
from service.assistants import Space
from service.errors import (
    AnswerEmpty,
    AssistantUnreachable,
    EndpointKeyRejected,
    NiahConfigRefused,
    OptionsRefused,
    WorkbookIsExperiment,
    WorkbookRefused,
)
from service.runs import RunOptions, Runs, RunView, User, experiment_of, plan_experiment
from service.runs._builder import Room
from service.runs._cells import NiahPlan, adapted
from service.runs._fakes import ToldAssistant, World
from service.store import NewCorpus
from service.workbook import outcomes, read

ME = User()
SMALL: dict[str, Any] = {
    "models": ["Law"],
    "tasks": ["s_rt"],
    "context_lengths": [300],
    "depth_percents": [0, 100],
    "trials_per_cell": 2,
}


class Finder(ToldAssistant):
    """Says what `says` holds for a question, else the value of the first fact it reads; keeps the prompts."""

    async def ask(self, question: str) -> Any:
        """Answer by reading the prompt."""
        answer = await super().ask(question)
        found = next((line for line in question.splitlines() if line.startswith("The ") and " is " in line), "")
        text = found.removesuffix(".").rpartition(" is ")[2]
        said = next((said for words, said in self.says.items() if words in question), text)
        if isinstance(said, Exception):
            raise said
        messages = {"model": "finder-1", "messages": [question], "tokens": {"prompt": 7, "completion": 3}}
        if said == "CUT":
            messages["finish_reason"] = "length"
        return type(answer)(text=str(said), messages=messages)


class Searcher(Finder):
    """Is given question and document apart, as an assistant that retrieves."""

    async def ask_about(self, question: str, document: str) -> Any:
        """Answer from the document."""
        return await self.ask(f"{document}\n\n{question}")


@pytest.fixture
def law(world: World) -> Finder:
    """An assistant that finds the needle, for the space Law and the space Tax."""
    finder = Finder()
    finder.gate.set()
    world.assistants = {"Law": finder, "Tax": finder}
    return finder


def planned(**changes: Any) -> bytes:
    """The workbook of a small experiment."""
    return plan_experiment(experiment_of({**SMALL, **changes}))


async def finished(runs: Runs, content: bytes, **options: Any) -> RunView:
    """Submit a workbook and wait for its end."""
    run = await runs.submit(content, "niah.xlsx", RunOptions(**options), user=ME)
    return await asyncio.wait_for(runs.wait(run.id, user=ME), 60)


async def until(reached: Callable[[], bool]) -> None:
    """Wait until the runs have come so far."""
    for _ in range(2000):
        if reached():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come so far")


async def result_of(runs: Runs, run: RunView) -> Any:
    """Return the reading of a result."""
    return read((await runs.workbook(run.id, user=ME)).content)


async def test_an_experiment_is_asked_scored_and_delivered(world: World, law: Finder) -> None:
    """The sheet holds what was asked and found, the rows say the same, and no document is stored."""
    async with world.open() as runs:
        run = await finished(runs, planned())
        rows = await runs.rows(run.id, user=ME)
        file = await runs.workbook(run.id, user=ME)
        stored = await runs._store.rows.page(run.id)
        as_csv = await runs.csv(run.id, user=ME)
    assert (run.state, run.total, run.errors, run.flagged, run.experiment) == ("ready", 4, 0, 0, True)
    assert (file.name, as_csv.name) == ("niah_result.xlsx", "niah_result.csv")
    reading = read(file.content)
    for row, measured in zip(rows, reading.niah.measured.values(), strict=True):
        assert (measured.score, measured.category) == (1.0, "correct")
        assert (measured.prompt_tokens, measured.completion_tokens) == (7, 3)
        assert measured.question.startswith("What is the ")
        assert measured.expected == (row.answer,)
        assert row.question.startswith("s_rt, 300 tokens, ")
    assert next(measured.depths for measured in reading.niah.measured.values()) == (0.0,)
    assert all(len(str(row.answer.messages)) < 1000 for row in stored)
    table = list(csv.DictReader(io.StringIO(as_csv.content.decode("utf-8-sig"))))
    assert [line["score"] for line in table] == ["1.0"] * 4


async def test_every_assistant_gets_the_same_work_and_every_trial_other_needles(world: World, law: Finder) -> None:
    """Prompts are equal between models, and different between trials."""
    async with world.open() as runs:
        await finished(runs, planned(models=["Law", "Tax"]))
    assert len(law.asked) == 8
    assert len(set(law.asked)) == 4


async def test_an_assistant_that_retrieves_is_given_document_and_question_apart(world: World, law: Finder) -> None:
    """Among others that get the whole prompt; both are scored on the same work."""
    searcher = Searcher()
    searcher.gate.set()
    world.assistants = {"Law": law, "Tax": searcher}
    async with world.open() as runs:
        run = await finished(runs, planned(models=["Law", "Tax"], trials_per_cell=1))
        reading = await result_of(runs, run)
    assert [one.score for one in reading.niah.measured.values()] == [1.0] * 4
    for prompt, searched in zip(law.asked, searcher.asked, strict=True):
        assert "BEGIN" in prompt
        assert "BEGIN" not in searched
    documents = {searched.rpartition("\n\n")[0] for searched in searcher.asked}
    assert all(any(document in prompt for prompt in law.asked) for document in documents)


@pytest.mark.parametrize(
    ("said", "category", "code"),
    [
        ("I cannot find it.", "refused", ""),
        ("CUT", "cut", "niah_answer_cut"),
        ("", "empty", "answer_empty"),
        (AnswerEmpty(space="Law", model="m"), "empty", "answer_empty"),
        (AssistantUnreachable(space="Law", problem="it is gone"), "failed", "assistant_unreachable"),
        (ValueError("ours"), "failed", "internal_error_in_row"),
    ],
)
async def test_what_cannot_be_scored_is_counted_apart(
    world: World, law: Finder, said: Any, category: str, code: str
) -> None:
    """Cut, empty and failed cells have a code and no score, and leave the mean alone."""
    law.says["What is"] = said
    async with world.open() as runs:
        run = await finished(runs, planned(trials_per_cell=1))
        reading = await result_of(runs, run)
    first, *_ = measured = list(reading.niah.measured.values())
    assert {one.category for one in measured} == {category}
    assert run.errors == (2 if code else 0)
    assert first.error.startswith(f"{code}: " if code else "")
    assert first.score == (None if code else 0.0)
    [found] = aggregate(outcomes(reading))
    assert (found.mean is None) == bool(code)


async def test_a_cell_longer_than_the_window_is_skipped_before_any_call(world: World, law: Finder) -> None:
    """By the space's setting, the config's word going first; the estimate said so before."""
    world.spaces = (Space(name="Law", backend="echo", context_window=1000), world.spaces[1])
    content = planned(context_lengths=[300, 450, 2000], depth_percents=[50], trials_per_cell=1, max_tokens=500)
    wider = {"name": "Law", "context_window": 5000, "input_price": 2.0, "output_price": 10.0}
    async with world.open() as runs:
        before = await runs.check(content, "niah.xlsx", user=ME)
        run = await finished(runs, content)
        reading = await result_of(runs, run)
        other = await runs.check(planned(models=[wider]), "niah.xlsx", user=ME)
    assert [one.category for one in reading.niah.measured.values()] == ["correct", "skipped", "skipped"]
    assert "niah_window_exceeded" in reading.niah.measured[4].error
    assert len(law.asked) == 1
    [estimate] = before.estimates
    assert (estimate.cells, estimate.skipped, estimate.window, estimate.cost) == (3, 2, 1000, None)
    [estimate] = other.estimates
    assert (estimate.window, estimate.skipped) == (5000, 0)
    assert estimate.cost == pytest.approx((estimate.prompt_tokens * 2 + 4 * 512 * 10) / 1e6)


async def test_a_corpus_of_the_store_is_the_haystack(world: World, law: Finder) -> None:
    """Its hash stands in the result; a name nobody imported is refused by its cell, a changed text by its code."""
    text = prose(3, 3000)
    content = planned(haystack="essays", trials_per_cell=1)
    async with world.open() as runs:
        nobody = await finished(runs, content)
        assert nobody.errors == 2
        [error, _] = (await runs.check(content, "niah.xlsx", user=ME)).errors
        assert (error.code, error.cell) == ("niah_haystack_unknown", "H2")
        await runs._store.corpora.add("local", NewCorpus(name="essays", text=text, sha256="ab12", tokens=4000))
        run = await finished(runs, content)
        reading = await result_of(runs, run)
        assert run.errors == 0
        assert reading.niah.told["essays"] == "ab12"
        assert law.asked[0].split("BEGIN\n")[1][:10] in text or law.asked[0].split("\n\n")[2] in text
        await runs._store.corpora.remove("local", "essays")
        again = await runs.rejudge(run.id, RunOptions(), user=ME)
        again = await asyncio.wait_for(runs.wait(again.id, user=ME), 60)
    async with world.open() as runs:
        rows = await runs.rows(again.id, user=ME)
    assert {row.code for row in rows} <= {"", "niah_corpus_changed"}


async def test_a_haystack_that_was_removed_is_said_cell_by_cell(world: World, law: Finder) -> None:
    """Another worker, or a restart, finds it gone."""
    async with world.open() as runs:
        store = runs._store.corpora
        await store.add("local", NewCorpus(name="essays", text=prose(3, 3000), sha256="ab", tokens=4000))
        law.gate.clear()
        run = await runs.submit(planned(haystack="essays", concurrency=1), "n.xlsx", RunOptions(), user=ME)
        await until(lambda: bool(law.waiting))
        await runs.cancel(run.id, user=ME)
    async with world.open() as runs:
        await runs._store.corpora.remove("local", "essays")
        law.gate.set()
        await runs.resume(run.id, user=ME)
        run = await asyncio.wait_for(runs.wait(run.id, user=ME), 60)
        rows = await runs.rows(run.id, user=ME)
    assert {row.code for row in rows} == {"niah_corpus_changed"}


async def test_answers_are_taken_from_earlier_runs_on_request_only(world: World, law: Finder) -> None:
    """The same content and trial, never another trial's; the result says how many."""
    async with world.open() as runs:
        await finished(runs, planned())
        await finished(runs, planned())
        assert len(law.asked) == 8
        run = await finished(runs, planned(), cache=True)
        reading = await result_of(runs, run)
        assert len(law.asked) == 8
        assert reading.niah.told["Answers taken from earlier runs (cache)"] == "4"
        await finished(runs, planned(trials_per_cell=3), cache=True)
    assert len(law.asked) == 10


async def test_a_stopped_experiment_goes_on_where_it_was(world: World, law: Finder) -> None:
    """What was answered is not asked again; cells that wait are empty in the result so far."""
    content = planned(concurrency=1)
    async with world.open() as runs:
        law.holds = {"never"}
        run = await runs.submit(content, "n.xlsx", RunOptions(), user=ME)
        await until(lambda: len(law.asked) >= 2)
        law.gate.clear()
    partial_asked = len(law.asked)
    law.gate.set()
    async with world.open() as runs:
        run = await asyncio.wait_for(runs.wait(run.id, user=ME), 60)
    assert (run.state, run.errors) == ("ready", 0)
    assert len(law.asked) <= partial_asked + 4
    assert len(set(law.asked)) == 4


async def test_what_waits_is_empty_in_a_result_so_far(world: World, law: Finder) -> None:
    """And in no figure."""
    async with world.open() as runs:
        law.gate.clear()
        run = await runs.submit(planned(), "n.xlsx", RunOptions(), user=ME)
        content = (await runs.workbook(run.id, user=ME)).content
        await runs.cancel(run.id, user=ME)
    reading = read(content)
    assert reading.niah.measured == {}
    assert reading.niah.told["Cells not finished"] == "4"


async def test_at_most_so_many_cells_are_open_at_once(world: World, law: Finder) -> None:
    """The config's concurrency below the space's own."""
    async with world.open() as runs:
        await finished(runs, planned(concurrency=1))
    assert law.most_at_once == 1


async def test_stored_answers_are_scored_again_in_place(world: World, law: Finder) -> None:
    """Nothing is asked; sorted rows of a file that came back are refused."""
    async with world.open() as runs:
        run = await finished(runs, planned())
        file = await runs.workbook(run.id, user=ME)
        again = await runs.rejudge(run.id, RunOptions(), user=ME, content=file.content)
        again = await asyncio.wait_for(runs.wait(again.id, user=ME), 60)
        reading = await result_of(runs, again)
        assert [one.score for one in reading.niah.measured.values()] == [1.0] * 4
        assert all(one.question for one in reading.niah.measured.values())
        with pytest.raises(WorkbookIsExperiment):
            await runs.adopt(run.id, user=ME)
        with pytest.raises(OptionsRefused, match="always asked"):
            await runs.submit(planned(), "n.xlsx", RunOptions(judge_only=True), user=ME)
    assert len(law.asked) == 4


async def test_a_judge_that_is_no_model_scores_nothing(world: World, law: Finder) -> None:
    """The scorer llm_judge fails with a code; the semantic one has its embedder."""
    async with world.open() as runs:
        judged = await result_of(runs, await finished(runs, planned(scorer="llm_judge")))
        alike = await result_of(runs, await finished(runs, planned(scorer="semantic")))
    assert {one.category for one in judged.niah.measured.values()} == {"failed"}
    assert all(one.error.startswith("judge_missing: ") for one in judged.niah.measured.values())
    assert [one.score for one in alike.niah.measured.values()] == [1.0] * 4


async def test_a_judge_that_is_a_model_scores_and_is_kept(world: World, law: Finder) -> None:
    """Its reply is stored; one that says neither yes nor no has failed, which is not wrong."""
    world.judge.name = "llm words"
    async with world.open() as runs:
        run = await finished(runs, planned(scorer="llm_judge"))
        reading = await result_of(runs, run)
        rows = await runs._store.rows.page(run.id)
    assert all(one.error.startswith("judge_malformed: ") for one in reading.niah.measured.values())
    assert all(row.judgements for row in rows)


async def test_a_closed_endpoint_ends_the_run(world: World, law: Finder) -> None:
    """Every further call would fail in the same way."""
    law.says["What is"] = EndpointKeyRejected(endpoint="e", variable="K", model="m", status=401)
    async with world.open() as runs:
        run = await finished(runs, planned())
    assert run.state == "failed"
    assert run.failure is not None
    assert run.failure.code == "endpoint_key_rejected"


async def test_an_assistant_that_takes_too_long_fails_its_cell(world: World, law: Finder) -> None:
    """The config's time-out holds where the endpoint does not count itself."""
    law.gate.clear()
    async with world.open() as runs:
        run = await finished(runs, planned(timeout_seconds=1, trials_per_cell=1, depth_percents=[50]))
        [row] = await runs.rows(run.id, user=ME)
    assert row.code == "assistant_unreachable"
    assert "longer than 1 s" in row.explanation


async def test_a_document_that_cannot_be_built_fails_its_cell(world: World, law: Finder) -> None:
    """Before anything is asked."""
    async with world.open() as runs:
        run = await finished(runs, planned(context_lengths=[100], tasks=[{"task": "m_rt", "num_needles": 50}]))
        rows = await runs.rows(run.id, user=ME)
    assert {row.code for row in rows} == {"niah_document_impossible"}
    assert law.asked == []


async def test_a_space_that_cannot_be_opened_and_one_that_is_unknown(world: World, law: Finder) -> None:
    """Their cells carry the code, the others run."""
    world.closed["Tax"] = AssistantUnreachable(space="Tax", problem="it is shut")
    async with world.open() as runs:
        run = await finished(runs, planned(models=["Law", "Tax", "Nobody"], trials_per_cell=1))
        reading = await result_of(runs, run)
    assert [one.error.partition(":")[0] for one in reading.niah.measured.values()] == [
        "", "", "assistant_unreachable", "assistant_unreachable", "space_unknown", "space_unknown",
    ]  # fmt: skip
    assert {one.category for one in reading.niah.measured.values()} == {"correct", "failed"}


async def test_a_sheet_experiment_that_cannot_be_honoured_is_refused(world: World) -> None:
    """With the field; the cells alone do."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(planned(temperature=0.5)))
    sheet = book["Experiment"]
    place = next(row[1] for row in sheet.iter_rows() if row[0].value == "temperature")
    place.value = "warm"
    broken, alone = io.BytesIO(), io.BytesIO()
    book.save(broken)
    book.remove(sheet)
    book.save(alone)
    async with world.open() as runs:
        with pytest.raises(NiahConfigRefused, match="temperature"):
            await runs.submit(broken.getvalue(), "n.xlsx", RunOptions(), user=ME)
        report = await runs.check(alone.getvalue(), "n.xlsx", user=ME)
        with pytest.raises(WorkbookRefused):
            await runs.check(b"PK", "n.xlsx", user=ME)
    assert (report.questions, report.errors) == (4, ())


@pytest.mark.parametrize(
    ("own", "options"),
    [
        ({}, {"temperature": 0.3, "max_tokens": 99, "timeout_s": 7.0}),
        (
            {"options": {"temperature": 1, "seed": 4}},
            {"temperature": 0.3, "seed": 4, "max_tokens": 99, "timeout_s": 7.0},
        ),
        ({"options": {"temperature": None}}, {"max_tokens": 99, "timeout_s": 7.0}),
        (
            {"options": {"max_completion_tokens": 5}},
            {"max_completion_tokens": 99, "temperature": 0.3, "timeout_s": 7.0},
        ),
    ],
)
def test_a_model_is_asked_with_the_options_of_the_config(own: dict[str, Any], options: dict[str, Any]) -> None:
    """Except those its space says it does not know; documents of the space are left out."""
    plan = NiahPlan(temperature=0.3, max_tokens=99, timeout_seconds=7.0)
    settings = {"model": "m", "documents": ["/x"], "modules": [{"name": "a"}], **own}
    assert adapted(Space(name="A", backend="openai", settings=settings), plan).settings == {
        "model": "m",
        "options": options,
    }
    other = Space(name="A", backend="documents", settings=settings)
    assert adapted(other, plan) is other


async def test_documents_are_let_in_as_memory_allows() -> None:
    """In order; one that is larger than all the room comes in alone, and one that gave up takes no room."""
    room, held = Room(10), []

    async def hold(name: str, tokens: int) -> None:
        async with room.hold(tokens):
            held.append(name)
            await asyncio.sleep(0.01)
            held.remove(name)

    async with room.hold(6):
        large = asyncio.create_task(hold("large", 50))
        small = asyncio.create_task(hold("small", 1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert held == []
        large.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert held == ["small"]
    await small
    await asyncio.gather(hold("one", 50), hold("two", 50))


@asynccontextmanager
async def real_runs(tmp_path: Path, address: str, names: list[str]) -> AsyncIterator[Runs]:
    """Open the whole service with the spaces of that process."""
    from service.app import open_service
    from service.settings import Settings

    listed = "".join(
        f"- {{name: {name}, backend: openai, model: {name}, base_url: '{address}', api_key_env: null}}\n"
        for name in names
    )
    (tmp_path / "spaces.yaml").write_text(f"spaces:\n{listed}")
    settings = Settings(home=tmp_path / "home", spaces=tmp_path / "spaces.yaml", judge="local")
    async with open_service(settings, executor="cli-niah") as service:
        yield service.runs


TASKS: list[Any] = [
    *[name for name in discover_tasks() if name != "m_rs"],
    *[{"task": "m_rs", "parameters": {"reasoning": kind}} for kind in ("sum", "max", "mean", "conditional", "chain")],
]


async def test_oracles_are_right_and_bad_assistants_are_not(tmp_path: Path, rule_assistants: str) -> None:
    """Four phrasings of an oracle over HTTP score 1 on every task at its defaults, seven bad assistants 0."""
    good = ["oracle-bare", "oracle-sentence", "oracle-bold", "oracle-numbered list"]
    bad = ["refusing", "negating", "dumping", "constant", "empty", "neighbour", "echoing"]
    content = planned(
        models=[*good, *bad], tasks=TASKS, context_lengths=[700], depth_percents=[50], trials_per_cell=1, concurrency=8
    )
    async with real_runs(tmp_path, rule_assistants, [*good, *bad]) as runs:
        run = await finished(runs, content)
        reading = await result_of(runs, run)
    means = {(one.assistant, one.task): one.mean.value if one.mean else None for one in aggregate(outcomes(reading))}
    assert {means[name, task] for name in good for task in discover_tasks()} == {1.0}
    assert {means[name, task] for name in bad for task in discover_tasks()} <= {0.0, None}
    assert {means["empty", task] for task in discover_tasks()} == {None}
    assert reading.niah.told["Cells empty"] == str(len(TASKS))


async def test_first_and_last_are_told_apart(tmp_path: Path, rule_assistants: str) -> None:
    """An assistant that takes the first of two values shows primacy, one that takes the last recency."""
    content = planned(models=["primacy", "oracle-bare"], tasks=["conflicting"], context_lengths=[700])
    async with real_runs(tmp_path, rule_assistants, ["primacy", "oracle-bare"]) as runs:
        reading = await result_of(runs, await finished(runs, content))
    first, last = aggregate(outcomes(reading))
    assert (first.primacy, first.recency, last.primacy, last.recency) == (1.0, 0.0, 0.0, 1.0)


async def test_answers_that_are_cut_and_counts_that_are_hidden(tmp_path: Path, rule_assistants: str) -> None:
    """A finish reason of length is category cut; without the endpoint's counts ours stand there."""
    names = ["cut", "silent-oracle-bare"]
    async with real_runs(tmp_path, rule_assistants, names) as runs:
        reading = await result_of(runs, await finished(runs, planned(models=names, trials_per_cell=1)))
    cut, _, silent, _ = reading.niah.measured.values()
    assert (cut.category, cut.score) == ("cut", None)
    assert "niah_answer_cut" in cut.error
    assert (silent.score, silent.completion_tokens) == (1.0, None)
    assert 300 < silent.prompt_tokens < 450

"""Limits of a run's cost: what is put aside, what is spent, and when it ends."""

import asyncio
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from flags import Answer
from service.assistants import Space
from service.errors import CostLimitReached, PriceUnknown
from service.llm import Charge, this_errand
from service.runs import RunOptions, User
from service.runs._fakes import ToldAssistant, World
from service.runs._purse import Purse
from service.store import Store

ME = User()
QUESTIONS = [f"Question {n}?" for n in range(12)]
ROWS = [(question, "Law", "no") for question in QUESTIONS]
PRICES = "currency: EUR\nmodels: {m: {input: 1, output: 2}}\n"


class PaidAssistant(ToldAssistant):
    """Calls a model for each answer: 1,000,000 tokens in and out, 3 EUR; at most 5 EUR are expected of a call."""

    model = "m"
    told = True

    async def ask(self, question: str) -> Answer:
        """Put aside, answer, pay."""
        errand = this_errand()
        most = Charge(caller="assistants", model=self.model, input=1_000_000, output=2_000_000)
        reserved = await errand.reserve(most)
        try:
            answer = await super().ask(question)
        except BaseException:
            errand.lose(reserved)
            raise
        tokens = 1_000_000 if self.told else None
        errand.pay(reserved, Charge(caller="assistants", model=self.model, input=tokens, output=tokens))
        return answer


@pytest.fixture
def paid(world: World, tmp_path: Path) -> World:
    """A world whose one assistant costs money."""
    prices = tmp_path / "prices.yaml"
    prices.write_text(PRICES, encoding="utf-8")
    world.spaces = (Space(name="Law", backend="openai", settings={"model": "m"}),)
    world.assistants = {"Law": PaidAssistant()}
    world.changes = {"prices": prices}
    world.open_gates()
    return world


def said_about_cost(content: bytes) -> list[object]:
    """Return what the sheet Run says the run cost."""
    sheet = load_workbook(BytesIO(content))["Run"]
    return [line[1] for line in sheet.iter_rows(values_only=True) if line[0] == "Cost of the run"]


async def finished(world: World, content: bytes, **options: Any) -> Any:
    """Return (view, rows, workbook) of a run that ended."""
    async with world.open() as runs:
        run = await runs.submit(content, "B.xlsx", RunOptions(**options), user=ME)
        view = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        rows = await runs.rows(run.id, user=ME)
        return view, rows, (await runs.workbook(run.id, user=ME)).content


async def test_tokens_and_cost_are_told_for_the_run_and_each_row(paid: World, benchmark: Any) -> None:
    """Page, API, command line and the sheet Run have them from here."""
    view, rows, content = await finished(paid, benchmark(ROWS))
    assert (view.state, view.spending.calls, view.spending.input) == ("ready", 12, 12_000_000)
    assert (view.spending.cost, view.spending.currency) == (36.0, "EUR")
    assert [row.spending.cost for row in rows] == [3.0] * 12
    assert said_about_cost(content) == ["36.00 EUR"]


async def test_a_model_without_a_price_has_an_unknown_cost(paid: World, benchmark: Any) -> None:
    """Its tokens are counted all the same."""
    paid.changes = {}
    view, rows, _ = await finished(paid, benchmark(ROWS[:2]))
    assert (view.spending.input, view.spending.cost, view.spending.unknown) == (2_000_000, None, ("m",))
    assert rows[0].spending.cost is None


async def test_the_run_stops_before_it_costs_more_than_its_limit(paid: World, benchmark: Any, cells: Any) -> None:
    """What was answered is kept; with a higher limit only the others are asked."""
    view, _, content = await finished(paid, benchmark(ROWS), max_cost=20)
    assert view.failure is not None
    assert (view.state, view.failure.code) == ("failed", "cost_limit_reached")
    # after 5 answers (15 EUR) a sixth could cost 5, after 6 (18 EUR) a seventh could exceed 20
    assert view.spending.cost == 18.0
    assert sum(answer is not None for answer in cells(content)["answer"]) == 6
    assert len(paid.asked()) == 6
    async with paid.open() as runs:
        await runs.resume(view.id, user=ME, max_cost=38)
        view = await asyncio.wait_for(runs.wait(view.id, user=ME), 30)
    assert (view.state, view.spending.cost, view.spending.limit) == ("ready", 36.0, 38)
    assert len(paid.asked()) == 12


async def test_what_a_run_cost_before_it_had_a_limit_counts(paid: World, benchmark: Any) -> None:
    """A first limit, given when it is taken up, is one for the whole run."""
    law = paid.assistants["Law"]
    law.says = dict.fromkeys(QUESTIONS[6:], RuntimeError("broken"))
    async with paid.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        view = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        assert (view.errors, view.spending.cost) == (6, 18.0)
        law.says = {}
        await runs.resume(run.id, user=ME, max_cost=26)
        view = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
    assert view.failure is not None
    assert (view.failure.code, view.spending.cost) == ("cost_limit_reached", 24.0)


async def test_calls_that_tell_no_tokens_count_as_what_they_could_cost(paid: World, benchmark: Any) -> None:
    """The limit holds, and the cost is said to be unknown."""
    law = paid.assistants["Law"]
    assert isinstance(law, PaidAssistant)
    law.told = False
    view, _, _ = await finished(paid, benchmark(ROWS), max_cost=20)
    assert (len(law.asked), view.spending.cost, view.spending.models[0].untold) == (4, None, 4)


@pytest.mark.parametrize(
    ("settings", "prices", "names"),
    [
        ({"backend": "openai", "settings": {"model": "other"}}, PRICES, "other"),
        ({"backend": "openai", "settings": {"model": "m"}}, "", "m"),
    ],
)
async def test_a_limit_without_prices_is_refused_with_the_models(
    paid: World, benchmark: Any, tmp_path: Path, settings: dict[str, Any], prices: str, names: str
) -> None:
    """Nothing is asked whose cost nobody can tell."""
    paid.spaces = (Space(name="Law", **settings),)
    (tmp_path / "prices.yaml").write_text(prices, encoding="utf-8")
    async with paid.open() as runs:
        with pytest.raises(PriceUnknown) as refused:
            await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(max_cost=1), user=ME)
    assert refused.value.params["models"] == names
    assert paid.asked() == []


async def test_two_processes_never_hold_more_than_the_limit_together(tmp_path: Path) -> None:
    """Each takes from what the other leaves; what one gives back the other may have."""
    store = await Store.open(f"sqlite:///{tmp_path / 'a.sqlite'}")
    await store.runs.add(_run())
    one, two = Purse(store, "r", 10), Purse(store, "r", 10)
    await one.reserve(6)
    await two.reserve(3)
    third = asyncio.create_task(Purse(store, "r", 10).reserve(2))
    await asyncio.sleep(0.05)
    assert not third.done()  # the others may give back what they put aside
    one.release(6, 6)
    two.release(3, 3)
    await one.give_back()
    await two.give_back()
    with pytest.raises(CostLimitReached):
        await asyncio.wait_for(third, 5)
    await two.reserve(1)
    await store.close()


async def test_a_call_waits_for_those_under_way_before_it_gives_up(tmp_path: Path) -> None:
    """They mostly cost less than was put aside for them."""
    store = await Store.open(f"sqlite:///{tmp_path / 'a.sqlite'}")
    await store.runs.add(_run())
    purse = Purse(store, "r", 10)
    await purse.reserve(7)
    waiting = asyncio.create_task(purse.reserve(7))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    purse.release(7, 2)
    await asyncio.wait_for(waiting, 5)
    purse.release(7, 7)
    with pytest.raises(CostLimitReached):
        await purse.reserve(2)
    await store.close()


def _run() -> Any:
    from service.store import NewRun

    return NewRun(
        id="r",
        company="c",
        user="u",
        name="n",
        sheet="s",
        owner="o",
        content=b"",
        rows=(),
        options={},
        plan={},
        spaces={},
    )

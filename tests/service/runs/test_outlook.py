"""What a benchmark would take, said before it is run."""

from pathlib import Path
from typing import Any

import pytest

from service.assistants import Space
from service.runs import NamedFile, Outlook, User, estimate_workbook
from service.settings import Settings

ME = User()
LAW = Space(name="Law", backend="openai", concurrency=4, settings={"model": "m", "system_prompt": "Be brief."})
TAX = Space(name="Tax", backend="echo")
PRICES = "currency: EUR\nmodels: {m: {input: 1, output: 2}, j: {input: 1, output: 1}, e: {input: 1}}\n"


@pytest.fixture
def outlook(tmp_path: Path, benchmark: Any) -> Any:
    """Return a function that says what rows would take."""

    async def of(rows: list[Any], *spaces: Space, prices: str = PRICES, **changes: Any) -> Outlook:
        (tmp_path / "prices.yaml").write_text(prices, encoding="utf-8")
        settings = Settings(
            home=tmp_path, prices=tmp_path / "prices.yaml", **{"judge": "llm", "judge_model": "j", **changes}
        )
        file = NamedFile(name="B.xlsx", content=benchmark(rows))
        report = await estimate_workbook(file, spaces, settings, user=ME)
        assert report.outlook is not None
        return report.outlook

    return of


def calls(found: Outlook) -> dict[tuple[str, str, str], int]:
    """Return the calls of each line."""
    return {(line.caller, line.space, line.model): line.calls for line in found.lines}


async def test_calls_are_those_the_flags_would_make(outlook: Any) -> None:
    """With a reference two rubrics are asked, without one; nothing is made up for a space that calls no model."""
    rows = (
        [("How many days?", "Law", "yes", "30 days.")] * 3 + [("Why?", "Law", "no")] + [("Who?", "Tax", "no", "Tim.")]
    )
    found = await outlook(rows, LAW, TAX, embedder="openai:e")
    assert calls(found) == {
        ("assistants", "Law", "m"): 4,
        ("judge", "", "j"): 3 * 2 + 1 + 3,
        ("embedder", "", "e"): 4,
    }
    assert found.cost == pytest.approx(sum(line.cost or 0 for line in found.lines))
    assert found.currency == "EUR"
    assert found.calls == 18


async def test_documents_add_their_passages_and_modules_a_call(outlook: Any, tmp_path: Path) -> None:
    """What is found only when asked is taken to have a usual length."""
    (tmp_path / "a.txt").write_text("A text.")
    rows = [("How many days?", "Law", "yes", "30 days.")]
    alone = (await outlook(rows, LAW, judge="local")).lines[0]
    module = {"name": "A", "description": "a"}
    reading = LAW.model_copy(update={"settings": {**LAW.settings, "documents": (tmp_path,), "modules": (module,)}})
    grounded = (await outlook(rows, reading, judge="local")).lines[0]
    assert (alone.calls, grounded.calls) == (1, 2)
    assert grounded.input > alone.input + 6 * 200
    judged = await outlook(rows, reading)
    assert calls(judged)[("judge", "", "j")] == 3  # hallucination is judged by the passages


async def test_a_price_that_is_not_known_is_said(outlook: Any) -> None:
    """The sum of the others is told beside it."""
    found = await outlook(
        [("Q?", "Law", "yes", "R.")], LAW, prices="currency: EUR\nmodels: {j: {input: 1, output: 1}}\n"
    )
    assert (found.cost, found.unknown) == (None, ("m",))
    assert found.known > 0


async def test_nothing_is_called_where_no_model_is_named(outlook: Any) -> None:
    """No time is guessed, and the cost is known to be nothing."""
    found = await outlook([("Q?", "Tax", "yes", "R.")], TAX, judge="local")
    assert (found.calls, found.cost, found.seconds, found.lines) == (0, 0, None, ())


async def test_a_large_workbook_is_scaled_up_from_a_sample(outlook: Any) -> None:
    """As many calls as rows, and the basis says so; time goes by the narrowest kind of calls."""
    rows = [(f"Question number {n}?", "Law", "yes", "The answer is thirty days.") for n in range(400)]
    found = await outlook(rows, LAW, judge_concurrency=100)
    assert calls(found) == {("assistants", "Law", "m"): 400, ("judge", "", "j"): 800}
    assert any("40 questions were counted" in sentence for sentence in found.basis)
    assert found.seconds == (100 + 1) * 3.0


async def test_rows_that_will_not_be_asked_cost_nothing(outlook: Any) -> None:
    """A space that does not exist takes no call."""
    found = await outlook([("Q?", "Law", "yes", "R."), ("Q?", "Nobody", "yes", "R.")], LAW)
    assert calls(found)[("assistants", "Law", "m")] == 1


async def test_a_thorough_judge_is_asked_more(outlook: Any) -> None:
    """Both orders are counted."""
    rows = [("Q?", "Law", "yes", "R.")]
    plain = calls(await outlook(rows, LAW))[("judge", "", "j")]
    assert calls(await outlook(rows, LAW, judge_thorough=True))[("judge", "", "j")] > plain

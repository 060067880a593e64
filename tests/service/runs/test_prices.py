"""What tokens cost, by the file a person keeps."""

from pathlib import Path

import pytest

from service.errors import PricesBroken
from service.runs._prices import Price, Prices, load_prices
from service.runs._spending import cost_said, money, spending, tokens_said
from service.store import Used

PRICES = Prices(
    currency="EUR",
    models={
        "m": Price(input=2, cached=0.5, output=10),
        "m-*": Price(input=1, output=1),
        "m-small*": Price(input=0, output=0),
        "e": Price(input=4),
    },
)


def used(model: str, **counts: int) -> Used:
    """Return what one caller used."""
    return Used(caller="judge", model=model, **counts)


@pytest.mark.parametrize(
    ("each", "cost"),
    [
        (used("m", input=1_000_000, output=100_000), 3.0),
        (used("m", input=1_000_000, cached=400_000), 1.4),
        (used("m-large", input=500_000, cached=500_000, output=500_000), 1.0),
        (used("m-small-2", input=10**9, output=10**9), 0.0),
        (used("e", input=250_000), 1.0),
        (used("e", input=1, output=1), None),
        (used("other", input=1), None),
        (used("m", calls=2, untold=1, input=1), None),
    ],
    ids=["in and out", "cached", "pattern", "the longer pattern", "embedder", "no price of output", "none", "untold"],
)
def test_a_cost_is_what_the_file_says_or_unknown(each: Used, cost: float | None) -> None:
    """What cannot be told is None, never 0."""
    assert PRICES.cost(each) == (None if cost is None else pytest.approx(cost))


@pytest.mark.parametrize(
    ("uses", "said"),
    [
        ([used("m", input=1_000_000)], "2.00 EUR"),
        ([used("m", input=1_000)], "0.002000 EUR"),
        ([used("x", input=5)], "unknown (x)"),
        ([used("m", input=10_000), used("x", input=5)], "at least 0.0200 EUR (unknown: x)"),
        ([], "0.00 EUR"),
    ],
)
def test_a_cost_is_said_with_what_is_unknown(uses: list[Used], said: str) -> None:
    """A sum that lacks a part says so."""
    assert cost_said(spending(uses, PRICES)) == said


def test_a_space_whose_calls_are_not_seen_makes_the_cost_unknown() -> None:
    """Somebody else's assistant may cost anything."""
    spent = spending([used("m", calls=1, input=1_000_000)], PRICES, None, ["Law"])
    assert (spent.cost, spent.known, spent.unknown) == (None, 2.0, ("space Law",))


def test_calls_and_tokens_are_said_in_words() -> None:
    """Nothing is said where nothing was called."""
    assert tokens_said(spending([used("m", calls=1, input=1200, output=3)], PRICES)) == "1 call, 1,200 tokens in, 3 out"
    assert tokens_said(spending([], PRICES)) == ""


@pytest.mark.parametrize(("amount", "said"), [(0, "0.00 X"), (0.5, "0.5000 X"), (1234.5, "1,234.50 X")])
def test_an_amount_has_the_digits_it_needs(amount: float, said: str) -> None:
    """Small amounts are not rounded to nothing."""
    assert money(amount, "X") == said


def test_the_packaged_file_of_prices_can_be_read_and_holds_none(tmp_path: Path) -> None:
    """It is an example to fill in: a price that is not known is not made up."""
    example = Path(__file__).parents[3] / "examples" / "prices.yaml"
    assert load_prices(example).models == {}
    assert load_prices(None) == Prices()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("currency: EUR\nmodels: {m: {input: -1}}", "models.m.input"),
        ("currency: EUR\nmodels: {m: {input: .nan}}", "models.m.input"),
        ("currency: EUR\nmodels: {m: {inputs: 1}}", "models.m.input"),
        ("models: {m: {input: 1}}", "currency"),
        ("- m", "must hold"),
        ("a: [", "not YAML"),
    ],
)
def test_a_broken_file_of_prices_is_refused_with_the_place(tmp_path: Path, text: str, problem: str) -> None:
    """The person learns which line to mend."""
    path = tmp_path / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PricesBroken, match=problem):
        load_prices(path)


def test_a_missing_file_of_prices_is_refused(tmp_path: Path) -> None:
    """Who named it meant it."""
    with pytest.raises(PricesBroken, match="cannot be read"):
        load_prices(tmp_path / "none.yaml")

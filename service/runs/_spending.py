"""What a run took and what it cost, as doors show it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from service.runs._prices import Prices
from service.store import Used


@dataclass(frozen=True, kw_only=True)
class ModelSpending:
    """What the calls of one kind of caller (assistants, judge, embedder) to a model took.

    `input` (`cached` of it at the price of cached tokens) and `output` are tokens; `untold` calls told no tokens.
    `cost` is None when it is unknown.
    """

    caller: str
    model: str
    calls: int = 0
    untold: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class Spending:
    """What all calls took: `cost` None when a part of it is unknown, `known` the sum of the other parts.

    `unknown` names the models without a price or whose endpoint does not tell tokens, and spaces whose calls are not
    seen. `limit` is `max_cost`.
    """

    models: tuple[ModelSpending, ...] = ()
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = 0.0
    known: float = 0.0
    unknown: tuple[str, ...] = ()
    currency: str = ""
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What the calls of one kind will take: those of a space, those of the judge, or those of the embedder."""

    caller: str
    model: str
    space: str = ""
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What a run of the whole workbook will take, about.

    `cost` is None when a part of it is unknown, `known` the sum of the others; `unknown` names the models without a
    price and the spaces whose calls are not seen. `seconds` is None where no model is called. `basis` says what all
    that rests on, in sentences.
    """

    lines: tuple[Expected, ...] = ()
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float | None = 0.0
    known: float = 0.0
    unknown: tuple[str, ...] = ()
    currency: str = ""
    seconds: float | None = None
    basis: tuple[str, ...] = ()


def spending(used: Iterable[Used], prices: Prices, limit: float | None = None, unseen: Iterable[str] = ()) -> Spending:
    """Return what was used, with its cost by the prices the run was started with.

    What the spaces `unseen` call and cost is not known.
    """
    models = tuple(ModelSpending(**asdict(each), cost=prices.cost(each)) for each in used)
    known = sum(each.cost for each in models if each.cost is not None)
    without = [each.model for each in models if each.cost is None]
    unknown = tuple(dict.fromkeys([*without, *(f"space {name}" for name in unseen)]))
    return Spending(
        models=models,
        calls=sum(each.calls for each in models),
        input=sum(each.input for each in models),
        output=sum(each.output for each in models),
        cost=None if unknown else known,
        known=known,
        unknown=unknown,
        currency=prices.currency,
        limit=limit,
    )


def money(amount: float, currency: str) -> str:
    """Return an amount with as many digits as it needs to say something: `12.30 EUR`, `0.0042 EUR`."""
    digits = 2 if amount >= 1 or amount == 0 else 4 if amount >= 0.01 else 6
    return f"{amount:,.{digits}f} {currency}".rstrip()


def cost_said(spent: Spending | Outlook) -> str:
    """Return the cost in words; what is unknown is said to be so, never counted as nothing."""
    if spent.cost is not None:
        return money(spent.cost, spent.currency)
    names = ", ".join(spent.unknown)
    return f"at least {money(spent.known, spent.currency)} (unknown: {names})" if spent.known else f"unknown ({names})"


def tokens_said(spent: Spending | Outlook | Expected) -> str:
    """Return calls and tokens in words, empty where nothing was called."""
    if not spent.calls:
        return ""
    calls = f"{spent.calls:,} call{'s' * (spent.calls != 1)}"
    return f"{calls}, {spent.input:,} tokens in, {spent.output:,} out"

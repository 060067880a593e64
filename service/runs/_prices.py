"""What tokens cost: the file a person keeps, and what calls come to by it."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.errors import PricesBroken
from service.llm import Charge
from service.store import Used

MILLION = 1_000_000


class Price(BaseModel):
    """Prices of a model, each for a million tokens; `cached` None: cached input costs what input costs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(None, ge=0, allow_inf_nan=False)
    output: float | None = Field(None, ge=0, allow_inf_nan=False)

    def of(self, tokens_in: int, cached: int, tokens_out: int) -> float | None:
        """Return what tokens cost; None for replies of a model whose price of output is not given."""
        if tokens_out and self.output is None:
            return None
        read_anew = self.input if self.cached is None else self.cached
        spent = (tokens_in - cached) * self.input + cached * read_anew + tokens_out * (self.output or 0.0)
        return spent / MILLION


class Prices(BaseModel):
    """Prices by model; a name with `*`, `?` or `[…]` is a pattern, and of several that fit the longest counts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    currency: str = ""
    models: dict[str, Price] = Field(default_factory=dict)

    def find(self, model: str) -> Price | None:
        """Return the price of a model, None when it is unknown."""
        if model in self.models:
            return self.models[model]
        fitting = [pattern for pattern in self.models if fnmatchcase(model, pattern)]
        return self.models[max(fitting, key=lambda pattern: (len(pattern), pattern))] if fitting else None

    def only(self, models: Iterable[str]) -> "Prices":
        """Return the prices of these models, those that are known."""
        found = {model: price for model in models if (price := self.find(model))}
        return Prices(currency=self.currency, models=found)

    def cost(self, used: Used) -> float | None:
        """Return what calls cost, None when it is unknown: no price, or calls that told no tokens."""
        price = self.find(used.model)
        return None if price is None or used.untold else price.of(used.input, used.cached, used.output)

    def most(self, charge: Charge) -> float:
        """Return what a call costs of which input and output are known; 0 without a price."""
        price = self.find(charge.model)
        return (price.of(charge.input or 0, charge.cached, charge.output or 0) if price else None) or 0.0


def load_prices(path: Path | None) -> Prices:
    """Return the prices in a file, none without one; raise `PricesBroken` with the reason when it cannot be read."""
    import yaml

    if path is None:
        return Prices()
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        prices = Prices.model_validate({**found, "models": found.get("models") or {}})
    except (OSError, UnicodeDecodeError) as error:
        raise PricesBroken(path=path, problem=f"it cannot be read ({error}).") from None
    except yaml.YAMLError as error:
        raise PricesBroken(path=path, problem=f"it is not YAML: {' '.join(str(error).split())}.") from None
    except (AttributeError, TypeError):
        raise PricesBroken(path=path, problem="it must hold `currency` and `models`.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise PricesBroken(path=path, problem=f"{place}: {first['msg']}.") from None
    if prices.models and not prices.currency:
        raise PricesBroken(path=path, problem="`currency` is missing, such as EUR.")
    return prices

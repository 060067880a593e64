"""What pydantic found wrong with an entry, in words for the person who wrote it; values are never shown."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

Place = tuple[int | str, ...]


@dataclass(frozen=True)
class Trouble:
    """One thing that is wrong: where (keys and list positions) and what."""

    place: Place
    what: str

    def __str__(self) -> str:
        field = ".".join(str(part) for part in self.place)
        return f"{field}: {self.what}" if field else self.what


def troubles(error: ValidationError, model: type[BaseModel], also: Iterable[str] = ()) -> Iterator[Trouble]:
    """Yield what is wrong; `also` are right keys that another model knows."""
    for one in error.errors(include_url=False, include_input=False):
        place = tuple(part for part in one["loc"] if part != "[key]")
        if one["type"] == "extra_forbidden":
            known = [*_fields_at(model, place[:-1]), *(also if len(place) == 1 else ())]
            yield Trouble(place, f"there is no such setting{nearest(str(place[-1]), known)}")
        elif one["type"] == "missing":
            yield Trouble(place, "this setting is missing")
        elif one["type"] == "string_pattern_mismatch":
            yield Trouble(place, "write the name of an environment variable here, never the key itself")
        else:
            yield Trouble(place, _lower(one["msg"].removeprefix("Value error, ")))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean “…”?` with the nearest known word, else the known words."""
    known = sorted(set(known))
    close = get_close_matches(word.casefold(), known, n=1, cutoff=0.6)
    return f"; did you mean “{close[0]}”?" if close else f" (known: {', '.join(known)})"


def _fields_at(model: type[BaseModel], place: Place) -> list[str]:
    for part in place:
        if isinstance(part, str) and part in model.model_fields:
            model = inner_model(model.model_fields[part].annotation) or model
    return list(model.model_fields)


def inner_model(annotation: Any) -> type[BaseModel] | None:
    """Return the model inside an annotation such as `tuple[Module, ...]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for arg in get_args(annotation) if (found := inner_model(arg))), None)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]

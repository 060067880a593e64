"""Facts to hide: synthetic ones, those of a template, or a person's own."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from flags.niah import _templates
from flags.niah._entities import ATTRIBUTES, ValueKind, entity, value
from flags.niah._errors import SpecRefused
from flags.niah._match import check_expected
from flags.niah._options import fill

SENTENCE = "The {attribute} of {entity} is {value}."
QUESTION = "What is the {attribute} of {entity}?"
ONLY_VALUE = "Provide only the value."
_DRAWS = 200


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A needle before it stands anywhere, with the question it answers (without the instruction to be brief)."""

    text: str
    value: str
    question: str
    entity: str = ""
    attribute: str = ""


@dataclass(frozen=True, kw_only=True)
class OwnNeedle:
    """One entry of a person's needle library."""

    needle_text: str
    expected_answer: str
    question: str


@dataclass(frozen=True, kw_only=True)
class NeedleSource:
    """Where facts come from.

    synthetic: `value` says of which kind the values are. template: `template` and `variables` (see
    `_templates.GENERATORS`), `answer` names the variable asked for (default: the last one of the template),
    `question` is a template too. custom: `library`.
    """

    type: Literal["synthetic", "template", "custom"] = "synthetic"
    value: ValueKind = "any"
    template: str = ""
    question: str = ""
    answer: str = ""
    variables: Mapping[str, Any] = field(default_factory=dict)
    library: tuple[Mapping[str, Any], ...] = ()

    def __post_init__(self) -> None:
        """Refuse what the type does not use, and what it lacks."""
        belongs = {"synthetic": {"value"}, "custom": {"library"}}.get(
            self.type, {"template", "question", "answer", "variables"}
        )
        stray = [name for name in _DEFAULTS if name not in belongs and getattr(self, name) != _DEFAULTS[name]]
        if stray:
            raise SpecRefused(f"`{stray[0]}` does not belong to needles of type {self.type}.")
        if self.type == "template":
            self._check_template()
        if self.type == "custom" and not self.library:
            raise SpecRefused("Needles of type custom need a `library` with at least one entry.")
        for number, entry in enumerate(self.library, start=1):
            check_expected((fill(OwnNeedle, entry, f"needles.library[{number}]", SpecRefused).expected_answer,))

    def _check_template(self) -> None:
        if not self.template:
            raise SpecRefused("Needles of type template need a `template`.")
        _templates.check(self.variables)
        for name in (*_templates.variables(self.template), *_templates.variables(self.question)):
            if name not in self.variables:
                raise SpecRefused(f"The template uses “{name}”, which is not among its variables.")
        if self.answer and self.answer not in self.variables:
            raise SpecRefused(f"`answer` names “{self.answer}”, which is not among the template's variables.")
        if not _templates.variables(self.template):
            raise SpecRefused("The template uses no variable, so that nothing could be asked.")

    def draw(self, count: int, rng: random.Random) -> tuple[Fact, ...]:
        """Return so many facts; entity and attribute together are unique, and so is each value."""
        makers = {"synthetic": self._synthetic, "template": self._of_template, "custom": self._custom}
        return makers[self.type](count, rng)

    def _synthetic(self, count: int, rng: random.Random) -> tuple[Fact, ...]:
        entities: set[str] = set()
        values: set[str] = set()
        drawn = ((entity(rng, entities), rng.choice(ATTRIBUTES)) for _ in range(count))
        return tuple(fact(name, attribute, value(rng, self.value, values)) for name, attribute in drawn)

    def _of_template(self, count: int, rng: random.Random) -> tuple[Fact, ...]:
        answer = self.answer or _templates.variables(self.template)[-1]
        found: dict[tuple[str, ...], Fact] = {}
        for _ in range(_DRAWS * count):
            if len(found) == count:
                break
            values = _templates.draw(self.variables, rng)
            subject = tuple(text for name, text in values.items() if name != answer)
            if subject not in found and all(fact.value != values[answer] for fact in found.values()):
                found[subject] = self._filled(values, answer)
        if len(found) < count:
            raise SpecRefused(
                f"The template's variables give only {len(found)} different needles, {count} are needed. "
                "Add words to its lists, or take fewer needles."
            )
        return tuple(found.values())

    def _filled(self, values: Mapping[str, str], answer: str) -> Fact:
        text = _templates.render(self.template, values)
        gap = _templates.render(self.template, {**values, answer: "…"})
        question = f"The document says: “{gap}” What stands there in place of “…”?"
        others = " ".join(text for name, text in values.items() if name != answer)
        if self.question:
            question = _templates.render(self.question, values)
        return Fact(text=text, value=values[answer], question=question, entity=others)

    def _custom(self, count: int, rng: random.Random) -> tuple[Fact, ...]:
        start = rng.randrange(len(self.library))
        entries = (self.library[(start + nth) % len(self.library)] for nth in range(count))
        own = (fill(OwnNeedle, entry, "needles.library", SpecRefused) for entry in entries)
        return tuple(Fact(text=each.needle_text, value=each.expected_answer, question=each.question) for each in own)


_DEFAULTS: Mapping[str, Any] = {
    "value": "any", "template": "", "question": "", "answer": "", "variables": {}, "library": (),
}  # fmt: skip


def fact(name: str, attribute: str, said: str) -> Fact:
    """Return the fact that the attribute of an entity is this value."""
    return Fact(
        text=SENTENCE.format(attribute=attribute, entity=name, value=said),
        value=said,
        question=QUESTION.format(attribute=attribute, entity=name),
        entity=name,
        attribute=attribute,
    )

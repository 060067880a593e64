"""Facts to hide: synthetic, from templates, from a person's library."""

import random
from typing import Any

import pytest

from flags.niah import NeedleSource, SpecRefused
from flags.niah._entities import entity, neighbours, value
from flags.niah._options import fill

PASSCODE = {
    "type": "template",
    "template": "The secret passcode for {{ entity }} is {{ code }}.",
    "variables": {
        "entity": {"type": "wordlist", "values": ["Vault A", "Chamber B", "Section C"]},
        "code": {"type": "random_hex", "length": 8},
    },
}


def source(**fields: Any) -> NeedleSource:
    """Return a source as a config gives it."""
    return fill(NeedleSource, fields, "needles", SpecRefused)


def test_synthetic_facts_are_unique() -> None:
    """No two needles of a batch share entity, attribute pair or value."""
    facts = NeedleSource().draw(300, random.Random(1))
    assert len({(fact.entity, fact.attribute) for fact in facts}) == len({fact.value for fact in facts}) == 300
    assert all(fact.text == f"The {fact.attribute} of {fact.entity} is {fact.value}." for fact in facts)


def test_the_same_seed_gives_the_same_facts() -> None:
    """Draws depend on the seed alone."""
    first, again, other = (NeedleSource().draw(3, random.Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(("kind", "shape"), [("integer", r"\d+"), ("float", r"\d+\.\d\d"), ("code", r"[A-Z]{2}-\d{4}")])
def test_values_are_of_the_kind_asked_for(kind: Any, shape: str) -> None:
    """Integers, numbers with decimals and codes can be chosen."""
    import re

    assert all(re.fullmatch(shape, fact.value) for fact in source(value=kind).draw(20, random.Random(2)))


def test_a_taken_name_or_value_is_drawn_again() -> None:
    """What is taken does not come twice, however small the choice."""
    rng = random.Random(3)
    names: set[str] = set()
    assert len({entity(rng, names).split("-")[0] for _ in range(8000)}) > 0
    assert len(names) == 8000
    values: set[str] = set()
    for _ in range(9000):
        value(rng, "integer", values)
    assert len(values) == 9000


def test_neighbours_differ_in_their_number_only() -> None:
    """The one asked for stands between smaller and greater numbers."""
    target, *others = neighbours(random.Random(1), 5)
    root, number = target.rsplit("-", 1)
    numbers = sorted(int(other.removeprefix(root + "-")) for other in others)
    assert numbers[0] < int(number) < numbers[-1]


def test_a_template_is_filled_by_its_generators() -> None:
    """Variables are drawn, the last one is asked for, each subject comes once."""
    facts = source(**PASSCODE).draw(3, random.Random(1))
    assert {fact.entity for fact in facts} == {"Vault A", "Chamber B", "Section C"}
    assert all(fact.text.endswith(f"is {fact.value}.") for fact in facts)
    assert all("…" in fact.question and fact.value not in fact.question for fact in facts)


def test_a_template_may_bring_its_question_and_name_the_answer() -> None:
    """The question is a template too, and any variable can be the one asked for."""
    facts = source(**{**PASSCODE, "question": "Whose code is {{ code | upper }}?", "answer": "entity"}).draw(
        2, random.Random(1)
    )
    assert facts[0].value in ("Vault A", "Chamber B", "Section C")
    assert facts[0].question.startswith("Whose code is ")


def test_every_generator_draws_a_text() -> None:
    """Each generator gives a value of its own kind."""
    kinds = {
        "a": {"type": "wordlist", "values": ["x"]}, "b": {"type": "random_hex"},
        "c": {"type": "random_digits", "length": 3},
        "d": {"type": "random_int", "min": 1, "max": 2}, "e": {"type": "random_float", "decimals": 1},
        "f": {"type": "random_code"}, "g": {"type": "entity"}, "h": {"type": "attribute"},
        "i": {"type": "constant", "value": 5},
    }  # fmt: skip
    template = " ".join(f"{{{{ {name} }}}}" for name in kinds)
    (fact,) = source(type="template", template=template, variables=kinds, answer="b").draw(1, random.Random(1))
    assert fact.text.startswith("x ")
    assert fact.text.endswith(" 5")
    assert len(fact.value) == 8


def test_a_library_is_cycled_from_a_seeded_place() -> None:
    """Two needles of one's own serve a cell of three: the first comes again."""
    library = [{"needle_text": f"Key {n}.", "expected_answer": str(n), "question": f"Which {n}?"} for n in (1, 2)]
    drawn = source(type="custom", library=library).draw(3, random.Random(1))
    assert drawn[0] == drawn[2] != drawn[1]
    starts = {source(type="custom", library=library).draw(1, random.Random(seed))[0].value for seed in range(20)}
    assert starts == {"1", "2"}


def of(**fields: Any) -> dict[str, Any]:
    """Return the passcode template with other fields."""
    return {**PASSCODE, **fields}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"typ": "x"}, "Did you mean “type”?"),
        ({"value": 3}, "“integer”"),
        ({"template": "x"}, "does not belong"),
        ({"type": "template"}, "need a `template`"),
        ({"type": "custom"}, "at least one entry"),
        ({"type": "custom", "library": [{"needle_text": "a"}]}, "needs expected_answer, question"),
        ({"type": "custom", "library": [{"needle_text": "a", "expected": "b"}]}, "Did you mean “expected_answer”?"),
        (of(variables={}), "not among its variables"),
        (of(answer="key"), "names “key”"),
        (of(template="The same."), "uses no variable"),
        (of(template="{{ code }"), "cannot be read"),
        (of(template="{{ code * 99 }}"), "may only name variables"),
        (of(template="{% for x in code %}{{ x }}{% endfor %}"), "may only name variables"),
        (of(template="{{ code | safe }}"), "may only name variables"),
        (of(variables={"code": "hex", "entity": 3}), "needs a `type`"),
        (of(variables={"code": {"length": 3}}), "needs a `type`"),
        (of(variables={"code": {"type": "random_hax"}}), "Did you mean “random_hex”?"),
        (of(variables={"code": {"type": "random_hex", "lenght": 3}}), "Did you mean “length”?"),
        (of(variables={"code": {"type": "random_hex", "length": 900}}), "a whole number to 64"),
        (of(variables={"code": {"type": "random_int", "min": "a"}}), "must be a number"),
        (of(variables={"code": {"type": "random_int", "min": 5, "max": 4}}), "min above its max"),
        (of(variables={"code": {"type": "wordlist", "values": []}}), "at least one word"),
        (of(variables={"code": {"type": "wordlist"}}), "needs `values`"),
        (of(variables={"code": {"type": "constant", "value": []}}), "a text or a number"),
    ],
)
def test_a_wrong_source_is_refused(fields: dict[str, Any], says: str) -> None:
    """Every mistake in a source of needles is named."""
    with pytest.raises(SpecRefused) as refused:
        source(**fields)
    assert says in str(refused.value)


def test_too_few_different_needles_are_refused() -> None:
    """Three words cannot make four needles."""
    with pytest.raises(SpecRefused, match="only 3 different needles, 4 are needed"):
        source(**PASSCODE).draw(4, random.Random(1))

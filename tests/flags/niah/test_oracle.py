"""An assistant that reads is always right, one that does not never, and a biased one shows its bias."""

from collections import Counter

import pytest

from flags.niah import Borrowed, Corpora, Outcome, Spec, aggregate, discover_tasks, make, prompt, score
from tests.flags.niah import reader

VARIANTS = [
    *({"task": task} for task in discover_tasks()),
    *({"task": "m_rs", "parameters": {"reasoning": kind}} for kind in ("max", "min", "mean", "conditional", "chain")),
    *({"task": "m_rs", "num_needles": 9, "parameters": {"reasoning": kind}} for kind in ("sum", "conditional")),
    *({"task": "m_rt", "num_needles": 8, "distribution": kind} for kind in ("random", "bookends", "centered")),
    *(
        {"task": "atc", "parameters": {"structure": structure, "relation": relation, "hops": hops}}
        for structure in ("chain", "tree", "dag")
        for relation, hops in (("parent", 2), ("reports_to", 3), ("precedes", 4))
    ),
    {"task": "atc", "parameters": {"hops": 10}},
    {"task": "key_value", "num_needles": 40},
    {"task": "distractor", "parameters": {"distractors": 12}},
]


def specs(variant: dict, length: int = 1500) -> list[Spec]:
    """Return cells of a variant at three depths and three trials."""
    return [
        Spec(context_length=length, depth=depth, trial=trial, seed=11, **variant)
        for trial, depth in enumerate((0.0, 0.5, 1.0))
    ]


@pytest.mark.parametrize("phrasing", reader.PHRASINGS)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
async def test_an_oracle_scores_one(variant: dict, phrasing: str, corpora: Corpora) -> None:
    """Who reads the document is right on every task, however the answer is phrased."""
    for spec in specs(variant):
        trial = make(spec, corpora)
        response = reader.PHRASINGS[phrasing](reader.oracle(prompt(trial)))
        found = await score(spec, trial, response, Borrowed())
        assert found.score == 1.0, (response, trial.expected, found)


@pytest.mark.parametrize("name", reader.BAD)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
async def test_a_bad_assistant_scores_nothing(variant: dict, name: str, corpora: Corpora) -> None:
    """Refusing, negating, dumping, echoing, guessing and taking the neighbour's value are worth nothing."""
    for spec in specs(variant):
        trial = make(spec, corpora)
        response = reader.BAD[name](prompt(trial))
        found = await score(spec, trial, response, Borrowed())
        assert found.score == 0.0, (response[:200], trial.expected, found)


@pytest.mark.parametrize(
    ("assistant", "primacy", "recency"),
    [(reader.primacy, 1.0, 0.0), (lambda text: reader.oracle(text)[0], 0.0, 1.0), (lambda text: "no idea", 0.0, 0.0)],
)
async def test_a_biased_assistant_shows_its_bias(
    assistant: reader.Assistant, primacy: float, recency: float, corpora: Corpora
) -> None:
    """The rates of first and last values tell primacy from recency."""
    outcomes = []
    for trial_number in range(4):
        spec = Spec(task="conflicting", context_length=900, trial=trial_number)
        trial = make(spec, corpora)
        found = await score(spec, trial, assistant(prompt(trial)), Borrowed())
        outcomes.append(Outcome(assistant="a", spec=spec, score=found.score, category=found.category))
    (figures,) = aggregate(outcomes)
    assert (figures.primacy, figures.recency) == (primacy, recency)
    assert figures.mean
    assert figures.mean.value == recency


async def test_the_values_put_together_may_be_shown(corpora: Corpora) -> None:
    """Operands beside a sum are no further candidates; a sum of its own is."""
    spec = Spec(task="m_rs", context_length=900)
    trial = make(spec, corpora)
    shown = " + ".join(needle.value for needle in trial.needles)
    right = await score(spec, trial, f"The total is {trial.expected[0]} ({shown}).", Borrowed())
    wrong = await score(spec, trial, f"The total is {trial.expected[0]} or 5000 ({shown}).", Borrowed())
    assert (right.score, wrong.score) == (1.0, 0.0)


async def test_real_lengths_are_right_too(corpora: Corpora) -> None:
    """At 32,000 tokens the oracle is right on every task, and every document has its length."""
    kinds = Counter()
    for task in discover_tasks():
        spec = Spec(task=task, context_length=32_000, depth=0.7, seed=3)
        trial = make(spec, corpora)
        count = corpora.tokenizer.count(trial.document)
        assert count == trial.tokens
        assert count == 32_000 or (task == "atc" and 31_950 <= count <= 32_000)
        found = await score(spec, trial, "\n".join(reader.oracle(prompt(trial))), Borrowed())
        kinds[found.score] += 1
    assert kinds == {1.0: 8}

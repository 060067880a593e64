"""Experiments as people write them."""

from typing import Any

import pytest

from flags.niah import PRESETS, ConfigRefused, Corpora, Experiment, Spec, make, open_task

BASE: dict[str, Any] = {"models": ["one"], "preset": "quick"}


def cells(**fields: Any) -> list[Spec]:
    """Return the cells of the quick preset with other fields."""
    return [spec for _, spec in Experiment.of({**BASE, **fields}).specs()]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_an_experiment_whose_cells_can_be_opened(preset: str) -> None:
    """A preset needs nothing but models, and each of its cells names a task with parameters that exist."""
    found = list(Experiment.of({"models": ["one", "two"], "preset": preset}).specs())
    assert found
    for _, spec in found:
        open_task(spec)
    one, two = ([spec for name, spec in found if name == model] for model in ("one", "two"))
    assert one == two
    assert len(set(map(repr, one))) == len(one)


def test_the_presets_ask_what_their_names_say() -> None:
    """Sizes stay as they are documented."""
    sizes = {name: len(list(Experiment.of({"models": "m", "preset": name}).specs())) for name in PRESETS}
    assert sizes == {
        "quick": 9, "standard": 288, "full": 1548, "large_context": 48,
        "needlebench_32k": 300, "needlebench_128k": 300, "needlebench_1m": 300,
    }  # fmt: skip


@pytest.mark.parametrize("preset", ["quick", "standard", "full"])
def test_each_kind_of_cell_of_a_preset_can_be_made(preset: str, corpora: Corpora) -> None:
    """Every task with every parameter of a preset makes a document of its shortest length."""
    kinds = {}
    for _, spec in Experiment.of({"models": "m", "preset": preset}).specs():
        kinds.setdefault((spec.task, repr(spec.parameters), spec.num_needles), spec)
    for spec in kinds.values():
        assert corpora.tokenizer.count(make(spec, corpora).document) <= spec.context_length


def test_the_depth_axis_collapses_where_it_says_nothing() -> None:
    """Uniform and bookends with several needles, and ATC, are asked at one depth; other cells at all."""
    depths = {
        (task, count, distribution): [
            spec.depth
            for spec in cells(
                tasks=[{"task": task, "num_needles": count, "distribution": distribution}], context_lengths=[1000]
            )
        ]
        for task, count, distribution in [
            ("m_rt", 1, "uniform"), ("m_rt", 3, "uniform"), ("m_rt", 3, "bookends"), ("m_rt", 3, "centered"),
            ("m_rt", 3, "random"), ("key_value", 3, "uniform"),
        ]
    }  # fmt: skip
    every = [0.0, 0.5, 1.0]
    assert depths == {
        ("m_rt", 1, "uniform"): every, ("m_rt", 3, "uniform"): [0.5], ("m_rt", 3, "bookends"): [0.5],
        ("m_rt", 3, "centered"): every, ("m_rt", 3, "random"): every, ("key_value", 3, "uniform"): every,
    }  # fmt: skip
    assert [spec.depth for spec in cells(tasks=["atc", "conflicting"], context_lengths=[1000])] == [0.5, 0.5]


def test_fields_reach_the_cells() -> None:
    """Scorer, literal, needles, padding, haystack, seed and trials are found again in the cells that use them."""
    library = [{"needle_text": "The key is red.", "expected_answer": "red", "question": "Which key?"}]
    (first, *_, last) = cells(
        tasks=["S-RT", {"Key-Value": {"num_needles": 4, "trials_per_cell": 1, "depth_percents": [20]}}, "atc"],
        scorer="exact", literal=True, needles={"type": "custom", "library": library}, trials_per_cell=2, seed=7,
        haystack={"source": "corpus", "name": "essays", "pad": True}, distribution="random",
    )  # fmt: skip
    assert first.parameters == {
        "scorer": "exact", "literal": True, "pad": True, "needles": {"type": "custom", "library": library},
    }  # fmt: skip
    assert (first.seed, first.haystack, first.distribution) == (7, "essays", "random")
    assert last.parameters == {"scorer": "exact", "literal": True}
    assert last.distribution == ""
    pairs = [spec for spec in cells(tasks=[{"key_value": {"num_needles": [4, 8]}}], num_needles=3)]
    assert {spec.num_needles for spec in pairs} == {4, 8}
    assert {spec.num_needles for spec in cells(tasks=["m_rt", "s_rt"], num_needles=3)} == {3, None}


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("synthetic", "synthetic"), ("essays", "essays"), ("wikipedia", "wikipedia-en-0-20"), ("arxiv", "arxiv-20"),
        ({"source": "wikipedia", "language": "de", "seed": 3, "count": 5}, "wikipedia-de-3-5"),
        ({"source": "wikipedia", "name": "wiki"}, "wiki"),
    ],
)  # fmt: skip
def test_a_haystack_may_be_a_name_or_a_mapping(given: Any, key: str) -> None:
    """Cells name the corpus, never a path."""
    assert Experiment.of({**BASE, "haystack": given}).haystack.key == key


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"modles": ["a"]}, "Did you mean “models”?"),
        ({"preset": "quik"}, "Did you mean “quick”?"),
        ({"models": None}, "`models` must name at least one"),
        ({"models": []}, "`models` must name at least one"),
        ({"models": 3}, "`models` must be a list"),
        ({"models": [3]}, "must be a mapping"),
        ({"models": [{"nam": "a"}]}, "Did you mean “name”?"),
        ({"models": [{"context_window": 5}]}, "needs name"),
        ({"models": ["a", "a"]}, "twice"),
        ({"tasks": ["s_tr"]}, "Did you mean “s_rt”?"),
        ({"tasks": [{"task": "m_rs", "parameters": {"reasonin": "sum"}}]}, "Did you mean “reasoning”?"),
        ({"tasks": [{"task": "m_rs", "parameters": {"reasoning": "summ"}}]}, "“sum”"),
        ({"tasks": [{"task": "m_rs", "parameters": 3}]}, "a mapping"),
        ({"tasks": [{"task": "m_rs"}], "num_needles": 1}, "2 to 900"),
        ({"tasks": [{"task": "s_rt", "num_needles": [2]}]}, "takes 1 needles"),
        ({"tasks": [{"task": "atc", "parameters": {"hops": 11}}]}, "2 to 10"),
        ({"tasks": [{"task": "s_rt", "context_lengths": [5]}]}, "between 100"),
        ({"tasks": ["conflicting"], "scorer": "exact"}, "categorical"),
        ({"tasks": ["atc"], "needles": {}}, "read by the tasks s_rt and m_rt only"),
        ({"needles": {"type": "custom"}}, "library"),
        ({"depth_percents": [150]}, "between 0 and 100"),
        ({"depth_percents": [50, 50]}, "twice"),
        ({"trials_per_cell": 0}, "between 1 and 1000"),
        ({"trials_per_cell": True}, "a whole number"),
        ({"trials_per_cell": "3"}, "a whole number"),
        ({"temperature": "hot"}, "a number"),
        ({"context_lengths": "1000"}, "a list, each a whole number"),
        ({"context_lengths": [1000.5]}, "a list, each a whole number"),
        ({"literal": "yes"}, "true or false"),
        ({"name": 3}, "a text"),
        ({"scorer": "fuzzy"}, "“exact”"),
        ({"haystack": {"source": "corpus"}}, "needs the `name`"),
        ({"haystack": {"name": "essays"}}, "source: corpus?"),
        ({"haystack": {"sauce": "corpus"}}, "Did you mean “source”?"),
    ],
)
def test_a_wrong_field_is_refused_with_what_is_accepted(fields: dict[str, Any], says: str) -> None:
    """Nothing is passed over in silence: unknown keys and wrong values are named."""
    with pytest.raises(ConfigRefused) as refused:
        Experiment.of({**BASE, **fields})
    assert says in str(refused.value)


def test_without_a_preset_everything_is_said() -> None:
    """A config of its own needs models, tasks, lengths and depths."""
    config = {"models": ["m"], "tasks": ["s_rt"], "context_lengths": [1000], "depth_percents": [50]}
    assert [(name, spec.task, spec.depth) for name, spec in Experiment.of(config).specs()] == [("m", "s_rt", 0.5)]
    for name in config:
        with pytest.raises(ConfigRefused, match=f"`{name}`"):
            Experiment.of({key: value for key, value in config.items() if key != name})


def test_a_config_that_is_no_mapping_is_refused() -> None:
    """A list in place of an experiment says so."""
    with pytest.raises(ConfigRefused, match="mapping"):
        Experiment.of(["quick"])  # type: ignore[arg-type]

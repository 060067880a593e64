"""What the tasks make."""

import hashlib
import itertools
import re

import pytest

from flags import discover
from flags.niah import (
    Corpora,
    DocumentImpossible,
    HaystackTooShort,
    HaystackUnknown,
    Spec,
    SpecRefused,
    depths,
    discover_tasks,
    make,
    open_task,
    overhead,
    prompt,
)
from flags.niah._people import FAMILY, GIVEN, people

TASKS = ["atc", "conflicting", "counting", "distractor", "key_value", "m_rs", "m_rt", "s_rt"]


def test_every_public_module_is_a_task() -> None:
    """The list of tasks is the list of files, and none of them is taken for a flag."""
    assert sorted(discover_tasks()) == TASKS
    assert "niah" not in discover()
    titles = {kind.title for kind in discover_tasks().values()}
    assert titles == {"S-RT", "M-RT", "M-RS", "ATC", "Counting", "Key-Value", "Conflicting", "Distractor"}


@pytest.mark.parametrize("task", TASKS)
def test_a_cell_is_the_same_whenever_it_is_made(task: str, corpora: Corpora) -> None:
    """Documents are rebuilt byte by byte from the spec, by another process too."""
    spec = Spec(task=task, context_length=2000, seed=5, trial=1)
    assert make(spec, corpora) == make(spec, Corpora(corpora.tokenizer))


@pytest.mark.parametrize("task", TASKS)
def test_needles_are_the_same_at_every_depth_and_length_and_new_in_every_trial(task: str, corpora: Corpora) -> None:
    """Cells of one trial ask the same; trials and seeds ask something else (counting always asks for its phrase)."""
    base = make(Spec(task=task, context_length=2000, depth=0.2), corpora)
    moved = make(Spec(task=task, context_length=3000, depth=0.9), corpora)
    assert base.expected == moved.expected
    assert base.document != moved.document
    other = make(Spec(task=task, context_length=2000, depth=0.2, trial=1), corpora)
    assert base.document != other.document
    assert task == "counting" or base.question != other.question or base.expected != other.expected


@pytest.mark.parametrize(
    ("task", "known"),
    [
        ("atc", "19bcd40d5835694c"),
        ("conflicting", "0bdc654278b73a84"),
        ("counting", "a1ef981ca8508eb9"),
        ("distractor", "c5c97b037087c35a"),
        ("key_value", "140909188ab34454"),
        ("m_rs", "54f3137e4c17591b"),
        ("m_rt", "e6cec295ed09fe4f"),
        ("s_rt", "64e23d7064778100"),
    ],
)
def test_documents_are_those_of_any_other_machine(task: str, known: str, corpora: Corpora) -> None:
    """A workbook written elsewhere is rebuilt byte by byte; a change of these hashes breaks every stored workbook."""
    trial = make(Spec(task=task, context_length=2000, seed=42, depth=0.3, trial=1), corpora)
    content = trial.document + trial.question + repr(trial.expected)
    assert hashlib.sha256(content.encode()).hexdigest().startswith(known)


def test_filler_differs_between_cells(corpora: Corpora) -> None:
    """Length, depth and trial draw filler of their own, so that no cache of prefixes helps."""
    cells = itertools.product((1500, 1600), (0.4, 0.6), (0, 1))
    starts = {
        make(Spec(task="s_rt", context_length=length, depth=depth, trial=trial), corpora).document[:80]
        for length, depth, trial in cells
    }
    assert len(starts) == 8


def test_the_value_and_the_entity_stand_in_the_needle_only(corpora: Corpora) -> None:
    """Nothing in the filler gives the answer away."""
    for trial_number in range(5):
        trial = make(Spec(task="s_rt", context_length=5000, trial=trial_number), corpora)
        (needle,) = trial.needles
        assert trial.document.count(needle.value) == 1
        assert trial.document.count(needle.entity) == 1


def test_a_custom_answer_that_is_a_common_word_is_left_out_of_the_filler(corpora: Corpora) -> None:
    """A library may ask for a word of the prose: paragraphs that hold it are left out."""
    library = [
        {"needle_text": "The secret is the lighthouse.", "expected_answer": "lighthouse", "question": "What is it?"}
    ]
    spec = Spec(task="s_rt", context_length=3000, parameters={"needles": {"type": "custom", "library": library}})
    document = make(spec, corpora).document
    assert document.lower().count("lighthouse") == 1


def test_a_count_is_the_number_of_phrases(corpora: Corpora) -> None:
    """The phrase stands exactly k times, also when it is a person's own."""
    for count in (1, 7, 30):
        spec = Spec(task="counting", context_length=4000, num_needles=count, parameters={"phrase": "Blue owls sing!"})
        trial = make(spec, corpora)
        assert trial.document.count("Blue owls sing!") == count
        assert trial.expected == (str(count),)


def test_the_pair_asked_for_stands_at_the_depth_of_the_cell(corpora: Corpora) -> None:
    """Key-value and distractor sweep the depth of the one asked for; a single pair is possible."""
    for task, depth in itertools.product(("key_value", "distractor"), (0.1, 0.9)):
        trial = make(Spec(task=task, context_length=8000, depth=depth), corpora)
        (wanted,) = [needle for needle in trial.needles if needle.value == trial.expected[0]]
        assert wanted.depth == pytest.approx(depth, abs=0.03)
    assert len(make(Spec(task="key_value", context_length=900, num_needles=1), corpora).needles) == 1


@pytest.mark.parametrize("kind", ["any", "float", "code"])
def test_conflicting_values_are_of_one_kind(kind: str, corpora: Corpora) -> None:
    """The first and the last value could both be the answer."""
    trial = make(Spec(task="conflicting", context_length=900, parameters={"value": kind, "answer": "first"}), corpora)
    shapes = {re.sub(r"\d+", "0", re.sub("[A-Z]", "A", value)) for value in trial.expected}
    assert len(shapes) == 1


def test_a_conditional_question_without_a_threshold_is_refused(corpora: Corpora) -> None:
    """All but all values from 1 to 999 leave no gap to ask about in a small enough document."""
    from flags.niah import m_rs

    with pytest.raises(SpecRefused, match="No threshold"):
        m_rs._conditional("span", {"a": 1, "b": 2}, __import__("random").Random(1))


def test_relations_fill_the_length_and_nothing_else_stands_there(corpora: Corpora) -> None:
    """ATC holds as many whole relations as fit; a further one would not."""
    trial = make(Spec(task="atc", context_length=3000), corpora)
    lines = trial.document.split("\n")
    assert all(re.fullmatch(r"[A-Z].* is the parent of [A-Z].*\.", line) for line in lines)
    assert 3000 - 20 < trial.tokens <= 3000
    assert len(set(lines)) == len(lines)


def test_relations_that_do_not_fit_are_an_error(corpora: Corpora) -> None:
    """Ten hops of a tree are thousands of relations."""
    with pytest.raises(DocumentImpossible, match="2046 relations"):
        make(Spec(task="atc", context_length=1000, parameters={"structure": "tree", "hops": 10}), corpora)


@pytest.mark.parametrize(("needed", "words"), [(50, 1), (2000, 2), (50_000, 3)])
def test_people_have_names_of_one_form(needed: int, words: int) -> None:
    """Nobody stands out by the form of the name, and no name comes twice."""
    import random

    names = list(itertools.islice(people(random.Random(1), needed), 60_000))
    assert len(set(names)) == len(names) >= needed
    assert {len(name.split()) for name in names} == {words}


def soundex(name: str) -> str:
    """Return the Soundex code of a name."""
    classes = {
        letter: str(n) for n, same in enumerate(("bfpv", "cgjkqsxz", "dt", "l", "mn", "r"), 1) for letter in same
    }
    heard, last = name[0], classes.get(name[0].lower())
    for letter in name[1:].lower():
        now = classes.get(letter)
        heard += now if now and now != last else ""
        last = last if letter in "hw" else now
    return (heard + "000")[:4]


@pytest.mark.parametrize("names", [GIVEN, FAMILY])
def test_names_sound_different(names: tuple[str, ...]) -> None:
    """No two names share a Soundex code."""
    assert len({soundex(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ({"task": "s_tr"}, "Did you mean “s_rt”?"),
        ({"task": "s_rt", "parameters": {"padd": True}}, "Did you mean “pad”?"),
        ({"task": "s_rt", "distribution": "unifrom"}, "Did you mean “uniform”?"),
        ({"task": "s_rt", "depth": 50}, "between 0 and 1"),
        ({"task": "s_rt", "depth": float("nan")}, "between 0 and 1"),
        ({"task": "s_rt", "context_length": 0}, "between 1 and"),
        ({"task": "s_rt", "context_length": 10**9}, "between 1 and"),
        ({"task": "s_rt", "num_needles": 2}, "takes 1 needles"),
        ({"task": "m_rs", "num_needles": 1}, "2 to 900"),
        ({"task": "atc", "num_needles": 4}, "`hops`"),
        ({"task": "atc", "parameters": {"hops": 1}}, "2 to 10"),
        ({"task": "counting", "parameters": {"phrase": "…"}}, "must hold a word"),
        ({"task": "distractor", "parameters": {"distractors": 0}}, "1 to 999"),
        ({"task": "conflicting", "num_needles": 3}, "takes 2 needles"),
    ],
)
def test_a_cell_that_cannot_be_made_says_why(spec: dict, says: str, corpora: Corpora) -> None:
    """Wrong tasks, parameters and numbers are refused with the nearest right one."""
    with pytest.raises(SpecRefused) as refused:
        make(Spec(**{"context_length": 1000, **spec}), corpora)
    assert says in str(refused.value)


def test_a_task_that_needs_a_haystack_says_so(corpora: Corpora) -> None:
    """Only ATC is made without one."""
    spec = Spec(task="s_rt", context_length=1000)
    with pytest.raises(HaystackUnknown):
        open_task(spec).make(spec, None, corpora.tokenizer)


def test_a_named_haystack_is_read_and_an_unknown_one_refused(corpora: Corpora) -> None:
    """Corpora are named; the nearest name is offered."""
    own = Corpora(corpora.tokenizer, {"essays": "The sea was calm that day. " * 300})
    spec = Spec(task="s_rt", context_length=500, haystack="essays")
    assert "The sea was calm" in make(spec, own).document
    with pytest.raises(HaystackUnknown, match="Did you mean “essays”"):
        make(Spec(task="s_rt", context_length=500, haystack="esays"), own)


def test_a_short_haystack_is_repeated_only_on_request(corpora: Corpora) -> None:
    """Padding by repetition needs `pad`, and a separator stands between."""
    own = Corpora(corpora.tokenizer, {"short": "The sea was calm.\n\nThe boats came home."})
    spec = Spec(task="s_rt", context_length=500, haystack="short")
    with pytest.raises(HaystackTooShort, match="allow `pad`"):
        make(spec, own)
    trial = make(Spec(task="s_rt", context_length=500, haystack="short", parameters={"pad": True}), own)
    assert corpora.tokenizer.count(trial.document) == 500
    assert "* * *" in trial.document


def test_only_the_last_few_corpora_are_kept(corpora: Corpora) -> None:
    """Memory stays bounded however many haystacks are asked for."""
    own = Corpora(corpora.tokenizer, {str(n): f"Text {n}. " * 30 for n in range(9)})
    first = own.open("0", 50)
    assert own.open("0", 50) is first
    for n in range(1, 9):
        own.open(str(n), 50)
    assert own.open("0", 50) is not first


def test_the_prompt_holds_instructions_document_and_question(corpora: Corpora) -> None:
    """One message; what it has beside the document is counted."""
    trial = make(Spec(task="s_rt", context_length=1000), corpora)
    text = prompt(trial)
    assert trial.document in text
    assert text.endswith(trial.question)
    assert abs(corpora.tokenizer.count(text) - 1000 - overhead(trial, corpora)) <= 2


@pytest.mark.parametrize(
    ("strategy", "count", "base", "wanted"),
    [
        ("uniform", 1, 0.3, (0.3,)),
        ("uniform", 2, 0.3, (0.05, 0.95)),
        ("uniform", 4, 0.3, (0.05, 0.35, 0.65, 0.95)),
        ("centered", 3, 0.5, (0.4, 0.5, 0.6)),
        ("centered", 3, 0.0, (0.0, 0.0, 0.1)),
        ("bookends", 2, 0.3, (0.05, 0.95)),
        ("bookends", 3, 0.3, (0.05, 0.5, 0.95)),
        ("bookends", 5, 0.3, (0.05, 0.15, 0.5, 0.85, 0.95)),
        ("bookends", 1, 0.3, (0.3,)),
    ],
)
def test_depths_follow_their_strategy(strategy: str, count: int, base: float, wanted: tuple[float, ...]) -> None:
    """The formulas of the methodology; a single needle stands at the base depth."""
    import random

    assert depths(strategy, count, base, 0.1, random.Random(1)) == pytest.approx(wanted)  # type: ignore[arg-type]


def test_random_depths_are_sorted_and_new_in_each_cell(corpora: Corpora) -> None:
    """Each cell draws its own, between 0.05 and 0.95."""
    found = [
        [
            needle.wanted
            for needle in make(Spec(task="m_rt", context_length=1500, depth=d, distribution="random"), corpora).needles
        ]
        for d in (0.1, 0.2)
    ]
    assert found[0] != found[1]
    assert all(row == sorted(row) and row[0] >= 0.05 and row[-1] <= 0.95 for row in found)

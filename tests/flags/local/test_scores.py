"""How surely answers differ: the measures, the blend, and the reply on equivalence."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict

import pytest

from flags import Case, LocalJudge, Tools, Verdict, discover, evaluate
from flags._equivalence import differs
from flags._fakes import WordEmbedder
from flags._local._claims import read
from flags._local._measure import Measures, measure
from flags._local._pairs import pair
from flags._local._score import FITTED, PRIOR, Blend
from flags._local._stock import Stock

MakeCase = Callable[..., Case]
Compare = Callable[..., Awaitable[Verdict]]


async def measured(reference: str, answer: str, question: str = "What is the limit?") -> Measures:
    return measure(await pair(read(reference), read(answer), WordEmbedder(), question), read(question), ())


@pytest.fixture
def compare(make_case: MakeCase) -> Compare:
    """The verdict on whether two answers differ."""

    async def make(reference: str, answer: str, question: str = "What is the limit?") -> Verdict:
        tools = Tools(judge=LocalJudge(WordEmbedder()), embedder=WordEmbedder())
        return await differs(make_case(reference, answer, question), tools)

    return make


def test_every_measure_has_a_weight_that_speaks_against_sameness() -> None:
    """A weight of the wrong sign would be a coincidence of the answers it was fitted on."""
    names = set(asdict(Measures(**dict.fromkeys(PRIOR, 0.0))))
    assert names == set(PRIOR) == set(FITTED)
    assert all(weight >= 0 for weight in FITTED.values())


def test_the_score_grows_with_each_measure() -> None:
    """Nothing speaks against: far below one half; everything does: far above."""
    none = Blend().score(Measures(**dict.fromkeys(PRIOR, 0.0)))
    for name in PRIOR:
        assert Blend().score(Measures(**{**dict.fromkeys(PRIOR, 0.0), name: 1.0})) > none
    assert none < 0.1
    assert Blend().score(Measures(**dict.fromkeys(PRIOR, 1.0))) > 0.9


@pytest.mark.parametrize(
    ("stem", "stems", "least", "most"),
    [
        ("insur", {"insur"}, 1.0, 1.0),
        ("insurer", {"insuranc"}, 0.8, 0.8),
        ("sicherung", {"hausratversicherung"}, 0.8, 0.8),
        ("hausratversicherung", {"hausrat"}, 0.8, 0.8),
        ("positive", {"posititve"}, 0.6, 0.9),
        ("fee", {"feet"}, 0.0, 0.0),
        ("contract", {"period"}, 0.0, 0.0),
        ("tax", set(), 0.0, 0.0),
    ],
)
def test_kindred_stems_count_for_less(stem: str, stems: set[str], least: float, most: float) -> None:
    """Compounds and misspellings are nearly the same word; short words are not guessed at."""
    assert least <= Stock(stems).has(stem) <= most


def test_a_share_of_few_words_says_little() -> None:
    """One word found is less than all of ten."""
    assert Stock({"fee"}).share([]) == 0.5
    assert 0.5 < Stock({"fee"}).share(["fee"]) < Stock({"a", "b", "c"}).share(["a", "b", "c"])


async def test_one_of_the_options_of_a_reference_is_enough() -> None:
    """A reference may list what else is accepted; a stroke within a sentence lists nothing."""
    answer = "The bill was passed in August after a long debate."
    assert (await measured("Spring of 1933 / August", answer)).lacking < (
        await measured("Spring of 1933", answer)
    ).lacking
    long = "The bill / act was passed by members of both houses after several amendments were discussed at length"
    assert (await measured(long, answer)).lacking > 0.3


@pytest.mark.parametrize(
    ("reference", "answer", "facts", "clash"),
    [
        ("1577.00", "Spending came to $1,577 million in that year.", 0.0, 0.0),
        ("8.7%", "It was 0.087 of the total.", 0.0, 0.0),
        ("24.26", "The ratio is about 24.3.", 0.0, 0.0),
        ("CHF 250", "The limit is CHF 300.", 1.0, 1.0),
        ("CHF 250", "There is one.", 1.0, 0.0),
        ("CHF 250 and CHF 400", "CHF 250 for one night.", 0.5, 0.0),
        ("No limit", "It is CHF 300.", 0.0, 0.0),
    ],
)
async def test_numbers_of_free_answers_may_be_rounded_and_scaled(
    reference: str, answer: str, facts: float, clash: float
) -> None:
    """A clash is another number where the reference's is missing."""
    found = await measured(reference, answer)
    assert (found.facts, found.clash) == (facts, clash)


async def test_yes_and_no_weigh_both_ways() -> None:
    """The same word speaks for the same answer."""
    polarity = [(await measured("Yes, it is.", answer)).polarity for answer in ("Yes.", "No.", "Perhaps.")]
    assert polarity == [-1.0, 1.0, 0.0]


SAME = [
    ("The fee is CHF 5 a month.", "The fee is 5 francs a month."),
    ("Zurich", "It was founded in Zurich, where the first branch opened."),
    ("Die Gebühr beträgt 5 Franken.", "Die Gebühr beläuft sich auf CHF 5."),
]
DIFFERENT = [
    ("The fee is CHF 5 a month.", "The fee is CHF 6 a month.", "CHF 6"),
    ("The fee is waived for students of the university.", "Pensioners get a discount on Mondays.", "waived"),
    ("The broker informs the insurer.", "The insurer informs the broker.", "insurer informs the broker"),
    ("Yes, guests may park here.", "No, parking is for staff.", "“No”"),
    ("Prämie", "Gebühr", "Prämie"),
    ("5", "A table", "5"),
]


@pytest.mark.parametrize(("reference", "answer"), SAME)
async def test_the_same_said_otherwise_is_equivalent(reference: str, answer: str, compare: Compare) -> None:
    """Wording, notation and detail are no difference."""
    verdict = await compare(reference, answer)
    assert (verdict.value, verdict.score < 0.5) == (False, True)


@pytest.mark.parametrize(("reference", "answer", "quote"), DIFFERENT)
async def test_what_differs_is_quoted(reference: str, answer: str, quote: str, compare: Compare) -> None:
    """A reason rests on words of the answers."""
    verdict = await compare(reference, answer)
    assert verdict.value is True
    assert verdict.score >= 0.5
    assert quote in verdict.reason


async def test_equivalence_needs_no_judge_for_identical_and_empty_answers(
    compare: Compare,
) -> None:
    """And there is none without a reference."""
    assert (await compare("The fee.", "The  fee.")).score == 0.0
    assert (await compare("The fee.", "[1]")).value is True
    assert (await compare("", "The fee.")).status == "skipped"


async def test_every_score_is_on_the_side_of_its_verdict(make_case: MakeCase) -> None:
    """Whoever sorts by score and whoever filters by TRUE see the same."""
    tools = Tools(judge=LocalJudge(WordEmbedder()), embedder=WordEmbedder())
    for reference, answer, _ in DIFFERENT:
        verdicts = await evaluate(make_case(reference, answer), discover(), tools)
        for name in ("contradiction", "extent", "relation"):
            verdict = verdicts[name]
            assert verdict.score is not None
            assert (verdict.score >= 0.5) is verdict.value


async def test_copies_are_known_as_such(make_case: MakeCase) -> None:
    """Their edits decide, and no weight is fitted to them."""
    judge = LocalJudge(WordEmbedder())
    copy = await judge.difference(make_case("The client signs the form in May.", "The client signs the form in June."))
    free = await judge.difference(make_case("The client signs the form in May.", "In June, says the bank."))
    assert (copy.is_copy, free.is_copy) == (True, False)
    assert copy.score >= 0.9

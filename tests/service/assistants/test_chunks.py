"""Documents into passages."""

from hypothesis import given
from hypothesis import strategies as st

from service.assistants._chunks import Passage, Sentence, passages_of
from service.assistants._markup import markdown
from service.assistants._pieces import Document, Piece


def passages(text: str) -> list[Passage]:
    """Return the passages of a Markdown text."""
    return list(passages_of(Document("handbook.md", "staff/handbook.md", tuple(markdown(text)))))


def test_a_passage_stands_under_the_headings_above_it() -> None:
    """So that “three months” is known to be about notice."""
    found = passages(
        "# Handbook\n\nIntro.\n\n## Notice\n\nThree months.\n\n### Trial\n\nOne week.\n\n## Leave\n\n28 days."
    )
    assert [(one.heading, one.text) for one in found] == [
        ("Handbook", "Intro."),
        ("Handbook – Notice", "Three months."),
        ("Handbook – Notice – Trial", "One week."),
        ("Handbook – Leave", "28 days."),
    ]


def test_a_heading_with_nothing_below_it_is_text() -> None:
    """What is written like a title may be all there is to say."""
    found = passages("# Handbook\n\n## Ask Anna Keller\n\n## Leave\n\n28 days.\n\n## The end")
    assert [(one.heading, one.text) for one in found] == [
        ("Handbook", "Ask Anna Keller"),
        ("Handbook – Leave", "28 days."),
        ("Handbook", "The end"),
    ]


def test_a_short_list_of_fragments_is_one_sentence_with_its_lead() -> None:
    """“passport” alone answers nothing."""
    [passage] = passages("You need:\n\n- a passport\n- a photo;\n- CHF 20")
    assert [one.text for one in passage.sentences] == ["You need: a passport; a photo; CHF 20."]
    [alone] = passages("- a passport\n- a photo")
    assert alone.text == "a passport; a photo."


def test_list_items_that_are_sentences_stand_alone() -> None:
    """Each of them can be an answer; a long list is not one sentence either."""
    [passage] = passages("Fees:\n\n- The fee is CHF 60.\n- Members under 25 pay half.")
    assert [one.text for one in passage.sentences] == ["Fees:", "The fee is CHF 60.", "Members under 25 pay half."]
    [long] = passages("You need:\n\n" + "\n".join(f"- thing number {at} of the long list" for at in range(20)))
    assert len(long.sentences) == 21


def test_a_table_row_is_one_sentence_whatever_stands_in_it() -> None:
    """Cells with full stops do not tear it."""
    [passage] = passages("| Who | What |\n|---|---|\n| Anna. B. | One. Two. |")
    assert [one.text for one in passage.sentences] == ["Who: Anna. B.; What: One. Two."]


@given(st.lists(st.integers(1, 400), min_size=1, max_size=30))
def test_passages_are_short_and_hold_every_sentence_once(lengths: list[int]) -> None:
    """A paragraph is torn only between sentences, and a sentence never."""
    texts = [f"S{at} {'x' * length}." for at, length in enumerate(lengths)]
    pieces = (Piece("text", " ".join(texts[:5])), *(Piece("text", text) for text in texts[5:]))
    found = list(passages_of(Document("d", "d", pieces)))
    assert [one.text for passage in found for one in passage.sentences] == texts
    assert all(len(passage.text) <= 900 or len(passage.sentences) == 1 for passage in found)


def test_a_passage_as_a_source_carries_its_pages_and_heading() -> None:
    """The judge of hallucination reads what stood above the sentence too."""
    passage = Passage(
        "a.pdf", "x/a.pdf", "Leave", "en", (Sentence("One.", 4), Sentence("Two.", 3), Sentence("Three.", 4))
    )
    source = passage.source
    assert (source.name, source.identity, source.pages, source.text) == (
        "a.pdf",
        "x/a.pdf",
        "3, 4",
        "Leave\nOne. Two. Three.",
    )
    assert Passage("a.md", "a.md", "", "de", (Sentence("Eins."),)).source.text == "Eins."


def test_the_language_is_that_of_the_document() -> None:
    """It decides how words are compared."""
    assert passages("# Ferien\n\nAlle Mitarbeitenden haben Anspruch auf 28 Tage im Jahr.")[0].language == "de"

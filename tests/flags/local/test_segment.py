"""Sentences in four languages."""

import pytest

from flags._local._segment import sentences

TEXTS = [
    ("Am 12. Juli kommt z. B. Herr Dr. Meier. Er zahlt ca. 5 Fr. pro Tag.", 2),
    ("Die Frist beträgt 30. Danach endet sie.", 2),
    ("Im 3. Quartal stieg der Gewinn. Im vierten nicht.", 2),
    ("Mr. Smith, i.e. the CEO, left. He was 3.5 years there! Really? Yes.", 4),
    ("See J. R. Smith for details. The answer is no. You must wait.", 3),
    ("M. Dupont habite à Genève. L'art. 5 al. 2 s'applique. C'est p. ex. le cas.", 3),
    ("Cfr. art. 3. Il sig. Rossi paga ecc. in contanti. Fine.", 3),
    ("“Is it?” (Yes.) He said… nothing. 好的。好", 5),
    ("One... Two", 2),
    ("first sentence. lower case goes on", 1),
    ("It ends (see above). Then it goes on.", 2),
]


@pytest.mark.parametrize(("text", "count"), TEXTS)
def test_full_stops_of_abbreviations_end_nothing(text: str, count: int) -> None:
    """Abbreviations, ordinals, initials and decimals go on; questions and quotations end."""
    found = sentences(text)
    assert len(found) == count
    assert " ".join(found).split() == text.replace("。", "。 ").split()


def test_lists_tables_and_emphasis_are_read_as_sentences() -> None:
    """Marks of markdown are no content; a table row is one sentence, a rule none."""
    text = "## Fees\n- **One** `item`\n2) two. And more.\n| a | b |\n|---|---|\n| 1 |  |\n\n---"
    assert sentences(text) == ("Fees", "One item", "two.", "And more.", "a – b", "1")


def test_long_texts_are_read_in_larger_pieces_and_never_cut() -> None:
    """At most 300 pieces, and every word is in one of them."""
    text = " ".join(f"Sentence {n}." for n in range(1000)) + " word" * 3000
    found = sentences(text)
    assert len(found) <= 300
    assert " ".join(found).split() == text.split()

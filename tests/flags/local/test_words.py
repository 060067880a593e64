"""Words, stems and the language they are of."""

import pytest

from flags._local._language import Language, language_of, shows
from flags._local._words import plain, stem, stems, unelided, words


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", "approve approved approves approving approval"),
        ("en", "fee fees"),
        ("de", "genehmigt genehmigen Genehmigung Genehmigungen"),
        ("de", "Haus Häuser Hause"),
        ("fr", "autorisé autorisée autorisées autorisation autoriser"),
        ("it", "autorizzato autorizzata autorizzare"),
    ],
)
def test_inflected_forms_share_a_stem(language: Language, forms: str) -> None:
    """Endings and accents are no difference."""
    assert len({stem(form.casefold(), language) for form in forms.split()}) == 1


def test_other_words_keep_their_stems() -> None:
    """Stripping must not make everything alike."""
    assert len({stem(word, "en") for word in ("notice", "period", "price", "premium", "contract", "contrary")}) == 6


def test_articles_and_contractions_are_not_words() -> None:
    """l', d', dell' and n't are set apart without changing the length of the text."""
    text = "L'accord d'hier, dell’anno; the bank's fees aren't due"
    assert len(unelided(text)) == len(text)
    assert words(text) == ["accord", "hier", "anno", "the", "bank", "fees", "are", "due"]
    assert list(stems(words("The 5 fees of X"), "en")) == ["fee"]
    assert plain("Größe") == "grosse"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The fee is due when the contract ends.", "en"),
        ("Die Gebühr ist fällig, wenn der Vertrag endet.", "de"),
        ("Les frais sont dus lorsque le contrat prend fin.", "fr"),
        ("La commissione è dovuta quando il contratto finisce.", "it"),
    ],
)
def test_common_words_show_the_language(text: str, language: Language) -> None:
    """A sentence is enough; without common words the language asked in is assumed."""
    assert language_of(words(text)) == language
    assert shows(words(text), language)
    assert language_of(["zürich"], language) == language
    assert not shows(["zürich"], language)

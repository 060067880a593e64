"""Facts that are compared exactly, in the notations of four languages."""

import pytest

from flags._local._extract import facts_of
from flags._local._facts import Clock, Day, Fact, Name, Quantity, found_in
from flags._local._language import Language

READ = [
    ("en", "The fee is CHF 1,200.50 or 2.5% of $3.2bn.", ["CHF 1,200.50", "2.5%", "$3.2bn"]),
    (
        "de",
        "Rund 5'000 Mitarbeitende, 1,2 Mio. CHF, drei Tage, 3–5 Tage",
        ["5'000", "1,2 Mio. CHF", "drei Tage", "3", "5 Tage"],
    ),
    ("fr", "1 234,56 € et 3 milliards d'euros", ["1 234,56 €", "3 milliards d'euros"]),
    ("it", "1'234 franchi, due giorni, un anno, una cosa", ["1'234 franchi", "due giorni", "un anno"]),
    ("en", "the 2nd of 12 x 3, 5kg, 24h, 5-day, in CHF500", ["2", "12", "3", "5kg", "24h", "5-day", "CHF500"]),
    (
        "en",
        "From 12 July 2024 to July 14, 2024, 3/4/24 or 2024-07-12",
        ["12 July 2024", "July 14, 2024", "3/4/24", "2024-07-12"],
    ),
    (
        "de",
        "am 1.2. und 31.12.2023, im Mai 2023, 2022, 99/99/2020",
        ["am 1.2.", "31.12.2023", "Mai 2023", "2022", "99", "99", "2020"],
    ),
    ("en", "2000 CHF, CHF 2024 and 2000 employees", ["2000 CHF", "CHF 2024", "2000"]),
    ("en", "9:00 to 5 pm, 9-17 Uhr, 14h30, 25:00", ["9:00", "5 pm", "9-", "17 Uhr", "14h30", "25", "00"]),
    ("it", "alle 15 e alle ore 9.30", ["alle 15", "ore 9.30"]),
    ("en", "see a.b@x.ch, https://x.ch/y. or +41 44 123 45 67", ["a.b@x.ch", "https://x.ch/y", "+41 44 123 45 67"]),
    ("en", "on form XK-7 of ISO27001 v1.2.3", ["XK-7", "ISO27001", "v1.2.3"]),
    ("en", "We asked UBS in Geneva and the Bank of England.", ["UBS", "Geneva", "Bank of England"]),
    ("de", "Dort hilft Frau Anna Keller der Abteilung.", ["Anna Keller"]),
    ("fr", "Le siège du Crédit Agricole est à Lyon, en Mai.", ["Crédit Agricole", "Lyon"]),
    ("en", "Q3, 3Q, the third quarter, 3. Quartal, the whole quarter", ["Q3", "3Q", "third quarter", "3. Quartal"]),
    ("en", "$5m for 5 m and 5M, 7xyz, McAdam of O'Neill", ["$5m", "5 m", "5M", "7xyz", "McAdam of O'Neill"]),
    ("en", "THE LIMIT OF ZURICH", []),
    ("en", "Fees And Charges In Zurich", []),
    ("en", "Zurich is nice", []),
]


@pytest.mark.parametrize(("language", "text", "said"), READ)
def test_facts_are_found_with_their_words(language: Language, text: str, said: list[str]) -> None:
    """Each place of the text belongs to one fact, and the fact quotes it."""
    assert [fact.text for fact in facts_of(text, language)] == said
    assert all(text[fact.start :].startswith(fact.text) for fact in facts_of(text, language))


SAME = [
    ("en", "1,234.56", "de", "1.234,56"),
    ("en", "1,234,567", "it", "1'234'567"),
    ("en", "1 234.5", "fr", "1 234,5"),
    ("en", "CHF 1,200", "de", "1'200 Franken"),
    ("en", "1.2 million", "de", "1,2 Mio."),
    ("en", "EUR 3bn", "fr", "3 milliards d'euros"),
    ("en", "25%", "de", "25 Prozent"),
    ("en", "50 bps", "en", "0.5 percent"),
    ("en", "three days", "it", "3 giorni"),
    ("en", "24 hours", "de", "1 Tag"),
    ("en", "one year", "fr", "12 mois"),
    ("en", "500", "de", "CHF 500"),
    ("en", "-5%", "en", "5%"),
    ("en", "12 July 2024", "de", "12.07.2024"),
    ("en", "July 12, 2024", "fr", "le 12 juillet 2024"),
    ("en", "03/04/2024", "de", "3. April 2024"),
    ("en", "03/04/2024", "en", "March 4, 2024"),
    ("en", "July 2024", "it", "12 luglio 2024"),
    ("en", "2024", "en", "12 July 2024"),
    ("en", "12.7.99", "en", "12 July 1999"),
    ("en", "in 2000", "de", "2'000"),
    ("en", "2'000", "de", "im Jahr 2000"),
    ("en", "5 pm", "de", "17 Uhr"),
    ("en", "9.30 Uhr", "fr", "9h30"),
    ("en", "12 am", "en", "0:00"),
    ("en", "at the Bank of England", "en", "our Bank England"),
    ("en", "at UBS", "en", "we asked the Union Bank Switzerland twice"),
    ("en", "on form XK-7", "en", "on form XK7"),
    ("en", "call +41 44 123 45 67", "en", "call +41 (44) 123 45 67"),
    ("en", "Q3", "fr", "troisième trimestre"),
]

OTHER = [
    ("en", "1,234.56", "en", "1,234.65"),
    ("en", "CHF 500", "en", "EUR 500"),
    ("en", "30 days", "en", "30 hours"),
    ("en", "5%", "en", "6%"),
    ("en", "+5%", "en", "-5%"),
    ("en", "12 July 2024", "en", "12 July 2023"),
    ("en", "12 July", "en", "12 June"),
    ("en", "9 am", "en", "9 pm"),
    ("en", "in Geneva", "en", "in Zurich"),
    ("en", "Q3", "en", "Q4"),
    ("en", "5 kg", "en", "at 5:00"),
    ("en", "in 2000", "en", "in Rome"),
    ("en", "at 5:00", "en", "in Rome"),
    ("en", "in Rome", "en", "12"),
]


def fact(text: str, language: Language) -> Fact:
    """Return the one fact of a text."""
    (found,) = facts_of(text, language)
    return found


@pytest.mark.parametrize(("language", "one", "other_language", "other"), SAME)
def test_another_notation_is_the_same_fact(language: Language, one: str, other_language: Language, other: str) -> None:
    """Separators, scales, units, order and language of a notation are no difference."""
    assert found_in(fact(one, language), [fact(other, other_language)], exact=True)
    assert found_in(fact(other, other_language), [fact(one, language)], exact=True)


@pytest.mark.parametrize(("language", "one", "other_language", "other"), OTHER)
def test_another_value_is_another_fact(language: Language, one: str, other_language: Language, other: str) -> None:
    """Also when rounding is allowed."""
    assert not found_in(fact(one, language), [fact(other, other_language)])
    assert not found_in(fact(other, other_language), [fact(one, language)])


@pytest.mark.parametrize(
    ("one", "other"),
    [("1.2 million", "1,234,567"), ("about 5,000", "4,950"), ("CHF 12.35", "CHF 12.3"), ("7.25%", "7.3%")],
)
def test_rounding_is_allowed_only_where_it_is_asked_for(one: str, other: str) -> None:
    """Free answers round, copies do not."""
    assert fact(one, "en").matches(fact(other, "en"), exact=False)
    assert not fact(one, "en").matches(fact(other, "en"), exact=True)


@pytest.mark.parametrize(
    ("one", "other", "rivals"),
    [
        ("CHF 5", "EUR 6", True),
        ("30 days", "2 months", True),
        ("5 %", "5 kg", False),
        ("12 July", "2024", False),
        ("12 July", "1 August 2024", True),
        ("at 5:00", "at 6:00", True),
        ("in Rome", "in Geneva", True),
        ("5", "in Rome", False),
        ("in 2024", "5", False),
    ],
)
def test_only_facts_of_one_sort_stand_in_each_others_place(one: str, other: str, rivals: bool) -> None:
    """A date does not contradict a price."""
    assert fact(one, "en").rivals(fact(other, "en")) is rivals


def test_equal_facts_share_a_key() -> None:
    """Long texts are searched by key first."""
    for one, other in [("12 July 2024", "12.07.2024"), ("CHF 5.0", "Fr. 5"), ("17:00", "5 pm"), ("in Rome", "to Rome")]:
        assert not fact(one, "en").keys.isdisjoint(fact(other, "en").keys)
    assert {type(fact(text, "en")) for text in ("5", "2024", "5:00", "in Rome")} == {Quantity, Day, Clock, Name}

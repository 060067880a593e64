"""Every digit counts: a number changed in a copy, or inside a longer answer, in the formats of four languages."""

import re
from collections.abc import Awaitable, Callable, Iterator

import pytest

from flags import Verdict

JudgeLocally = Callable[..., Awaitable[dict[str, Verdict]]]

SENTENCES = [
    ("en", "Net revenue was $1,577 million in fiscal 2018, up 4.5% from the prior year."),
    ("en", "The bank holds 12,450 branches and employs 31,200 people."),
    ("en", "Claims must be reported within 14 days; later claims are reduced by 20%."),
    ("en", "The interest rate is 3.25% for loans above CHF 500'000."),
    ("en", "The premium rises from $120 to $135 a month."),
    ("en", "Between 40 and 60 guests attended the meeting at 9:30."),
    ("en", "The fund was launched on 3 March 2011 with EUR 25m."),
    ("en", "Earnings per share came to $0.86, compared with $0.91."),
    ("en", "The contract lasts five years and can be extended twice by two years."),
    ("en", "About one third of the 90 members voted."),
    ("de", "Die Jahresprämie beträgt 1'250.50 Franken bei einer Franchise von 300 Franken."),
    ("de", "Der Umsatz stieg um 7,8 % auf 2,4 Mrd. Euro."),
    ("de", "Die Frist läuft am 30. Juni 2025 ab, danach sind 5 % Verzugszins fällig."),
    ("de", "Das Unternehmen beschäftigt 3.400 Mitarbeitende in 12 Ländern."),
    ("de", "Die Kündigungsfrist beträgt drei Monate, in der Probezeit sieben Tage."),
    ("fr", "La prime mensuelle est de 85,40 euros et la franchise de 500 euros."),
    ("fr", "Le délai de recours est de 30 jours dès le 15 janvier 2024."),
    ("fr", "Le chiffre d'affaires a atteint 1 250 millions, soit 3,5 % de plus."),
    ("fr", "Le contrat dure trois ans et se renouvelle pour deux ans."),
    ("it", "Il canone annuo è di 1.200,50 euro con uno sconto del 10 %."),
    ("it", "Il termine scade il 31 marzo 2026, dopo 45 giorni."),
    ("it", "La banca ha 85 filiali e 1'400 dipendenti."),
]
SPELLED = {"five": "four", "two": "three", "drei": "vier", "sieben": "acht", "trois": "quatre", "deux": "trois"}
INSIDE = {
    "en": "According to the documents, the following applies: {} This has been so for some time.",
    "de": "Gemäss den Unterlagen gilt Folgendes: {} Das ist seit Längerem so.",
    "fr": "Selon les documents : {} Il en est ainsi depuis longtemps.",
    "it": "Secondo i documenti vale quanto segue: {} È così da tempo.",
}


def changed(sentence: str) -> Iterator[str]:
    """Yield the sentence with the first and with the last digit of each number, or a number word, changed."""
    for match in re.finditer(r"\d+", sentence):
        for place in {match.start(), match.end() - 1}:
            digit = str((int(sentence[place]) + 2) % 9 + 1)
            if digit != sentence[place]:
                yield f"{sentence[:place]}{digit}{sentence[place + 1 :]}"
    for word, other in SPELLED.items():
        if f" {word} " in sentence:
            yield sentence.replace(f" {word} ", f" {other} ", 1)


@pytest.mark.parametrize(("language", "sentence"), SENTENCES)
async def test_no_changed_number_is_missed(language: str, sentence: str, judge_locally: JudgeLocally) -> None:
    """In a copy the rule is exact; among other sentences the number must still be found in its place."""
    for other in changed(sentence):
        for answer in (other, INSIDE[language].format(other)):
            assert (await judge_locally(sentence, answer, "?"))["contradiction"].value is True, answer


@pytest.mark.parametrize(("language", "sentence"), SENTENCES)
async def test_unchanged_numbers_raise_no_alarm(language: str, sentence: str, judge_locally: JudgeLocally) -> None:
    """Whatever stands around them."""
    verdict = (await judge_locally(sentence, INSIDE[language].format(sentence), "?"))["contradiction"]
    assert verdict.value is False

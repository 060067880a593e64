"""What was changed in a copy: the rules that tell another meaning from another wording, in four languages."""

import pytest

from flags._local._claims import read
from flags._local._copies import changes
from flags._local._language import Language
from flags._local._pairs import pair

CHANGED: list[tuple[Language, str, str]] = [
    # numbers, units, ranks, dates, codes
    ("en", "The card fee is 45 francs a year for adults.", "The card fee is 54 francs a year for adults."),
    (
        "en",
        "Growth came to 4.5% in the third quarter of the year.",
        "Growth came to 4.5% in the second quarter of the year.",
    ),
    ("en", "Complaints are answered within 10 days of receipt.", "Complaints are answered within 10 weeks of receipt."),
    ("en", "Form B-12 must be sent to the branch office.", "Form B-21 must be sent to the branch office."),
    ("en", "The fund was opened on 3 March 2011 in Bern.", "The fund was opened on 3 March 2911 in Bern."),
    (
        "fr",
        "Le bail dure trois ans, renouvelable pour deux ans.",
        "Le bail dure trois ans, renouvelable pour trois ans.",
    ),
    ("de", "Die Kartengebühr beträgt 45 Franken pro Jahr.", "Die Kartengebühr beträgt 54 Franken pro Jahr."),
    ("de", "Die Police läuft bis zum 31. März 2026 weiter.", "Die Police läuft bis zum 31. Mai 2026 weiter."),
    ("de", "Der Zins steigt ab dem zweiten Jahr.", "Der Zins steigt ab dem dritten Jahr."),
    (
        "fr",
        "La franchise annuelle est de 300 francs par personne.",
        "La franchise annuelle est de 500 francs par personne.",
    ),
    ("fr", "La prime est due le premier jour du mois.", "La prime est due le deuxième jour du mois."),
    ("it", "La franchigia annua è di 300 franchi a persona.", "La franchigia annua è di 500 franchi a persona."),
    ("it", "Il premio scade il 15 giugno 2025 a mezzogiorno.", "Il premio scade il 15 luglio 2025 a mezzogiorno."),
    # opposites, and what turns a word round
    (
        "en",
        "Rates are expected to climb and margins to increase.",
        "Rates are expected to climb and margins to decrease.",
    ),
    ("en", "The deductible is high for young drivers.", "The deductible is low for young drivers."),
    ("en", "The figures include adjusted items of the group.", "The figures include unadjusted items of the group."),
    ("en", "All branches close at noon on Fridays.", "Some branches close at noon on Fridays."),
    ("en", "The lessor pays for repairs of the roof.", "The lessee pays for repairs of the roof."),
    ("en", "Results were better than in the prior quarter.", "Results were better than in the next quarter."),
    ("de", "Die Prämie ist hoch für junge Lenker.", "Die Prämie ist niedrig für junge Lenker."),
    ("de", "Der Vermieter bezahlt die Reparatur des Dachs.", "Der Mieter bezahlt die Reparatur des Dachs."),
    ("de", "Alle Filialen schliessen am Freitag um zwölf.", "Einige Filialen schliessen am Freitag um zwölf."),
    ("fr", "Toutes les agences ferment le vendredi à midi.", "Certaines agences ferment le vendredi à midi."),
    ("fr", "Le bailleur paie la réparation du toit.", "Le locataire paie la réparation du toit."),
    ("it", "Tutte le filiali chiudono il venerdì a mezzogiorno.", "Alcune filiali chiudono il venerdì a mezzogiorno."),
    ("it", "Il debitore firma il contratto presso la banca.", "Il creditore firma il contratto presso la banca."),
    # negations and what narrows
    ("en", "The policy covers water damage in the cellar.", "The policy never covers water damage in the cellar."),
    ("en", "The loan is fully secured by the house.", "The loan is only partly secured by the house."),
    ("de", "Die Police deckt Wasserschäden im Keller.", "Die Police deckt nie Wasserschäden im Keller."),
    ("de", "Sie haften für den Schaden am Fahrzeug.", "Sie haften kaum für den Schaden am Fahrzeug."),
    ("fr", "La police couvre les dégâts d'eau à la cave.", "La police ne couvre pas les dégâts d'eau à la cave."),
    ("it", "La polizza copre i danni d'acqua in cantina.", "La polizza non copre i danni d'acqua in cantina."),
    # roles and junctions
    ("en", "The broker informs the insurer in writing.", "The insurer informs the broker in writing."),
    ("de", "Der Makler informiert den Versicherer schriftlich.", "Der Versicherer informiert den Makler schriftlich."),
    ("fr", "Le courtier informe l'assureur par écrit.", "L'assureur informe le courtier par écrit."),
    ("it", "Il broker informa la cassa per iscritto.", "La cassa informa il broker per iscritto."),
    ("en", "Bring a passport and an identity card.", "Bring a passport or an identity card."),
    ("de", "Bringen Sie einen Pass und einen Ausweis mit.", "Bringen Sie einen Pass oder einen Ausweis mit."),
]

KEPT: list[tuple[Language, str, str]] = [
    ("en", "The group reported revenue of $2,500 in May.", "The group announced revenue of $2'500 in May."),
    ("en", "Costs rose by 5% because of higher wages.", "Costs increased by 5% due to higher wages."),
    ("en", "Approval is mandatory for trips abroad.", "Approval is not optional for trips abroad."),
    ("en", "Bring a passport and a map of the city.", "Bring a map and a passport of the city."),
    ("en", "Bring tea, milk, sugar to the meeting.", "Bring sugar, milk, tea to the meeting."),
    ("en", "The fee is due in the month of May.", "In the month of May the fee is due."),
    ("en", "The firm expects stable margins this year.", "The firm forecasts stable margins this year."),
    (
        "de",
        "Die Gruppe meldete einen Umsatz von 2'500 Franken.",
        "Die Gruppe verzeichnete einen Umsatz von 2500 Franken.",
    ),
    ("de", "Die Frist endet am 12. Juli 2024 um Mitternacht.", "Die Frist endet am 12.07.2024 um Mitternacht."),
    ("fr", "Le groupe annonce un revenu de 2 500 francs.", "Le groupe publie un revenu de 2'500 francs."),
    ("it", "Il gruppo annuncia ricavi per 2.500 franchi.", "Il gruppo comunica ricavi per 2'500 franchi."),
    (
        "en",
        "The tenant returns the keys of the flat to the owner in May.",
        "The tenant returns the keys of the flat, without having to paint any of the rooms again, to the owner in May.",
    ),
    ("en", "Customers reported the loss quickly.", "Customer reports the loss quickly."),
    ("en", "Two. Three words here.", "Four. Words of five."),
]


async def strongest(language: Language, one: str, other: str) -> float:
    found = changes(await pair(read(one, language), read(other, language)))
    return found.strongest.strength if found.strongest else 0.0


@pytest.mark.parametrize(("language", "one", "other"), CHANGED)
async def test_an_edit_that_changes_the_meaning_is_told_from_style(language: Language, one: str, other: str) -> None:
    """Whichever of both sentences is the reference."""
    assert await strongest(language, one, other) >= 0.6
    assert await strongest(language, other, one) >= 0.6


@pytest.mark.parametrize(("language", "one", "other"), KEPT)
async def test_another_wording_of_a_copy_is_style(language: Language, one: str, other: str) -> None:
    """Synonyms, notations, moved words and lists in another order change nothing."""
    assert await strongest(language, one, other) < 0.5


async def test_a_word_the_text_uses_for_something_else_says_something_else() -> None:
    """Who rephrases looks for another word."""
    one, other = "The client signs. The adviser checks the form.", "The client signs. The client checks the form."
    assert await strongest("en", one, other) >= 0.6
    assert await strongest("en", "Costs increase. Prices grow in May.", "Costs increase. Prices increase in May.") < 0.5


async def test_edits_are_quoted_with_the_words_around_an_insertion() -> None:
    """A reason that quotes nothing cannot be checked."""
    found = changes(await pair(read("The policy covers water damage."), read("The policy never covers water damage.")))
    assert found.strongest is not None
    assert (found.strongest.one, found.strongest.other) == ("The policy covers water", "never")
    assert found.copied == 1.0


async def test_other_sentences_are_no_copies() -> None:
    """Their differences are weighed by the other rules."""
    found = changes(await pair(read("The fee is due in May."), read("Nobody knows what the weather will be like.")))
    assert (found.copied, found.strongest) == (0.0, None)

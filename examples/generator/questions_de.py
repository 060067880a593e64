"""The rows of the space Personalhandbuch, in German."""

from examples.generator.row import STAFF, Row, flags
from examples.generator.world import MONTHS_DE, World

HOLIDAYS, HOURS, REMOTE = "ferien.docx", "arbeitszeit.txt", "homeoffice.html"
EXPENSES, TRAINING, SECURITY = "spesen.md", "weiterbildung.txt", "it-sicherheit.pdf"

NO_MODULES = flags("module")
"""This space has none."""


def rows(w: World) -> tuple[Row, ...]:
    """Return the questions to the Personalhandbuch."""
    return (*_unchanged(w), *_drifted(w))


def _unchanged(w: World) -> tuple[Row, ...]:
    return (
        Row(
            space=STAFF,
            why="rephrased",
            question="Wie viele Ferientage haben Mitarbeitende pro Jahr?",
            reference=f"Pro Jahr stehen allen Mitarbeitenden {w.vacation_days} Ferientage zu.",
            sources=(HOLIDAYS,),
            empty=NO_MODULES,
        ),
        Row(
            space=STAFF,
            why="the same amount in another notation",
            question="Bis zu welchem Betrag wird ein Mittagessen auf Dienstreisen vergütet?",
            reference=f"Auf Dienstreisen wird ein Mittagessen mit maximal {w.lunch} Franken vergütet.",
            sources=(f"{EXPENSES} : S. 1",),
            empty=NO_MODULES,
        ),
        Row(
            space=STAFF,
            why="the same list in another order",
            question="Was gehört zur Spesenabrechnung?",
            reference="Zur Spesenabrechnung gehören die Originalbelege und das Formular.",
            sources=(EXPENSES,),
            empty=NO_MODULES,
        ),
        Row(
            space=STAFF,
            why="two sentences in the other order",
            question="Welche Regeln gelten für Passwörter?",
            reference=(
                f"Passwörter dürfen nicht weitergegeben werden. Sie müssen mindestens {w.password} Zeichen lang sein."
            ),
            sources=(SECURITY,),
            empty=NO_MODULES,
        ),
    )


def _drifted(w: World) -> tuple[Row, ...]:
    before = f"{w.carry_before.day}. {MONTHS_DE[w.carry_before.month - 1]}"
    return (
        Row(
            space=STAFF,
            why="a changed date; the benchmark answer was marked wrong, so this may be an improvement",
            correct=False,
            question="Bis wann müssen nicht bezogene Ferientage bezogen werden?",
            reference=f"Nicht bezogene Ferientage müssen bis zum {before} des Folgejahres bezogen werden.",
            sources=(HOLIDAYS,),
            empty=NO_MODULES,
            true=flags("contradiction final"),
        ),
        Row(
            space=STAFF,
            why="a negation: it was allowed",
            question="Ist Homeoffice im Ausland erlaubt?",
            reference="Ja, Homeoffice im Ausland ist erlaubt.",
            sources=(REMOTE,),
            empty=NO_MODULES,
            true=flags("contradiction final"),
        ),
        Row(
            space=STAFF,
            why="a missing source: the circular letter is not used any more",
            question="Wie werden Bahnreisen vergütet?",
            reference="Für Bahnreisen wird die zweite Klasse vergütet.",
            sources=(EXPENSES, "Rundschreiben-2025-04.pdf : 1"),
            empty=NO_MODULES,
            true=flags("source final"),
        ),
        Row(
            space=STAFF,
            why="a missing part: two further conditions are gone",
            question="Unter welchen Bedingungen muss der Beitrag an eine Weiterbildung zurückgezahlt werden?",
            reference=(
                f"Wer innerhalb von {w.training_years} Jahren nach der Weiterbildung kündigt, zahlt den Beitrag "
                "zurück. Wer die Abschlussprüfung nicht besteht, zahlt 40 Prozent zurück, und wer den Kurs abbricht, "
                "den ganzen Betrag innerhalb von 60 Tagen."
            ),
            sources=(TRAINING,),
            empty=NO_MODULES,
            true=flags("extent final"),
        ),
        Row(
            space=STAFF,
            why="a refusal: nothing about a day nursery is in the documents any more",
            question="Gibt es einen Betriebskindergarten?",
            reference="Ja, im Betriebskindergarten werden Kinder ab einem Jahr betreut.",
            true=flags("embedding extent relation final"),
            empty=flags("source module"),
        ),
    )

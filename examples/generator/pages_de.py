"""The documents of the space Personalhandbuch, in German."""

from examples.generator.page import Page, Section
from examples.generator.world import MONTHS_DE, World


def pages(w: World) -> tuple[Page, ...]:
    """Return the pages of the Personalhandbuch as they read today."""
    return (_holidays(w), _hours(w), _remote(w), _expenses(w), _training(w), _security(w))


def _holidays(w: World) -> Page:
    carry = f"{w.carry.day}. {MONTHS_DE[w.carry.month - 1]}"
    return Page(
        "personalhandbuch/ferien.docx",
        "Ferien und Abwesenheiten",
        (
            Section(
                "Ferienanspruch",
                (
                    f"Alle Mitarbeitenden haben Anspruch auf {w.vacation_days} Ferientage pro Jahr.",
                    f"Nicht bezogene Ferientage müssen bis zum {carry} des Folgejahres bezogen werden.",
                    "Ferien werden mindestens vier Wochen im Voraus mit der Teamleitung abgesprochen.",
                ),
            ),
            Section(
                "Elternzeit",
                (
                    f"Der Vaterschaftsurlaub dauert {w.parent_weeks} Wochen.",
                    "Bei einem Umzug wird ein freier Tag gewährt.",
                ),
            ),
            Section(
                "Krankheit",
                (
                    "Wer krank wird, meldet sich am ersten Tag bis 9 Uhr bei der Teamleitung.",
                    "Ein Arztzeugnis ist ab dem vierten Tag nötig.",
                ),
            ),
        ),
    )


def _hours(w: World) -> Page:
    return Page(
        "personalhandbuch/arbeitszeit.txt",
        "Arbeitszeit",
        (
            Section(
                "Wochenarbeitszeit",
                (
                    f"Die wöchentliche Arbeitszeit beträgt {w.week_hours} Stunden bei einem vollen Pensum.",
                    "Die Blockzeiten dauern von 9 bis 11 Uhr und von 14 bis 16 Uhr.",
                ),
            ),
            Section(
                "Überstunden",
                (
                    "Überstunden werden durch Freizeit ausgeglichen.",
                    "Samstagsarbeit braucht eine schriftliche Bewilligung.",
                ),
            ),
            Section(
                "Zeiterfassung",
                (
                    "Die Stunden werden täglich im Zeitsystem erfasst.",
                    "Korrekturen nimmt die Teamleitung bis zum Monatsende vor.",
                ),
            ),
        ),
    )


def _remote(w: World) -> Page:
    return Page(
        "personalhandbuch/homeoffice.html",
        "Homeoffice",
        (
            Section(
                "Umfang",
                (
                    f"Homeoffice ist an {w.remote_days} Tagen pro Woche möglich.",
                    "Homeoffice im Ausland ist nicht erlaubt.",
                    "Den Bildschirm für das Homeoffice stellt die Firma zur Verfügung.",
                ),
            ),
            Section(
                "Arbeitsplatz zu Hause",
                (
                    "Der Arbeitsplatz muss ruhig und abschliessbar sein.",
                    "Vertrauliche Akten bleiben im Büro.",
                ),
            ),
        ),
    )


def _expenses(w: World) -> Page:
    return Page(
        "personalhandbuch/spesen.md",
        "Spesen",
        (
            Section(
                "Verpflegung und Reisen",
                (
                    f"Ein Mittagessen auf Dienstreisen wird mit höchstens CHF {w.lunch}.00 vergütet.",
                    f"Für Fahrten mit dem eigenen Auto werden {w.car_rate} Rappen pro Kilometer bezahlt.",
                    "Bahnreisen werden in der zweiten Klasse vergütet.",
                ),
            ),
            Section(
                "Abrechnung",
                (
                    f"Spesen über CHF {w.expense_limit} müssen vorher von {w.head_of_staff} bewilligt werden.",
                    "Zur Spesenabrechnung gehören das Formular und die Originalbelege.",
                ),
            ),
        ),
    )


def _training(w: World) -> Page:
    return Page(
        "personalhandbuch/weiterbildung.txt",
        "Weiterbildung",
        (
            Section(
                "Kosten",
                (
                    f"{w.company} übernimmt {w.training_share} Prozent der Kosten einer Weiterbildung.",
                    (
                        f"Wer innerhalb von {w.training_years} Jahren nach der Weiterbildung kündigt, "
                        "zahlt den Beitrag zurück."
                    ),
                ),
            ),
            Section("Sprachkurse", ("Sprachkurse finden während der Arbeitszeit statt.",)),
            Section(
                "Bibliothek",
                (
                    "Fachbücher werden in der Bibliothek im dritten Stock ausgeliehen.",
                    "Zeitschriften liegen im Pausenraum auf.",
                ),
            ),
        ),
    )


def _security(w: World) -> Page:
    return Page(
        "personalhandbuch/it-sicherheit.pdf",
        "IT-Sicherheit",
        (
            Section(
                "Passwörter",
                (
                    f"Ein Passwort muss mindestens {w.password} Zeichen lang sein.",
                    "Passwörter dürfen nicht weitergegeben werden.",
                ),
            ),
            Section(
                "Geräte",
                (
                    "Der Verlust eines Notebooks wird sofort dem Helpdesk gemeldet.",
                    "Private USB-Sticks dürfen nicht angeschlossen werden.",
                ),
            ),
        ),
    )

"""The table of columns A–AB: the only place that knows their letters, headers, meanings and other names.

Headers are matched by `normalise`d name; `aliases` lists what English, German, French and Italian speakers write
instead. The template, the reader, the writer and the documentation are made from this table.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

FilledBy = Literal["person", "run"]
Kind = Literal["text", "yes/no", "sources", "names", "true/false", "number", "json"]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of the benchmark sheet.

    `width` is in characters, `verdict` names the flag and the part of its verdict (`value`, `reason` or `score`)
    that is written here.
    """

    letter: str
    header: str
    filled_by: FilledBy
    kind: Kind
    width: int
    note: str
    aliases: tuple[str, ...] = ()
    verdict: tuple[str, str] = ("", "")

    @property
    def index(self) -> int:
        """Return the column's number in the template, counted from 1."""
        return column_index(self.letter)


_LANGUAGE: Final = re.compile(r"\s*[(\[](?:de|en|fr|it)[)\]]\s*$", re.IGNORECASE)


def normalise(header: str) -> str:
    """Return a header as it is compared: letters and digits only, without case, accents or invisible characters.

    A language in brackets at its end, as in “Fragen (DE)”, says nothing about the column.
    """
    spread = unicodedata.normalize("NFKD", _LANGUAGE.sub("", header)).casefold()
    return "".join(letter for letter in spread if letter.isalnum())


def column_index(letter: str) -> int:
    """Return the number of a column, counted from 1: A → 1, AB → 28."""
    index = 0
    for character in letter:
        index = index * 26 + ord(character) - 64
    return index


def column_letter(index: int) -> str:
    """Return the letter of a column number counted from 1: 28 → AB."""
    letters = ""
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _column(place: str, kind: Kind, width: int, note: str, aliases: str = "") -> Column:
    letter, header = place.split()
    return Column(
        letter=letter,
        header=header,
        filled_by="run" if letter in "JKLMN" else "person",
        kind=kind,
        width=width,
        note=note,
        aliases=tuple(name.strip() for name in aliases.split(",") if name.strip()),
    )


def _verdict(place: str, verdict: str, note: str) -> Column:
    letter, header = place.split()
    flag, part = verdict.split(".")
    kind: Kind = {"value": "true/false", "score": "number", "reason": "text"}[part]  # type: ignore[assignment]
    width = 14 if part != "reason" else 40
    return Column(
        letter=letter, header=header, filled_by="run", kind=kind, width=width, note=note, verdict=(flag, part)
    )


COLUMNS: Final[tuple[Column, ...]] = (
    _column(
        "A id",
        "text",
        8,
        "A number in ascending order. It helps you to find a question again; it is kept as you wrote it.",
        "nr, no, n°, number, num, nummer, laufnummer, lfd. nr., numéro, numero, question id, question no",
    ),
    _column(
        "B Question",
        "text",
        50,
        "The question that is put to the assistant. A row without a question is skipped.",
        "questions, question text, frage, fragen, fragestellung, fragetext, question posée, questions posées, domanda, "
        "domande, quesito, quesiti, domanda posta",
    ),
    _column(
        "C Assistant",
        "text",
        20,
        "The name of the assistant (the space) that is asked, written as in the list of spaces.",
        "assistants, assistant name, space, spaces, space name, assistent, assistentin, assistenten, "
        "name des assistenten, bereich, bereiche, espace, espaces, assistante, nom de l'assistant, nom de l'espace, "
        "assistente, nome dell'assistente, spazio, spazi",
    ),
    _column(
        "D correct_benchmark",
        "yes/no",
        12,
        "yes or no: was the benchmark answer in column E correct? Write no when there is none yet (first run).",
        "correct, indicator, reference exists, benchmark correct, korrekt, richtig, indikator, referenz vorhanden, "
        "benchmark korrekt, correcte, indicateur, référence existe, référence correcte, corretto, indicatore, "
        "referenz korrekt, referenz richtig, riferimento presente, riferimento corretto",
    ),
    _column(
        "E answer_benchmark",
        "text",
        60,
        "The answer that was accepted last time. The new answer is compared with it. Leave it empty in a first run.",
        "benchmark answer, reference answer, expected answer, correct answer, reference, ground truth, referenz, "
        "referenzantwort, erwartete antwort, musterantwort, sollantwort, richtige antwort, benchmark antwort, "
        "référence, réponse de référence, réponse attendue, bonne réponse, riferimento, "
        "risposta di riferimento, risposta attesa",
    ),
    _column(
        "F sources_used_benchmark",
        "sources",
        30,
        "The documents the benchmark answer rests on, one a line. Optional.",
        "sources_benchmark, benchmark sources, reference sources, expected sources, referenzquellen, "
        "erwartete quellen, benchmark quellen, quellen benchmark, sources de référence, sources attendues, "
        "fonti di riferimento, fonti attese",
    ),
    _column(
        "G modules_benchmark",
        "names",
        18,
        "The modules the assistant chose for the benchmark answer. Filled when you adopt a run.",
        "module_benchmark, reference modules, referenzmodule, modules de référence, moduli di riferimento",
    ),
    _column(
        "H followup_benchmark",
        "true/false",
        12,
        "TRUE if the assistant took the question for a follow-up question. Filled when you adopt a run.",
        "follow-up benchmark, reference followup",
    ),
    _column(
        "I chatMessages_benchmark",
        "json",
        18,
        "Technical record of the benchmark answer. Filled when you adopt a run.",
        "messages_benchmark, chat_benchmark",
    ),
    _column(
        "J answer",
        "text",
        60,
        "The new answer. Filled by the run.",
        "new answer, antwort, neue antwort, réponse, nouvelle réponse, risposta, nuova risposta",
    ),
    _column(
        "K Sources",
        "sources",
        30,
        "The documents the new answer rests on, one a line. Filled by the run.",
        "sources used, new sources, quellen, neue quellen, nouvelles sources, fonti, nuove fonti",
    ),
    _column(
        "L Modules",
        "names",
        18,
        "The modules the assistant chose. Filled by the run.",
        "module, new modules, neue module, nouveaux modules, moduli, nuovi moduli",
    ),
    _column(
        "M Followup",
        "true/false",
        12,
        "TRUE if the assistant took the question for a follow-up question. Filled by the run.",
        "follow-up, folgefrage, question de suivi, domanda di seguito",
    ),
    _column(
        "N ChatMessages",
        "json",
        18,
        "Technical record: messages, passages found, model, tokens and times. Filled by the run.",
        "messages",
    ),
    _verdict(
        "O emb_text",
        "embedding.score",
        "How similar the two answers are as a whole, from -1 (unlike) to 1 (the same).",
    ),
    _verdict("P emb_flag", "embedding.value", "TRUE if the similarity in column O is below the threshold (0.92)."),
    _verdict("Q contra_text", "contradiction.reason", "Where the two answers say something different, and what."),
    _verdict(
        "R contra_flag",
        "contradiction.value",
        "TRUE if the two answers contradict each other or differ significantly in meaning.",
    ),
    _verdict("S ext_text", "extent.reason", "What is missing from the new answer, or extra in it."),
    _verdict(
        "T ext_flag",
        "extent.value",
        "TRUE if, for this question, one answer covers significantly more than the other.",
    ),
    _verdict("U halluzination_text", "hallucination.reason", "Which statements the answer's sources do not support."),
    _verdict(
        "V halluzination_flag",
        "hallucination.value",
        "TRUE if the new answer is only partly or not supported by its sources.",
    ),
    _verdict(
        "W source_flag",
        "source.value",
        "TRUE if a source of the benchmark answer is missing from the new sources. Further sources are fine.",
    ),
    _verdict(
        "X module_flag",
        "module.value",
        "TRUE if none of the benchmark's modules was chosen this time.",
    ),
    _verdict("Y relation_flag", "relation.value", "TRUE if the new answer does not answer the question."),
    _verdict(
        "Z final_flag",
        "final.value",
        "TRUE if any flag is TRUE, or the row could not be answered or judged. Filter this column for TRUE.",
    ),
    _verdict("AA explanation", "final.reason", "Which flags are TRUE and why, in one paragraph."),
    _column(
        "AB human_review_answer_correct",
        "yes/no",
        16,
        "yes or no: after looking at the row, is the new answer correct? Needed where final_flag is TRUE.",
        "human review, human_review, answer correct, review, prüfung, menschliche prüfung, prüfung antwort korrekt, "
        "antwort korrekt, vérification humaine, réponse correcte, revisione umana, revisione, risposta corretta",
    ),
)

BY_HEADER: Final = {column.header: column for column in COLUMNS}
OUTPUT: Final = tuple(column for column in COLUMNS if column.filled_by == "run")
REVIEW: Final = BY_HEADER["human_review_answer_correct"]
REQUIRED: Final = ("Question", "Assistant")
ADOPTED: Final = dict(
    zip(
        ("answer", "Sources", "Modules", "Followup", "ChatMessages"),
        (
            "answer_benchmark",
            "sources_used_benchmark",
            "modules_benchmark",
            "followup_benchmark",
            "chatMessages_benchmark",
        ),
        strict=True,
    )
)
"""What becomes what when a run is adopted: J–N → E–I."""

YES: Final = frozenset({"yes", "y", "true", "1", "ja", "j", "wahr", "oui", "o", "vrai", "si", "s", "vero", "x"})
NO: Final = frozenset({"no", "n", "false", "0", "nein", "falsch", "non", "faux", "falso"})


@lru_cache(maxsize=256)
def yes_no(text: str) -> bool | None:
    """Return what a person meant by yes/no in English, German, French or Italian; None if neither."""
    word = normalise(text)
    if word in YES:
        return True
    return False if word in NO else None

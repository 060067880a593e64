"""The table of columns of the sheet `NIAH`: one cell of an experiment a row.

The plan, the reader, the writer and the documentation are made from this table.
"""

from typing import Final

from service.workbook.columns import Column, FilledBy, Kind

SHEET: Final = "NIAH"
EXPERIMENT: Final = "Experiment"
ADDED: Final = ("Heatmap", "Summary", "Charts")
"""The sheets a run adds beside the sheet `Run`."""


def _column(place: str, filled_by: FilledBy, kind: Kind, width: int, note: str) -> Column:
    letter, header = place.split()
    return Column(letter=letter, header=header, filled_by=filled_by, kind=kind, width=width, note=note)


NIAH_COLUMNS: Final[tuple[Column, ...]] = (
    _column("A id", "person", "text", 8, "A number that helps you to find a cell again."),
    _column("B Assistant", "person", "text", 20, "The assistant (the space) under test, as in the list of spaces."),
    _column(
        "C task",
        "person",
        "text",
        13,
        "s_rt, m_rt, m_rs, atc, counting, key_value, conflicting or distractor.",
    ),
    _column("D context_length", "person", "number", 14, "Tokens (cl100k_base) of the document, its needles included."),
    _column("E depth_percent", "person", "number", 10, "Where the needle stands: 0 is the beginning, 100 the end."),
    _column("F num_needles", "person", "number", 10, "How many needles are hidden; empty: the task's own number."),
    _column(
        "G distribution",
        "person",
        "text",
        13,
        "How several needles are spread: uniform, centered, random or bookends; empty: the task's own way.",
    ),
    _column(
        "H haystack", "person", "text", 16, "What surrounds the needles: synthetic, or the name of an imported corpus."
    ),
    _column("I seed", "person", "number", 8, "The same seed draws the same needles, for every assistant."),
    _column("J trial", "person", "number", 7, "Counts the repetitions of a cell from 1; each has other needles."),
    _column("K parameters", "person", "json", 24, 'The task\'s settings as JSON, such as {"reasoning": "max"}.'),
    _column("L question", "run", "text", 40, "What was asked about the document."),
    _column("M expected", "run", "text", 22, "What is right, one value a line."),
    _column("N answer", "run", "text", 40, "What the assistant answered."),
    _column("O score", "run", "number", 8, "From 0 to 1; empty where the cell could not be scored."),
    _column(
        "P category",
        "run",
        "text",
        12,
        "correct, partial, wrong, refused, negated, ambiguous, dump, first, last, both, neither; empty, failed, "
        "skipped and cut are counted apart.",
    ),
    _column(
        "Q scorer", "run", "text", 11, "What compared the answer: exact, substring, numeric, semantic, llm_judge …"
    ),
    _column("R explanation", "run", "text", 40, "Why the score is what it is."),
    _column(
        "S true_depths", "run", "text", 14, "Where each needle really stands, in percent of the document's tokens."
    ),
    _column("T prompt_tokens", "run", "number", 11, "Tokens of the prompt as the endpoint counted them, else by ours."),
    _column("U completion_tokens", "run", "number", 11, "Tokens of the answer as the endpoint counted them."),
    _column("V latency_seconds", "run", "number", 10, "How long the answer took, in seconds."),
    _column("W error", "run", "text", 30, "Why the cell has no score: a code and a sentence."),
)

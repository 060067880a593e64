"""What extent and relation ask together: how far does each answer answer the question?"""

from flags._ask import CANNOT_TELL, FENCED, LANGUAGE, ask, told, verdict_field
from flags._case import Case
from flags._clean import reference_of
from flags._flag import Field, Grid, Judgement, Rubric, Tools

_RELATION_POLICY = """\
- Relation: the new answer does not answer the question when it is off topic, declines, says that nothing was found, or
  only asks back. A wrong or incomplete answer still answers it.
"""
_RELATIONS = ("answers", CANNOT_TELL, "does_not_answer")
_RELATION_FIELDS = (
    Field(
        name="relation_reason",
        description="One sentence in the language of the new answer, quoting it, on whether it answers the question.",
    ),
    verdict_field("relation", ("answers", "does_not_answer"), "Whether the new answer answers the question."),
)


def _merged_relation(grid: Grid) -> Judgement:
    """Return what parts come to: an answer answers the question where any part of it does."""
    replies = [reply for line in grid for reply in line]
    by_choice = {choice: [reply for reply in replies if reply["relation"] == choice] for choice in _RELATIONS}
    shown = next(found for found in by_choice.values() if found)
    return {"relation_reason": told(shown[:1], "relation_reason", grid), "relation": shown[0]["relation"]}


def _merged(grid: Grid) -> Judgement:
    """Return what parts come to: missing is what no part of the answer covers, extra what no part of the reference has.

    Where a part could not be told, the whole cannot.
    """
    columns = list(zip(*grid, strict=True))
    missing = [reply for column in columns if all("missing" in reply["extent"] for reply in column) for reply in column]
    extra = [reply for line in grid if all("extra" in reply["extent"] for reply in line) for reply in line]
    unsure = [reply for line in grid for reply in line if reply["extent"] == CANNOT_TELL]
    found = "_and_".join(name for name, replies in (("missing", missing), ("extra", extra)) if replies)
    shown = unsure or [*missing, *extra] or list(grid[0][:1])
    return {
        "missing_quote": " … ".join(reply["missing_quote"] for reply in missing),
        "extra_quote": " … ".join(reply["extra_quote"] for reply in extra),
        "extent_reason": told(shown, "extent_reason", grid),
        "extent": CANNOT_TELL if unsure else found or "equal",
        **_merged_relation(grid),
    }


COVERAGE = Rubric(
    name="coverage",
    template=f"""\
Compare how far a new answer and the reference answer, which is taken to be right, answer the same question.

Rules:
- Extent: the answers differ when one of them answers the question significantly further than the other.
  missing: the new answer lacks something the question asks for and the reference gives.
  extra: the new answer gives something the question asks for that the reference lacks.
  Detail, courtesy, repetition and length that do not change how far the question is answered are no difference.
  Other words, order, language or notation are no difference; something said wrongly is said (it is judged elsewhere).
{_RELATION_POLICY}\
  Where the reference itself declines or finds nothing, a new answer that does the same counts as answering.

{LANGUAGE}
{FENCED}
{{{{ question }}}}

{{{{ reference }}}}

{{{{ answer }}}}
""",
    symmetric=True,
    merge=_merged,
    fields=(
        Field(name="missing_quote", description="Sentences of the reference the new answer does not cover, or empty."),
        Field(name="extra_quote", description="Sentences of the new answer the reference does not cover, or empty."),
        Field(
            name="extent_reason",
            description="One or two sentences in the language of the new answer naming what is missing or extra.",
        ),
        verdict_field(
            "extent",
            ("equal", "missing", "extra", "missing_and_extra"),
            "How the extent of the new answer differs from the reference, in relation to the question.",
        ),
        *_RELATION_FIELDS,
    ),
)

RELATION = Rubric(
    name="relation",
    template=f"""\
Judge whether an answer answers the question. There is no reference answer; whether it is right is not asked.

Rules:
{_RELATION_POLICY}
{LANGUAGE}
{FENCED}
{{{{ question }}}}

{{{{ answer }}}}
""",
    fields=_RELATION_FIELDS,
    merge=_merged_relation,
)


async def ask_coverage(case: Case, tools: Tools) -> Judgement:
    """Return the judge's reply on extent and relation; on relation alone where there is no reference."""
    return await ask(COVERAGE if reference_of(case) else RELATION, case, tools)

"""The sheet `Run` says what must be known before flags are trusted."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from flags import Answer, Question, Verdict
from service.assistants import Space
from service.runs import RunOptions
from service.runs._plan import make_plan
from service.runs._summary import summarise
from service.settings import Settings
from service.store import RowRecord, RunRecord, Tally

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
LAW = Space(name="Law", backend="openai", settings={"model": "m"}, flags={"embedding": {"threshold": 0.8}})
TAX = Space(name="Tax", backend="documents", flags={"final": {"counts": ["contradiction", "source"]}})


def run(**options: Any) -> RunRecord:
    """A run over two spaces."""
    chosen = RunOptions(**options)
    plan = make_plan([LAW, TAX], chosen, Settings(home=Path("h")), ask=not chosen.judge_only)
    return RunRecord(
        id="r1",
        company="c",
        user="ann",
        name="B.xlsx",
        sheet="Questions",
        state="ready",
        owner="serve",
        total=6,
        options=chosen.model_dump(mode="json"),
        plan=plan.model_dump(mode="json"),
        spaces={"Law": 3, "Tax": 2},
        notes=({"code": "x", "message": "D4 says perhaps.", "cell": "D4", "row": 4},),
        judge="llm gpt",
        embedder="words",
        origin="",
        created=NOON,
        started=NOON,
        finished=NOON.replace(minute=5),
        failure=None,
        tally=Tally(),
    )


def row(
    number: int,
    space: str,
    final: Verdict | None,
    *,
    correct: bool | None = True,
    reference: str = "r",
    **verdicts: Verdict,
) -> RowRecord:
    """A row with its verdicts; without a final one it is not finished."""
    return RowRecord(
        run_id="r1",
        number=number,
        position=number - 1,
        space=space,
        question=Question(text="q", space=space, id=f"id{number}", correct=correct, reference=reference),
        state="waiting" if final is None else "failed" if final.code else "judged",
        answer=Answer(text="a", messages={"model": f"model of {space}"})
        if final is not None and not final.code
        else None,
        verdicts={**verdicts, "final": final} if final is not None else {},
        code=final.code if final is not None else "",
        judgements={"contradiction 1": {}},
    )


GOOD, BAD = Verdict.given(False, ""), Verdict.given(True, "")
FAILED = Verdict.given(True, "NOT JUDGED x", code="judge_malformed")
UNKNOWN = Verdict.given(True, "NOT JUDGED x", code="space_unknown")
ROWS = [
    row(2, "Law", GOOD, contradiction=GOOD),
    row(3, "Law", BAD, contradiction=BAD, correct=False),
    row(4, "Law", FAILED, contradiction=Verdict.failed("judge_malformed", "x")),
    row(5, "Tax", GOOD, contradiction=Verdict.skipped("no benchmark answer")),
    row(6, "", UNKNOWN, contradiction=Verdict.skipped("no answer")),
    row(7, "Tax", None),
]


def section(title: str, of: RunRecord | None = None, rows: list[RowRecord] = ROWS) -> dict[object, tuple[object, ...]]:
    """Return a section's lines by their first cell."""
    found = next(each for each in summarise(of or run(), rows) if each.title == title)
    return {line[0]: line[1:] for line in found.lines}


def test_rows_that_were_not_judged_stand_in_no_pass_rate() -> None:
    """Two of three judged rows passed, whatever else failed or is not finished."""
    result = section("Result")
    assert result["Rows"] == (6,)
    assert result["Rows that deviate"] == (1,)
    assert result["Rows not answered or not judged"] == (2,)
    assert result["Rows not finished"] == (1,)
    assert result["Pass rate, % of the rows compared with a benchmark answer"] == (66.7,)
    assert result["95 % interval of the pass rate (Wilson)"] == ("20.8 – 93.9",)


def test_rows_without_a_benchmark_answer_stand_in_no_pass_rate_either() -> None:
    """In a first run nothing is compared: a row that nothing was found in has not passed."""
    rows = [row(2, "Law", GOOD, reference=" "), row(3, "Law", BAD, reference=""), row(4, "Law", GOOD)]
    result = section("Result", rows=rows)
    assert result["Rows without a benchmark answer (in no pass rate)"] == (2,)
    assert result["Pass rate, % of the rows compared with a benchmark answer"] == (100.0,)
    assert section("Spaces", rows=rows)["Law"][:5] == ("openai (model of Law)", 3, 1, 0, 100.0)
    assert "Pass rate, % of the rows compared with a benchmark answer" not in section("Result", rows=rows[:2])
    assert len(section("Spaces", rows=rows[:2])["Law"]) == 4


def test_each_space_has_its_own_rate_and_says_who_answered() -> None:
    """A row that names no space counts for none."""
    spaces = section("Spaces")
    assert spaces["Law"][:5] == ("openai (model of Law)", 3, 1, 1, 50.0)
    assert spaces["Tax"][:5] == ("documents (model of Tax)", 2, 0, 0, 100.0)
    assert set(spaces) == {"Space", "Law", "Tax"}


def test_each_flag_says_how_often_it_spoke_and_where_it_counts() -> None:
    """Not given and failed are told apart from FALSE."""
    flags = section("Flags")
    assert flags["contradiction"] == ("yes", 1, 1, 2, 1)
    assert flags["final"] == ("", 3, 2, 0, 0)


@pytest.mark.parametrize(
    ("counts", "flag", "says"),
    [(None, "embedding", "only in Law"), (("embedding",), "embedding", "yes"), (("extent",), "embedding", "no")],
)
def test_a_flag_that_was_taken_out_is_named(counts: Any, flag: str, says: str) -> None:
    """A run's own choice wins over that of the space."""
    rows = [row(2, "Law", GOOD, embedding=GOOD)]
    assert section("Flags", run(counts=counts), rows)[flag][0] == says


def test_flags_are_counted_by_space_and_errors_by_code() -> None:
    """Where something went wrong can be seen at a glance."""
    assert section("Flags by space") == {
        "Rows with TRUE": ("", "contradiction", "final"),
        "Law": ("", 1, 2),
    }
    assert section("Not answered or not judged, by code") == {"judge_malformed": (1,), "space_unknown": (1,)}


def test_a_deviation_from_a_wrong_answer_may_be_an_improvement() -> None:
    """The rows are named, so that somebody looks at them first."""
    assert section("May be an improvement")["Sheet rows"] == ("3 (id id3)",)


def test_what_judged_is_written_down_with_its_thresholds() -> None:
    """Two runs can be compared only when these agree."""
    lines = next(each for each in summarise(run(), ROWS) if each.title == "Judged with").lines
    assert ("Judge", "llm gpt") in lines
    assert ("Rubrics and their versions", "contradiction 1") in lines
    assert ("embedding.threshold", 0.8, "Law") in lines
    assert ("embedding.threshold", 0.92, "Tax") in lines
    assert ("final.counts", "contradiction, source", "Tax") in lines


def test_the_run_is_named_so_that_its_file_finds_it_again() -> None:
    """The id stands where the workbook room looks for it; a choice of rows is told."""
    about = section("Run", run(rows="1-5"))
    assert about["Run id"] == ("r1",)
    assert about["Questions"] == ("1-5",)
    assert about["Finished (UTC)"] == ("2026-03-02 12:05:00",)
    assert section("Run", replace(run(), origin="r0", finished=None))["Answers of run"] == ("r0",)
    assert section("Notes")["D4 says perhaps."] == ("D4",)


def test_a_run_without_any_verdict_has_a_sheet_too() -> None:
    """What is not known yet is left out, not written as zero per cent."""
    result = section("Result", rows=[row(2, "Law", None)])
    assert "Pass rate, % of the rows compared with a benchmark answer" not in result
    assert section("Spaces", run(judge_only=True), [row(2, "Law", None)])["Law"] == ("not asked", 1, 0, 0)


def test_settings_this_version_does_not_know_do_not_keep_the_file_back() -> None:
    """A run of a later version is summarised without them."""
    old = run()
    unknown = {**old.plan, "flags": {name: {"nonsense": {}} for name in old.plan["flags"]}}
    assert section("Judged with", replace(old, plan=unknown))["Judge"] == ("llm gpt",)


def test_rows_to_look_at_stand_from_the_heaviest_finding_down() -> None:
    """A person works from the top; a flag that does not count in a space makes no row urgent there."""
    rows = [
        row(2, "Law", BAD, embedding=BAD),
        row(3, "Law", FAILED),
        row(4, "Tax", BAD, embedding=BAD, source=BAD),
        row(5, "Law", GOOD),
        row(6, "Law", BAD, extent=Verdict.given(True, "extra: x")),
        row(7, "Law", BAD, extent=Verdict.given(True, "missing: x")),
        row(8, "Law", BAD, contradiction=BAD, extent=BAD),
    ]
    urgent = section("Rows to look at, the heaviest finding first", rows=rows)
    assert list(urgent) == ["Sheet row", 8, 7, 6, 4, 2, 3]
    assert urgent[8] == ("q", "Contradiction", "wrong or not supported")
    assert urgent[4] == ("q", "Sources", "sources or modules")
    assert urgent[3] == ("q", "judge_malformed", "not judged")


def test_many_rows_to_look_at_are_cut_with_a_word() -> None:
    """The sheet stays one that can be read."""
    rows = [row(number, "Law", BAD, embedding=BAD) for number in range(2, 1004)]
    urgent = section("Rows to look at, the heaviest finding first", rows=rows)
    assert len(urgent) == 1002
    assert "and 2 more: filter final_flag by TRUE" in urgent


def test_the_audit_sample_is_named_with_its_questions() -> None:
    """They are rows without a flag, so that nobody would look at them otherwise."""
    drawn = replace(run(), tally=Tally(audit=(2, 5)))
    audit = section("Audit sample: rows without a flag, drawn at random", drawn)
    assert (audit[2], audit[5]) == (("q", "Law"), ("q", "Tax"))

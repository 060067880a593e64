"""Shapes on the wire where they differ from those of the run room."""

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from service.errors import SpaceNotMember, SpaceUnknown
from service.runs import Remark, Report, RunOptions, RunView

SPACE_CODES = frozenset({SpaceUnknown.code, SpaceNotMember.code})


def report_for(options: RunOptions, report: Report) -> Report:
    """Return the report as it applies to a run: where nothing is asked, it does not matter which spaces there are."""
    if not options.judge_only:
        return report
    return replace(report, errors=tuple(error for error in report.errors if error.code not in SPACE_CODES))


class Problem(BaseModel):
    """The one shape of every error."""

    message: str = Field(description="A sentence for a person: what is wrong and what to do.")
    code: str = Field(description="A short name that stays the same.")
    params: dict[str, Any] = Field(description="What the sentence was filled with.")


@dataclass(frozen=True, kw_only=True)
class Submitted(RunView):
    """A run just started, with what the check says about its workbook."""

    report: Report

    @classmethod
    def of(cls, run: RunView, report: Report) -> "Submitted":
        """Join a run and its report."""
        return cls(**{item.name: getattr(run, item.name) for item in fields(RunView)}, report=report)


class ResumeChoices(BaseModel):
    """What may be chosen anew when a run is taken up."""

    model_config = ConfigDict(extra="forbid")

    max_cost: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="Another limit of the cost; what was spent so far counts."
    )


class RowsPage(BaseModel):
    """Which rows to return."""

    model_config = ConfigDict(extra="forbid")

    flagged: bool | None = Field(
        None, description="Only rows whose final flag is TRUE, or only those where it is FALSE."
    )
    audit: bool = Field(False, description="Only the audit sample: rows without a flag that were drawn for a look.")
    order: Literal["sheet", "severity"] = Field("sheet", description="`severity`: the most urgent rows first.")
    offset: int = Field(0, ge=0, le=1_000_000_000, description="Rows to leave out at the start.")
    limit: int = Field(100, ge=1, le=1000, description="Rows to return at most.")


class Resumption(BaseModel):
    """Which rows of a run are taken up again."""

    model_config = ConfigDict(extra="forbid")

    force: bool = Field(
        False, description="Ask and judge rows again that have their verdicts, and also while the run goes on."
    )
    rows: str = Field("", description="With `force`: only these questions, such as `1-5,8`, beside those that failed.")


class SpaceView(BaseModel):
    """A space that may stand in column Assistant."""

    model_config = ConfigDict(frozen=True)

    name: str


class Health(BaseModel):
    """Says that the service is up."""

    status: str = "ok"
    version: str


class AdoptionReply(BaseModel):
    """The next benchmark set, and which rows stayed as they were."""

    name: str = Field(description="Name to save the workbook under.")
    adopted: int = Field(description="Number of rows whose new answer became the benchmark answer.")
    kept: tuple[Remark, ...] = Field(description="Rows that kept their benchmark answer, each with the reason.")
    notes: tuple[str, ...] = Field((), description="What else became of the sheet, such as merged cells taken apart.")
    content: str = Field(description="The workbook, as Base64.")

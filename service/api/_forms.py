"""What may stand in the forms that carry a workbook."""

from typing import Any

from fastapi import UploadFile
from pydantic import BaseModel, ConfigDict, Field, Json

from service.runs import RunOptions
from service.settings import JudgeKind

UNNAMED = "workbook.xlsx"


class CheckForm(BaseModel):
    """A workbook to look at."""

    model_config = ConfigDict(extra="forbid")

    file: UploadFile = Field(description="The workbook (.xlsx).")
    sheet: str | None = Field(None, description="Sheet with the questions; found by its headers when not given.")


class EstimateForm(CheckForm):
    """A workbook to look at, and whether to say what it would take."""

    estimate: bool = Field(False, description="Also say about how many calls, tokens, how much money and time.")


class RunForm(CheckForm):
    """A workbook to run, with the choices for this run."""

    judge: JudgeKind | None = Field(None, description="`llm`, `local` or `auto`; not given: the service's setting.")
    thorough: bool | None = Field(
        None,
        description="Ask the LLM judge in both orders whether two answers differ; not given: the service's setting.",
    )
    judge_only: bool = Field(False, description="Ask nothing; judge the answers that already stand in column J.")
    trials: int = Field(1, ge=1, le=20, description="Ask each question so many times, and flag what most answers show.")
    rows: str = Field("", description="Questions to run, counted from 1: `1-5,8`. Empty: all.")
    counts: list[str] | None = Field(
        None, description="Flags that decide final_flag, repeated or separated by commas. Not given: as the space says."
    )
    flags: Json[dict[str, dict[str, Any]]] = Field(
        default_factory=dict, description='Settings of flags as JSON: `{"embedding": {"threshold": 0.9}}`.'
    )

    max_cost: float | None = Field(
        None, gt=0, allow_inf_nan=False, description="Most the run may cost, in the currency of the price file."
    )

    def options(self) -> RunOptions:
        """Return the choices in the run room's shape."""
        return RunOptions(
            judge=self.judge,
            thorough=self.thorough,
            judge_only=self.judge_only,
            trials=self.trials,
            rows=self.rows,
            counts=_split(self.counts),
            flags=self.flags,
            sheet=self.sheet,
            max_cost=self.max_cost,
        )


class AdoptForm(BaseModel):
    """What to adopt: the stored result, or the file as a person reviewed it."""

    model_config = ConfigDict(extra="forbid")

    file: UploadFile | None = Field(None, description="The result as reviewed (column AB); not given: as stored.")
    every: bool = Field(False, description="Adopt all answers, also those reviewed with no.")


async def read_upload(file: UploadFile) -> tuple[bytes, str]:
    """Return content and bare name of an uploaded file; some browsers send a whole path."""
    name = (file.filename or "").replace("\\", "/").rsplit("/", 1)[-1].strip()
    return await file.read(), name or UNNAMED


def _split(counts: list[str] | None) -> tuple[str, ...] | None:
    if counts is None:
        return None
    # an empty field means "not given": no flag at all could never make a row TRUE
    return tuple(name.strip() for item in counts for name in item.split(",") if name.strip()) or None

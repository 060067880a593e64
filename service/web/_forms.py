"""What the page's forms send."""

from typing import Annotated, Literal

from fastapi import UploadFile
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from service.runs import Report, RunOptions

FIRST = 5
"""Questions in a first try."""


class DropForm(BaseModel):
    """A dropped workbook and what should happen with it."""

    model_config = ConfigDict(extra="forbid")

    file: UploadFile
    run: Literal["all", "first", "check"] = "all"
    rows: str = ""
    sheet: str = ""
    judge_only: bool = False
    thorough: bool = False
    trials: int = Field(1, ge=1, le=20)
    max_cost: Annotated[float | None, BeforeValidator(lambda text: text or None), Field(gt=0, allow_inf_nan=False)] = (
        None
    )

    def options(self, report: Report) -> RunOptions:
        """Return the run's options; a first try takes the first questions, or fewer when there are fewer."""
        rows = f"1-{min(FIRST, max(report.questions, 1))}" if self.run == "first" else self.rows.strip()
        return RunOptions(
            rows=rows,
            sheet=self.sheet.strip() or None,
            judge_only=self.judge_only,
            thorough=self.thorough or None,
            trials=self.trials,
            max_cost=self.max_cost,
        )

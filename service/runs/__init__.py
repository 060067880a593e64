"""The order of things: check, ask, judge, finish; the durable engine underneath."""

from service.runs._approvals import ApprovedView
from service.runs._bench import Bench
from service.runs._calibrate import Calibration, Reviewed, SpaceProposal, calibrate, reviewed_file
from service.runs._check import check_workbook, estimate_workbook
from service.runs._compare import Change, Compared, Comparison, Outcome, Rate, Side, compare
from service.runs._compare_book import KINDS, comparison_workbook
from service.runs._experiment import (
    Config,
    build_cell,
    experiment_of,
    plan_experiment,
    preset_config,
    score_cell,
    yaml_config,
)
from service.runs._measured import outcome_of
from service.runs._open import open_runs
from service.runs._prices import load_prices
from service.runs._reviews import Reviews
from service.runs._runs import Runs
from service.runs._shapes import (
    CSV_TYPE,
    XLSX_TYPE,
    AdoptionView,
    Columns,
    Estimate,
    Failure,
    NamedFile,
    Pruned,
    Remark,
    Report,
    RowState,
    RowView,
    RunOptions,
    RunView,
    State,
    TrialView,
    User,
)
from service.runs._sides import side_of_file, side_of_run
from service.runs._spending import Expected, ModelSpending, Outlook, Spending, cost_said, money, tokens_said
from service.runs._triage import Only
from service.runs._waiting import Progress

__all__ = [
    "CSV_TYPE",
    "KINDS",
    "XLSX_TYPE",
    "AdoptionView",
    "ApprovedView",
    "Bench",
    "Calibration",
    "Change",
    "Columns",
    "Compared",
    "Comparison",
    "Config",
    "Estimate",
    "Expected",
    "Failure",
    "ModelSpending",
    "NamedFile",
    "Only",
    "Outcome",
    "Outlook",
    "Progress",
    "Pruned",
    "Rate",
    "Remark",
    "Report",
    "Reviewed",
    "Reviews",
    "RowState",
    "RowView",
    "RunOptions",
    "RunView",
    "Runs",
    "Side",
    "SpaceProposal",
    "Spending",
    "State",
    "TrialView",
    "User",
    "build_cell",
    "calibrate",
    "check_workbook",
    "compare",
    "comparison_workbook",
    "cost_said",
    "estimate_workbook",
    "experiment_of",
    "load_prices",
    "money",
    "open_runs",
    "outcome_of",
    "plan_experiment",
    "preset_config",
    "reviewed_file",
    "score_cell",
    "side_of_file",
    "side_of_run",
    "tokens_said",
    "yaml_config",
]

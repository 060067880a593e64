"""Needle in a haystack: eight tasks that hide facts in long documents and score what a model finds.

Every public module of this package is a task; `ls` is the list. Tokenizer, embedder and judge are borrowed.
"""

from flags.niah._aggregate import Aggregate, Band, HeatCell, Mean, Outcome, aggregate, band, hops_of, needles_of
from flags.niah._build import Document, build
from flags.niah._config import Experiment, Haystack, Model, TaskPlan
from flags.niah._corpora import SYNTHETIC, Corpora
from flags.niah._corpus import Corpus
from flags.niah._depths import depths
from flags.niah._discover import discover_tasks, open_task
from flags.niah._errors import (
    ConfigRefused,
    DocumentImpossible,
    ExpectedRefused,
    HaystackTooShort,
    HaystackUnknown,
    NiahError,
    SpecRefused,
)
from flags.niah._facts import NeedleSource
from flags.niah._interpret import Pattern, interpret
from flags.niah._presets import PRESETS
from flags.niah._prose import prose
from flags.niah._run import check, make, overhead, prompt, score
from flags.niah._task import (
    EXCLUDED,
    Borrowed,
    Category,
    Distribution,
    Needle,
    Score,
    Spec,
    Task,
    Tokenizer,
    Trial,
)

__all__ = [
    "EXCLUDED",
    "PRESETS",
    "SYNTHETIC",
    "Aggregate",
    "Band",
    "Borrowed",
    "Category",
    "ConfigRefused",
    "Corpora",
    "Corpus",
    "Distribution",
    "Document",
    "DocumentImpossible",
    "ExpectedRefused",
    "Experiment",
    "Haystack",
    "HaystackTooShort",
    "HaystackUnknown",
    "HeatCell",
    "Mean",
    "Model",
    "Needle",
    "NeedleSource",
    "NiahError",
    "Outcome",
    "Pattern",
    "Score",
    "Spec",
    "SpecRefused",
    "Task",
    "TaskPlan",
    "Tokenizer",
    "Trial",
    "aggregate",
    "band",
    "build",
    "check",
    "depths",
    "discover_tasks",
    "hops_of",
    "interpret",
    "make",
    "needles_of",
    "open_task",
    "overhead",
    "prompt",
    "prose",
    "score",
]

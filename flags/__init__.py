"""What we think of an answer: pure text in, verdict out.

Every public module of this package is a flag; `ls` is the list. Models are borrowed through `Tools`.
"""

from flags._approved import says_the_same
from flags._ask import CANNOT_TELL
from flags._case import Answer, Case, Question, Source, Status, Verdict
from flags._clean import clean
from flags._discover import discover
from flags._errors import FlagError, FlagsMisconfigured, JudgeFailed
from flags._evaluate import evaluate, unanswered
from flags._evidence import evidence
from flags._flag import Embedder, Entailment, Field, Flag, Judge, Judgement, Rubric, Settings, Tools
from flags._local import LocalJudge
from flags._local._language import Language, language_of
from flags._local._segment import sentences
from flags._local._words import stems, words
from flags._render import render
from flags._scorecard import Checked, Estimate, Scorecard, scorecard
from flags._sources import documents, format_sources, missing_sources, parse_sources
from flags._split import SplitJudge, Window
from flags._statistics import mcnemar, wilson
from flags._thorough import BothOrders
from flags._thresholds import Proposal, propose
from flags._triage import APPROVED, LEVELS, Level, Severity, audit_sample, label, severity
from flags.embedding import texts_ahead

__all__ = [
    "APPROVED",
    "CANNOT_TELL",
    "LEVELS",
    "Answer",
    "BothOrders",
    "Case",
    "Checked",
    "Embedder",
    "Entailment",
    "Estimate",
    "Field",
    "Flag",
    "FlagError",
    "FlagsMisconfigured",
    "Judge",
    "JudgeFailed",
    "Judgement",
    "Language",
    "Level",
    "LocalJudge",
    "Proposal",
    "Question",
    "Rubric",
    "Scorecard",
    "Settings",
    "Severity",
    "Source",
    "SplitJudge",
    "Status",
    "Tools",
    "Verdict",
    "Window",
    "audit_sample",
    "clean",
    "discover",
    "documents",
    "evaluate",
    "evidence",
    "format_sources",
    "label",
    "language_of",
    "mcnemar",
    "missing_sources",
    "parse_sources",
    "propose",
    "render",
    "says_the_same",
    "scorecard",
    "sentences",
    "severity",
    "stems",
    "texts_ahead",
    "unanswered",
    "wilson",
    "words",
]

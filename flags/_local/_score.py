"""From measures to one number: a logistic blend whose weights have the sign that reason gives them.

The weights were fitted with `python -m benchmarks.accuracy FILE.jsonl --fit`: logistic regression with an intercept for
each origin (one kind of answer is not judged by the threshold of another), every origin weighing the same, drawn
towards `PRIOR` and kept from turning negative. Copies took no part: they are judged by their edits (`_edits.py`).
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from flags._local._measure import Measures

PRIOR: Mapping[str, float] = {
    "lacking": 3.0,
    "far": 2.0,
    "apart": 2.0,
    "conflict": 2.5,
    "polarity": 1.0,
    "facts": 1.5,
    "clash": 1.5,
    "refusal": 3.0,
}
"""What a weight is taken for where the labelled answers say nothing about it."""
FITTED: Mapping[str, float] = {
    "lacking": 3.17,
    "far": 1.41,
    "apart": 1.28,
    "conflict": 2.26,
    "polarity": 1.38,
    "facts": 0.53,
    "clash": 1.40,
    "refusal": 3.01,
}
FITTED_ON = ("beetle_sra", "evouna_nq", "evouna_nq_pair", "saf_en", "summedits_ectsum", "truthfulqa")
"""The public data sets, 500 labelled answers in all, whose origins were known when the weights were fitted."""
OFFSET = -3.64
"""The mean of the origins' intercepts: above it a deviation is likelier than not."""


@dataclass(frozen=True, kw_only=True)
class Blend:
    """The weight of each measure, and what is added."""

    weights: Mapping[str, float] = field(default_factory=lambda: FITTED)
    offset: float = OFFSET

    def score(self, measures: Measures) -> float:
        """Return how likely two answers differ, in [0, 1]."""
        total = self.offset + sum(self.weights[name] * value for name, value in asdict(measures).items())
        return 1 / (1 + math.exp(-total))

"""How the answers of a run are judged, beyond which model it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flags import BothOrders, Judge


@dataclass(frozen=True, kw_only=True)
class Judging:
    """`thorough` asks symmetric questions in both orders; rules of one's own need no second look."""

    thorough: bool = False

    @classmethod
    def of(cls, judging: Mapping[str, Any]) -> "Judging":
        """Return what a run's snapshot says."""
        return cls(thorough=bool(judging.get("judge_thorough")) and judging.get("judge") == "llm")

    def judge(self, judge: Judge) -> Judge:
        """Return the judge a row is judged with."""
        return BothOrders(judge) if self.thorough else judge

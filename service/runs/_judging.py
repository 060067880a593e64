"""How the answers of a run are judged, beyond which model it is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flags import BothOrders, Judge, SplitJudge, Window

_MARKED = frozenset({"judge_model", "judge_base_url"})
"""What makes a judge's reply another one, beside the words it was asked with."""


@dataclass(frozen=True, kw_only=True)
class Judging:
    """`thorough` asks symmetric questions in both orders; `window` is what the judge reads at once, in tokens.

    0 is no bound. `cache` names whose replies may be taken again (company and model), "" nobody's. A question is asked
    `trials` times.
    """

    thorough: bool = False
    window: int = 0
    cache: str = ""
    trials: int = 1

    @classmethod
    def of(cls, judging: Mapping[str, Any], *, company: str = "", trials: int = 1) -> "Judging":
        """Return what a run's snapshot says; rules of one's own need no second look, no window and no cache.

        Trials are there to be different: none of them is taken from the cache.
        """
        if judging.get("judge") != "llm":
            return cls(trials=trials)
        marks = [company, *(judging.get(name) for name in sorted(_MARKED))]
        return cls(
            thorough=bool(judging.get("judge_thorough")),
            window=int(judging.get("judge_window_tokens") or 0),
            cache=json.dumps(marks) if judging.get("judge_cache") and company and trials == 1 else "",
            trials=trials,
        )

    def judge(self, judge: Judge) -> Judge:
        """Return the judge a row is judged with: each part and each order of a question reaches `judge` by itself."""
        if self.window:
            judge = SplitJudge(judge, Window(tokens=self.window, count=_tokens))
        return BothOrders(judge) if self.thorough else judge


def _tokens(text: str) -> int:
    from service.llm import open_tokenizer

    return open_tokenizer().count(text)

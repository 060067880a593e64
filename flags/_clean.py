"""An answer without its citation marks."""

import re
from functools import lru_cache

from flags._case import Case

_NUMBERS = r"\d{1,3}(?:\s?[,;&–-]\s?\d{1,3}){0,40}"
_MARKS = re.compile(
    rf"""[ \t]?(?:
        <sup>\s?\[?\s?{_NUMBERS}\s?\]?\s?</sup>                         # <sup>1</sup>, <sup>1, 2</sup>
      | \[\s?<?/?source[s]?\s?:?\s?(?:{_NUMBERS})?\s?>?\s?\]            # [source0], [<source0>], [source: 1, 2]
      | \[\s?\*\*\s?{_NUMBERS}\s?\*\*\s?\]                              # [**1**]
      | \[\^?{_NUMBERS}\](?:\(\s?[^()\s]{{1,2000}}\s?\))?               # [1], [1, 2], [^1], [1](https://…)
      | 【[^【】\n]{{1,60}}】                                            # 【4:0†source】
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_POWERS = re.compile(r"(?<=[cdkm]m)<sup>([23])</sup>|(?<=\bm)<sup>([23])</sup>", re.IGNORECASE)


@lru_cache(maxsize=512)  # every flag and rubric of a row looks at the same two texts
def clean(text: str) -> str:
    """Return the text without citation marks (`<sup>1</sup>`, `[source0]`, `[**1**]`, `[1]` …) and outer space."""
    text = _POWERS.sub(lambda match: "²" if "2" in match[0] else "³", text)
    return _MARKS.sub(lambda match: " " if text[match.end() : match.end() + 1].isalnum() else "", text).strip()


def reference_of(case: Case) -> str:
    """Return the cleaned benchmark answer, empty where there is none."""
    return clean(case.question.reference)


def answer_of(case: Case) -> str:
    """Return the cleaned new answer."""
    return clean(case.answer.text)

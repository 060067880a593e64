"""The methodology's own formulas, to the letter, for comparison with figures published elsewhere."""

import re

from flags.niah._task import Score

_NUMBER = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d{1,4})?")


def contains(expected: str, response: str) -> Score:
    """Score 1 when the response contains the answer anywhere, both stripped and in small letters."""
    is_there = expected.strip().lower() in response.strip().lower()
    return _score(is_there, "exact", f"normalize({expected!r}) {'in' if is_there else 'not in'} normalize(response)")


def numeric(expected: float, response: str) -> Score:
    """Score 1 when the first number of the response is within 1 % of the answer (of 1 for smaller ones)."""
    parsed = first_number(response)
    is_near = parsed is not None and abs(parsed - expected) / max(abs(expected), 1) < 0.01
    return _score(is_near, "numeric", f"parse_numeric(response) = {parsed}, expected {expected:g} within 1 %")


def parse(expected: str) -> float | None:
    """Return the answer as a number where Python reads it as one, else None."""
    try:
        return float(expected)
    except ValueError:
        return None


def first_number(response: str) -> float | None:
    """Return the first number of a response, or None."""
    found = _NUMBER.search(response)
    return float(found.group().replace(",", "")) if found else None


def _score(is_right: bool, scorer: str, says: str) -> Score:
    return Score(
        score=float(is_right),
        category="correct" if is_right else "wrong",
        scorer=f"{scorer} (literal)",
        explanation=says,
    )

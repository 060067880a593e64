"""A symmetric question asked in both orders: a verdict that depends on the order is none."""

import asyncio

from flags._ask import CANNOT_TELL
from flags._case import Case
from flags._flag import Judge, Judgement, Rubric


class BothOrders:
    """Asks symmetric rubrics with the reference first and with the new answer first.

    Where the two replies differ in a choice, that choice becomes "cannot tell", and its reason says what was said in
    each order. Other rubrics are asked once.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        """Return which judge is asked, and how."""
        return f"{self._judge.name}, both orders"

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return the reply in which both orders agree; raise what either of them raised."""
        if not rubric.symmetric:
            return await self._judge.decide(rubric, case)
        orders = (rubric, rubric.turned())
        replies = await asyncio.gather(*(self._judge.decide(each, case) for each in orders), return_exceptions=True)
        said = []
        for reply in replies:
            if isinstance(reply, BaseException):
                raise reply
            said.append(reply)
        return _agreed(rubric, said[0], said[1])


def _agreed(rubric: Rubric, first: Judgement, second: Judgement) -> Judgement:
    agreed, reason = dict(first), ""
    for field in rubric.fields:
        if not field.choices:
            reason = field.name
        elif first[field.name] != second[field.name]:
            agreed[field.name] = CANNOT_TELL
            said = [_told(reply, field.name, reason) for reply in (first, second)]
            agreed[reason] = f"Asked in both orders, it said {said[0]} and {said[1]}."
    return agreed


def _told(reply: Judgement, choice: str, reason: str) -> str:
    why = reply[reason].strip().rstrip(".")
    return f"“{reply[choice].replace('_', ' ')}”" + (f" ({why})" if why else "")

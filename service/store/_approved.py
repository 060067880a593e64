"""Answers that a person accepted although they were flagged, kept per company, space and question."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select
from sqlalchemy.orm import Session
from sqlmodel import col

from service.store._database import Database
from service.store._records import ApprovedRecord, NewApproved
from service.store._tables import ApprovedTable
from service.store._together import Together

_TABLE: Any = ApprovedTable.__table__  # type: ignore[attr-defined]
_FIELDS = tuple(field.name for field in fields(ApprovedRecord))
_NEWEST_FIRST = select(_TABLE).order_by(_TABLE.c.created.desc(), _TABLE.c.id)
_OF_QUESTIONS = _NEWEST_FIRST.where(_TABLE.c.question_key.in_(bindparam("keys", expanding=True)))
"""Built once: every row asks whether something was accepted for its question."""


class StoredApproved:
    """What was accepted; it stays when the run is deleted."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of_questions = Together(database, _of_questions)

    async def keep(self, company: str, accepted: Sequence[NewApproved], refused: Sequence[NewApproved] = ()) -> None:
        """Keep what was accepted now, and forget what was refused; who accepted an answer first stays."""
        now = datetime.now(UTC)
        new = {_id(company, each): _columns(company, each, now) for each in accepted}
        old = [_id(company, each) for each in refused]

        def work(connection: Connection) -> None:
            connection.execute(delete(ApprovedTable).where(col(ApprovedTable.id).in_(old)))
            known = set(connection.scalars(select(col(ApprovedTable.id)).where(col(ApprovedTable.id).in_(list(new)))))
            rows = [columns for key, columns in new.items() if key not in known]
            if rows:
                connection.execute(insert(ApprovedTable), rows)

        await self._database.write(work)

    async def of_question(self, company: str, space: str, question: str) -> list[ApprovedRecord]:
        """Return what was accepted as an answer to a question, the newest first."""
        return await self._of_questions.find(_key(company, space, question)) or []

    async def of_company(self, company: str) -> list[ApprovedRecord]:
        """Return all that the company's people accepted, the newest first."""
        query = _NEWEST_FIRST.where(_TABLE.c.company == company)
        return await self._database.read(lambda session: [_record(found) for found in session.execute(query)])

    async def remove(self, company: str, approved: str) -> bool:
        """Forget one; False when there is none of that id."""
        query = delete(ApprovedTable).where(col(ApprovedTable.company) == company, col(ApprovedTable.id) == approved)
        return await self._database.write(lambda connection: connection.execute(query).rowcount) == 1


def _of_questions(session: Session, keys: frozenset[str]) -> dict[str, list[ApprovedRecord]]:
    found: dict[str, list[ApprovedRecord]] = defaultdict(list)
    for row in session.execute(_OF_QUESTIONS, {"keys": list(keys)}):
        found[row.question_key].append(_record(row))
    return found


def _record(row: Row[Any]) -> ApprovedRecord:
    return ApprovedRecord(**{name: getattr(row, name) for name in _FIELDS})


def _columns(company: str, new: NewApproved, now: datetime) -> dict[str, Any]:
    return {
        "id": _id(company, new),
        "company": company,
        "question_key": _key(company, new.space, new.question),
        "space": new.space,
        "question": new.question,
        "answer": new.answer,
        "answer_hash": new.answer_hash,
        "user": new.user,
        "created": now,
    }


def _key(company: str, space: str, question: str) -> str:
    """Return under what a question is found: case and white space do not matter."""
    plain = (" ".join(part.split()).casefold() for part in (space, question))
    return hashlib.sha256("\0".join((company, *plain)).encode()).hexdigest()


def _id(company: str, new: NewApproved) -> str:
    said = "\0".join((_key(company, new.space, new.question), new.answer_hash))
    return hashlib.sha256(said.encode()).hexdigest()[:16]

"""Answers that a person accepted although they were flagged, kept per company, space and question."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlmodel import col

from service.store._database import Database
from service.store._records import ApprovedRecord, NewApproved
from service.store._tables import ApprovedTable


class StoredApproved:
    """What was accepted; it stays when the run is deleted."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        return await self._found(col(ApprovedTable.question_key) == _key(company, space, question))

    async def of_company(self, company: str) -> list[ApprovedRecord]:
        """Return all that the company's people accepted, the newest first."""
        return await self._found(col(ApprovedTable.company) == company)

    async def remove(self, company: str, approved: str) -> bool:
        """Forget one; False when there is none of that id."""
        query = delete(ApprovedTable).where(col(ApprovedTable.company) == company, col(ApprovedTable.id) == approved)
        return await self._database.write(lambda connection: connection.execute(query).rowcount) == 1

    async def _found(self, condition: Any) -> list[ApprovedRecord]:
        query = select(ApprovedTable).where(condition)
        query = query.order_by(col(ApprovedTable.created).desc(), col(ApprovedTable.id))
        fields = tuple(ApprovedRecord.__dataclass_fields__)
        return await self._database.read(
            lambda session: [
                ApprovedRecord(**{name: getattr(found, name) for name in fields}) for found in session.scalars(query)
            ]
        )


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

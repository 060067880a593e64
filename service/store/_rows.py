"""Rows, their answers, judgements and verdicts."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from flags import Answer, Judgement, Verdict
from service.store._codec import answer_from_json, answer_to_json, verdict_columns
from service.store._database import Database
from service.store._records import SETTLED, Reply, RowRecord, Tally
from service.store._row_records import outline, records
from service.store._row_statements import (
    KNOWN_REPLY,
    ROW,
    SETTLE,
    SETTLE_WITH_ANSWER,
    STORE_ANSWER,
    STORE_REPLY,
    STORE_VERDICTS,
    STORED_ANSWER,
    row_of,
)
from service.store._spending import used_by
from service.store._tables import JudgementTable, RowTable, RunTable, VerdictTable, WorkerTable
from service.store._together import Together


class StoredRows:
    """What is known about rows. The first answer and the first verdicts of a row stay; later ones are refused."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known_replies = Together(database, _known_replies)

    async def page(
        self,
        run_id: str,
        *,
        flagged: bool | None = None,
        numbers: Collection[int] | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[RowRecord]:
        """Return rows in sheet order; `flagged` keeps rows with that final flag, `numbers` those sheet rows."""
        conditions = [col(RowTable.run_id) == run_id]
        if flagged is not None:
            conditions.append(col(RowTable.flagged).is_(flagged))
        if numbers is not None:
            conditions.append(col(RowTable.number).in_(numbers))
        query = select(ROW).where(*conditions).order_by(col(RowTable.number)).offset(offset).limit(limit)
        return await self._database.read(lambda session: records(session, run_id, query, judgements=True))

    async def results(self, run_id: str, offset: int, limit: int) -> list[RowRecord]:
        """Return a page of rows in sheet order as a result shows them: without what the judge said."""
        query = select(ROW).where(ROW.c.run_id == run_id).order_by(ROW.c.number).offset(offset).limit(limit)
        return await self._database.read(lambda session: records(session, run_id, query))

    async def outline(self, run_id: str) -> list[RowRecord]:
        """Return all rows in sheet order without their texts: what a summary of many thousand speaks of.

        Of the question its beginning, id and column D are there, of the answer its model, of judgements the names of
        their rubrics, of verdicts what they are and, where TRUE, the beginning of the reason.
        """
        return await self._database.read(lambda session: outline(session, run_id))

    async def of_shard(self, run_id: str, shard: int) -> list[RowRecord]:
        """Return the shard's rows that are not settled, with the judgements kept so far."""
        query = select(ROW).where(*_open(run_id, shard)).order_by(col(RowTable.number))
        return await self._database.read(lambda session: records(session, run_id, query, judgements=True))

    async def claim(self, run_id: str, shard: int, lease: str, *, shared: bool = False) -> None:
        """Put the shard's rows that are not settled under a lease; what others store for them is refused from now on.

        On a `shared` database rows under the lease of another that lives are left to it.
        """
        query = update(RowTable).where(*_open(run_id, shard)).values(lease=lease)
        if shared:
            query = query.where(col(RowTable.lease).not_in(select(col(WorkerTable.lease))))
        await self._database.write(lambda connection: connection.execute(query).rowcount)

    async def shards(self, run_id: str) -> list[tuple[int, str]]:
        """Return (shard, space) of the whole run, settled or not."""
        query = (
            select(col(RowTable.shard), col(RowTable.space))
            .where(col(RowTable.run_id) == run_id, col(RowTable.shard).is_not(None))
            .distinct()
            .order_by(col(RowTable.shard))
        )
        return await self._database.read(lambda session: [(n or 0, space) for n, space in session.execute(query)])

    async def unsettled(self, run_id: str) -> int:
        """Return how many rows are neither judged nor failed."""
        query = (
            select(func.count())
            .select_from(RowTable)
            .where(col(RowTable.run_id) == run_id, col(RowTable.state).not_in(SETTLED))
        )
        return await self._database.read(lambda session: session.scalar(query) or 0)

    async def unflagged(self, run_id: str) -> list[int]:
        """Return the sheet rows that were judged and where no flag that counts was TRUE."""
        query = select(col(RowTable.number)).where(
            col(RowTable.run_id) == run_id, col(RowTable.state) == "judged", col(RowTable.flagged).is_(False)
        )
        return await self._database.read(lambda session: list(session.scalars(query)))

    async def answer(
        self, run_id: str, number: int, answer: Answer, lease: str = "", *, content_key: str = ""
    ) -> Answer | None:
        """Store the answer of a waiting row and return the one that stays; None when the row is gone or another's.

        Under its `content_key` it is found again by `known`.
        """
        row = row_of(run_id, number, lease)
        new = {**row, "new_answer": answer_to_json(answer), "new_key": content_key}

        def work(connection: Connection) -> Answer | None:
            if connection.execute(STORE_ANSWER, new).rowcount == 1:
                return answer
            stored = connection.scalar(STORED_ANSWER, row)
            return answer_from_json(stored) if stored else None

        return await self._database.write(work)

    async def known(self, company: str, content_key: str) -> Answer | None:
        """Return the newest answer that a run of the company got for the same content, None without one."""
        query = (
            select(col(RowTable.answer))
            .join(RunTable, col(RunTable.id) == col(RowTable.run_id))
            .where(
                col(RowTable.content_key) == content_key,
                col(RunTable.company) == company,
                col(RowTable.answer).is_not(None),
            )
            .order_by(col(RunTable.created).desc())
            .limit(1)
        )
        found = await self._database.read(lambda session: session.scalar(query))
        return answer_from_json(found) if found else None

    async def judgement(self, of: RowRecord, rubric: str, reply: Reply) -> None:
        """Keep a judge's reply; a reply that is there already stays."""
        row = row_of(of.run_id, of.number, of.lease)
        new = {**row, "rubric": rubric, "reply": dict(reply.said), "content": reply.content, "cached": reply.cached}
        await self._database.write(lambda connection: connection.execute(STORE_REPLY, new).rowcount)

    async def known_reply(self, content: str) -> Judgement | None:
        """Return a reply that was kept under the same content, None without one."""
        return await self._known_replies.find(content)

    async def settle(
        self,
        run_id: str,
        number: int,
        verdicts: Mapping[str, Verdict],
        lease: str = "",
        *,
        answer: Answer | None = None,
    ) -> bool:
        """Store the row's verdicts, with which it counts as done; False when it has them, is gone or another's.

        `answer` is the one that stands for several trials.
        """
        final = verdicts["final"]
        state = "failed" if final.code else "judged"
        new = {**row_of(run_id, number, lease), "new_state": state, "new_flagged": final.value, "new_code": final.code}
        settle = SETTLE_WITH_ANSWER if answer else SETTLE
        if answer:
            new["new_answer"] = answer_to_json(answer)
        where = {"run_id": run_id, "number": number}
        columns = [{**where, "flag": flag, **verdict_columns(verdict)} for flag, verdict in verdicts.items()]

        def work(connection: Connection) -> bool:
            changed = connection.execute(settle, new).rowcount == 1
            if changed:
                connection.execute(STORE_VERDICTS, columns)
            return changed

        return await self._database.write(work)

    async def tally(self, run_id: str) -> Tally:
        """Return how far the run is."""
        return await self._database.read(lambda session: tally_of(session, run_id))


def _known_replies(session: Session, contents: frozenset[str]) -> dict[str, Judgement]:
    # One by one: thousands of rows may hold the same reply, and one of them is wanted.
    connection = session.connection()
    replies = ((content, connection.scalar(KNOWN_REPLY, {"content": content})) for content in contents)
    return {content: reply for content, reply in replies if reply is not None}


def tally_of(session: Session, run_id: str) -> Tally:
    """Count a run's rows and its TRUE verdicts."""
    settled = col(RowTable.state).in_(SETTLED)
    failed = col(RowTable.state) == "failed"
    deviates = and_(col(RowTable.state) == "judged", col(RowTable.flagged).is_(True))
    query = select(_count(settled), _count(failed), _count(deviates)).where(col(RowTable.run_id) == run_id)
    done, errors, flagged = session.execute(query).one()
    true = (
        select(col(VerdictTable.flag), func.count())
        .where(col(VerdictTable.run_id) == run_id, col(VerdictTable.value).is_(True))
        .group_by(col(VerdictTable.flag))
    )
    counts = {flag: count for flag, count in session.execute(true)}
    taken = col(JudgementTable.run_id) == run_id, col(JudgementTable.cached).is_(True)
    cached = session.scalar(select(func.count()).select_from(JudgementTable).where(*taken))
    return Tally(
        done=done or 0,
        errors=errors or 0,
        flagged=flagged or 0,
        cached=cached or 0,
        counts=counts,
        used=used_by(session, run_id),
    )


def _count(condition: Any) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _open(run_id: str, shard: int) -> tuple[ColumnElement[bool], ...]:
    return col(RowTable.run_id) == run_id, col(RowTable.shard) == shard, col(RowTable.state).not_in(SETTLED)

"""The first tables: runs, their files, rows, verdicts, judgements and reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the tables."""
    _runs()
    _rows()
    _opinions()


def downgrade() -> None:
    """Drop the tables."""
    for table in ("review", "judgement", "verdict", "row", "file", "run"):
        op.drop_table(table)


def _runs() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.String(), primary_key=True),
        *[sa.Column(name, sa.String(), nullable=False) for name in ("company", "user", "name", "sheet", "state")],
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        *[sa.Column(name, sa.JSON(), nullable=False) for name in ("options", "plan", "spaces", "notes")],
        *[sa.Column(name, sa.String(), nullable=False) for name in ("judge", "embedder", "origin")],
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("started", MOMENT),
        sa.Column("finished", MOMENT),
        sa.Column("failure", sa.JSON()),
        sa.Column("tally", sa.JSON()),
    )
    op.create_index("ix_run_company", "run", ["company"])
    op.create_index("ix_run_state", "run", ["state"])
    op.create_table(
        "file",
        _run_key(),
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("content", sa.LargeBinary(), nullable=False),
    )


def _rows() -> None:
    op.create_table(
        "row",
        _run_key(),
        _number(),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("shard", sa.Integer()),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("question", sa.JSON(), nullable=False),
        sa.Column("answer", sa.JSON()),
        sa.Column("flagged", sa.Boolean()),
        sa.Column("code", sa.String(), nullable=False),
    )


def _opinions() -> None:
    op.create_table(
        "verdict",
        sa.Column("run_id", sa.String(), primary_key=True),
        _number(),
        sa.Column("flag", sa.String(), primary_key=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("value", sa.Boolean()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("score", sa.Float()),
        sa.Column("code", sa.String(), nullable=False),
        _row_key(),
    )
    op.create_table(
        "judgement",
        sa.Column("run_id", sa.String(), primary_key=True),
        _number(),
        sa.Column("rubric", sa.String(), primary_key=True),
        sa.Column("reply", sa.JSON(), nullable=False),
        _row_key(),
    )
    op.create_table(
        "review",
        _run_key(),
        _number(),
        *[sa.Column(name, sa.String(), nullable=False) for name in ("company", "user", "answer_hash")],
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
    )
    op.create_index("ix_review_company", "review", ["company"])


def _run_key() -> sa.Column[str]:
    return sa.Column("run_id", sa.String(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True)


def _number() -> sa.Column[int]:
    return sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False)


def _row_key() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["run_id", "number"], ["row.run_id", "row.number"], ondelete="CASCADE")

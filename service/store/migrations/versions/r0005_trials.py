"""Trials of rows that are asked several times, and replies of judges that are found again by what was asked."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table of trials, and give replies the key they are found by."""
    op.add_column("judgement", sa.Column("content", sa.String(), nullable=False, server_default=""))
    op.add_column("judgement", sa.Column("cached", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_judgement_content", "judgement", ["content"])
    op.create_table(
        "trial",
        sa.Column("run_id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("trial", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("answer", sa.JSON()),
        sa.Column("verdicts", sa.JSON()),
        sa.Column("code", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["run_id", "number"], ["row.run_id", "row.number"], ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("trial")
    op.drop_index("ix_judgement_content", "judgement")
    op.drop_column("judgement", "cached")
    op.drop_column("judgement", "content")

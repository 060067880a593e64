"""What calls took, by row and model, and what of a run's limit each process may spend."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "usage",
        sa.Column("run_id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("book", sa.String(), primary_key=True),
        sa.Column("caller", sa.String(), primary_key=True),
        sa.Column("model", sa.String(), primary_key=True),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("untold", sa.Integer(), nullable=False),
        sa.Column("input", sa.BigInteger(), nullable=False),
        sa.Column("cached", sa.BigInteger(), nullable=False),
        sa.Column("output", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["run_id", "number"], ["row.run_id", "row.number"], ondelete="CASCADE"),
    )
    op.create_table(
        "purse",
        sa.Column("run_id", sa.String(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("book", sa.String(), primary_key=True),
        sa.Column("held", sa.Float(), nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("purse")
    op.drop_table("usage")

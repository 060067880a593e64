"""Answers that a person accepted although they were flagged."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "approved",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("company", sa.String(), nullable=False),
        sa.Column("question_key", sa.String(), nullable=False),
        sa.Column("space", sa.String(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("answer_hash", sa.String(), nullable=False),
        sa.Column("user", sa.String(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_approved_company", "approved", ["company"])
    op.create_index("ix_approved_question_key", "approved", ["question_key"])


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("approved")

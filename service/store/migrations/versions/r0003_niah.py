"""Needle in a haystack: the cell of a row, a key by which its answer is found again, and corpora."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Give rows their cell and key, and make the table of corpora."""
    op.add_column("row", sa.Column("cell", sa.JSON()))
    op.add_column("row", sa.Column("content_key", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_row_content_key", "row", ["content_key"])
    op.create_table(
        "corpus",
        sa.Column("company", sa.String(), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("corpus")
    op.drop_index("ix_row_content_key", "row")
    op.drop_column("row", "content_key")
    op.drop_column("row", "cell")

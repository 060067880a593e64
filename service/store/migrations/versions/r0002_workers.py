"""Several machines: workers that show they are alive, leases on rows, parts of a space's limit; runs taken up again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables and give rows a lease."""
    op.add_column("row", sa.Column("lease", sa.String(), nullable=False, server_default=""))
    op.add_column("run", sa.Column("attempt", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "worker",
        sa.Column("executor", sa.String(), primary_key=True),
        sa.Column("lease", sa.String(), nullable=False),
        sa.Column("beat", sa.Float(), nullable=False),
    )
    op.create_table(
        "share",
        sa.Column("space", sa.String(), primary_key=True),
        sa.Column("lease", sa.String(), primary_key=True),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("held", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("share")
    op.drop_table("worker")
    op.drop_column("run", "attempt")
    op.drop_column("row", "lease")

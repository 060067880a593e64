"""What of a purse was spent when it was written."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column."""
    op.add_column("purse", sa.Column("spent", sa.Float(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("purse", "spent")

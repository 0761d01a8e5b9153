"""Councils, and since when something waits"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "contributions",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "phase", "place"),
    )
    op.add_column("outbox", sa.Column("since", sa.Float(), nullable=False, server_default="0"))


def downgrade() -> None:
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_column("since")
    op.drop_table("contributions")

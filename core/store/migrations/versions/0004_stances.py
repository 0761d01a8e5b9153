"""What people give on each other's answers, and how differences were settled"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "stances",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "answer", "by"),
        sqlite_with_rowid=False,
    )
    op.create_index("stances_step", "stances", ["session", "step"])
    op.create_table(
        "settlements",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("step", sa.String(), nullable=False),
        sa.Column("doc", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "place"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("settlements")
    op.drop_index("stances_step", table_name="stances")
    op.drop_table("stances")

"""What is needed to decide a journal once more"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("journal", sa.Column("rest", sa.String(), nullable=True))
    op.add_column("journal", sa.Column("came", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("journal", schema=None) as batch_op:
        batch_op.drop_column("came")
        batch_op.drop_column("rest")

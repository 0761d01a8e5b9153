"""All tables, as `core.store.schema` has them.

Nobody has a database of an earlier version. The first change of a table after a release is a
revision of its own; this one then becomes the tables of that release, written out.
"""

from alembic import op
from sqlmodel import SQLModel

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    SQLModel.metadata.create_all(op.get_bind())


def downgrade() -> None:
    raise NotImplementedError("there is nothing before these tables: delete the file instead")

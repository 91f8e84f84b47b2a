"""An index of a user's uploads by when they came."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:

    with op.batch_alter_table("upload", schema=None) as batch_op:
        batch_op.create_index("ix_upload_owner_created", ["owner", "created"], unique=False)


def downgrade() -> None:

    with op.batch_alter_table("upload", schema=None) as batch_op:
        batch_op.drop_index("ix_upload_owner_created")

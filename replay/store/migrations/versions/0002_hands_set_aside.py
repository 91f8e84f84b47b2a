"""Hands that a worker died at, and when each worker last swept."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "heartbeat",
        sa.Column("node", sa.String(length=128), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("node", name=op.f("pk_heartbeat")),
    )
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.add_column(sa.Column("current_hand", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("aside", sa.String(), server_default="[]", nullable=False))


def downgrade() -> None:

    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.drop_column("aside")
        batch_op.drop_column("current_hand")

    op.drop_table("heartbeat")

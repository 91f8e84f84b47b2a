"""House rule sets, and the one that an audit was asked for by."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "house_rules",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=71), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("names", sa.String(), nullable=False),
        sa.Column("soundness", sa.String(length=64), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("supersedes", sa.String(length=36), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_house_rules_sha256")),
        sa.CheckConstraint("length(digest) = 71", name=op.f("ck_house_rules_digest")),
        sa.CheckConstraint("length(soundness) = 64", name=op.f("ck_house_rules_soundness")),
        sa.CheckConstraint(f"size BETWEEN 0 AND {2**53 - 1}", name=op.f("ck_house_rules_size")),
        sa.CheckConstraint("length(name) <= 64", name=op.f("ck_house_rules_name_length")),
        sa.CheckConstraint("length(owner) <= 64", name=op.f("ck_house_rules_owner_length")),
        sa.ForeignKeyConstraint(["supersedes"], ["house_rules.id"], name=op.f("fk_house_rules_supersedes")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_house_rules")),
        sa.UniqueConstraint("owner", "sha256", name=op.f("uq_house_rules_owner_sha256")),
        sa.UniqueConstraint("supersedes", name=op.f("uq_house_rules_supersedes")),
    )
    with op.batch_alter_table("house_rules", schema=None) as batch_op:
        batch_op.create_index("ix_house_rules_owner_created", ["owner", "created"], unique=False)
        batch_op.create_index(
            "uq_house_rules_first",
            ["owner", "name"],
            unique=True,
            sqlite_where=sa.text("supersedes IS NULL"),
            postgresql_where=sa.text("supersedes IS NULL"),
        )

    # Alembic would add the constraint by itself, which SQLite cannot.
    op.execute(
        "ALTER TABLE audit ADD COLUMN house VARCHAR(36) CONSTRAINT fk_audit_house REFERENCES house_rules (id)"
    )


def downgrade() -> None:

    # Not in a batch: that would make the table anew, and other tables point to it.
    op.drop_column("audit", "house")

    with op.batch_alter_table("house_rules", schema=None) as batch_op:
        batch_op.drop_index("uq_house_rules_first")
        batch_op.drop_index("ix_house_rules_owner_created")

    op.drop_table("house_rules")

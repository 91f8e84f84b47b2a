"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "upload",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("documents", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("length(name) <= 255", name=op.f("ck_upload_name_length")),
        sa.CheckConstraint("length(owner) <= 64", name=op.f("ck_upload_owner_length")),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_upload_sha256")),
        sa.CheckConstraint("size BETWEEN 0 AND 9007199254740991", name=op.f("ck_upload_size")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload")),
        sa.UniqueConstraint("owner", "sha256", name=op.f("uq_upload_owner_sha256")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("upload_id", sa.String(length=36), nullable=False),
        sa.Column("ruleset", sa.String(length=64), nullable=False),
        sa.Column("profile", sa.String(length=64), nullable=True),
        sa.Column("options", sa.String(), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("supersedes", sa.String(length=36), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["supersedes"], ["audit.id"], name=op.f("fk_audit_supersedes")),
        sa.ForeignKeyConstraint(["upload_id"], ["upload.id"], name=op.f("fk_audit_upload_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sa.UniqueConstraint("upload_id", "ruleset", "engine", name=op.f("uq_audit_upload_id_ruleset_engine")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_upload_id"), ["upload_id"], unique=False)

    op.create_table(
        "document",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("upload_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=4096), nullable=False),
        sa.Column("pack", sa.String(length=64), nullable=True),
        sa.Column("start", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("findings", sa.String(), nullable=False),
        sa.CheckConstraint("length(name) <= 4096", name=op.f("ck_document_name_length")),
        sa.CheckConstraint("size BETWEEN 0 AND 9007199254740991", name=op.f("ck_document_size")),
        sa.ForeignKeyConstraint(["upload_id"], ["upload.id"], name=op.f("fk_document_upload_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
        sa.UniqueConstraint("upload_id", "position", name=op.f("uq_document_upload_id_position")),
    )
    with op.batch_alter_table("document", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_document_upload_id"), ["upload_id"], unique=False)

    op.create_table(
        "job",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("upload_id", sa.String(length=36), nullable=False),
        sa.Column("audit_id", sa.String(length=36), nullable=True),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("stop", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("rung", sa.BigInteger(), nullable=False),
        sa.Column("node", sa.String(length=128), nullable=False),
        sa.Column("current", sa.BigInteger(), nullable=True),
        sa.Column("problem", sa.String(length=512), nullable=False),
        sa.Column("request", sa.String(length=64), nullable=False),
        sa.CheckConstraint("(kind = 'audit') = (audit_id IS NOT NULL)", name=op.f("ck_job_audit")),
        sa.CheckConstraint("kind IN ('split', 'audit')", name=op.f("ck_job_kind")),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'quarantined')", name=op.f("ck_job_state")
        ),
        sa.CheckConstraint("attempts BETWEEN 0 AND 9007199254740991", name=op.f("ck_job_attempts")),
        sa.CheckConstraint("fence BETWEEN 0 AND 9007199254740991", name=op.f("ck_job_fence")),
        sa.ForeignKeyConstraint(["audit_id"], ["audit.id"], name=op.f("fk_job_audit_id")),
        sa.ForeignKeyConstraint(["upload_id"], ["upload.id"], name=op.f("fk_job_upload_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("audit_id", "first", name=op.f("uq_job_audit_id_first")),
    )
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_job_audit_id"), ["audit_id"], unique=False)
        batch_op.create_index("ix_job_state_rung", ["state", "rung"], unique=False)
        batch_op.create_index(batch_op.f("ix_job_upload_id"), ["upload_id"], unique=False)
        batch_op.create_index(
            "uq_job_split",
            ["upload_id"],
            unique=True,
            sqlite_where=sa.text("kind = 'split'"),
            postgresql_where=sa.text("kind = 'split'"),
        )

    op.create_table(
        "report",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("audit_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("hands", sa.BigInteger(), nullable=False),
        sa.Column("errors", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.CheckConstraint(
            "verdict IN ('clean', 'findings', 'unreplayable', 'quarantined')", name=op.f("ck_report_verdict")
        ),
        sa.ForeignKeyConstraint(["audit_id"], ["audit.id"], name=op.f("fk_report_audit_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("audit_id", "position", name=op.f("uq_report_audit_id_position")),
    )
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_report_audit_id"), ["audit_id"], unique=False)

    op.create_table(
        "finding",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("report_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("hand", sa.BigInteger(), nullable=True),
        sa.Column("action", sa.BigInteger(), nullable=True),
        sa.Column("seat", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_finding_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finding")),
        sa.UniqueConstraint("report_id", "position", name=op.f("uq_finding_report_id_position")),
    )
    with op.batch_alter_table("finding", schema=None) as batch_op:
        batch_op.create_index("ix_finding_code", ["code"], unique=False)
        batch_op.create_index(batch_op.f("ix_finding_report_id"), ["report_id"], unique=False)


def downgrade() -> None:

    with op.batch_alter_table("finding", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_finding_report_id"))
        batch_op.drop_index("ix_finding_code")

    op.drop_table("finding")
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_report_audit_id"))

    op.drop_table("report")
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_job_split", sqlite_where=sa.text("kind = 'split'"), postgresql_where=sa.text("kind = 'split'")
        )
        batch_op.drop_index(batch_op.f("ix_job_upload_id"))
        batch_op.drop_index("ix_job_state_rung")
        batch_op.drop_index(batch_op.f("ix_job_audit_id"))

    op.drop_table("job")
    with op.batch_alter_table("document", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_document_upload_id"))

    op.drop_table("document")
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_audit_upload_id"))

    op.drop_table("audit")
    op.drop_table("upload")

"""Accounts and what hangs on them, cases and the verdict log, and who played what."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


ONLY_ADDED = ("dispute_entry", "verdict_log", "checkpoint", "staff_view")
"""Tables whose rows are never changed nor deleted, which the database itself refuses."""

FILES = (("upload", "sha256"), ("document", "pack"), ("report", "sha256"))
"""The columns that refer to files: before one is deleted, they are asked."""


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("folded", sa.String(length=64), nullable=True),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("password", sa.String(length=256), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("password_at", sa.BigInteger(), nullable=False),
        sa.Column("barred", sa.BigInteger(), nullable=True),
        sa.Column("closed", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("role IN ('player', 'arbiter', 'admin')", name=op.f("ck_account_role")),
        sa.CheckConstraint("created BETWEEN 0 AND 9007199254740991", name=op.f("ck_account_created")),
        sa.CheckConstraint("length(folded) <= 64", name=op.f("ck_account_folded_length")),
        sa.CheckConstraint("length(name) <= 64", name=op.f("ck_account_name_length")),
        sa.CheckConstraint("length(password) <= 256", name=op.f("ck_account_password_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("folded", name=op.f("uq_account_folded")),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("length(subject) = 64", name=op.f("ck_attempt_subject")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
    )
    with op.batch_alter_table("attempt", schema=None) as batch_op:
        batch_op.create_index("ix_attempt_subject_at", ["subject", "at"], unique=False)

    op.create_table(
        "checkpoint",
        sa.Column("size", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("head", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("signature", sa.String(length=128), nullable=False),
        sa.CheckConstraint("length(head) = 64", name=op.f("ck_checkpoint_head")),
        sa.CheckConstraint("length(key) <= 64", name=op.f("ck_checkpoint_key_length")),
        sa.CheckConstraint("length(signature) <= 128", name=op.f("ck_checkpoint_signature_length")),
        sa.PrimaryKeyConstraint("size", name=op.f("pk_checkpoint")),
    )
    op.create_table(
        "log_head",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_log_head_one")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_log_head_hash")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log_head")),
    )
    op.create_table(
        "staff_view",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("report_id", sa.String(length=36), nullable=False),
        sa.Column("hand", sa.BigInteger(), nullable=True),
        sa.Column("what", sa.String(length=32), nullable=False),
        sa.Column("dispute_id", sa.String(length=36), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("length(account) <= 64", name=op.f("ck_staff_view_account_length")),
        sa.CheckConstraint("length(what) <= 32", name=op.f("ck_staff_view_what_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_view")),
    )
    with op.batch_alter_table("staff_view", schema=None) as batch_op:
        batch_op.create_index("ix_staff_view_report_at", ["report_id", "at"], unique=False)

    op.create_table(
        "verdict_log",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("prev", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("ruleset", sa.String(length=71), nullable=False),
        sa.Column("payload_sha256", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint("length(actor) <= 64", name=op.f("ck_verdict_log_actor_length")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_verdict_log_hash")),
        sa.CheckConstraint("length(kind) <= 32", name=op.f("ck_verdict_log_kind_length")),
        sa.CheckConstraint("length(payload_sha256) = 64", name=op.f("ck_verdict_log_payload_sha256")),
        sa.CheckConstraint("length(prev) = 64", name=op.f("ck_verdict_log_prev")),
        sa.CheckConstraint("length(subject) <= 64", name=op.f("ck_verdict_log_subject_length")),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_verdict_log_seq")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_verdict_log")),
    )
    with op.batch_alter_table("verdict_log", schema=None) as batch_op:
        batch_op.create_index("ix_verdict_log_subject", ["subject"], unique=False)

    op.create_table(
        "sign_in",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("length(id) = 64", name=op.f("ck_sign_in_id")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_sign_in_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
    )
    with op.batch_alter_table("sign_in", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_account_id"), ["account_id"], unique=False)

    op.create_table(
        "token",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("used", sa.BigInteger(), nullable=True),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("length(name) <= 64", name=op.f("ck_token_name_length")),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_token_sha256")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_token_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("sha256", name=op.f("uq_token_sha256")),
    )
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_token_account_id"), ["account_id"], unique=False)

    op.create_table(
        "dispute",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("report_id", sa.String(length=36), nullable=False),
        sa.Column("hand", sa.BigInteger(), nullable=False),
        sa.Column("action", sa.BigInteger(), nullable=True),
        sa.Column("code", sa.String(length=8), nullable=True),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("opener", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("arbiter", sa.String(length=64), nullable=True),
        sa.Column("second", sa.String(length=64), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('legality', 'amount', 'record', 'behaviour')", name=op.f("ck_dispute_kind")
        ),
        sa.CheckConstraint(
            "state IN ('open', 'taken', 'asked', 'decided', 'appealed', 'retaken', 'closed', 'withdrawn')",
            name=op.f("ck_dispute_state"),
        ),
        sa.CheckConstraint("length(arbiter) <= 64", name=op.f("ck_dispute_arbiter_length")),
        sa.CheckConstraint("length(code) <= 8", name=op.f("ck_dispute_code_length")),
        sa.CheckConstraint("length(opener) <= 64", name=op.f("ck_dispute_opener_length")),
        sa.CheckConstraint("length(second) <= 64", name=op.f("ck_dispute_second_length")),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_dispute_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispute")),
    )
    with op.batch_alter_table("dispute", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_dispute_report_id"), ["report_id"], unique=False)
        batch_op.create_index("ix_dispute_state_created", ["state", "created"], unique=False)

    op.create_table(
        "played",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("report_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("player", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("folded", sa.String(length=64), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=True),
        sa.Column("wins", sa.BigInteger(), nullable=False),
        sa.Column("errors", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("length(folded) <= 64", name=op.f("ck_played_folded_length")),
        sa.CheckConstraint("length(name) <= 64", name=op.f("ck_played_name_length")),
        sa.CheckConstraint("length(player) <= 64", name=op.f("ck_played_player_length")),
        sa.CheckConstraint("seat BETWEEN 0 AND 3", name=op.f("ck_played_seat")),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_played_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_played")),
        sa.UniqueConstraint("report_id", "seat", name=op.f("uq_played_report_id_seat")),
    )
    with op.batch_alter_table("played", schema=None) as batch_op:
        batch_op.create_index("ix_played_folded", ["folded"], unique=False)
        batch_op.create_index("ix_played_player", ["player"], unique=False)
        batch_op.create_index(batch_op.f("ix_played_report_id"), ["report_id"], unique=False)

    op.create_table(
        "share",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("report_id", sa.String(length=36), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("length(owner) <= 64", name=op.f("ck_share_owner_length")),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_share_sha256")),
        sa.CheckConstraint("seat IS NULL OR seat BETWEEN 0 AND 3", name=op.f("ck_share_seat")),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_share_report_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share")),
        sa.UniqueConstraint("sha256", name=op.f("uq_share_sha256")),
    )
    with op.batch_alter_table("share", schema=None) as batch_op:
        batch_op.create_index("ix_share_owner_created", ["owner", "created"], unique=False)
        batch_op.create_index(batch_op.f("ix_share_report_id"), ["report_id"], unique=False)

    op.create_table(
        "sitting",
        sa.Column("report_id", sa.String(length=36), nullable=False),
        sa.Column("profile", sa.String(length=128), nullable=False),
        sa.Column("base", sa.String(length=32), nullable=False),
        sa.Column("room", sa.String(length=64), nullable=False),
        sa.Column("room_folded", sa.String(length=64), nullable=False),
        sa.Column("platform", sa.String(length=64), nullable=False),
        sa.Column("log", sa.String(length=128), nullable=False),
        sa.Column("played", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("length(base) <= 32", name=op.f("ck_sitting_base_length")),
        sa.CheckConstraint("length(log) <= 128", name=op.f("ck_sitting_log_length")),
        sa.CheckConstraint("length(platform) <= 64", name=op.f("ck_sitting_platform_length")),
        sa.CheckConstraint("length(profile) <= 128", name=op.f("ck_sitting_profile_length")),
        sa.CheckConstraint("length(room) <= 64", name=op.f("ck_sitting_room_length")),
        sa.CheckConstraint("length(room_folded) <= 64", name=op.f("ck_sitting_room_folded_length")),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_sitting_report_id")),
        sa.PrimaryKeyConstraint("report_id", name=op.f("pk_sitting")),
    )
    with op.batch_alter_table("sitting", schema=None) as batch_op:
        batch_op.create_index("ix_sitting_played", ["played"], unique=False)
        batch_op.create_index("ix_sitting_profile", ["profile"], unique=False)
        batch_op.create_index("ix_sitting_room_folded", ["room_folded"], unique=False)

    op.create_table(
        "dispute_entry",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("dispute_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.CheckConstraint("length(actor) <= 64", name=op.f("ck_dispute_entry_actor_length")),
        sa.CheckConstraint("length(kind) <= 16", name=op.f("ck_dispute_entry_kind_length")),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_dispute_entry_sha256")),
        sa.ForeignKeyConstraint(["dispute_id"], ["dispute.id"], name=op.f("fk_dispute_entry_dispute_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispute_entry")),
        sa.UniqueConstraint("dispute_id", "position", name=op.f("uq_dispute_entry_dispute_id_position")),
    )
    with op.batch_alter_table("dispute_entry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_dispute_entry_dispute_id"), ["dispute_id"], unique=False)

    op.create_table(
        "party",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("dispute_id", sa.String(length=36), nullable=False),
        sa.Column("account", sa.String(length=64), nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("length(account) <= 64", name=op.f("ck_party_account_length")),
        sa.CheckConstraint("seat IS NULL OR seat BETWEEN 0 AND 3", name=op.f("ck_party_seat")),
        sa.ForeignKeyConstraint(["dispute_id"], ["dispute.id"], name=op.f("fk_party_dispute_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_party")),
        sa.UniqueConstraint("dispute_id", "account", name=op.f("uq_party_dispute_id_account")),
    )
    with op.batch_alter_table("party", schema=None) as batch_op:
        batch_op.create_index("ix_party_account", ["account"], unique=False)
        batch_op.create_index(batch_op.f("ix_party_dispute_id"), ["dispute_id"], unique=False)

    op.create_table(
        "evidence",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("dispute_id", sa.String(length=36), nullable=False),
        sa.Column("entry_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.CheckConstraint("length(name) <= 255", name=op.f("ck_evidence_name_length")),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_evidence_sha256")),
        sa.ForeignKeyConstraint(["dispute_id"], ["dispute.id"], name=op.f("fk_evidence_dispute_id")),
        sa.ForeignKeyConstraint(["entry_id"], ["dispute_entry.id"], name=op.f("fk_evidence_entry_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evidence")),
    )
    with op.batch_alter_table("evidence", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_evidence_dispute_id"), ["dispute_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_evidence_entry_id"), ["entry_id"], unique=False)

    for table, column in FILES:
        op.create_index(f"ix_{table}_{column}", table, [column], unique=False)

    head = sa.table("log_head", sa.column("id"), sa.column("size"), sa.column("hash"))
    op.bulk_insert(head, [{"id": 1, "size": 0, "hash": "0" * 64}])
    keep_rows()


def downgrade() -> None:
    let_rows_go()
    for table, column in FILES:
        op.drop_index(f"ix_{table}_{column}", table)
    with op.batch_alter_table("evidence", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_evidence_entry_id"))
        batch_op.drop_index(batch_op.f("ix_evidence_dispute_id"))

    op.drop_table("evidence")
    with op.batch_alter_table("party", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_party_dispute_id"))
        batch_op.drop_index("ix_party_account")

    op.drop_table("party")
    with op.batch_alter_table("dispute_entry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_dispute_entry_dispute_id"))

    op.drop_table("dispute_entry")
    with op.batch_alter_table("sitting", schema=None) as batch_op:
        batch_op.drop_index("ix_sitting_room_folded")
        batch_op.drop_index("ix_sitting_profile")
        batch_op.drop_index("ix_sitting_played")

    op.drop_table("sitting")
    with op.batch_alter_table("share", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_share_report_id"))
        batch_op.drop_index("ix_share_owner_created")

    op.drop_table("share")
    with op.batch_alter_table("played", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_played_report_id"))
        batch_op.drop_index("ix_played_player")
        batch_op.drop_index("ix_played_folded")

    op.drop_table("played")
    with op.batch_alter_table("dispute", schema=None) as batch_op:
        batch_op.drop_index("ix_dispute_state_created")
        batch_op.drop_index(batch_op.f("ix_dispute_report_id"))

    op.drop_table("dispute")
    with op.batch_alter_table("token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_token_account_id"))

    op.drop_table("token")
    with op.batch_alter_table("sign_in", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_in_account_id"))

    op.drop_table("sign_in")
    with op.batch_alter_table("verdict_log", schema=None) as batch_op:
        batch_op.drop_index("ix_verdict_log_subject")

    op.drop_table("verdict_log")
    with op.batch_alter_table("staff_view", schema=None) as batch_op:
        batch_op.drop_index("ix_staff_view_report_at")

    op.drop_table("staff_view")
    op.drop_table("log_head")
    op.drop_table("checkpoint")
    with op.batch_alter_table("attempt", schema=None) as batch_op:
        batch_op.drop_index("ix_attempt_subject_at")

    op.drop_table("attempt")
    op.drop_table("account")


def keep_rows() -> None:
    """Have the database refuse to change or delete rows of what is only ever added to."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME; END $$"
        )
        for table in ONLY_ADDED:
            op.execute(
                f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION only_added()"
            )
        return
    for table in ONLY_ADDED:
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
            )


def let_rows_go() -> None:
    """Take the refusals away; SQLite's go with their tables."""
    if op.get_bind().dialect.name == "postgresql":
        for table in ONLY_ADDED:
            op.execute(f"DROP TRIGGER {table}_only_added ON {table}")
        op.execute("DROP FUNCTION only_added()")

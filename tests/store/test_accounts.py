"""Operations U10 and T20 in the store: accounts, passwords, sign-ins, tokens, and what may be tried how often."""

import hashlib
from functools import partial

import pytest
from argon2 import PasswordHasher
from sqlalchemy import update
from sqlmodel import col

from replay.jobs.service import Service
from replay.store import accounts, passwords
from replay.store.accounts import Asked, BadAccount, authenticate, by_name, create, names_of
from replay.store.attempts import SIGN_IN_ACCOUNT, SIGN_IN_ADDRESS, SIGN_UP, attempt
from replay.store.database import writing
from replay.store.signing_in import (
    IDLE_MS,
    LIFETIME_MS,
    MOST_TOKENS,
    TooMany,
    begin,
    end,
    end_all,
    entered,
    entered_by,
    make_token,
    revoke,
    sign_ins_of,
    tokens_of,
)
from replay.store.tables import Account, Attempt, SignIn, Token
from tests.jobs.working import rows

PASSWORD = "correct horse battery staple"


def later(service: Service, ms: int) -> None:
    """Let so much time pass for what was signed in, made or tried."""
    with writing(service.engine) as session:
        session.execute(
            update(SignIn).values(
                created=col(SignIn.created) - ms,
                seen=col(SignIn.seen) - ms,
                expires=col(SignIn.expires) - ms,
            )
        )
        session.execute(update(Token).values(expires=col(Token.expires) - ms))
        session.execute(update(Attempt).values(at=col(Attempt.at) - ms))


class TestPasswords:
    @pytest.mark.parametrize(
        ("password", "why"),
        [
            ("sieben7", "short"),
            ("麻" * 7, "short"),
            ("e\u0301" * 7, "short"),
            ("p" * 129, "long"),
            ("password", "common"),
            ("PASSWORD", "common"),
            ("12345678", "common"),
            ("superman", "common"),
            ("Wang Fang", "name"),
            ("wang fang", "name"),
            ("half\ud800pair", "characters"),
            ("eight 8 !", None),
            ("麻将" * 4, None),
            ("p" * 128, None),
            ("        ", None),
            ("no digits or signs", None),
        ],
    )
    def test_v6_2_1_v6_2_4_v6_2_5_have_a_length_and_no_other_rule(
        self, password: str, why: str | None
    ) -> None:
        assert passwords.problem_with(password, "Wang Fang") == why

    def test_v6_2_8_are_taken_whole_and_as_they_are(self) -> None:
        kept = passwords.hashed("x" * 127 + "a")
        assert passwords.fits(kept, "x" * 127 + "a")
        assert not passwords.fits(kept, "x" * 127 + "b")
        assert not passwords.fits(kept, "X" * 127 + "a")
        assert not passwords.fits(kept, "x" * 127 + "a ")
        assert not passwords.fits(kept, "x" * 200)

    def test_are_the_same_from_every_keyboard(self) -> None:
        assert passwords.fits(passwords.hashed("caf\u00e9 caf\u00e9"), "cafe\u0301 cafe\u0301")

    def test_u10_are_hashed_by_argon2id_with_a_salt_of_their_own(self) -> None:
        one, other = passwords.hashed(PASSWORD), passwords.hashed(PASSWORD)
        assert one.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert one != other

    def test_u10_the_list_holds_3_000_of_eight_characters_and_more(self) -> None:
        assert len(passwords.common()) == 3_000
        assert min(map(len, passwords.common())) == passwords.SHORTEST
        assert passwords.COMMON.with_suffix(".LICENSE").read_text().count("zxcvbn") >= 1

    def test_no_password_fits_where_there_is_none(self) -> None:
        for given in ("", PASSWORD, "half\ud800pair"):
            assert not passwords.fits("", given)
        assert not passwords.fits("no hash", PASSWORD)

    def test_those_that_are_made_can_be_used_and_differ(self) -> None:
        made = {passwords.generated() for _ in range(50)}
        assert len(made) == 50
        assert [one for one in made if passwords.problem_with(one, "Mei") is not None] == []


class TestAccounts:
    def test_are_found_whatever_the_case_and_width_of_letters(self, service: Service) -> None:
        made = create(service.engine, "  Ｌi   Ming ", "player", PASSWORD)
        found = by_name(service.engine, "LI MING")
        assert found is not None
        assert (found.id, found.name, found.role) == (made, "Ｌi Ming", "player")
        assert by_name(service.engine, "Li Min") is None

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("", "problem.nameless"),
            (" \u3000", "problem.nameless"),
            ("n" * 65, "problem.long"),
            ("\ufdfa" * 4, "problem.long"),
            ("a\u202eb", "problem.characters"),
            ("a\x00b", "problem.characters"),
            ("a\nb", "problem.characters"),
            ("a\ud800b", "problem.characters"),
            ("\u0410nn", "problem.mixed"),
            ("Ann\u03bf", "problem.mixed"),
            ("\uff21\u0430", "problem.mixed"),
            ("MEI", "problem.taken"),
        ],
    )
    def test_have_a_name_that_can_be_seen_and_is_nobody_s_yet(
        self, service: Service, name: str, why: str
    ) -> None:
        create(service.engine, "Mei", "player", PASSWORD)
        with pytest.raises(BadAccount) as caught:
            create(service.engine, name, "player", PASSWORD)
        assert caught.value.why == why
        assert len(rows(service, Account)) == 1

    @pytest.mark.parametrize(
        "name", ["\u0410\u043d\u043d\u0430", "\u0386\u03bd\u03bd\u03b1", "Li \u674e", "Anna 2"]
    )
    def test_may_be_written_in_any_one_script(self, service: Service, name: str) -> None:
        assert by_name(service.engine, name) is None
        create(service.engine, name, "player", PASSWORD)
        assert by_name(service.engine, name) is not None

    def test_what_can_be_no_name_is_nobody_s(self, service: Service) -> None:
        create(service.engine, "ab", "player", PASSWORD)
        for name in ("a\0b", "a\ud800b", "a\nb"):
            assert by_name(service.engine, name) is None
            assert accounts.count(service.engine, Asked(name)) == 0

    def test_are_entered_by_name_and_password_together(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        found = authenticate(service.engine, "mei", PASSWORD)
        assert found is not None
        assert found.id == made
        for name, password in (("mei", "wrong"), ("mei", ""), ("nobody", PASSWORD), ("", "")):
            assert authenticate(service.engine, name, password) is None

    def test_u10_an_unknown_name_is_tried_against_a_hash_as_well(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        create(service.engine, "Mei", "player", PASSWORD)
        tried: list[str] = []

        class Watched:
            def verify(self, kept: str, given: str) -> bool:
                tried.append(kept.rpartition("$")[0].rpartition("$")[0])
                return False

        passwords.nobodys()
        monkeypatch.setattr(passwords, "HASHER", Watched())
        authenticate(service.engine, "nobody", "wrong")
        authenticate(service.engine, "Mei", "wrong")
        authenticate(service.engine, "Mei", "x" * 5_000)
        assert tried == ["$argon2id$v=19$m=19456,t=2,p=1"] * 3

    def test_a_hash_of_other_costs_is_made_anew_at_sign_in(
        self, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(passwords, "HASHER", PasswordHasher(1, 8, 1))
        create(service.engine, "Mei", "player", PASSWORD)
        monkeypatch.undo()
        assert rows(service, Account)[0].password.startswith("$argon2id$v=19$m=8,")
        assert authenticate(service.engine, "Mei", PASSWORD) is not None
        assert rows(service, Account)[0].password.startswith("$argon2id$v=19$m=19456,")
        assert authenticate(service.engine, "Mei", PASSWORD) is not None

    def test_the_last_admin_stays_one(self, service: Service) -> None:
        one = create(service.engine, "One", "admin", PASSWORD)
        other = create(service.engine, "Other", "admin", PASSWORD)
        accounts.bar(service.engine, other)
        for doing in (
            partial(accounts.bar, service.engine, one),
            partial(accounts.set_role, service.engine, one, "player"),
            partial(closed, service, one),
        ):
            with pytest.raises(BadAccount) as caught:
                doing()
            assert caught.value.why == "problem.last"
        accounts.unbar(service.engine, other)
        accounts.set_role(service.engine, one, "player")
        assert [one.role for one in accounts.listed(service.engine, Asked(), 0, 9)] == ["player", "admin"]

    def test_are_listed_by_name_and_role(self, service: Service) -> None:
        for name, role in (("Wang Fang", "player"), ("Mei", "arbiter"), ("100%", "player")):
            create(service.engine, name, role, PASSWORD)
        found = {
            asked: [one.name for one in accounts.listed(service.engine, asked, 0, 9)]
            for asked in (Asked(), Asked("FANG"), Asked("%"), Asked("", "arbiter"), Asked("_"))
        }
        assert list(found.values()) == [
            ["100%", "Mei", "Wang Fang"],
            ["Wang Fang"],
            ["100%"],
            ["Mei"],
            [],
        ]
        assert [accounts.count(service.engine, asked) for asked in found] == [3, 1, 1, 1, 0]

    def test_a_closed_one_has_no_name_and_its_name_is_free(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        secret, token = begin(service.engine, made), make_token(service.engine, made, "bot", None)
        closed(service, made)
        assert entered(service.engine, secret) is None
        assert entered_by(service.engine, token) is None
        assert authenticate(service.engine, "Mei", PASSWORD) is None
        assert authenticate(service.engine, "", "") is None
        assert names_of(service.engine, [made, "local", made]) == {made: "", "local": ""}
        assert names_of(service.engine, [create(service.engine, "Mei", "player", PASSWORD)]) != {made: ""}


def closed(service: Service, account_id: str) -> None:
    """Close an account, and no more."""
    with writing(service.engine) as session:
        accounts.close(session, account_id)


class TestSignIns:
    def test_u8_hold_what_hashes_to_their_id_and_no_more(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        secret = begin(service.engine, made)
        (row,) = rows(service, SignIn)
        assert row.id == hashlib.sha256(secret.encode()).hexdigest()
        assert len(secret) == 43
        found = entered(service.engine, secret)
        assert found is not None
        assert (found.account.id, found.sign_in, found.token) == (made, row.id, None)
        for wrong in ("", row.id, secret[:-1], "x" * 5_000, "half\ud800pair"):
            assert entered(service.engine, wrong) is None

    def test_v7_2_4_a_new_one_ends_the_one_before(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        first = begin(service.engine, made)
        second = begin(service.engine, made, before=first)
        assert first != second
        assert entered(service.engine, first) is None
        assert entered(service.engine, second) is not None

    def test_v7_3_2_end_after_twelve_hours_however_busy(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        secret = begin(service.engine, made)
        for _ in range(LIFETIME_MS // (IDLE_MS - 60_000)):
            later(service, IDLE_MS - 60_000)
            assert entered(service.engine, secret) is not None
        later(service, IDLE_MS - 60_000)
        assert entered(service.engine, secret) is None

    def test_v7_3_1_end_when_nothing_was_asked_for_two_hours(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        secret = begin(service.engine, made)
        later(service, IDLE_MS + 1_000)
        assert entered(service.engine, secret) is None
        assert sign_ins_of(service.engine, made) == []
        begin(service.engine, made)
        assert len(rows(service, SignIn)) == 1

    def test_v7_4_1_end_when_they_are_ended(self, service: Service) -> None:
        mei, li = (create(service.engine, name, "player", PASSWORD) for name in ("Mei", "Li"))
        first, second, third = (begin(service.engine, one) for one in (mei, mei, li))
        here = sign_ins_of(service.engine, li)[0].id
        end(service.engine, mei, here)
        assert entered(service.engine, third) is not None
        end(service.engine, li, here)
        assert entered(service.engine, third) is None
        kept = entered(service.engine, first)
        assert kept is not None
        end_all(service.engine, mei, keep=kept.sign_in)
        assert entered(service.engine, first) is not None
        assert entered(service.engine, second) is None

    @pytest.mark.parametrize("what", ["bar", "role", "password"])
    def test_v7_4_2_v7_4_3_end_with_a_bar_another_role_and_another_password(
        self, service: Service, what: str
    ) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        secret = begin(service.engine, made)
        account = by_name(service.engine, "Mei")
        assert account is not None
        accounts.set_role(service.engine, made, "player")
        assert entered(service.engine, secret) is not None
        {
            "bar": lambda: accounts.bar(service.engine, made),
            "role": lambda: accounts.set_role(service.engine, made, "arbiter"),
            "password": lambda: accounts.set_password(service.engine, account, "another one"),
        }[what]()
        assert entered(service.engine, secret) is None
        assert rows(service, SignIn) == []


class TestTokens:
    def test_are_kept_as_digests_and_end(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        token = make_token(service.engine, made, "bot", 60_000)
        (row,) = rows(service, Token)
        assert row.sha256 == hashlib.sha256(token.encode()).hexdigest()
        found = entered_by(service.engine, token)
        assert found is not None
        assert (found.account.id, found.sign_in, found.token) == (made, None, row.id)
        assert rows(service, Token)[0].used is not None
        assert entered(service.engine, token) is None
        for wrong in ("", "rpl_", token[:-1], token[4:], "rpl_" + "x" * 5_000):
            assert entered_by(service.engine, wrong) is None
        later(service, 61_000)
        assert entered_by(service.engine, token) is None
        assert tokens_of(service.engine, made) == []

    def test_are_revoked_by_whose_they_are(self, service: Service) -> None:
        mei, li = (create(service.engine, name, "player", PASSWORD) for name in ("Mei", "Li"))
        token = make_token(service.engine, mei, "bot", None)
        (row,) = tokens_of(service.engine, mei)
        assert not revoke(service.engine, li, row.id)
        assert entered_by(service.engine, token) is not None
        assert revoke(service.engine, mei, row.id)
        assert not revoke(service.engine, mei, row.id)
        assert entered_by(service.engine, token) is None

    def test_of_who_is_barred_are_good_for_nothing(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        token = make_token(service.engine, made, "bot", None)
        accounts.bar(service.engine, made)
        assert entered_by(service.engine, token) is None

    def test_are_so_many_at_most(self, service: Service) -> None:
        made = create(service.engine, "Mei", "player", PASSWORD)
        for number in range(MOST_TOKENS):
            make_token(service.engine, made, f"bot {number}", None)
        with pytest.raises(TooMany):
            make_token(service.engine, made, "one more", None)
        revoke(service.engine, made, tokens_of(service.engine, made)[0].id)
        make_token(service.engine, made, "one more", None)


class TestAttempts:
    def test_t20_the_eleventh_waits_until_the_first_is_a_minute_old(self, service: Service) -> None:
        for _ in range(10):
            assert attempt(service.engine, (SIGN_IN_ADDRESS, "192.0.2.1")) == 0
        wait = attempt(service.engine, (SIGN_IN_ADDRESS, "192.0.2.1"))
        assert 0 < wait <= 60_000
        assert attempt(service.engine, (SIGN_IN_ADDRESS, "192.0.2.2")) == 0
        assert attempt(service.engine, (SIGN_IN_ACCOUNT, "192.0.2.1")) == 0
        later(service, 60_001)
        assert attempt(service.engine, (SIGN_IN_ADDRESS, "192.0.2.1")) == 0

    def test_t20_one_that_is_refused_counts_for_nothing(self, service: Service) -> None:
        for _ in range(10):
            attempt(service.engine, (SIGN_IN_ACCOUNT, "mei"))
        for number in range(5):
            assert attempt(service.engine, (SIGN_IN_ADDRESS, f"192.0.2.{number}"), (SIGN_IN_ACCOUNT, "mei"))
        assert len(rows(service, Attempt)) == 10

    def test_what_was_tried_is_kept_as_a_digest_and_forgotten_after_an_hour(self, service: Service) -> None:
        attempt(service.engine, (SIGN_UP, "192.0.2.1"))
        (row,) = rows(service, Attempt)
        assert row.subject == hashlib.sha256(b"sign-up\x00192.0.2.1").hexdigest()
        later(service, SIGN_UP.within_ms + 1_000)
        attempt(service.engine, (SIGN_UP, "192.0.2.2"))
        assert len(rows(service, Attempt)) == 1

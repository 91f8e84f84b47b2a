"""Every operation of the interface, once each: what it answers is what the document says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from replay import load_profile
from replay.house import started
from replay.jobs.service import Service
from replay.store.cases.moves import MOVES
from replay.store.signing_in import make_token
from replay.store.tables import Share
from replay.web.api import OPERATIONS
from replay.web.api.models import Lang
from replay.wording import languages
from tests.jobs.working import rows

from .asking import NOBODY, SAME_ORIGIN, Browser, sample
from .programs import V1, Program
from .signing import PASSWORD, account_of, accounts_service, anonymous, signed_in, with_password

CLAIMED = sample("chengdu/misclaimed-settlement")
CLAUSE = {"document": "the rules", "section": "1", "text": "as it is written"}


@dataclass
class World:
    """A service with a player, another one, an arbiter and an admin, and a report of the player with a case."""

    player: Program
    other: Program
    arbiter: Program
    admin: Program
    upload: str
    audit: str
    report: str
    steps: Iterator[int] = field(default_factory=count)

    @property
    def service(self) -> Service:
        """The service of all of them."""
        return self.player.service

    def case(self, **more: Any) -> Any:
        """A case that the player opened, with the other as a party."""
        about = {"report": self.report, "hand": 0, "action": next(self.steps), "kind": "legality"}
        body = about | {"text": "was it?", "seat": 0}
        parties = {"parties": [{"name": "Bai", "seat": 1}]}
        return self.player.get("open_case", body=body | parties | more)

    def taken(self, **more: Any) -> Any:
        """A case that the arbiter has."""
        return self.arbiter.get("case_take", case_id=self.case(**more)["id"], body={})

    def decided(self) -> Any:
        """A case that the arbiter has decided."""
        body = {"instance": "first", "ruling": "legal", "clause": CLAUSE, "text": "it was"}
        return self.arbiter.get("case_decide", case_id=self.taken()["id"], body=body)


def named(service: Service, name: str, role: str) -> Program:
    """A program with a token of an account."""
    token = make_token(service.engine, account_of(service, name, role), "test", None)
    return Program(anonymous(service).client, service, token)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The world, made once for all operations."""
    with accounts_service(tmp_path_factory.mktemp("api") / "data", uploads_an_hour=0) as service:
        roles = {"An": "player", "Bai": "player", "Cao": "arbiter", "Deng": "admin"}
        player, other, arbiter, admin = (named(service, name, role) for name, role in roles.items())
        taken = player.take(CLAIMED, name="claimed.json")
        inside = player.get("documents", upload_id=taken["id"])
        yield World(
            player, other, arbiter, admin, taken["id"], taken["audit"], inside["items"][0]["report"]["id"]
        )


def sitting(world: World, name: str, role: str) -> Program:
    """A browser that is signed in, as a page of this service asks."""
    browser = signed_in(Browser(world.player.client.application.test_client(), world.service), name, role)
    return Program(browser.client, world.service, headers=SAME_ORIGIN)


def house(world: World) -> Any:
    """A house rule set of the player."""
    return world.player.ask("keep", body=started(load_profile("chengdu"), "our-room"))


def with_file(world: World, what: str) -> Any:
    """What a move with a file answers, and the file."""
    case = world.case()["id"]
    answer = world.player.client.post(
        f"{V1}/cases/{case}/files",
        data={"file": (BytesIO(b"seen"), "seen.png"), "text": "a picture"},
        headers={"Authorization": f"Bearer {world.player.token}"},
    )
    world.player.hold("case_evidence", answer)
    if what == "case_evidence":
        return answer
    return world.player.ask("case_file", case_id=case, file_id=answer.get_json()["files"][0]["id"])


Call = Callable[[World], Any]

CALLS: dict[str, Call] = {
    "me": lambda w: w.player.ask("me"),
    # uploads
    "uploads": lambda w: w.player.ask("uploads"),
    "take_in": lambda w: w.player.ask("take_in", data=b"another", kind="application/octet-stream"),
    "upload": lambda w: w.player.ask("upload", upload_id=w.upload),
    "progress": lambda w: w.player.ask("progress", upload_id=w.upload, query={"audit": w.audit}),
    "documents": lambda w: w.player.ask("documents", upload_id=w.upload),
    "audit": lambda w: w.player.ask("audit", upload_id=w.upload, body={"rules": "chengdu"}),
    "aside": lambda w: w.player.ask("aside", upload_id=w.upload),
    "try_again": lambda w: w.player.ask("try_again", upload_id=w.upload, body={}),
    "remove": lambda w: w.player.ask("remove", upload_id=w.player.get("take_in", data=b"to go")["id"]),
    # reports
    "reports": lambda w: w.player.ask("reports", query={"verdict": "findings"}),
    "report": lambda w: w.player.ask("report", report_id=w.report),
    "report_about": lambda w: w.player.ask("report_about", report_id=w.report),
    "log": lambda w: w.player.ask("log", report_id=w.report),
    "findings": lambda w: w.player.ask("findings", report_id=w.report),
    "explanation": lambda w: w.player.ask("explanation", report_id=w.report),
    "hands": lambda w: w.player.ask("hands", report_id=w.report),
    "hand": lambda w: w.player.ask("hand", report_id=w.report, hand=0),
    "steps": lambda w: w.player.ask("steps", report_id=w.report, hand=0, query={"size": 200}),
    "step": lambda w: w.player.ask("step", report_id=w.report, hand=0, step=3),
    "player": lambda w: w.player.ask("player", query=player_asked(w)),
    "report_paper": lambda w: w.player.ask("report_paper", report_id=w.report, query={"hand": 0}),
    "report_views": lambda w: w.player.ask("report_views", report_id=w.report),
    # shares
    "share": lambda w: w.player.ask("share", report_id=w.report, body={"seat": 1, "lasts": "7"}),
    "shares": lambda w: w.player.ask("shares", report_id=w.report),
    "unshare": lambda w: w.player.ask("unshare", report_id=w.report, share_id=shared(w)),
    # rule sets
    "rule_sets": lambda w: w.player.ask("rule_sets"),
    "rule_set": lambda w: w.player.ask("rule_set", rules_id="chengdu"),
    "compare": lambda w: w.player.ask("compare", query={"set": ["chengdu", "xueliu"]}),
    "house_list": lambda w: w.player.ask("house_list"),
    "keep": house,
    "start": lambda w: w.player.ask(
        "start", body={"base": "chengdu", "id": "begun", "values": {"cap_fan": 5}}
    ),
    "house": lambda w: w.player.ask("house", house_id=house(w).get_json()["id"]),
    # catalogue
    "catalogue_findings": lambda w: w.player.ask("catalogue_findings"),
    "catalogue_finding": lambda w: w.player.ask("catalogue_finding", code="ACT023"),
    "catalogue_fans": lambda w: w.player.ask("catalogue_fans", query={"lang": "zh-Hant"}),
    "catalogue_items": lambda w: w.player.ask("catalogue_items"),
    # cases
    "cases": lambda w: w.arbiter.ask("cases", query={"state": "waiting"}),
    "open_case": lambda w: w.player.ask(
        "open_case", body={"report": w.report, "hand": 0, "kind": "legality", "text": "was it?"}
    ),
    "case": lambda w: w.other.ask("case", case_id=w.case()["id"]),
    "case_statement": lambda w: w.other.ask("case_statement", case_id=w.case()["id"], body={"text": "no"}),
    "case_pin": lambda w: w.player.ask("case_pin", case_id=w.case()["id"], body={"step": 2, "text": "here"}),
    "case_note": lambda w: w.player.ask(
        "case_note", case_id=w.case()["id"], body={"finding": 0, "text": "this"}
    ),
    "case_party": lambda w: w.player.ask(
        "case_party", case_id=w.case(parties=[])["id"], body={"name": "bai"}
    ),
    "case_evidence": lambda w: with_file(w, "case_evidence"),
    "case_file": lambda w: with_file(w, "case_file"),
    "case_take": lambda w: w.arbiter.ask("case_take", case_id=w.case()["id"], body={}),
    "case_release": lambda w: w.arbiter.ask("case_release", case_id=w.taken()["id"], body={}),
    "case_ask": lambda w: w.arbiter.ask("case_ask", case_id=asked(w), body=question(w)),
    "case_answer": lambda w: answered(w),
    "case_decide": lambda w: w.arbiter.ask(
        "case_decide",
        case_id=w.taken()["id"],
        body={
            "instance": "first",
            "ruling": "illegal",
            "clause": CLAUSE,
            "canned": "broken",
            "payments": [{"source": 0, "target": 1, "amount": 8}],
        },
    ),
    "case_appeal": lambda w: w.other.ask("case_appeal", case_id=w.decided()["id"], body={"text": "no"}),
    "case_withdraw": lambda w: w.player.ask("case_withdraw", case_id=w.case()["id"], body={}),
    "case_paper": lambda w: w.player.ask("case_paper", case_id=w.case()["id"]),
    # accounts
    "tokens": lambda w: w.player.ask("tokens"),
    "new_token": lambda w: sitting(w, "An", "player").ask("new_token", body={"name": "mine", "lasts": "30"}),
    "revoke_token": lambda w: w.other.ask("revoke_token", token_id=spare_token(w)),
    "accounts": lambda w: sitting(w, "Deng", "admin").ask("accounts", query={"role": "arbiter"}),
    "new_account": lambda w: sitting(w, "Deng", "admin").ask(
        "new_account", body={"name": "Er", "role": "player"}
    ),
    "account": lambda w: sitting(w, "Deng", "admin").ask("account", account_id=account_of(w.service, "Bai")),
    "change_account": lambda w: sitting(w, "Deng", "admin").ask(
        "change_account", account_id=account_of(w.service, "Fu"), body={"role": "arbiter", "barred": True}
    ),
    "sign_ins": lambda w: sitting(w, "An", "player").ask("sign_ins"),
    "end_others": lambda w: sitting(w, "An", "player").ask("end_others"),
    "end_sign_in": lambda w: signed_out(sitting(w, "An", "player")),
    "revoke_tokens": lambda w: sitting(w, "Ji", "player").ask("revoke_tokens"),
    "my_export": lambda w: sitting(w, "An", "player").ask("my_export"),
    "my_password": lambda w: with_own(w, "Gu").ask(
        "my_password", body={"current": PASSWORD, "password": "another one"}
    ),
    "my_closing": lambda w: with_own(w, "He").ask("my_closing", body={"current": PASSWORD}),
    # verdict log
    "verdict_log": lambda w: w.player.ask("verdict_log"),
    "checkpoints": lambda w: w.player.ask("checkpoints"),
    "checkpoint": lambda w: w.player.ask("checkpoint", size=checkpointed(w)),
}
"""A call of every operation that ends well."""


def player_asked(world: World) -> dict[str, str]:
    """The arguments by which a player of the report is asked for."""
    found = world.player.get("reports")["items"]
    seat = next(one for hit in found for one in hit["players"] if one["name"])
    return {"platform": seat["platform"], "player": seat["player"], "name": seat["name"]}


def shared(world: World) -> str:
    """The id of a link."""
    world.player.get("share", report_id=world.report, body={"lasts": "1"})
    return str(rows(world.service, Share, report_id=world.report)[0].id)


def asked(world: World) -> str:
    """The id of a case that the arbiter has."""
    return str(world.taken()["id"])


def question(world: World) -> dict[str, Any]:
    """A question to the other party."""
    return {"whom": [account_of(world.service, "Bai")], "text": "why?"}


def answered(world: World) -> Any:
    """The answer to a question."""
    case = asked(world)
    world.arbiter.get("case_ask", case_id=case, body=question(world))
    return world.other.ask("case_answer", case_id=case, body={"text": "because"})


def spare_token(world: World) -> str:
    """The id of a further token of the other."""
    make_token(world.service.engine, account_of(world.service, "Bai"), "spare", None)
    found = world.other.get("tokens")["items"]
    return next(str(one["id"]) for one in found if one["name"] == "spare")


def with_own(world: World, name: str) -> Program:
    """A browser that is signed in as a new account with a password."""
    with_password(world.service, name)
    return sitting(world, name, "player")


def signed_out(program: Program) -> Any:
    """What is answered to a browser that signs itself out."""
    (here,) = [one["id"] for one in program.get("sign_ins")["items"] if one["here"]]
    return program.ask("end_sign_in", sign_in=here)


def checkpointed(world: World) -> int:
    """The size of a log that a checkpoint was made of."""
    world.case()
    return int(world.player.get("checkpoints")["items"][0]["size"])


@pytest.mark.parametrize("name", OPERATIONS)
def test_t17_an_operation_answers_as_the_document_says(world: World, name: str) -> None:
    answer = CALLS[name](world)
    assert answer.status_code in OPERATIONS[name].answers, answer.text


def test_every_operation_is_called() -> None:
    assert CALLS.keys() == OPERATIONS.keys()


def test_every_move_of_a_case_can_be_made() -> None:
    moves = {"open_case", *(name for name in OPERATIONS if name.startswith("case_"))}
    moves -= {"case_file", "case_paper"}
    # An appeal is taken and closed by the operations of the first instance.
    assert len(moves) == len(MOVES.keys() - {"retaken", "closed"}) + 1


def test_the_document_is_sound(world: World) -> None:
    document = world.player.document
    assert document["openapi"] == "3.1.0"
    for shape in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(shape)
    names = set(document["components"]["schemas"])
    assert {ref.rpartition("/")[2] for ref in references(document)} <= names
    ids = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert len(ids) == len(set(ids)) == len(OPERATIONS)


def references(shape: Any) -> Iterator[str]:
    """The references in a document."""
    if isinstance(shape, dict):
        yield from (each for key, each in shape.items() if key == "$ref" and isinstance(each, str))
        for each in shape.values():
            yield from references(each)
    elif isinstance(shape, list):
        for each in shape:
            yield from references(each)


def test_every_language_can_be_asked_for() -> None:
    assert set(Lang.__args__) == set(languages())  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [name for name, one in OPERATIONS.items() if not one.anyone])
def test_u7_nobody_who_is_not_signed_in_is_told_anything(world: World, name: str) -> None:
    nobody = Program(world.player.client.application.test_client(), world.service)
    made = OPERATIONS[name]
    places = dict.fromkeys(("upload_id", "report_id", "house_id", "case_id", "file_id", "share_id"), NOBODY)
    places |= {"token_id": NOBODY, "account_id": NOBODY, "sign_in": NOBODY, "hand": "0", "step": "0"}
    body: dict[str, Any] | None = None if made.method == "GET" else {}
    answer = nobody.client.open(V1 + made.path.format(**places), method=made.method, json=body)
    nobody.hold(name, answer)
    assert (answer.status_code, answer.get_json()["code"]) == (401, "401")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_what_everybody_may_know_is_told_to_everybody(world: World) -> None:
    nobody = Program(world.player.client.application.test_client(), world.service)
    for name in (
        "rule_sets",
        "catalogue_findings",
        "catalogue_fans",
        "catalogue_items",
        "verdict_log",
        "checkpoints",
    ):
        nobody.get(name)
    assert nobody.ask("compare", query={"set": ["chengdu", f"house:{NOBODY}"]}).status_code == 401


def test_what_a_program_names_wrongly_in_a_case_is_said_as_it_sent_it(world: World) -> None:
    case = world.taken()["id"]
    refused = world.arbiter.ask("case_ask", case_id=case, body={"whom": ["Bai"], "text": "?"})
    (wrong,) = refused.get_json()["errors"]
    assert (refused.status_code, wrong["pointer"], wrong["found"]) == (422, "/whom/0", "Bai")
    assert "id of the account" in wrong["expected"]
    for at in (1, 7):
        refused = world.player.ask("case_statement", case_id=case, body={"text": "x", "corrects": at})
        (wrong,) = refused.get_json()["errors"]
        assert (refused.status_code, wrong["pointer"], wrong["found"]) == (422, "/corrects", str(at))
    told = world.player.get("case_statement", case_id=case, body={"text": "x", "corrects": 0})
    assert told["entries"][-1]["body"]["corrects"] == told["entries"][0]["position"] == 0

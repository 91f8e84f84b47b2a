"""T17: requests made up from the document, as nobody, a player and an arbiter: no fault of ours, no status untold."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from replay.store.signing_in import make_token
from replay.web.api import OPERATIONS

from .asking import NOBODY, sample
from .programs import V1, Program
from .signing import account_of, accounts_service, anonymous

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 34
"""Made-up requests of an operation; each is sent by all three, so that it is asked more than a hundred times."""


@dataclass
class Target:
    """The interface of a service with something in it, a token by role ("" for nobody), and ids that there are."""

    interface: Any
    tokens: dict[str, str]
    ids: dict[str, str]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """The target, made once."""
    with accounts_service(tmp_path_factory.mktemp("fuzz") / "data", uploads_an_hour=0) as service:
        client = anonymous(service).client
        tokens = {"nobody": ""}
        for role in ("player", "arbiter"):
            tokens[role] = make_token(service.engine, account_of(service, role, role), "fuzz", None)
        player = Program(client, service, tokens["player"])
        taken = player.take(sample("chengdu/misclaimed-settlement"))
        report = player.get("documents", upload_id=taken["id"])["items"][0]["report"]["id"]
        about = {"report": report, "hand": 0, "kind": "legality", "text": "was it?"}
        case = player.get("open_case", body=about)["id"]
        ids = {"upload_id": taken["id"], "report_id": report, "case_id": case, "hand": 0, "step": 1}
        ids |= {"code": "ACT023", "rules_id": "chengdu", "size": 1}
        interface = schemathesis.openapi.from_wsgi(f"{V1}/openapi.json", client.application)
        yield Target(interface, tokens, {**dict.fromkeys(("house_id", "file_id"), NOBODY), **ids})


def cases(target: Target, name: str) -> st.SearchStrategy[Any]:
    """Requests of an operation: as they should be, of things that there are, and as they should not be."""
    made = OPERATIONS[name]
    operation = target.interface[V1 + made.path][made.method]
    known = {part: target.ids.get(part, NOBODY) for part in made.places}
    right = operation.as_strategy(GenerationMode.POSITIVE)
    there = operation.as_strategy(GenerationMode.POSITIVE, path_parameters=known)
    wrong = operation.as_strategy(GenerationMode.NEGATIVE)
    return st.one_of(right, there, wrong)


@pytest.mark.parametrize("name", OPERATIONS)
def test_t17_whatever_is_sent_is_answered(target: Target, name: str) -> None:
    @given(case=cases(target, name))
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def answered(case: Any) -> None:
        for token in target.tokens.values():
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            case.call_and_validate(headers=headers, checks=CHECKS)

    answered()

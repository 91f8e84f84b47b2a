"""Cases: who may do what from where, that nobody decides his own, T12, and that nothing said is ever changed."""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import col

from replay.jobs.ingest import take
from replay.jobs.service import Service
from replay.store.accounts import create, set_role
from replay.store.cases.deciding import (
    LARGEST_AMOUNT,
    RULINGS,
    Decision,
    Effect,
    answer,
    appeal,
    ask,
    decide,
    net,
    release,
    withdraw,
)
from replay.store.cases.deciding import take as take_case
from replay.store.cases.moves import (
    APPEAL_MS,
    FREE,
    HOLDER,
    MOVES,
    OPENER,
    PARTY,
    Where,
    after,
    may,
    standings,
)
from replay.store.cases.opening import MOST_OPEN, About, IsStaff, Looked, Same, open_case
from replay.store.cases.reading import Case, Wanted, case_of, cases_about, count_cases, list_cases
from replay.store.cases.saying import (
    MOST_FILES,
    IsParty,
    Kept,
    NothingToCorrect,
    add_party,
    attach,
    evidence_bytes,
    note_finding,
    pin_step,
    refuse_file,
    state_words,
)
from replay.store.cases.writing import (
    KEPT_BACK,
    LONGEST_TEXT,
    Actor,
    Full,
    NotAllowed,
    TooLate,
    count_entries,
)
from replay.store.database import reading, writing
from replay.store.removing import remove_files
from replay.store.tables import Dispute, DisputeEntry, Report, VerdictRow
from replay.store.tables.disputes import DISPUTE_KINDS, DISPUTE_STATES
from tests.jobs.working import LOGS, rows, work

OWNER, OTHER = Actor("owner", "player"), Actor("other", "player")
FIRST, SECOND, THIRD = (Actor(name, "arbiter") for name in ("first", "second", "third"))
ADMIN = Actor("boss", "admin")
LOOKED = Looked("1" * 64, "2" * 64, "sha256:" + "3" * 64)
EVERY = Wanted()
CLAUSE = {"document": "000", "section": "§2.6", "text": "不能弃先胡后"}
DECISION = Decision("legal", "illegal", CLAUSE, "It was no 过水.", "", (Effect(0, 1, 2),))


@pytest.fixture
def report(service: Service) -> str:
    """A report that `OWNER` owns."""
    take(service, [LOGS[0]], "game.json", owner=OWNER.id)
    work(service)
    (row,) = rows(service, Report)
    return str(row.id)


def opened(
    service: Service, report: str, opener: Actor = OWNER, kind: str = "legality", action: int = 3
) -> str:
    about = About(kind, report, 0, action=action)
    return open_case(service.engine, opener.id, about, LOOKED, {"text": "Look."}, {OTHER.id: 2}, step=4)


def read(service: Service, case: str) -> Case:
    found = case_of(service.engine, case)
    assert found is not None
    return found


# The table -------------------------------------------------------------------------------------------

FROM = {
    "open": ("taken", "withdrawn"),
    "taken": ("asked", "decided", "released", "withdrawn"),
    "asked": ("answered", "decided", "released", "withdrawn"),
    "decided": ("appealed",),
    "appealed": ("retaken",),
    "retaken": ("asked", "closed", "released"),
    "asked again": ("answered", "closed", "released"),
    "closed": (),
    "withdrawn": (),
}
"""Every place a case can stand at, and the moves on from there, beside what is said."""

SPEECH = ("party", "statement", "pin", "note", "evidence")
SPOKEN_IN = ("open", "taken", "asked", "appealed", "retaken", "asked again")
PEOPLE = {
    "opener": (Actor("opener", "player"), {PARTY, OPENER}),
    "party": (Actor("party", "player"), {PARTY}),
    "party who is an arbiter": (Actor("party", "arbiter"), {PARTY}),
    "owner who is an arbiter": (Actor("owner", "arbiter"), set()),
    "first arbiter": (FIRST, {"first"}),
    "second arbiter": (SECOND, {"second"}),
    "other arbiter": (THIRD, {"free"}),
    "first arbiter, demoted": (Actor("first", "player"), set()),
    "admin": (ADMIN, {"keeper"}),
    "admin who is a party": (Actor("party", "admin"), {PARTY}),
    "stranger": (Actor("nobody", "player"), set()),
}
DOES = {
    "taken": {"free", "first", "second"},
    "retaken": {"free", "second"},
    "released": {"holder", "keeper"},
    "asked": {"holder"},
    "decided": {"holder"},
    "closed": {"holder"},
    "answered": {PARTY},
    "appealed": {PARTY},
    "withdrawn": {OPENER},
    "party": {PARTY},
    "statement": {PARTY, "holder"},
    "pin": {PARTY, "holder"},
    "note": {PARTY, "holder"},
    "evidence": {PARTY, "holder"},
}


def place(name: str) -> Where:
    """A case that stands there, with the arbiters it had by then."""
    state = name.removesuffix(" again")
    arbiter = FIRST.id if name not in ("open", "withdrawn") else None
    second = SECOND.id if name in ("retaken", "asked again", "closed") else None
    return Where(state, arbiter, second)


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("name", FROM)
def test_every_state_and_move_and_person(name: str, move: str) -> None:
    for person in PEOPLE:
        is_allowed_as_stated(name, move, person)


def is_allowed_as_stated(name: str, move: str, person: str) -> None:
    stands, (actor, is_) = place(name), PEOPLE[person]
    is_ = set(is_)
    if {"first", "second"} & is_:
        holds = {"taken": "first", "asked": "first", "retaken": "second", "asked again": "second"}
        is_ |= {"holder"} if holds.get(name) in is_ else set()
    possible = move in FROM[name] or (move in SPEECH and name in SPOKEN_IN)
    standing = standings(stands, actor.id, actor.role, "opener", {"opener", "party"}, "owner")
    assert may(move, stands, standing) is (possible and bool(DOES[move] & is_)), person


def test_every_state_is_somewhere_and_every_move_leads_to_one() -> None:
    assert {place(name).state for name in FROM} == set(DISPUTE_STATES)
    reached = {after(move, place(name)) for name, move in product(FROM, MOVES)}
    assert reached == {*DISPUTE_STATES, None}
    assert set(RULINGS) == set(DISPUTE_KINDS)


def test_nobody_is_holder_and_party_or_decides_twice() -> None:
    for name, (actor, _) in product(FROM, PEOPLE.values()):
        standing = standings(place(name), actor.id, actor.role, "opener", {"opener", "party"}, "owner")
        assert not ({HOLDER, FREE} & standing and {PARTY, OPENER} & standing)
    first = standings(place("appealed"), FIRST.id, "arbiter", "opener", {"opener"}, "owner")
    assert not {HOLDER, FREE} & first


# The story -------------------------------------------------------------------------------------------


def test_a_case_goes_its_whole_way(service: Service, report: str) -> None:
    engine, case = service.engine, opened(service, report)
    assert [party.account for party in read(service, case).parties] == [OWNER.id, OTHER.id]
    state_words(engine, case, OTHER, "I saw it.")
    pin_step(engine, case, OWNER, 7, "Here.")
    note_finding(engine, case, OWNER, {"code": "ACT023", "action": 17}, "This one.")
    add_party(engine, case, OWNER, "third-party", None)
    take_case(engine, case, FIRST, read(service, case).where)
    ask(engine, case, FIRST, [OTHER.id], "When?")
    assert read(service, case).asked == [OTHER.id]
    answer(engine, case, OTHER, "Then.")
    decide(engine, case, FIRST, read(service, case).where, DECISION)
    assert read(service, case).appeal_until is not None
    appeal(engine, case, OTHER, "No.")
    take_case(engine, case, SECOND, read(service, case).where)
    ask(engine, case, SECOND, [OWNER.id], "Sure?")
    decide(engine, case, SECOND, read(service, case).where, DECISION)
    found = read(service, case)
    assert found.row.state == "closed"
    assert (found.row.arbiter, found.row.second) == (FIRST.id, SECOND.id)
    assert [entry.kind for entry in found.entries] == [
        *("opened", "statement", "pin", "note", "party", "taken", "asked", "answered"),
        *("decided", "appealed", "retaken", "asked", "closed"),
    ]
    assert [entry.position for entry in found.entries] == list(range(13))
    assert found.entries[2].looked == {
        "report": LOOKED.report,
        "log": LOOKED.log,
        "rules": LOOKED.rules,
        "hand": 0,
        "step": 7,
    }
    assert found.decisions[0].body["agrees"] is False
    assert found.decisions[0].body["effects"] == [{"from": 0, "to": 1, "amount": 2}]


def test_d7_each_entry_stands_in_the_log_with_its_digest(service: Service, report: str) -> None:
    case = opened(service, report)
    state_words(service.engine, case, OTHER, "I saw it.")
    entries = rows(service, DisputeEntry)
    logged = {row.subject: row for row in rows(service, VerdictRow) if row.kind.startswith("case.")}
    assert len(entries) == 2
    for entry in entries:
        row = logged[entry.id]
        assert (row.kind, row.actor) == (f"case.{entry.kind}", entry.actor)
        assert (row.payload_sha256, row.ruleset) == (entry.sha256, LOOKED.rules)
        assert json.loads(entry.payload)["at"] == entry.at


def test_d7_what_was_said_cannot_be_changed_or_taken_away(service: Service, report: str) -> None:
    opened(service, report)
    before = [row.payload for row in rows(service, DisputeEntry)]
    for statement in ("UPDATE dispute_entry SET payload = '{}'", "DELETE FROM dispute_entry"):
        with pytest.raises(DBAPIError, match="only ever added"), service.engine.begin() as connection:
            connection.execute(text(statement))
    assert [row.payload for row in rows(service, DisputeEntry)] == before


def test_a_move_that_is_refused_leaves_nothing(service: Service, report: str) -> None:
    case = opened(service, report)
    before = len(rows(service, VerdictRow))
    for who in (OWNER, OTHER, ADMIN, Actor(OTHER.id, "arbiter"), Actor(OWNER.id, "arbiter")):
        with pytest.raises(NotAllowed):
            take_case(service.engine, case, who, Where("open"))
    with pytest.raises(NotAllowed):
        state_words(service.engine, case, Actor("stranger", "player"), "Hello.")
    with pytest.raises(TooLate):
        decide(service.engine, case, FIRST, Where("open"), DECISION)
    assert read(service, case).row.state == "open"
    assert len(rows(service, VerdictRow)) == before
    assert len(read(service, case).entries) == 1


def test_a_case_about_anothers_report_is_opened_by_its_parties_only(service: Service, report: str) -> None:
    with pytest.raises(NotAllowed):
        opened(service, report, Actor("stranger", "player"))
    with pytest.raises(NotAllowed):
        opened(service, report, FIRST)
    opened(service, report)
    second = read(service, opened(service, report, OTHER, "behaviour"))
    assert {party.account for party in second.parties} == {OTHER.id, OWNER.id}


def test_a_correction_names_one_of_its_makers_own_entries(service: Service, report: str) -> None:
    case = opened(service, report)
    state_words(service.engine, case, OTHER, "Step 7.")
    state_words(service.engine, case, OTHER, "Step 8.", corrects=1)
    found = read(service, case)
    assert found.entries[1].body == {"text": "Step 7."}
    assert found.entries[2].body == {"text": "Step 8.", "corrects": 1}
    for actor, position in ((OWNER, 1), (OTHER, 0), (OTHER, 9)):
        with pytest.raises(NothingToCorrect):
            state_words(service.engine, case, actor, "x", corrects=position)


def test_a_released_case_is_taken_by_another_and_the_first_stays_out_of_the_appeal(
    service: Service, report: str
) -> None:
    engine, case = service.engine, opened(service, report)
    take_case(engine, case, THIRD, Where("open"))
    release(engine, case, THIRD, "I know them.")
    assert read(service, case).row.arbiter is None
    take_case(engine, case, FIRST, Where("open"))
    decide(engine, case, FIRST, read(service, case).where, DECISION)
    appeal(engine, case, OWNER, "No.")
    with pytest.raises(NotAllowed):
        take_case(engine, case, FIRST, read(service, case).where)
    take_case(engine, case, SECOND, read(service, case).where)
    release(engine, case, SECOND, "")
    assert (read(service, case).row.state, read(service, case).row.second) == ("appealed", None)
    take_case(engine, case, THIRD, read(service, case).where)
    decide(engine, case, THIRD, read(service, case).where, DECISION)
    with pytest.raises(TooLate):
        appeal(engine, case, OWNER, "Again.")


def test_an_appeal_is_made_within_its_time(service: Service, report: str) -> None:
    engine, case = service.engine, opened(service, report)
    take_case(engine, case, FIRST, Where("open"))
    decide(engine, case, FIRST, read(service, case).where, DECISION)
    with writing(engine) as session:
        session.execute(update(Dispute).values(changed=col(Dispute.changed) - APPEAL_MS - 1))
    assert read(service, case).appeal_until is None
    with pytest.raises(TooLate):
        appeal(engine, case, OWNER, "No.")
    assert read(service, case).row.state == "decided"


def test_an_admin_relieves_an_arbiter_and_decides_nothing(service: Service, report: str) -> None:
    engine, case = service.engine, opened(service, report)
    take_case(engine, case, FIRST, Where("open"))
    with pytest.raises(NotAllowed):
        decide(engine, case, ADMIN, read(service, case).where, DECISION)
    release(engine, case, ADMIN, "Gone for good.")
    take_case(engine, case, SECOND, read(service, case).where)
    assert read(service, case).row.arbiter == SECOND.id


def test_who_was_not_asked_does_not_answer(service: Service, report: str) -> None:
    engine, case = service.engine, opened(service, report)
    take_case(engine, case, FIRST, Where("open"))
    ask(engine, case, FIRST, [OTHER.id], "When?")
    with pytest.raises(NotAllowed):
        answer(engine, case, OWNER, "Then.")
    answer(engine, case, OTHER, "Then.")
    ask(engine, case, FIRST, [OWNER.id], "And you?")
    with pytest.raises(NotAllowed):
        answer(engine, case, OTHER, "Again.")
    assert read(service, case).row.state == "asked"


def test_only_its_opener_withdraws_it(service: Service, report: str) -> None:
    case = opened(service, report)
    with pytest.raises(NotAllowed):
        withdraw(service.engine, case, OTHER, "")
    withdraw(service.engine, case, OWNER, "Settled.")
    with pytest.raises(TooLate):
        take_case(service.engine, case, FIRST, Where("open"))
    with pytest.raises(TooLate):
        state_words(service.engine, case, OWNER, "One more thing.")


def test_only_parties_are_asked_and_a_ruling_is_of_the_kind(service: Service, report: str) -> None:
    case = opened(service, report)
    take_case(service.engine, case, FIRST, Where("open"))
    for whom in ([], ["stranger"], [OTHER.id, "stranger"]):
        with pytest.raises(ValueError, match="only parties"):
            ask(service.engine, case, FIRST, whom, "When?")
    with pytest.raises(ValueError, match="no ruling"):
        decide(
            service.engine,
            case,
            FIRST,
            read(service, case).where,
            Decision("claimed", "", CLAUSE, "x"),
        )
    assert read(service, case).row.state == "taken"


# At once ---------------------------------------------------------------------------------------------


def at_once(*acts: Any) -> list[Any]:
    """What becomes of several acts that begin together."""
    ready = Barrier(len(acts))

    def run(act: Any) -> Any:
        ready.wait()
        try:
            return act()
        except (TooLate, NotAllowed, Same) as error:
            return type(error)

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_t12_of_two_arbiters_who_take_a_case_one_has_it(service: Service, report: str) -> None:
    for number in range(5):
        case = opened(service, report, action=number)
        takes = [
            partial(take_case, service.engine, case, who, Where("open")) for who in (FIRST, SECOND, THIRD)
        ]
        found = at_once(*takes)
        assert found.count(TooLate) == 2
        assert [entry.kind for entry in read(service, case).entries] == ["opened", "taken"]


def test_t12_of_two_who_decide_at_once_one_wins_and_the_other_comes_too_late(
    service: Service, report: str
) -> None:
    for number in range(5):
        case = opened(service, report, action=number)
        take_case(service.engine, case, FIRST, Where("open"))
        stands = read(service, case).where
        decides = [
            partial(decide, service.engine, case, who, stands, DECISION) for who in (FIRST, FIRST, SECOND)
        ]
        found = at_once(*decides)
        assert found.count(TooLate) == 2
        assert [entry.kind for entry in read(service, case).entries] == ["opened", "taken", "decided"]
        assert read(service, case).row.state == "decided"


def test_t12_nothing_is_decided_after_the_end(service: Service, report: str) -> None:
    engine, case = service.engine, opened(service, report)
    take_case(engine, case, FIRST, Where("open"))
    before = read(service, case).where
    decide(engine, case, FIRST, before, DECISION)
    appeal(engine, case, OWNER, "No.")
    take_case(engine, case, SECOND, read(service, case).where)
    late = read(service, case).where
    with pytest.raises(TooLate):
        decide(engine, case, SECOND, before, DECISION)
    decide(engine, case, SECOND, late, DECISION)
    for who, stands in product((FIRST, SECOND, THIRD), (before, late)):
        with pytest.raises(TooLate):
            decide(engine, case, who, stands, DECISION)
    assert len(read(service, case).decisions) == 2


def test_entries_that_are_made_at_once_are_all_there_in_one_order(service: Service, report: str) -> None:
    case = opened(service, report)
    found = at_once(
        *(lambda number=number: state_words(service.engine, case, OTHER, f"{number}") for number in range(8))
    )
    entries = read(service, case).entries
    assert [entry.position for entry in entries] == list(range(9))
    assert {entry.id for entry in entries[1:]} == set(found)


# Limits ----------------------------------------------------------------------------------------------


def test_a_case_ends_however_much_is_said(
    service: Service, report: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, most = opened(service, report), 30
    monkeypatch.setattr("replay.store.cases.writing.MOST_ENTRIES", most)
    for number in range(most - KEPT_BACK - 1):
        state_words(service.engine, case, OTHER, f"{number}")
    with pytest.raises(Full):
        state_words(service.engine, case, OTHER, "more")
    take_case(service.engine, case, FIRST, Where("open"))
    decide(service.engine, case, FIRST, read(service, case).where, DECISION)
    with reading(service.engine) as session:
        assert count_entries(session, case) == most - KEPT_BACK + 2


def test_a_text_is_bounded(service: Service, report: str) -> None:
    case = opened(service, report)
    state_words(service.engine, case, OTHER, "中" * LONGEST_TEXT)
    with pytest.raises(ValueError, match="at most"):
        state_words(service.engine, case, OTHER, "中" * (LONGEST_TEXT + 1))
    assert len(read(service, case).entries) == 2


def test_a_case_holds_so_many_files_and_so_many_parties(service: Service, report: str) -> None:
    case = opened(service, report)
    digest, size = service.blobs.keep([bytes(100)])
    for number in range(MOST_FILES):
        refuse_file(service.engine, case, OTHER)
        attach(service.engine, service.blobs, case, OTHER, Kept(f"{number}.txt", digest, size), "")
    with pytest.raises(Full):
        refuse_file(service.engine, case, OTHER)
    with pytest.raises(Full):
        attach(service.engine, service.blobs, case, OTHER, Kept("more.txt", digest, size), "")
    for number in range(6):
        add_party(service.engine, case, OWNER, f"p{number}", None)
    with pytest.raises(IsParty):
        add_party(service.engine, case, OWNER, "p1", None)
    with pytest.raises(Full):
        add_party(service.engine, case, OWNER, "more", None)
    with reading(service.engine) as session:
        assert evidence_bytes(session, OTHER.id) == 100 * MOST_FILES
        assert evidence_bytes(session, OWNER.id) == 0
    assert len(read(service, case).files) == MOST_FILES


def test_a_file_whose_bytes_are_not_kept_is_none_of_a_case(service: Service, report: str) -> None:
    case = opened(service, report)
    with pytest.raises(OSError, match="removed"):
        attach(service.engine, service.blobs, case, OTHER, Kept("a.txt", "4" * 64, 100), "")
    found = read(service, case)
    assert (len(found.entries), found.files) == (1, [])


def test_a_file_of_a_case_stays_while_files_that_nobody_needs_go(service: Service, report: str) -> None:
    case = opened(service, report)
    needed, size = service.blobs.keep([b"needed"])
    other, _ = service.blobs.keep([b"not needed"])
    attach(service.engine, service.blobs, case, OTHER, Kept("a.txt", needed, size), "")
    remove_files(service.engine, service.blobs, [needed, other])
    assert service.blobs.path(needed).exists()
    assert not service.blobs.path(other).exists()


@pytest.mark.parametrize("role", ["arbiter", "admin"])
def test_nobody_makes_staff_a_party(service: Service, report: str, role: str) -> None:
    staff = create(service.engine, "Somebody", role, "correct horse battery staple")
    case = opened(service, report)
    with pytest.raises(IsStaff) as refused:
        add_party(service.engine, case, OWNER, staff, None)
    assert refused.value.account == staff
    about = About("legality", report, 0, action=4)
    with pytest.raises(IsStaff):
        open_case(service.engine, OWNER.id, about, LOOKED, {"text": "x"}, {OTHER.id: None, staff: 2})
    assert [row.id for row in rows(service, Dispute)] == [case]
    assert len(read(service, case).entries) == 1


def test_staff_that_was_a_party_before_stays_one(service: Service, report: str) -> None:
    player = create(service.engine, "Somebody", "player", "correct horse battery staple")
    case = opened(service, report)
    add_party(service.engine, case, OWNER, player, None)
    set_role(service.engine, player, "arbiter")
    with pytest.raises(NotAllowed):
        take_case(service.engine, case, Actor(player, "arbiter"), read(service, case).where)


def test_staff_that_owns_the_report_is_a_party_by_itself(service: Service) -> None:
    staff = create(service.engine, "Somebody", "arbiter", "correct horse battery staple")
    take(service, [LOGS[0]], "game.json", owner=staff)
    work(service)
    (row,) = rows(service, Report)
    case = opened(service, str(row.id), Actor(staff, "arbiter"))
    assert staff in {party.account for party in read(service, case).parties}


def test_so_many_cases_of_one_opener_are_open(service: Service, report: str) -> None:
    made = [opened(service, report, action=number) for number in range(MOST_OPEN)]
    with pytest.raises(Full):
        opened(service, report, action=MOST_OPEN)
    withdraw(service.engine, made[0], OWNER, "")
    opened(service, report, action=MOST_OPEN)


def test_nobody_has_two_cases_about_just_the_same_at_a_time(service: Service, report: str) -> None:
    case = opened(service, report)
    with pytest.raises(Same) as refused:
        opened(service, report)
    assert refused.value.case_id == case
    others = opened(service, report, kind="amount"), opened(service, report, action=4)
    assert len({case, *others, opened(service, report, OTHER)}) == 4
    withdraw(service.engine, case, OWNER, "")
    opened(service, report)


def test_what_was_decided_is_appealed_and_not_opened_again(service: Service, report: str) -> None:
    case = opened(service, report)
    opened(service, report, action=9)
    take_case(service.engine, case, FIRST, read(service, case).where)
    decide(service.engine, case, FIRST, read(service, case).where, DECISION)
    for opener in (OWNER, OTHER):
        refused = same(service, report, opener)
        assert (refused.case_id, refused.decided, refused.over) == (case, True, False)
    opened(service, report, kind="behaviour")
    appeal(service.engine, case, OTHER, "No.")
    take_case(service.engine, case, SECOND, read(service, case).where)
    decide(service.engine, case, SECOND, read(service, case).where, DECISION)
    for opener in (OWNER, OTHER):
        refused = same(service, report, opener)
        assert (refused.case_id, refused.decided, refused.over) == (case, True, True)


def test_who_was_heard_does_not_come_again_with_the_same_log(service: Service, report: str) -> None:
    case = opened(service, report)
    take_case(service.engine, case, FIRST, read(service, case).where)
    decide(service.engine, case, FIRST, read(service, case).where, DECISION)
    theirs: dict[Actor, str] = {}
    for who in (OTHER, Actor("not heard", "player")):
        take(service, [LOGS[0]], "game.json", owner=who.id)
        work(service)
        theirs[who] = next(
            str(row.id) for row in rows(service, Report) if row.id not in {report, *theirs.values()}
        )
    heard, fresh = theirs
    assert same(service, theirs[heard], heard).case_id == case
    assert opened(service, theirs[fresh], fresh) != case


def same(service: Service, report: str, opener: Actor) -> Same:
    """Why there is no second case."""
    with pytest.raises(Same) as refused:
        opened(service, report, opener)
    return refused.value


def test_t12_of_two_cases_about_the_same_at_once_one_is_opened(service: Service, report: str) -> None:
    found = at_once(*[partial(opened, service, report) for _ in range(4)])
    assert found.count(Same) == 3
    assert len(rows(service, Dispute)) == 1


# Money -----------------------------------------------------------------------------------------------

SEATS = st.integers(0, 3)
PAYMENTS = st.lists(
    st.tuples(SEATS, SEATS, st.integers(1, LARGEST_AMOUNT)).filter(lambda each: each[0] != each[1]),
    max_size=12,
)


@given(PAYMENTS)
def test_what_a_decision_orders_makes_nothing_in_all(payments: list[tuple[int, int, int]]) -> None:
    effects = [Effect(*each) for each in payments]
    assert sum(net(effects)) == 0
    assert sum(abs(points) for points in net(effects)) <= 2 * sum(one.amount for one in effects)


@pytest.mark.parametrize(
    "wrong", [(0, 0, 1), (0, 4, 1), (-1, 0, 1), (0, 1, 0), (0, 1, -5), (0, 1, LARGEST_AMOUNT + 1)]
)
def test_a_payment_is_a_positive_amount_between_two_seats(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="a payment is"):
        Effect(*wrong)


# Lists -----------------------------------------------------------------------------------------------


def test_u7_everybody_lists_what_they_may_read(service: Service, report: str) -> None:
    engine = service.engine
    first, second = opened(service, report), opened(service, report, kind="amount")
    withdraw(engine, second, OWNER, "")

    def listed(who: Actor, wanted: Wanted = EVERY) -> list[str]:
        lines = list_cases(engine, who.id, who.role, wanted, 0, 10)
        assert len(lines) == count_cases(engine, who.id, who.role, wanted)
        return [line.row.id for line in lines]

    for who in (OWNER, OTHER, FIRST, ADMIN):
        assert listed(who) == [first, second]
    assert listed(Actor("stranger", "player")) == []
    assert listed(FIRST, Wanted(state="waiting")) == [first]
    assert listed(FIRST, Wanted(kind="amount")) == [second]
    assert listed(FIRST, Wanted(state="withdrawn", kind="legality")) == []
    assert [row.id for row in cases_about(engine, OTHER.id, "player", report, 0)] == [first, second]
    assert cases_about(engine, OTHER.id, "player", report, 1) == []
    assert list_cases(engine, FIRST.id, "arbiter", Wanted(), 1, 10)[0].row.id == second


def test_the_log_has_no_rows_that_no_entry_has(service: Service, report: str) -> None:
    case = opened(service, report)
    take_case(service.engine, case, FIRST, Where("open"))
    with reading(service.engine) as session:
        counted = select(func.count()).select_from(VerdictRow).where(col(VerdictRow.kind).like("case.%"))
        assert session.execute(counted).scalar_one() == len(read(service, case).entries)

"""The pages of cases as one group, who asks for them, and the only way to a case."""

from collections.abc import Sequence

from flask import Blueprint, abort

from replay.store.cases.moves import PARTY
from replay.store.cases.reading import Case, case_of, cases_about
from replay.store.cases.writing import Actor
from replay.store.tables import Dispute
from replay.store.tables.people import ADMIN, ARBITER
from replay.store.visible import record_view
from replay.web.footing import service
from replay.web.loading import Loaded, canonical, looked_at, report_or_404
from replay.web.viewer import LOCAL_ID, user

pages = Blueprint("cases", __name__, url_prefix="/cases")


def actor() -> Actor:
    """Who asks, as a case knows them."""
    asks = user()
    return Actor(asks.id, asks.role)


def is_local() -> bool:
    """Whether there are no accounts: then there is nobody who could decide a case."""
    return user().id == LOCAL_ID


def case_or_404(case_id: object) -> Case:
    """The case of this id, if it is there for whoever asks."""
    asks, found = actor(), case_of(service().engine, canonical(case_id))
    if found is None or not found.standing(asks.id, asks.role):
        abort(404)
    return found


def others_about(case: Case) -> Sequence[Dispute]:
    """The other cases about its hand that whoever asks may read, the oldest first."""
    asks, row = actor(), case.row
    found = cases_about(service().engine, asks.id, asks.role, row.report_id, row.hand)
    return [one for one in found if one.id != row.id]


def report_of(case: Case) -> Loaded:
    """The report that a case is about; that staff looks at its hand because of this case is written down."""
    asks = actor()
    if (
        asks.role in (ARBITER, ADMIN)
        and PARTY not in case.standing(asks.id, asks.role)
        and asks.id != case.owner
    ):
        record_view(service().engine, asks.id, case.row.report_id, case.row.hand, case.row.id, looked_at())
    return report_or_404(case.row.report_id, case.row.hand)

"""Operations T19: on no page that there is does a name or anything written act; every page has to be entered for it."""

from collections import defaultdict
from collections.abc import Mapping

from playwright.sync_api import Browser, Page

from replay.web.security import HEADERS

from .hostile import ROLES, Hostile
from .test_payloads import PAYLOADS, SHOWN
from .watching import Visitor

FOREIGN = (
    "img[src=x], iframe, math, base, bdo, meta[http-equiv=refresh], svg[onload], [onerror], [onload], [onfocus],"
    " [srcdoc], [href^='javascript:'], form[action*='example.org'], script:not([src^='/static/'])"
)
PARSED = (
    f"""(html) => new DOMParser().parseFromString(html, "text/html").querySelectorAll("{FOREIGN}").length"""
)
FOUND = f"""() => [...document.querySelectorAll("{FOREIGN}")].map((one) => one.outerHTML.slice(0, 80))"""

NAMELESS = {
    *("account.closing", "account.password", "signing.form", "signing.sign_up_form"),
    *("catalogue.finding", "catalogue.fan_page", "catalogue.index", "catalogue.item_page"),
    *("catalogue.rule_sets", "catalogue.rules_page", "catalogue.start", "catalogue.step"),
    *("cases.new", "credits.show", "explaining.show", "verdict_log.index", "api.book"),
}
"""Pages on which nobody's words stand; on every other one a payload has to be seen, or nothing was tried there."""

EXPECTED = {
    **{name: (value,) for name, value in HEADERS.items()},
    "Referrer-Policy": ("same-origin", "no-referrer"),
    "Content-Security-Policy": ("default-src 'none'",),
}
"""What every answer carries, by its beginning: a page with a secret in its address, or printed, is stricter."""


def lacking(headers: Mapping[str, str]) -> list[str]:
    """What an answer does not carry of what every answer does."""
    found = {name.lower(): value for name, value in headers.items()}
    return [name for name, those in EXPECTED.items() if not found.get(name.lower(), "").startswith(those)]


def acts(page: Page) -> list[str]:
    """What has come of a payload."""
    return [str(one) for one in page.evaluate(FOUND)]


def shows(page: Page) -> bool:
    """Whether a payload can be read, in the text or in a field."""
    said = str(page.evaluate("document.documentElement.innerHTML"))
    return any(name[:SHOWN].replace("<", "&lt;").replace(">", "&gt;") in said for name in PAYLOADS[:8])


def test_t19_no_page_takes_a_name_for_code(chromium: Browser, planted: Hostile) -> None:
    visitor = Visitor(chromium, planted.url)
    seen: dict[str, bool] = defaultdict(bool)
    never = {endpoint for endpoint, _ in planted.places()}
    wrong: list[tuple[str, str]] = []
    for role in ROLES:
        with visitor.page(missing=True) as page:
            page.context.add_cookies([planted.cookie(role)])
            for endpoint, url in planted.places():
                answer = page.context.request.get(f"{planted.url}{url}", max_redirects=0)
                wrong += [(url, one) for one in lacking(answer.headers)]
                if answer.status in (200, 302, 303):
                    never.discard(endpoint)
                if answer.status == 200 and answer.headers["content-type"].startswith("text/html"):
                    page.goto(url)
                    wrong += [(url, one) for one in acts(page)]
                    seen[endpoint] |= shows(page)
    assert wrong == []
    assert visitor.noted == []
    assert never == set(), "nobody could look at these"
    assert {endpoint for endpoint, shown in seen.items() if not shown} <= NAMELESS


def test_t19_nor_does_one_whose_address_holds_a_payload(chromium: Browser, planted: Hostile) -> None:
    visitor = Visitor(chromium, planted.url)
    wrong: list[tuple[str, str]] = []
    with visitor.page(missing=True) as page:
        page.context.add_cookies([planted.cookie("admin")])
        for url in planted.asked():
            response = page.goto(url)
            assert response is not None
            assert response.status in (200, 404, 422), url
            wrong += [(url, one) for one in lacking(response.all_headers())]
            wrong += [(url, one) for one in acts(page)]
    assert wrong == []
    assert visitor.noted == []


def test_t19_a_payload_that_a_page_took_for_code_would_be_found(chromium: Browser) -> None:
    harmless = ("javascript:", "{{", "&lt;", "\\u", "<style>")
    visitor = Visitor(chromium, "http://127.0.0.1")
    missed = []
    with visitor.page() as page:
        for payload in PAYLOADS:
            taken = f"{payload}<p title='{payload}'></p><p title=\"{payload}\"></p>"
            if not page.evaluate(PARSED, taken) and not payload.startswith(harmless):
                missed.append(payload)
    assert missed == []
    assert visitor.noted == []

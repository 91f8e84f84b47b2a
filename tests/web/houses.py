"""House rule sets as a browser makes them: by the form, with what its fields hold and what the page objects to."""

import re
from html import unescape
from typing import Any

import orjson

from replay.profile import default_profile

from .asking import Browser, sample, text_of

BASE = default_profile()
CLEAN = sample("chengdu/clean")


def entries(page: str) -> dict[str, str]:
    """What the fields of a page's last form hold, as a browser would send them."""
    form = page.rpartition("<form")[2].partition("</form>")[0]
    found = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name is not None:
            found[name[1]] = unescape(value[1]) if value else ""
    for name, inner in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)" selected', inner) or re.search(r'value="([^"]*)"', inner)
        assert chosen is not None
        found[name] = unescape(chosen[1])
    for name, inner in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>(.*?)</textarea>', form, re.S):
        found[name] = unescape(inner)
    return found


def make(browser: Browser, base: str = BASE, **changes: str) -> Any:
    """The answer to the form of a house rule set with some fields filled in otherwise."""
    form = entries(browser.read(f"/rule-sets/new?from={base}"))
    return browser.post(
        f"/rule-sets?from={base}",
        **{**form, **{name.replace("__", "."): one for name, one in changes.items()}},
    )


def kept(browser: Browser, base: str = BASE, **changes: str) -> tuple[str, dict[str, Any]]:
    """The address and the document of a house rule set made by the form."""
    answer = make(browser, base, **changes)
    assert answer.status_code == 303, text_of(answer.text)
    return answer.location, document_at(browser, answer.location)


def document_at(browser: Browser, place: str) -> dict[str, Any]:
    """The profile document of a version."""
    found: dict[str, Any] = orjson.loads(browser.get(f"{place}/rules.json").data)
    return found


def alert(page: str) -> str:
    """What a page says went wrong."""
    found = re.search(r'role="alert".*?</div>', page, re.S)
    assert found is not None
    return text_of(f"<main>{found[0].partition('>')[2]}</main>")

"""Chromium, the whole service, and games in it; required in CI, skipped with a word elsewhere."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from .doing import BROKEN, RECORDS, SAMPLES, report
from .hall import Hall, hall
from .hostile import Hostile, hostile
from .serving import Served, serving
from .watching import Visitor

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser of this machine; without it the test is skipped, in CI it fails."""
    path = shutil.which("chromium")
    if path is None:
        lacking = "no Chromium here: no command chromium"
        if os.environ.get("CI"):
            pytest.fail(lacking)
        pytest.skip(lacking)
    with sync_playwright() as playwright:
        # Root, as whom containers run tests, may not use its sandbox; they have no graphics card either.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service, with its sample audited."""
    with serving(tmp_path_factory.mktemp("served")) as one:
        yield one


def watched(chromium: Browser, url: str) -> Iterator[Visitor]:
    """Someone at a browser, of whom nothing may have been noted at the end."""
    someone = Visitor(chromium, url)
    yield someone
    assert someone.noted == []


@pytest.fixture
def visitor(chromium: Browser, served: Served) -> Iterator[Visitor]:
    """Someone at a browser; a console error, a refused script or a dialog fails the test at its end."""
    yield from watched(chromium, served.url)


@pytest.fixture(scope="package")
def court(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A service with accounts, where people have cases with each other."""
    with hall(tmp_path_factory.mktemp("court")) as one:
        yield one


@pytest.fixture
def guest(chromium: Browser, court: Hall) -> Iterator[Visitor]:
    """Someone at a browser there; what is noted fails the test at its end."""
    yield from watched(chromium, court.url)


@pytest.fixture(scope="package")
def planted(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    """The service, full of payloads."""
    with hostile(tmp_path_factory.mktemp("hostile")) as one:
        yield one


@pytest.fixture(scope="package")
def pictures() -> Path:
    """The folder that screenshots are kept in."""
    folder = Path(os.environ.get("TEST_SCREENSHOTS") or ROOT / "build" / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="package")
def games(chromium: Browser, served: Served) -> dict[str, str]:
    """Games that were uploaded and audited: by name the path of the report."""
    someone, paths = Visitor(chromium, served.url), {}
    with someone.page() as page:
        for name in ("chengdu/clean", "chengdu/guo-shui", "chengdu/misclaimed-settlement"):
            paths[name] = report(page, SAMPLES / f"{name}.json")
        paths["salasasa"] = report(page, RECORDS / "salasasa-1524.json.gz")
        paths["broken"] = report(page, BROKEN)
    assert someone.noted == []
    return paths

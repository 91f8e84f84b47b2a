"""A browser that is watched: what its console says, which dialogs open, where it goes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Dialog, Page

LOCALES = {"en": "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}
NARROW, WIDE = (390, 844), (1440, 900)

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI));
"""


@dataclass
class Visitor:
    """A person with a browser; ``noted`` is what no page may cause, ``went`` the addresses that were loaded."""

    browser: Browser
    url: str
    noted: list[str] = field(default_factory=list)
    went: list[str] = field(default_factory=list)

    @contextmanager
    def page(
        self,
        size: tuple[int, int] = WIDE,
        lang: str = "en",
        *,
        dark: bool = False,
        script: bool = True,
        missing: bool = False,
        **more: Any,
    ) -> Iterator[Page]:
        """A window of a size, of a reader of a language, with or without JavaScript; pages may be ``missing``."""
        context = self.browser.new_context(
            base_url=self.url,
            viewport={"width": size[0], "height": size[1]},
            locale=LOCALES[lang],
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            **more,
        )
        context.set_default_timeout(10_000)
        if script:
            context.add_init_script(REPORT_VIOLATIONS)
        page = context.new_page()
        page.on("console", lambda said: self.hear(said.type, said.text, missing))
        page.on("pageerror", lambda error: self.note(True, f"error: {error}"))
        page.on("dialog", self.refuse)
        page.on("load", lambda loaded: self.went.append(loaded.url))
        try:
            yield page
        finally:
            context.close()

    def hear(self, kind: str, text: str, missing: bool) -> None:
        """Listen to the console."""
        asked_for = missing and "the server responded with a status of 4" in text
        self.note(kind in ("error", "warning") and not asked_for, f"console: {text}")

    def refuse(self, dialog: Dialog) -> None:
        """Close a dialog, which should not have opened."""
        self.note(True, f"dialog: {dialog.message}")
        dialog.dismiss()

    def note(self, wrong: bool, what: str) -> None:
        """Keep what should not have come."""
        if wrong:
            self.noted.append(what)

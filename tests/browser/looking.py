"""What is wrong with a page as it stands, for those who do not see it, on a telephone, and for those who want it calm."""

from importlib.resources import files

from playwright.sync_api import Page

from .doing import wide_as_the_window

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = "axe.run({resultTypes: ['violations'], preload: false}).then((found) => found.violations)"
OPENED = 12
"""So much of what can be opened is; beyond that pages repeat themselves, and axe takes its time."""

OPEN = (
    f"[...document.querySelectorAll('details')].slice(0, {OPENED}).forEach((one) => {{ one.open = true; }})"
)
MOVING = """() => [...document.querySelectorAll("*")].filter((one) => {
  const style = getComputedStyle(one);
  const longest = (times) => Math.max(...times.split(",").map(parseFloat));
  return longest(style.transitionDuration) > 0.01 || style.animationName !== "none"
    && longest(style.animationDuration) > 0.01 || style.scrollBehavior === "smooth";
}).map((one) => one.outerHTML.slice(0, 80))"""
"""What is moved or faded slowly, for a reader who asked for less of that."""

Wrong = list[tuple[str, str, list[str]]]
"""A page, what is wrong with it, and where."""


def wrong_with(page: Page, place: str) -> Wrong:
    """What axe finds on a page as it stands, with what can be opened, of any gravity; that it is too wide or moves."""
    page.evaluate(OPEN)
    page.evaluate(AXE)
    found = [
        (place, one["id"], [node["html"][:160] for node in one["nodes"][:3]]) for one in page.evaluate(RUN)
    ]
    moving = page.evaluate(MOVING)
    if moving:
        found.append((place, "moves", moving[:3]))
    if not wide_as_the_window(page):
        found.append((place, "too wide", []))
    return found

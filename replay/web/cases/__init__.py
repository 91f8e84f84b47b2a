"""The pages of cases: what is disputed, by whom, what was said, and what was decided."""

from replay.web.cases import acting, files, listing, opening, showing
from replay.web.cases.pages import pages

__all__ = ["acting", "files", "listing", "opening", "pages", "showing"]

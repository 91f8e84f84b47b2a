"""Whether this machine can make a PDF: WeasyPrint is installed with the tests, pango is the system's."""

import os
from functools import cache

import pytest

from replay.web.paper.pdf import Unavailable, pdf_of


@cache
def can_make_pdfs() -> bool:
    """Whether a PDF can be made here; in CI it must be."""
    try:
        pdf_of("<p>here</p>")
    except Unavailable:
        if os.environ.get("CI"):
            pytest.fail("no PDF can be made here: pango is not there")
        return False
    return True


@pytest.fixture
def pango() -> None:
    """What a PDF is made by; without it the test is skipped, in CI it fails."""
    if not can_make_pdfs():
        pytest.skip("no PDF can be made here: pango is not there")

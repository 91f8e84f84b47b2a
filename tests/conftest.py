"""What several tests need: the project's full corpus, where this machine holds it."""

import os
from pathlib import Path

import pytest

CORPUS = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents and records beside the checkout; without it the test is skipped, in CI it fails."""
    if CORPUS.is_dir():
        return CORPUS
    lacking = f"the full corpus is not here: no folder {CORPUS}"
    if os.environ.get("CI"):
        pytest.fail(lacking)
    pytest.skip(lacking)

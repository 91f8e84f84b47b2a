"""Where the files that are not Python live: in an installed wheel, or in a checkout."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder ``schemas``, ``templates`` or ``sample_logs``, wherever this installation keeps it.

    A wheel carries them in ``replay/_data``; an editable installation reads the checkout beside the package.
    Raises ``FileNotFoundError`` when the installation has neither.
    """
    for place in (PACKAGE / "_data" / name, PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"this installation has no folder {name!r}")

"""The program that makes one PDF, in a process of its own: a page comes in on stdin, its PDF goes out on stdout.

It is started by its path and needs nothing of this package. What it may take of the machine is said by its arguments:
bytes of memory beyond what it has taken to begin with, seconds of the processor.
"""

import logging
import sys
from contextlib import suppress
from typing import Any

NOT_HERE = 3
"""How it ends where WeasyPrint is not installed, or what it stands on (pango) is not."""

ALLOWED = ("data",)
"""What an address in a page may begin with; what it says of any other address is left out."""

QUIET = ("weasyprint", "fontTools")
"""What tells more than is to be written down of every PDF."""


def made(page: str) -> bytes:
    """The PDF of a page; nothing is fetched for it."""
    from weasyprint import HTML
    from weasyprint.urls import URLFetcher

    draw_each_picture_once()
    fetcher = URLFetcher(allowed_protocols=ALLOWED, allow_redirects=False)
    return bytes(HTML(string=page, url_fetcher=fetcher).write_pdf(pdf_tags=True))


def draw_each_picture_once() -> None:
    """Let an SVG picture that is there many times be in the PDF once: a tile takes longer to draw than a page to fill."""
    from weasyprint import images

    draw = images.SVGImage.draw
    if getattr(draw, "is_once", False):
        return

    def once(self: Any, stream: Any, width: float, height: float, style: Any) -> None:
        drawn = stream._resources["XObject"]
        name = f"svg{id(self)}-{round(100 * width)}-{round(100 * height)}"
        if name not in drawn:
            group = stream.add_group(0, 0, width, height)
            drawn[name] = drawn.pop(group.id)
            group.id = name
            draw(self, group, width, height, style)
        stream.draw_x_object(name)

    once.is_once = True  # type: ignore[attr-defined]
    images.SVGImage.draw = once


def hold(memory: int, seconds: int) -> None:
    """Let this process have so much more memory and so many seconds of the processor, where the machine can say so."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        has = 0
        with suppress(OSError), open("/proc/self/statm", encoding="ascii") as told:
            has = int(told.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (has + memory, has + memory))


def main(memory: int, seconds: int) -> int:
    """Make the PDF of what is on stdin; says how to end."""
    try:
        import weasyprint  # noqa: F401
    except (ImportError, OSError):
        return NOT_HERE
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    hold(memory, seconds)
    sys.stdout.buffer.write(made(sys.stdin.buffer.read().decode("utf-8")))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))

"""Lists by page: where the next begins."""

from collections.abc import Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import request

from replay.web.api.models import Paged

Item = TypeVar("Item")


def page_of(query: Paged, total: int) -> dict[str, Any]:
    """What a listing says beside its items."""
    more = query.first + query.size < total
    return {
        "total": total,
        "page": query.page,
        "size": query.size,
        "next": next_page(query) if more else None,
    }


def next_page(query: Paged) -> str:
    """The address of the next page: the same arguments, and its number."""
    kept = [(name, value) for name, value in request.args.items(multi=True) if name != "page"]
    return f"{request.path}?{urlencode([*kept, ('page', query.page + 1)])}"


def cut(query: Paged, items: Sequence[Item]) -> list[Item]:
    """The items of the page."""
    return list(items[query.first : query.first + query.size])

"""A stored document, page by page."""

from __future__ import annotations

from typing import Any, Final

from pydantic_core import from_json, to_json

from api.mcp.addresses import extraction_uri
from api.mcp.outline import outline
from api.mcp.shorten import shorten, size
from spatial.errors import NotFound

PAGE_BYTES: Final = 16_000
"""JSON of a page, as a rule: about 5,000 tokens of a model."""


def page(document: bytes, extraction_id: str, path: str, offset: int) -> str:
    """The overview of a document, or a page of one of its members, as JSON. path: with dots, as `structure.solids.0.faces`.

    Raises: NotFound.
    """
    whole = from_json(document)
    found = _member(whole, extraction_id, path, offset) if path else _overview(whole, extraction_id)
    return to_json(found).decode()


def _overview(whole: dict[str, Any], extraction_id: str) -> dict[str, Any]:
    shown, omitted = shorten(whole, PAGE_BYTES, extraction_id)
    return {"summary": outline(whole), "document": shown, "omitted": omitted}


def _member(whole: dict[str, Any], extraction_id: str, path: str, offset: int) -> dict[str, Any]:
    value = _find(whole, path)
    if not isinstance(value, list):
        shown, omitted = shorten(value, PAGE_BYTES, extraction_id, path)
        return {"member": path, "value": shown, "omitted": omitted}
    items, omitted = _items(value, extraction_id, path, offset)
    end = offset + len(items)
    further = {"next": extraction_uri(extraction_id, path, end)} if end < len(value) else {}
    return {"member": path, "total": len(value), "offset": offset, "items": items, **further, "omitted": omitted}


def _items(value: list[Any], extraction_id: str, path: str, offset: int) -> tuple[list[Any], list[dict[str, Any]]]:
    """At least one item, and as many as the page holds."""
    items: list[Any] = []
    omitted: list[dict[str, Any]] = []
    left = PAGE_BYTES
    for place, item in enumerate(value[offset:], start=offset):
        shown, cut = shorten(item, PAGE_BYTES, extraction_id, f"{path}.{place}")
        left -= size(shown) + size(cut)
        if items and left < 0:
            break
        items.append(shown)
        omitted += cut
    return items, omitted


def _find(whole: Any, path: str) -> Any:
    value = whole
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif (
            isinstance(value, list)
            and step.isascii()
            and step.isdecimal()
            and len(step) < 12
            and int(step) < len(value)
        ):
            value = value[int(step)]
        else:
            raise NotFound(
                f"the document has no member {path[:200]}; read the extraction without a path for an overview"
            )
    return value

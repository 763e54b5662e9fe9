"""URIs of resources."""

from __future__ import annotations

from typing import Final

SCHEME: Final = "spatial://"

EXTRACTIONS: Final = f"{SCHEME}extractions"


def extraction_uri(extraction_id: str, path: str = "", offset: int = 0) -> str:
    """The URI of a document, or of a page of one of its lists. path: the list's, with dots."""
    part = f"/{path}" if path else ""
    return f"{EXTRACTIONS}/{extraction_id}{part}{f'?offset={offset}' if offset else ''}"

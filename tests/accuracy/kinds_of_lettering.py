"""How a sheet is lettered: as text, as text and drawn, drawn (letters are strokes or outlines), or in a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

PICTURE: Final = "picture"
"""Where a reader without OCR has nothing to read: the specification has metadata read from vector text alone ("CadExtraction")."""
LETTERINGS: Final = ("text", "text and drawn", "drawn", PICTURE)
FEWEST_LINES: Final = 60
"""Lines and curves below which what a sheet with pictures shows is in them."""


def lettering(said: Mapping[str, Any]) -> str:
    """How the sheet of a document is lettered; structure: that of a drawing."""
    texts = said.get("annotations") or []
    drawn = sum("read from outlines" in (text.get("mended") or []) for text in texts)
    counts = said.get("native_counts") or {}
    lines = sum(count for kind, count in counts.items() if kind not in ("image", "fill"))
    if counts.get("image") and lines < FEWEST_LINES:
        return PICTURE
    if drawn == len(texts):
        return "drawn"
    return "text and drawn" if drawn else "text"

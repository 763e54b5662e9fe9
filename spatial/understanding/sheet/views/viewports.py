"""The views of a DXF layout: its viewports, each a window onto model space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

CONFIDENCE: Final = 1.0


def views_of_viewports(entities: Iterable[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    """Of each page `bbox` and `scale` of its viewports (paper over model), and the `entity` that each is."""
    found: dict[int, list[dict[str, Any]]] = {}
    for entity in entities:
        if entity.get("type") == "viewport" and "scale" in entity and not _is_of_paper(entity):
            found.setdefault(entity["page"], []).append(_view(entity))
    return found


def _is_of_paper(entity: dict[str, Any]) -> bool:
    """Whether it is the layout's own: AutoCAD keeps the view of the paper itself as a viewport of scale 1 onto itself."""
    return bool(entity["scale"] == 1.0 and entity.get("view_center") == entity["center"])


def _view(entity: dict[str, Any]) -> dict[str, Any]:
    (x, y), (wide, tall) = entity["center"], entity["size"]
    return {
        "bbox": [x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2],
        "scale": entity["scale"],
        "entity": entity["id"],
        "confidence": CONFIDENCE,
    }

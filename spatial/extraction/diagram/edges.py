"""Connectors: what they connect, which way they point, what stands on them.

Direction is what the arrowheads say: an edge without a word about them has one at its target (draw.io's default). A loose
end that lies on a shape, or within SNAP of one, counts as attached to it and is named in `inferred`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from spatial.extraction.diagram import boxes
from spatial.extraction.diagram.boxes import Box
from spatial.extraction.diagram.cells import Cell, Cells, Point

SNAP: Final = 5.0
"""How far from a shape a loose end may be and still count as attached, in pixels: less than half a grid step."""

SNAPPED: Final = 2_000
"""Most loose ends of a page that are tried."""

CONNECTORS: Final = {
    "orthogonalEdgeStyle": "orthogonal",
    "elbowEdgeStyle": "elbow",
    "segmentEdgeStyle": "segment",
    "entityRelationEdgeStyle": "entity_relation",
    "isometricEdgeStyle": "isometric",
    "loopEdgeStyle": "loop",
    "wireEdgeStyle": "wire",
}


def records(
    cells: Cells, placed: Mapping[str, Box], text: Callable[[Cell], str], hidden: frozenset[str]
) -> list[dict[str, Any]]:
    """Every edge of the page as the document tells it, in file order."""
    labels: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells.vertices.values():
        if cell.parent in cells.edges:
            labels[cell.parent].append(cell)
    found = [_record(cell, labels.get(cell.id, ()), cells, placed, text, hidden) for cell in cells.edges.values()]
    _snap(found, cells, placed, hidden)
    return found


def _record(
    cell: Cell,
    labels: Any,
    cells: Cells,
    placed: Mapping[str, Box],
    text: Callable[[Cell], str],
    hidden: frozenset[str],
) -> dict[str, Any]:
    start, end = _arrows(cell)
    words = [words for each in (cell, *labels) if (words := text(each))]
    left, top = (
        boxes.origin(cell, cells, dict(placed)) if cell.parent in placed or cell.parent in cells.edges else (0.0, 0.0)
    )
    moved = [(left + x, top + y) for x, y in cell.geometry.points]
    record: dict[str, Any] = {
        "id": cell.id,
        "source": _attached(cell.source, cells, placed),
        "target": _attached(cell.target, cells, placed),
        "directed": start != "none" or end != "none",
        "bidirectional": start != "none" and end != "none",
        "label": "\n".join(words),
        "connector": _connector(cell),
        "dashed": cell.style.get("dashed") == "1",
        "waypoints": moved,
    }
    further = {
        "start_arrow": start if start != "none" else None,
        "end_arrow": end if end != "none" else None,
        "source_point": _moved(cell.geometry.source_point, left, top) if record["source"] is None else None,
        "target_point": _moved(cell.geometry.target_point, left, top) if record["target"] is None else None,
        "parent": cell.parent if cell.parent in placed or cell.parent in cells.edges else None,
        "link": cell.attributes.get("link"),
        "attributes": {key: value for key, value in cell.attributes.items() if key != "link"} or None,
        "labels": words if len(words) > 1 else None,
        "visible": False if cell.id in hidden else None,
    }
    return record | {name: value for name, value in further.items() if value is not None}


def _arrows(cell: Cell) -> tuple[str, str]:
    """Names of the heads at source and target."""
    return cell.style.get("startArrow") or "none", cell.style.get("endArrow") or "classic"


def _connector(cell: Cell) -> str:
    if cell.style.get("curved") == "1":
        return "curved"
    style = cell.style.get("edgeStyle") or cell.style.get("@name") or ""
    return CONNECTORS.get(style, "straight")


def _attached(end: str | None, cells: Cells, placed: Mapping[str, Box]) -> str | None:
    """What an end is attached to; the label of an edge stands for the edge."""
    if end is None:
        return None
    cell = cells.get(end)
    if cell is None:
        return None
    return cell.parent if cell.kind == "vertex" and cell.parent in cells.edges else cell.id


def missing_ends(cells: Cells) -> list[str]:
    """Ids of edges that name an end that is not there."""
    ends = ((cell.id, end) for cell in cells.edges.values() for end in (cell.source, cell.target) if end is not None)
    return list(dict.fromkeys(identity for identity, end in ends if cells.get(end) is None))


def _moved(point: Point | None, left: float, top: float) -> Point | None:
    return None if point is None else (left + point[0], top + point[1])


def _snap(found: list[dict[str, Any]], cells: Cells, placed: Mapping[str, Box], hidden: frozenset[str]) -> None:
    """Attach loose ends to the smallest shape that they are on."""
    loose = [(record, end) for record in found for end in ("source", "target") if f"{end}_point" in record][:SNAPPED]
    names = [name for name, cell in cells.vertices.items() if _takes_ends(name, cell, cells, placed, hidden)]
    if not loose or not names:
        return
    frames = np.array([placed[name] for name in names])
    areas = frames[:, 2] * frames[:, 3]
    for record, end in loose:
        x, y = record[f"{end}_point"]
        reach = np.maximum(np.maximum(frames[:, 0] - x, x - frames[:, 0] - frames[:, 2]), 0.0) + np.maximum(
            np.maximum(frames[:, 1] - y, y - frames[:, 1] - frames[:, 3]), 0.0
        )
        near = np.flatnonzero(reach <= SNAP)
        if len(near):
            best = near[np.lexsort((areas[near], reach[near] > 0))[0]]
            record[end] = names[int(best)]
            record.setdefault("inferred", []).append(end)


def _takes_ends(name: str, cell: Cell, cells: Cells, placed: Mapping[str, Box], hidden: frozenset[str]) -> bool:
    return name not in hidden and cell.parent not in cells.edges and placed[name][2] > 0 and placed[name][3] > 0

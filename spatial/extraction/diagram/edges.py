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
from spatial.extraction.diagram.cells import Cell, Cells, Point, looks, number

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
    words = {name: [each for cell in cells_ if (each := text(cell))] for name, cells_ in labels.items()}
    found = [_record(cell, words.get(cell.id, []), cells, placed, text, hidden) for cell in cells.edges.values()]
    _snap(found, cells, placed, hidden)
    return found


def _record(
    cell: Cell,
    labels: list[str],
    cells: Cells,
    placed: Mapping[str, Box],
    text: Callable[[Cell], str],
    hidden: frozenset[str],
) -> dict[str, Any]:
    start, end = _arrows(cell)
    own, geometry = text(cell) if cell.value else "", cell.geometry
    words = [own, *labels] if own else labels
    inside = cell.parent in placed or cell.parent in cells.edges
    left, top = boxes.origin(cell, cells, placed) if inside else (0.0, 0.0)
    record: dict[str, Any] = {
        "id": cell.id,
        "source": _attached(cell.source, cells, placed),
        "target": _attached(cell.target, cells, placed),
        "directed": start != "none" or end != "none",
        "bidirectional": start != "none" and end != "none",
        "label": "\n".join(words),
        "connector": _connector(cell),
        "dashed": cell.style.get("dashed") == "1",
        "waypoints": [_moved(point, left, top) for point in geometry.points],
    }
    if start != "none":
        record["start_arrow"] = start
    if end != "none":
        record["end_arrow"] = end
    _ends(record, cell, placed, (left, top))
    if inside:
        record["parent"] = cell.parent
    if len(words) > 1:
        record["labels"] = words
    if cell.id in hidden:
        record["visible"] = False
    if style := looks(cell):
        record["style"] = style
    return _described(record, cell) if cell.attributes else record


def _port(cell: Cell, end: str, box: Box | None) -> Point | None:
    """Where an edge is fixed on a shape: in parts of its box, and pixels from there."""
    if box is None:
        return None
    x, y, dx, dy = (number(cell.style.get(f"{end}{axis}")) for axis in ("X", "Y", "Dx", "Dy"))
    return _moved((x * box[2] + dx, y * box[3] + dy), box[0], box[1])


def _ends(record: dict[str, Any], cell: Cell, placed: Mapping[str, Box], around: Point) -> None:
    """Where an edge begins and ends, as far as it says so itself."""
    geometry = cell.geometry
    if record["source"] is None and geometry.source_point:
        record["source_point"] = _moved(geometry.source_point, *around)
    if record["target"] is None and geometry.target_point:
        record["target_point"] = _moved(geometry.target_point, *around)
    if "exitX" in cell.style and (point := _port(cell, "exit", placed.get(record["source"] or ""))):
        record["exit_point"] = point
    if "entryX" in cell.style and (point := _port(cell, "entry", placed.get(record["target"] or ""))):
        record["entry_point"] = point


def _described(record: dict[str, Any], cell: Cell) -> dict[str, Any]:
    """With the custom properties."""
    further = {key: value for key, value in cell.attributes.items() if key != "link"}
    link = cell.attributes.get("link")
    return record | ({"link": link} if link else {}) | ({"attributes": further} if further else {})


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


def _moved(point: Point, left: float, top: float) -> Point:
    return round(left + point[0], boxes.DECIMALS) + 0.0, round(top + point[1], boxes.DECIMALS) + 0.0


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

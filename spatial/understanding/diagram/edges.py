"""Connectors: what they connect, which way they point, what stands on them.

Direction is what the arrowheads say: an edge without a word about them has one at its target (draw.io's default). A loose
end that lies on a shape, or within SNAP of one, counts as attached to it and is named in `inferred`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from spatial.models.diagram.cells import ATTACHED, Cell, Cells, Point, parse_length
from spatial.models.diagram.style import Style
from spatial.understanding.diagram import boxes
from spatial.understanding.diagram.boxes import Box

SNAP: Final = 5.0
"""How far from a shape a loose end may be and still count as attached, in pixels: less than half a grid step."""

SNAPPED: Final = 2_000
"""Most loose ends of a page that are tried."""


def records(
    cells: Cells, placed: Mapping[str, Box], text: Callable[[Cell], str], hidden: frozenset[str]
) -> list[dict[str, Any]]:
    """Every edge of the page as the document reports it, in file order."""
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
    style, geometry = cell.style, cell.geometry
    start, end = style.start_arrow, style.end_arrow
    own = text(cell) if cell.value else ""
    words = [own, *labels] if own else labels
    inside = cell.parent in placed or cell.parent in cells.edges
    left, top = boxes.origin(cell, cells, placed) if inside else (0.0, 0.0)
    record: dict[str, Any] = {
        "id": cell.id,
        "source": _attached(cell.source, cells),
        "target": _attached(cell.target, cells),
        "directed": start != "none" or end != "none",
        "bidirectional": start != "none" and end != "none",
        "label": "\n".join(words),
        "connector": style.connector,
        "dashed": style.dashed,
        "waypoints": [_moved(point, left, top) for point in geometry.points] if geometry.points else [],
    }
    if start != "none":
        record["start_arrow"] = start
    if end != "none":
        record["end_arrow"] = end
    if style.ports or geometry is not ATTACHED:
        _ends(record, cell, cells, placed, (left, top))
    if inside:
        record["parent"] = cell.parent
    if len(words) > 1:
        record["labels"] = words
    if cell.id in hidden:
        record["visible"] = False
    if style.looks:
        record["style"] = dict(style.looks)
    return _described(record, cell) if cell.attributes else record


def _port(cell: Cell, end: str, shape: Cell | None, box: Box | None) -> Point | None:
    """Where an edge is fixed on a shape: in parts of its box, and pixels from there; on its outline unless it says not."""
    if box is None:
        return None
    entries = cell.style.entries
    x, y, dx, dy = (parse_length(entries.get(f"{end}{axis}") or "") or 0.0 for axis in ("X", "Y", "Dx", "Dy"))
    point = x * box[2] + dx, y * box[3] + dy
    if entries.get(f"{end}Perimeter") != "0" and shape is not None:
        point = _on_outline(point, shape.style, box[2], box[3])
    return _moved(point, box[0], box[1])


def _on_outline(point: Point, style: Style, width: float, height: float) -> Point:
    """Where the line from the middle of a shape through a point meets its outline (mxPerimeter)."""
    half = width / 2, height / 2
    across, down = point[0] - half[0], point[1] - half[1]
    if not width or not height or not (across or down):
        return point
    parts = abs(across) / half[0], abs(down) / half[1]
    outline = style.entries.get("perimeter") or style.shape
    if outline in ("ellipsePerimeter", "ellipse", "doubleEllipse"):
        reach = math.hypot(*parts)
    else:
        reach = sum(parts) if outline in ("rhombusPerimeter", "rhombus") else max(parts)
    return half[0] + across / reach, half[1] + down / reach


def _ends(record: dict[str, Any], cell: Cell, cells: Cells, placed: Mapping[str, Box], around: Point) -> None:
    """Where an edge begins and ends, as far as it says so itself."""
    geometry = cell.geometry
    if record["source"] is None and geometry.source_point:
        record["source_point"] = _moved(geometry.source_point, *around)
    if record["target"] is None and geometry.target_point:
        record["target_point"] = _moved(geometry.target_point, *around)
    for fixed, end in (("exit", record["source"] or ""), ("entry", record["target"] or "")):
        if f"{fixed}X" in cell.style.entries:
            point = _port(cell, fixed, cells.vertices.get(end), placed.get(end))
            record |= {f"{fixed}_point": point} if point else {}


def _described(record: dict[str, Any], cell: Cell) -> dict[str, Any]:
    """With the custom properties."""
    further = {key: value for key, value in cell.attributes.items() if key != "link"}
    link = cell.attributes.get("link")
    return record | ({"link": link} if link else {}) | ({"attributes": further} if further else {})


def _attached(end: str | None, cells: Cells) -> str | None:
    """What an end is attached to; the label of an edge stands for the edge."""
    if end is None:
        return None
    if (cell := cells.vertices.get(end)) is not None:
        return cell.parent if cell.parent in cells.edges else end
    return end if end in cells.edges else None


def missing_ends(cells: Cells) -> list[str]:
    """Ids of edges that name an end that is not there."""
    known = {None, *cells.vertices, *cells.edges}
    return [cell.id for cell in cells.edges.values() if cell.source not in known or cell.target not in known]


def _moved(point: Point, left: float, top: float) -> Point:
    return boxes.reported(left + point[0]), boxes.reported(top + point[1])


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

"""One page of a diagram as the document tells it.

Hidden layers, invisible cells and what is inside a collapsed container are kept and marked `visible: false`; they take part
in no relation and in no graph. `layer` names the layer of a cell where the page has more than one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from spatial.extraction.diagram import boxes, edges, labels
from spatial.extraction.diagram.boxes import Box
from spatial.extraction.diagram.cells import Cell, Cells, looks
from spatial.extraction.diagram.graph import graph
from spatial.extraction.diagram.relations import RELATED, relations

CONTAINERS: Final = frozenset({"swimlane", "group"})
"""Shapes that hold others by their nature, even while they are empty."""


def page(
    identity: str, name: str, cells: Cells, variables: Mapping[str, str], place: int, count: int
) -> tuple[dict[str, Any], list[str]]:
    """The page, and what is doubtful about it. variables: the file's placeholders."""
    # draw.io's own placeholders; not its dates, which are of the moment of drawing.
    own = {**variables, "page": name, "pagenumber": str(place), "pagecount": str(count)}
    texts = _Texts(cells, own)
    placed = boxes.absolute(cells)
    hidden = _hidden(cells)
    nodes = _nodes(cells, placed, texts, hidden)
    joins = edges.records(cells, placed, texts.of, hidden)
    warnings = [f"page {name!r}: {warning}" for warning in cells.warnings]
    if lost := edges.missing_ends(cells):
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        warnings.append(f"page {name!r}: edges end at shapes that are not there: {', '.join(lost[:5])}{more}")
    seen = [node for node in nodes if node.get("visible", True)]
    seen_edges = [edge for edge in joins if edge.get("visible", True)]
    drawn = {node["id"]: tuple(node["bbox"].values()) for node in seen}
    parents = {node["id"]: node["parent"] if node["parent"] in drawn else None for node in seen}
    told, cut = relations(drawn, parents, seen_edges)
    if cut:
        warnings.append(f"page {name!r}: the first {RELATED:,} relations are told")
    record = {
        "id": identity,
        "name": name,
        "nodes": nodes,
        "edges": joins,
        "relations": told,
        "graph": graph(seen, seen_edges),
        "layers": [_layer(layer) for layer in cells.layers],
    }
    return record, warnings


class _Texts:
    """Labels of a page's cells."""

    def __init__(self, cells: Cells, variables: Mapping[str, str]) -> None:
        self.cells, self.variables = cells, variables

    def of(self, cell: Cell) -> str:
        """Plain text, placeholders filled in from the cell, then from what it is in, then from page and file."""
        value = cell.value
        if cell.placeholders and "%" in value:
            value = labels.filled(value, lambda name: self._known(name, cell))
        return labels.plain(value, is_html=cell.style.get("html") == "1")

    def _known(self, name: str, cell: Cell) -> str | None:
        step: Cell | None = cell
        for _ in range(len(self.cells.vertices) + len(self.cells.edges) + len(self.cells.grounds)):
            if step is None:
                break
            if name in step.attributes:
                return step.attributes[name]
            step = self.cells.get(step.parent) or self.cells.grounds.get(step.parent)
        return self.variables.get(name)


def _nodes(cells: Cells, placed: Mapping[str, Box], texts: _Texts, hidden: frozenset[str]) -> list[dict[str, Any]]:
    shapes = [cell for cell in cells.vertices.values() if cell.parent not in cells.edges]
    children: dict[str, list[str]] = {}
    for cell in shapes:
        children.setdefault(cell.parent, []).append(cell.id)
    several, names = len(cells.layers) > 1, {cell.id for cell in shapes}
    return [
        _node(cell, cells, placed, texts, children.get(cell.id, []), names, several, cell.id in hidden)
        for cell in shapes
    ]


def _node(
    cell: Cell,
    cells: Cells,
    placed: Mapping[str, Box],
    texts: _Texts,
    children: list[str],
    shapes: set[str],
    several: bool,
    hidden: bool,
) -> dict[str, Any]:
    x, y, width, height = boxes.drawn(placed[cell.id], cell, cells, placed)
    x, y, width, height = round(x, boxes.DECIMALS) + 0.0, round(y, 3) + 0.0, round(width, 3), round(height, 3)
    shape = _shape(cell)
    record: dict[str, Any] = {
        "id": cell.id,
        "label": texts.of(cell),
        "shape": shape,
        "bbox": {"x": x, "y": y, "width": width, "height": height},
        "center": (round(x + width / 2, 3), round(y + height / 2, 3)),
        "parent": cell.parent if cell.parent in shapes else None,
        "children": children,
        "is_container": bool(children) or shape in CONTAINERS or cell.style.get("container") == "1",
        "is_text": shape == "text",
        "attributes": {},
    }
    if cell.attributes:
        record["attributes"] = {key: value for key, value in cell.attributes.items() if key != "link"}
        if link := cell.attributes.get("link"):
            record["link"] = link
    if turn := boxes.rotation(cell):
        record["rotation"] = turn
    if cell.collapsed:
        record["collapsed"] = True
    if several and (layer := _layer_of(cell, cells)) is not None:
        record["layer"] = layer
    if hidden:
        record["visible"] = False
    if style := looks(cell):
        record["style"] = style
    return record


def _shape(cell: Cell) -> str:
    """What the style says, or what its first word implies; a rectangle where it says nothing."""
    shape = cell.style.get("shape")
    if shape:
        return "stencil" if shape.startswith("stencil(") else shape
    return cell.style.get("@name") or "rectangle"


def _layer_of(cell: Cell, cells: Cells) -> str | None:
    names = {layer.id for layer in cells.layers}
    step: Cell | None = cell
    for _ in range(len(cells.vertices) + len(cells.edges) + 1):
        if step is None:
            return None
        if step.parent in names:
            return step.parent
        step = cells.get(step.parent)
    return None


def _hidden(cells: Cells) -> frozenset[str]:
    """Ids of everything that is not shown: by itself, by its layer, or by a container that is closed."""
    shown: dict[str, bool] = {layer.id: layer.visible for layer in cells.layers}
    shown[cells.root] = True
    closed = {cell.id for cell in cells.vertices.values() if cell.collapsed}
    drawn = (*cells.vertices.values(), *cells.edges.values())
    if not closed and all(shown.values()) and all(cell.visible for cell in drawn):
        return frozenset()
    for start in drawn:
        waiting: list[Cell] = []
        cell: Cell | None = start
        while cell is not None and cell.id not in shown:
            waiting.append(cell)
            cell = cells.get(cell.parent)
        for each in reversed(waiting):
            shown[each.id] = each.visible and shown.get(each.parent, True) and each.parent not in closed
    return frozenset(name for name, is_shown in shown.items() if not is_shown)


def _layer(layer: Cell) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": layer.id,
        "name": labels.plain(layer.value) or "Background",
        "visible": layer.visible,
    }
    return record | {"locked": True} if layer.locked else record

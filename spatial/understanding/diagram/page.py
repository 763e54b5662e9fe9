"""One page of a diagram as the document reports it.

Hidden layers, invisible cells and what is inside a collapsed container are kept and marked `visible: false`; they take part
in no relation and in no graph. `layer` names the layer of a cell where the page has more than one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spatial.counting import listed
from spatial.models.diagram.cells import Cell, Cells
from spatial.understanding.diagram import boxes, edges, labels
from spatial.understanding.diagram.boxes import Box
from spatial.understanding.diagram.graph import graph
from spatial.understanding.diagram.relations import RELATED, relations


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
        warnings.append(f"page {name!r}: edges end at shapes that are not there: {listed(lost, 5)}")
    seen = [node for node in nodes if node["id"] not in hidden] if hidden else nodes
    seen_edges = [edge for edge in joins if edge["id"] not in hidden] if hidden else joins
    drawn = {node["id"]: tuple(node["bbox"].values()) for node in seen}
    parents = {node["id"]: parent if (parent := node["parent"]) in drawn else None for node in seen}
    reported, cut = relations(drawn, parents, seen_edges)
    if cut:
        warnings.append(f"page {name!r}: only the first {RELATED:,} relations are listed")
    record = {
        "id": identity,
        "name": name,
        "nodes": nodes,
        "edges": joins,
        "relations": reported,
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
        return labels.plain(value, is_html=cell.style.html)

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
    children: dict[str, list[str]] = {cell.id: [] for cell in shapes}
    for cell in shapes:
        if cell.parent in children:
            children[cell.parent].append(cell.id)
    layers = {layer.id for layer in cells.layers}
    records = []
    for cell in shapes:
        record = _node(cell, boxes.drawn(placed[cell.id], cell, cells, placed), texts.of(cell), children)
        if len(layers) > 1 and (layer := _layer_of(cell, cells, layers)) is not None:
            record["layer"] = layer
        if cell.id in hidden:
            record["visible"] = False
        if cell.style.looks:
            record["style"] = dict(cell.style.looks)
        records.append(record)
    return records


def _node(cell: Cell, box: Box, label: str, children: Mapping[str, list[str]]) -> dict[str, Any]:
    """What every node has, and what its own attributes and style add. children: of every shape."""
    x, y, width, height = map(boxes.reported, box)
    style, own = cell.style, children[cell.id]
    record: dict[str, Any] = {
        "id": cell.id,
        "label": label,
        "shape": style.shape,
        "bbox": {"x": x, "y": y, "width": width, "height": height},
        "center": (boxes.reported(x + width / 2), boxes.reported(y + height / 2)),
        "parent": cell.parent if cell.parent in children else None,
        "children": own,
        "is_container": bool(own) or style.container,
        "is_text": style.shape == "text",
    }
    if link := cell.attributes.get("link"):
        record["link"] = link
    record["attributes"] = {key: value for key, value in cell.attributes.items() if key != "link"}
    if style.rotation:
        record["rotation"] = style.rotation
    if cell.collapsed:
        record["collapsed"] = True
    return record


def _layer_of(cell: Cell, cells: Cells, names: set[str]) -> str | None:
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

"""Reads the cells of one page and repairs them: unique ids, existing parents, no circle of parents.

Glossary
  wrapper   a `UserObject` or `object` element around a cell; it has the id, the label and the custom properties.

Source: mxGraph's mxCell and mxGeometry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from spatial.counting import count_of, listed
from spatial.models.diagram.cells import ATTACHED, NOWHERE, Cell, Cells, Geometry, parse_length
from spatial.models.diagram.style import NO_STYLE, style_of

WRAPPERS: Final = ("UserObject", "object")

_OWN: Final = frozenset({"id", "label", "placeholders"})
"""Attributes of a wrapper that are no custom property."""

MAX_NAMED: Final = 5
"""Most cells that one warning names."""

_RELATIVE: Final = [("relative", "1"), ("as", "geometry")]
"""Attributes of the geometry of most connectors."""


ROOT: Final = "0"
"""The root's id in files of draw.io, of a page whose root is missing too."""


def read(model: Any) -> Cells:
    """The cells of an `mxGraphModel` element."""
    warnings: list[str] = []
    _not_numbers.clear()
    raw = [cell for element in _elements(model) if (cell := _cell(element, warnings)) is not None]
    raw = _make_ids_unique(raw, warnings)
    parents = {cell.id: cell.parent for cell in raw}
    root = next((cell.id for cell in raw if not cell.parent and cell.kind == "layer"), ROOT)
    if any(cell.id == root and cell.kind != "layer" for cell in raw):
        root = ""  # what is drawn stands on no page that bears its own name, and no cell is without one
    grounds = {cell.id: cell for cell in raw if cell.kind == "layer" and (cell.id == root or cell.parent == root)}
    drawn = [cell for cell in raw if cell.kind != "layer"]
    cells = Cells(
        root,
        grounds,
        {cell.id: cell for cell in drawn if cell.kind == "vertex"},
        {cell.id: cell for cell in drawn if cell.kind == "edge"},
        warnings,
    )
    _repair_parents(cells, drawn, parents)
    if _not_numbers:
        warnings.append(
            f"{count_of(len(_not_numbers), 'number is', 'numbers are')} unreadable or out of range and read as 0: "
            f"{_listed(_not_numbers)}"
        )
    return cells


def _elements(model: Any) -> Iterator[Any]:
    root = next((child for child in model if _name(child) == "root"), None)
    yield from root if root is not None else ()


def _name(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _cell(element: Any, warnings: list[str]) -> Cell | None:
    if element.tag == "mxCell":
        return _bare(element)
    name, outer = _name(element), element
    if name == "mxCell":
        return _bare(element)
    if name not in WRAPPERS:
        return None
    element = next((child for child in outer if _name(child) == "mxCell"), None)
    if element is None:
        warnings.append(f"{name} {outer.get('id')!r} has no cell and is left out")
        return None
    cell = _bare(element)
    cell.id = outer.get("id") or cell.id
    cell.value = outer.get("label") or ""
    cell.attributes = {key: value for key, value in outer.attrib.items() if key not in _OWN}
    cell.placeholders = outer.get("placeholders") == "1"
    return cell


def _bare(element: Any) -> Cell:
    # One call for all attributes: asking lxml for each of ten takes most of the reading time.
    get = dict(element.items()).get
    kind = "edge" if get("edge") == "1" else "vertex" if get("vertex") == "1" else "layer"
    style = get("style")
    return Cell(
        get("id") or "",
        get("parent") or "",
        kind,
        get("value") or "",
        style_of(style) if style else NO_STYLE,
        get("source") or None,
        get("target") or None,
        NOWHERE if kind == "layer" else _geometry(element),
        get("visible") != "0",
        get("collapsed") == "1",
        style is not None and "locked=1" in style,
    )


def _geometry(element: Any) -> Geometry:
    box = element[0] if len(element) else None
    if box is None or box.tag != "mxGeometry":
        box = next((child for child in element if _name(child) == "mxGeometry"), None)
    if box is None:
        return NOWHERE
    has_children, attributes = len(box) > 0, box.items()
    if attributes == _RELATIVE and not has_children:
        return ATTACHED
    get = dict(attributes).get
    relative = get("relative") == "1"
    if relative and not has_children and get("x") is None and get("y") is None and get("width") is None:
        return ATTACHED
    found = Geometry(number(get("x")), number(get("y")), number(get("width")), number(get("height")), relative)
    return _add_children(box, found) if has_children else found


def _add_children(box: Any, found: Geometry) -> Geometry:
    """Add the points and the offset that a geometry has as child elements."""
    for child in box:
        role, name = child.get("as"), _name(child)
        if name == "mxPoint":
            point = (number(child.get("x")), number(child.get("y")))
            if role == "offset":
                found.offset = point
            elif role == "sourcePoint":
                found.source_point = point
            elif role == "targetPoint":
                found.target_point = point
        elif name == "Array" and role == "points":
            found.points = [
                (number(each.get("x")), number(each.get("y"))) for each in child if _name(each) == "mxPoint"
            ]
    return found


def number(text: str | None) -> float:
    """A length in pixels; 0 where the text is no number, as in draw.io, where JavaScript's NaN counts as 0."""
    if not text:
        return 0.0
    value = parse_length(text)
    if value is None:
        _not_numbers.append(text)
        return 0.0
    return value


_not_numbers: Final[list[str]] = []
"""Texts that `number` replaced by 0 since the page began; it is called too often to pass a list along."""


def _make_ids_unique(raw: list[Cell], warnings: list[str]) -> list[Cell]:
    """Give every cell an id of its own; a later cell with the same id gets a number."""
    seen: set[str] = set()
    again: list[str] = []
    turns: dict[str, int] = {}
    for place, cell in enumerate(raw):
        if not cell.id or cell.id in seen:
            again.append(cell.id or "(none)")
            base = cell.id or f"cell-{place}"
            turn = turns.get(base, 2)
            while f"{base}~{turn}" in seen:
                turn += 1
            turns[base] = turn + 1
            cell.id = f"{base}~{turn}"
        seen.add(cell.id)
    if again:
        warnings.append(
            f"ids are missing or used twice; {count_of(len(again), 'cell was', 'cells were')} renamed: {_listed(again)}"
        )
    return raw


def _repair_parents(cells: Cells, drawn: list[Cell], parents: dict[str, str]) -> None:
    """Put cells whose parent is missing, or that are their own ancestors, on the first layer."""
    layers = cells.layers
    ground = layers[0].id if layers else cells.root
    grounds = {cells.root, *cells.grounds}
    known = {cell.id for cell in drawn}
    lost = [cell for cell in drawn if cell.parent not in grounds and cell.parent not in known]
    for cell in lost:
        cell.parent = ground
    if lost:
        cells.warnings.append(
            f"parents are missing from the file; {count_of(len(lost), 'cell was', 'cells were')} put on the page: "
            f"{_listed([cell.id for cell in lost])}"
        )
    circular = _circular(drawn, grounds)
    for cell in circular:
        cell.parent = ground
    if circular:
        cells.warnings.append(
            f"{count_of(len(circular), 'cell contains itself and is', 'cells contain themselves and are')} put on the page: "
            f"{_listed([each.id for each in circular])}"
        )


def _circular(drawn: list[Cell], grounds: set[str]) -> list[Cell]:
    """One cell of each circle of parents: the one that closes it."""
    by_id = {cell.id: cell for cell in drawn}
    sound: set[str] = set(grounds)
    found: list[Cell] = []
    for cell in drawn:
        if cell.parent in sound:
            sound.add(cell.id)
            continue
        trail: list[Cell] = []
        on_trail: set[str] = set()
        step: Cell | None = cell
        while step is not None and step.id not in sound:
            if step.id in on_trail:
                found.append(trail[-1])
                trail[-1].parent = next(iter(grounds))
                break
            trail.append(step)
            on_trail.add(step.id)
            step = by_id.get(step.parent)
        sound.update(on_trail)
    return found


def _listed(names: list[str]) -> str:
    return listed([name[:60] for name in names], MAX_NAMED)

"""Puts the sheets of a drawing together: entities, lettering, dimensions and tables, blocks exploded.

Glossary
  part      one shape of a space or block, with its layer and colour.
  nested    a group that draws a block: INSERT, DIMENSION, ACAD_TABLE.
  place     how a block's content comes to the sheet: affine, layer and colour for layer 0 and BYBLOCK, owner.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from spatial.extraction.drawing.sheet import Dimensioning, NativeTable, Text, TextKind
from spatial.extraction.readers import _dxfcurves, _dxfdimension, _dxfleaders, _dxfshapes, _dxftables, _dxftext
from spatial.extraction.readers._dxfdimstyle import Variables
from spatial.extraction.readers._dxflettering import decoded
from spatial.extraction.readers._dxfshapes import (
    IDENTITY,
    Affine,
    Canvas,
    Ellipse,
    Opaque,
    Path,
    Pen,
    Shape,
    combined,
    number,
)
from spatial.extraction.readers._dxfspaces import Block, Group
from spatial.extraction.readers._dxfstyle import BYBLOCK, Layer, Styles, color_of
from spatial.extraction.readers._dxftags import Record
from spatial.extraction.readers._dxftext import Lettering

DEPTH: Final = 16
"""Blocks within blocks within …; a block within itself ends here."""

PARTS: Final = 200_000
"""Parts and letterings that block references may add to one drawing."""

STEPS: Final = 400_000
"""Groups that are looked at while blocks are exploded: bounds references to references that draw nothing."""

INSTANCE: Final = 8
"""Steps that a block reference itself counts."""

MOST: Final = 1e12
"""A block reference that magnifies more, or is further away, is damage."""

_TEXTS: Final = frozenset(("TEXT", "MTEXT", "ATTDEF"))
_LEADERS: Final = frozenset(("MULTILEADER", "MLEADER"))
_SILENT: Final = frozenset(("SEQEND", "ENDBLK", "BLOCK", "ATTRIB", "VERTEX"))


@dataclass(slots=True)
class Part:
    """One shape."""

    type: str
    shape: Shape
    layer: str
    color: str | None
    """None: of its layer; `block`: of the block reference."""
    linetype: str
    width: float
    hidden: bool
    handle: str


Item: TypeAlias = Part | Lettering | Group


@dataclass(slots=True)
class Place:
    """How what is drawn comes to the sheet."""

    m: Affine = IDENTITY
    layer: str = "0"
    color: str | None = None
    insert: str | None = None
    depth: int = 0
    hidden: bool = False
    entity: int | None = None
    """Strokes are this entity's and no entities are listed: of a dimension (-1) or a table."""
    chain: tuple[str, ...] = ()
    """Names of the blocks that this is in."""
    caught: list[Lettering] | None = None
    """Where lettering goes instead of the sheet."""


class Drafter:
    """Draws one sheet after another; entities, ids and limits are the drawing's."""

    def __init__(self, blocks: dict[str, Block], styles: Styles, warnings: list[str]) -> None:
        self.blocks, self.styles, self.warnings = blocks, styles, warnings
        self.entities: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self.items: dict[str, list[Item]] = {}
        self.ids: Counter[str] = Counter()
        self.parts = self.steps = self.absurd = 0
        self.capped = self.too_deep = False
        self.page = 0
        self.width_factor = 1.0
        self.begin(0)

    def begin(self, page: int, *, paper: bool = False) -> None:
        """A new sheet."""
        self.page, self.paper = page, paper
        self.canvas = Canvas()
        self.texts: list[Text] = []
        self.dimensions: list[Dimensioning] = []
        self.tables: list[NativeTable] = []
        self.leaders: dict[str, str] = {}
        """Handle of a LEADER's text to the handle of the LEADER."""
        self.listed: dict[str, str] = {}
        """Handle of a LEADER to its id."""
        self.handles: dict[str, Text] = {}

    def draw(self, groups: list[Group]) -> None:
        """Everything of one space."""
        place = Place()
        for group in groups:
            self.counts[group.record.type.lower()] += 1
            for item in self._read(group):
                self._put(item, place)
        for handle, leader in self.leaders.items():
            if handle in self.handles and leader in self.listed:
                self.handles[handle].owner = self.listed[leader]

    def finish(self) -> None:
        """Says what was left out."""
        if self.absurd:
            self.warnings.append(f"{self.absurd} entities with missing, absurd or damaged coordinates are left out")
        if self.capped:
            self.warnings.append(f"block references are exploded up to {PARTS:,} parts; the rest is left out")
        if self.too_deep:
            self.warnings.append(f"blocks nested deeper than {DEPTH} or within themselves are left out")

    # Reading

    def _read(self, group: Group) -> list[Item]:
        """The items of a group, in the frame of its space or block."""
        record = group.record
        type = record.type
        if type in _TEXTS:
            lettering = _dxftext.of_record(record, self.styles)
            return [lettering] if lettering else []
        if type in ("INSERT", "ACAD_TABLE") or type in _dxfdimension.TYPES:
            return [group]
        if type in _LEADERS:
            return self._multileader(group)
        if type == "TOLERANCE":
            lettering = _dxfleaders.tolerance(record, self.styles)
            return [lettering] if lettering else []
        return self._part(group) if type not in _SILENT else []

    def _part(self, group: Group) -> list[Item]:
        record = group.record
        if record.type == "POLYLINE":
            found = _dxfcurves.polyline(record, [f for f in group.followers if f.type == "VERTEX"])
            type, shape = found or ("polyline", None)
            if shape is not None and not _dxfcurves.sane(shape):
                shape = None
        else:
            type, shape = _dxfcurves.shape_of(record)
        if shape is None:
            self.absurd += 1
            return []
        part = self._styled(type, shape, record)
        if record.type == "LEADER" and record.name(340) not in ("", "0"):
            self.leaders.setdefault(record.name(340), part.handle)
        return [part]

    def _styled(self, type: str, shape: Shape, record: Record) -> Part:
        index = record.whole(62, 256)
        color = "block" if index == BYBLOCK and 420 not in record.first else color_of(record)
        width = record.whole(370, -1)
        return Part(
            type,
            shape,
            decoded(record.name(8, "0")) or "0",
            color,
            decoded(record.name(6, "BYLAYER")),
            width / 100 if width > 0 else 0.0,
            bool(record.whole(60)),
            record.name(5),
        )

    def _multileader(self, group: Group) -> list[Item]:
        leader = _dxfleaders.multileader(group.record, self.styles)
        part = self._styled("multileader", _dxfleaders.multileader_outline(leader.lines), group.record)
        items: list[Item] = [part]
        lines = [replace(part, type="", shape=Path(line)) for line in leader.lines]
        items += lines
        if leader.lettering is not None:
            items.append(leader.lettering)
        block = self.blocks.get(self.styles.blocks.get(leader.block, "").lower())
        if block is not None and leader.place is not None:
            items += self._shown_block(block, leader)
        return items

    def _shown_block(self, block: Block, leader: _dxfleaders.MultiLeader) -> list[Item]:
        """The attributes of a block that a MULTILEADER shows (a balloon), where their definitions put them."""
        assert leader.place is not None
        m = combined(leader.place, (1.0, 0.0, 0.0, 1.0, -block.base[0], -block.base[1]))
        found: list[Item] = []
        definitions = [item for item in self._content(block) if isinstance(item, Lettering) and item.kind == "attdef"]
        for definition, text in zip(definitions, leader.attributes, strict=False):
            if text.strip():
                found.append(replace(definition, text=text, kind="leader", tag=definition.tag).moved(m))
        moved = (item for item in self._content(block) if isinstance(item, Part))
        return [*found, *(replace(part, type="", shape=part.shape.moved(m)) for part in moved)]

    def _content(self, block: Block) -> list[Item]:
        key = block.name.lower()
        if key not in self.items:
            self.items[key] = []
            self.items[key] = [item for group in block.groups for item in self._read(group)]
        return self.items[key]

    # Putting

    def _put(self, item: Item, place: Place) -> None:
        if isinstance(item, Part):
            self._put_part(item, place)
        elif isinstance(item, Lettering):
            self._put_lettering(item, place)
        elif item.record.type == "INSERT":
            self._put_insert(item, place)
        elif item.record.type == "ACAD_TABLE":
            self._put_table(item, place)
        else:
            self._put_dimension(item, place)

    def _layer(self, name: str, place: Place) -> Layer:
        return self.styles.layer(place.layer if name == "0" and place.depth else name)

    def _put_part(self, part: Part, place: Place) -> None:
        shape = part.shape if place.m is IDENTITY else part.shape.moved(place.m)
        layer = self._layer(part.layer, place)
        hidden = part.hidden or place.hidden or not layer.visible
        linetype = part.linetype if part.linetype.upper() not in ("BYLAYER", "BYBLOCK") else layer.linetype
        entity = place.entity
        if entity is None:
            # Lines of a MULTILEADER have no type: they are of the entity before them.
            entity = self._list(part, shape, layer, linetype, place, hidden) if part.type else len(self.entities) - 1
        if not hidden:
            width = (part.width or layer.width) * self.width_factor
            shape.drawn(self.canvas, Pen(width, linetype.lower() in self.styles.dashed, entity))

    def _list(self, part: Part, shape: Shape, layer: Layer, linetype: str, place: Place, hidden: bool) -> int:
        color = (place.color or layer.color) if part.color == "block" else part.color or layer.color
        # A circle that is scaled unevenly or seen aslant is an ellipse.
        type = "ellipse" if isinstance(shape, Ellipse) else part.type
        record: dict[str, Any] = {
            "id": self._id("entity"),
            "type": type,
            "layer": layer.name,
            "page": self.page,
            "color": color,
            "linetype": linetype,
            **shape.told(type),
        }
        if place.insert:
            record["insert"] = place.insert
        if hidden:
            record["visible"] = False
        self.entities.append(record)
        if part.type == "leader" and not place.depth:
            self.listed.setdefault(part.handle, record["id"])
        return len(self.entities) - 1

    def _id(self, kind: str) -> str:
        self.ids[kind] += 1
        return f"{kind}-{self.ids[kind]}"

    def _put_lettering(self, lettering: Lettering, place: Place) -> None:
        if lettering.kind == "attdef" and place.depth and not lettering.constant:
            return
        moved = lettering.moved(place.m)
        if place.caught is not None:
            place.caught.append(moved)
            return
        layer = self._layer(lettering.layer, place)
        hidden = lettering.hidden or place.hidden or not layer.visible
        shown = moved.text
        if lettering.kind == "attdef" and not place.depth:
            # Outside of a block, a definition shows its tag.
            shown = lettering.tag or shown
        if shown:
            text = self._text(replace(moved, text=shown), layer.name, owner=place.insert, visible=not hidden)
            if lettering.handle:
                self.handles.setdefault(lettering.handle, text)

    def _text(
        self, moved: Lettering, layer: str, *, owner: str | None, visible: bool, kind: TextKind | None = None,
        id: str | None = None,
    ) -> Text:  # fmt: skip
        text = Text(
            id=id or self._id("annotation"),
            text=moved.text,
            page=self.page,
            origin=moved.origin,
            angle=moved.angle,
            height=moved.height,
            width=moved.width,
            box=moved.box,
            kind=kind or moved.kind,
            layer=layer,
            style=moved.style,
            tag=moved.tag,
            prompt=moved.prompt,
            owner=owner,
            visible=visible,
        )
        self.texts.append(text)
        return text

    # Blocks

    def _put_insert(self, group: Group, place: Place) -> None:
        record = group.record
        block = self.blocks.get(decoded(record.name(2)).lower())
        m = _affine(record, block)
        if m is None:
            self.absurd += 1
            return
        layer = self._layer(decoded(record.name(8, "0")) or "0", place)
        hidden = place.hidden or bool(record.whole(60)) or layer.frozen
        insert = place.insert
        if place.entity is None and insert is None:
            insert = self._list_insert(group, layer, place, hidden or not layer.visible)
        color = color_of(record)
        if record.whole(62, 256) == BYBLOCK:
            color = place.color
        inner = replace(
            place,
            layer=layer.name,
            color=color or layer.color,
            insert=insert,
            depth=place.depth + 1,
            hidden=hidden,
        )
        if block is not None:
            for offset in self._copies(record):
                self._explode(block, replace(inner, m=combined(place.m, combined(m, offset))))
        self._attributes(group, block, replace(place, insert=insert, hidden=hidden))

    def _copies(self, record: Record) -> list[Affine]:
        """Of an array: offsets lie along the rotated axes but are not scaled."""
        columns, rows = max(record.whole(70, 1), 1), max(record.whole(71, 1), 1)
        if columns * rows == 1:
            return [IDENTITY]
        if columns * rows > PARTS:
            self.capped = True
            columns = min(columns, PARTS)
            rows = min(rows, max(1, PARTS // columns))
        x, y = record.number(44), record.number(45)
        sx, sy = record.number(41, 1.0) or 1.0, record.number(42, 1.0) or 1.0
        return [(1.0, 0.0, 0.0, 1.0, column * x / sx, row * y / sy) for row in range(rows) for column in range(columns)]

    def _list_insert(self, group: Group, layer: Layer, place: Place, hidden: bool) -> str:
        record = group.record
        x, y = _dxfshapes.moved_point(_dxfcurves.plane(record), record.number(10), record.number(20))
        facts: dict[str, Any] = {
            "block": decoded(record.name(2)),
            "position": [number(x), number(y)],
            "scale": [number(record.number(41, 1.0)), number(record.number(42, 1.0))],
            "rotation": number(record.number(50)),
        }
        columns, rows = record.whole(70, 1), record.whole(71, 1)
        if columns > 1 or rows > 1:
            facts |= {"columns": columns, "rows": rows}
        attributes = [_dxftext.of_record(f, self.styles) for f in group.followers if f.type == "ATTRIB"]
        told = {found.tag: found.text for found in attributes if found is not None and found.tag}
        if told:
            facts["attributes"] = told
        part = self._styled("insert", Opaque(facts), record)
        self._list(part, part.shape, layer, part.linetype, place, hidden)
        return str(self.entities[-1]["id"])

    def _attributes(self, group: Group, block: Block | None, place: Place) -> None:
        """ATTRIBs stand in the frame of the space that the reference is in."""
        records = [follower for follower in group.followers if follower.type == "ATTRIB"]
        if not records:
            return
        content = self._content(block) if block else []
        prompts = {item.tag: item.prompt for item in content if isinstance(item, Lettering) and item.kind == "attdef"}
        for record in records:
            lettering = _dxftext.of_record(record, self.styles)
            if lettering is not None and lettering.text.strip():
                self._put_lettering(replace(lettering, prompt=prompts.get(lettering.tag)), place)

    def _explode(self, block: Block, place: Place) -> None:
        if place.depth > DEPTH or block.name in place.chain:
            self.too_deep = True
            return
        place = replace(place, chain=(*place.chain, block.name))
        content = self._content(block)
        self.steps += INSTANCE
        for item in content:
            self.steps += 1
            if not isinstance(item, Group):
                self.parts += 1
            if self.parts > PARTS or self.steps > STEPS:
                self.capped = True
                return
            self._put(item, place)

    def _drawn_block(self, name: str, place: Place, m: Affine) -> list[Lettering] | None:
        """Draws an anonymous block without listing its parts; gives its lettering, None where there is no block."""
        block = self.blocks.get(name.lower()) if name else None
        if block is None:
            return None
        caught: list[Lettering] = []
        base = (1.0, 0.0, 0.0, 1.0, -block.base[0], -block.base[1])
        shift = combined(m, base) if any(block.base) else m
        whole = shift if place.m is IDENTITY else combined(place.m, shift)
        self._explode(block, replace(place, m=whole, caught=caught, depth=place.depth + 1))
        return caught

    # Dimensions and tables

    def _put_dimension(self, group: Group, place: Place) -> None:
        record = group.record
        layer = self._layer(decoded(record.name(8, "0")) or "0", place)
        hidden = place.hidden or bool(record.whole(60)) or not layer.visible
        x, y = record.number(12), record.number(22)
        m = (1.0, 0.0, 0.0, 1.0, x, y) if x or y else IDENTITY
        inner = replace(place, layer=layer.name, hidden=hidden, entity=-1 if place.entity is None else place.entity)
        caught = self._drawn_block(decoded(record.name(2)), inner, m)
        if place.caught is not None:
            place.caught.extend(caught or [])
            return
        kind = _dxfdimension.kind_of(record)
        variables = _dxfdimension.variables_of(record, self.styles)
        value, measured = _dxfdimension.value_of(record, kind, variables, paper=self.paper)
        shown = None if caught is None else " ".join(one.text.strip() for one in caught)
        text = _dxfdimension.text_of(record, kind, value, variables, shown)
        further = _dxfdimension.further_of(record, variables)
        if measured != value and measured is not None:
            further["measured"] = number(measured)
        if hidden:
            further["visible"] = False
        lettering = _dimension_lettering(record, text, caught, variables, place)
        dimension = Dimensioning(
            self._id("dimension"),
            kind,
            self.page,
            text,
            value,
            lettering.middle if lettering else None,
            further=further,
        )
        self.dimensions.append(dimension)
        if lettering is not None:
            id = dimension.id
            self._text(lettering, layer.name, owner=place.insert, visible=not hidden, kind="dimension", id=id)

    def _put_table(self, group: Group, place: Place) -> None:
        record = group.record
        layer = self._layer(decoded(record.name(8, "0")) or "0", place)
        hidden = place.hidden or not layer.visible or bool(record.whole(60))
        x, y = record.number(10), record.number(20)
        angle = math.atan2(record.number(21), record.number(11, 1.0))
        cos, sin = math.cos(angle), math.sin(angle)
        frame = (cos, sin, -sin, cos, x, y)
        if not all(abs(n) < MOST for n in frame):
            self.absurd += 1
            return
        entity = place.entity
        if entity is None:
            part = self._styled("table", Opaque({"position": [number(x), number(y)]}), record)
            entity = self._list(part, part.shape, layer, part.linetype, place, hidden)
        inner = replace(place, layer=layer.name, hidden=hidden, entity=entity)
        caught = self._drawn_block(decoded(record.name(2)), inner, frame)
        if place.caught is not None:
            place.caught.extend(caught or [])
            return
        grid = _dxftables.grid(record)
        whole = frame if place.m is IDENTITY else combined(place.m, frame)
        if caught is None:
            caught = _dxftables.from_tags(record, grid, whole) if grid else []
        self._cells(caught, grid, whole, layer.name, visible=not hidden)

    def _cells(
        self, letterings: list[Lettering], grid: _dxftables.Grid | None, frame: Affine, layer: str, *, visible: bool
    ) -> None:
        id = self._id("table")
        back = _inverse(frame)
        if grid is None or back is None:
            for one in letterings:
                self._text(one, layer, owner=id, visible=visible, kind="table_cell")
            return
        cells = _dxftables.arranged(grid, letterings, back)
        rows: list[list[Text | None]] = [[None] * grid.size[1] for _ in range(grid.size[0])]
        for at in sorted(cells):
            rows[at[0]][at[1]] = self._text(cells[at], layer, owner=id, visible=visible, kind="table_cell")
        outline = _dxfshapes.moved_points(
            frame, np.array([(x, -y) for x in (0.0, grid.columns[-1]) for y in (0.0, grid.rows[-1])])
        )
        (x1, y1), (x2, y2) = outline.min(axis=0).tolist(), outline.max(axis=0).tolist()
        if visible:
            self.tables.append(NativeTable(id, self.page, (x1, y1, x2, y2), rows))


def _inverse(m: Affine) -> Affine | None:
    determinant = m[0] * m[3] - m[1] * m[2]
    if not determinant or not math.isfinite(determinant):
        return None
    a, b, c, d = m[3] / determinant, -m[1] / determinant, -m[2] / determinant, m[0] / determinant
    return a, b, c, d, -(a * m[4] + c * m[5]), -(b * m[4] + d * m[5])


def _affine(record: Record, block: Block | None) -> Affine | None:
    """Of a block reference; None where it is damaged."""
    angle = math.radians(record.number(50)) if math.isfinite(record.number(50)) else 0.0
    cos, sin = math.cos(angle), math.sin(angle)
    sx, sy = record.number(41, 1.0), record.number(42, 1.0)
    base = block.base if block else (0.0, 0.0)
    turn = (cos, sin, -sin, cos, record.number(10), record.number(20))
    m = combined(combined(turn, (sx, 0.0, 0.0, sy, 0.0, 0.0)), (1.0, 0.0, 0.0, 1.0, -base[0], -base[1]))
    m = combined(_dxfcurves.plane(record), m)
    return m if all(abs(n) < MOST for n in m) else None


def _dimension_lettering(
    record: Record,
    text: str | None,
    caught: list[Lettering] | None,
    variables: Variables,
    place: Place,
) -> Lettering | None:
    """Where a dimension's text stands: as its block draws it, or about the middle of its text."""
    if text is None:
        return None
    if caught:
        corners = np.vstack([one.corners for one in caught])
        own = caught[0].corners if len(caught) == 1 else _dxfcurves.hull_box(corners)
        return replace(caught[0], text=text, corners=own, tag=None)
    middle = _dxfdimension.middle_of(record)
    if middle is None:
        return None
    height = variables.number("DIMTXT") * (variables.number("DIMSCALE") or 1.0)
    angle = math.radians(record.number(53))
    found = _dxftext.paragraphs(
        "x", "", middle, angle, height, attachment=5, known_width=_dxftext.width_of(text, height)
    )
    return replace(found, text=text).moved(place.m) if found else None

"""Explodes blocks: puts shapes, lettering and block references on a sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from spatial.formats.dxf.canvas import Canvas
from spatial.formats.dxf.curved_shapes import Ellipse
from spatial.formats.dxf.curves import ends_of, plane_of
from spatial.formats.dxf.inserts import Placement, array_offsets, insert_affine
from spatial.formats.dxf.items import Item, ItemReader, StyledShape
from spatial.formats.dxf.lettering import Lettering
from spatial.formats.dxf.listed_points import ListedPoints
from spatial.formats.dxf.look import Look, Shown
from spatial.formats.dxf.plane import (
    IDENTITY,
    MAX_COORDINATE,
    Affine,
    compose,
    is_sane,
    rounded,
    transform_point,
)
from spatial.formats.dxf.shape import Geometry, Shape
from spatial.formats.dxf.spaces import Block, Group
from spatial.formats.dxf.style import BYBLOCK, Layer, Styles, color_of
from spatial.formats.dxf.tags import Record
from spatial.formats.dxf.text_codes import decoded
from spatial.models.sheet.drawing import Text, TextKind

DEPTH: Final = 16
"""Blocks within blocks within …; a block within itself ends here."""

MAX_EXPLODED: Final = 50_000
"""Parts and letterings that block references may add to one drawing."""

STEPS: Final = 400_000
"""Groups that are visited while blocks are exploded: limits references to references that draw nothing."""

INSTANCE: Final = 8
"""Steps that a block reference itself counts."""


_OF_LAYER: Final = frozenset(("BYLAYER", "BYBLOCK"))
"""Linetypes that are not the entity's own."""


class BlockExploder:
    """Entities, ids and limits are the drawing's, the rest is one sheet's."""

    def __init__(self, blocks: dict[str, Block], styles: Styles) -> None:
        self.blocks, self.styles = blocks, styles
        self.items = ItemReader(blocks, styles)
        self.entities: list[dict[str, Any]] = []
        self.ids: Counter[str] = Counter()
        self.drawn = self.steps = 0
        self.too_deep = False
        self.incomplete: set[str | None] = set()
        """Ids of the block references of which not all parts are listed; None stands for those of a dimension or table."""
        self.absent: Counter[str] = Counter()
        """References by the block, or the external drawing, that is not in the file."""
        self.page = 0
        self.width_factor = 1.0
        self.clear()

    def clear(self) -> None:
        """For a new sheet."""
        self.canvas = Canvas()
        self.points = ListedPoints()
        self._shown: dict[tuple[str, str | None, bool, bool], dict[Look, Shown]] = {}
        self.texts: list[Text] = []
        self.listed: dict[str, str] = {}
        """Handle of a LEADER to its id."""
        self.handles: dict[str, Text] = {}

    def put_group(self, group: Group, place: Placement) -> None:
        """A DIMENSION or a table."""
        raise NotImplementedError

    def put(self, item: Item, place: Placement) -> None:
        """One item, in the frame that `place` leads from."""
        if isinstance(item, StyledShape):
            self._put_shape(item, place)
        elif isinstance(item, Lettering):
            self._put_lettering(item, place)
        elif item.record.type == "INSERT":
            self._put_insert(item, place)
        else:
            self.put_group(item, place)

    def layer_of(self, record: Record, place: Placement) -> Layer:
        """Of an entity, layer 0 in a block being the reference's."""
        return self._layer(decoded(record.name(8, "0")) or "0", place)

    def _layer(self, name: str, place: Placement) -> Layer:
        return self.styles.layer(place.layer if name == "0" and place.depth else name)

    def shown(self, look: Look, place: Placement) -> Shown:
        """How an entity is shown."""
        known = place.shown
        if known is None:
            known = self._shown.setdefault((place.layer, place.color, place.hidden, place.depth > 0), {})
            place.shown = known
        found = known.get(look)
        if found is None:
            found = known[look] = self._shown_look(look, place)
        return found

    def _shown_look(self, look: Look, place: Placement) -> Shown:
        layer = self._layer(look.layer, place)
        linetype = layer.linetype if look.linetype.upper() in _OF_LAYER else look.linetype
        return Shown(
            layer=layer.name,
            color=(place.color or layer.color) if look.color == "block" else look.color or layer.color,
            linetype=linetype,
            width=(look.width or layer.width) * self.width_factor,
            hidden=look.hidden or place.hidden or not layer.visible,
            dashed=linetype.lower() in self.styles.dashed,
        )

    def put_line(self, record: Record, place: Placement) -> bool:
        """A LINE of a space itself in one step, as most of what a drawing holds is one; whether it is plain, so that it was put."""
        ends = ends_of(record)
        if ends is None:
            return False
        try:
            x1, y1, x2, y2, z1, z2 = ends
        except ValueError:
            return False
        most = MAX_COORDINATE
        if z1 or z2 or not (-most < x1 < most and -most < y1 < most and -most < x2 < most and -most < y2 < most):
            return False
        shown = self.shown(self.items.looks.of(record), place)
        start, end = self.points.ends(x1, y1, x2, y2)
        entity = self.list_entity("line", {"start": start, "end": end}, shown, place)
        if not shown.hidden:
            self.canvas.line(x1, y1, x2, y2, (shown.width, shown.dashed, entity))
        return True

    def _put_shape(self, part: StyledShape, place: Placement) -> None:
        shape = part.shape if place.m is IDENTITY else part.shape.moved(place.m)
        shown = self.shown(part.look, place)
        entity = place.entity
        if entity is None:
            # Lines of a MULTILEADER have no type: they are of the entity before them.
            entity = self._list_shape(part, shape, shown, place) if part.type else len(self.entities) - 1
        if not shown.hidden:
            shape.draw(self.canvas, (shown.width, shown.dashed, entity))

    def _list_shape(self, part: StyledShape, shape: Shape, shown: Shown, place: Placement) -> int:
        # A circle that is scaled unevenly or seen aslant is an ellipse.
        type = "ellipse" if isinstance(shape, Ellipse) else part.type
        entity = self.list_entity(type, shape.geometry(type, self.points), shown, place)
        if type == "leader" and not place.depth:
            self.listed.setdefault(part.handle, self.entities[entity]["id"])
        return entity

    def list_entity(self, type: str, geometry: Geometry, shown: Shown, place: Placement) -> int:
        """The place of a new entity."""
        record: dict[str, Any] = {
            "id": f"entity-{len(self.entities) + 1}",
            "type": type,
            "layer": shown.layer,
            "page": self.page,
            "color": shown.color,
            "linetype": shown.linetype,
            **geometry,
        }
        if shown.width:
            record["width"] = rounded(shown.width)
        if place.insert:
            record["insert"] = place.insert
        if shown.hidden:
            record["visible"] = False
        self.entities.append(record)
        return len(self.entities) - 1

    def new_id(self, kind: str) -> str:
        """`kind-7`."""
        self.ids[kind] += 1
        return f"{kind}-{self.ids[kind]}"

    def _put_lettering(self, lettering: Lettering, place: Placement) -> None:
        if lettering.kind == "attdef" and place.depth and not lettering.constant:
            return
        moved = lettering.moved(place.m)
        if place.captured is not None:
            place.captured.append(moved)
            return
        layer = self._layer(lettering.layer, place)
        hidden = lettering.hidden or place.hidden or not layer.visible
        shown = moved.text
        if lettering.kind == "attdef" and not place.depth:
            # Outside of a block, a definition shows its tag.
            shown = lettering.tag or shown
        if shown:
            text = self.list_text(moved, layer.name, text=shown, owner=place.insert, visible=not hidden)
            if lettering.handle:
                self.handles.setdefault(lettering.handle, text)

    def list_text(
        self, moved: Lettering, layer: str, *, owner: str | None, visible: bool, kind: TextKind | None = None,
        id: str | None = None, text: str | None = None,
    ) -> Text:  # fmt: skip
        """List a lettering; `kind` and `text` where they are not its own."""
        found = Text(
            id=id or self.new_id("annotation"),
            text=moved.text if text is None else text,
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
            align=moved.align,
        )
        self.texts.append(found)
        return found

    def _put_insert(self, group: Group, place: Placement) -> None:
        record = group.record
        block = self.blocks.get(decoded(record.name(2)).lower())
        m = insert_affine(record, block)
        if m is None:
            self.items.left_out += 1
            return
        if block is None or (block.path and not block.groups):
            self.absent[block.path if block else decoded(record.name(2))] += 1
        layer = self.layer_of(record, place)
        hidden = place.hidden or bool(record.whole(60)) or layer.frozen
        attributes = [self.items.lettering(follower) for follower in group.followers if follower.type == "ATTRIB"]
        letterings = [lettering for lettering in attributes if lettering is not None]
        insert = place.insert
        if place.entity is None and insert is None:
            insert = self._list_insert(record, letterings, place, hidden=hidden or not layer.visible)
        color = color_of(record)
        if record.whole(62, 256) == BYBLOCK:
            color = place.color
        if block is not None:
            inner = place.within(layer.name, color or layer.color, insert, hidden=hidden)
            for offset in self._offsets(record, insert):
                if self._is_full():
                    self.incomplete.add(insert)
                    break
                self._explode(block, inner, compose(place.m, compose(m, offset)))
        # An attribute on layer 0 is on the reference's, as a part on layer 0 is.
        self._attributes(letterings, block, place.within(layer.name, place.color, insert, hidden=hidden))

    def _is_full(self) -> bool:
        """Whether no more parts are drawn of blocks."""
        return self.drawn > MAX_EXPLODED or self.steps > STEPS

    def _offsets(self, record: Record, insert: str | None) -> Iterator[Affine]:
        offsets, is_cut = array_offsets(record, MAX_EXPLODED)
        if is_cut:
            self.incomplete.add(insert)
        return offsets

    def _list_insert(self, record: Record, attributes: list[Lettering], place: Placement, *, hidden: bool) -> str:
        x, y = transform_point(plane_of(record), record.number(10), record.number(20))
        facts: dict[str, Any] = {
            "block": decoded(record.name(2)),
            "position": self.points.point(x, y),
            "scale": [rounded(record.number(41, 1.0)), rounded(record.number(42, 1.0))],
            "rotation": rounded(record.number(50)),
        }
        columns, rows = record.whole(70, 1), record.whole(71, 1)
        if columns > 1 or rows > 1:
            facts |= {"columns": columns, "rows": rows}
        values = {found.tag: found.text for found in attributes if found.tag}
        if values:
            facts["attributes"] = values
        self.list_reference("insert", facts, record, place, hidden=hidden)
        return str(self.entities[-1]["id"])

    def list_reference(self, type: str, facts: Geometry, record: Record, place: Placement, *, hidden: bool) -> int:
        """The place of a new entity that draws a block: it says its own linetype, which is that of nothing it draws."""
        look = self.items.looks.of(record)
        shown = self.shown(look, place)._replace(linetype=look.linetype, hidden=hidden)
        return self.list_entity(type, facts, shown, place)

    def _attributes(self, letterings: list[Lettering], block: Block | None, place: Placement) -> None:
        """ATTRIBs stand in the frame of the space that the reference is in."""
        if not letterings:
            return
        content = self.items.content(block) if block else []
        prompts = {item.tag: item.prompt for item in content if isinstance(item, Lettering) and item.kind == "attdef"}
        for lettering in letterings:
            if lettering.text.strip():
                self._put_lettering(replace(lettering, prompt=prompts.get(lettering.tag)), place)

    def _explode(self, block: Block, place: Placement, m: Affine) -> None:
        """Put what a block holds; `m` leads from its frame to the sheet."""
        if place.depth > DEPTH or block.name in place.chain:
            self.too_deep = True
            return
        if not is_sane(m):
            self.items.left_out += 1
            return
        place = place.of_block(block.name, m)
        content = self.items.content(block)
        self.steps += INSTANCE
        for item in content:
            self.steps += 1
            if not isinstance(item, Group):
                self.drawn += 1
            if self._is_full():
                self.incomplete.add(place.insert)
                return
            self.put(item, place)

    def draw_block(self, name: str, place: Placement, m: Affine) -> list[Lettering] | None:
        """Draw an anonymous block without listing its shapes; returns its lettering, or None where it does not exist or lies nowhere."""
        block = self.blocks.get(name.lower()) if name else None
        if block is None:
            return None
        captured: list[Lettering] = []
        base = (1.0, 0.0, 0.0, 1.0, -block.base[0], -block.base[1])
        shift = compose(m, base) if any(block.base) else m
        whole = shift if place.m is IDENTITY else compose(place.m, shift)
        self._explode(block, replace(place, captured=captured, depth=place.depth + 1), whole)
        return captured if is_sane(whole) else None

"""Puts the sheets of a drawing together: entities, lettering, dimensions and tables, blocks exploded."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from spatial.counting import count_of, listed
from spatial.formats.dxf import dimension, plane
from spatial.formats.dxf.blocks import DEPTH, MAX_EXPLODED, BlockExploder
from spatial.formats.dxf.canvas import Outlines
from spatial.formats.dxf.curves import box_corners
from spatial.formats.dxf.dimstyle import Variables
from spatial.formats.dxf.inserts import MAX_REFERENCE, Placement
from spatial.formats.dxf.lettering import Lettering, estimated_width, mtext_lettering
from spatial.formats.dxf.plane import IDENTITY, Affine, compose, rounded
from spatial.formats.dxf.spaces import Block, Group
from spatial.formats.dxf.style import Styles
from spatial.formats.dxf.tables import Grid, arrange, cell_letterings, table_grid
from spatial.formats.dxf.tags import Record
from spatial.formats.dxf.text_codes import decoded
from spatial.models.sheet.drawing import Dimensioning, NativeTable, Text

NAMES, LONGEST_NAME = 5, 100
"""Blocks that are not in the file, of which a warning names so many, and characters of a name."""
LINES_OF_DIMENSION: Final = 100
LINES_OF_TABLE: Final = 2_000
"""Most lines that are listed per dimension or table."""


@dataclass(slots=True)
class Measure:
    """A dimension while it is read."""

    record: Record
    kind: str
    variables: Variables
    place: Placement
    layer: str
    hidden: bool
    captured: list[Lettering] | None
    """What its block letters; None where it has no block."""
    drawn: tuple[Outlines, Outlines]
    """Lines and fills of its block."""


class SheetBuilder(BlockExploder):
    """Draws one sheet after another."""

    def __init__(self, blocks: dict[str, Block], styles: Styles, warnings: list[str]) -> None:
        super().__init__(blocks, styles)
        self.warnings = warnings
        self.counts: Counter[str] = Counter()
        self.begin(0)

    def begin(self, page: int, *, paper: bool = False) -> None:
        """A new sheet."""
        self.clear()
        self.page, self.paper = page, paper
        self.dimensions: list[Dimensioning] = []
        self.tables: list[NativeTable] = []

    def draw(self, groups: list[Group]) -> None:
        """Everything of one space."""
        place = Placement()
        texts_of_leaders: dict[str, str] = {}
        for type, count in Counter([group.record.type for group in groups]).items():
            self.counts[type.lower()] += count
        for group in groups:
            record = group.record
            if record.type == "LINE" and self.put_line(record, place):
                continue
            if record.type == "LEADER" and record.name(340) not in ("", "0"):
                texts_of_leaders.setdefault(record.name(340), record.name(5))
            for item in self.items.of(group):
                self.put(item, place)
        self.points.round()
        for handle, leader in texts_of_leaders.items():
            if handle in self.handles and leader in self.listed:
                self.handles[handle].owner = self.listed[leader]

    def finish(self) -> None:
        """Add a warning for each kind of entity that was left out."""
        left_out = self.items.left_out
        if left_out:
            self.warnings.append(
                f"coordinates are missing, damaged or out of range: {count_of(left_out, 'entity was', 'entities were')} left out"
            )
        if self.absent:
            references = count_of(self.absent.total(), "reference shows", "references show")
            names = listed([repr(name[:LONGEST_NAME]) for name in self.absent], NAMES)
            self.warnings.append(
                f"{references} nothing, as the file has no block or holds no drawing of that name: {names}"
            )
        if self.incomplete:
            self._mark_incomplete()
        if self.too_deep:
            self.warnings.append(f"blocks nested deeper than {DEPTH} or within themselves were left out")

    def _mark_incomplete(self) -> None:
        """Say of each block reference whose parts are not all listed that it is incomplete."""
        marked = [entity for entity in self.entities if entity["id"] in self.incomplete]
        for entity in marked:
            entity["incomplete"] = True
        named = count_of(len(marked), "reference is", "references are")
        self.warnings.append(
            f"block references are exploded up to {MAX_EXPLODED:,} parts: {named} listed without all parts, and marked incomplete"
        )

    def put_group(self, group: Group, place: Placement) -> None:
        """A DIMENSION or a table."""
        if group.record.type == "ACAD_TABLE":
            self._put_table(group, place)
        else:
            self._put_dimension(group, place)

    def _put_dimension(self, group: Group, place: Placement) -> None:
        record = group.record
        layer = self.layer_of(record, place)
        hidden = place.hidden or bool(record.whole(60)) or not layer.visible
        x, y = record.number(12), record.number(22)
        m = (1.0, 0.0, 0.0, 1.0, x, y) if x or y else IDENTITY
        inner = replace(place, layer=layer.name, hidden=hidden, entity=-1 if place.entity is None else place.entity)
        mark = self.canvas.mark()
        captured = self.draw_block(decoded(record.name(2)), inner, m)
        if place.captured is not None:
            place.captured.extend(captured or [])
            return
        kind, variables = dimension.kind_of(record), dimension.variables_of(record, self.styles)
        drawn = self.canvas.since(mark, LINES_OF_DIMENSION, self.points)
        self._list_dimension(Measure(record, kind, variables, place, layer.name, hidden, captured, drawn))

    def _list_dimension(self, of: Measure) -> None:
        value, measured = dimension.value_of(of.record, of.kind, of.variables, paper=self.paper)
        shown = None if of.captured is None else " ".join(one.text.strip() for one in of.captured)
        text = dimension.text_of(of.record, of.kind, value, of.variables, shown)
        further = dimension.further_of(of.record, of.variables)
        if measured != value and measured is not None:
            further["measured"] = rounded(measured)
        if of.hidden:
            further["visible"] = False
        lettering = _dimension_lettering(of, text)
        further |= {name: listed for name, listed in zip(("lines", "fills"), of.drawn, strict=True) if listed}
        if lettering is not None:
            further |= _positioned(lettering)
        id = self.new_id("dimension")
        middle = lettering.middle if lettering else None
        self.dimensions.append(Dimensioning(id, of.kind, self.page, text, value, middle, further=further))
        if lettering is not None:
            self.list_text(lettering, of.layer, owner=of.place.insert, visible=not of.hidden, kind="dimension", id=id)

    def _put_table(self, group: Group, place: Placement) -> None:
        record = group.record
        layer = self.layer_of(record, place)
        hidden = place.hidden or not layer.visible or bool(record.whole(60))
        x, y = record.number(10), record.number(20)
        angle = math.atan2(record.number(21), record.number(11, 1.0))
        cos, sin = math.cos(angle), math.sin(angle)
        frame = (cos, sin, -sin, cos, x, y)
        if not all(abs(n) < MAX_REFERENCE for n in frame):
            self.items.left_out += 1
            return
        entity = place.entity
        if entity is None:
            facts = {"position": self.points.point(x, y)}
            entity = self.list_reference("table", facts, record, place, hidden=hidden)
        inner = replace(place, layer=layer.name, hidden=hidden, entity=entity)
        mark = self.canvas.mark()
        captured = self.draw_block(decoded(record.name(2)), inner, frame)
        if place.entity is None:
            self.entities[entity]["lines"] = self.canvas.since(mark, LINES_OF_TABLE, self.points)[0]
        if place.captured is not None:
            place.captured.extend(captured or [])
            return
        grid = table_grid(record)
        whole = frame if place.m is IDENTITY else compose(place.m, frame)
        if captured is None:
            captured = cell_letterings(record, grid, whole) if grid else []
        self._cells(captured, grid, whole, layer.name, visible=not hidden)

    def _cells(
        self, letterings: list[Lettering], grid: Grid | None, frame: Affine, layer: str, *, visible: bool
    ) -> None:
        id = self.new_id("table")
        back = _inverse(frame)
        if grid is None or back is None:
            for one in letterings:
                self.list_text(one, layer, owner=id, visible=visible, kind="table_cell")
            return
        cells = arrange(grid, letterings, back)
        rows: list[list[Text | None]] = [[None] * grid.size[1] for _ in range(grid.size[0])]
        for at in sorted(cells):
            rows[at[0]][at[1]] = self.list_text(cells[at], layer, owner=id, visible=visible, kind="table_cell")
        outline = plane.transform_points(
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


def _positioned(lettering: Lettering) -> dict[str, Any]:
    """How the text of a dimension stands, for the document."""
    return {
        "angle": round(lettering.angle, 2) % 360.0,
        "height": rounded(lettering.height),
        "bbox": [round(n, 4) for n in lettering.box],
    }


def _dimension_lettering(of: Measure, text: str | None) -> Lettering | None:
    """Where a dimension's text stands: as its block draws it, or about the middle of its text."""
    if text is None:
        return None
    if of.captured:
        first = of.captured[0]
        corners = np.vstack([one.corners for one in of.captured])
        own = first.corners if len(of.captured) == 1 else box_corners(corners)
        return replace(first, text=text, corners=own, tag=None)
    middle = dimension.middle_of(of.record)
    if middle is None:
        return None
    height = of.variables.number("DIMTXT") * (of.variables.number("DIMSCALE") or 1.0)
    width = estimated_width(text, height)
    angle = math.radians(of.record.number(53))
    found = mtext_lettering("x", "", middle, angle, height, attachment=5, known_width=width)
    return replace(found, text=text).moved(of.place.m) if found else None

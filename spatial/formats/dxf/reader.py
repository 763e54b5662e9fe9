"""DXF, R10 to R2018, ASCII and binary: model space and every paper-space layout, a sheet each.

What is listed
- Page 1 is model space, unless nothing is in it and a layout has something; then the layouts by their tabs. A layout
  on which nothing was ever put, not even a viewport, is no sheet.
- A block reference is an entity (`insert`: block, position, scale, rotation, attributes), and so is each part that it
  draws, with the member `insert`, the id of the outermost reference; parts are bounded by `_dxfblocks.MAX_EXPLODED`. Lettering
  in blocks has the reference as its owner. ItemReader on layer 0 and BYBLOCK colours are the reference's.
- A dimension's own block is drawn (strokes and fills of no entity) and listed as its `lines` and `fills`; its lettering is
  the dimension's. The lines of a table are strokes of its entity `table`, listed as its `lines`; its lettering is that of the cells.
- RAY and XLINE are not drawn; they have `start` and `end` where the sheet's box cuts them.
- Coordinates are x and y of the world seen from above; z is kept where a line's end or a centre has one.
- What lies on a layer that is off or frozen is listed with `visible` false, and not drawn; where nothing else is there, it
  is read with a warning.
- A file with damaged structure goes through ezdxf's recover mode, and a warning says so.
"""

from __future__ import annotations

import math
from typing import Any, Final

from spatial.contract.formats import FORMATS
from spatial.errors import ParseError
from spatial.formats import content
from spatial.formats.dxf import recovery, style
from spatial.formats.dxf.drawn_signs import restore_drawn_signs
from spatial.formats.dxf.plane import clip_line, rounded
from spatial.formats.dxf.sheets import SheetBuilder
from spatial.formats.dxf.spaces import Block, Space, read_blocks, read_spaces
from spatial.formats.dxf.tags import File, Record
from spatial.models.reading import Units
from spatial.models.sheet.drawing import Box, Drawing, Leader, Sheet
from spatial.models.sheet.extents import drawn_extents

FORMAT: Final = next(row for row in FORMATS if row.name == "dxf")

MILLIMETERS: Final = {"millimeter": 1.0, "inch": 25.4, "centimeter": 10.0, "foot": 304.8, "meter": 1000.0}
"""Of one unit: line weights are in millimetres."""

LEAST_PAPER: Final = 0.25
"""A layout's limits are its paper where they cover so much of what is drawn; many were never set."""


def read(data: bytes, file_name: str) -> Drawing:
    """Read one file.

    Raises: ParseError where nothing in it can be read as DXF, or it is damaged and what can be read holds no drawing.
    """
    data = content.require(FORMAT, data, file_name)
    warnings: list[str] = []
    file = recovery.parse_or_recover(data, warnings)
    if not file.sections:
        raise ParseError(
            f"{file_name}: the file has no section that can be read; export it again", details={"phase": "read"}
        )
    if file.bad_encoding:
        warnings.append("some letters are not in the code page that the file names, and are read as \ufffd")
    if file.found_encoding:
        warnings.append(
            f"the letters of the file are in code page {file.found_encoding}, not in the one that its header says, and were read so"
        )
    elif file.doubtful_encoding:
        warnings.append(
            "letters beyond ASCII do not look like words in the code page that the header says ($DWGCODEPAGE), nor in another one: "
            "compare them with the sheet, or export the file as DXF 2007 or later"
        )
    units = style.units(file, warnings)
    styles = style.styles(file)
    blocks = read_blocks(file)
    spaces = _spaces_with_sheets(file, blocks, styles)
    builder, sheets = _sheets(spaces, blocks, styles, units)
    has_any = bool(builder.entities) or any(sheet.texts for sheet in sheets)
    if has_any and not any(sheet.drawn for sheet in sheets) and _show_hidden_layers(styles):
        builder, sheets = _sheets(spaces, blocks, styles, units)
        warnings.append(
            "all that the file draws lies on layers that are off or frozen; it was read as if they were on: "
            "compare it with the sheet that was meant"
        )
    warnings.extend(builder.warnings)
    drawing = Drawing(
        source_format=FORMAT.name,
        units=units,
        sheets=sheets,
        layers=[layer.record() for layer in styles.layers.values()],
        entities=builder.entities,
        entity_counts=dict(builder.counts),
        warnings=warnings,
        partial=bool(file.damage),
        further={"dxf_version": file.version},
        has_drawn_signs=True,
    )
    if drawing.partial and drawing.is_empty:
        raise ParseError(
            f"{file_name}: nothing that is drawn can be read: {file.damage}; export the file again",
            details={"phase": "read"},
        )
    return drawing


def _sheets(
    spaces: list[Space], blocks: dict[str, Block], styles: style.Styles, units: Units
) -> tuple[SheetBuilder, list[Sheet]]:
    builder = SheetBuilder(blocks, styles, [])
    sheets = [_sheet(builder, page, space, units) for page, space in enumerate(spaces, start=1)]
    builder.finish()
    return builder, sheets


def _show_hidden_layers(styles: style.Styles) -> bool:
    """Show the layers that are hidden; whether there were any."""
    hidden = [layer for layer in styles.layers.values() if not layer.visible]
    for layer in hidden:
        layer.shown = True
    return bool(hidden)


def _spaces_with_sheets(file: File, blocks: dict[str, Block], styles: style.Styles) -> list[Space]:
    model, *layouts = read_spaces(file, blocks, styles)
    return [model, *layouts] if model.groups or not layouts else layouts


def _sheet(builder: SheetBuilder, page: int, space: Space, units: Units) -> Sheet:
    unit = _paper_unit(space.layout) if space.layout else units.name
    builder.width_factor = 1 / MILLIMETERS.get(unit, 1.0)
    builder.begin(page, paper=space.paper)
    first = len(builder.entities)
    builder.draw(space.groups)
    strokes, arcs = builder.canvas.strokes(), builder.canvas.arcs()
    drawn = drawn_extents(strokes.ends, arcs.circles, builder.canvas.fills, builder.texts)
    paper = _paper(space.layout) if space.layout else None
    sheet = Sheet(
        page=page,
        name=space.name,
        kind="layout" if space.paper else "model",
        box=_box(paper, drawn),
        drawn=drawn,
        unit=unit,
        text_layer="vector" if builder.texts or not len(strokes.ends) else "none",
        texts=builder.texts,
        strokes=strokes,
        arcs=arcs,
        fills=builder.canvas.fills,
        dimensions=builder.dimensions,
        tables=builder.tables,
        native_leaders=_leaders(builder.entities[first:]),
        further=_plot(space.layout) if space.layout else {},
    )
    _clip_infinite_lines(builder.entities[first:], sheet.box)
    restore_drawn_signs(sheet)
    return sheet


def _leaders(entities: list[dict[str, Any]]) -> list[Leader]:
    """The LEADERs that are seen: many programs write none of the handles that tie one to its text."""
    shown = (entity for entity in entities if entity["type"] == "leader" and entity.get("visible", True))
    return [[tuple(point) for point in entity["points"]] for entity in shown]


def _clip_infinite_lines(entities: list[dict[str, Any]], box: Box) -> None:
    """RAYs and XLINEs get the ends that the sheet gives them."""
    for entity in entities:
        if entity["type"] in ("ray", "xline"):
            ends = clip_line(entity["position"], entity["direction"], box, both=entity["type"] == "xline")
            if ends is not None:
                entity["start"], entity["end"] = ([rounded(n) for n in end] for end in ends)


def _paper_unit(layout: Record) -> str:
    return style.PAPER_UNITS.get(layout.whole(72), "millimeter")


def _plot(layout: Record) -> dict[str, Any]:
    """The paper that the layout is plotted on, in millimetres."""
    width, height = layout.number(44), layout.number(45)
    return {"paper_mm": [round(width, 3), round(height, 3)]} if 0 < width < 1e5 and 0 < height < 1e5 else {}


def _paper(layout: Record) -> Box | None:
    """The limits of a layout: its paper from the corner that is the origin."""
    own = layout.after("AcDbLayout")
    x1, y1, x2, y2 = own.number(10), own.number(20), own.number(11), own.number(21)
    sound = all(abs(n) < 1e9 for n in (x1, y1, x2, y2)) and x1 < x2 and y1 < y2
    return (x1, y1, x2, y2) if sound else None


def _box(paper: Box | None, drawn: Box | None) -> Box:
    if paper is None or drawn is None:
        return paper or drawn or (0.0, 0.0, 0.0, 0.0)
    width, height = (min(paper[i + 2], drawn[i + 2]) - max(paper[i], drawn[i]) for i in (0, 1))
    area = (drawn[2] - drawn[0]) * (drawn[3] - drawn[1])
    covered = max(width, 0.0) * max(height, 0.0)
    return paper if math.isfinite(area) and covered >= LEAST_PAPER * area else drawn

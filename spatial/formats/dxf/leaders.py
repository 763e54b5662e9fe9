"""MULTILEADER and TOLERANCE: their lettering, and the lines that lead to it.

A MULTILEADER keeps what it shows in nested lists: CONTEXT_DATA{ … LEADER{ … LEADER_LINE{ … } } }; the same group codes
mean other things at each level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from spatial.formats.dxf.curved_shapes import OutlineShape
from spatial.formats.dxf.dimension import variables_of
from spatial.formats.dxf.lettering import Lettering, estimated_width, mtext_height, mtext_lettering
from spatial.formats.dxf.mtext import frame_cells, plain_tolerance
from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.plane import MAX_COORDINATE, Affine, compose
from spatial.formats.dxf.style import Styles
from spatial.formats.dxf.tags import Record
from spatial.formats.dxf.text_codes import decoded, plain_line
from spatial.models.sheet.drawing import Array, TextKind

CELL_WIDTH: Final = 2.0
"""Least width of a cell of a frame, in heights of its letters."""


@dataclass(slots=True)
class MultiLeader:
    """What a MULTILEADER shows."""

    lettering: Lettering | None = None
    lines: list[Array] = field(default_factory=list)
    block: str = ""
    """Handle of the record of the block that it shows instead of text."""
    place: Affine | None = None
    attributes: list[str] = field(default_factory=list)
    """Texts of the block's attributes, in order."""


def multileader(record: Record, styles: Styles) -> MultiLeader:
    """Reads its lists; damaged numbers leave out what they are of."""
    context: list[tuple[int, Value]] = []
    rest: list[tuple[int, Value]] = []
    leaders: list[list[tuple[int, Value]]] = []
    depth = 0
    for code, value in zip(record.codes, record.values, strict=True):
        text = str(value).strip() if code >= 300 else ""
        if code in (300, 302, 304) and text in ("CONTEXT_DATA{", "LEADER{", "LEADER_LINE{"):
            depth += 1
            if text != "CONTEXT_DATA{":
                leaders.append([])
        elif code in (301, 303, 305) and text == "}":
            depth -= 1
        elif depth == 1:
            context.append((code, value))
        elif depth > 1 and leaders:
            leaders[-1].append((code, value))
        else:
            rest.append((code, value))
    return _read(record, styles, _record(context), leaders, _record(rest))


def _record(pairs: list[tuple[int, Value]]) -> Record:
    return Record("MULTILEADER", [code for code, _ in pairs], [value for _, value in pairs])


def _read(
    record: Record, styles: Styles, context: Record, leaders: list[list[tuple[int, Value]]], rest: Record
) -> MultiLeader:
    found = MultiLeader(lines=_lines(leaders))
    found.attributes = [plain_line(str(value)) for _, value in rest.all(302)]
    if context.whole(290) and context.text(304):
        found.lettering = _lettering(record, styles, context)
    elif context.whole(296):
        found.block = context.name(341)
        found.place = _placement(context)
    return found


def _lines(leaders: list[list[tuple[int, Value]]]) -> list[Array]:
    """Each LEADER_LINE's points, then the end of its LEADER, which is kept before its lines."""
    lines: list[Array] = []
    end: tuple[float, float] | None = None
    landing: list[tuple[float, float]] = []
    for pairs in leaders:
        leader = _record(pairs)
        points = [(x, y) for x, y in zip(leader.numbers(10), leader.numbers(20), strict=False)]
        if leader.has(290):
            end = points[0] if points else None
            landing = _landing(leader, end) if end else []
            continue
        array = np.array([*points, *([end] if end else []), *landing]).reshape(-1, 2)
        if len(array) > 1 and (np.abs(array) < MAX_COORDINATE).all():
            lines.append(array)
    return lines


def _landing(leader: Record, end: tuple[float, float]) -> list[tuple[float, float]]:
    """The short level piece between the lines and the text, where the leader has one."""
    length = leader.number(40)
    if not leader.whole(291) or not 0 < length < MAX_COORDINATE:
        return []
    return [(end[0] + length * leader.number(11), end[1] + length * leader.number(21))]


def _lettering(record: Record, styles: Styles, context: Record) -> Lettering | None:
    angle = math.atan2(context.number(23), context.number(13, 1.0)) if context.has(13) else context.number(42)
    style = styles.style_of_handle.get(context.name(340), "Standard")
    font = styles.fonts.get(style.lower(), "")
    raw = context.text(304)
    found = mtext_lettering(
        raw,
        font,
        (context.number(12), context.number(22)),
        angle,
        mtext_height(raw, context.number(41) or 1.0),
        attachment=min(max(context.whole(171, 1), 1), 3),
        wrap=context.number(43),
        spacing=context.number(45, 1.0),
    )
    return _labelled(found, record, font or style, "leader")


def _labelled(found: Lettering | None, record: Record, style: str, kind: TextKind) -> Lettering | None:
    if found is None or not (np.abs(found.corners) < MAX_COORDINATE).all() or not 0 < found.height < MAX_COORDINATE:
        return None
    layer = decoded(record.name(8, "0"))
    hidden = bool(record.whole(60))
    return replace(found, kind=kind, layer=layer, style=style, hidden=hidden, handle=record.name(5))


def _placement(context: Record) -> Affine | None:
    """Where the block goes: the matrix of 16 numbers, or insertion point, scale and rotation."""
    matrix = context.numbers(47)
    if len(matrix) == 16:
        return matrix[0], matrix[4], matrix[1], matrix[5], matrix[3], matrix[7]
    x, y = context.number(15), context.number(25)
    angle = context.number(46)
    cos, sin = math.cos(angle), math.sin(angle)
    turn = (cos, sin, -sin, cos, x, y)
    return compose(turn, (context.number(16, 1.0), 0.0, 0.0, context.number(26, 1.0), 0.0, 0.0))


def tolerance(record: Record, styles: Styles) -> Lettering | None:
    """A feature control frame: cells separated by `|`, hung up at the middle of its left side."""
    text = plain_tolerance(record.text(1))
    if not text:
        return None
    variables = variables_of(record, styles)
    height = variables.number("DIMTXT") * (variables.number("DIMSCALE") or 1.0)
    widths = [
        sum(max(estimated_width(cell, height) + height, CELL_WIDTH * height) for cell in cells if cell)
        for cells in frame_cells(record.text(1))
    ]
    angle = math.atan2(record.number(21), record.number(11, 1.0)) if record.has(11) else 0.0
    found = mtext_lettering(
        text, "", (record.number(10), record.number(20)), angle, height, attachment=4, known_width=max(widths)
    )
    return _labelled(found and replace(found, text=text), record, "gdt", "tolerance")


def multileader_outline(lines: list[Array]) -> OutlineShape:
    """The leader lines as the document lists them."""
    rounded = [[[round(x, 6), round(y, 6)] for x, y in line.tolist()] for line in lines]
    return OutlineShape({"lines": rounded})

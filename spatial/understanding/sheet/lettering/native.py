"""Lettering that the file itself keeps together: DXF dimensions, tolerances and MTEXT of several lines."""

from __future__ import annotations

import math
import re

from spatial.models.sheet.drawing import Box, Text
from spatial.understanding.sheet.label import Label, Role
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import cosine_sine

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def is_whole_label(text: Text) -> bool:
    """Whether a text is a label by itself and never a part of one."""
    return text.kind in {"dimension", "tolerance", "table_cell"} or "\n" in text.text.strip()


def labels(text: Text) -> list[Label]:
    """The labels of a text that stands by itself: of a dimension one, of an MTEXT one a paragraph, of a tolerance one a row."""
    if text.kind == "tolerance":
        return [_frame(text, row) for row in text.text.splitlines() if row.strip()]
    if text.kind == "dimension":
        lines = [part for line in _lines(text.text) for part in words.limits(words.written(line))]
        return [_label(text, tuple(lines), "dimension", 0, 1)] if lines else []
    blocks = [_lines(block) for block in _BLANK_LINE.split(text.text)]
    total = sum(len(block) + 1 for block in blocks) - 1
    found, before = [], 0
    for block in blocks:
        if block:
            found.append(
                _label(text, tuple(map(words.written, block)), "free", before / total, (before + len(block)) / total)
            )
        before += len(block) + 1
    return found


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _frame(text: Text, row: str) -> Label:
    """`◎|Ø0.02|A`: empty cells at the end are none."""
    cells = [cell.strip() for cell in row.split("|")]
    while cells and not cells[-1]:
        cells.pop()
    label = _label(text, (" ".join(c for c in cells if c),), "frame", 0, 1)
    return Label(
        label.lines,
        label.page,
        label.position,
        label.box,
        label.angle,
        label.height,
        label.sources,
        "frame",
        cells=tuple(cells),
    )


def _label(text: Text, lines: tuple[str, ...], role: Role, begin: float, end: float) -> Label:
    """`begin` and `end` say which part of the text's box, from the top, the lines take."""
    x0, y0, x1, y1 = text.box
    c, s = cosine_sine(text.angle)
    box: Box = text.box
    if (begin, end) != (0, 1) and abs(s) < 0.01 and c > 0:
        box = x0, y1 - (y1 - y0) * end, x1, y1 - (y1 - y0) * begin
    height = text.height if text.height > 0 else max(min(x1 - x0, y1 - y0) / max(len(lines), 1), math.ulp(1.0))
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return Label(lines, text.page, middle, box, text.angle % 360, height, (text.id,), role, repairs=text.repairs)

"""A random but plausible drawing sheet with everything that a person reads on it.

    python -m tests.sheets.generate 7 pdf OUT.pdf      one sheet, and its truth beside it

Texts do not overlap: blocks, tables, notes and views each get a box of the paper that nothing else uses.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from tests.sheets import tables, titles, views
from tests.sheets.canvas import Canvas, Group, Point
from tests.sheets.dxf_canvas import DxfCanvas
from tests.sheets.marks import Mark, surface
from tests.sheets.pdf_canvas import PdfCanvas
from tests.sheets.style import Style, choose

Format = Literal["dxf", "pdf"]
Box = tuple[float, float, float, float]
MARGIN = 10.0
"""From the edge of the paper to the frame, mm."""


@dataclass(frozen=True)
class Generated:
    """A sheet as a file."""

    data: bytes
    file_name: str
    truth: dict[str, Any]
    """As the truth files of the corpus: callouts, title_block, bom, revisions, notes; and all dimensions with what they measure."""


class Paper:
    """The sheet and the boxes that are taken."""

    def __init__(self, rng: random.Random, style: Style) -> None:
        self.rng, self.style = rng, style
        self.taken: list[Box] = []

    @property
    def inner(self) -> Box:
        return MARGIN, MARGIN, self.style.width - MARGIN, self.style.height - MARGIN

    def take(self, left: float, bottom: float, right: float, top: float) -> None:
        self.taken.append((left - 3, bottom - 3, right + 3, top + 3))

    def free(self, left: float, bottom: float, width: float, height: float) -> bool:
        right, top = left + width, bottom + height
        a, b, c, d = self.inner
        if left < a + 2 or bottom < b + 2 or right > c - 2 or top > d - 2:
            return False
        return all(right <= box[0] or left >= box[2] or top <= box[1] or bottom >= box[3] for box in self.taken)

    def room(self, width: float, height: float) -> Point | None:
        """The lower left corner of a free place, taken from now on."""
        a, b, c, d = self.inner
        places = [(x, y) for x in _steps(a + 2, c - width - 2) for y in _steps(b + 2, d - height - 2)]
        self.rng.shuffle(places)
        for x, y in places:
            if self.free(x, y, width, height):
                self.take(x, y, x + width, y + height)
                return x, y
        return None


def _steps(start: float, end: float) -> Iterator[float]:
    while start <= end:
        yield start
        start += 6


def sheet(seed: int, *, format: Format) -> Generated:
    """The sheet of a seed; the same seed and format give the same bytes."""
    rng = random.Random(f"{format}-{seed}")
    style = choose(rng)
    style = replace(style, zero=_zero(style, format))
    canvas: Canvas = PdfCanvas(rng, style) if format == "pdf" else DxfCanvas(rng, style)
    said = titles.values(rng, style)
    pages = rng.choice([1, 1, 1, 1, 2])
    name, seen = titles.layout(rng, style), rng.randrange(2**32)
    form = rng.choice(["{}/{}", "{} / {}"]) if not style.asme else "{} OF {}"
    truth: dict[str, Any] = {"file": f"generated-{seed}.{format}", "seed": seed, "pages": pages, "callouts": []}
    for page in range(1, pages + 1):
        if page > 1:
            canvas.next_sheet()
        printed = {**said, "sheet": form.format(page, pages)}
        block = titles.title_block(random.Random(seen), style, name, printed, canvas.wide)
        if page == 1:
            truth["title_block"] = block.truth
            truth.update(bom=[], revisions=[], notes=[])
        _page(canvas, rng, style, block, truth, page)
    truth["dimensions"] = [each.truth() for each in canvas.dimensioned]
    return Generated(canvas.data(), truth["file"], truth)


def _zero(style: Style, format: Format) -> str:
    """ASME Y14.5 gives both deviations equal places, but a DIMSTYLE without leading zeros prints `0`."""
    if format == "dxf":
        return "0" if style.inch else style.number(0, 2)
    return style.number(0, 3 if style.inch else 2) if style.asme else "0"


def _page(
    canvas: Canvas, rng: random.Random, style: Style, block: titles.Block, truth: dict[str, Any], page: int
) -> None:
    paper = Paper(rng, style)
    _border(canvas, style)
    corner = (style.width - MARGIN, MARGIN)
    canvas.group(_moved(block.group, corner))
    paper.take(corner[0] - block.width, corner[1], corner[0], corner[1] + block.height)
    if style.asme and rng.random() < 0.3:
        _upside_down(canvas, paper, block)
    if page == 1:
        _tables(canvas, paper, block, truth)
        _notes(canvas, paper, truth)
    written = _views(canvas, paper)
    if rng.random() < 0.3 and (at := paper.room(40, 16)):
        mark = surface(rng, style)
        canvas.texture((at[0] + 2, at[1] + 6), mark)
        written.append(mark)
    truth["callouts"] += [{**mark.truth(), "page": page} for mark in written]


def _border(canvas: Canvas, style: Style) -> None:
    """The frame with zones (ISO 5457)."""
    width, height = style.width, style.height
    for inset, weight in ((MARGIN, 0.7), (MARGIN - 5, 0.25)):
        corners = [(inset, inset), (width - inset, inset), (width - inset, height - inset), (inset, height - inset)]
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            canvas.line(start, end, weight)
    if width < 250 and height < 250:
        return
    across, up = max(2, round(width / 100) * 2), max(2, round(height / 100) * 2)
    for place in range(across):
        x = width * (place + 0.5) / across
        for y in (MARGIN - 3.8, height - MARGIN + 1.2):
            canvas.text((x, y), str(place + 1), 2.5, 0, "center")
    for place in range(up):
        y = height * (place + 0.5) / up
        for x in (MARGIN - 2.5, width - MARGIN + 2.5):
            canvas.text((x, y - 1.2), "ABCDEFGHJKLMNPQR"[up - 1 - place], 2.5, 0, "center")


def _upside_down(canvas: Canvas, paper: Paper, block: titles.Block) -> None:
    """The drawing number once more in the upper left corner, to be found in a drawer (ASME Y14.1)."""
    left, top, number = MARGIN, paper.style.height - MARGIN, block.truth["drawing_number"]
    wide = canvas.wide(number, 4) + 8
    canvas.line((left, top - 10), (left + wide, top - 10), 0.5)
    canvas.line((left + wide, top - 10), (left + wide, top), 0.5)
    canvas.text((left + wide - 4, top - 3), number, 4, 180)
    paper.take(left, top - 10, left + wide, top)


def _tables(canvas: Canvas, paper: Paper, block: titles.Block, truth: dict[str, Any]) -> None:
    rng, style = paper.rng, paper.style
    right, top = style.width - MARGIN, style.height - MARGIN
    if rng.random() < 0.4:
        table = tables.revisions(rng, style, canvas.wide)
        at = (right - table.wide, top - table.tall)
        if _put(canvas, paper, table, at):
            truth["revisions"] = table.truth()
    if rng.random() < 0.4:
        table = tables.bill(rng, style, canvas.wide)
        above = (right - table.wide, MARGIN + block.height + (0.0 if table.header_below else 4.0))
        if _put(canvas, paper, table, rng.choice([above, (MARGIN, top - table.tall)])):
            truth["bom"] = table.truth()
    if rng.random() < 0.25:
        table = tables.other(rng, style, canvas.wide)
        if at_ := paper.room(table.wide, table.tall):
            canvas.group(_moved(table.group, at_))


def _put(canvas: Canvas, paper: Paper, table: tables.Table, at: Point) -> bool:
    """Draws it at a corner of the frame where nothing else is; False where it has no room."""
    box = (at[0], at[1], at[0] + table.wide, at[1] + table.tall)
    touching = [other for other in paper.taken if _overlap((box[0] + 3, box[1] + 3, box[2] - 3, box[3] - 3), other)]
    if (
        at[0] < MARGIN
        or table.wide > paper.style.width - 2 * MARGIN
        or touching
        or box[3] > paper.style.height - MARGIN + 0.1
    ):
        return False
    paper.take(*box)
    canvas.group(_moved(table.group, at))
    return True


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


def _notes(canvas: Canvas, paper: Paper, truth: dict[str, Any]) -> None:
    rng, style = paper.rng, paper.style
    if rng.random() < 0.4:
        return
    room = rng.choice([70.0, 90.0, 120.0])
    lines, said = tables.notes(rng, style, canvas.wide, room)
    wide, pitch = max(canvas.wide(line, 2.5) for line in lines), 4.2
    if at := paper.room(wide, pitch * len(lines) + 2):
        canvas.paragraph((at[0], at[1] + pitch * (len(lines) - 1) + 1), lines, 2.5, pitch)
        truth["notes"] = said


def _views(canvas: Canvas, paper: Paper) -> list[Mark]:
    """As many views as fit a sheet that is not crowded."""
    rng, style, written = paper.rng, paper.style, list[Mark]()
    missed = made = 0
    most = max(3, round(style.width * style.height / 40_000))
    while missed < 12 and made < most:
        view = views.view(rng, style, canvas)
        at = paper.room(*view.box)
        if at is None:
            missed += 1
            continue
        written += views.draw(canvas, rng, style, view, at)
        made += 1
    if rng.random() < 0.4 and (at := paper.room(75, 50)):
        written.append(views.wedge(canvas, rng, style, at))
    return written


def _moved(group: Group, by: Point) -> Group:
    def move(point: Point) -> Point:
        return point[0] + by[0], point[1] + by[1]

    rules = [replace(rule, start=move(rule.start), end=move(rule.end)) for rule in group.rules]
    return Group(group.kind, rules, [replace(each, at=move(each.at)) for each in group.letterings])


def main(arguments: list[str]) -> None:
    """Write one sheet and its truth."""
    made = sheet(int(arguments[0]), format="dxf" if arguments[1] == "dxf" else "pdf")
    out = Path(arguments[2])
    out.write_bytes(made.data)
    out.with_suffix(".truth.json").write_text(json.dumps(made.truth, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1:])

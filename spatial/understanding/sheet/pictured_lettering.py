"""Pictures that may show lettering which nothing else on the sheet states: a title block, a list or a view that is only pixels.

Pixels are never read (spec: `drawing_metadata`), so that all there is to say is where such a picture stands. Hardly anything is drawn over
it, and it stands in a corner of the frame as forms and lists do, or pictures are a good part of the sheet. A logo is smaller, and a shaded
view in an upper corner is no strip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial.contract.drawing import TitleBlock
from spatial.counting import count_of, listed
from spatial.geometry.arcs import on_arcs
from spatial.models.sheet.drawing import Array, Box, Sheet
from spatial.models.sheet.extents import area_of, box_around, intersection
from spatial.understanding.sheet.cells.border import find_frame
from spatial.understanding.sheet.title_block.pictured import is_within

FEW_PIECES: Final = 50
"""Strokes, arcs, areas and texts over a picture; with as many it is the ground of something drawn."""
PICTURED: Final = 0.1
"""Part of a sheet that pictures cover from which its views may be in them."""
LEAST: Final = 0.005
"""Part of a sheet: a title block of ISO 7200 on A0; smaller pictures are logos and signs."""
LONG: Final = 0.14
"""Of the sheet's longer side: the title block of ISO 7200, 170 mm, on A0."""
STRIP: Final = 2.0
"""Times its shorter side that a form or list is long, where it stands in another corner than that of title blocks."""
CORNER: Final = 0.04
"""Of the sheet's longer side: how far from both sides of the frame a form or list in its corner stands at most."""
FEW_PAGES: Final = 8
"""Pages that have a warning each."""
MOST_NAMED: Final = 10
"""Pictures that a warning names."""

REASON: Final = "no text of the sheet is a title block; a picture stands where title blocks do, and the lettering of pictures is not read"


@dataclass(frozen=True, slots=True)
class Pictured:
    """A picture that may show lettering."""

    page: int
    entity: str
    place: str
    """Where on the sheet it stands, as `lower right`."""
    part: float
    """Of the sheet."""
    is_block: bool
    """Whether it stands where title blocks do, in the lower right corner of the frame."""


def pictured_lettering(
    sheet: Sheet, pictures: Iterable[tuple[str, Box]], block: tuple[TitleBlock, frozenset[str]] | None
) -> list[Pictured]:
    """pictures: those of the sheet by id. block: the title block with the ids of its texts; what stands in it is said there."""
    paper = sheet.box
    if sheet.text_layer == "raster" or "geometry" in sheet.further or area_of(paper) <= 0.0:
        return []
    form = _block_box(sheet, block)
    seen = [(name, box) for name, box in _on(paper, pictures) if not (form and is_within(box, form))]
    if not seen:
        return []
    middles = _middles(sheet)
    bare = [(name, box) for name, box in seen if _count(middles, box) < FEW_PIECES]
    frame = find_frame(sheet) or sheet.drawn or paper
    forms = [name for name, box in bare if _is_form(box, frame, paper)]
    covered = sum(area_of(box) for box in {box for _, box in bare})
    shown = bare if covered >= PICTURED * area_of(paper) else [each for each in bare if each[0] in forms]
    return [
        Pictured(
            sheet.page,
            name,
            _place(box, paper),
            area_of(box) / area_of(paper),
            name in forms and "right" in _sides(box, frame, paper) and "lower" in _sides(box, frame, paper),
        )
        for name, box in shown
    ]


def warnings_of(pictured: Sequence[Pictured]) -> list[str]:
    """One of each page; where they are many, one of the pages that are left."""
    pages = list(dict.fromkeys(each.page for each in pictured))
    found = [_warning(page, [each for each in pictured if each.page == page]) for page in pages[:FEW_PAGES]]
    if rest := pages[FEW_PAGES:]:
        said = count_of(len(rest), "further page has", "further pages have")
        found.append(
            f"{said} pictures that may show lettering, which is not read: {listed([str(page) for page in rest], MOST_NAMED)}"
        )
    return found


def absent_block(pictured: Sequence[Pictured]) -> Mapping[str, Any] | None:
    """`absent` of a drawing without a title block, of the first sheet with a picture where title blocks stand."""
    first = next((each.page for each in pictured if each.is_block), None)
    names = [each.entity for each in pictured if each.is_block and each.page == first]
    return {"title_block": {"reason": REASON, "entities": names, "page": first}} if names else None


def _warning(page: int, pictured: Sequence[Pictured]) -> str:
    said = count_of(len(pictured), "picture", "pictures")
    named = listed([f"{each.entity} ({each.place}, {each.part:.0%} of the sheet)" for each in pictured], MOST_NAMED)
    what = f"{said} may show lettering, which is pixels and was not read: {named}"
    return f"page {page}: {what}; look at the page there and type what it says, or export the sheet with this lettering as text"


def _block_box(sheet: Sheet, block: tuple[TitleBlock, frozenset[str]] | None) -> Box | None:
    if block is None or (block[0].model_extra or {}).get("page") != sheet.page:
        return None
    boxes = [text.box for text in sheet.texts if text.id in block[1]]
    return box_around(boxes) if boxes else None


def _on(paper: Box, pictures: Iterable[tuple[str, Box]]) -> list[tuple[str, Box]]:
    """The part of each picture that lies on the paper, where it is large enough."""
    shown = [(name, intersection(box, paper)) for name, box in pictures]
    return [(name, box) for name, box in shown if box and area_of(box) >= LEAST * area_of(paper)]


def _is_form(box: Box, frame: Box, paper: Box) -> bool:
    """Whether a picture stands in a corner of the frame as a title block, a list or a history does."""
    short, long = sorted((box[2] - box[0], box[3] - box[1]))
    sides = _sides(box, frame, paper)
    is_in_corner = bool(sides & {"left", "right"}) and bool(sides & {"lower", "upper"})
    is_long = long >= LONG * max(paper[2] - paper[0], paper[3] - paper[1])
    return is_in_corner and is_long and ({"lower", "right"} <= sides or long >= STRIP * short)


def _sides(box: Box, frame: Box, paper: Box) -> set[str]:
    """The sides of the frame that a box stands at."""
    near = CORNER * max(paper[2] - paper[0], paper[3] - paper[1])
    gaps = (box[0] - frame[0], box[1] - frame[1], frame[2] - box[2], frame[3] - box[3])
    return {side for side, gap in zip(("left", "lower", "right", "upper"), gaps, strict=True) if gap <= near}


def _place(box: Box, paper: Box) -> str:
    """In which of nine fields of the sheet the middle of a box lies."""
    across = (box[0] + box[2] - 2 * paper[0]) / 2 / (paper[2] - paper[0])
    along = (box[1] + box[3] - 2 * paper[1]) / 2 / (paper[3] - paper[1])
    row = ("lower", "", "upper")[min(int(3 * along), 2)]
    column = ("left", "middle", "right")[min(int(3 * across), 2)]
    return f"{row} {column}".strip()


def _middles(sheet: Sheet) -> Array:
    """(n, 2) the middles of all that is drawn and of the texts that are seen."""
    ends = sheet.strokes.ends
    fills = np.array([(fill.points.min(axis=0) + fill.points.max(axis=0)) / 2 for fill in sheet.fills]).reshape(-1, 2)
    boxes = np.array([text.box for text in sheet.texts if text.visible], float).reshape(-1, 4)
    texts = (boxes[:, :2] + boxes[:, 2:]) / 2
    return np.concatenate([(ends[:, :2] + ends[:, 2:]) / 2, on_arcs(sheet.arcs.circles, 0.5), fills, texts])


def _count(middles: Array, box: Box) -> int:
    inside = (middles > box[:2]).all(axis=1) & (middles < box[2:]).all(axis=1)
    return int(inside.sum())

"""Sheets whose lettering is drawn as outlines or strokes, with that lettering as texts ([decision 47]).

[decision 47]: docs/decisions/0047-drawn-lettering.md
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Final

from spatial.counting import count_of
from spatial.models.guard import attempt
from spatial.models.sheet.drawing import Arcs, Box, Drawing, Flags, Sheet, Strokes, Text
from spatial.models.sheet.repairs import PARTIAL
from spatial.understanding.sheet.outlined.dashes_as_letters import without_dashes
from spatial.understanding.sheet.outlined.filled_strings import lettering_fills
from spatial.understanding.sheet.outlined.layer_texts import merge_layer, unsaid
from spatial.understanding.sheet.outlined.letters import Candidates
from spatial.understanding.sheet.outlined.read import FoundLettering
from spatial.understanding.sheet.outlined.touching import TooMuchInk
from spatial.understanding.sheet.outlined.with_ideographs import read_lettering

PLACES: Final = 5
"""Places of what was not read that a warning names."""


def read_sheets(drawing: Drawing, chosen: Mapping[int, Candidates]) -> Drawing:
    """The drawing with its drawn lettering as texts, and without the shapes that they were read from.

    chosen: what may be of letters, by page. Warnings are added to those of the drawing, with which the result shares everything else.
    """
    numbers = count(_last_number(drawing) + 1)
    sheets = []
    for sheet in drawing.sheets:
        if sheet.page not in chosen:
            sheets.append(sheet)
            continue
        found = _found(sheet, chosen[sheet.page], drawing.warnings)
        for text in found.texts:
            text.id = f"annotation-{next(numbers)}"
        sheets.append(_lettered(sheet, found) if found.texts else sheet)
        drawing.warnings += _partly_said(sheets[-1])
    return replace(drawing, sheets=sheets)


def _partly_said(sheet: Sheet) -> list[str]:
    """A warning about texts of a layer whose gaps were not read."""
    left = [text for text in sheet.texts if PARTIAL in text.repairs]
    if not left:
        return []
    named = ", ".join(repr(text.text) for text in left[:PLACES]) + (", …" if len(left) > PLACES else "")
    texts = count_of(len(left), "invisible text says", "invisible texts say")
    return [f"page {sheet.page}: {texts} only a part of what is drawn, and the rest was not read: {named}"]


def _last_number(drawing: Drawing) -> int:
    ends = (text.id.rpartition("-")[2] for sheet in drawing.sheets for text in sheet.texts)
    return max((int(end) for end in ends if end.isdecimal()), default=0)


def _found(sheet: Sheet, kinds: Candidates, warnings: list[str]) -> FoundLettering:
    found: FoundLettering = attempt(
        f"drawn lettering of page {sheet.page}", partial(_read, sheet, kinds, warnings), FoundLettering(), warnings
    )
    if not found.texts and sheet.text_layer == "outlined":
        warnings.append(
            f"page {sheet.page} has its lettering as outlines or strokes, not as text, and none of it could be read: "
            "only geometry was read"
        )
    found = attempt(f"dashes of page {sheet.page}", partial(without_dashes, sheet, found), found, warnings)
    found.texts = unsaid(sheet.texts, found.texts)
    if found.texts:
        lines = count_of(len(found.texts), "line of lettering was", "lines of lettering were")
        warnings.append(f"page {sheet.page}: {lines} read from outlines or strokes, as there is no text for them")
    if found.without_lines:
        warnings.append(f"page {sheet.page}: its drawn lettering was read glyph by glyph alone: {found.without_lines}")
    if found.unread and (found.texts or sheet.text_layer in ("outlined", "vector")):
        warnings.append(_unread(sheet.page, found.unread))
    return found


def _read(sheet: Sheet, kinds: Candidates, warnings: list[str]) -> FoundLettering:
    try:
        return read_lettering(sheet, *kinds)
    except TooMuchInk as error:
        warnings.append(_too_much(sheet.page, error))
    try:
        return read_lettering(sheet, *lettering_fills(sheet))  # views are strokes
    except TooMuchInk:
        return FoundLettering()


def _too_much(page: int, error: TooMuchInk) -> str:
    return (
        f"page {page}: its drawn lettering stands among {error.pieces:,} small pieces of geometry, which are too "
        "many to read it from; its filled letters alone were looked at"
    )


def _unread(page: int, boxes: list[Box]) -> str:
    pieces = count_of(len(boxes), "piece of drawn lettering was", "pieces of drawn lettering were")
    places = "; ".join(" ".join(f"{number:.0f}" for number in box) for box in boxes[:PLACES])
    more = "; …" if len(boxes) > PLACES else ""
    return f"page {page}: {pieces} not read, in the {'box' if len(boxes) == 1 else 'boxes'} {places}{more}"


def _lettered(sheet: Sheet, found: FoundLettering) -> Sheet:
    """A sheet with the texts that were found and without the shapes that they were read from."""
    fills, strokes, arcs = found.fills, found.strokes, found.arcs
    texts = merge_layer(sheet.texts, found.texts) if sheet.texts else sorted(found.texts, key=_reading_order)
    if fills is None or strokes is None or arcs is None:
        return sheet
    return replace(
        sheet,
        text_layer="outlined" if sheet.text_layer == "none" else sheet.text_layer,
        texts=texts,
        fills=[fill for fill, is_letter in zip(sheet.fills, fills.tolist(), strict=True) if not is_letter],
        strokes=Strokes(*_kept(sheet.strokes, ~strokes, ("ends", "width", "entity", "dashed", "curved", "filled"))),
        arcs=Arcs(*_kept(sheet.arcs, ~arcs, ("circles", "width", "entity", "dashed"))),
    )


def _kept(drawn: Strokes | Arcs, kept: Flags, names: tuple[str, ...]) -> list[Any]:
    return [None if (values := getattr(drawn, name)) is None else values[kept] for name in names]


def _reading_order(text: Text) -> tuple[float, float]:
    return -round(text.box[1] / 3.0), text.box[0]

"""Which sheets may have drawn lettering, and which of their shapes may be of its letters ([decision 47]).

What reads it takes a tenth of a second to import, which a drawing that has its lettering as text does not spend.

[decision 47]: docs/decisions/0047-drawn-lettering.md
"""

from __future__ import annotations

import numpy as np

from spatial.models.sheet.drawing import Drawing, Sheet
from spatial.models.sheet.repairs import DRAWN, PARTIAL
from spatial.understanding.sheet.outlined.filled_strings import lettering_fills
from spatial.understanding.sheet.outlined.letters import Candidates
from spatial.understanding.sheet.outlined.strings import BESIDE_FILLS, SHORTEST, lettering_strokes, unsaid_strokes
from spatial.understanding.sheet.outlined.unsaid_sizes import has_unsaid_sizes


def with_drawn_lettering(drawing: Drawing) -> Drawing:
    """The drawing with its drawn lettering as texts, and without the shapes that they were read from.

    Warnings are added to those of the drawing, with which the result shares everything else.
    """
    chosen: dict[int, Candidates] = {}
    for sheet in drawing.sheets:
        if sheet.text_layer == "vector":
            found = _beside_texts(sheet)
        else:
            found = _all(sheet) if sheet.text_layer in ("outlined", "none") else None
        if found is not None:
            chosen[sheet.page] = found
    if not chosen:
        return drawing
    from spatial.understanding.sheet.outlined.read_sheets import read_sheets

    return read_sheets(drawing, chosen)


def _all(sheet: Sheet) -> Candidates:
    return np.ones(len(sheet.fills), bool), np.ones(len(sheet.strokes.ends), bool)


def _beside_texts(sheet: Sheet) -> Candidates | None:
    """Which fills and strokes of a sheet with texts may be of letters; None where there are no strings of them."""
    fills, bars = lettering_fills(sheet)
    repairs = {repair for text in sheet.texts for repair in text.repairs}
    fewest = BESIDE_FILLS if fills.any() and DRAWN not in repairs else SHORTEST
    strokes = (
        unsaid_strokes(sheet) if PARTIAL in repairs or has_unsaid_sizes(sheet) else lettering_strokes(sheet, fewest)
    )
    strokes = strokes | bars
    return (fills, strokes) if fills.any() or strokes.any() else None

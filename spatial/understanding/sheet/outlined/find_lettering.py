"""Which sheets may have drawn lettering, and which of their shapes may be of its letters ([decision 47]).

What reads it takes a tenth of a second to import, which a drawing that has its lettering as text does not spend.

[decision 47]: docs/decisions/0047-drawn-lettering.md
"""

from __future__ import annotations

import numpy as np

from spatial.models.sheet.drawing import Drawing, Sheet
from spatial.understanding.sheet.outlined.filled_strings import lettering_fills
from spatial.understanding.sheet.outlined.letters import Candidates
from spatial.understanding.sheet.outlined.strings import lettering_strokes


def with_drawn_lettering(drawing: Drawing) -> Drawing:
    """The drawing with its drawn lettering as texts, and without the shapes that they were read from.

    Warnings are added to those of the drawing, with which the result shares everything else.
    """
    chosen = {sheet.page: found for sheet in drawing.sheets if (found := _candidates(sheet)) is not None}
    if not chosen:
        return drawing
    from spatial.understanding.sheet.outlined.read_sheets import read_sheets

    return read_sheets(drawing, chosen)


def _candidates(sheet: Sheet) -> Candidates | None:
    """Which fills and strokes of a sheet may be of letters; None where it has its lettering as text."""
    if sheet.text_layer in ("outlined", "none"):
        return np.ones(len(sheet.fills), bool), np.ones(len(sheet.strokes.ends), bool)
    if sheet.text_layer != "vector":
        return None
    fills, bars = lettering_fills(sheet)
    strokes = lettering_strokes(sheet) | bars
    return (fills, strokes) if fills.any() or strokes.any() else None

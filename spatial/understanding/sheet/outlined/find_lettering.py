"""Which sheets may have drawn lettering, and which of their shapes may be of its letters ([decision 47]).

What reads it takes a tenth of a second to import, which a drawing that has its lettering as text does not spend.

[decision 47]: docs/decisions/0047-drawn-lettering.md
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Drawing, Sheet
from spatial.understanding.sheet.outlined.letters import FACET, LARGEST, Candidates

BESIDE_TEXT: Final = 250
"""Small fills with more corners than an arrowhead from which a sheet has drawn lettering beside its text: what exporters leave of logos
and signs is half as much."""
ARROWHEAD: Final = 7
"""Corners that a filled arrowhead has at most, its first one twice."""


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
    if sheet.text_layer != "vector" or len(sheet.fills) < BESIDE_TEXT:
        return None
    left, bottom, right, top = sheet.box
    largest = LARGEST * min(right - left, top - bottom)
    letters = [
        len(fill.points) > ARROWHEAD and float(np.ptp(fill.points, axis=0).max()) <= largest for fill in sheet.fills
    ]
    if sum(letters) < BESIDE_TEXT:
        return None
    bars = [len(fill.points) > FACET for fill in sheet.fills]
    return np.array(bars), np.zeros(len(sheet.strokes.ends), bool)

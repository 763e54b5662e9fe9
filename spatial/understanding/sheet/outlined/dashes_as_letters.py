"""Letters that are none: dashes of a frame's sides that turn round its corner or go on as its leader, read as J or q."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.geometry.columns import every
from spatial.models.sheet.drawing import Array, Flags, Sheet
from spatial.understanding.sheet.outlined.read import FoundLettering
from spatial.understanding.sheet.symbols.dashed_sides import dashed_sides

ON: Final = 0.06
"""Letter heights by which a dash may be off the side that it is of."""
TALLER: Final = 1.5
"""Letter heights from which a letter with a dash in it is a line that goes on from there."""


def without_dashes(sheet: Sheet, found: FoundLettering) -> FoundLettering:
    """What was read without single letters that are dashes of the sides of cells, or a line that goes on from one."""
    lone = [text for text in found.texts if len(text.text) == 1 and text.height > 0]
    if not lone or found.strokes is None:
        return found
    height = float(np.median([text.height for text in found.texts]))
    sides = dashed_sides(sheet.strokes, height)
    if not len(sides):
        return found
    of_side = _on_sides(sheet.strokes.ends, sides, ON * height)
    for text in lone:
        own = found.strokes & _within(sheet.strokes.ends, text.box, ON * height)
        if of_side[own].any() and (text.height > TALLER * height or of_side[own].all()):
            found.texts.remove(text)
            found.strokes = found.strokes & ~own
    return found


def _on_sides(ends: Array, sides: Array, slack: float) -> Flags:
    """(n,) which strokes are on one of some sides (m, 4) along the axes."""
    on = np.zeros(len(ends), bool)
    for left, bottom, right, top in sides.tolist():
        on |= _within(ends, (left, bottom, right, top), slack)
    return on


def _within(ends: Array, box: tuple[float, float, float, float], slack: float) -> Flags:
    low, high = np.array(box[:2]) - slack, np.array(box[2:]) + slack
    points = ends.reshape(-1, 2)
    inside = every((points >= low) & (points <= high))
    return np.asarray(inside.reshape(-1, 2).all(axis=1))

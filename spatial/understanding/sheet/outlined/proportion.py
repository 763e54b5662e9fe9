"""How much narrower than their font is drawn the letters of a line are: programs press a text into its cell."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array

USUAL_STEP: Final = 0.7
"""Capital heights from the middle of one letter to that of the next, in small letters of usual width: half an em, which capitals fill to
0.7 of (as the widths and heights of Arial and Liberation Sans)."""
PRESSED: Final = 0.7
"""Part of that below which a line is pressed, not set in a narrow font or of narrow letters."""
NARROWEST: Final = 0.35
"""Part of the usual width below which nothing is told from it."""
FEWEST: Final = 8
"""Pairs of letters side by side from which a line shows how wide they are."""
LETTER: Final = 0.5
"""Capital heights of a letter: points stand closer."""


def narrowness(boxes: Array, height: float) -> float:
    """Part of their usual width that the letters of a line have; 1 where they are not pressed or too few to tell.

    boxes: (n, 4) of the glyphs from the left, in the direction of reading; height: of a capital letter.
    """
    high = boxes[:, 3] - boxes[:, 1] >= LETTER * height
    letters = high[1:] & high[:-1]
    if letters.sum() < FEWEST:
        return 1.0
    step = float(np.median(np.diff((boxes[:, 0] + boxes[:, 2]) / 2)[letters])) / max(height, 1e-9)
    part = max(step / USUAL_STEP, NARROWEST)
    return part if part < PRESSED else 1.0

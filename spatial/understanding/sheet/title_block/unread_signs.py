"""Signs in the lettering of general tolerances that are drawn as strokes and were not recognised: the ≥ of `300 ≥ X ≥ 150`, a ± or a °.

They are missing from the value, and no text says so: the strokes do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.contract.drawing import TitleBlock
from spatial.models.sheet.drawing import Array, Box, Flags, Sheet, Text

LONGEST: Final = 1.5
"""Letter heights of a stroke of a sign; rules of cells are longer."""

SHORTEST: Final = 0.1
"""Letter heights of a stroke of a sign; shorter ones are dots and joints."""

MOST_NAMED: Final = 8
"""Texts that one warning names; a tolerance box has seldom more lines."""

GAP: Final = 8.0
"""Letter heights between two texts of one line in which a sign may stand."""


def unread_signs(block: TitleBlock, sheets: Sequence[Sheet]) -> list[str]:
    """A warning for each sheet in whose general tolerances signs were not read, with the texts beside them."""
    wanted = set((block.sources or {}).get("tolerances", ()))
    warnings = []
    for sheet in sheets:
        texts = [text for text in sheet.texts if text.id in wanted and not text.angle]
        beside = [" ".join(text.text.split())[:60] for text in texts if _has_strokes(text, texts, sheet)]
        if beside:
            warnings.append(
                f"page {sheet.page}: signs that are drawn as strokes in the general tolerances were not read; compare "
                f"{', '.join(map(repr, beside[:MOST_NAMED]))} with the sheet"
            )
    return warnings


def _has_strokes(text: Text, texts: Sequence[Text], sheet: Sheet) -> bool:
    """Whether short strokes stand in a text, or between it and the next text of its line, that belong to no sign that was read."""
    left, bottom, right, top = text.box
    following = [
        other.box[0]
        for other in texts
        if abs(other.origin[1] - text.origin[1]) < 0.3 * text.height
        and right < other.box[0] <= right + GAP * text.height
    ]
    # Letters that are strokes themselves, and a text with a sign that was put into it, hold strokes of their own.
    begin = right if text.repairs else left
    return bool(_strokes_within(sheet, (begin, bottom, min(following, default=right), top), text.height).any())


def _strokes_within(sheet: Sheet, box: Box, height: float) -> Flags:
    """Which strokes of the length of a sign's lie within a box, outside the signs that were read."""
    ends: Array = sheet.strokes.ends
    slack = 0.2 * height
    inside = np.ones(len(ends), bool)
    for x, y in ((0, 1), (2, 3)):
        inside &= (
            (ends[:, x] > box[0])
            & (ends[:, x] < box[2])
            & (ends[:, y] > box[1] - slack)
            & (ends[:, y] < box[3] + slack)
        )
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    inside &= (length <= LONGEST * height) & (length >= SHORTEST * height)
    for symbol in sheet.symbols:
        inside &= ~((ends[:, 0] >= symbol.box[0] - slack) & (ends[:, 2] <= symbol.box[2] + slack))
    return inside

"""Where the letters of a text stand, whatever descends below its baseline or rises above its capitals."""

from __future__ import annotations

import math

from spatial.models.sheet.drawing import Box, Text
from spatial.understanding.sheet.cells.orientation import turned


def on_baseline(text: Text, angle: int) -> Box:
    """The box of a text of one line from its baseline to the height of a capital, whatever descends or stands out."""
    x1, y1, x2, y2 = turned(text.box, angle)
    base = turned((*text.origin, *text.origin), angle)[1]
    sound = (
        math.isfinite(base) and math.isfinite(text.height) and y1 - 2 * text.height <= base <= y2 and text.height > 0
    )
    return (x1, base, x2, base + text.height) if sound else (x1, y1, x2, y2)

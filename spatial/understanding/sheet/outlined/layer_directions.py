"""In which direction lines read, from the invisible texts that say a part of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Sheet, Text
from spatial.models.sheet.repairs import PARTIAL
from spatial.understanding.sheet.outlined.recognise import ReadRow, in_frames_of, reframed
from spatial.understanding.sheet.outlined.rows import turned, turned_boxes

LEVEL: Final = 1.0
"""Degrees from a quarter turn up to which a text is of one."""
HIGH: Final = (0.6, 1.3)
"""Height of a row in capital heights of the text that says a part of it."""
FOOT: Final = 0.3
"""Capital heights from the baseline of a text to the feet of most glyphs of its row."""


def with_layer_directions(sheet: Sheet, reads: list[ReadRow]) -> list[ReadRow]:
    """The rows of a sheet; those that were read upside down against a text of its layer that says a part of them, in the frame of that."""
    layer = [text for text in sheet.texts if PARTIAL in text.repairs and _quarter(text) is not None]
    upright = list(reads)
    for place, read in enumerate(reads) if layer else ():
        text = next((text for text in layer if _is_of(text, read)), None)
        quarter = _quarter(text) if text is not None else None
        if text is None or quarter is None or quarter == read.quarter:
            continue
        baseline = float(turned(np.array([text.origin]), quarter)[0, 1])
        upright[place] = reframed(in_frames_of([read], [quarter])[0], (baseline, text.height, True))
    return upright


def _quarter(text: Text) -> int | None:
    quarter = round(text.angle / 90.0)
    return quarter % 4 if abs(text.angle - 90.0 * quarter) <= LEVEL else None


def _is_of(text: Text, read: ReadRow) -> bool:
    """Whether a text says a part of a row: it stands over it, on its level."""
    quarter = _quarter(text)
    if quarter is None or (quarter - read.quarter) % 2 or len(read.boxes) < 2:
        return False
    row = turned_boxes(turned_boxes(read.boxes, -read.quarter), quarter)
    left, _, right, _ = turned_boxes(np.array([text.box]), quarter)[0].tolist()
    baseline = float(turned(np.array([text.origin]), quarter)[0, 1])
    tall = float(np.percentile(row[:, 3] - row[:, 1], 90)) / text.height
    return bool(
        row[:, 0].min() < right
        and row[:, 2].max() > left
        and HIGH[0] <= tall <= HIGH[1]
        and abs(float(np.median(row[:, 1])) - baseline) <= FOOT * text.height
    )

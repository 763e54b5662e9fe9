"""Two sizes over each other at one dimension line, further apart than limits that stand alone: the limits of its size (ISO 129-1)."""

from __future__ import annotations

from typing import Final

from spatial.models.sheet.drawing import Sheet
from spatial.understanding.sheet.label import Label, joined
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import cosine_sine
from spatial.understanding.sheet.lettering.ruled import find_rules

DROP: Final = (1.0, 1.6)
"""Letter heights between the baselines of two limits."""
ALIGNED: Final = 0.2
"""Letter heights by which they may begin and end apart."""
MOST: Final = 50
"""Such sizes on a sheet."""


def join_limits(labels: list[Label], sheet: Sheet) -> list[Label]:
    """Labels with a size that nothing points with put over the size under it, where a dimension line has only that one."""
    free = [label for label in labels if label.role == "free" and _is_size(label)][:MOST]
    tied = [label for label in labels if label.role == "dimension" and _is_size(label)] if free else []
    for upper in free:
        lower = next((each for each in tied if _are_limits(upper, each) and not _divided(upper, each, sheet)), None)
        if lower is None:
            continue
        tied = [each for each in tied if each is not lower]
        whole = joined(upper, lower, lower, upper.lines + lower.lines)
        labels = [whole if label is lower else label for label in labels if label is not upper]
    return labels


def _is_size(label: Label) -> bool:
    return len(label.lines) == 1 and not label.boxed and words.is_plain(label.text)


def _are_limits(upper: Label, lower: Label) -> bool:
    if upper.angle != lower.angle or not words.spread_limits_pair(upper.text, lower.text):
        return False
    (u0, v0, u1, _), (p0, q0, p1, _) = _turned(upper), _turned(lower)
    h = upper.height
    return DROP[0] * h < v0 - q0 < DROP[1] * h and max(abs(u0 - p0), abs(u1 - p1)) < ALIGNED * h


def _divided(upper: Label, lower: Label, sheet: Sheet) -> bool:
    """Whether a line is drawn between two sizes, as that of the upper one's own dimension."""
    (u0, v0, u1, _), (_, _, _, top) = _turned(upper), _turned(lower)
    return find_rules(sheet, upper.angle).line_between(
        top - ALIGNED * lower.height, v0 + ALIGNED * upper.height, u0, u1
    )


def _turned(label: Label) -> tuple[float, float, float, float]:
    """The box of a label in the frame of its baseline."""
    c, s = cosine_sine(label.angle)
    x0, y0, x1, y1 = label.box
    corners = [(x * c + y * s, y * c - x * s) for x in (x0, x1) for y in (y0, y1)]
    u, v = zip(*corners, strict=True)
    return min(u), min(v), max(u), max(v)

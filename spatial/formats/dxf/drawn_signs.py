"""Signs that Creo draws as strokes over gaps of a text: recognised, and put back into the text.

Creo writes ± and ° of a note as an enlarged space between two minute ones, and draws the sign there with lines and
an ellipse. A gap whose sign is not recognised becomes a space again, and the text is not marked as repaired.

Glossary
  gap       `text_codes.GAP` in a text.
  sign      a cluster of short strokes that touch or nearly touch one another, about as high as a letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.formats.dxf.plane import arc_points
from spatial.formats.dxf.text_codes import GAP
from spatial.models.sheet.drawing import Array, Sheet, Text

REPAIR: Final = "sign drawn as strokes"
TALLEST: Final = 1.6
"""Of a sign, in heights of its text."""

NEAR: Final = 0.3
"""Strokes closer than this, in heights, are of one sign."""

LEAST: Final = 0.15
"""Of a sign, in heights: less is a dot."""

PIECES: Final = 3_000
"""Small pieces about one text; with more it is a hatch or a picture."""

PASSES: Final = 8
REACH: Final = 60
"""Clusters to the left that a piece is held against."""

RING: Final = 6
LEVELS: Final = 8
"""Different heights of the corners of a ±."""


@dataclass(slots=True)
class _Sign:
    text: str | None
    """None where it is not recognised."""
    x: float
    y: float


def restore_drawn_signs(sheet: Sheet) -> None:
    """Puts the signs of one sheet into its texts."""
    gapped = [text for text in sheet.texts if GAP in text.text]
    if not gapped:
        return
    pieces = _pieces(sheet)
    restored: dict[str, str] = {}
    for text in gapped:
        _restore_text(text, pieces)
        restored[text.id] = text.text
    for dimension in sheet.dimensions:
        dimension.text = restored.get(dimension.id, dimension.text)


@dataclass(slots=True)
class _Pieces:
    """All that is drawn: strokes, circles and fills, with their boxes."""

    boxes: Array
    points: list[Array]


def _pieces(sheet: Sheet) -> _Pieces:
    ends, circles = sheet.strokes.ends, sheet.arcs.circles
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    rounds = np.hstack((circles[:, :2] - circles[:, 2:3], circles[:, :2] + circles[:, 2:3]))
    fills = [fill.points for fill in sheet.fills]
    outlines = np.array([(*fill.min(axis=0), *fill.max(axis=0)) for fill in fills]).reshape(-1, 4)
    points = [*ends.reshape(-1, 2, 2), *(arc_points(*circle) for circle in circles.tolist()), *fills]
    return _Pieces(np.vstack((np.hstack((low, high)), rounds, outlines)), points)


def _restore_text(text: Text, pieces: _Pieces) -> None:
    """Fill the gaps of each line from the left with what is drawn beside it; where their numbers differ none is filled."""
    lines = text.text.split("\n")
    drawn: list[list[_Sign]] = [[] for _ in lines]
    for sign in _signs(text, pieces):
        drawn[_line_of(sign, text, len(lines))].append(sign)
    text.text = "\n".join(_filled(line, signs) for line, signs in zip(lines, drawn, strict=True))
    if any(
        len(signs) == line.count(GAP) and any(sign.text for sign in signs)
        for line, signs in zip(lines, drawn, strict=True)
    ):
        text.repairs = (*text.repairs, REPAIR)


def _line_of(sign: _Sign, text: Text, count: int) -> int:
    """The line at whose height the sign stands."""
    low, high = text.box[1], text.box[3]
    return min(max(int((high - sign.y) / max(high - low, 1e-9) * count), 0), count - 1)


def _filled(line: str, signs: list[_Sign]) -> str:
    parts = line.split(GAP)
    ordered = [sign.text for sign in sorted(signs, key=lambda sign: sign.x)]
    if len(ordered) != len(parts) - 1:
        return " ".join(parts)
    return "".join(part + (" " if sign is None else sign) for part, sign in zip(parts, [*ordered, ""], strict=True))


def _signs(text: Text, pieces: _Pieces) -> list[_Sign]:
    """What is drawn within the text's box and is as large as a letter."""
    x1, y1, x2, y2 = text.box
    height, boxes = text.height, pieces.boxes
    # Its width is an estimate, so that signs of the last letters may stand to its right.
    right = x2 + 2 * height + 0.3 * (x2 - x1)
    inside = (boxes[:, 0] >= x1 - height) & (boxes[:, 1] >= y1 - height)
    inside &= (boxes[:, 2] <= right) & (boxes[:, 3] <= y2 + height)
    inside &= ((boxes[:, 2:] - boxes[:, :2]) <= TALLEST * height).all(axis=1)
    places = np.flatnonzero(inside)
    if len(places) > PIECES:
        return []
    found: list[_Sign] = []
    for cluster in _clusters(boxes[places], NEAR * height):
        sign = _recognised(np.vstack([pieces.points[place] for place in places[cluster]]), height)
        own = boxes[places[cluster]]
        size = own[:, 2:].max(axis=0) - own[:, :2].min(axis=0)
        if sign or LEAST * height <= size.max() <= TALLEST * height:
            x, y = own[:, [0, 2]].mean(), own[:, [1, 3]].mean()
            found.append(_Sign(sign, float(x), float(y)))
    return found


def _clusters(boxes: Array, near: float) -> list[list[int]]:
    """Boxes that touch when grown by `near`."""
    clusters: list[tuple[list[int], Array]] = [([place], boxes[place]) for place in np.argsort(boxes[:, 0]).tolist()]
    for _ in range(PASSES):
        merged: list[tuple[list[int], Array]] = []
        for members, box in clusters:
            for place in range(len(merged) - 1, max(len(merged) - REACH, 0) - 1, -1):
                others, around = merged[place]
                if (box[:2] <= around[2:] + near).all() and (box[2:] >= around[:2] - near).all():
                    union = np.concatenate((np.minimum(around[:2], box[:2]), np.maximum(around[2:], box[2:])))
                    merged[place] = (others + members, union)
                    break
            else:
                merged.append((members, box))
        if len(merged) == len(clusters):
            break
        clusters = merged
    return [members for members, _ in clusters]


def _recognised(points: Array, height: float) -> str | None:
    """° is a small ring; ± has a wide foot, a narrow head, and arms between."""
    low, high = points.min(axis=0), points.max(axis=0)
    size, middle = high - low, (low + high) / 2
    if size.max() > TALLEST * height or size.min() < LEAST * height:
        return None
    thick = max(0.25 * size[1], 1e-9)
    foot = points[points[:, 1] < low[1] + thick]
    head = points[points[:, 1] > high[1] - thick]
    arms = points[(points[:, 1] > low[1] + thick) & (points[:, 1] < high[1] - thick)]
    if _spans(foot, size[0]) and _spans(arms, size[0]):
        levels = len(np.unique(np.round((points[:, 1] - low[1]) / (0.05 * height))))
        if levels <= LEVELS and (np.abs(head[:, 0] - middle[0]) < 0.25 * size[0]).all():
            return "±"
    away = np.hypot(*(points - middle).T) / (size.max() / 2)
    ring = len(points) >= RING and abs(size[0] - size[1]) < 0.2 * size.max() and size.max() < 0.75 * height
    return "°" if ring and (away > 0.4).all() and (away < 1.1).all() else None


def _spans(points: Array, width: float) -> bool:
    return len(points) > 1 and float(np.ptp(points[:, 0])) > 0.85 * width

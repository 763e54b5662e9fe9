"""Upright boxes: around what is drawn on a sheet (geometry and visible lettering, line weights not counted), and of other boxes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from spatial.geometry.columns import bounds, every
from spatial.models.sheet.drawing import Array, Box, Fill, Text


def drawn_extents(
    ends: Array, circles: Array, fills: Iterable[Fill], texts: Iterable[Text], images: Iterable[Box] = ()
) -> Box | None:
    """The box of strokes, arcs, fills, visible texts and images; None where nothing is drawn.

    Args:
        ends: (n, 4) of straight strokes, as `Strokes.ends`.
        circles: (n, 5), as `Arcs.circles`.
    """
    boxes = [*images, *(text.box for text in texts if text.visible)]
    groups = [ends.reshape(-1, 2), *(fill.points for fill in fills), *_arc_points(circles)]
    groups.append(np.array(boxes, dtype=np.float64).reshape(-1, 2))
    points = np.vstack(groups)
    points = points[every(np.isfinite(points))]
    if not len(points):
        return None
    (x1, y1), (x2, y2) = (ends.tolist() for ends in bounds(points))
    return x1, y1, x2, y2


def _arc_points(circles: Array) -> Iterator[Array]:
    """The ends of each arc, and where it is farthest left, right, down and up."""
    if not len(circles):
        return
    centers, radii, starts = circles[:, :2], circles[:, 2], circles[:, 3]
    sweeps = np.where(circles[:, 4] - starts >= 360.0, 360.0, (circles[:, 4] - starts) % 360.0)
    quadrants = [np.full(len(circles), angle) for angle in (0.0, 90.0, 180.0, 270.0)]
    for angles in (starts, starts + sweeps, *quadrants):
        on_arc = (angles - starts) % 360.0 <= sweeps + 1e-9
        turn = np.radians(angles)
        yield (centers + radii[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]))[on_arc]


def box_around(boxes: Collection[Box]) -> Box:
    """The smallest box that holds all of `boxes`, of which at least one is given."""
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)


def area_of(box: Box) -> float:
    """Width times height, in squares of the sheet's unit."""
    return (box[2] - box[0]) * (box[3] - box[1])


def intersection(first: Box, second: Box) -> Box | None:
    """What two boxes have in common; None where that is nothing."""
    left, bottom = max(first[0], second[0]), max(first[1], second[1])
    right, top = min(first[2], second[2]), min(first[3], second[3])
    return (left, bottom, right, top) if left <= right and bottom <= top else None

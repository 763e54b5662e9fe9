"""Angular dimensions whose arc a printer's rounding made a curve of another kind: what is left of it are short strokes.

The strokes at two heads are fitted by one circle together: the text that breaks an arc leaves two stretches, each too short to tell
its centre alone. Such a span is thought of only where the angle is as large as printed.

Glossary
  stretch  curved strokes of which each begins where another ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.geometry.columns import every
from spatial.geometry.components import connected_components
from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Array, Indices, Sheet
from spatial.understanding.sheet.dimensions.arcs import pairs_on
from spatial.understanding.sheet.dimensions.span import Span
from spatial.understanding.sheet.leaders.arrowheads import Heads, diagonal

HEADS: Final = 400
"""At stretches, that are looked at."""
NEIGHBOURS: Final = 8
"""Nearest heads with which one is tried."""
MOST: Final = 200_000
"""Curved strokes of a sheet that are looked at."""
MOST_PLACES: Final = 600
"""Of a stretch: more are no arc of a dimension."""
AT_END: Final = 0.25
"""Lengths of a head between its tip, or the middle of its back, and its stretch."""
SAME_PLACE: Final = 1e-5
"""Diagonals of the sheet between ends that meet."""
ROUNDED: Final = 2e-4
"""Diagonals of the sheet by which a place may lie off the circle."""
LEAN: Final = 0.12
"""Sine of the angle by which a head may lean beside what a straight head on an arc leans."""
SMALLEST: Final = 1.5
"""Lengths of a head of a radius."""
FARTHEST: Final = 2.0**39
"""Columns and rows beyond share the outermost one."""
_STRIDE: Final = 2**40
"""Between the keys of two columns of cells; there are fewer rows."""
FEWEST: Final = 4
"""Places that a circle is fitted to, beside the two tips."""


def flattened(arrows: Heads, sheet: Sheet) -> list[Span]:
    """Two heads at stretches of one circle, pointing apart or at each other along it."""
    strokes = sheet.strokes.ends[sheet.strokes.curved][:MOST]
    with np.errstate(invalid="ignore"):
        strokes = strokes[every(np.abs(strokes) < 1e9)]
    if len(arrows) < 2 or not len(strokes):
        return []
    size = diagonal(sheet)
    stretches = _stretches(strokes, size)
    at = _at_heads(arrows, strokes, stretches)
    places = {name: _places(strokes[stretches == name]) for name in sorted(set().union(*at.values()))}
    places = {name: held for name, held in places.items() if len(held) <= MOST_PLACES}
    return [
        span
        for one, other in _neighbours(sorted(at), arrows)
        for span in _between(
            one, other, [places[name] for name in sorted(at[one] | at[other]) if name in places], arrows, size
        )
    ]


def _stretches(strokes: Array, size: float) -> Indices:
    """(n,) the stretch of each stroke."""
    cells = np.clip(np.round(strokes.reshape(-1, 2) / (SAME_PLACE * size)), -FARTHEST, FARTHEST).astype(np.int64)
    _, node = np.unique(cells[:, 0] * _STRIDE + cells[:, 1], return_inverse=True)
    node = node.reshape(-1, 2)
    stretch: Indices = connected_components(int(node.max()) + 1, node[:, 0], node[:, 1])[node[:, 0]]
    return stretch


def _places(strokes: Array) -> Array:
    return np.unique(strokes.reshape(-1, 2), axis=0)


def _at_heads(arrows: Heads, strokes: Array, stretches: Indices) -> dict[int, set[int]]:
    """Heads with the stretches that come to their tip or their back."""
    count = len(arrows)
    asked = np.concatenate((arrows.tips, arrows.tips - arrows.ways * arrows.lengths[:, None]))
    ends = strokes.reshape(-1, 2)
    near = CellIndex(ends, AT_END * float(np.median(arrows.lengths)))
    found: dict[int, set[int]] = {}
    for place, end in near.near(asked):
        off = ends[end] - asked[place]
        close = np.hypot(off[:, 0], off[:, 1]) < AT_END * arrows.lengths[place % count]
        for head, stretch in zip((place[close] % count).tolist(), stretches[end[close] // 2].tolist(), strict=True):
            if head in found or len(found) < HEADS:
                found.setdefault(head, set()).add(stretch)
    return found


def _neighbours(numbers: list[int], arrows: Heads) -> Iterator[tuple[int, int]]:
    """Heads near each other, each two once."""
    tips = arrows.tips[numbers]
    for place, one in enumerate(numbers):
        later = tips[place + 1 :] - tips[place]
        nearest = np.argsort(np.hypot(later[:, 0], later[:, 1]), kind="stable")[:NEIGHBOURS]
        yield from ((one, numbers[place + 1 + step]) for step in nearest.tolist())


def _between(one: int, other: int, stretches: list[Array], arrows: Heads, size: float) -> Iterator[Span]:
    """The angular dimension of two heads, if one circle goes through their tips and stretches along both."""
    both = np.array([one, other])
    places = np.concatenate([*stretches, arrows.tips[both]]) if stretches else arrows.tips[both]
    circle = _circle(places) if len(places) >= FEWEST + 2 else None
    length = float(arrows.lengths[both].max())
    if circle is None or not SMALLEST * length < circle[2] < size:
        return
    off = places - circle[:2]
    if np.abs(np.hypot(off[:, 0], off[:, 1]) - circle[2]).max() > ROUNDED * size:
        return
    lean = np.abs((off[-2:] * arrows.ways[both]).sum(axis=1)) / circle[2]
    if (lean > LEAN + length / circle[2]).any():
        return
    rows = np.array([_row(circle, stretch) for stretch in stretches])
    for span in pairs_on({0: {one, other}}, rows, arrows):
        yield replace(span, only_to_scale=True)


def _circle(places: Array) -> Array | None:
    """Centre and radius of the circle nearest to places, as Kåsa fits it (1976)."""
    middle = places.mean(axis=0)
    off = places - middle
    found, _, rank, _ = np.linalg.lstsq(np.column_stack((2 * off, np.ones(len(off)))), (off**2).sum(axis=1), rcond=1e-9)
    squared = float(found[2] + found[0] ** 2 + found[1] ** 2)
    if rank < 3 or not np.isfinite(found).all() or squared <= 0:
        return None
    return np.array([*(middle + found[:2]), np.sqrt(squared)])


def _row(circle: Array, stretch: Array) -> Array:
    """The arc of a circle that a stretch covers, as a row of arcs: centre, radius, first and last angle."""
    off = stretch - circle[:2]
    turn = np.degrees(np.arctan2(off[:, 1], off[:, 0]))
    middle = off.mean(axis=0)
    lead = float(np.degrees(np.arctan2(middle[1], middle[0])))
    around = (turn - lead + 180.0) % 360.0 - 180.0
    return np.array([*circle, (lead + around.min()) % 360.0, (lead + around.min()) % 360.0 + np.ptp(around)])

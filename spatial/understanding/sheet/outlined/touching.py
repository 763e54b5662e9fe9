"""Which pieces of drawn lettering touch, as the components of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from spatial.geometry.components import connected_components
from spatial.models.sheet.drawing import Array, Flags, Indices

SAME_PEN: Final = 0.05
"""How much the widths of strokes of one letter differ."""
PEN: Final = 1.6
"""Half widths of a pen within which its strokes touch."""

SHARED: Final = 5.0
"""How near pieces touch, times which two outlines have an edge in common that are pieces of one letter."""


AT_ONCE: Final = 1_000
"""Shapes of which those near them are looked for at once."""
MANY_PAIRS: Final = 5_000_000
"""Pairs of pieces that touch from which lettering is not read: on a sheet of 60,000 pieces 80 at each of them."""


class TooMuchInk(Exception):
    """More small pieces are drawn than can be read in time."""

    def __init__(self, pieces: int) -> None:
        super().__init__(pieces)
        self.pieces = pieces


@dataclass(frozen=True, slots=True)
class Touching:
    """Which of m outlines and then n lines touch, as pairs."""

    outlines: int
    """m"""
    lines: int
    """n"""
    one: Indices
    """(k,) the one of each pair"""
    two: Indices
    """(k,) the other one"""
    meet: Flags
    """(k,) whether they are two lines that meet, without the width of their pens"""

    def components(self) -> Indices:
        """The component of each outline and then of each line."""
        return connected_components(self.outlines + self.lines, self.one, self.two)

    def components_cut(self, large: Flags, long: Flags) -> Indices:
        """The same, where what is too large for a letter is cut between long lines and what only their pens touch, lines or outlines.

        large, long: (m + n,) which of the outlines and lines are of such a component, and which are too long for a letter. Lines that meet
        stay one: so do a dimension line and the barbs of its arrowhead. So do short lines whose pens touch: the letters of a word.
        """
        cut = large[self.one] & ~self.meet & (long[self.one] | long[self.two])
        return connected_components(self.outlines + self.lines, self.one[~cut], self.two[~cut])

    def components_of_lines(self) -> Indices:
        """The component of each line, where only lines that meet are of one."""
        return connected_components(
            self.lines, self.one[self.meet] - self.outlines, self.two[self.meet] - self.outlines
        )


def find_touching(outlines: list[Array], facet: Flags, lines: Array, widths: Array, slack: float) -> Touching:
    """The outlines and lines that touch; of lines that are drawn again and again, the first one touches the others.

    facet: which outlines may be triangles that a letter was cut into; slack: how near pieces touch, in the sheet's units.
    Raises: TooMuchInk where too many touch.
    """
    first, of = _once(lines, widths)
    if len(first) == len(lines):
        return _find_touching(outlines, facet, lines, widths, slack)
    once = _find_touching(outlines, facet, lines[first], widths[first], slack)
    count = len(outlines)
    places = np.concatenate([np.arange(count), count + first])
    repeats = np.flatnonzero(first[of] != np.arange(len(lines)))
    return Touching(
        count,
        len(lines),
        np.concatenate([places[once.one], count + first[of[repeats]]]),
        np.concatenate([places[once.two], count + repeats]),
        np.concatenate([once.meet, np.ones(len(repeats), bool)]),
    )


def _once(lines: Array, widths: Array) -> tuple[Indices, Indices]:
    """Of lines that are the same the first one, ascending, and of each line which of these it is."""
    first, of = np.unique(np.column_stack([lines, widths]), axis=0, return_index=True, return_inverse=True)[1:]
    order = np.argsort(first)
    return first[order], np.argsort(order)[of.ravel()]


def _find_touching(outlines: list[Array], facet: Flags, lines: Array, widths: Array, slack: float) -> Touching:
    none = np.zeros(0, np.int64)
    if not len(outlines) + len(lines):
        return Touching(0, 0, none, none, np.zeros(0, bool))
    strokes = shapely.linestrings(lines.reshape(-1, 2, 2))
    shapes = np.concatenate([polygons(outlines), strokes]) if outlines else strokes
    reach = np.concatenate([np.zeros(len(outlines)), widths / 2.0])
    tree = shapely.STRtree(shapes)
    one, two = _near(tree, shapes, reach * PEN + slack)
    stroked = np.concatenate([np.zeros(len(outlines), bool), np.ones(len(lines), bool)])
    facets = np.concatenate([facet, np.zeros(len(lines), bool)])
    both = stroked[one] & stroked[two]
    alike = np.abs(reach[one] - reach[two]) <= SAME_PEN * np.maximum(reach[one], reach[two]) + slack
    joined = (both & alike) | (facets[one] & facets[two]) | (stroked[one] ^ stroked[two])
    # Whole outlines that only touch are letters that stand close; one within the other is a letter and its counter.
    whole = ~facets & ~stroked
    other = np.flatnonzero((whole[one] & ~stroked[two]) & (one != two))
    inside = shapely.contains(shapes[one[other]], shapely.points(_firsts(shapes[two[other]])))
    joined[other[inside]] = True
    filled = np.flatnonzero(~stroked[one] & ~stroked[two] & ~joined & (one < two))
    joined[filled[_share_edges(shapes[one[filled]], shapes[two[filled]], slack)]] = True
    one, two, meet = one[joined], two[joined], both[joined]
    meet[meet] = shapely.dwithin(shapes[one[meet]], shapes[two[meet]], slack)
    return Touching(len(outlines), len(lines), one, two, meet)


def _near(tree: shapely.STRtree, shapes: NDArray[np.object_], reach: Array) -> tuple[Indices, Indices]:
    """The pairs of shapes that are near each other, some shapes at a time. Raises: TooMuchInk."""
    found: list[Indices] = []
    for begin in range(0, len(shapes), AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        pairs = tree.query(shapes[part], predicate="dwithin", distance=reach[part])
        found.append(pairs + np.array([[begin], [0]]))
        if sum(pairs.shape[1] for pairs in found) > MANY_PAIRS:
            raise TooMuchInk(len(shapes))
    one, two = np.concatenate(found, axis=1)
    return one, two


def _share_edges(one: NDArray[np.object_], two: NDArray[np.object_], slack: float) -> Flags:
    """(k,) whether a part of an edge of an outline is one of another: exporters cut letters into pieces that abut."""
    first, second = (
        shapely.set_precision(shapely.boundary(shapes), 2 * slack, mode="pointwise") for shapes in (one, two)
    )
    return np.asarray(shapely.length(shapely.intersection(first, second)) > SHARED * slack)


def polygons(outlines: list[Array]) -> NDArray[np.object_]:
    """Each outline as a polygon; those with no more than two corners as points."""
    shapes = np.empty(len(outlines), object)
    by_corners: dict[int, list[int]] = {}
    for place, points in enumerate(outlines):
        by_corners.setdefault(len(points), []).append(place)
    for corners, places in by_corners.items():
        points = np.array([outlines[place] for place in places])
        shapes[places] = shapely.polygons(points) if corners > 2 else shapely.points(points[:, 0])
    return shapes


def _firsts(shapes: NDArray[np.object_]) -> Array:
    """(k, 2) the first point of each shape."""
    points, of = shapely.get_coordinates(shapes, return_index=True)
    return np.asarray(points[np.searchsorted(of, np.arange(len(shapes)))])

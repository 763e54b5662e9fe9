"""Letters that exporters cut into facets, and the strokes that they draw along the edges of what they fill.

Glossary
  facet   a filled triangle that may be a piece of a letter; facets of one letter have corners in common.
  corner  a place of a sheet, to within a grid; its number is the same for all outlines and strokes that have it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.geometry.components import connected_components
from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.outlined.letters import FACET

CORNERS: Final = 3
"""Of a facet; an outline with fewer is a point or a line."""


def fills_along(ends: Array, outlines: list[Array], facet: Flags, grid: float) -> Indices:
    """(n,) the facet that has each stroke as one of its edges, where the exporter cut; -1 of none.

    ends: (n, 4) of strokes; facet: (m,) which outlines may be facets; grid: the size of a place, in the sheet's units.
    """
    along = np.full(len(ends), -1, np.int64)
    places = _facets(outlines, facet)
    if not len(ends) or not len(places):
        return along
    of, corners, following = _corners([outlines[place] for place in places.tolist()])
    number = _numbered(np.concatenate([ends.reshape(-1, 2), corners]), grid)
    stroke, corner = number[: 2 * len(ends)].reshape(-1, 2), number[2 * len(ends) :]
    count = int(number.max()) + 1
    edges = _edge_numbers(np.stack([corner, corner[following]], axis=1), count)
    order = np.argsort(edges, kind="stable")
    sought = _edge_numbers(stroke, count)
    at = np.minimum(np.searchsorted(edges[order], sought), len(edges) - 1)
    found = edges[order][at] == sought
    along[found] = places[of[order][at[found]]]
    return along


def are_cut(outlines: list[Array], grid: float) -> Flags:
    """(m,) which outlines are facets that have corners in common with others, as those of a letter: an arrowhead is one alone."""
    places = _facets(outlines, np.array([len(points) <= FACET for points in outlines], bool))
    cut = np.zeros(len(outlines), bool)
    if len(places):
        of, corners, _ = _corners([outlines[place] for place in places.tolist()])
        number = _numbered(corners, grid)
        thing = connected_components(len(places) + int(number.max()) + 1, of, len(places) + number)[: len(places)]
        cut[places] = np.bincount(thing)[thing] > 1
    return cut


def _facets(outlines: list[Array], facet: Flags) -> Indices:
    return np.flatnonzero(facet & (np.array([len(points) for points in outlines], np.int64) >= CORNERS))


def _corners(outlines: list[Array]) -> tuple[Indices, Array, Indices]:
    """Of all corners: the outline (k,) that each is of, where it is (k, 2), and the place (k,) of the next one of its outline."""
    counts = np.array([len(points) for points in outlines])
    starts = np.cumsum(counts) - counts
    following = np.arange(counts.sum()) + 1
    following[starts + counts - 1] = starts
    return np.repeat(np.arange(len(outlines)), counts), np.concatenate(outlines), following


def _numbered(points: Array, grid: float) -> Indices:
    """(k,) a number for each place of a grid."""
    places = np.round(points / grid).astype(np.int64)
    places -= places.min(axis=0)
    return np.asarray(
        np.unique(places[:, 0] * (places[:, 1].max() + 1) + places[:, 1], return_inverse=True)[1], np.int64
    )


def _edge_numbers(corners: Indices, count: int) -> Indices:
    """(n,) a number for each pair (n, 2) of corners, in whatever order. count: of all corners."""
    return np.asarray(corners.min(axis=1) * count + corners.max(axis=1), np.int64)

"""Letters that a program cut into triangles, as outlines again.

AutoCAD prints TrueType lettering "as geometry" so: each letter is a hundred triangles, each of them filled and stroked with the thinnest
line. No outline of a letter is left, and three strokes for each triangle.

Glossary
  facet   a filled triangle whose sides are stroked too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import shapely

from spatial.geometry.components import connected_components
from spatial.models.sheet.drawing import Array, Flags, Indices, Sheet, Strokes

MANY: Final = 500
"""Facets from which a sheet has letters of them: ten letters; arrowheads are one facet each."""
TRIANGLE: Final = 4
"""Corners of a triangle, its first one twice."""
THINNEST: Final = 0.1
"""Points up to which a line is the thinnest that a device draws."""
ROUNDED: Final = 3
"""Decimals to which corners of neighbours are the same."""
LARGEST: Final = 0.06
"""Part of the shorter side of the paper that a letter is at most high."""
FEWEST: Final = 3
"""Facets of one letter."""


def join_facets(sheet: Sheet) -> None:
    """Put the outlines of letters for their facets, and leave out the strokes along these."""
    facets = _facets(sheet)
    if len(facets) < MANY:
        return
    corners = np.array([sheet.fills[place].points[:3] for place in facets.tolist()])
    of = _components(corners)
    letters = _letters(corners, of, LARGEST * min(sheet.box[2] - sheet.box[0], sheet.box[3] - sheet.box[1]))
    joined = np.isin(of, list(letters))
    gone = set(facets[joined].tolist())
    first = dict(zip(of[::-1].tolist(), facets[::-1].tolist(), strict=True))
    outlines = {first[letter]: rings for letter, rings in letters.items()}
    entities = [sheet.fills[place].entity for place in gone]
    kept = ~(np.isin(sheet.strokes.entity, entities) & (sheet.strokes.width <= THINNEST))
    sheet.strokes = _kept(sheet.strokes, kept)
    sheet.fills = [
        each
        for place, fill in enumerate(sheet.fills)
        for each in (
            [replace(fill, points=points) for points in outlines[place]]
            if place in outlines
            else []
            if place in gone
            else [fill]
        )
    ]


def _facets(sheet: Sheet) -> Indices:
    """Places of the fills that are facets."""
    triangles = [place for place, fill in enumerate(sheet.fills) if len(fill.points) == TRIANGLE]
    if len(triangles) < MANY:
        return np.zeros(0, np.int64)
    thin = sheet.strokes.entity[(sheet.strokes.width <= THINNEST) & (sheet.strokes.entity >= 0)]
    entities = np.array([sheet.fills[place].entity for place in triangles])
    return np.array(triangles, np.int64)[np.isin(entities, thin)]


def _components(corners: Array) -> Indices:
    """(n,) which facets have corners in common. corners: (n, 3, 2)"""
    points, number = np.unique(np.round(corners.reshape(-1, 2), ROUNDED), axis=0, return_inverse=True)
    of = np.repeat(np.arange(len(corners)), 3)
    return connected_components(len(corners) + len(points), of, len(corners) + number.reshape(-1))[: len(corners)]


def _letters(corners: Array, of: Indices, largest: float) -> dict[int, list[Array]]:
    """The outlines of each component that is as large as a letter at most and of several facets."""
    order = np.argsort(of, kind="stable")
    triangles = shapely.polygons(corners[order])
    starts = np.flatnonzero(np.diff(of[order], prepend=-1))
    low, high = (way.reduceat(edge, starts) for way, edge in (
        (np.minimum, corners[order].min(axis=1)), (np.maximum, corners[order].max(axis=1))))  # fmt: skip
    fits = (high - low).max(axis=1) <= largest
    letters: dict[int, list[Array]] = {}
    for begin, end, small in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], fits.tolist(), strict=True):
        if not small or end - begin < FEWEST:
            continue
        whole = shapely.union_all(triangles[begin:end])
        rings = shapely.get_rings(shapely.get_parts(whole))
        letters[int(of[order[begin]])] = [shapely.get_coordinates(ring) for ring in rings]
    return letters


def _kept(strokes: Strokes, kept: Flags) -> Strokes:
    filled = None if strokes.filled is None else strokes.filled[kept]
    return Strokes(
        strokes.ends[kept],
        strokes.width[kept],
        strokes.entity[kept],
        strokes.dashed[kept],
        strokes.curved[kept],
        filled,
    )

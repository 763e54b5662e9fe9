"""A few public packing instances, with the optimum or a published result.

Strips: Hopper and Turton, "An empirical investigation of meta-heuristic and heuristic algorithms for a 2D packing problem", EJOR 2001,
category C1, width 20, optimal height 20; Burke, Kendall and Whitwell, "A new placement heuristic for the orthogonal stock-cutting
problem", Operations Research 52 (2004), N1 and N2, optimal heights 40 and 50.

Knapsack: Beasley, "Algorithms for unconstrained two-dimensional guillotine cutting", JORS 36 (1985), gcut1, each piece once; optimal
area without rotation 48368.

Container loading: Bischoff and Ratcliff, "Issues in the development of approaches to container loading", Omega 23 (1995), first problems of
thpack1 in the OR-Library; share of the container that the heuristic of Baltacıoğlu (EB-AFIT, Air Force Institute of Technology 2001,
appendix E) fills, and the best volume known.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from spatial.reasoning.packing.boxes import ORIENTATIONS, Item


class StripInstance(NamedTuple):
    """Rectangles of width and height, for a strip of a width, with the optimal height."""

    name: str
    width: float
    optimum: float
    sizes: tuple[tuple[float, float], ...]


class Loading(NamedTuple):
    """Types of boxes: three extents, which of them may stand upright, and their number."""

    name: str
    container: tuple[float, float, float]
    published: float
    best_known: float
    types: tuple[tuple[tuple[int, int, int], tuple[int, int, int], int], ...]


STRIPS: Final = (
    StripInstance("C1-P1", 20, 20, (
        (2, 12), (7, 12), (8, 6), (3, 6), (3, 5), (5, 5), (3, 12), (3, 7), (5, 7), (2, 6), (3, 2), (4, 2), (3, 4), (4, 4), (9, 2), (11, 2),
    )),
    StripInstance("C1-P2", 20, 20, (
        (4, 1), (4, 5), (9, 4), (3, 5), (3, 9), (1, 4), (5, 3), (4, 1), (5, 5), (7, 2), (9, 3), (3, 13), (2, 8), (15, 4), (5, 4), (10, 6),
        (7, 2),
    )),
    StripInstance("C1-P3", 20, 20, (
        (4, 14), (5, 2), (2, 2), (9, 7), (5, 5), (2, 5), (7, 7), (3, 5), (6, 5), (3, 2), (6, 2), (4, 6), (6, 3), (10, 3), (6, 3), (10, 3),
    )),
    StripInstance("N1", 40, 40, (
        (7, 6), (40, 16), (5, 20), (24, 24), (7, 4), (4, 4), (7, 8), (4, 20), (5, 4), (7, 6),
    )),
    StripInstance("N2", 30, 50, (
        (23, 9), (19, 4), (12, 21), (6, 4), (7, 13), (9, 4), (4, 6), (23, 6), (16, 6), (4, 14), (14, 6), (6, 6), (5, 4), (4, 6), (6, 4),
        (7, 6), (14, 11), (4, 7), (8, 4), (14, 4),
    )),
)  # fmt: skip

KNAPSACK: Final = (
    (167, 184), (114, 118), (167, 152), (83, 140), (70, 86), (143, 166), (120, 160), (66, 148), (87, 141), (69, 165),
)  # fmt: skip
KNAPSACK_SIZE: Final = (250, 250)
KNAPSACK_OPTIMUM: Final = 48_368

LOADINGS: Final = (
    Loading("thpack1-1", (587, 233, 220), 0.8847, 28_561_920, (
        ((108, 76, 30), (0, 0, 1), 40), ((110, 43, 25), (0, 1, 1), 33), ((92, 81, 55), (1, 1, 1), 39),
    )),
    Loading("thpack1-2", (587, 233, 220), 0.8721, 29_387_603, (
        ((49, 25, 21), (0, 1, 1), 41), ((60, 51, 41), (1, 1, 1), 53), ((103, 76, 64), (1, 1, 1), 44),
    )),
    Loading("thpack1-3", (587, 233, 220), 0.8927, 28_101_555, (
        ((97, 81, 27), (0, 0, 1), 41), ((102, 78, 39), (0, 0, 1), 42), ((113, 46, 36), (0, 1, 1), 44),
    )),
)  # fmt: skip


def boxes_of(loading: Loading) -> list[Item]:
    """The boxes one by one; an extent that may not stand upright never becomes the height."""
    found = []
    for size, upright, count in loading.types:
        orders = tuple(order for order in ORIENTATIONS["all"] if upright[order[2]])
        sizes = np.array([np.array(size, dtype=np.float64)[list(order)] for order in orders])
        levels = np.zeros(len(orders), dtype=np.int64)
        found += [Item(f"{size}-{number}", sizes, levels, float(np.prod(size))) for number in range(count)]
    return found

"""Signs of drawings as stroke fonts of CAD programs have them, for fonts that lack them: shapes of ISO 1101, ISO 129-1 and ASME Y14.5."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FULL: Final = 2 * math.pi


def sign(which: str, random: Random) -> Array:
    """(n, 4) lines; baseline 0, capital height 1, beginning at x = 0. which: one of SIGNS."""
    return _SHAPES[which](random)


def _diameter(random: Random, steepest: float = 1.2) -> Array:
    radius = random.uniform(0.3, 0.5)
    angle, reach = random.uniform(0.8, steepest), radius + random.uniform(0.0, 0.25)
    slash = [[-math.cos(angle) * reach, -math.sin(angle) * reach, math.cos(angle) * reach, math.sin(angle) * reach]]
    return _at(np.concatenate([_arc(0, 0, radius, 0, FULL), np.array(slash)]), random.uniform(0.4, 0.52))


def _degree(random: Random) -> Array:
    radius = random.uniform(0.12, 0.2)
    return _at(_arc(0, 0, radius, 0, FULL), 1.0 - radius * random.uniform(0.6, 1.2))


def _plus_minus(random: Random) -> Array:
    arm = random.uniform(0.25, 0.4)
    lines = np.array([[-arm, 0, arm, 0], [0, -arm, 0, arm], [-arm, -arm - 0.12, arm, -arm - 0.12]])
    return _at(lines, random.uniform(0.0, 0.15) + arm + 0.12)


def _times(random: Random) -> Array:
    arm = random.uniform(0.2, 0.35)
    return _at(np.array([[-arm, -arm, arm, arm], [-arm, arm, arm, -arm]]), random.uniform(0.3, 0.45))


def _two(random: Random) -> Array:
    points = [(0.0, 0.4), (0.08, 0.48), (0.2, 0.48), (0.28, 0.4), (0.26, 0.3), (0.0, 0.0), (0.3, 0.0)]
    return _chain(points) + np.array([0, random.uniform(0.45, 0.55)] * 2)


def _three(random: Random) -> Array:
    high = [(0.0, 0.42), (0.08, 0.48), (0.2, 0.48), (0.27, 0.38), (0.2, 0.27), (0.1, 0.26)]
    low = [(0.2, 0.25), (0.28, 0.14), (0.2, 0.02), (0.08, 0.0), (0.0, 0.06)]
    return _chain(high + low) + np.array([0, random.uniform(0.45, 0.55)] * 2)


def _square(random: Random) -> Array:
    side = random.uniform(0.7, 1.0)
    return _chain([(0, 0), (side, 0), (side, side), (0, side), (0, 0)])


def _counterbore(random: Random) -> Array:
    wide = random.uniform(0.7, 1.1)
    return _chain([(0, 0.6), (0, 0), (wide, 0), (wide, 0.6)])


def _countersink(random: Random) -> Array:
    half = random.uniform(0.35, 0.55)
    return _chain([(0, 0.7), (half, 0), (2 * half, 0.7)])


def _depth(random: Random) -> Array:
    tip = random.uniform(0.15, 0.25)
    parts = [[(-0.35, 1.0), (0.35, 1.0)], [(0.0, 1.0), (0.0, 0.0)], [(-tip, 0.35), (0.0, 0.0), (tip, 0.35)]]
    return _at(np.concatenate([_chain(part) for part in parts]), 0.0)


def _perpendicular(random: Random) -> Array:
    half = random.uniform(0.35, 0.55)
    return _chain([(0, 0), (2 * half, 0), (half, 0), (half, 1)])


def _parallel(random: Random) -> Array:
    slant = random.uniform(0.15, 0.35)
    return np.array([[0, 0, slant, 1], [0.25, 0, 0.25 + slant, 1]])


def _angle(random: Random) -> Array:
    wide = random.uniform(0.7, 1.1)
    return _chain([(wide, 0.75), (0, 0), (wide, 0)])


def _position(random: Random) -> Array:
    arm = random.uniform(0.45, 0.55)
    return _at(np.concatenate([_arc(0, 0, 0.3, 0, FULL), np.array([[-arm, 0, arm, 0], [0, -arm, 0, arm]])]), 0.5)


def _concentric(random: Random) -> Array:
    return _at(np.concatenate([_arc(0, 0, 0.48, 0, FULL), _arc(0, 0, random.uniform(0.2, 0.3), 0, FULL)]), 0.5)


def _cylinder(random: Random) -> Array:
    slant = random.uniform(0.15, 0.3)
    sides = np.array([[-0.4 - slant, -0.5, -0.4 + slant, 0.5], [0.4 - slant, -0.5, 0.4 + slant, 0.5]])
    return _at(np.concatenate([_arc(0, 0, 0.33, 0, FULL), sides]), 0.5)


def _line_profile(random: Random) -> Array:
    half = random.uniform(0.35, 0.55)
    return _arc(half, 0.2, half, 0, math.pi)


def _surface_profile(random: Random) -> Array:
    arc = _line_profile(random)
    return np.concatenate([arc, np.array([[0, 0.2, float(arc[:, ::2].max()), 0.2]])])


def _flat(random: Random) -> Array:
    slant, wide = random.uniform(0.2, 0.35), random.uniform(0.7, 1.1)
    return _chain([(0, 0.15), (wide, 0.15), (wide + slant, 0.75), (slant, 0.75), (0, 0.15)])


def _at_most(_: Random) -> Array:
    return np.concatenate([_chain([(0.6, 0.85), (0, 0.55), (0.6, 0.25)]), np.array([[0, 0.05, 0.6, 0.05]])])


def _at_least(random: Random) -> Array:
    return np.array([0.6, 0, 0.6, 0]) + _at_most(random) * np.array([-1, 1, -1, 1])


def _micro(_: Random) -> Array:
    bowl = _arc(0.25, 0.25, 0.25, math.pi, FULL)
    return np.concatenate([_chain([(0, -0.3), (0, 0.65)]), bowl, _chain([(0.5, 0.65), (0.5, 0)])])


_SHAPES: Final[dict[str, Callable[[Random], Array]]] = {
    "Ø": _diameter, "⌀": _diameter, "°": _degree, "±": _plus_minus, "×": _times, "²": _two, "³": _three, "□": _square, "⌴": _counterbore,
    "⌵": _countersink, "↧": _depth, "⊥": _perpendicular, "∥": _parallel, "∠": _angle, "⌖": _position, "◎": _concentric, "⌭": _cylinder,
    "⌒": _line_profile, "⌓": _surface_profile, "⏥": _flat, "≤": _at_most, "≥": _at_least, "µ": _micro,
}  # fmt: skip
SIGNS: Final = "".join(_SHAPES)


def _at(lines: Array, middle: float) -> Array:
    """Lines about the origin, moved so that they begin at x = 0 and have their middle at this height."""
    return lines + np.array([-lines[:, ::2].min(), middle] * 2)


def _arc(x: float, y: float, radius: float, begin: float, end: float) -> Array:
    angles = np.linspace(begin, end, max(int(abs(end - begin) * 3), 4) + 1)
    points = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)
    return np.concatenate([points[:-1], points[1:]], axis=1)


def _chain(points: list[tuple[float, float]]) -> Array:
    return np.array([[*one, *two] for one, two in itertools.pairwise(points)], float)

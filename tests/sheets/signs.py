"""Signs as strokes, the way exporters draw what their font lacks: in a cell of the height of a capital letter.

Source: ASME Y14.5-2018 appendix C (proportions of symbols), ISO 3098.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Sign:
    """Open polylines, circles (centre x, centre y, radius) and its advance; unit: the letter height."""

    lines: tuple[tuple[Point, ...], ...]
    circles: tuple[tuple[float, float, float], ...] = ()
    advance: float = 1.2

    def pieces(self, at: Point, height: float, along: Point) -> Iterator[tuple[Point, ...]]:
        """Its polylines on the sheet."""
        for line in self.lines:
            yield tuple(place(point, at, height, along) for point in line)


def place(point: Point, at: Point, height: float, along: Point) -> Point:
    """A point of the sign's cell on the sheet; `along` is the unit vector of the direction of reading."""
    x, y = point[0] * height, point[1] * height
    return at[0] + x * along[0] - y * along[1], at[1] + x * along[1] + y * along[0]


_ARC = ((0.0, 0.2), (0.1, 0.5), (0.3, 0.72), (0.5, 0.8), (0.7, 0.72), (0.9, 0.5), (1.0, 0.2))

SIGNS: dict[str, Sign] = {
    "Ø": Sign((((0.12, -0.1), (0.88, 1.1)),), ((0.5, 0.5, 0.42),), 1.1),
    "⌴": Sign((((0.0, 0.8), (0.0, 0.1), (1.2, 0.1), (1.2, 0.8)),), advance=1.5),
    "⌵": Sign((((0.0, 0.95), (0.6, 0.05), (1.2, 0.95)),), advance=1.5),
    "↧": Sign((((0.1, 1.0), (0.9, 1.0)), ((0.5, 1.0), (0.5, 0.0)), ((0.25, 0.4), (0.5, 0.0), (0.75, 0.4)))),
    "⌖": Sign((((-0.05, 0.5), (1.05, 0.5)), ((0.5, -0.05), (0.5, 1.05))), ((0.5, 0.5, 0.36),)),
    "⏥": Sign((((0.0, 0.15), (0.8, 0.15), (1.2, 0.85), (0.4, 0.85), (0.0, 0.15)),), advance=1.4),
    "⌭": Sign((((0.0, 0.0), (0.4, 1.0)), ((0.7, 0.0), (1.1, 1.0))), ((0.55, 0.5, 0.3),)),
    "⊥": Sign((((0.0, 0.05), (1.0, 0.05)), ((0.5, 0.05), (0.5, 1.0)))),
    "∥": Sign((((0.1, 0.0), (0.5, 1.0)), ((0.5, 0.0), (0.9, 1.0)))),
    "◎": Sign((), ((0.5, 0.5, 0.48), (0.5, 0.5, 0.26))),
    "⌓": Sign((_ARC, ((0.0, 0.2), (1.0, 0.2)))),
    "⌒": Sign((_ARC,)),
    "↗": Sign((((0.1, 0.0), (0.9, 1.0)), ((0.55, 0.85), (0.9, 1.0), (0.85, 0.6)))),
    "○": Sign((), ((0.5, 0.5, 0.48),)),
    "⏤": Sign((((0.0, 0.5), (1.1, 0.5)),)),
    "(": Sign((((0.35, -0.15), (0.2, 0.1), (0.15, 0.5), (0.2, 0.9), (0.35, 1.15)),), advance=0.45),
    ")": Sign((((0.1, -0.15), (0.25, 0.1), (0.3, 0.5), (0.25, 0.9), (0.1, 1.15)),), advance=0.45),
    "±": Sign((((0.1, 0.0), (0.9, 0.0)), ((0.1, 0.55), (0.9, 0.55)), ((0.5, 0.15), (0.5, 0.95)))),
}

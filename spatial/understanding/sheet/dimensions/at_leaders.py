"""Radii and diameters at leaders, measured on the circle that the leader points at, unless the scale of the sheet speaks against it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from spatial.geometry.index import GrowingCellIndex
from spatial.models.sheet.drawing import Dimensioning, Leader
from spatial.understanding.sheet.dimensions.arcs import Circles
from spatial.understanding.sheet.dimensions.dimensioning import dimensioning
from spatial.understanding.sheet.dimensions.scales import AGREE, ROUNDED, Scale, is_explained
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import median_height
from spatial.understanding.sheet.lettering.printed_size import printed_size

AT_LEADER: Final = 1.4
"""Letter heights between a text and the end of its leader."""
CELL: Final = 4.0
"""Letter heights of a cell of the index of leaders."""
ON_CIRCLE: Final = 0.85
"""Confidence of a radius or diameter whose leader points at a circle of its size."""
UNCHECKED: Final = 0.75
"""The same where the sheet has no scale by which the size of the circle could be checked."""
OFF_CIRCLE: Final = 0.7
"""The same where it points at no circle, or at none of its size."""


Place: TypeAlias = tuple[float, ...]
Sizes: TypeAlias = Sequence[tuple[float, float]]
"""Printed and measured length of each."""


@dataclass(frozen=True, slots=True)
class _Pointing:
    """A leader of a size, and what it measures there: None where its leader points at no circle."""

    leader: Leader
    measured: float | None


def at_leaders(
    labels: Sequence[Label], leaders: Sequence[Leader], circles: Circles, lengths: Sizes, agreed: Scale | None
) -> list[Dimensioning]:
    """Radii and diameters at the end of a leader.

    lengths: the printed and measured lengths of the dimension lines of the sheet, which may be witnesses of a scale.
    agreed: the scale of the sheet; without it no circle is checked by its size.
    """
    grid = _by_end(leaders, median_height([label.height for label in labels]))
    kinds = [(label, kind) for label in labels if (kind := _kind(label))]
    pointing = [(label, kind, found) for label, kind in kinds if (found := _pointing(label, kind, grid, circles))]
    witnesses = [
        *lengths,
        *((_printed(label), each.measured or math.nan) for label, _, found in pointing for each in found[:1]),
    ]
    return [_settled(label, kind, found, witnesses, agreed) for label, kind, found in pointing]


def _kind(label: Label) -> str | None:
    return "radius" if words.has_radius(label.text) else "diameter" if words.has_diameter(label.text) else None


def _printed(label: Label) -> float:
    return printed_size(label.text) or math.nan


def _pointing(
    label: Label, kind: str, grid: GrowingCellIndex[tuple[Place, Leader]], circles: Circles
) -> list[_Pointing]:
    """The leaders that come to a label, the nearest first, each with the circles that it points at, the nearest first."""
    times = 1.0 if kind == "radius" else 2.0
    return [
        _Pointing(leader, radius and times * radius)
        for leader in _near(label, grid)
        for radius in circles.radii(leader[0], leader[1]) or (None,)
    ]


def _settled(label: Label, kind: str, found: Sequence[_Pointing], lengths: Sizes, agreed: Scale | None) -> Dimensioning:
    """The nearest circle to scale, else the nearest one that a usual scale explains; else the nearest leader without a value."""
    printed, first = _printed(label), found[0]
    if agreed is None or math.isnan(printed):
        confidence = OFF_CIRCLE if first.measured is None else UNCHECKED
        return _dimensioning(label, kind, first, confidence)
    fits = (each for slack in (AGREE, ROUNDED) for each in found if _is_to_scale(printed, each, agreed, slack))
    fitting = next(fits, None)
    if fitting is None and first.measured and is_explained((printed, first.measured), lengths, agreed):
        fitting = first
    if fitting is not None:
        return _dimensioning(label, kind, fitting, ON_CIRCLE)
    return _dimensioning(label, kind, _Pointing(first.leader, None), OFF_CIRCLE)


def _is_to_scale(printed: float, pointing: _Pointing, agreed: Scale, slack: float) -> bool:
    measured = pointing.measured
    return measured is not None and abs(agreed.printed_per_unit * measured / printed - 1) <= slack


def _dimensioning(label: Label, kind: str, pointing: _Pointing, confidence: float) -> Dimensioning:
    further = {"arrow_tips": [list(pointing.leader[0])], "confidence": confidence}
    return dimensioning(label, kind, pointing.measured, further)


def _by_end(leaders: Sequence[Leader], height: float) -> GrowingCellIndex[tuple[Place, Leader]]:
    """Leaders by the places of their last stretch at which a text can stand: its end and its middle."""
    grid: GrowingCellIndex[tuple[Place, Leader]] = GrowingCellIndex(CELL * height)
    for line in leaders:
        (x0, y0), (x1, y1) = line[-2], line[-1]
        for place in ((x1, y1), ((x0 + x1) / 2, (y0 + y1) / 2)):
            grid.add(*place, (place, line))
    return grid


def _near(label: Label, grid: GrowingCellIndex[tuple[Place, Leader]]) -> list[Leader]:
    """The leaders whose last stretch comes to a label, the nearest first."""
    reach = AT_LEADER * label.height
    x0, y0, x1, y1 = label.box
    held = grid.in_box(x0 - reach, y0 - reach, x1 + reach, y1 + reach)
    near = sorted((away, number) for number, (place, _) in enumerate(held) if (away := _away(label, place)) < reach)
    return [held[number][1] for _, number in near]


def _away(label: Label, place: Place) -> float:
    """From a label's box to a place."""
    x0, y0, x1, y1 = label.box
    return math.hypot(max(x0 - place[0], place[0] - x1, 0), max(y0 - place[1], place[1] - y1, 0))

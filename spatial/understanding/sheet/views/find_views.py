"""The views of a sheet and how large they are: clusters of outlines whose extents a dimension confirms.

Outlines are drawn wider than dimension, extension and centre lines (ISO 128-2, ASME Y14.2), and in one width. A cluster of
one such width is a view where a dimension goes from one of its edges to the opposite one: no frame, title block, table or
sign is dimensioned. Where all lines have one width, a cluster may hold centre lines, and both its sides must be dimensioned;
and a file that keeps no dimensions apart from the drawn lines then says nothing of its views.

Glossary
  measure   a dimension along an axis of the sheet: from where to where, and the size that it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Dimensioning, Flags, Sheet
from spatial.understanding.sheet.leaders.arrowheads import diagonal
from spatial.understanding.sheet.views.clusters import CELLS, cluster_boxes, is_frame, merged
from spatial.understanding.sheet.views.dimension_ends import ends_of
from spatial.understanding.sheet.views.outside_diameters import hatched_diameters, outside_diameters
from spatial.understanding.sheet.views.pitch_circles import pitch_circles
from spatial.understanding.sheet.views.round_outsides import round_outsides

WIDER: Final = 1.2
"""Width of an outline by that of dimension lines, at least: ISO 128-2 draws them 2 : 1, exporters down to 1.4 : 1."""
WIDTHS: Final = 8
"""Line widths of a sheet that are looked at, the commonest."""
ALIKE: Final = 0.01
"""Sheet units within which line widths are one."""
AT_TIP: Final = 3e-4
"""Diagonals of the sheet between the tip of an arrow and the end of its dimension line."""
AT_EDGE: Final = 5e-4
"""Diagonals of the sheet between the end of a dimension and the edge of the view that it measures."""
LEVEL: Final = 0.01
"""Of its length by which a dimension may be off level or upright."""
SAME_SCALE: Final = 0.02
"""Relative difference between what two dimensions say of one view's scale."""
THINNEST: Final = 1 / CELLS
"""Diagonals of the sheet of the shorter side of a view of which only one side is dimensioned: what is thinner may be one line."""
PIECES: Final = 36
"""Straight pieces of a whole circle."""
BOTH: Final = 0.95
"""Confidence of a view whose width and height are dimensioned."""
ONE: Final = 0.8
"""The same of one of which only width or height is."""
MOST: Final = 100
"""Views of a sheet."""
MEASURED: Final = ".4g"
"""Digits of a side that no dimension gives: exporters round coordinates to a tenth of a point."""
TIPS: Final = 400
"""Ends of dimension lines that are looked at."""
FARTHEST: Final = 1e9
"""Sheet units beyond which coordinates are damage."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A dimension along one axis."""

    axis: int
    low: float
    high: float
    printed: float
    id: str

    @property
    def printed_per_unit(self) -> float:
        return self.printed / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Outlines:
    """Drawn lines of one width."""

    ends: Array
    """(n, 4) straight pieces."""
    are_wide: bool
    """Whether the sheet has narrower lines, for what is no outline."""


def find_views(sheet: Sheet, dimensions: Sequence[Dimensioning]) -> tuple[list[dict[str, Any]], frozenset[str]]:
    """Views from the top: `bbox`, `size` in the unit of the dimensions, the `dimensions` that confirm it, `confidence`.

    And the ids of the diameters that are of the outside of a part, or of a circle of centres.
    """
    measures = [measure for dimension in dimensions for measure in _measures(dimension)]
    if not measures and all(dimension.type != "diameter" for dimension in dimensions):
        return [], frozenset()
    candidates = [(_views_of(outlines, sheet, measures), outlines) for outlines in _outlines(sheet, dimensions)]
    found, outlines = max(candidates, key=lambda each: len(each[0]), default=([], None))
    outside = _outside(outlines, [each for _, each in candidates], sheet, dimensions)
    return sorted(found, key=lambda view: (-view["bbox"][3], view["bbox"][0]))[:MOST], outside


def _outside(
    best: Outlines | None, outlines: Sequence[Outlines], sheet: Sheet, dimensions: Sequence[Dimensioning]
) -> frozenset[str]:
    """Ids of the diameters of no hole: of circles of centres, and of the outside by hatching, by the outlines that their width tells
    from other lines, and by all lines.
    """
    outside = pitch_circles(sheet.arcs.circles, diagonal(sheet), dimensions) | hatched_diameters(sheet, dimensions)
    outside |= outside_diameters(best.ends, sheet, dimensions) if best and best.are_wide else frozenset[str]()
    wide = [each.ends for each in outlines if each.are_wide]
    if wide:
        outside |= round_outsides(np.concatenate(wide), sheet, dimensions, are_wide=True)
    return outside | round_outsides(_pieces(sheet)[0], sheet, dimensions, are_wide=False)


def _views_of(outlines: Outlines, sheet: Sheet, measures: Sequence[Measure]) -> list[dict[str, Any]]:
    """The views that lines of one width draw."""
    size = diagonal(sheet)
    slack = AT_EDGE * size
    boxes = cluster_boxes(outlines.ends, size)
    kept = [box for box in boxes if not is_frame(box, sheet.box) or _confirming(box, measures, slack)]
    views = (_view(box, _confirming(box, measures, slack)) for box in merged(kept))
    least = THINNEST * size
    return [
        view
        for view in views
        if view and (view["confidence"] == BOTH or (outlines.are_wide and _is_wide(view["bbox"], least)))
    ]


def _is_wide(box: Sequence[float], least: float) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) > least


def _confirming(box: Box, measures: Sequence[Measure], slack: float) -> list[Measure]:
    """The dimensions from one edge of a box to the opposite one."""
    return [
        measure
        for measure in measures
        if abs(measure.low - box[measure.axis]) <= slack and abs(measure.high - box[measure.axis + 2]) <= slack
    ]


def _view(box: Box, confirming: list[Measure]) -> dict[str, Any] | None:
    """None where no dimension confirms it, or where they disagree on its scale."""
    if not confirming:
        return None
    scales = [measure.printed_per_unit for measure in confirming]
    if max(scales) > (1.0 + SAME_SCALE) * min(scales):
        return None
    printed = {measure.axis: measure.printed for measure in confirming}
    # The longest says the scale best: coordinates are rounded.
    scale = max(confirming, key=lambda measure: measure.high - measure.low).printed_per_unit
    return {
        "bbox": list(box),
        "size": [printed.get(axis, float(f"{(box[axis + 2] - box[axis]) * scale:{MEASURED}}")) for axis in (0, 1)],
        "dimensions": [measure.id for measure in confirming],
        "confidence": BOTH if len(printed) == 2 else ONE,
    }


def _measures(dimension: Dimensioning) -> Iterator[Measure]:
    """A dimension along x or y, from its ends; none of one that leans or has one end."""
    ends = ends_of(dimension)
    measured = dimension.further.get("measured", dimension.value)
    printed = dimension.further.get("printed", dimension.value)
    if ends is None or not measured or not printed:
        return
    for axis, (one, other) in enumerate(zip(*ends, strict=True)):
        low, high = sorted((one, other))
        if abs(high - low - measured) <= LEVEL * measured:
            yield Measure(axis, low, high, printed, dimension.id)


def _outlines(sheet: Sheet, dimensions: Sequence[Dimensioning]) -> Iterator[Outlines]:
    """All drawn lines that are not dashed, by width; without native dimensions, those wider than dimension lines."""
    ends, widths = _pieces(sheet)
    narrow = float(widths.min(initial=np.inf)) if sheet.dimensions else _dimension_width(sheet, dimensions)
    if narrow is None:
        return
    kinds, counts = np.unique(np.round(widths / ALIKE), return_counts=True)
    for kind in kinds[np.argsort(-counts, kind="stable")][:WIDTHS]:
        are_wide = bool(kind * ALIKE > max(WIDER * narrow, narrow + ALIKE / 2))
        if are_wide or sheet.dimensions:
            yield Outlines(ends[np.round(widths / ALIKE) == kind], are_wide)


def _pieces(sheet: Sheet) -> tuple[Array, Array]:
    """Strokes and arcs in straight pieces, and their widths."""
    strokes, arcs = sheet.strokes, sheet.arcs
    seen = ~strokes.dashed & _are_finite(strokes.ends)
    round_ones = ~arcs.dashed & _are_finite(arcs.circles)
    circles = arcs.circles[round_ones]
    sweeps = np.where(circles[:, 4] - circles[:, 3] >= 360.0, 360.0, (circles[:, 4] - circles[:, 3]) % 360.0)
    turns = np.radians(circles[:, 3, None] + sweeps[:, None] * np.linspace(0.0, 1.0, PIECES + 1))
    points = circles[:, None, :2] + circles[:, 2, None, None] * np.stack([np.cos(turns), np.sin(turns)], axis=2)
    pieces = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
    widths = np.concatenate([strokes.width[seen], np.repeat(arcs.width[round_ones], PIECES)])
    return np.concatenate([strokes.ends[seen], pieces]), widths


def _are_finite(numbers: Array) -> Flags:
    with np.errstate(invalid="ignore"):
        return np.asarray((np.abs(numbers) < FARTHEST).all(axis=1), dtype=np.bool_)


def _dimension_width(sheet: Sheet, dimensions: Sequence[Dimensioning]) -> float | None:
    """The width of the lines that end at arrows; None where none does."""
    tips = [tip for dimension in dimensions for tip in _line_ends(dimension)][:TIPS]
    # A filled arrowhead has an outline of its own.
    filled = np.array([fill.entity for fill in sheet.fills if fill.entity >= 0], dtype=np.int64)
    drawn = ~np.isin(sheet.strokes.entity, filled)
    ends, widths = sheet.strokes.ends[drawn].reshape(-1, 2), np.repeat(sheet.strokes.width[drawn], 2)
    found = np.concatenate([np.zeros(0), *_at_points(ends, widths, tips, AT_TIP * diagonal(sheet))])
    return float(np.median(found)) if len(found) else None


def _at_points(ends: Array, widths: Array, points: Sequence[Sequence[float]], slack: float) -> Iterator[Array]:
    """The widths of the lines that end within `slack` of each point, across and up."""
    order = np.argsort(ends[:, 0], kind="stable")
    ends, widths = ends[order], widths[order]
    for x, y in points:
        begin, stop = np.searchsorted(ends[:, 0], x - slack), np.searchsorted(ends[:, 0], x + slack, side="right")
        near = ends[begin:stop]
        yield widths[begin:stop][(np.abs(near - (x, y)) <= slack).all(axis=1)]


def _line_ends(dimension: Dimensioning) -> list[Sequence[float]]:
    """Where lines of a found dimension end: at its arrows, or at the text of an ordinate."""
    tips = dimension.further.get("arrow_tips", ())
    second = dimension.further.get("points", {}).get("second")
    return [*tips] if len(tips) == 2 else [second] if second else []

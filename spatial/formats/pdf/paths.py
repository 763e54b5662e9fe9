"""What a PDF page draws: vector paths as strokes, arcs, fills and entities, in the frame of `drawing.sheet`.

Glossary
  path      what one painting operator paints: stroked, filled, or both; CAD exporters put whole views into one.
  piece     one straight line or one Bézier curve of a path.
  section   pieces that are joined and of one sort; each becomes one entity.
  mask      a white fill: it hides what was drawn below it, unless the page is painted dark all over.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.counting import count_of
from spatial.formats.pdf.entities import Sections, entities, unlisted
from spatial.formats.pdf.pictures import Pictures
from spatial.formats.pdf.pieces import Pieces, clean, gather, is_blank, show_white_on_dark
from spatial.formats.pdf.unseen import Mask, path_boxes, unseen_paths
from spatial.geometry import arcs
from spatial.geometry.columns import greatest
from spatial.models.sheet.drawing import Arcs, Array, Fill, Flags, Indices, Strokes

ENTITIES: Final = 200_000
"""Entities listed of one file; strokes, arcs and fills are not bounded by it."""
JOINED: Final = 0.011
"""Two pieces whose ends are this near are joined; exporters write two decimals."""
OPAQUE: Final = 0.99
"""Opacity of a fill that hides what is below it."""
THIN: Final = 3.0
"""Points up to which a filled bar is a line that an exporter filled instead of stroking it."""


@dataclass(slots=True)
class PageGeometry:
    """The vector geometry of one page."""

    strokes: Strokes = field(default_factory=Strokes.none)
    arcs: Arcs = field(default_factory=Arcs.none)
    fills: list[Fill] = field(default_factory=list)
    """Without masks."""
    masks: list[Mask] = field(default_factory=list)
    """The opaque ones, in the order of painting."""
    filled: Array = field(default_factory=lambda: np.zeros((0, 5)))
    """(n, 5) of each filled path the order in which it is painted and its box."""
    entities: list[dict[str, Any]] = field(default_factory=list)
    unlisted: dict[str, Any] | None = None
    """What of the entities is not listed; None where all are."""
    counts: dict[str, int] = field(default_factory=dict)
    """Type of entity to how many there are, those over the limit too."""
    outside: int = 0
    """Paths left out because they are wholly outside the page."""
    warnings: list[str] = field(default_factory=list)


def read_geometry(page: Any, number: int, first_entity: int, pictures: Pictures) -> PageGeometry:
    """The geometry that a page draws with paths.

    page: a pymupdf.Page; number: its own, from 1; first_entity: how many entities the document has so far; pictures: those of the page.
    """
    result = PageGeometry()
    _read(page, result, number, first_entity, pictures)
    return result


def _read(page: Any, result: PageGeometry, number: int, first_entity: int, pictures: Pictures) -> None:
    try:
        pieces = gather(page, result.warnings, number)
    except (RuntimeError, ValueError, TypeError) as error:
        reason = type(error).__name__
        result.warnings.append(f"page {number}: its paths could not be read ({reason}); it has no geometry")
        return
    result.outside = clean(pieces, page, result.warnings, number)
    if len(pieces.ends):
        show_white_on_dark(pieces, page)
        _fill_in(page, pieces, result, number, first_entity, pictures)


def layers(document: Any) -> list[dict[str, Any]]:
    """The optional-content groups of a document, with their visibility when it is opened."""
    try:
        groups = document.get_ocgs()
    except (RuntimeError, ValueError, TypeError, KeyError):
        return []
    return [{"name": str(group["name"]), "visible": bool(group["on"])} for group in groups.values()]


def _fill_in(
    page: Any, pieces: Pieces, result: PageGeometry, number: int, first_entity: int, pictures: Pictures
) -> None:
    sections = _sections(pieces)
    made, places = entities(sections, pieces, number, first_entity, max(0, ENTITIES - first_entity))
    result.entities = made
    result.counts.update(Counter(sections.kinds))
    if len(sections.kinds) > len(made):
        result.unlisted = unlisted(sections, len(made))
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in result.unlisted["types"].items())
        result.warnings.append(
            f"page {number}: only the first {len(made):,} of {count_of(len(sections.kinds), 'entity', 'entities')} are listed; "
            f"those that are drawn after them ({kinds}) are counted in the sheet's unlisted"
        )
    widths = np.array([style.get("width", 0.0) for style in pieces.styles])[pieces.style]
    dashes = np.array(["dash" in style for style in pieces.styles])[pieces.style]
    result.masks = _masks(pieces, sections)
    result.filled = _filled(pieces)
    seen = ~unseen_paths(page, pieces, result.masks, pictures)
    inked = np.array([not is_blank(style) for style in pieces.styles])[pieces.style] & seen
    result.strokes = _strokes(pieces, sections, places, widths, dashes, inked)
    arc = np.flatnonzero(inked[sections.path[sections.of_arc]])
    of_arc = sections.of_arc[arc]
    path = sections.path[of_arc]
    result.arcs = Arcs(sections.arcs[arc], widths[path], places[of_arc], dashes[path])
    masked = np.array([bool(style.get("mask")) for style in pieces.styles])[pieces.style]
    result.fills = [
        Fill(points, int(places[section]), int(sections.path[section]))
        for section, points in sections.outlines.items()
        if seen[at := int(sections.path[section])] and not masked[at] and at not in pieces.unseen
    ]


def _masks(pieces: Pieces, sections: Sections) -> list[Mask]:
    """The opaque masks of a page."""
    outlines: dict[int, list[Array]] = {}
    for section, points in sections.outlines.items():
        outlines.setdefault(int(sections.path[section]), []).append(points)
    return [
        Mask(painting.order, place, outlines[place], painting.is_even_odd)
        for place in sorted(outlines)
        if (painting := pieces.masks.get(place)) is not None and painting.opacity >= OPAQUE
    ]


def _filled(pieces: Pieces) -> Array:
    """(n, 5) of each filled path the order in which it is painted and its box."""
    if not pieces.filled.any():
        return np.zeros((0, 5))
    return np.column_stack([pieces.order, path_boxes(pieces)])[pieces.filled]


def _sections(pieces: Pieces) -> Sections:
    """What is joined and of one sort; arcs are found on the way."""
    style = pieces.style
    stroked, filled = pieces.stroked[pieces.path], pieces.filled[pieces.path]
    joined = np.zeros(len(pieces.ends), bool)
    joined[1:] = greatest(np.abs(pieces.ends[1:, :2] - pieces.ends[:-1, 2:])) <= JOINED
    same_path = np.diff(pieces.path) == 0
    bare = ~filled[1:] & ~filled[:-1] & (np.diff(style[pieces.path]) == 0)
    joined[1:] &= same_path | bare
    line = pieces.curve < 0
    circles, arc = _arcs(pieces, joined, line, stroked, style)
    sort = np.where(line, 0, 1)
    sort = np.where(arc >= 0, arc + 2, sort)
    sort = np.where(stroked, sort, -1)
    begins = ~joined
    begins[1:] |= np.diff(sort) != 0
    begins[1:] &= ~((sort[1:] == sort[:-1]) & (sort[1:] >= 2))
    begins[0] = True
    first = np.flatnonzero(begins)
    section = np.cumsum(begins) - 1
    of_arc = np.zeros(len(circles), np.int64)
    of_arc[arc[arc >= 0]] = section[arc >= 0]
    sections = Sections(
        pieces.ends, pieces.curve, pieces.control, first, pieces.path[first], sort[first], circles, of_arc
    )
    _add_outlines(pieces, filled, joined, section, sections)
    sections.classify()
    return sections


def _arcs(pieces: Pieces, joined: Flags, line: Flags, stroked: Flags, style: Indices) -> tuple[Array, Indices]:
    """The arcs (k, 5) among stroked pieces, and of each piece the arc that it is of; -1 of none."""
    chained = joined & line & np.roll(line, 1) & stroked
    first, count, circles, sweep = arcs.runs(pieces.ends, chained)
    good = stroked[first]
    first, count, circles, sweep = first[good], count[good], circles[good], sweep[good]
    curves = np.flatnonzero(~line & stroked)
    of_curve, turned = arcs.of_beziers(pieces.control[pieces.curve[curves]])
    round_ = np.isfinite(of_curve[:, 0])
    first = np.concatenate([first, curves[round_]])
    count = np.concatenate([count, np.ones(int(round_.sum()), np.int64)])
    circles = np.concatenate([circles, of_curve[round_]])
    sweep = np.concatenate([sweep, turned[round_]])
    order = np.argsort(first, kind="stable")
    first, count, circles, sweep = first[order], count[order], circles[order], sweep[order]
    arc = np.full(len(pieces.ends), -1, np.int64)
    if not len(first):
        return np.zeros((0, 5)), arc
    follows = joined[first]
    follows[1:] &= first[1:] == first[:-1] + count[:-1]
    follows[0] = False
    circles, sweep, place = arcs.merged(circles, sweep, follows)
    head = np.searchsorted(place, np.arange(len(circles)))
    tail = np.append(head[1:], len(place)) - 1
    kin = np.zeros(len(circles), bool)
    kin[1:] = first[head[1:]] == first[tail[:-1]] + count[tail[:-1]]
    kin[1:] &= np.diff(style[pieces.path[first[head]]]) == 0
    circles, whole = arcs.closed(circles, kin)
    place = whole[place]
    begin = np.cumsum(count) - count
    arc[np.repeat(first - begin, count) + np.arange(int(count.sum()))] = np.repeat(place, count)
    return circles, arc


def _add_outlines(pieces: Pieces, filled: Flags, joined: Flags, section: Indices, sections: Sections) -> None:
    """The outlines of filled subpaths, by their first section; bars thin enough to be lines go to `sections.bars`."""
    places = np.flatnonzero(filled)
    if not len(places):
        return
    begins = ~joined[places]
    begins[0] = True
    sampled = arcs.bezier_points(pieces.control, np.array([0.0, 0.25, 0.5, 0.75]))
    starts = np.append(np.flatnonzero(begins), len(places))
    curve, ends = pieces.curve[places], pieces.ends[places]
    curved = np.add.reduceat((curve >= 0).astype(np.int64), starts[:-1]) > 0
    for begin, stop, bent in zip(starts[:-1].tolist(), starts[1:].tolist(), curved.tolist(), strict=True):
        if bent:
            parts = [
                sampled[row] if row >= 0 else ends[at : at + 1, :2] for at, row in enumerate(curve[begin:stop], begin)
            ]
            points = np.concatenate([*parts, ends[stop - 1 : stop, 2:]])
        else:
            points = np.concatenate([ends[begin:stop, :2], ends[stop - 1 : stop, 2:]])
        place = int(section[places[begin]])
        bar = None if bent or len(points) > 5 or pieces.stroked[pieces.path[places[begin]]] else _bar(points)
        if bar is None:
            sections.outlines[place] = points
        else:
            sections.bars[place] = bar


def _bar(points: Array) -> tuple[float, float, float, float, float] | None:
    """The middle line x1, y1, x2, y2 and the width of a filled bar that is a line; None for any other outline."""
    corners = points[:-1] if len(points) == 5 else points
    if len(corners) != 4 or _is_thick(corners):
        return None
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    if lengths[1] + lengths[3] > lengths[0] + lengths[2]:
        corners, lengths = np.roll(corners, -1, axis=0), np.roll(lengths, -1)
    thick = float(max(lengths[1], lengths[3]))
    if thick > THIN or min(lengths[0], lengths[2]) < 8.0 * thick or abs(lengths[1] - lengths[3]) > 0.2 * thick:
        return None
    begin, end = (corners[0] + corners[3]) / 2.0, (corners[1] + corners[2]) / 2.0
    return float(begin[0]), float(begin[1]), float(end[0]), float(end[1]), thick


def _is_thick(corners: Array) -> bool:
    """Whether four corners are of nothing that is as thin as a line, which most outlines tell: neither pair of opposite sides is short."""
    flat: list[float] = corners.ravel().tolist()
    x1, y1, x2, y2, x3, y3, x4, y4 = flat
    reach = 1.5 * THIN
    return (abs(x2 - x1) + abs(y2 - y1) > reach or abs(x4 - x3) + abs(y4 - y3) > reach) and (
        abs(x3 - x2) + abs(y3 - y2) > reach or abs(x1 - x4) + abs(y1 - y4) > reach
    )


def _strokes(
    pieces: Pieces, sections: Sections, places: Indices, widths: Array, dashes: Flags, inked: Flags
) -> Strokes:
    """inked: of each path, whether its strokes can be seen."""
    count = np.diff(np.append(sections.first, len(pieces.ends)))
    section = np.repeat(np.arange(len(sections.first)), count)
    sort = np.where(inked[sections.path], sections.sort, -1)[section]
    straight = np.flatnonzero(sort == 0)
    bent = np.flatnonzero(sort == 1)
    steps = np.linspace(0.0, 1.0, 9)
    points = arcs.bezier_points(pieces.control[pieces.curve[bent]], steps)
    chords = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
    bars = np.array(list(sections.bars.values())).reshape(-1, 5)
    barred = np.array(list(sections.bars), dtype=np.int64)
    of = np.concatenate([section[straight], np.repeat(section[bent], 8), barred])
    path = sections.path[of]
    width = widths[path]
    width[len(path) - len(bars) :] = bars[:, 4]
    curved = np.zeros(len(of), bool)
    curved[len(straight) : len(straight) + len(chords)] = True
    curved[: len(straight)] = arcs.bending(pieces.ends, _same(section))[straight]
    ends = np.concatenate([pieces.ends[straight], chords, bars[:, :4]])
    filled = np.arange(len(of)) >= len(of) - len(bars)
    return Strokes(ends, width, places[of], dashes[path], curved, filled)


def _same(section: Indices) -> Flags:
    """Whether each piece is of the section of the one before."""
    same = np.zeros(len(section), bool)
    same[1:] = np.diff(section) == 0
    return same

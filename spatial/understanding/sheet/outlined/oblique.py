"""Drawn lettering at other angles than quarter turns: sizes along slanted dimension lines.

What is left when the other lines are read is searched for chains of pieces as large as the lettering of the sheet. Each chain is turned
level, all of them are read together, each on a baseline of its own, and a line counts where it is in the style of the sheet.

Glossary
  chain   pieces of which each three neighbours stand about in line.
  canvas  the plane on which the chains lie side by side, turned level.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import shapely

from spatial.geometry.components import connected_components
from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Indices, Text
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.line_texts import texts_of
from spatial.understanding.sheet.outlined.lines import (
    SAME_PEN,
    SINGLE,
    Line,
    glyphs_read,
    has_style,
    is_good,
    read_lines_of,
)
from spatial.understanding.sheet.outlined.rows import Row

LARGE: Final = (0.6, 1.5)
"""Capital heights of the larger side of what may be a letter at an angle."""
REACH, BAND, LARGEST_PIECE = 4.0, 0.9, 1.5
"""Larger sides of a letter beyond the ends of a chain, and to either side of it, within which pieces may be of its line, and how large
these are."""
APART: Final = 1.5
"""Larger sides of two neighbours between their middles."""
LIKE: Final = 0.5
"""Part of the larger one of two neighbours that the smaller one is."""
STRAIGHT: Final = 20.0
"""Degrees by which three neighbours of a chain are out of line."""
OFF_LINE: Final = 0.3
"""Larger sides of a letter by which the middle of one is off the line of its chain."""
FEWEST: Final = 3
"""Letters of a chain: two give no direction, unless they stand along a slanted line, as R2 does at its leader."""
PAIR: Final = re.compile(r"[RØ⌀]\d")
"""What two letters along a slanted line are: a radius or a diameter of one digit (ISO 129-1)."""
SQUARE: Final = 4.0
"""Degrees from a quarter turn within which lines are read already."""
BESIDE: Final = 8.0
"""Degrees by which the long stroke beside a chain may differ from it, which says its angle where there is one."""
MOST: Final = 120
"""Chains of a sheet that are read: more are parts of views."""
DISTANCE: Final = 30.0
"""Largest letters between two baselines of the canvas."""


def read_oblique(ink: Ink, others: Indices, certain: list[Line], page: int) -> tuple[list[Text], list[int]]:
    """The texts at other angles, and the components that they are of.

    others: components that are of no other text, or of one too short to be sure that it is not of these; certain: lines that say what the
    lettering of the sheet looks like.
    """
    chains, pairs = _chains(ink, others, certain)
    if len(chains) + len(pairs) <= MOST:
        chains = [*chains, *pairs]
    if not chains or len(chains) > MOST:
        return [], []
    main = _main_direction(certain)
    turns = [_turn(ink, chain, main) for chain in chains]
    whole = [_around(ink, others, chain, turn) for chain, turn in zip(chains, turns, strict=True)]
    canvas, of = _canvas(ink, whole, turns, DISTANCE * ink.largest)
    texts: list[Text] = []
    taken: list[int] = []
    for line in map(_without_unread_ends, read_lines_of(canvas, glyphs_read(canvas))[0]):
        if line.read.quarter % 2 or line.sure < 1.0 or not has_style(line, certain) or not is_good(line, certain):
            continue
        if not set(taken).isdisjoint(of[line.pieces].tolist()):
            continue
        if len(line.spelled) < FEWEST and not _is_pair(line):
            continue
        number = round(_place(line) / (DISTANCE * ink.largest))
        rest = np.setdiff1d(np.arange(len(canvas.boxes)), line.pieces)
        lift = number * DISTANCE * ink.largest
        texts += [
            _turned_back(text, turns[number], lift)
            for text in texts_of(canvas, line, page, rest, np.zeros(0, np.int64))
        ]
        taken += of[line.pieces].tolist()
    return texts, taken


def _without_unread_ends(line: Line) -> Line:
    """A line without what is not read before its first letter and behind its last one: a leader and its arrowhead."""
    places = [place for place, sign in enumerate(line.signs()) if sign != UNREAD]
    read = line.read
    if len(places) in (0, len(line.spelled)) or len(read.row.glyphs) != len(read.boxes) or read.row is not read.parts:
        return line
    within = slice(places[0], places[-1] + 1)
    glyphs = read.row.glyphs if read.quarter == read.row.quarter else read.row.glyphs[::-1]
    row = Row(read.quarter, glyphs[within], read.row.height)
    part = replace(
        read, row=row, drawn=(read.ink, row), boxes=read.boxes[within], chances=read.chances[within], alike=read.alike[within],
        told=read.told[within],
    )  # fmt: skip
    words = [
        own for word in line.words if (own := [place - places[0] for place in word if places[0] <= place <= places[-1]])
    ]
    return replace(line, read=part, words=words, spelled=line.spelled[within])


def _is_pair(line: Line) -> bool:
    """Whether two letters are a radius or a diameter, each beyond doubt."""
    return bool(PAIR.fullmatch("".join(line.signs()))) and min(each.chance for each in line.spelled) >= SINGLE


def _chains(ink: Ink, others: Indices, certain: list[Line]) -> tuple[list[Indices], list[Indices]]:
    """Components of each chain that is at an angle, and of each two alone along a slanted line."""
    places = others[_like_letters(ink, others, certain)]
    boxes = ink.boxes[places]
    middles, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0)
    one, two = _neighbours(middles, sizes)
    if not len(one):
        return [], []
    groups = _in_line(middles, one, two)
    chains = [places[group] for group in groups if len(group) >= FEWEST and _is_level(middles[group], sizes[group])]
    label = connected_components(len(places), one, two)
    pairs = [places[label == number] for number in np.flatnonzero(np.bincount(label) == 2).tolist()]
    beside = [pair for pair in pairs if _line_beside(ink, pair) is not None]
    return [chain for chain in chains if _is_slanted(ink, chain)], [pair for pair in beside if _is_slanted(ink, pair)]


def _is_slanted(ink: Ink, chain: Indices) -> bool:
    return abs((_angle(ink, chain) + 45.0) % 90.0 - 45.0) > SQUARE


def _like_letters(ink: Ink, others: Indices, certain: list[Line]) -> Array:
    """(n,) which components are as large as letters of some line, and drawn with its pen."""
    boxes, pens = ink.boxes[others], ink.width[others]
    size = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0)
    like = np.zeros(len(others), bool)
    for height, pen in {(round(line.read.height, 2), line.pen) for line in certain}:
        same = np.abs(pens - pen) <= SAME_PEN * abs(pen)
        like |= same & (size >= LARGE[0] * height) & (size <= LARGE[1] * height)
    return like


def _neighbours(middles: Array, sizes: Array) -> tuple[Indices, Indices]:
    """Pairs of pieces of like size that stand close."""
    tree = shapely.STRtree(shapely.points(middles))
    one, two = tree.query(shapely.points(middles), predicate="dwithin", distance=sizes * APART)
    larger, smaller = np.maximum(sizes[one], sizes[two]), np.minimum(sizes[one], sizes[two])
    near = (one != two) & (smaller >= LIKE * larger)
    return one[near], two[near]


def _in_line(middles: Array, one: Indices, two: Indices) -> Iterator[Indices]:
    """Groups of pieces, each of which stands between two others of its group or at an end."""
    along = middles[two] - middles[one]
    angle = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    order = np.argsort(one, kind="stable")
    firsts = np.searchsorted(one[order], np.arange(len(middles) + 1))
    links: list[tuple[int, int]] = []
    for middle in range(len(middles)):
        own = order[firsts[middle] : firsts[middle + 1]]
        opposite = np.abs((angle[own][:, None] - angle[own][None, :]) % 360.0 - 180.0) <= STRAIGHT
        for first, last in np.argwhere(np.triu(opposite)).tolist():
            links += [(middle, int(two[own[first]])), (middle, int(two[own[last]]))]
    pairs = np.array(links, np.int64).reshape(-1, 2)
    label = connected_components(len(middles), pairs[:, 0], pairs[:, 1])
    order = np.argsort(label, kind="stable")
    return iter(np.split(order, np.flatnonzero(np.diff(label[order])) + 1))


def _is_level(middles: Array, sizes: Array) -> bool:
    """Whether the middles of the pieces of a group are on one line."""
    centred = middles - middles.mean(axis=0)
    across = np.linalg.svd(centred, full_matrices=False)[2][1]
    return bool(np.abs(centred @ across).max() <= OFF_LINE * float(np.median(sizes)))


def _angle(ink: Ink, chain: Indices) -> float:
    """Degrees, from 0 to 180, of the line of a chain: of the long stroke beside it, or else of the middles of its pieces."""
    beside = _line_beside(ink, chain)
    return _direction(ink, chain) if beside is None else beside


def _direction(ink: Ink, chain: Indices) -> float:
    """Degrees, from 0 to 180, of the middles of the pieces of a chain."""
    middles = (ink.boxes[chain, :2] + ink.boxes[chain, 2:]) / 2
    along = np.linalg.svd(middles - middles.mean(axis=0), full_matrices=False)[2][0]
    return float(np.degrees(np.arctan2(along[1], along[0]))) % 180.0


def _line_beside(ink: Ink, chain: Indices) -> float | None:
    """Degrees, from 0 to 180, of the long stroke that a chain stands along; None where there is none."""
    if not len(ink.barriers):
        return None
    boxes = ink.boxes[chain]
    middle, size = (boxes[:, :2] + boxes[:, 2:]).mean(axis=0) / 2, float((boxes[:, 2:] - boxes[:, :2]).max())
    spans = ink.barriers[:, 2:] - ink.barriers[:, :2]
    directions = np.degrees(np.arctan2(spans[:, 1], spans[:, 0])) % 180.0
    off = np.abs((directions - _direction(ink, chain) + 90.0) % 180.0 - 90.0)
    alike = np.flatnonzero(off <= BESIDE)
    away = shapely.distance(shapely.linestrings(ink.barriers[alike].reshape(-1, 2, 2)), shapely.points(middle))
    return float(directions[alike[away.argmin()]]) if len(away) and away.min() <= 2 * size else None


def _main_direction(certain: list[Line]) -> float:
    """Degrees in which most of the lettering of a sheet reads."""
    letters = np.bincount([line.read.quarter for line in certain], [len(line.spelled) for line in certain], minlength=4)
    return 90.0 * int(letters.argmax())


def _turn(ink: Ink, chain: Indices, main: float) -> tuple[float, Array]:
    """Degrees in which a chain reads, no more than a quarter turn from the other lettering (ISO 129-1, 5.5), and its middle."""
    angle = _angle(ink, chain)
    boxes = ink.boxes[chain]
    return main + (angle - main + 90.0) % 180.0 - 90.0, (boxes[:, :2] + boxes[:, 2:]).mean(axis=0) / 2


def _around(ink: Ink, others: Indices, chain: Indices, turn: tuple[float, Array]) -> Indices:
    """The pieces of a chain with all that may be of its line, or goes on with it."""
    angle, middle = turn
    own, boxes = ink.boxes[chain], ink.boxes[others]
    size = float((own[:, 2:] - own[:, :2]).max())
    middles = _rotated((boxes[:, :2] + boxes[:, 2:]) / 2 - middle, -angle)
    ends = _rotated((own[:, :2] + own[:, 2:]) / 2 - middle, -angle)[:, 0]
    near = (middles[:, 0] >= ends.min() - REACH * size) & (middles[:, 0] <= ends.max() + REACH * size)
    near &= (np.abs(middles[:, 1]) <= BAND * size) & ((boxes[:, 2:] - boxes[:, :2]).max(axis=1) <= LARGEST_PIECE * size)
    near &= (ink.width[others] < 0) == (ink.width[chain[0]] < 0)
    return np.union1d(others[near], chain)


def _canvas(ink: Ink, chains: list[Indices], turns: list[tuple[float, Array]], distance: float) -> tuple[Ink, Indices]:
    """The components of all chains, each chain turned level about its middle and lifted, and the component (k,) that each is."""
    first = np.searchsorted(ink.of, np.arange(len(ink.boxes) + 1))
    edges: list[Array] = []
    boxes: list[Array] = []
    of = np.concatenate(chains)
    for number, (chain, (angle, middle)) in enumerate(zip(chains, turns, strict=True)):
        for place in chain.tolist():
            drawn = _rotated(ink.edges[first[place] : first[place + 1]].reshape(-1, 2) - middle, -angle)
            drawn[:, 1] += number * distance
            boxes.append(np.concatenate([drawn.min(axis=0), drawn.max(axis=0)]))
            edges.append(drawn.reshape(-1, 4))
    none = np.zeros(0, np.int64)
    numbers = np.repeat(np.arange(len(edges)), [len(each) for each in edges])
    canvas = Ink(
        np.array(boxes), ink.width[of], ink.bars[of], np.concatenate(edges), numbers, np.zeros((0, 4)), ink.largest,
        none, none, none,
    )  # fmt: skip
    return canvas, of


def _rotated(points: Array, degrees: float) -> Array:
    """(n, 2) points turned counter-clockwise about 0."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points @ np.array([[cosine, sine], [-sine, cosine]]))


def _place(line: Line) -> float:
    """How high a line of the canvas is."""
    middle = float(line.read.boxes[:, [1, 3]].mean())
    return -middle if line.read.quarter == 2 else middle


def _turned_back(text: Text, turn: tuple[float, Array], lift: float) -> Text:
    """A text of the canvas as it stands on the sheet."""
    angle, middle = turn
    left, bottom, right, top = text.box
    corners = np.array([text.origin, (left, bottom), (right, bottom), (right, top), (left, top)]) - (0.0, lift)
    placed = _rotated(corners, angle) + middle
    low, high = placed[1:].min(axis=0).tolist(), placed[1:].max(axis=0).tolist()
    return replace(
        text, origin=(float(placed[0, 0]), float(placed[0, 1])), angle=(text.angle + angle) % 360.0,
        box=(low[0], low[1], high[0], high[1]),
    )  # fmt: skip

"""Lines of Chinese and Japanese lettering that is drawn as outlines or strokes.

A character of these scripts is many pieces above and beside each other in a square, so its lines are found by how their pieces stand,
and are read by the reader of lines alone. What else stands in such a line (numbers, Latin letters) is left to the reader of glyphs.

Glossary
  em    the square that each character takes: as wide as the line is high.
  ideograph  a character of such a square: Chinese ones and kana.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from spatial.geometry.components import connected_components
from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.outlined.ideographs import PLAIN, is_ideograph
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.line_pictures import line_picture
from spatial.understanding.sheet.outlined.line_reader import read_lines
from spatial.understanding.sheet.outlined.read_character import ReadCharacter
from spatial.understanding.sheet.outlined.rows import Row, turned, turned_boxes
from spatial.understanding.sheet.outlined.ruled_rows import pieces_by_cell

BESIDE, OVER = 0.75, 0.16
"""Sizes of the larger of two pieces of one line between them along the line and across it."""
LEAST: Final = 0.012
"""Part of the largest letter from which a piece is of a letter, in its larger side."""
FEWEST: Final = 3
"""Pieces of a line at least."""
STACKED: Final = 0.35
"""Part of the pieces of a line that stand over others: of Latin lettering only dots and accents do."""
LAP: Final = 0.5
"""Part of the narrower of two pieces that is over or under the other where they are stacked."""
LONGER, MOST = 1.2, 0.9
"""Sizes of the larger pieces of a line from which a straight one is no stroke of a character, and the part of them that is smaller."""
PARTED: Final = 0.06
"""Part of the larger pieces' height that is free of ink between two lines."""
SURE: Final = 0.9
"""Chance from which a character is reported."""
MOSTLY: Final = 0.75
"""Part of the ideographs of a line that must be sure for the line to be reported."""
PITCH: Final = (0.4, 1.5)
"""Ems from the middle of an ideograph to that of the next one, which the reader of lines tells to a sixth of an em; GB/T 14691 has
characters 0.7 as wide as high."""
FULL, NARROW = 0.5, 0.28
"""Ems on either side of the middle of an ideograph, and of another character, that its pieces take."""
AROUND: Final = 1.1
"""How far beyond these its pieces may be, as a part of them."""
BAND: Final = 0.9
"""Part of the em that the ink of a line is high."""
SAME_HEIGHT: Final = 0.1
"""Part by which the heights of lines of one style differ."""
USUAL: Final = (0, 1)
"""Quarter turns of the directions of reading: from the bottom and from the right of a sheet."""
FULL_SIGNS: Final = frozenset("、。，．：；！？〃々〆「」『』【】〔〕〜・…,:;!?")
"""Signs that are of the ideographs beside them, whatever stands on their other side; a bracket is of the letter or number there."""


@dataclass(frozen=True, slots=True)
class Ideographs:
    """Ideographs that stand beside each other in one line, in the frame of its quarter."""

    quarter: int
    characters: tuple[ReadCharacter, ...]
    """Their sides in that frame."""
    sure: Flags
    """(n,) which of them are beyond doubt."""
    pieces: Indices
    """Components."""
    low: float
    em: float


@dataclass(frozen=True, slots=True)
class IdeographLine:
    """A line of lettering that has ideographs."""

    runs: tuple[Ideographs, ...]
    beside: tuple[Indices, ...]
    """Components of the other lettering of the line, as its runs part it: numbers and Latin letters."""
    quarter: int


def find_ideographs(ink: Ink, quarters: tuple[int, int] = USUAL) -> list[IdeographLine]:
    """The lines with ideographs of a sheet. quarters: the directions that are read. Raises: LineReaderUnavailable."""
    found = _certain(ink, [], STACKED, quarters)
    if any(line.distinct >= 2 for line in found):
        found = _certain(ink, found, 0.0, quarters)
        found += _spread_in_cells(ink, found)
    return [_parted_line(ink, line) for line in found]


def _certain(ink: Ink, known: list[_Line], stacked: float, directions: tuple[int, int]) -> list[_Line]:
    """The lines that are lettering beyond doubt, after those that are known.

    stacked: part of the pieces of a line that stand over others; directions: that are read while no line is known.
    """
    taken = np.zeros(len(ink.boxes), bool)
    taken[[piece for line in known for piece in line.pieces.tolist()]] = True
    quarters = {line.quarter for line in known} or set(directions)
    read = [
        line for quarter in sorted(quarters) for line in _read(ink, _candidates(ink, ~taken, quarter, stacked), quarter)
    ]
    found = list(known)
    for line in sorted(read, key=lambda line: -line.distinct):  # a character may be read when it is turned too
        if not taken[line.pieces].any():
            taken[line.pieces] = True
            found.append(line)
    heights = np.array([line.em for line in found if line.distinct >= 2])
    return [line for line in found if _is_certain(line, heights)]


def _spread_in_cells(ink: Ink, known: list[_Line]) -> list[_Line]:
    """The lines in other cells of the rows of a table that those which are known stand in, every piece of them a sure character's."""
    free = np.ones(len(ink.boxes), bool)
    free[[piece for line in known for piece in line.pieces.tolist()]] = False
    found = []
    for quarter in sorted({line.quarter for line in known}):
        boxes = turned_boxes(ink.boxes, quarter)
        own = [boxes[line.pieces] for line in known if line.quarter == quarter]
        around = np.array([[*each[:, :2].min(axis=0), *each[:, 2:].max(axis=0)] for each in own])
        cells = pieces_by_cell(ink, free, around, quarter)
        rows = [cell[row] for cell in cells for row in _parted(boxes[cell][:, [1, 3]], 0.0)]
        found += [line for line in _lines_read(ink, rows, quarter) if line.characters and _is_spread(boxes, line)]
    return found


def _is_spread(boxes: Array, line: _Line) -> bool:
    """Whether all of a line is ideographs beyond doubt, whose squares have room, and the points and numbers among them.

    boxes: (k, 4) of all components, in the frame of the quarter of the line.
    """
    if not line.distinct or any(each.chance < SURE for each in line.characters):
        return False
    ideographs = [each for each in line.characters if is_ideograph(each.sign)]
    steps = np.array([two.middle - one.middle for one, two in itertools.pairwise(ideographs)]) / line.em
    of = set(_characters_of(boxes[line.pieces], line.characters, line.em).tolist())
    return of == set(range(len(line.characters))) and bool((steps >= PITCH[0]).all())


@dataclass(frozen=True, slots=True)
class _Line:
    quarter: int
    pieces: Indices
    characters: list[ReadCharacter]
    """Without blanks, their sides in the frame of the quarter."""
    low: float
    em: float

    @property
    def distinct(self) -> int:
        """Ideographs that nothing else looks like."""
        return sum(
            is_ideograph(each.sign) and each.sign not in PLAIN and each.chance >= SURE for each in self.characters
        )


def _candidates(ink: Ink, free: Flags, quarter: int, stacked: float) -> list[Indices]:
    """Components of each line that has pieces above each other as ideographs have.

    free: (k,) the components that lines are sought among; stacked: part of those of a line that stand over others, more than none.
    """
    boxes = turned_boxes(ink.boxes, quarter)
    size = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0)
    places = np.flatnonzero((size >= LEAST * ink.largest) & free)
    if len(places) < FEWEST:
        return []
    straight = np.bincount(ink.of, minlength=len(boxes)) == 1
    walls = walls_of(ink, quarter)
    groups = [places[group] for group in _groups(boxes[places], size[places])]
    return [
        line
        for group in groups
        if len(group) >= FEWEST
        for part in _without_rules(group, boxes, size, straight)
        if len(part) >= FEWEST
        for line in _cut(boxes, part, walls)
        if len(line) >= FEWEST and _stacked(boxes[line]) >= max(stacked, 1 / len(line))
    ]


def _without_rules(group: Indices, boxes: Array, size: Array, straight: Flags) -> list[Indices]:
    """The groups that a group falls into without the straight pieces that are longer than its other pieces: short rule lines."""
    others = size[group[~straight[group]]]
    if not len(others):
        return []
    kept = group[~straight[group] | (size[group] <= LONGER * np.quantile(others, MOST))]
    if len(kept) == len(group):
        return [group]
    return [kept[part] for part in _groups(boxes[kept], size[kept])]


def _groups(boxes: Array, size: Array) -> list[Indices]:
    """Places of boxes that are near one another."""
    along, across = BESIDE * size, OVER * size
    reach = shapely.box(boxes[:, 0] - along, boxes[:, 1] - across, boxes[:, 2] + along, boxes[:, 3] + across)
    one, two = shapely.STRtree(shapely.box(*boxes.T)).query(reach)
    label = connected_components(len(boxes), one, two)
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


def walls_of(ink: Ink, quarter: int) -> Array:
    """(b, 3) place, lowest and highest of the rule lines that stand across the lines of a quarter, in its frame."""
    barriers = turned(ink.barriers, quarter)
    upright = np.abs(barriers[:, 2] - barriers[:, 0]) < 0.1 * np.abs(barriers[:, 3] - barriers[:, 1])
    x, y = barriers[upright][:, [0, 2]], barriers[upright][:, [1, 3]]
    return np.stack([x.mean(axis=1), y.min(axis=1), y.max(axis=1)], axis=1)


def _cut(boxes: Array, places: Indices, walls: Array) -> list[Indices]:
    """A group cut between its lines, and each line at the rule lines across it; what has few pieces is left out."""
    lines = []
    tall = float((boxes[places, 3] - boxes[places, 1]).max())
    for row in _parted(boxes[places][:, [1, 3]], PARTED * tall):
        if len(row) < FEWEST:
            continue
        of = places[row]
        middle = float(boxes[of, 1].min() + boxes[of, 3].max()) / 2
        across = np.sort(walls[(walls[:, 1] <= middle) & (walls[:, 2] >= middle), 0])
        cell = np.searchsorted(across, boxes[of][:, [0, 2]].mean(axis=1))
        lines += [of[cell == each] for each in np.unique(cell)]
    return lines


def _parted(spans: Array, gap: float) -> list[Indices]:
    """Places of spans (n, 2) that no free gap parts."""
    order = np.argsort(spans[:, 0], kind="stable")
    ends = np.maximum.accumulate(spans[order, 1])
    return np.split(order, np.flatnonzero(spans[order[1:], 0] - ends[:-1] > gap) + 1)


def _stacked(boxes: Array) -> float:
    """Part of the boxes that stand over or under, or within, another one."""
    left, right = boxes[:, 0], boxes[:, 2]
    lap = np.minimum(right[:, None], right[None, :]) - np.maximum(left[:, None], left[None, :])
    width = np.maximum(np.minimum((right - left)[:, None], (right - left)[None, :]), 1e-9)
    over = lap >= LAP * width
    np.fill_diagonal(over, False)
    return float(over.any(axis=1).mean())


def _read(ink: Ink, lines: Sequence[Indices], quarter: int) -> list[_Line]:
    """The lines with ideographs among these."""
    return [line for line in _lines_read(ink, lines, quarter) if _has_squares(line.characters, line.em)]


def _lines_read(ink: Ink, lines: Sequence[Indices], quarter: int) -> list[_Line]:
    """What these lines read as."""
    pictures = []
    for line in lines:
        boxes = turned_boxes(ink.boxes[line], quarter)
        height = float(boxes[:, 3].max() - boxes[:, 1].min())
        picture = line_picture(ink, Row(quarter, [line.tolist()], height), quarter)
        if picture is not None:
            pictures.append((line, picture, float(boxes[:, 1].min()), height / BAND))
    found = []
    for (line, picture, low, em), read in zip(pictures, read_lines([each[1].pixels for each in pictures]), strict=True):
        characters = [
            ReadCharacter(
                each.sign,
                each.chance,
                picture.left + each.left / picture.scale,
                picture.left + each.right / picture.scale,
                each.others,
            )
            for each in read
            if each.sign.strip()
        ]
        found.append(_Line(quarter, line, characters, low, em))
    return found


def _has_squares(characters: Sequence[ReadCharacter], em: float) -> bool:
    """Whether most ideographs are sure, and neighbours stand as far from each other as their squares let them."""
    ideographs = [each for each in characters if is_ideograph(each.sign)]
    sure = sum(each.chance >= SURE for each in ideographs)
    if not ideographs or sure < MOSTLY * len(ideographs):
        return False
    steps = np.array([
        (two.middle - one.middle) / em
        for one, two in itertools.pairwise(characters)
        if is_ideograph(one.sign) and is_ideograph(two.sign)
    ])  # fmt: skip
    return bool(((steps >= PITCH[0]) & (steps <= PITCH[1])).mean() >= MOSTLY) if len(steps) else True


def _is_certain(line: _Line, heights: Array) -> bool:
    """Whether a line is lettering beyond doubt, by itself or because lettering of its height is."""
    if line.distinct >= 2:
        return True
    return line.distinct == 1 and bool((np.abs(heights - line.em) <= SAME_HEIGHT * line.em).any())


def _parted_line(ink: Ink, line: _Line) -> IdeographLine:
    """A line as its runs of ideographs, with the points and brackets at them, and what stands beside them."""
    kinds = _kinds([each.sign for each in line.characters])
    middles = np.array([each.middle for each in line.characters])
    boxes = turned_boxes(ink.boxes[line.pieces], line.quarter)
    centres = (boxes[:, 0] + boxes[:, 2]) / 2
    of = _characters_of(boxes, line.characters, line.em)
    far = np.diff(middles) > PITCH[1] * line.em  # a character between them was passed over
    runs: list[Ideographs] = []
    beside: list[Indices] = []
    for run in np.split(np.arange(len(kinds)), np.flatnonzero((np.diff(kinds) != 0) | (far & kinds[1:])) + 1):
        own = np.isin(of, run)
        if kinds[run[0]]:
            characters = tuple(line.characters[place] for place in run.tolist())
            sure = np.array([each.chance >= SURE for each in characters])
            runs.append(Ideographs(line.quarter, characters, sure, line.pieces[own], line.low, line.em))
        elif own.any():
            passed = (of < 0) & (centres >= centres[own].min()) & (centres <= centres[own].max())
            beside.append(line.pieces[own | passed])
    return IdeographLine(tuple(runs), tuple(beside), line.quarter)


def _characters_of(boxes: Array, characters: Sequence[ReadCharacter], em: float) -> Indices:
    """(k,) which character each piece of a line is of; -1 of none: a character that was passed over has pieces too.

    boxes: (k, 4)
    """
    squares = np.array([is_ideograph(each.sign) for each in characters])
    middles = np.array([each.middle for each in characters])
    away = np.abs((boxes[:, 0] + boxes[:, 2])[:, None] / 2 - middles) / (np.where(squares, FULL, NARROW) * em)
    of = np.where(away.min(axis=1) <= AROUND, away.argmin(axis=1), -1)
    # What stands over or under a piece of an ideograph is of it, however near a letter is.
    own, others = np.flatnonzero((of >= 0) & squares[of]), np.flatnonzero((of < 0) | ~squares[of])
    if len(own) and len(others):
        lap = np.minimum(boxes[others, 2, None], boxes[own, 2]) - np.maximum(boxes[others, 0, None], boxes[own, 0])
        over = lap >= LAP * np.maximum(boxes[others, 2] - boxes[others, 0], 1e-9)[:, None]
        of[others] = np.where(over.any(axis=1), of[own[over.argmax(axis=1)]], of[others])
    return np.asarray(of, np.int64)


def _kinds(signs: Sequence[str]) -> Flags:
    """(n,) whether each character of a line is of its runs of ideographs: a sign is where it is beside one, and beside no other letter."""
    ideographs = [is_ideograph(sign) for sign in signs]
    kinds = []
    for place, sign in enumerate(signs):
        beside = [at for at in (place - 1, place + 1) if 0 <= at < len(signs)]
        is_latin = any(signs[at].isalnum() and not ideographs[at] for at in beside) and sign not in FULL_SIGNS
        is_sign = not sign.isalnum() and any(ideographs[at] for at in beside) and not is_latin
        kinds.append(ideographs[place] or is_sign)
    return np.array(kinds, bool)

"""Drawn lettering of sheets in Chinese and Japanese: ideographs first, everything else as on other sheets, and lines of both."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Flags, Indices, Sheet, Text
from spatial.models.sheet.repairs import FROM_OUTLINES, UNKNOWN
from spatial.models.time_limit import time_limit
from spatial.understanding.sheet.outlined.east_asian import BAND, IdeographLine, Ideographs, find_ideographs, walls_of
from spatial.understanding.sheet.outlined.in_cells import Ideographic
from spatial.understanding.sheet.outlined.ink import Ink, find_ink
from spatial.understanding.sheet.outlined.layer_directions import with_layer_directions
from spatial.understanding.sheet.outlined.line_ends import without_line_ends
from spatial.understanding.sheet.outlined.line_reader import LineReaderUnavailable
from spatial.understanding.sheet.outlined.lines import glyphs_read, is_lettered, lines_by_glyphs
from spatial.understanding.sheet.outlined.lone_digits import with_upright_digits
from spatial.understanding.sheet.outlined.read import FoundLettering, read_ink, sheet_box
from spatial.understanding.sheet.outlined.recognise import directions_of
from spatial.understanding.sheet.outlined.rows import turned, turned_boxes
from spatial.understanding.sheet.outlined.touching import TooMuchInk

CAPITAL: Final = 0.75
"""Height of a capital letter in heights of the ideographs beside it."""
JOINED, BLANK, PASSED = 1.0, 0.5, 1.7
"""Ems between two pieces of one line, from which there is a blank between them, and where a character that was not read is."""
WIDE_POINTS: Final = frozenset("、。，；：！？）】」")
"""Signs of a square whose right half is blank."""
BEHIND: Final = WIDE_POINTS | frozenset(",.;:)")
"""Signs before which there is no blank."""
HEIGHTS: Final = (0.35, 1.2)
"""Ems that other lettering of a line of ideographs is high."""
SECONDS_A_COMPONENT: Final = 1e-3
"""Of processor time for what may be a letter: 30 s for 30,000 letters, 17 s for 20,000 dots."""


def read_lettering(sheet: Sheet, fills: Flags, strokes: Flags) -> FoundLettering:
    """The texts that a sheet shows as outlines or strokes.

    fills, strokes: which of the sheet's fills and strokes may be of letters.
    Raises: TooMuchInk, also where so many components may be letters that to read them would take longer than the deadline.
    """
    ink = without_line_ends(sheet, find_ink(sheet, fills, strokes))
    if len(ink.boxes) * SECONDS_A_COMPONENT > time_limit():
        raise TooMuchInk(len(ink.boxes))
    reads = with_layer_directions(sheet, glyphs_read(ink))
    if sheet.text_layer == "vector" and not is_lettered(certain := lines_by_glyphs(ink, reads)):
        return FoundLettering(unread=[sheet_box(line) for line in certain])
    try:
        found_lines = find_ideographs(ink, directions_of(reads))
    except LineReaderUnavailable:
        found_lines = []  # the reader of the other lettering reports why
    runs = [run for line in found_lines for run in line.runs]
    if not runs:
        return read_ink(ink, with_upright_digits(sheet, ink, reads), sheet.page)
    taken = np.zeros(len(ink.boxes) + 1, bool)
    taken[np.concatenate([run.pieces for run in runs])] = True
    taken[-1] = False
    others = find_ink(
        sheet, fills & ~taken[ink.fills], strokes & ~taken[ink.strokes], (ink.arcs >= 0) & ~taken[ink.arcs]
    )
    others = without_line_ends(sheet, others)
    rows = with_upright_digits(sheet, others, glyphs_read(others, _rows_beside(found_lines, _moved(ink, others))))
    found = read_ink(others, rows, sheet.page, [_standing(ink, run) for run in runs])
    found.fills = _either(found.fills, taken[ink.fills])
    found.strokes = _either(found.strokes, taken[ink.strokes])
    found.arcs = _either(found.arcs, taken[ink.arcs])
    found.texts = _lines(ink, taken[:-1], runs, found.texts, sheet.page)
    return found


def _standing(ink: Ink, run: Ideographs) -> Ideographic:
    boxes = turned_boxes(ink.boxes[run.pieces], run.quarter)
    (left, low), (right, high) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return Ideographic(run.quarter, (left, low, right, high), run.low, CAPITAL * BAND * run.em)


def _moved(ink: Ink, others: Ink) -> Indices:
    """(k,) the component of `others` that each component of a sheet is; -1 of those that are not of it."""
    moved = np.full(len(ink.boxes) + 1, -1)
    for before, after in ((ink.fills, others.fills), (ink.strokes, others.strokes), (ink.arcs, others.arcs)):
        moved[before[after >= 0]] = after[after >= 0]
    return moved[:-1]


def _rows_beside(lines: Sequence[IdeographLine], moved: Indices) -> list[tuple[int, list[int]]]:
    """Direction and components of each row of the lettering that stands beside ideographs."""
    rows = [(line.quarter % 2, moved[pieces][moved[pieces] >= 0].tolist()) for line in lines for pieces in line.beside]
    return [row for row in rows if row[1]]


def _either(one: Flags | None, other: Flags) -> Flags:
    return other if one is None else one | other


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of ideographs, or other lettering that may be of its line, in the frame of a quarter."""

    left: float
    right: float
    low: float
    high: float
    em: float
    """0 of other lettering."""
    signs: tuple[str, ...]
    begins: tuple[float, ...]
    """Where each character begins, from `left`."""
    text: Text | None = None


def _lines(ink: Ink, taken: Flags, runs: Sequence[Ideographs], texts: list[Text], page: int) -> list[Text]:
    """The texts of a sheet, ideographs and what stands in line with them as one."""
    lines: list[Text] = []
    joined: set[int] = set()
    for quarter in sorted({run.quarter for run in runs}):
        walls, boxes = walls_of(ink, quarter), turned_boxes(ink.boxes[~taken], quarter)
        pieces = [_of_run(ink, run) for run in runs if run.quarter == quarter]
        pieces += [_of_text(text, quarter) for text in texts if text.angle == 90.0 * quarter]
        for line in _chains(pieces, walls, boxes):
            joined.update(id(piece.text) for piece in line if piece.text is not None)
            lines.append(_text(line, boxes, quarter, page))
    return lines + [text for text in texts if id(text) not in joined]


def _of_run(ink: Ink, run: Ideographs) -> _Piece:
    boxes = turned_boxes(ink.boxes[run.pieces], run.quarter)
    left, right = float(boxes[:, 0].min()), float(boxes[:, 2].max())
    middles = np.array([each.middle for each in run.characters])
    begins = (0.0, *((middles[1:] + middles[:-1]) / 2 - left).tolist())
    signs = tuple(
        _plain(each.sign) if sure else UNREAD for each, sure in zip(run.characters, run.sure.tolist(), strict=True)
    )
    return _Piece(left, right, run.low, run.low + BAND * run.em, run.em, signs, begins)


def _plain(sign: str) -> str:
    """A sign of East Asian width as the usual one, but for the points of a sentence."""
    return unicodedata.normalize("NFKC", sign) if "！" <= sign <= "～" and sign not in WIDE_POINTS else sign


def _of_text(text: Text, quarter: int) -> _Piece:
    assert text.advances is not None
    left, low = turned(np.array([text.origin]), quarter)[0].tolist()
    right = left + text.width
    return _Piece(left, right, low, low + text.height, 0.0, tuple(text.text), tuple(text.advances[:-1].tolist()), text)


def _chains(pieces: list[_Piece], walls: Array, others: Array) -> list[list[_Piece]]:
    """Lines that have ideographs, from the left."""
    order = sorted(pieces, key=lambda piece: piece.left)
    done: set[int] = set()
    lines = []
    for first in order:
        if first.em == 0.0 or id(first) in done:
            continue
        level = [piece for piece in order if id(piece) not in done and _is_level(piece, first)]
        at = next(place for place, piece in enumerate(level) if piece is first)
        begin, end = at, at
        while begin > 0 and _follows(level[begin - 1], level[begin], first, walls, others):
            begin -= 1
        while end + 1 < len(level) and _follows(level[end], level[end + 1], first, walls, others):
            end += 1
        line = level[begin : end + 1]
        done.update(id(piece) for piece in line)
        lines.append(line)
    return lines


def _is_level(piece: _Piece, run: _Piece) -> bool:
    middle = (piece.low + piece.high) / 2
    return run.low <= middle <= run.high and HEIGHTS[0] * run.em <= piece.high - piece.low <= HEIGHTS[1] * run.em


def _follows(one: _Piece, two: _Piece, run: _Piece, walls: Array, others: Array) -> bool:
    middle, gap = (two.low + two.high) / 2, two.left - one.right
    if gap > JOINED * run.em and not (gap <= PASSED * run.em and _is_drawn(others, one, two, run)):
        return False
    between = (walls[:, 0] > one.right) & (walls[:, 0] < two.left) & (walls[:, 1] <= middle) & (walls[:, 2] >= middle)
    return not between.any()


def _text(line: list[_Piece], others: Array, quarter: int, page: int) -> Text:
    """others: (n, 4) boxes of the components that are of no ideograph, in the frame of the quarter."""
    run = max(line, key=lambda piece: piece.em)
    left, right = line[0].left, line[-1].right
    signs: list[str] = []
    begins: list[float] = []
    for number, piece in enumerate(line):
        between = _between(line[number - 1], piece, others, run) if number else ""
        if between:
            signs.append(between)
            begins.append(line[number - 1].right - left)
        signs += piece.signs
        begins += [piece.left - left + begin for begin in piece.begins]
    low, high = min(piece.low for piece in line), max(piece.high for piece in line)
    origin = turned(np.array([[left, run.low]]), -quarter)[0].tolist()
    box = turned_boxes(np.array([[left, low, right, high]]), -quarter)[0].tolist()
    return Text(
        id="", text="".join(signs), page=page, origin=(origin[0], origin[1]), angle=90.0 * quarter,
        height=CAPITAL * (run.high - run.low), width=right - left, box=(box[0], box[1], box[2], box[3]),
        advances=np.array([*begins, right - left]), repairs=(FROM_OUTLINES, UNKNOWN) if UNREAD in signs else (FROM_OUTLINES,),
    )  # fmt: skip


def _between(one: _Piece, two: _Piece, others: Array, run: _Piece) -> str:
    """What stands between two pieces of a line: a character that was not read, a blank or nothing."""
    if _is_drawn(others, one, two, run):
        return UNREAD
    is_apart = two.left - one.right > BLANK * run.em and one.signs[-1] not in WIDE_POINTS and two.signs[0] not in BEHIND
    return " " if is_apart else ""


def _is_drawn(others: Array, one: _Piece, two: _Piece, run: _Piece) -> bool:
    x, y = (others[:, 0] + others[:, 2]) / 2, (others[:, 1] + others[:, 3]) / 2
    return bool(((x > one.right) & (x < two.left) & (y > run.low) & (y < run.high)).any())

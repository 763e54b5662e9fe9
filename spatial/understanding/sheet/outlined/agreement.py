"""Rows as the reader of lines and the classifier of glyphs read them together: turned, taken apart and completed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.classes import CLASSES, DIAMETER_SIGNS, PHI
from spatial.understanding.sheet.outlined.completion import complete
from spatial.understanding.sheet.outlined.fusion import CERTAIN, agreed, cells_of, has_slashed_zero
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.line_pictures import LinePicture, line_pictures
from spatial.understanding.sheet.outlined.line_reader import LineReaderUnavailable, read_lettering
from spatial.understanding.sheet.outlined.proportion import narrowness
from spatial.understanding.sheet.outlined.read_character import ReadCharacter, same_signs
from spatial.understanding.sheet.outlined.recognise import (
    ReadRow,
    in_frames,
    in_frames_of,
    read_rows,
)
from spatial.understanding.sheet.outlined.rows import Row, turned_boxes
from spatial.understanding.sheet.outlined.second_look import rows_of, rows_of_rest
from spatial.understanding.sheet.outlined.spelled import SURE
from spatial.understanding.sheet.outlined.taught_shapes import taught_signs

FEWEST: Final = 2
"""Glyphs of a row that the reader of lines is asked about: it knows characters by their neighbours."""
DOUBTED: Final = 0.8
"""Mean chance of the characters of a row below which the opposite direction is read too."""
MOSTLY: Final = 0.5
"""Part of the glyphs of a row that are characters where it is lettering."""
MOST_ALONE: Final = 4
"""Characters of a row up to which the reader of lines may be wrong in all of them."""
SEVERAL, SELDOM = 5, 8
"""Long lines that say from where the lettering of a sheet is read, and how many of them stand against one that is read from opposite."""
QUARTERS: Final = 4
MOSTLY_SEEN: Final = 0.75
"""Part of the characters of a row found among what is left over that its glyphs may be."""
DOUBTFUL: Final = 0.1
"""Chance from which a glyph may be a character."""
WORSE: Final = 0.04
"""How much less sure a line may be than the rows that it is put together from."""
LETTER, TILTED = 0.6, 0.2
"""Heights of a letter from which a glyph is one, and by which the feet of the letters of a row differ that is not tilted."""
POINT: Final = 0.4
"""Heights of a row up to which a point of a number is high, which stands in the lower half of its digits."""

_OVERTURNED: Final = re.compile(r"(?!\d{1,3}(?:'\d{3})+$)[01689]+(?:(?P<point>['°.,]?)[01689]+)?")
"""An apostrophe in a number stands before each group of three digits, if at all."""
_DIAMETERS: Final = [CLASSES.index(sign) for sign in DIAMETER_SIGNS]
_DECIMAL: Final = re.compile(r"\d*[.,]\d+")


def with_lines_read(ink: Ink, reads: list[ReadRow]) -> list[ReadRow]:
    """The rows as the reader of lines and the classifier of glyphs read them together."""
    told = _told(reads)
    reads, told = _upright(reads, told)
    against = _never_read(reads, told)
    reads, told = _turned_short(reads, told, against)
    reads, told = _unstacked(ink, reads, told)
    return _agreed(*_completed(ink, *_looked_again(ink, reads, told, against)))


def read_together(reads: list[ReadRow]) -> list[ReadRow]:
    """Rows as both readers read them together, each in the direction and with the pieces that it has."""
    try:
        return _agreed(reads, _told(reads))
    except LineReaderUnavailable:
        return reads


def _agreed(reads: list[ReadRow], told: list[list[ReadCharacter]]) -> list[ReadRow]:
    cells = [cells_of(read, line) if line else [] for read, line in zip(reads, told, strict=True)]
    slashed = any(has_slashed_zero(read, each) for read, each in zip(reads, cells, strict=True))
    taught = taught_signs(reads, cells)
    return [
        agreed(read, each, slashed, signs) if each else read
        for read, each, signs in zip(reads, cells, taught, strict=True)
    ]


def _upright(reads: list[ReadRow], told: list[list[ReadCharacter]]) -> tuple[list[ReadRow], list[list[ReadCharacter]]]:
    """The rows in the direction in which the reader of lines sees more."""
    doubtful = [
        place
        for place, line in enumerate(told)
        if len(reads[place].boxes) >= FEWEST + 1 and (_mean(line) < DOUBTED or is_overturned(reads[place], line))
    ]
    quarters = [_opposite(reads[place].quarter) for place in doubtful]
    others = in_frames_of([reads[place] for place in doubtful], quarters)
    reads, told = list(reads), list(told)
    for place, other, line in zip(doubtful, others, _told(others), strict=True):
        is_number = (
            is_overturned(reads[place], told[place]) and _DECIMAL.fullmatch(_text(line)) and _mean(line) >= DOUBTED
        )
        if is_number or _mean(line) > max(_mean(told[place]), DOUBTED):
            reads[place], told[place] = other, line
    return reads, told


def _never_read(reads: list[ReadRow], told: list[list[ReadCharacter]]) -> frozenset[int]:
    """The quarters from which no lettering of the sheet is read, as its long lines beyond doubt are from the opposite ones.

    The lettering of a page that is turned on its paper is read from the top or from the left.
    """
    certain = Counter(
        read.quarter
        for read, line in zip(reads, told, strict=True)
        if len(line) > MOST_ALONE and _mean(line) >= CERTAIN
    )
    return frozenset(
        quarter for quarter in range(QUARTERS) if certain[_opposite(quarter)] >= max(SEVERAL, SELDOM * certain[quarter])
    )


def _turned_short(
    reads: list[ReadRow], told: list[list[ReadCharacter]], never: frozenset[int]
) -> tuple[list[ReadRow], list[list[ReadCharacter]]]:
    """The rows, those too short to say from where they are read turned where the sheet's are never read so: 60 upside down is 09.

    never: quarters from which no lettering of the sheet is read.
    """
    against = [
        place
        for place, (read, line) in enumerate(zip(reads, told, strict=True))
        if read.quarter in never and FEWEST <= len(read.boxes) < MOST_ALONE
    ]
    others = in_frames_of([reads[place] for place in against], [_opposite(reads[place].quarter) for place in against])
    reads, told = list(reads), list(told)
    for place, other, line in zip(against, others, _told(others), strict=True):
        if _mean(line) >= DOUBTED:
            reads[place], told[place] = other, line
    return reads, told


def is_overturned(read: ReadRow, line: list[ReadCharacter]) -> bool:
    """Whether a line may be a number upside down, all of whose digits read both ways: 0890'0 of 0.0680, 09.0 of 0.60, whose point stands at
    the heads of its digits, or 089 of 6.80 and 9 of 6.000, of which glyphs are nothing to the reader of lines.
    """
    found = _OVERTURNED.fullmatch(_text(line))
    if found is None:
        return False
    if found["point"] in (".", ","):
        return _is_at_heads(read, line[found.start("point")])
    return bool(found["point"] or len(read.boxes) > len(line))


def _is_at_heads(read: ReadRow, point: ReadCharacter) -> bool:
    """Whether a decimal point is drawn in the upper half of its row."""
    middles = (read.boxes[:, 0] + read.boxes[:, 2]) / 2
    low, high = read.boxes[int(np.abs(middles - (point.left + point.right) / 2).argmin()), [1, 3]].tolist()
    foot, head = float(read.boxes[:, 1].min()), float(read.boxes[:, 3].max())
    return bool(high - low <= POINT * (head - foot) and low > (foot + head) / 2)


def _opposite(quarter: int) -> int:
    """The quarter turn of what is upside down."""
    return (quarter + 2) % QUARTERS


def _text(line: list[ReadCharacter]) -> str:
    return "".join(each.sign for each in line)


def _completed(
    ink: Ink, reads: list[ReadRow], told: list[list[ReadCharacter]]
) -> tuple[list[ReadRow], list[list[ReadCharacter]]]:
    """The rows with those joined that are of one line, where the line reads as well as they do."""
    well = np.array([_reads_well(read, line) for read, line in zip(reads, told, strict=True)], bool)
    lines = complete(ink, reads, well)
    whole = in_frames(ink, [row for _, row in lines], [row.quarter for _, row in lines])
    gone: set[int] = set()
    reads, told = list(reads), list(told)
    taken: set[int] = set()
    for (places, row), read, line in zip(lines, whole, _told(whole), strict=True):
        parts = [each for place in places for each in told[place]]
        if _reads_as_well(line, parts):
            gone.update(places)
            taken.update(row.pieces)
            reads.append(read)
            told.append(line)
    kept = [
        place for place, read in enumerate(reads)
        if place >= len(well) or (place not in gone and (well[place] or not taken.intersection(read.row.pieces)))
    ]  # fmt: skip
    dropped = {piece for place in set(range(len(reads))) - set(kept) for piece in reads[place].row.pieces}
    alone = _alone(ink, sorted(dropped - taken), [reads[place] for place in kept])
    return [*(reads[place] for place in kept), *alone], [*(told[place] for place in kept), *([] for _ in alone)]


def _unstacked(
    ink: Ink, reads: list[ReadRow], told: list[list[ReadCharacter]]
) -> tuple[list[ReadRow], list[list[ReadCharacter]]]:
    """The rows, those of figures that stand over each other, as the numbers of a list do, as rows across.

    The reader of lines reads upright letters of a column that it is shown lying, as East Asian columns are: no glyph is what it sees.
    """
    columns = [
        place
        for place, (read, line) in enumerate(zip(reads, told, strict=True))
        if line and read.ink is ink and not _is_seen_in_glyphs(read, line) and _is_column(ink, read)
    ]
    kept = [place for place in range(len(reads)) if place not in set(columns)]
    across = []
    for direction in (0, 1):
        pieces = [
            piece for place in columns if reads[place].quarter % 2 != direction for piece in reads[place].row.pieces
        ]
        rows = rows_of(ink, np.unique(pieces), (direction,)) if pieces else []
        across += read_rows(ink, [row for row in rows if len(row.glyphs) >= FEWEST])  # one figure alone stays unread
    return [*(reads[place] for place in kept), *across], [*(told[place] for place in kept), *_told(across)]


def _is_column(ink: Ink, read: ReadRow) -> bool:
    """Whether the glyphs of a row are letters, each beyond doubt, in lines across it."""
    across = (read.quarter + 1) % 2
    boxes = turned_boxes(ink.boxes, across)
    rows = [
        Row(across, [glyph], float(boxes[glyph, 3].max() - boxes[glyph, 1].min()))
        for glyph in read.row.glyphs
        if boxes[glyph, 3].max() > boxes[glyph, 1].min()
    ]
    certain = [each.certainty for each in read_rows(ink, rows)] if len(rows) >= FEWEST else []
    return bool(certain) and float(np.mean(certain)) >= SURE


def _looked_again(
    ink: Ink, reads: list[ReadRow], told: list[list[ReadCharacter]], never: frozenset[int]
) -> tuple[list[ReadRow], list[list[ReadCharacter]]]:
    """The rows, with those that are found among what is left over by those which read well, in place of the ones they are parts of.

    never: quarters from which no lettering of the sheet is read.
    """
    well = np.array([_reads_well(read, line) for read, line in zip(reads, told, strict=True)], bool)
    rows = read_rows(ink, rows_of_rest(ink, reads, well))
    rows, lines = _turned_short(*_upright(rows, _told(rows)), never)
    found = [place for place, (read, line) in enumerate(zip(rows, lines, strict=True)) if _reads_surely(read, line)]
    taken = {piece for place in found for piece in rows[place].row.pieces}
    kept = [place for place, read in enumerate(reads) if well[place] or taken.isdisjoint(read.row.pieces)]
    return (
        [*(reads[place] for place in kept), *(rows[place] for place in found)],
        [*(told[place] for place in kept), *(lines[place] for place in found)],
    )


def _reads_surely(read: ReadRow, line: list[ReadCharacter]) -> bool:
    """Whether the reader of lines is certain of a row, as many characters as glyphs, and most of the glyphs are what it sees.

    It passes over many a Ø, which its glyph tells.
    """
    seen = sum(_is_seen_at(read, each) for each in line)
    is_diameter = float(read.alike[0, _DIAMETERS].max()) >= SURE
    is_whole = len(line) == len(read.boxes) or (is_diameter and len(line) == len(read.boxes) - 1)
    return _mean(line) >= CERTAIN and is_whole and seen >= MOSTLY_SEEN * len(line)


def _alone(ink: Ink, pieces: list[int], kept: list[ReadRow]) -> list[ReadRow]:
    """The zeros among components of dropped rows, which are of no line now, each as a row: one may be the zero over a lower deviation.

    Rows of large things hold small ones of lines too. A digit is higher than wide, in a direction in which other rows read.
    """
    quarters = [read.quarter for read in kept]
    rows = []
    for piece in pieces:
        wide, high = (ink.boxes[piece, 2:] - ink.boxes[piece, :2]).tolist()
        lying = int(wide > high)
        rows.append(Row(max((lying, lying + 2), key=quarters.count), [[piece]], max(wide, high)))
    drawn = [row for row in rows if row.height > 0]
    reads = in_frames(ink, drawn, [row.quarter for row in drawn])
    return [read for read in reads if float(read.alike[0, CLASSES.index("0")]) >= SURE]


def _reads_as_well(line: list[ReadCharacter], parts: list[ReadCharacter]) -> bool:
    """Whether a line reads as well as the rows that it is put together from."""
    one, other = _mean(line), _mean(parts)
    return one > other or (one >= min(other - WORSE, SURE) and len(line) >= len(parts))


def _reads_well(read: ReadRow, line: list[ReadCharacter]) -> bool:
    is_read = _mean(line) >= DOUBTED and len(line) >= max(FEWEST, MOSTLY * len(read.boxes))
    return is_read and (len(line) > MOST_ALONE or _is_seen_in_glyphs(read, line))


def _is_seen_in_glyphs(read: ReadRow, line: list[ReadCharacter]) -> bool:
    """Whether the glyphs may be what the reader of lines sees, in some of its characters at least.

    It sees 99 in the two strokes of ", and figures in those of several lines that stand over each other and are read across.
    """
    return any(_is_seen_at(read, each) for each in line)


def _is_seen_at(read: ReadRow, character: ReadCharacter) -> bool:
    middle = (character.left + character.right) / 2
    away = np.maximum(np.maximum(read.boxes[:, 0] - middle, middle - read.boxes[:, 2]), 0.0)
    sign = "Ø" if character.sign in PHI else character.sign
    return sign in CLASSES and float(read.alike[int(away.argmin()), CLASSES.index(sign)]) >= DOUBTFUL


def _told(reads: list[ReadRow]) -> list[list[ReadCharacter]]:
    """The characters that the reader of lines sees in each row, with their sides in its frame; blanks left out."""
    pictures = [
        line_pictures(read.ink, read.parts, read.quarter, narrowness(read.boxes, read.height))
        if len(read.boxes) >= FEWEST and not _is_tilted(read.boxes)
        else []
        for read in reads
    ]
    following = iter(read_lettering([each.pixels for parts in pictures for each in parts]))
    return [[each for part in parts for each in _placed(next(following), part)] for parts in pictures]


def _is_tilted(boxes: Array) -> bool:
    """Whether each letter of a row stands over or under the one before it: it is a part of a line at another angle. boxes: (n, 4)"""
    heights = boxes[:, 3] - boxes[:, 1]
    usual = float(np.median(heights))
    low = boxes[heights >= LETTER * usual, 1]
    steps = np.diff(low)
    rises = bool((steps > 0).all() or (steps < 0).all())
    return len(low) > FEWEST and rises and bool(abs(low[-1] - low[0]) >= TILTED * usual)


def _placed(line: Sequence[ReadCharacter], picture: LinePicture) -> list[ReadCharacter]:
    placed: list[ReadCharacter] = []
    for each in line:
        left, right = (picture.left + side / picture.scale for side in (each.left, each.right))
        signs = same_signs(each.sign)
        if placed and placed[-1].sign == signs[:1] == "°":
            signs = signs[1:]  # the reader of lines knows °C as one character too, and sees it behind its own °
        for number, sign in enumerate(signs):
            begin, end = (left + (right - left) * at / len(signs) for at in (number, number + 1))
            placed.append(replace(each, sign=sign, left=begin, right=end))
    return placed


def _mean(line: list[ReadCharacter]) -> float:
    return float(np.mean([each.chance for each in line])) if line else 0.0

"""What the reader of lines and the classifier of glyphs say together about the glyphs of rows."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.alignment import Cell, align
from spatial.understanding.sheet.outlined.classes import CLASSES, CYRILLIC, DIGITS, DRAWN_CYRILLIC, NO_LETTER, PHI
from spatial.understanding.sheet.outlined.completion import complete
from spatial.understanding.sheet.outlined.cyrillic import SHARED
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.line_pictures import LinePicture, line_pictures
from spatial.understanding.sheet.outlined.line_reader import ReadCharacter, read_lines
from spatial.understanding.sheet.outlined.proportion import narrowness
from spatial.understanding.sheet.outlined.recognise import (
    ALONE,
    SAME,
    ReadRow,
    frame_of,
    in_frames,
    in_frames_of,
    pictures_of,
    read_rows,
    reframed,
)
from spatial.understanding.sheet.outlined.rings import is_ring
from spatial.understanding.sheet.outlined.rows import Row, turned_boxes
from spatial.understanding.sheet.outlined.second_look import rows_of, rows_of_rest
from spatial.understanding.sheet.outlined.spelled import SURE
from spatial.understanding.sheet.outlined.taught_shapes import taught_signs

FEWEST: Final = 2
"""Glyphs of a row that the reader of lines is asked about: it knows characters by their neighbours."""
DOUBTED: Final = 0.8
"""Mean chance of the characters of a row below which the opposite direction is read too."""
PLACE, AMONG = 0.8, 0.98
"""Part of the chance of a character that is its own, the rest being that of its look-alikes; the same among characters of its kind."""
FLOOR: Final = 0.0005
"""Chance that each of the two leaves to a character which it does not see: where both are sure of two, none is."""
MOSTLY: Final = 0.5
"""Part of the glyphs of a row that are characters where it is lettering."""
MOST_ALONE: Final = 4
"""Characters of a row up to which the reader of lines may be wrong in all of them."""
MOSTLY_SEEN: Final = 0.75
"""Part of the characters of a row found among what is left over that its glyphs may be."""
DOUBTFUL: Final = 0.1
"""Chance from which a glyph may be a character."""
WORSE: Final = 0.04
"""How much less sure a line may be than the rows that it is put together from."""
CERTAIN: Final = 0.95
"""Chance of each character of a line that the reader of lines is certain of."""
SEEN: Final = 0.7
"""Chance from which a character without a glyph means that a glyph is missing."""
LETTER, TILTED = 0.6, 0.2
"""Heights of a letter from which a glyph is one, and by which the feet of the letters of a row differ that is not tilted."""
BLANK: Final = 0.5
"""Capital heights from which a gap parts two words, whose characters say nothing about each other."""
LOW: Final = 0.45
"""Capital heights over the baseline that a point reaches at most: some stroke fonts draw it as a ring that stands over the baseline."""
HIGH: Final = 0.55
"""Capital heights from which a glyph is higher than a comma or an apostrophe."""
MOVED: Final = 0.06
"""Part of the height by which the frame of a row may change until its glyphs are looked at again."""

DIAMETER: Final = 0.8
"""Chance of a Ø to the classifier from which the zero that the reader of lines sees may be one."""
_OVERTURNED: Final = re.compile(r"(?!\d{1,3}(?:'\d{3})+$)[01689]+'[01689]+")
"""An apostrophe in a number stands before each group of three digits, if at all."""
_DECIMAL: Final = re.compile(r"\d*[.,]\d+")
_ZEROS, _DIAMETER_SIGNS = "0O", "Øø⌀"
_SHAPED: Final = frozenset(':;±+=()[]<>"')
_PLACED: Final = frozenset(".,'\"-_°²³~·")
"""Signs that nothing but their place in the line tells from others."""
_DIAMETERS: Final = [CLASSES.index(sign) for sign in _DIAMETER_SIGNS]
_RINGS: Final = [CLASSES.index(sign) for sign in "0Oo"]
_SQUARES: Final = [CLASSES.index(sign) for sign in (NO_LETTER, "□")]
_SMALL: Final = [CLASSES.index(sign) for sign in ".,'"]
_CYRILLIC: Final = [CLASSES.index(sign) for sign in CYRILLIC + DRAWN_CYRILLIC]
_FIGURE_TWINS: Final = {
    CLASSES.index(figure): [CLASSES.index(sign) for sign in letters] for figure, letters in (("3", "ЗзЭэ"), ("6", "бБ"))
}
"""Figures, and the letters of Cyrillic that lettering draws like them."""
_SAME_SIGN: Final = {
    sign: known
    for known, signs in {
        "-": "一–—−",
        '"': "“”″",
        "'": "‘’′",
        "°": "º",
        "µ": "μ",
        "~": "∼",
        "Ω": "\u2126",
        ",": "、",
    }.items()
    for sign in signs
}
"""Characters of the reader of lines that are drawn as those of the classifier."""


def with_lines_read(ink: Ink, reads: list[ReadRow]) -> list[ReadRow]:
    """The rows as the reader of lines and the classifier of glyphs read them together."""
    told = _told(reads)
    reads, told = _upright(reads, told)
    reads, told = _unstacked(ink, reads, told)
    reads, told = _completed(ink, *_looked_again(ink, reads, told))
    cells = [_cells(read, line) if line else [] for read, line in zip(reads, told, strict=True)]
    slashed = any(_has_slashed_zero(read, each) for read, each in zip(reads, cells, strict=True))
    taught = taught_signs(reads, cells)
    return [
        _agreed(read, each, slashed, signs) if each else read
        for read, each, signs in zip(reads, cells, taught, strict=True)
    ]


def _upright(reads: list[ReadRow], told: list[list[ReadCharacter]]) -> tuple[list[ReadRow], list[list[ReadCharacter]]]:
    """The rows in the direction in which the reader of lines sees more."""
    doubtful = [
        place
        for place, line in enumerate(told)
        if len(reads[place].boxes) >= FEWEST + 1 and (_mean(line) < DOUBTED or _is_overturned(line))
    ]
    quarters = [(reads[place].quarter + 2) % 4 for place in doubtful]
    others = in_frames_of([reads[place] for place in doubtful], quarters)
    reads, told = list(reads), list(told)
    for place, other, line in zip(doubtful, others, _told(others), strict=True):
        is_number = _is_overturned(told[place]) and _DECIMAL.fullmatch(_text(line)) and _mean(line) >= DOUBTED
        if is_number or _mean(line) > max(_mean(told[place]), DOUBTED):
            reads[place], told[place] = other, line
    return reads, told


def _is_overturned(line: list[ReadCharacter]) -> bool:
    """Whether a line may be a number upside down, all of whose digits read both ways: 0890'0 of 0.0680."""
    return _OVERTURNED.fullmatch(_text(line)) is not None


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
            taken.update(piece for glyph in row.glyphs for piece in glyph)
            reads.append(read)
            told.append(line)
    kept = [
        place for place, read in enumerate(reads)
        if place >= len(well) or (place not in gone and (well[place] or not taken.intersection(_pieces(read))))
    ]  # fmt: skip
    dropped = {piece for place in set(range(len(reads))) - set(kept) for piece in _pieces(reads[place])}
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
            piece for place in columns if reads[place].quarter % 2 != direction for piece in _pieces(reads[place])
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
    return len(rows) >= FEWEST and float(np.mean([each.certainty for each in read_rows(ink, rows)])) >= SURE


def _looked_again(
    ink: Ink, reads: list[ReadRow], told: list[list[ReadCharacter]]
) -> tuple[list[ReadRow], list[list[ReadCharacter]]]:
    """The rows, with those that are found among what is left over by those which read well, in place of the ones they are parts of."""
    well = np.array([_reads_well(read, line) for read, line in zip(reads, told, strict=True)], bool)
    rows = read_rows(ink, rows_of_rest(ink, reads, well))
    rows, lines = _upright(rows, _told(rows))
    found = [place for place, (read, line) in enumerate(zip(rows, lines, strict=True)) if _reads_surely(read, line)]
    taken = {piece for place in found for piece in _pieces(rows[place])}
    kept = [place for place, read in enumerate(reads) if well[place] or taken.isdisjoint(_pieces(read))]
    return (
        [*(reads[place] for place in kept), *(rows[place] for place in found)],
        [*(told[place] for place in kept), *(lines[place] for place in found)],
    )


def _reads_surely(read: ReadRow, line: list[ReadCharacter]) -> bool:
    """Whether the reader of lines is certain of a row, as many characters as glyphs, and most of the glyphs are what it sees."""
    seen = sum(_is_seen_at(read, each) for each in line)
    return _mean(line) >= CERTAIN and len(line) == len(read.boxes) and seen >= MOSTLY_SEEN * len(line)


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


def _pieces(read: ReadRow) -> list[int]:
    return [piece for glyph in read.row.glyphs for piece in glyph]


def _told(reads: list[ReadRow]) -> list[list[ReadCharacter]]:
    """The characters that the reader of lines sees in each row, with their sides in its frame; blanks left out."""
    pictures = [
        line_pictures(read.ink, read.parts, read.quarter, narrowness(read.boxes, read.height))
        if len(read.boxes) >= FEWEST and not _is_tilted(read.boxes)
        else []
        for read in reads
    ]
    following = iter(read_lines([each.pixels for parts in pictures for each in parts]))
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
        signs = _signs(each.sign)
        if placed and placed[-1].sign == signs[:1] == "°":
            signs = signs[1:]  # the reader of lines knows °C as one character too, and sees it behind its own °
        for number, sign in enumerate(signs):
            begin, end = (left + (right - left) * at / len(signs) for at in (number, number + 1))
            placed.append(replace(each, sign=sign, left=begin, right=end))
    return placed


def _signs(character: str) -> str:
    """A character as the classifier writes it; empty of a blank."""
    if character in _SAME_SIGN:
        return _SAME_SIGN[character]
    wide = "\uff01" <= character <= "\uff5e" or character in "℃℉"
    return (unicodedata.normalize("NFKC", character) if wide else character).strip()


def _mean(line: list[ReadCharacter]) -> float:
    return float(np.mean([each.chance for each in line])) if line else 0.0


def _cells(read: ReadRow, line: list[ReadCharacter]) -> list[Cell]:
    return [
        cell
        for cell in align(read.boxes, read.alike, read.height, line)
        if cell.glyphs or (cell.character is not None and cell.character.chance >= SEEN)
    ]


def _has_slashed_zero(read: ReadRow, cells: list[Cell]) -> bool:
    """Whether a zero within a number looks like a Ø to the classifier: the lettering has zeros with a stroke."""
    return any(
        _is_zero(cell)
        and (_kind(before) in ("digit", "point"))
        and float(read.chances[cell.glyphs[0], _DIAMETERS].sum()) >= DIAMETER
        for before, cell in itertools.pairwise(cells)
        if len(cell.glyphs) == 1
    )


def _is_zero(cell: Cell) -> bool:
    return cell.character is not None and cell.character.sign in _ZEROS


def _agreed(read: ReadRow, cells: list[Cell], slashed: bool, taught: Mapping[int, str]) -> ReadRow:
    read = _regrouped(read, cells)
    chances = _fused(read, cells, slashed, taught)
    height, baseline, framed = read.height, read.baseline, read.framed
    frame = frame_of(read.boxes, chances)
    if frame[2]:
        moved = max(abs(frame[0] - baseline), abs(frame[1] - height))
        if moved > MOVED * height and all(len(cell.glyphs) for cell in cells):
            read = reframed(read, frame)
            chances = _fused(read, cells, slashed, taught)
        baseline, height, framed = frame
    return replace(
        read, chances=chances, alike=chances @ SAME, baseline=baseline, height=height, framed=framed,
        told=tuple(taught.get(place, sign) for place, sign in enumerate(_sure_signs(read, cells))),
        is_certain=all(cell.glyphs and cell.character and cell.character.chance >= CERTAIN for cell in cells),
    )  # fmt: skip


def _regrouped(read: ReadRow, cells: list[Cell]) -> ReadRow:
    """The row with one glyph for each cell."""
    if all(cell.glyphs == (place,) for place, cell in enumerate(cells)) and len(cells) == len(read.boxes):
        return read
    old = read.parts.glyphs if read.quarter == read.parts.quarter else read.parts.glyphs[::-1]
    drawn = [cell for cell in cells if cell.glyphs]
    glyphs = [[piece for place in cell.glyphs for piece in old[place]] for cell in drawn]
    whole = in_frames(read.ink, [Row(read.quarter, glyphs, read.parts.height)], [read.quarter])[0]
    boxes, chances = np.zeros((len(cells), 4)), np.zeros((len(cells), len(CLASSES)), np.float32)
    chances[:, CLASSES.index(NO_LETTER)] = 1.0
    following = iter(range(len(drawn)))
    for place, cell in enumerate(cells):
        if cell.glyphs:
            at = next(following)
            boxes[place], chances[place] = _part(whole.boxes[at], cell.part), whole.chances[at]
        elif cell.character is not None:
            middle = (cell.character.left + cell.character.right) / 2
            boxes[place] = middle, whole.baseline, middle, whole.baseline
    every = [list(part) for part in _glyphs_of_cells(cells, glyphs)]
    parts = Row(read.quarter, every, read.parts.height)
    row = parts if read.row is read.parts else read.row
    return replace(whole, row=row, drawn=(read.ink, parts), boxes=boxes, chances=chances, alike=chances @ SAME)


def _glyphs_of_cells(cells: list[Cell], glyphs: list[list[int]]) -> list[list[int]]:
    following = iter(glyphs)
    return [next(following) if cell.glyphs else [] for cell in cells]


def _part(box: Array, part: tuple[int, int]) -> Array:
    """A part of the box of letters that touch, all taken as equally wide."""
    number, count = part
    left, right = (box[0] + (box[2] - box[0]) * at / count for at in (number, number + 1))
    return np.array([left, box[1], right, box[3]])


def _fused(read: ReadRow, cells: list[Cell], slashed: bool, taught: Mapping[int, str]) -> Floats:
    """(n, c) chances of cells; read: as the classifier alone reads them; slashed: whether the sheet has zeros with a stroke; taught: the
    letters of cells whose shape the reader of lines has taught.
    """
    chances = read.chances
    fused = np.zeros_like(chances)
    among = _among(read, cells)
    rings = _rings(read, cells, among)
    for place, cell in enumerate(cells):
        if place in taught:
            fused[place, [CLASSES.index(taught[place]), CLASSES.index(NO_LETTER)]] = CERTAIN, 1.0 - CERTAIN
            continue
        own, character = _latin(chances[place]), cell.character
        if _is_high(read, place):
            own = _without(own, _SMALL)
        if place in rings:
            own = _as_ring(own)
        if slashed and _is_within_word(cells, place):
            own = _with_slashed_zero(own)
        if character is None or not cell.glyphs or (not slashed and _is_diameter(cells, place, own)):
            fused[place] = own
            continue
        sign = "Ø" if character.sign in PHI else character.sign
        if sign not in CLASSES and _begins_number(cells, place) and float(own[_DIAMETERS].sum()) >= DIAMETER:
            fused[place] = own  # the reader of lines sees $ and other signs with a stroke in it
            continue
        if sign not in CLASSES:
            fused[place, CLASSES.index(NO_LETTER)] = 1.0
            continue
        number = CLASSES.index(sign)
        if character.sign in PHI and character.chance >= SURE:
            fused[place, [number, CLASSES.index(NO_LETTER)]] = character.chance, 1.0 - character.chance
            continue
        alike = SAME[number].astype(float)
        others = max(alike.sum() - 1.0, 0.0)
        own_part = AMONG if among[place] else PLACE
        shared = (alike * (1.0 - own_part) / others) if others else np.zeros_like(alike)
        shared[number] = own_part if others else 1.0
        fused[place] = _together(own, shared * character.chance, odd=1.0 if cell.part[1] > 1 else float(own[0]))
    return fused


def _rings(read: ReadRow, cells: list[Cell], among: list[bool]) -> set[int]:
    """Places of the glyphs that the reader of lines sees as O or 0 among letters or digits, and that are drawn as a ring with corners.

    Fonts of straight strokes draw an O as an octagon or a rectangle, which the classifier takes for a square or for no letter.
    """
    sought = [
        place
        for place, cell in enumerate(cells)
        if among[place] and _is_zero(cell) and cell.part[1] == 1 and float(read.chances[place, _RINGS].sum()) < SURE
    ]
    if not sought or read.drawn is None or not all(read.parts.glyphs):
        return set()
    pictures = pictures_of([read])[0]
    return {place for place in sought if is_ring(pictures[place])}


def _as_ring(own: Array) -> Array:
    """(c,) the chances of a glyph that is a ring: those of no letter and of a square are of nothing that is drawn otherwise."""
    chances = own.copy()
    chances[[CLASSES.index("O"), CLASSES.index("0")]] += float(chances[_SQUARES].sum()) / 2
    chances[_SQUARES] = 0.0
    return chances


def _is_high(read: ReadRow, place: int) -> bool:
    """Whether a glyph is as high as a small letter, and so no point, comma or apostrophe."""
    return float(read.boxes[place, 3] - read.boxes[place, 1]) >= HIGH * read.height


def _is_diameter(cells: list[Cell], place: int, own: Array) -> bool:
    """Whether what begins a number is a Ø to the classifier, and the next best to the reader of lines, which takes it for a zero there."""
    character = cells[place].character
    return (
        _is_zero(cells[place])
        and character is not None
        and character.others[:1] != ()
        and _signs(character.others[0][0]) in _DIAMETER_SIGNS + PHI
        and _begins_number(cells, place)
        and float(own[_DIAMETERS].sum()) >= DIAMETER
    )


def _begins_number(cells: list[Cell], place: int) -> bool:
    """Whether nothing stands right before a cell that a number or a word has."""
    return place == 0 or _kind(cells[place - 1]) == "other"


def _is_within_word(cells: list[Cell], place: int) -> bool:
    """Whether the reader of lines sees a zero beyond doubt behind another character of a word or number, where no Ø stands."""
    character = cells[place].character
    is_sure = _is_zero(cells[place]) and character is not None and character.chance >= CERTAIN
    before = cells[place - 1].character if place else None
    return is_sure and before is not None and (before.sign.isalnum() or before.sign in ".,-")


def _with_slashed_zero(own: Array) -> Array:
    """(c,) the chances of a glyph on a sheet whose zeros have a stroke, where no Ø stands."""
    chances = own.copy()
    chances[CLASSES.index("0")] += float(chances[_DIAMETERS].sum())
    chances[_DIAMETERS] = 0.0
    return chances


def _latin(own: Floats) -> Array:
    """(c,) the chances of a glyph on a sheet that is not in Cyrillic: what looks like one of its letters alone is no letter.

    A 3 that may be a З as well is a 3.
    """
    latin = _without(own, _CYRILLIC)
    for figure, letters in _FIGURE_TWINS.items():
        if own[figure] >= SHARED:
            shared = float(own[letters].sum())
            latin[figure] += shared
            latin[CLASSES.index(NO_LETTER)] -= shared
    return latin


def _without(own: Floats | Array, numbers: list[int]) -> Array:
    """(c,) the chances of a glyph that none of these classes can be: what looks like one of them is no letter."""
    chances = own.astype(float)
    chances[CLASSES.index(NO_LETTER)] += float(chances[numbers].sum())
    chances[numbers] = 0.0
    return chances


def _together(own: Array, heard: Array, odd: float) -> Array:
    """(c,) the chances of both; where the classifier sees no letter it says nothing about which one the reader of lines sees.

    own, heard: (c,) chances of the two, those of `heard` without the rest that is for any other character; odd: chance of no letter.
    """
    rest = 1.0 - float(heard.sum())
    alone = heard.copy()
    alone[CLASSES.index(NO_LETTER)] += rest
    letters = own.copy()
    letters[CLASSES.index(NO_LETTER)] = 0.0
    letters /= max(float(letters.sum()), 1e-9)
    both = (letters + FLOOR) * (heard + rest * letters + FLOOR)
    both /= both.sum()
    return np.asarray(odd * alone + (1.0 - odd) * both)


def _sure_signs(read: ReadRow, cells: list[Cell]) -> tuple[str, ...]:
    among = _among(read, cells)
    return tuple(
        "" if cell.character is None else _sure_sign(read, place, cell.character, among=among[place])
        for place, cell in enumerate(cells)
    )


def _sure_sign(read: ReadRow, place: int, character: ReadCharacter, *, among: bool) -> str:
    """What a glyph is beyond doubt, however high and low it reaches; empty where that is open. among: whether it is among its kind."""
    if character.sign in PHI:
        return "Ø" if among or character.chance >= SURE else ""
    if character.sign == "/" and character.chance >= CERTAIN and _is_high(read, place):
        return "/"  # some stroke fonts draw it no higher than a small letter
    is_sure = (among and character.chance >= SURE) or _is_sure_sign(read, place, character)
    return character.sign if is_sure or _is_seen_by_both(read, place, character) else ""


def _is_seen_by_both(read: ReadRow, place: int, character: ReadCharacter) -> bool:
    """Whether both are certain of a character that its shape alone tells: `SECTION A-A` may have lettering of two heights."""
    sign = character.sign
    if sign not in CLASSES or sign in _PLACED or character.chance < CERTAIN or not _is_high(read, place):
        return False
    if _stands_apart(read, place):
        return False
    number = CLASSES.index(sign)
    return bool(ALONE[number] or sign in DIGITS) and float(read.chances[place, number]) >= CERTAIN


def _stands_apart(read: ReadRow, place: int) -> bool:
    """Whether a glyph stands at an end of its row, behind a blank: in another height it is of another text, as the letter of a zone."""
    boxes = read.boxes
    beside = [boxes[place, 0] - boxes[place - 1, 2]] if place else []
    beside += [boxes[place + 1, 0] - boxes[place, 2]] if place + 1 < len(boxes) else []
    return len(beside) == 1 and float(beside[0]) >= BLANK * read.height


def _is_sure_sign(read: ReadRow, place: int, character: ReadCharacter) -> bool:
    """Whether one is certain of a sign told by its shape alone, and the other sees it: fonts put : and ± at heights of their own."""
    sign = character.sign
    is_shaped = sign in _SHAPED or (sign == "." and read.boxes[place, 3] - read.baseline <= LOW * read.height)
    is_seen = is_shaped and float(read.alike[place, CLASSES.index(sign)]) >= CERTAIN
    return is_seen and character.chance >= SEEN


def _among(read: ReadRow, cells: list[Cell]) -> list[bool]:
    """Whether the characters beside each, over the point of a number, are of its kind, and at least one is there."""
    kinds = [_kind(cell) for cell in cells]
    blank = ((read.boxes[1:, 0] - read.boxes[:-1, 2]) >= BLANK * read.height).tolist()
    return [_is_among(kinds, blank, place) for place in range(len(cells))]


def _kind(cell: Cell) -> str:
    """Whether a character is a digit, a letter, a point of a number, or something that tells nothing about its neighbours."""
    sign = cell.character.sign if cell.character else ""
    return "digit" if sign.isdecimal() else "letter" if sign.isalpha() else "point" if sign in ".," else "other"


def _is_among(kinds: list[str], blank: list[bool], place: int) -> bool:
    beside = []
    for step in (-1, 1):
        at = place + step
        if 0 <= at < len(kinds) and kinds[at] == "point":
            at += step
        if 0 <= at < len(kinds) and not any(blank[min(at, place) : max(at, place)]):
            beside.append(kinds[at])
    return kinds[place] in ("digit", "letter") and kinds[place] in beside and set(beside) <= {kinds[place], "other"}

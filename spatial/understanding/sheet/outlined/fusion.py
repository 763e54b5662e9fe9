"""The glyphs of a row and their chances, as the reader of lines and the classifier of glyphs give them together."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.alignment import Cell, align
from spatial.understanding.sheet.outlined.classes import (
    CLASSES,
    CYRILLIC,
    DIAMETER_SIGNS,
    DIGITS,
    DRAWN_CYRILLIC,
    LIKE_NUMBERS,
    NO_LETTER,
    PHI,
)
from spatial.understanding.sheet.outlined.cyrillic import SHARED
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.read_character import ReadCharacter, same_signs
from spatial.understanding.sheet.outlined.recognise import (
    ALONE,
    SAME,
    ReadRow,
    frame_of,
    in_frames,
    pictures_of,
    reframed,
)
from spatial.understanding.sheet.outlined.rings import is_ring
from spatial.understanding.sheet.outlined.rows import Row
from spatial.understanding.sheet.outlined.spelled import SURE

PLACE, AMONG = 0.8, 0.98
"""Part of the chance of a character that is its own, the rest being that of its look-alikes; the same among characters of its kind."""
FLOOR: Final = 0.0005
"""Chance that each of the two leaves to a character which it does not see: where both are sure of two, none is."""
CERTAIN: Final = 0.95
"""Chance of each character of a line that the reader of lines is certain of."""
SEEN: Final = 0.7
"""Chance from which a character without a glyph means that a glyph is missing."""
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
_ZEROS: Final = "0O"
_SHAPED: Final = frozenset(':;±+=()[]<>"')
_PLACED: Final = frozenset(".,'\"-_°²³~·")
"""Signs that nothing but their place in the line tells from others."""
_DIAMETERS: Final = [CLASSES.index(sign) for sign in DIAMETER_SIGNS]
_RINGS: Final = [CLASSES.index(sign) for sign in "0Oo"]
_SQUARES: Final = [CLASSES.index(sign) for sign in (NO_LETTER, "□")]
_SMALL: Final = [CLASSES.index(sign) for sign in ".,'"]
_CYRILLIC: Final = [CLASSES.index(sign) for sign in CYRILLIC + DRAWN_CYRILLIC]
_FIGURE_TWINS: Final = {
    CLASSES.index(figure): [CLASSES.index(sign) for sign in letters] for figure, letters in (("3", "ЗзЭэ"), ("6", "бБ"))
}
"""Figures, and the letters of Cyrillic that lettering draws like them."""


def cells_of(read: ReadRow, line: list[ReadCharacter]) -> list[Cell]:
    """The characters of a line beside the glyphs of its row."""
    return [
        cell
        for cell in align(read.boxes, read.alike, read.height, line)
        if cell.glyphs or (cell.character is not None and cell.character.chance >= SEEN)
    ]


def has_slashed_zero(read: ReadRow, cells: list[Cell]) -> bool:
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


def agreed(read: ReadRow, cells: list[Cell], slashed: bool, taught: Mapping[int, str]) -> ReadRow:
    """The row with the glyphs and the chances that both give it. slashed: whether the sheet strikes its zeros; taught: signs of glyphs."""
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
        character = cell.character
        own = _own(read, cells, place, slashed=slashed, is_ring=place in rings)
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


def _own(read: ReadRow, cells: list[Cell], place: int, *, slashed: bool, is_ring: bool) -> Array:
    """(c,) the chances of a cell to the classifier, as what stands beside it and the sheet leave them."""
    own = _latin(read.chances[place])
    if _is_high(read, place):
        own = _without(own, _SMALL)
    if is_ring:
        own = _as_ring(own)
    if slashed and _is_within_word(cells, place):
        own = _with_slashed_zero(own)
    return _as_figure(own, cells[place].character) if _is_within_number(cells, place) else own


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


def _is_within_number(cells: list[Cell], place: int) -> bool:
    """Whether a character is a digit of a number with a decimal point, or the ± behind such a number: no letter stands there."""
    kinds = [_kind(cell) for cell in cells]
    if place and place + 1 < len(cells) and (character := cells[place].character) and character.sign == "±":
        return kinds[place - 1] == "digit" and kinds[place + 1] in ("digit", "point")
    first = last = place
    while first > 0 and kinds[first - 1] in ("digit", "point"):
        first -= 1
    while last + 1 < len(kinds) and kinds[last + 1] in ("digit", "point"):
        last += 1
    return kinds[place] == "digit" and kinds[first : last + 1].count("point") == 1 and last - first > 1


def _as_figure(own: Array, character: ReadCharacter | None) -> Array:
    """(c,) the chances of a glyph, a letter that fonts of straight strokes draw like the figure which the reader of lines is certain of
    taken for that.
    """
    if character is None or character.chance < CERTAIN or character.sign not in LIKE_NUMBERS:
        return own
    letters = [CLASSES.index(sign) for sign in LIKE_NUMBERS[character.sign]]
    chances = own.copy()
    chances[CLASSES.index(character.sign)] += float(chances[letters].sum())
    chances[letters] = 0.0
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
        and same_signs(character.others[0][0]) in DIAMETER_SIGNS + PHI
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

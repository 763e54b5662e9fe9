"""Lines of free lettering with the marks that lists are numbered by."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.knowledge.patterns import alternatives
from spatial.knowledge.value_forms import COLONS
from spatial.models.sheet.drawing import Box, Sheet, Text
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.baseline import on_baseline
from spatial.understanding.sheet.cells.border import zone_texts
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.notes.exponents import with_exponents
from spatial.understanding.sheet.notes.fractions import with_fractions
from spatial.understanding.sheet.notes.levels import Levels
from spatial.understanding.sheet.notes.line import NOTE_WORDS, OPEN_SPACE, Line, has_words, sign_count, word_count
from spatial.understanding.sheet.notes.marks import (
    ALONE,
    BULLET_ALONE,
    PART_ALONE,
    with_parts,
    with_repeated_marks,
    without_mark,
)
from spatial.understanding.sheet.notes.ordering_options import without_options
from spatial.understanding.sheet.notes.ruled_numbers import with_ruled_numbers
from spatial.understanding.sheet.notes.table_rows import full_rows

MOST_LINES: Final = 6_000
"""Lines of free lettering on a sheet that are looked at."""
_BOOK_PROSE: Final = 45
"""Lines of prose beyond which a page is one of a book."""
_TEXT_PAGE_PROSE: Final = 12
"""The same where hardly anything is drawn."""
_HARDLY_DRAWN: Final = 40
"""Strokes and circles of a page of text: its rules and bullets."""
_PROSE_WORDS, _PROSE_CHARACTERS = 8, 45
"""Of a line of prose, at least."""
_PROSE_SIGNS: Final = 20
"""The same of a script without blanks between words."""
_MOST_PROSE_LINES: Final = 100
"""Lines of one text that are counted as prose or not."""
_STRAIGHT: Final = 1.0
"""Degrees by which lettering may deviate from a quarter turn."""
_FRAME_HEIGHT, _FRAME_WIDTH = 3.0, 10.0
"""Letter heights of a compartment of a feature control frame."""
_MOST_TEXT_LINES: Final = 200
"""Lines of one text."""
_JOIN: Final = 7.0
"""Letter heights between two pieces of one line."""
_JOIN_MARK: Final = 1.6
"""How many times further the second piece may stand after a line that is numbered: notes are indented by tabs."""
_JOIN_COLON: Final = 60.0
"""Letter heights from a subject to its value in a column of values that begin with colons."""
_BLOCK_GAP, _BLOCK_STEP, _BLOCK_SHIFT = 4.0, 4.0, 0.3
"""Letter heights to a text on the same baseline that may be of another block; between two lines of that block, one of which may be wrapped,
and their left ends."""
_COLUMN_WORDS, _COLUMN_REACH, _FEWEST_FLUSH = 3, 4.0, 2
"""Words of a line of a column of prose; letter heights up and down in which lines are looked for that begin with it; and their count."""
_TEXT_GAP, _BESIDE_WORDS = 5.5, 2
"""Letter heights between two texts on one baseline, and words of the second; less may be a word of drawn lettering that was not read."""
_STARRED: Final = "*"
"""What begins a text of its own, as a size with its asterisk."""
_SIZE: Final = re.compile(
    rf"[\[(]?\d+(?:[.,]\d+)?\s?(?:mm|cm|in\.?|\"|{alternatives('length_unit')})[\])]?", re.IGNORECASE
)
"""A size with its unit, and nothing else: no mark of a note, and no beginning of a text that stands far behind it."""
_SIGNED: Final = re.compile(r"\d{1,3}(?:[.,]\d{1,2})?")
"""The value of a sign for the texture of a surface."""
_SIGN_RISE, _SIGN_GAP = (1.0, 2.6), 2.5
"""Letter heights of such a value above the line that its sign stands in; and of the gap that a sentence leaves on either side of it."""
_OVERLAP: Final = 1.0
"""Letter heights by which two pieces of one line may overlap: widths of fonts are estimates."""
_SAME_HEIGHT: Final = (0.75, 1.34)
"""Ratio of the letter heights of two pieces of one line."""
_MARK_HEIGHT: Final = (0.7, 1.43)
"""The same of a number that stands alone and the text that it counts: the sizes of lettering follow one another by 1.41 (ISO 3098-1)."""
_WORD_GAP: Final = 0.8
"""Letter heights between two words of one line, at most."""
_ONE_LETTERING: Final = (0.95, 1.05)
"""The same of two pieces with a gap between, as printed or drawn with one setting."""
_LARGER: Final = 1.15
"""Ratio of the letter heights of a caption and of a heading with a colon, or a numbered note, that it does not go on with."""
_INDEX_HEIGHT, _INDEX_GAP = (0.5, 0.8), 0.25
"""Letter heights of an index in a sentence, V with BUS below it, in those of its letter; and of the gap before it."""
_DASHES: Final = "-\u2013\u2014"
"""Bullets that stand within a text as well."""
_SIGN_ALONE: Final = re.compile(rf"{BULLET_ALONE.pattern}|[*\u203b\u25a0\u25a1\u25c6\u25c7\u25cb]")
"""A sign before a text that is a text of its own."""
_LABEL_WORDS: Final = 3
"""Words of a label that stands off from its text, at most."""
_POINTED: Final = re.compile(r"[<\u2329\u3008][^<>]+[>\u232a\u3009]")
"""A label in pointed brackets: `<For reference>`."""
_HUNG, _HUNG_DROP = 1.0, 4.6
"""Letter heights between the text of a marked line and what goes on with it; and from one down to the other."""
_BASELINE: Final = 0.55
"""Letter heights between the middles of two pieces of one line."""


def lines(sheet: Sheet, grids: Sequence[Grid], claimed: Collection[str]) -> list[list[Line]]:
    """The free lines of `sheet` from the top, by the way they read; most of its lettering reads as the first do.

    None of a page of a book.
    """
    shut_out = set(claimed) | zone_texts(sheet) | full_rows(grids)
    straight = [text for text in sheet.texts[: 4 * MOST_LINES] if _is_free(text)]
    free = [text for text in straight if text.id not in shut_out]
    if not free or _is_book_page(free, sheet):
        return []
    written = {text.id: text.text.strip() for text in free}
    # A line that runs over a rule, as after a feature control frame, is in no cell.
    numbered = dict(_numbered_cells(grids))
    cells = {
        part.id: place
        for place, cell in numbered.items()
        for part in cell.texts
        if part.text.strip() == written.get(part.id) and not _is_frame_compartment(cell, part)
    }
    found: dict[int, list[Line]] = {angle: [] for angle in _directions(straight)}
    for text in free:
        angle = _quarter(text)
        found[angle].extend(_split_text(text, angle, cells.get(text.id, OPEN_SPACE)))
    # A part's number may be a text of its own.
    return [_lines_of(each[:MOST_LINES], angle, numbered) for angle, each in found.items()]


def _lines_of(pieces: list[Line], angle: int, cells: Mapping[int, Cell]) -> list[Line]:
    """The lines that pieces of one direction make, with their marks."""
    marked = with_exponents(with_fractions(with_repeated_marks(pieces)))
    if any(piece.number is not None and not piece.text and piece.cell > OPEN_SPACE for piece in marked):
        marked = with_ruled_numbers(marked, {place: turned(cell.box, angle) for place, cell in cells.items()})
    return without_options(with_parts(_with_joined_lines(_with_signed_values(marked))))


def _numbered_cells(grids: Sequence[Grid]) -> Iterator[tuple[int, Cell]]:
    """Each cell with its number; one that stands alone is a box around lettering in open space, and has a number below -1."""
    for box, grid in enumerate(grids):
        if len(grid.cells) == 1:
            yield OPEN_SPACE - 1 - box, grid.cells[0]
    yield from enumerate(cell for grid in grids if len(grid.cells) > 1 for cell in grid.cells)


def _directions(texts: Iterable[Text]) -> list[int]:
    """How lettering reads, claimed or not, most of it first."""
    weight: Counter[int] = Counter()
    for text in texts:
        weight[_quarter(text)] += len(text.text)
    return [angle for angle, _ in weight.most_common()]


def _quarter(text: Text) -> int:
    return quarter_turn(text.angle)


def _is_frame_compartment(cell: Cell, text: Text) -> bool:
    """Whether the cell is one of a feature control frame inside a sentence."""
    x1, y1, x2, y2 = turned(cell.box, _quarter(text))
    return (
        len(cell.texts) == 1
        and "\u00d8" in text.text
        and y2 - y1 < _FRAME_HEIGHT * text.height
        and x2 - x1 < _FRAME_WIDTH * text.height
    )


def _is_free(text: Text) -> bool:
    return (
        text.visible
        and math.isfinite(text.angle)
        and abs(text.angle - round(text.angle / 90) * 90) < _STRAIGHT
        and text.kind in ("text", "mtext", "attrib")
        and bool(text.text.strip())
        and all(map(math.isfinite, text.box))
    )


def _is_book_page(texts: Sequence[Text], sheet: Sheet) -> bool:
    """Whether the page is prose with hardly any drawing on it."""
    written = [line for text in texts for line in text.text.splitlines()[:_MOST_PROSE_LINES]]
    prose = sum(map(_is_prose, written))
    drawn = len(sheet.strokes.ends) + len(sheet.arcs.circles)
    return prose > _BOOK_PROSE or (prose > _TEXT_PAGE_PROSE and drawn < _HARDLY_DRAWN)


def _is_prose(line: str) -> bool:
    if len(line.split()) >= _PROSE_WORDS and len(line) >= _PROSE_CHARACTERS:
        return True
    return len(line) >= _PROSE_SIGNS and not line.isascii() and sign_count(line) >= _PROSE_SIGNS


def _split_text(text: Text, angle: int, cell: int) -> list[Line]:
    rows = [line.strip() for line in text.text.strip("\n").splitlines()][:_MOST_TEXT_LINES]
    x1, y1, x2, y2 = on_baseline(text, angle) if len(rows) == 1 else turned(text.box, angle)
    step = (y2 - y1) / max(len(rows), 1)
    return [
        without_mark(
            Line(
                " ".join(line.split()),
                (x1, y2 - (row + 1) * step, x2, y2 - row * step),
                text.height,
                (text.id,),
                text.page,
                cell,
                begin=x1,
                after_blank=row > 0 and not rows[row - 1],
                hanging=_behind_pointed(line, x1, x2),
            )
        )
        for row, line in enumerate(rows)
        if line
    ]


def _behind_pointed(text: str, left: float, right: float) -> float | None:
    """Where a sentence begins behind its label in pointed brackets."""
    found = _POINTED.match(text)
    if found is None or not text[found.end() :].strip() or has_words(found.group(), _LABEL_WORDS + 1):
        return None
    return left + (right - left) * found.end() / len(text)


def _with_signed_values(found: list[Line]) -> list[Line]:
    """`found` with the value of a sign of surface texture in the sentence that the sign stands in: `ROUGHNESS IS 63 UNLESS NOTED`.

    The sign is drawn in a gap of the sentence, and its value stands over that gap (ISO 1302, ASME Y14.36).
    """
    values = [place for place, line in enumerate(found) if not line.marked and _SIGNED.fullmatch(line.text)]
    spoken = [place for place, line in enumerate(found) if word_count(line.text) >= NOTE_WORDS] if values else []
    if not spoken:
        return found
    spoken.sort(key=lambda place: found[place].level)
    levels = [found[place].level for place in spoken]
    signed, used = dict(enumerate(found)), set[int]()
    for place in values:
        value = found[place]
        low, high = (value.level - rise * value.height for rise in reversed(_SIGN_RISE))
        below = spoken[bisect_left(levels, low) : bisect_right(levels, high)]
        before = [each for each in below if each not in used and _leaves_gap(found[each], value, below, found)]
        if len(before) == 1:
            last = found[before[0]]
            x1, y1, _, y2 = last.box
            signed[before[0]] = replace(
                last,
                text=f"{last.text} {value.text}",
                box=(x1, y1, value.box[2], y2),
                sources=(*last.sources, *value.sources),
            )
            used.add(before[0])
            del signed[place]
    return list(signed.values())


def _leaves_gap(last: Line, value: Line, below: Sequence[int], found: Sequence[Line]) -> bool:
    """Whether a sentence leaves a gap for the sign of `value` behind `last`, and goes on behind it."""
    h = max(value.height, 1e-9)
    if not (_fits(last, value) and last.box[2] < value.box[0] < last.box[2] + _SIGN_GAP * h):
        return False
    return any(
        _fits(found[each], value)
        and value.box[2] < found[each].box[0] < value.box[2] + _SIGN_GAP * h
        and abs(found[each].level - last.level) < _BASELINE * h
        and not (found[each].marked or found[each].bullet)
        for each in below
    )


def _fits(line: Line, value: Line) -> bool:
    return line.cell == value.cell and _SAME_HEIGHT[0] < line.height / max(value.height, 1e-9) < _SAME_HEIGHT[1]


def _with_joined_lines(found: list[Line]) -> list[Line]:
    """`found` with the pieces of each line as one; a number that stands alone becomes the mark of the text to its right."""
    middles, heights = [line.level for line in found], [line.height for line in found]
    order = sorted(range(len(found)), key=lambda place: (-middles[place], found[place].box[0]))
    merged: list[Line] = []
    levels = Levels(np.array([line.box for line in found], float).reshape(-1, 4))
    marks = Levels(
        np.array([_box_of_mark(line) for line in found if (line.marked or line.bullet) and line.text], float).reshape(
            -1, 4
        )
    )
    done = bytearray(len(found))
    for at, place in enumerate(order):
        if done[place]:
            continue
        level, height = middles[place], heights[place]
        reach = _BASELINE * max(height, 1e-9)
        mates = []
        for behind in range(at + 1, len(order)):
            other = order[behind]
            drop = level - middles[other]
            if drop > reach:
                break
            if not done[other] and drop < _BASELINE * max(min(height, heights[other]), 1e-9):
                mates.append(other)
        row = sorted([place, *mates], key=lambda each: found[each].box[0])
        for each in row:
            done[each] = True
        merged.extend(_join_row([found[each] for each in row], levels, marks))
    return merged


def _box_of_mark(line: Line) -> Box:
    """The box of the mark of a line, up to where the text begins."""
    x1, y1, _, y2 = line.box
    return x1, y1, line.begin, y2


def _join_row(row: Sequence[Line], levels: Levels, marks: Levels) -> list[Line]:
    joined: list[Line] = []
    sources: set[str] = set()
    for place, line in enumerate(row):
        last = joined[-1] if joined else None
        if (
            last is not None
            and _continues(last, line)
            and (_is_value(last, line) or not (_is_beyond(last, line, levels) or _hangs(last, line, marks)))
            and not _is_mark_of_next(last, line, row[place + 1] if place + 1 < len(row) else None)
        ):
            joined[-1] = _join(last, line, tuple(dict.fromkeys(each for each in line.sources if each not in sources)))
            sources.update(line.sources)
        else:
            joined.append(line)
            sources = set(line.sources)
    return joined


def _is_value(last: Line, line: Line) -> bool:
    """Whether `line` begins with the colon that stands between `last` and its value, as in a column of values."""
    return line.text.startswith(COLONS) and not any(colon in last.text for colon in COLONS)


def _hangs(last: Line, line: Line, marks: Levels) -> bool:
    """Whether `line` stands right under the text of a marked line and `last` ends before that mark: it goes on with that text."""
    h = max(line.height, 1e-9)
    if line.box[0] - last.box[2] <= _WORD_GAP * h:
        return False
    boxes, middles = marks.around(line.level, _HUNG_DROP * h, _BASELINE * h)
    is_under = (middles > line.level) & (np.abs(boxes[:, 2] - line.box[0]) < _HUNG * h)
    return bool((is_under & (boxes[:, 0] > last.box[2])).any())


def _is_beyond(last: Line, line: Line, levels: Levels) -> bool:
    gap = line.box[0] - last.box[2]
    if line.bullet and gap > _WORD_GAP * line.height and not _is_one_lettering(last, line):
        return has_words(last.text, NOTE_WORDS)
    is_complete = last.text.endswith(COLONS) or (last.marked and has_words(last.text, NOTE_WORDS))
    if is_complete and gap > _BLOCK_GAP * max(last.height, line.height) and _is_larger(last, line):
        return True
    if gap <= _BLOCK_GAP * line.height:
        return gap > _WORD_GAP * line.height and _is_over_gutter(last, line, levels)
    if last.marked:
        return _is_of_other_block(last, line, levels)
    are_texts = gap > _TEXT_GAP * line.height and not last.text.endswith(COLONS)
    are_texts = are_texts and has_words(last.text, _COLUMN_WORDS) and has_words(line.text, _BESIDE_WORDS)
    return are_texts or _SIZE.fullmatch(last.text) is not None or _is_of_other_block(last, line, levels)


def _is_over_gutter(last: Line, line: Line, levels: Levels) -> bool:
    """Whether the gap between two pieces parts two columns of prose: on both sides pieces above and below begin with them.

    Nothing above or below stands across the gap.
    """
    if last.text.endswith(COLONS) or not (has_words(line.text, NOTE_WORDS) and has_words(last.text, _COLUMN_WORDS)):
        return False
    h = max(line.height, 1e-9)
    boxes, _ = levels.around(line.level, _COLUMN_REACH * h, _BASELINE * h)
    left = np.abs(boxes[:, 0] - last.box[0]) < _BLOCK_SHIFT * h
    right = np.abs(boxes[:, 0] - line.box[0]) < _BLOCK_SHIFT * h
    edge = line.box[0] - _BLOCK_SHIFT * h
    # What begins in the gap is a line of the right column whose mark hangs.
    across = (boxes[:, 0] < last.box[2]) & (boxes[:, 2] > edge)
    return min(left.sum(), right.sum()) >= _FEWEST_FLUSH and not across.any()


def _is_of_other_block(last: Line, line: Line, levels: Levels) -> bool:
    """Whether what stands over or under `line`, flush with it on the left or right, has nothing before it: two blocks share a baseline.

    levels: of all pieces. What stands behind a mark or a single word is its text.
    """
    if not has_words(last.text, NOTE_WORDS):
        return False
    h = max(line.height, 1e-9)
    boxes, middles = levels.around(line.level, _BLOCK_STEP * h, _BASELINE * h)
    flush = np.abs(boxes[:, 0] - line.box[0]) < _BLOCK_SHIFT * h
    flush |= (np.abs(boxes[:, 2] - line.box[2]) < _BLOCK_SHIFT * h) & (boxes[:, 0] > last.box[2])
    for left, level in zip(boxes[flush, 0].tolist(), middles[flush].tolist(), strict=True):
        beside, _ = levels.around(level, _BASELINE * h)
        gap = left - beside[:, 2]
        if not ((gap > -_OVERLAP * h) & (gap < _JOIN_MARK * _JOIN * h)).any():
            return True
    return False


def _is_one_lettering(last: Line, line: Line) -> bool:
    return _ONE_LETTERING[0] < last.height / max(line.height, 1e-9) < _ONE_LETTERING[1]


def _is_larger(last: Line, line: Line) -> bool:
    """Whether what stands behind a heading or a numbered note is lettered clearly larger: the caption of a view beside it."""
    return line.height > _LARGER * max(last.height, 1e-9)


def _is_mark_of_next(last: Line, line: Line, after: Line | None) -> bool:
    """Whether `line` is a number or a bullet nearer to the text after it than to the one before, and no value after a colon."""
    return (
        after is not None
        and (ALONE.fullmatch(line.text) or _SIGN_ALONE.fullmatch(line.text)) is not None
        and not last.text.endswith(COLONS)
        and after.box[0] - line.box[2] < line.box[0] - last.box[2]
    )


def _is_index(last: Line, line: Line) -> bool:
    """Whether `line` is an index right behind the last word of a sentence, and no higher than it."""
    h = max(last.height, 1e-9)
    return (
        last.text[-1:].isalpha()
        and line.text.isalnum()
        and _INDEX_HEIGHT[0] < line.height / h < _INDEX_HEIGHT[1]
        and abs(line.box[0] - last.box[2]) < _INDEX_GAP * h
        and line.level < last.level
        and last.cell == line.cell
        and has_words(last.text, NOTE_WORDS)
    )


def _continues(last: Line, line: Line) -> bool:
    gap = line.box[0] - last.box[2]
    h = max(last.height, line.height)
    if gap > _JOIN_MARK * _JOIN * max(h, 1e-9) and not _is_value(last, line):
        return False
    if _is_index(last, line):
        return True
    # A size on the baseline of a text looks as the number of a part does, but stands further off.
    is_part = gap < _WORD_GAP * h and PART_ALONE.fullmatch(last.text) is not None
    is_number = is_part or ALONE.fullmatch(last.text) is not None
    lowest, highest = _MARK_HEIGHT if is_number else _SAME_HEIGHT
    alike = lowest < last.height / max(line.height, 1e-9) < highest
    reach = _JOIN_COLON if _is_value(last, line) else _JOIN_MARK * _JOIN if last.marked and last.text else _JOIN
    return (
        alike
        and last.cell == line.cell
        and -_OVERLAP * h < gap < reach * h
        and not line.marked
        and not (last.text.startswith(_STARRED) and line.text.startswith(_STARRED))
        and not (line.bullet and line.mark.strip() not in _DASHES)
        and last.sources != line.sources
    )


def _join(last: Line, line: Line, added: tuple[str, ...]) -> Line:
    """added: those sources of `line` that `last` has not."""
    box = box_around((last.box, line.box))
    sources = (*last.sources, *added)
    number = ALONE.fullmatch(last.text) if not last.marked else None
    if number and not number.group(2):
        return replace(
            line,
            box=box,
            sources=sources,
            number=int(number.group(1)),
            loose=True,
            mark=f"{last.text} ",
            begin=line.box[0],
        )
    if BULLET_ALONE.fullmatch(last.text) and not last.marked:
        return replace(line, box=box, sources=sources, bullet=True, mark=f"{last.text} ", begin=line.box[0])
    if last.marked and not last.text:
        return replace(last, text=line.text, box=box, sources=sources, mark=f"{last.mark} ", begin=line.box[0])
    blank = "" if _is_index(last, line) else " "
    hanging = line.box[0] if _is_label_of(last, line) else last.hanging
    return replace(last, text=f"{last.text}{blank}{line.text}", box=box, sources=sources, hanging=hanging)


def _is_label_of(last: Line, line: Line) -> bool:
    """Whether a few words with a colon, or in pointed brackets, stand off from the text that they head."""
    text = last.text.strip()
    stands_off = line.box[0] - last.box[2] > _WORD_GAP * max(line.height, 1e-9)
    is_label = (text.endswith(COLONS) and stands_off) or _POINTED.fullmatch(text) is not None
    return is_label and not has_words(text, _LABEL_WORDS + 1)

"""Lines of free lettering with the marks that lists are numbered by.

Glossary
  line     what stands on one baseline and reads as one: a number and its text are often two pieces.
  mark     "1.", "2)", "(3)", "①", "4、", "NOTE 4:", "b.": what numbers a note.
  series   "M" of the marks "M1.", "M2.": letters before numbers that count up, each series for itself.
  heading  "NOTES:", "HINWEISE", "Технические требования": what a list of notes stands under.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.knowledge.patterns import alternatives
from spatial.models.sheet.drawing import Box, Sheet, Text
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.baseline import on_baseline
from spatial.understanding.sheet.cells.border import zone_texts
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.cells.orientation import turned

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
_OVERLAP: Final = 1.0
"""Letter heights by which two pieces of one line may overlap: widths of fonts are estimates."""
_SAME_HEIGHT: Final = (0.75, 1.34)
"""Ratio of the letter heights of two pieces of one line."""
_BASELINE: Final = 0.55
"""Letter heights between the middles of two pieces of one line."""
_BELOW: Final = 1.2
"""Letter heights below a piece at which no piece of its line is looked for any more."""
_SERIES_SHIFT: Final = 1.5
"""Letter heights between the left ends of two lines of a series."""
_MOST_BEHIND: Final = 40
"""Pieces before one, in order of height, among which those of its line are looked for."""


@dataclass(slots=True, eq=False)
class Line:
    """One line of lettering in upright axes."""

    text: str
    """Without its mark."""
    box: Box
    height: float
    sources: tuple[str, ...]
    page: int
    cell: int
    number: int | None = None
    letter: str | None = None
    series: str = ""
    loose: bool = False
    """Whether its number has no point or bracket: it may be a balloon or a row."""
    begin: float = 0.0
    """Where its text begins, after the mark."""
    bullet: bool = False
    after_blank: bool = False
    """Whether an empty line of its text stands before it."""

    @property
    def level(self) -> float:
        """Height of its middle."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def marked(self) -> bool:
        """Whether a number or a letter stands before it."""
        return self.number is not None or self.letter is not None


_WORD: Final = alternatives("note_mark")
_NUMBER: Final = re.compile(
    rf"(?:{_WORD}\s*)?(?:\((\d{{1,3}})\)|(\d{{1,3}})\s?[.)\u3001\uff0e\uff09](?!\d)|([\u2460-\u2473])\s?|(\d{{1,3}})\s?[:]|(\d{{1,2}})\s+[-–](?=\s))\s*",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(rf"{_WORD}\s*(\d{{1,2}})\s*[-–:.]?\s+", re.IGNORECASE)
_CODED: Final = re.compile(r"([A-Z]{1,2})[-.]?(\d{1,2})\s?[.):\u3001]\s*(?=\S)")
_LETTER: Final = re.compile(r"(?:\(([a-zA-Z])\)|([a-z])\s?[.)]|([A-Z])\))\s+(?=\S)|([a-hA-H])\.\s+(?=\S)")
_ALONE: Final = re.compile(r"\(?(\d{1,2})\)?\s?([.):])?")
_BULLET: Final = re.compile(r"[-–•●▪·◦]\s+(?=\S)")


def lines(sheet: Sheet, grids: Sequence[Grid], claimed: Collection[str]) -> list[Line]:
    """The free lines of `sheet` that read as most of its lettering does, from the top; none of a page of a book."""
    shut_out = set(claimed) | zone_texts(sheet)
    free = [text for text in sheet.texts[: 4 * MOST_LINES] if text.id not in shut_out and _is_free(text)]
    if not free or _is_book_page(free, sheet):
        return []
    written = {text.id: text.text.strip() for text in free}
    # A line that runs over a rule, as after a feature control frame, is in no cell.
    cells = {
        part.id: place
        for place, cell in enumerate(cell for grid in grids for cell in grid.cells)
        for part in cell.texts
        if part.text.strip() == written.get(part.id) and not _is_frame_compartment(cell, part)
    }
    found: list[Line] = []
    angle = _direction(sheet)
    for text in free:
        if _quarter(text) == angle:
            found.extend(_split_text(text, angle, cells.get(text.id, -1)))
    return _with_joined_lines(_with_series(found[:MOST_LINES]))


def _direction(sheet: Sheet) -> int:
    """How most of the sheet's lettering reads, claimed or not: what runs up a margin is a licence, no note."""
    weight: Counter[int] = Counter()
    for text in sheet.texts[: 4 * MOST_LINES]:
        if _is_free(text):
            weight[_quarter(text)] += len(text.text)
    return max(weight, key=lambda each: weight[each])


def _quarter(text: Text) -> int:
    return round(text.angle / 90) * 90 % 360


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
    straight = np.isfinite(text.angle) and abs(text.angle - round(text.angle / 90) * 90) < _STRAIGHT
    return (
        text.visible
        and bool(straight)
        and text.kind in ("text", "mtext", "attrib")
        and bool(text.text.strip())
        and bool(np.isfinite(text.box).all())
    )


def _is_book_page(texts: Sequence[Text], sheet: Sheet) -> bool:
    """Whether the page is prose with hardly any drawing on it."""
    written = [line for text in texts for line in text.text.splitlines()[:_MOST_PROSE_LINES]]
    prose = sum(len(line.split()) >= _PROSE_WORDS and len(line) >= _PROSE_CHARACTERS for line in written)
    drawn = len(sheet.strokes.ends) + len(sheet.arcs.circles)
    return prose > _BOOK_PROSE or (prose > _TEXT_PAGE_PROSE and drawn < _HARDLY_DRAWN)


def _split_text(text: Text, angle: int, cell: int) -> list[Line]:
    rows = [line.strip() for line in text.text.strip("\n").splitlines()][:_MOST_TEXT_LINES]
    x1, y1, x2, y2 = on_baseline(text, angle) if len(rows) == 1 else turned(text.box, angle)
    step = (y2 - y1) / max(len(rows), 1)
    return [
        _without_mark(
            Line(
                " ".join(line.split()),
                (x1, y2 - (row + 1) * step, x2, y2 - row * step),
                text.height,
                (text.id,),
                text.page,
                cell,
                begin=x1,
                after_blank=row > 0 and not rows[row - 1],
            )
        )
        for row, line in enumerate(rows)
        if line
    ]


def _without_mark(line: Line) -> Line:
    """`line` with its mark taken off."""
    text = line.text
    width = (line.box[2] - line.box[0]) / max(len(text), 1)
    found = _NAMED.match(text) or _NUMBER.match(text)
    if found and (found.end() < len(text) or not _ALONE.fullmatch(text)):
        number = next(group for group in found.groups() if group)
        return replace(
            line, text=text[found.end() :].strip(), number=_counted(number), begin=line.box[0] + found.end() * width
        )
    if found and found.end() == len(text):
        return replace(
            line, text="", number=_counted(next(group for group in found.groups() if group)), begin=line.box[2]
        )
    letter = _LETTER.match(text)
    if letter:
        sign = next(group for group in letter.groups() if group)
        return replace(
            line, text=text[letter.end() :].strip(), letter=sign.lower(), begin=line.box[0] + letter.end() * width
        )
    bullet = _BULLET.match(text)
    return (
        replace(line, text=text[bullet.end() :], bullet=True, begin=line.box[0] + bullet.end() * width)
        if bullet
        else line
    )


def _counted(mark: str) -> int:
    """The number of a mark; circled ones count like others."""
    return int(unicodedata.numeric(mark)) if len(mark) == 1 else int(mark)


def _with_series(found: list[Line]) -> list[Line]:
    """`found` with the marks of series taken off: "M1." begins one only where "M2." stands below it, in line with it."""
    coded = {place: match for place, line in enumerate(found) if not line.marked and (match := _CODED.match(line.text))}
    known: dict[tuple[str, int], list[Line]] = {}
    for place, match in coded.items():
        known.setdefault((match[1], int(match[2])), []).append(found[place])
    marked = list(found)
    for place, match in coded.items():
        line, number = found[place], int(match[2])
        beside = [*known.get((match[1], number - 1), ()), *known.get((match[1], number + 1), ())]
        if any(abs(other.box[0] - line.box[0]) < _SERIES_SHIFT * line.height for other in beside):
            width = (line.box[2] - line.box[0]) / max(len(line.text), 1)
            text, begin = line.text[match.end() :].strip(), line.box[0] + match.end() * width
            marked[place] = replace(line, text=text, number=number, series=match[1], begin=begin)
    return marked


def _with_joined_lines(found: list[Line]) -> list[Line]:
    """`found` with the pieces of each line as one; a number that stands alone becomes the mark of the text to its right."""
    order = sorted(range(len(found)), key=lambda place: (-found[place].level, found[place].box[0]))
    merged: list[Line] = []
    done = np.zeros(len(found), bool)
    for at, place in enumerate(order):
        if done[place]:
            continue
        line = found[place]
        mates = []
        for other in order[at + 1 :]:
            drop = line.level - found[other].level
            if drop > _BELOW * line.height:
                break
            if not done[other] and drop < _BASELINE * max(min(line.height, found[other].height), 1e-9):
                mates.append(other)
        behind = [
            other
            for other in order[max(at - _MOST_BEHIND, 0) : at]
            if not done[other] and abs(found[other].level - line.level) < _BASELINE * line.height
        ]
        row = sorted([place, *mates, *behind], key=lambda each: found[each].box[0])
        for each in row:
            done[each] = True
        merged.extend(_join_row([found[each] for each in row]))
    return merged


def _join_row(row: Sequence[Line]) -> list[Line]:
    joined: list[Line] = []
    for place, line in enumerate(row):
        last = joined[-1] if joined else None
        if (
            last is not None
            and _continues(last, line)
            and not _is_mark_of_next(last, line, row[place + 1] if place + 1 < len(row) else None)
        ):
            joined[-1] = _join(last, line)
        else:
            joined.append(line)
    return joined


def _is_mark_of_next(last: Line, line: Line, after: Line | None) -> bool:
    """Whether `line` is a number that stands nearer to the text after it than to the one before."""
    return (
        after is not None
        and _ALONE.fullmatch(line.text) is not None
        and after.box[0] - line.box[2] < line.box[0] - last.box[2]
    )


def _continues(last: Line, line: Line) -> bool:
    gap = line.box[0] - last.box[2]
    h = max(last.height, line.height)
    alike = _SAME_HEIGHT[0] < last.height / max(line.height, 1e-9) < _SAME_HEIGHT[1]
    reach = _JOIN_MARK * _JOIN if last.marked and last.text else _JOIN
    return (
        alike
        and last.cell == line.cell
        and -_OVERLAP * h < gap < reach * h
        and not line.marked
        and last.sources != line.sources
    )


def _join(last: Line, line: Line) -> Line:
    box = box_around((last.box, line.box))
    sources = tuple(dict.fromkeys((*last.sources, *line.sources)))
    number = _ALONE.fullmatch(last.text) if not last.marked else None
    if number and not number.group(2):
        return replace(line, box=box, sources=sources, number=int(number.group(1)), loose=True, begin=line.box[0])
    if last.marked and not last.text:
        return replace(last, text=line.text, box=box, sources=sources, begin=line.box[0])
    return replace(last, text=f"{last.text} {line.text}", box=box, sources=sources)

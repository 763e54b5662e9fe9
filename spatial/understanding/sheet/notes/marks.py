"""Marks of notes: those that say by themselves that they number a note, and those that are learned because they repeat.

A number with a point, a bracket or a dash is a mark wherever it stands. A number in another writing (`M1.`, `[1]`, `II.`, `1 Deburr`;
`counters`) and a dash without a space (`-Deburr`) are marks only where the line above or below begins with the next one, in line with it.
A number that begins a range of sizes (`6 - 30 mm`) is no mark (`ranges`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.patterns import alternatives
from spatial.understanding.sheet.notes.counters import counter_of
from spatial.understanding.sheet.notes.line import Line
from spatial.understanding.sheet.notes.ranges import begins_range

_SHIFT: Final = 1.5
"""Letter heights between the left ends of two lines of a series."""
_BULLET_SHIFT, _BULLET_DROP = 0.5, 8.0
"""Letter heights between the left ends of two lines with one sign before them, and from one down to the other."""

_FIRST_LETTER: Final = "a"
_FEWEST_LETTERED: Final = 3
"""Letters that are a list of their own."""
_OWNED: Final = 15.0
"""Letter heights by which the parts of a note are set in from its number."""

_WORD: Final = alternatives("note_mark")
_SHAPE: Final = r"(?:[\u25a0-\u27bf\u2b12-\u2b55※]\s?)?"
"""A geometric shape or star that may stand before each number of a list: "☆1、"."""
_TAIL: Final = r"(?:\s?[-–](?=\s)|[-–_.:=)\uff09]{1,2}(?=\s*[^\W\d_]))?"
"""What may stand behind the point or bracket of a number: `1.)`, `1.-`, `1._`."""
_ENCLOSED: Final = r"[\u2460-\u249b\u2776-\u2793]"
"""A number in a circle or brackets, or with its point, that is one sign."""
_NUMBER: Final = re.compile(
    rf"(?:{_WORD}[\s-]*|{_SHAPE})?(?:[(\uff08](\d{{1,3}})[)\uff09]|(\d{{1,3}})\s?(?:(?:[.)\uff0e\uff09](?!\d)|\u3001){_TAIL}|\u3002(?=[^\W\d_]))"
    rf"|({_ENCLOSED})\s?"
    r"|(\d{1,3})\s?[:\uff1a]|(\d{1,2})\s+[-–](?=\s))\s*",
    re.IGNORECASE,
)
_FIGURE_OF_WORD: Final = re.compile(
    r"(\d{1,2}[.)\u3001])\s?(1(?=[b-df-hj-np-tv-z]{2})|0(?!deg|met|mic|mil|min|new|pas|perc|vol))(?=[a-z]{5})"
)
_CAPITALS: Final = {"0": "O", "1": "I"}
"""What a figure right before five small letters is, unless they begin as a unit that is written out does."""
_NAMED: Final = re.compile(rf"{_WORD}[\s-]*(\d{{1,2}})\s*[-–:.]?\s+", re.IGNORECASE)
_HEADED: Final = re.compile(
    rf"(?:{alternatives('note_subject')} )?{alternatives('note_heading')}\s*[:\uff1a]\s*[-–]?\s*"
    r"(?=(?:\(1\)|1\s?[.)\u3001\uff0e\uff09]|\u2460)\s*[^\W\d])",
    re.IGNORECASE,
)
"""A heading that the first note of its list stands behind: `Note: 1. Plate all pins` over `2. Deburr`."""
_PART: Final = re.compile(
    r"(?P<note>\d{1,2})(?:\.(?P<part>\d{1,2})[.):\u3001]?|-(?P<dashed>\d{1,2})[.):\u3001])\s*(?=[^\W\d_]{2}|[^\W\d_]\w?\s?=)"
)
"""A part of a note under the note's own number (ISO 2145), also with a dash and a point: `2-1.TERMINAL`; or a quantity: `2.1 U = 5 V`."""
PART_ALONE: Final = re.compile(r"\d{1,2}\.\d{1,2}")
"""The number of a part that is the whole text."""
_LETTERED_PART: Final = re.compile(r"(?P<letter>[a-z])(?P<part>\d{1,2})[.)\u3001]\s*(?=[^\W\d_]|$)", re.IGNORECASE)
"""A part of a lettered part under its letter: `a1.` below `A.`"""
_LETTER: Final = re.compile(r"(?:\(([a-zA-Z])\)|([a-z])\s?[.)]|([A-Z])\))\s+(?=\S)|([a-hA-H])\.\s+(?=\S)")
_TIGHT_LETTER: Final = re.compile(r"([a-z])[.)](?=[^\W\d_]{2})", re.IGNORECASE)
"""The same without a blank: it may be an initial."""
ALONE: Final = re.compile(r"\(?(\d{1,2})\)?\s?([.):])?")
"""A number that is the whole text."""
_BULLET: Final = re.compile(r"[-–•●▪·◦]\s+(?=\S)")
BULLET_ALONE: Final = re.compile(r"[-–•●▪·◦]")
"""A bullet that is the whole text."""
_TIGHT_BULLET: Final = re.compile(r"([=-]>|[-–—•●▪■□·◦○►▶‣>»➢⇒➔✓✔*+→※◆◇\u3001\uf000-\uf0ff])\s*(?=[^\W\d_]{2})")
"""A bullet if it repeats: a dash may begin a name, a sign of its own may be lettering of another kind; symbol fonts have private codes."""


def without_mark(line: Line) -> Line:
    """`line` with its mark taken off."""
    line = _with_capital(_without_heading(line))
    text = line.text
    found = (None if text[:1].isdecimal() else _NAMED.match(text)) or _NUMBER.match(text)
    letter = None if found else _LETTER.match(text)
    bullet = None if found or letter else _BULLET.match(text)
    if not (found or letter or bullet) or begins_range(text):
        return line
    if found and (found.end() < len(text) or not ALONE.fullmatch(text)):
        number = next(group for group in found.groups() if group)
        return _marked(line, found.end(), number=_counted(number))
    if found and found.end() == len(text):
        return replace(
            line,
            text="",
            number=_counted(next(group for group in found.groups() if group)),
            mark=text,
            begin=line.box[2],
        )
    if letter:
        sign = next(group for group in letter.groups() if group)
        return _marked(line, letter.end(), letter=sign.lower())
    return _with_bullet(line, bullet.end()) if bullet else line


def _with_capital(line: Line) -> Line:
    """`line` with the capital of its first word where that was read as a figure behind the number: `5.1nsulation`, `7.0peration`."""
    found = _FIGURE_OF_WORD.match(line.text)
    return line if found is None else replace(line, text=f"{found[1]}{_CAPITALS[found[2]]}{line.text[found.end() :]}")


def _without_heading(line: Line) -> Line:
    """`line` from its number on, where a heading stands before the first note of a list."""
    found = _HEADED.match(line.text) if ":" in line.text or "\uff1a" in line.text else None
    if found is None:
        return line
    x1, y1, x2, y2 = line.box
    left = x1 + found.end() * (x2 - x1) / len(line.text)
    return replace(line, text=line.text[found.end() :], box=(left, y1, x2, y2), begin=left, heading_begin=x1)


def _with_bullet(line: Line, end: int) -> Line:
    """`line` without the bullet of `end` characters; a number behind it is its mark: "• 1. Rating"."""
    bulleted = _marked(line, end, bullet=True)
    inner = without_mark(replace(bulleted, box=(bulleted.begin, *line.box[1:])))
    return replace(inner, box=line.box, bullet=False) if inner.number is not None and inner.text else bulleted


def _marked(
    line: Line, end: int, *, number: int | None = None, letter: str | None = None, series: str = "",
    loose: bool = False, bullet: bool = False, within: int | None = None,
) -> Line:  # fmt: skip
    """`line` without the first `end` characters, which are its mark."""
    width = (line.box[2] - line.box[0]) / max(len(line.text), 1)
    return replace(
        line, text=line.text[end:].strip(), number=number, letter=letter, series=series, loose=loose, bullet=bullet,
        within=within, mark=line.mark + line.text[:end],
        begin=line.box[0] + end * width,
    )  # fmt: skip


def _counted(mark: str) -> int:
    """The number of a mark; circled ones count like others."""
    return int(unicodedata.numeric(mark)) if len(mark) == 1 else int(mark)


def with_repeated_marks(found: Sequence[Line]) -> list[Line]:
    """`found` with the marks taken off that the lines above and below say are marks."""
    lettered = _with_tight_letters(_with_counted_marks(with_parts(found)))
    return _with_tight_bullets(_with_lettered_lists(_with_lettered_parts(lettered)))


def with_parts(found: Sequence[Line]) -> list[Line]:
    """`found` with marks like "1.2", where "1." stands above it and "1.1" between, or it is the first."""
    marked, last = list(found), dict[tuple[int, int], int]()
    parts = {place: match for place, line in enumerate(found) if _is_plain(line) and (match := _PART.match(line.text))}
    numbered = [place for place, line in enumerate(found) if line.number is not None] if parts else []
    for place in sorted([*parts, *numbered], key=lambda each: (found[each].page, -found[each].level, each)):
        line = found[place]
        if line.number is not None:
            last.setdefault((line.page, line.number), 0)
        if (match := parts.get(place)) is None:
            continue
        note, part = (line.page, int(match["note"])), int(match["part"] or match["dashed"])
        if last.get(note) == part - 1:
            last[note] = part
            marked[place] = _marked(line, match.end(), letter=f".{part}", within=note[1])
    return marked


def _with_counted_marks(found: Sequence[Line]) -> list[Line]:
    """`found` with marks that count: "M1." begins a series only where "M2." stands below it, in line with it."""
    counters = {
        place: counter
        for place, line in enumerate(found)
        if _is_plain(line) and (counter := counter_of(line.text)) is not None
    }
    known: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for line in found:
        if line.number is not None and line.text:
            known[line.series, line.number].append(line)
    for place, counter in counters.items():
        known[counter.style, counter.number].append(found[place])
    marked = list(found)
    for place, counter in counters.items():
        line = found[place]
        beside = (other for step in (-1, 1) for other in known.get((counter.style, counter.number + step), ()))
        if any(abs(other.box[0] - line.box[0]) < _SHIFT * line.height for other in beside):
            marked[place] = _marked(
                line, counter.end, number=counter.number, series=counter.series, loose=counter.is_loose
            )
    return marked


def _with_tight_letters(found: Sequence[Line]) -> list[Line]:
    """`found` with letters right before their words taken off where the letter before or behind stands in the same column."""
    letters = {
        place: (match[1].lower(), match.end())
        for place, line in enumerate(found)
        if _is_plain(line) and (match := _TIGHT_LETTER.match(line.text))
    }
    marked = list(found)
    for place, (letter, end) in letters.items():
        line = found[place]
        beside = (found[other] for other, (its, _) in letters.items() if abs(ord(its) - ord(letter)) == 1)
        if any(_is_in_column(line, other) for other in beside):
            marked[place] = _marked(line, end, letter=letter)
    return marked


def _with_lettered_parts(found: Sequence[Line]) -> list[Line]:
    """`found` with marks like "a1.", where "A." stands right over it, or the part before it."""
    marked = list(found)
    last: tuple[str, int, Line] | None = None
    for place in sorted(range(len(found)), key=lambda each: (found[each].page, -found[each].level, each)):
        line = found[place]
        if line.letter is not None and len(line.letter) == 1 and line.letter.isalpha():
            last = line.letter, 0, line
        elif line.number is not None:
            last = None
        match = _LETTERED_PART.match(line.text) if last and _is_plain(line) else None
        if last is None or match is None or (match["letter"].lower(), int(match["part"])) != (last[0], last[1] + 1):
            continue
        if line.page == last[2].page and 0 < last[2].level - line.level < _BULLET_DROP * line.height:
            marked[place] = _marked(line, match.end(), letter=f"{last[0]}{match['part']}", within=last[2].within)
            last = last[0], last[1] + 1, line
    return marked


def _with_lettered_lists(found: Sequence[Line]) -> list[Line]:
    """`found` with "A.", "B.", "C." as numbers where no number stands over them that they could be parts of."""
    runs: list[list[int]] = []
    for place in sorted(range(len(found)), key=lambda each: -found[each].level):
        line = found[place]
        if line.letter is None or len(line.letter) > 1 or line.within is not None:
            continue
        run = next((run for run in runs if _goes_on_lettered(found[run[-1]], line)), None)
        if run is not None:
            run.append(place)
        elif line.letter == _FIRST_LETTER:
            runs.append([place])
    marked = list(found)
    for run in runs:
        if len(run) < _FEWEST_LETTERED or any(_may_own(line, found[run[0]]) for line in found):
            continue
        for count, place in enumerate(run, 1):
            marked[place] = replace(found[place], number=count, letter=None)
    return marked


def _goes_on_lettered(last: Line, line: Line) -> bool:
    follows = last.letter is not None and line.letter is not None and ord(line.letter) == ord(last.letter) + 1
    return follows and last.level > line.level and abs(last.box[0] - line.box[0]) < _SHIFT * line.height


def _may_own(line: Line, first: Line) -> bool:
    """Whether `line` is a numbered one over the first letter of a list."""
    is_over = line.level > first.level and abs(line.box[0] - first.box[0]) < _OWNED * first.height
    return line.number is not None and is_over


def _with_tight_bullets(found: Sequence[Line]) -> list[Line]:
    """`found` with signs taken off that stand before two lines or more of one column."""
    signed = {
        place: match
        for place, line in enumerate(found)
        if _is_plain(line) and (match := _TIGHT_BULLET.match(line.text))
    }
    marked = list(found)
    for place, match in signed.items():
        line = found[place]
        others = (found[other] for other, its in signed.items() if other != place and its[1] == match[1])
        if any(_is_in_column(line, other) for other in others):
            marked[place] = _with_bullet(line, match.end())
    return marked


def _is_in_column(line: Line, other: Line) -> bool:
    h = max(line.height, 1e-9)
    return (
        line.page == other.page
        and abs(line.box[0] - other.box[0]) < _BULLET_SHIFT * h
        and abs(line.level - other.level) < _BULLET_DROP * h
    )


def _is_plain(line: Line) -> bool:
    return not line.marked and not line.bullet

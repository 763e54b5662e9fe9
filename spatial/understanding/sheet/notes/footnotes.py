"""Notes that a mark ties to what they are about: an asterisk, `* Dimensions for reference`, or a number that stands in a table as well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from spatial.understanding.sheet.notes.draft import SPOKEN_WORDS, WRAP, Draft
from spatial.understanding.sheet.notes.line import NOTE_WORDS, Line, plain_words, word_count
from spatial.understanding.sheet.notes.wrapping import ENDS, is_full, width

_MARK: Final = re.compile(r"\*{1,3}\)?\s?(?=[^\s*])")
_REFERENCES: Final = frozenset(f"{number})" for number in range(1, 10))
"""How a table refers to a footnote."""
_FLUSH, _SET_IN = 0.3, 6.0
"""Letter heights by which a further line begins behind its mark: below it, and at most."""
_SAME_HEIGHT: Final = (0.8, 1.25)
"""Ratio of the letter heights of two lines of one note."""
_SURE: Final = 0.85
"""Confidence of a note that an asterisk marks."""


def footnotes(left: Sequence[Line]) -> Iterator[Draft]:
    """Each line in open space that begins with asterisks, with the lines that go on under it; what recurs is a size with its asterisk.

    So is each with the number and bracket of a reference, `1)`, that stands alone elsewhere on the sheet, raised behind what it is about.
    """
    marks = {line.mark.strip() for line in left if line.number is not None and not line.text}
    for line in left:
        if line.cell < 0 and line.number is not None and line.text and line.mark.strip() in marks & _REFERENCES:
            note = _with_further_lines(Draft(line, line.number, _SURE), left)
            if word_count(note.text) >= SPOKEN_WORDS:
                yield note
    starred = [line for line in left if line.cell < 0 and not (line.marked or line.bullet) and _MARK.match(line.text)]
    times = Counter(line.text for line in starred)
    for line in starred:
        if times[line.text] > 1:
            continue
        draft = _with_further_lines(Draft(line, None, _SURE), left)
        # Names of nets and pins are starred as well: they have figures and joints.
        plain = plain_words(draft.text)
        if word_count(draft.text) >= SPOKEN_WORDS and plain >= max(NOTE_WORDS, len(draft.text.split()) / 2):
            yield draft


def _with_further_lines(draft: Draft, left: Sequence[Line]) -> Draft:
    for other in left:
        if _goes_on(draft, other):
            draft.parts.append(other)
    return draft


def _goes_on(draft: Draft, line: Line) -> bool:
    """Whether a line without a mark stands under a note, set in behind its mark, or below it with a small letter."""
    first, h = draft.first, max(draft.first.height, 1e-9)
    shift = (line.box[0] - first.box[0]) / h
    return (
        not line.marked
        and not line.bullet
        and line.cell == first.cell
        and _MARK.match(line.text) is None
        and (_FLUSH < shift < _SET_IN or (abs(shift) <= _FLUSH and _is_wrapped_line(draft, line)))
        and _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]
        and 0 < draft.last.level - line.level < WRAP * h
    )


def _is_wrapped_line(draft: Draft, line: Line) -> bool:
    """Whether a line below a mark goes on: it begins with a small letter, or all is in capitals and the line over it has no room left."""
    is_full_above = is_full(draft.last, line, width((*draft.lines, line))) and not draft.last.text.endswith(ENDS)
    return line.text[:1].islower() or (is_full_above and draft.first.text.isupper() and line.text[:1].isupper())

"""Notes that no list holds: paragraphs in open space, and sentences after `NOTE:`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import has_placeholder, is_advertisement, is_notice
from spatial.understanding.sheet.notes.draft import (
    NOTE_WORDS,
    OPEN_END,
    PARAGRAPH,
    SPOKEN_WORDS,
    WRAP,
    Draft,
    is_about_whole_part,
    word_count,
)
from spatial.understanding.sheet.notes.line import Line
from spatial.understanding.sheet.notes.wrapping import begins_anew, is_full, is_wrapped, width

_OPEN: Final = 60
"""Paragraphs side by side that a line may go on; what has more is a table."""
_PARAGRAPH_LINE: Final = 2.0
"""Letter heights from one line of a paragraph in open space to its next; nothing but closeness holds it together."""
_SAME_HEIGHT: Final = (0.8, 1.25)
"""Ratio of the letter heights of two lines of a paragraph in open space."""
_SENTENCE_WORDS, _FULL_SENTENCE_WORDS, _NOTICE_WORDS = 9, 6, 5
"""Words of a text with a full stop, of one with a capital letter and a full stop, and of a property notice, that is a note by itself."""
_NOTICE_BEGINNING: Final = 100
"""Characters in which a property notice says that it is one."""
_ALIGNED: Final = 0.8
"""Letter heights between left ends, or middles, of the lines of a paragraph in open space."""
_RIGHT_ALIGNED: Final = 0.5
"""Letter heights between right ends of such lines: text is hardly ever set so, and boxes end by chance."""
_FEWEST_LISTED: Final = 4
"""Lines of a list without marks."""
_WRAPPED_LINE: Final = 3.7
"""Letter heights from one full line of a paragraph to its next."""
_PROSE_WORDS: Final = 12
"""Words of a text in open space that can be nothing but prose."""
_LISTED_LEFT, _LISTED_STEP = 0.3, 0.2
"""Letter heights between left ends of such lines, and the part by which their steps differ."""
_ANNOUNCED: Final = (-0.5, 8.0)
"""Letter heights by which lines are indented that a colon announces."""
_SURE_PARAGRAPH, _SURE_INLINE = 0.85, 0.84
"""Confidence of a paragraph in open space and of a sentence after `NOTE:`."""
_INLINE: Final = re.compile(rf"{alternatives('note_inline')}\s*:\s*(?=\S+\s)", re.IGNORECASE)
_PROJECTION: Final = re.compile(alternatives("stated_projection"), re.IGNORECASE)
_BEGINS: Final = re.compile(alternatives("note_begins"), re.IGNORECASE)
"""How a note begins and no line goes on."""
_SENTENCE_LINE: Final = re.compile(r"[^\W_a-zß-ÿ].{8,}[^\W_].?[.!]", re.DOTALL)
"""A sentence, from its capital letter to its full stop."""
_STATED: Final = re.compile(r"[^\W\d_]{3}.*=\s*[Ø±]?\s*\d[\d.,]*\s*(?:mm\b|in\b|°|\"|[μµ]m\b)")
"""A value that words state: "Redondeos no acotados R = 3 mm"."""
_TITLED: Final = re.compile(r"[^\W\d_][\w/-]*(?: [\w/-]+)?:\s+\S")
"""A note whose subject stands before it: "SURFACE: black anodized"."""


def inline_note(line: Line) -> Draft | None:
    """ "NOTE: weld all round" is a note without a list."""
    found = _INLINE.match(line.text) if not line.marked else None
    if found is None or word_count(line.text[found.end() :]) < NOTE_WORDS:
        return None
    line.text = line.text[found.end() :]
    return Draft(line, None, _SURE_INLINE)


def free_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """Paragraphs outside all lists that are about the whole part, and the lines that stand in one list with them."""
    listed = [line for run in _aligned(left) for line in run if not has_placeholder(line.text)]
    yield from (Draft(line, None, _SURE_PARAGRAPH) for line in listed if word_count(line.text) >= NOTE_WORDS)
    taken = {id(line) for line in listed}
    for paragraph in _paragraphs([line for line in left if id(line) not in taken]):
        if has_placeholder(paragraph.text):
            continue
        drafts = list(_split_paragraph(paragraph))
        if any(_is_note(draft.text) for draft in drafts):
            yield from (
                draft for draft in drafts if word_count(draft.text) >= NOTE_WORDS and not _is_statement(draft.text)
            )


def turned_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """What reads in another direction than most of a sheet: property notices, and prose in a margin."""
    for paragraph in _paragraphs(left):
        text = paragraph.text
        is_prose = paragraph.first.cell < 0 and word_count(text) >= _PROSE_WORDS and not is_advertisement(text)
        is_stated = _is_note(text) and (paragraph.first.cell < 0 or is_notice(text))
        if (is_prose or is_stated) and not has_placeholder(text):
            yield paragraph


def _aligned(left: Sequence[Line]) -> Iterator[list[Line]]:
    """Lists without marks: lines of one lettering in open space, their left ends below each other at equal steps.

    Most of them speak in three words or more; what has fewer is a legend, names of views, or sizes. Lines nearer to each other are a
    paragraph.
    """
    runs: list[list[Line]] = []
    lefts: list[tuple[float, float]] = []  # between which each run's lines begin
    open_ = [line for line in left if line.cell < 0 and not line.marked]
    crowded = _crowded(open_)
    for line in open_:
        if id(line) in crowded:
            continue
        begin = line.box[0]
        latest = zip(runs[-_OPEN:], lefts[-_OPEN:], strict=True)
        run = next((each for each, (low, high) in latest if low <= begin <= high and _goes_on(each, line)), None)
        if run is None:
            runs.append([line])
            slack = _LISTED_LEFT * max(line.height, 1e-9) * (1.0 + 1e-9)
            lefts.append((begin - slack, begin + slack))
        else:
            run.append(line)
    for run in runs:
        spoken = sum(word_count(line.text) >= SPOKEN_WORDS for line in run)
        if len(run) >= _FEWEST_LISTED and 2 * spoken > len(run) and not is_wrapped(run):
            yield run


def _crowded(left: Sequence[Line]) -> set[int]:
    """Lines that stand as near to another, in line with it, as lines of a paragraph do."""
    level, height, begin = (
        (
            np.array(values, float)
            for values in zip(*[(line.level, line.height, line.box[0]) for line in left], strict=True)
        )
        if left
        else (np.zeros(0),) * 3
    )
    h = np.maximum(height, 1e-9)
    crowded, goes_on = np.zeros(len(left), bool), np.ones(len(left), bool)
    for step in range(1, min(_OPEN, len(left) - 1) + 1):
        upper, lower = slice(None, -step), slice(step, None)
        drop = (level[upper] - level[lower]) / h[upper]
        # The lines come from the top: what is too far below ends the search.
        goes_on = goes_on[: len(drop)] & ~(drop > _PARAGRAPH_LINE)
        alike = (height[lower] / h[upper] > _SAME_HEIGHT[0]) & (height[lower] / h[upper] < _SAME_HEIGHT[1])
        found = goes_on & alike & (drop > 0) & (np.abs(begin[upper] - begin[lower]) < _LISTED_LEFT * h[upper])
        crowded[upper] |= found
        crowded[lower] |= found
    return {id(left[place]) for place in np.flatnonzero(crowded).tolist()}


def _goes_on(run: list[Line], line: Line) -> bool:
    h = max(run[0].height, 1e-9)
    if not abs(line.box[0] - run[0].box[0]) < _LISTED_LEFT * h:
        return False
    drop = (run[-1].level - line.level) / h
    if not _PARAGRAPH_LINE < drop < PARAGRAPH or not _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]:
        return False
    step = (run[0].level - run[1].level) / h if len(run) > 1 else drop
    return abs(drop - step) < _LISTED_STEP * step


def _is_note(text: str) -> bool:
    """Whether `text` is a note by itself: about the whole part, a sentence, or a property notice in open space."""
    if is_notice(text[:_NOTICE_BEGINNING]):
        return word_count(text) >= _NOTICE_WORDS and not is_advertisement(text)
    return not is_notice(text) and (
        is_about_whole_part(text)
        or (word_count(text) >= SPOKEN_WORDS and _STATED.search(text) is not None)
        or (word_count(text) >= _SENTENCE_WORDS and text.rstrip().endswith("."))
        or (word_count(text) >= _FULL_SENTENCE_WORDS and _SENTENCE_LINE.fullmatch(text.strip()) is not None)
    )


def _is_statement(text: str) -> bool:
    """Whether `text` is the method of projection and nothing else, which a form states."""
    return _PROJECTION.fullmatch(text.strip(" .:")) is not None


def _split_paragraph(draft: Draft) -> Iterator[Draft]:
    """The notes of a paragraph: a line ends one if the next line's first word would have fitted behind it."""
    if is_notice(draft.text) or (is_wrapped(draft.lines) and word_count(draft.text) >= _PROSE_WORDS):
        yield draft
        return
    widest = width(draft.lines)
    own = Draft(draft.first, None, draft.sure)
    for last, line in pairwise(draft.lines):
        if _is_end(last, line, widest):
            yield own
            own = Draft(line, None, draft.sure)
        else:
            own.parts.append(line)
    yield own


def _is_end(last: Line, line: Line, widest: float) -> bool:
    if title_labels.read(last.text) is not None or _BEGINS.match(line.text) or _TITLED.match(line.text):
        return not OPEN_END.search(last.text.rstrip())
    if last.text.rstrip().endswith((".", "!")) and (
        begins_anew(line) or _SENTENCE_LINE.fullmatch(line.text.strip()) is not None
    ):
        return True
    if _begins_alike(last, line) or (word_count(last.text) < SPOKEN_WORDS and is_about_whole_part(line.text)):
        return True
    begins = line.text[:1].isupper() or line.text[:1].isdigit()
    ended = last.text.rstrip()
    return begins and not is_full(last, line, widest) and not ended.endswith(":") and not OPEN_END.search(ended)


def _begins_alike(last: Line, line: Line) -> bool:
    """Whether two lines begin with the same two words, the first with a capital: statements of one list."""
    first, second = last.text.split()[:2], line.text.split()[:2]
    return len(first) == 2 and first == second and begins_anew(line)


@dataclass(slots=True)
class _Open:
    """A paragraph that a line may go on, with what most lines are told apart by."""

    draft: Draft
    level: float
    """Of its last line."""
    height: float
    """Of its last line."""
    cell: int
    left: float
    """Of its first line; with `right`."""
    right: float
    reach: float
    """How far edges or middles of two lines of one paragraph are apart at most."""
    announces: bool
    """Whether one of its lines ends with a colon."""

    @classmethod
    def of(cls, draft: Draft) -> _Open:
        """A paragraph of one line."""
        first = draft.first
        reach = max(_ALIGNED, _RIGHT_ALIGNED, _LISTED_LEFT) * max(first.height, 1e-9) * (1.0 + 1e-9)
        announces = first.text.endswith(":")
        return cls(draft, first.level, first.height, first.cell, first.box[0], first.box[2], reach, announces)

    def add(self, line: Line) -> None:
        """Go on with a line."""
        self.draft.parts.append(line)
        self.level, self.height = line.level, line.height
        self.announces = self.announces or line.text.endswith(":")


def _paragraphs(left: Sequence[Line]) -> list[Draft]:
    found: list[Draft] = []
    open_: list[_Open] = []
    for line in left:
        if line.marked:
            continue
        level, height, cell = line.level, line.height, line.cell
        begin, _, end, _ = line.box
        open_ = [each for each in open_ if each.level - level < PARAGRAPH * max(each.height, height)][-_OPEN:]
        likely = (
            each
            for each in open_
            if each.cell == cell
            and (
                each.announces
                or -each.reach < begin - each.left < each.reach
                or -each.reach < end - each.right < each.reach
                or -2.0 * each.reach < begin - each.left + end - each.right < 2.0 * each.reach
            )
        )
        owner = next((each for each in likely if _continues_paragraph(each.draft, line)), None)
        if owner is not None:
            owner.add(line)
        else:
            draft = Draft(line, None, _SURE_PARAGRAPH)
            found.append(draft)
            open_.append(_Open.of(draft))
    return found


def _continues_paragraph(draft: Draft, line: Line) -> bool:
    """Whether `line` is the next of a paragraph; after a colon what it announces may be set off and indented."""
    first = draft.first
    if line.cell != first.cell:
        return False
    h = max(first.height, 1e-9)
    drop = (draft.last.level - line.level) / h
    if not drop > 0 or not _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]:
        return False
    shift = (line.box[0] - first.box[0]) / h
    if _ANNOUNCED[0] < shift < _ANNOUNCED[1] and any(line.text.endswith(":") for line in draft.lines):
        return drop < (PARAGRAPH if draft.last.text.endswith(":") else WRAP)
    if drop >= _PARAGRAPH_LINE:
        is_below = drop < _WRAPPED_LINE and abs(shift) < _LISTED_LEFT
        return is_below and not begins_anew(line) and is_full(draft.last, line, width((*draft.lines, line)))
    middle = abs(line.box[0] + line.box[2] - first.box[0] - first.box[2]) / 2 / h
    right = abs(line.box[2] - first.box[2]) / h
    return abs(shift) < _ALIGNED or middle < _ALIGNED or right < _RIGHT_ALIGNED

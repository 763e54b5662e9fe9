"""Lines in open space that belong together: paragraphs, and lists without marks at equal steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import OPEN_END, PARAGRAPH, SPOKEN_WORDS, WRAP, Draft
from spatial.understanding.sheet.notes.line import OPEN_SPACE, Line, word_count
from spatial.understanding.sheet.notes.wrapping import ENDS, begins_anew, gaps, is_full, is_wrapped, width

_OPEN: Final = 60
"""Paragraphs side by side that a line may go on; what has more is a table."""
_PARAGRAPH_LINE: Final = 2.0
"""Letter heights from one line of a paragraph in open space to its next; nothing but closeness holds it together."""
_SAME_HEIGHT: Final = (0.8, 1.25)
"""Ratio of the letter heights of two lines of a paragraph in open space."""
_ALIGNED: Final = 0.8
"""Letter heights between left ends, or middles, of the lines of a paragraph in open space."""
_RIGHT_ALIGNED: Final = 0.5
"""Letter heights between right ends of such lines: text is hardly ever set so, and boxes end by chance."""
_FEWEST_LISTED: Final = 4
"""Lines of a list without marks."""
_GAP: Final = 1.3
"""Steps between the lines of a paragraph that are a gap between two."""
_WRAPPED_LINE: Final = 3.7
"""Letter heights from one full line of a paragraph to its next."""
_POINTED: Final = ("<", "\u2329", "\u3008")
"""How a label in pointed brackets begins, which heads a text."""
_CROSSING: Final = 0.05
"""Letter heights by which left ends and heights of lines of one text differ that a rule runs between."""
_LISTED_LEFT, _LISTED_STEP = 0.3, 0.2
"""Letter heights between left ends of such lines, and the part by which their steps differ."""
_ANNOUNCED: Final = (-0.5, 8.0)
"""Letter heights by which lines are indented that a colon announces."""
SURE_PARAGRAPH: Final = 0.85
"""Confidence of a note that is a paragraph in open space."""


def aligned_lists(left: Sequence[Line]) -> Iterator[list[Line]]:
    """Lists without marks: lines of one lettering in open space, their left ends below each other at equal steps.

    Most of them speak in three words or more; what has fewer is a legend, names of views, or sizes. Lines nearer to each other are a
    paragraph.
    """
    runs: list[list[Line]] = []
    lefts: list[tuple[float, float]] = []  # between which each run's lines begin
    open_ = [line for line in left if line.cell < 0 and not line.marked]
    if sum(word_count(line.text) >= SPOKEN_WORDS for line in open_) <= _FEWEST_LISTED // 2:
        return
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


@dataclass(slots=True)
class _Open:
    """A paragraph that a line may go on, with what most lines are told apart by."""

    draft: Draft
    level: float
    """Of its last line."""
    height: float
    """Of its last line."""
    cell: int
    left: tuple[float, float]
    """Where the left edge of a further line is, at the least and at the most; with `right`, and with `both`, the sum of the edges."""
    right: tuple[float, float]
    both: tuple[float, float]
    announces: bool
    """Whether one of its lines ends with a colon, or a label stands off from its first."""

    @classmethod
    def of(cls, draft: Draft) -> _Open:
        """A paragraph of one line."""
        first = draft.first
        left, _, right, _ = first.box
        reach = max(_ALIGNED, _RIGHT_ALIGNED, _LISTED_LEFT) * max(first.height, 1e-9) * (1.0 + 1e-6)
        announces = first.text.endswith(COLONS) or first.hanging is not None
        edges = (left - reach, left + reach), (right - reach, right + reach)
        both = left + right - 2.0 * reach, left + right + 2.0 * reach
        return cls(draft, first.level, first.height, first.cell, *edges, both, announces)

    def add(self, line: Line) -> None:
        """Go on with a line."""
        self.draft.parts.append(line)
        self.level, self.height = line.level, line.height
        self.announces = self.announces or line.text.endswith(COLONS)


def paragraphs(left: Sequence[Line]) -> list[Draft]:
    """Lines without marks that stand close under one another, in line with each other or centred."""
    found: list[Draft] = []
    open_: list[_Open] = []
    for line in left:
        if line.marked:
            continue
        level, height, cell = line.level, line.height, line.cell
        begin, _, end, _ = line.box
        reach = PARAGRAPH * height
        open_ = [each for each in open_ if (drop := each.level - level) < reach or drop < PARAGRAPH * each.height][
            -_OPEN:
        ]
        likely = (
            each
            for each in open_
            if (each.cell == cell or _may_cross_rule(each.draft.first, line))
            and (
                each.announces
                or each.left[0] < begin < each.left[1]
                or each.right[0] < end < each.right[1]
                or each.both[0] < begin + end < each.both[1]
            )
        )
        owners = [each for each in likely if _continues_paragraph(each.draft, line)]
        owner = min(owners, key=lambda each: each.level, default=None)
        if owner is not None:
            owner.add(line)
        else:
            draft = Draft(line, None, SURE_PARAGRAPH)
            found.append(draft)
            open_.append(_Open.of(draft))
    return [each for draft in found for each in _with_gaps_apart(draft)]


def _with_gaps_apart(draft: Draft) -> Iterator[Draft]:
    """A paragraph in open space, cut where the next line stands further below than other lines do.

    What a ruled cell holds is one text. Where steps are of several kinds, only the end of a sentence tells that a text ends.
    """
    if draft.first.cell >= 0:
        yield draft
        return
    wide = gaps(draft.lines)
    drops = [last.level - line.level for last, line in pairwise(draft.lines)]
    step = min((drop for drop in drops if drop > 0), default=0.0)
    own = Draft(draft.first, None, draft.sure)
    for place, (line, drop) in enumerate(zip(draft.parts, drops, strict=True), 1):
        is_apart = place in wide and not _breaks_off(own.last) and not line.text[:1].islower()
        if is_apart or (drop > _GAP * step and own.last.text.rstrip().endswith(ENDS)):
            yield own
            own = Draft(line, None, draft.sure)
        else:
            own.parts.append(line)
    yield own


def _may_cross_rule(first: Line, line: Line) -> bool:
    """Whether two lines are below each other, of which one is too long for the cell that the other is in."""
    h = max(first.height, 1e-9)
    return (
        OPEN_SPACE in (first.cell, line.cell)
        and abs(line.box[0] - first.box[0]) < _CROSSING * h
        and abs(line.height - first.height) < _CROSSING * h
    )


def _breaks_off(line: Line) -> bool:
    """Whether a line ends with a word that nothing ends with: an article, `and`; `in` behind a figure is inches."""
    before = line.text.split()[-2:-1]
    return OPEN_END.search(line.text.rstrip()) is not None and not any(word[-1].isdigit() for word in before)


def _continues_paragraph(draft: Draft, line: Line) -> bool:
    """Whether `line` is the next of a paragraph; after a colon what it announces may be set off and indented."""
    first = draft.first
    if line.cell != first.cell and not _may_cross_rule(first, line):
        return False
    if line.hanging is not None and line.text.startswith(_POINTED):
        return False
    h = max(first.height, 1e-9)
    drop = (draft.last.level - line.level) / h
    if not drop > 0 or not _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]:
        return False
    shift = (line.box[0] - first.box[0]) / h
    if _ANNOUNCED[0] < shift < _ANNOUNCED[1] and any(line.text.endswith(COLONS) for line in draft.lines):
        return drop < (PARAGRAPH if draft.last.text.endswith(COLONS) else WRAP)
    if drop >= (WRAP if first.cell > OPEN_SPACE else _PARAGRAPH_LINE):
        is_below = drop < _WRAPPED_LINE and abs(shift) < _LISTED_LEFT
        return (
            is_below
            and not _is_set_off(draft, line)
            and (not begins_anew(line) or _breaks_off(draft.last))
            and is_full(draft.last, line, width((*draft.lines, line)))
        )
    middle = abs(line.box[0] + line.box[2] - first.box[0] - first.box[2]) / 2 / h
    right = abs(line.box[2] - first.box[2]) / h
    return abs(shift) < _ALIGNED or middle < _ALIGNED or right < _RIGHT_ALIGNED or _is_under_label(first, line)


def _is_under_label(first: Line, line: Line) -> bool:
    """Whether a line begins where the text behind a label does, or between the two: the label hangs."""
    reach = _ALIGNED * max(first.height, 1e-9)
    return first.hanging is not None and first.box[0] - reach < line.box[0] < first.hanging + reach


def _is_set_off(draft: Draft, line: Line) -> bool:
    """Whether a line stands further below the end of a sentence than the lines of that text stand below each other."""
    steps = [last.level - each.level for last, each in pairwise(draft.lines)]
    is_apart = draft.last.level - line.level > _GAP * min(steps, default=0.0)
    return is_apart and draft.last.text.rstrip().endswith(ENDS)

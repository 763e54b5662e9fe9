"""Lists of statements, each after what it states: `Shell: stainless steel` over `Mating force: 5 to 20 N`.

Parameters under a heading with a colon are such a list, however short they are: `Module: 1.5` over `No. of teeth: 30` (ISO 1340).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import OPEN_END, PARAGRAPH, SPOKEN_WORDS, WRAP, Draft
from spatial.understanding.sheet.notes.line import NOTE_WORDS, Line, plain_words, word_count

_FEWEST: Final = 3
"""Statements of such a list, their subjects no labels of a title block."""
_FLUSH: Final = 0.3
"""Letter heights between the left ends of two statements, and by which a further line begins behind them."""
_SAME_HEIGHT: Final = (0.9, 1.12)
"""Ratio of the letter heights of two lines of such a list."""
_STATED_PART: Final = 0.7
"""Part of the notes under a heading that state something of a named subject where each of their lines is a note."""
_SURE: Final = 0.85
"""Confidence of a statement of such a list."""
_OF_PART: Final = frozenset({"material", "finish", "weight", "tolerances", "units"})
"""Labels of a block that say something of the part."""
_FEWEST_KNOWN: Final = 2
"""Such labels that tell a list of statements from a form of another kind."""
_SUBJECT: Final = re.compile(r"(?P<subject>[^\W\d_][^:=\uff1a]{2,40})[:\uff1a]\s*\S")
_HEADING: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?")
"""One word or two over a list, or over a part of it."""
_MEASURED: Final = re.compile(
    r"[^\W\d_]{4,}(?: [^\W\d_]+)*\s?[:\uff1a]\s*[±+-]?\d+(?:[.,]\d+)?\s?(?:[^\W\d_]{1,3}\b|[°%])"
)
"""Words, and the figure with its unit that is stated of them: `PRESSION: 16 bar`."""
_EQUATED: Final = re.compile(
    r"(?P<subject>(?=[^\W\d_][^:=\uff1a]{0,199}[^\W\d_]{2})[^:=\uff1a]{3,200})=\s*[ØøΦ⌀R±]?\s*[\d.,]*\d\s*(?:[^\W\d_]{1,3}|[°'\"%])?\W*"
)
"""Words and a figure that they are equal to, with its unit: `Number of teeth = 85`; `a = 5` is a size."""


def titled_lists(left: Sequence[Line]) -> Iterator[list[Draft]]:
    """Lists in open space or in one cell whose lines begin below each other and state something of a named subject each.

    Most lines of the list do; lines that are set in go on.
    """
    unmarked = [line for line in left if not line.marked]
    for run in map(with_further_statements_apart, _runs(unmarked)):
        subjects = [found["subject"] for draft in run if (found := _SUBJECT.match(draft.first.text)) is not None]
        own = [subject for subject in subjects if title_labels.read(subject) is None]
        if _are_equated(run):
            yield run
            continue
        if _are_of_part(run, subjects):
            yield run
            continue
        if len(own) < _FEWEST or len(set(own)) != len(own) or 2 * len(subjects) <= len(run):
            continue
        if len(own) == len(run) and run[0].first.cell < 0 and _is_headed(run[0].first, unmarked):
            yield run
        elif 2 * sum(_is_statement(draft.text) for draft in run) > len(run):
            yield [draft for draft in run if says_something(draft) and not draft.text.endswith(COLONS)]


def _is_statement(text: str) -> bool:
    """Whether a statement is made of words, or of a word and a quantity: `CURRENT RATING: 3A`; a pin and its net are not, `STP: PE11`."""
    return word_count(text) >= SPOKEN_WORDS or plain_words(text) >= NOTE_WORDS or _MEASURED.match(text) is not None


def says_something(draft: Draft) -> bool:
    """Whether it has the words of a note, or one word and what is said of it: `OVERALL: 100 x 60`."""
    return word_count(draft.text) >= NOTE_WORDS or states_subject(draft.first)


def _are_of_part(run: Sequence[Draft], subjects: Sequence[str]) -> bool:
    """Whether each of a run in open space states something of the part, though blocks have labels for it: `MATERIAL: S355`.

    What states something of the drawing, its number, its scale, its author, is a block without rules.
    """
    if run[0].first.cell >= 0 or len(run) < _FEWEST or len(set(subjects)) < len(run):
        return False
    keys = [wording.key for subject in subjects if (wording := title_labels.read(subject)) is not None]
    return (
        all(key in _OF_PART or key == "other" for key in keys) and sum(key in _OF_PART for key in keys) >= _FEWEST_KNOWN
    )


def _are_equated(run: Sequence[Draft]) -> bool:
    """Whether each of a run in open space says what figure some words are equal to, other words in each: data of a gear, of a spring."""
    equated = [_EQUATED.fullmatch(draft.text) for draft in run]
    subjects = {found["subject"].strip().casefold() for found in equated if found is not None}
    return run[0].first.cell < 0 and len(run) >= _FEWEST and len(subjects) == len(run)


def with_statements_apart(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` with each line as its own where most of them state something of a named subject, and the line is not set in.

    Such a list wraps no line unless the line before ends open.
    """
    if sum(states_subject(draft.first) for draft in drafts) < max(_FEWEST, _STATED_PART * len(drafts)):
        return list(drafts)
    return [each for draft in drafts for each in _lines_apart(draft)]


def with_further_statements_apart(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` with their further lines as notes of their own, where each of these states something of a named subject.

    What then stands over them and states nothing is a heading: `Max. process temperature:` over `Peak: 260 °C` and `Wave: 250 °C`.
    """
    return [each for draft in drafts for each in _statements(draft)]


def _statements(draft: Draft) -> list[Draft]:
    if not draft.parts or not all(map(states_subject, draft.parts)):
        return [draft]
    if any(OPEN_END.search(line.text.rstrip()) for line in draft.lines[:-1]):
        return [draft]
    is_heading = draft.first.text.rstrip().endswith(COLONS) or _HEADING.fullmatch(draft.first.text.strip()) is not None
    lines = draft.parts if is_heading else draft.lines
    return [replace(draft, first=line, parts=[]) for line in lines]


def states_subject(line: Line) -> bool:
    """Whether a line says something of what stands before its colon."""
    return _SUBJECT.match(line.text) is not None


def _lines_apart(draft: Draft) -> Iterator[Draft]:
    own = replace(draft, parts=[])
    for line in draft.parts:
        h = max(draft.first.height, 1e-9)
        # What follows TO may not have been read; a line with a subject of its own begins a statement all the same.
        is_open = OPEN_END.search(own.last.text.rstrip()) is not None and not states_subject(line)
        is_open |= own.last.text.endswith(COLONS)
        if line.text[:1].isupper() and abs(line.box[0] - draft.first.box[0]) < _FLUSH * h and not is_open:
            yield own
            own = replace(draft, first=line, parts=[])
        else:
            own.parts.append(line)
    yield own


def _is_headed(first: Line, left: Sequence[Line]) -> bool:
    """Whether words with a colon stand right over a list, in line with it."""
    h = max(first.height, 1e-9)
    return any(
        line.text.endswith(COLONS)
        and _is_alike(first, line)
        and abs(line.box[0] - first.box[0]) < _FLUSH * h
        and 0 < line.level - first.level < WRAP * h
        for line in left
    )


def _runs(left: Sequence[Line]) -> Iterator[list[Draft]]:
    runs: list[list[Draft]] = []
    for line in left:
        owner = next((run for run in runs if _is_next(run, line)), None)
        if owner is not None:
            owner.append(Draft(line, None, _SURE))
        elif (further := next((run for run in runs if _goes_on(run[-1], line)), None)) is not None:
            further[-1].parts.append(line)
        elif _SUBJECT.match(line.text) or _EQUATED.fullmatch(line.text):
            runs.append([Draft(line, None, _SURE)])
    yield from runs


def _is_next(run: Sequence[Draft], line: Line) -> bool:
    first, h = run[0].first, max(run[0].first.height, 1e-9)
    return (
        _is_alike(first, line)
        and abs(line.box[0] - first.box[0]) < _FLUSH * h
        and 0 < run[-1].last.level - line.level < PARAGRAPH * h
    )


def _goes_on(draft: Draft, line: Line) -> bool:
    """Whether a line that is set in stands under the statement that it goes on."""
    first, h = draft.first, max(draft.first.height, 1e-9)
    is_set_in = first.box[0] + _FLUSH * h < line.box[0] < first.box[2]
    return _is_alike(first, line) and is_set_in and 0 < draft.last.level - line.level < WRAP * h


def _is_alike(first: Line, line: Line) -> bool:
    ratio = line.height / max(first.height, 1e-9)
    in_one = first.cell == line.cell or max(first.cell, line.cell) < 0
    return first.page == line.page and in_one and _SAME_HEIGHT[0] < ratio < _SAME_HEIGHT[1]

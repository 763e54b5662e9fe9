"""The general notes of a sheet: numbered lists, lists under a heading, and sentences that stand for the whole sheet.

Glossary
  list      notes numbered one after the other, one under the other; a second column goes on counting.
  item      a lettered part of a note: "5a"; it is listed as a note of its own, with the number of its note.
  free note a sentence about the whole part that no list holds: "ALL UNITS IN MM".

Sources: ASME Y14.100-2017 §4.26 (notes), GOST 2.316 (technical requirements), spec `notes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from spatial.contract.drawing import Note, Notes
from spatial.knowledge.phrases import is_notice
from spatial.models.sheet.drawing import Sheet
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.notes.bulleted import bulleted_lists, heading_of, within_sentence
from spatial.understanding.sheet.notes.claimed_rows import notes_of_claimed
from spatial.understanding.sheet.notes.draft import Draft
from spatial.understanding.sheet.notes.feature_lists import are_named_positions, are_sized_features
from spatial.understanding.sheet.notes.footnotes import footnotes
from spatial.understanding.sheet.notes.free import free_notes, inline_notes, turned_notes, with_whole_notices
from spatial.understanding.sheet.notes.headings import (
    heading_above,
    heads_numbers,
    is_heading,
    is_under,
    may_announce,
    notes_announced,
    notes_under,
    unknown_heading,
)
from spatial.understanding.sheet.notes.line import Line, word_count
from spatial.understanding.sheet.notes.lines import lines
from spatial.understanding.sheet.notes.numbered import numbered_lists, with_further_lines
from spatial.understanding.sheet.notes.splitting import with_announced_parts
from spatial.understanding.sheet.notes.titled import titled_lists
from spatial.understanding.sheet.notes.unfilled import without_unfilled
from spatial.understanding.sheet.notes.unread_marks import (
    with_first_mark,
    with_left_out,
    with_marks_between,
    with_numbered_first,
    with_unread_last,
)

MOST_SHEETS: Final = 40
"""Sheets that are looked at for notes."""
MOST_ANNOUNCING: Final = 40
"""Lines with a colon under which notes are looked for; what has more is a form or a circuit."""
MOST_NOTES: Final = 300
"""Notes of a document."""
_COPIES: Final = 3
"""Places of a sheet that say the same of copies."""


@dataclass(frozen=True, slots=True)
class FoundNotes:
    """The notes, and the texts that they are made of."""

    notes: Notes
    claimed: frozenset[str]
    """Ids of all lines of the notes, and of their headings; not of sentences at one place of the part, which may hold callouts."""


def find_notes(sheets: Sequence[Sheet], grids: Mapping[int, list[Grid]], claimed: frozenset[str]) -> FoundNotes | None:
    """The notes of all sheets in order; one that stands on several sheets is listed once.

    Args:
        sheets: in the order of the file.
        grids: the ruled cells of each sheet, by page.
        claimed: ids of texts that belong to tables and the title block.
    """
    drafts: list[Draft] = []
    used: set[str] = set()
    for sheet in sheets[:MOST_SHEETS]:
        own = grids.get(sheet.page, [])
        for place, read in enumerate(lines(sheet, own, claimed)):
            found, headings = _turned_notes_of_sheet(read) if place else _notes_of_sheet(read)
            drafts.extend(found)
            used.update(source for heading in headings for source in heading.sources)
        drafts.extend(notes_of_claimed(sheet, own, claimed))
    once = _once(_without_unread(drafts))[:MOST_NOTES]
    if not once:
        return None
    notes = Notes(items=list(_items(once)), confidence=round(sum(draft.sure for draft in once) / len(once), 3))
    taken = {source for draft in drafts if not draft.is_local for source in draft.sources}
    return FoundNotes(notes, frozenset(used | taken))


def _without_unread(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` without those of which no word was read, where most are so: the text's font has no table of its letters."""
    read = [draft for draft in drafts if word_count(draft.text) or any(map(str.isdigit, draft.text))]
    return read if 2 * len(read) < len(drafts) else list(drafts)


def _once(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` without what an earlier sheet says as well, and without parts that say nothing; what one sheet says in two places stays.

    What stands without a number in many places is said of copies, as of the boards of a panel, and once is enough. A number that says
    nothing itself stays, as the parts under it may say all.
    """
    pages: dict[tuple[str, int | None, str | None, str], int] = {}
    said = [draft for draft in drafts if draft.text or (draft.number is not None and draft.letter is None)]
    once = [draft for draft in said if pages.setdefault(_identity(draft), draft.first.page) == draft.first.page]
    copies = Counter(map(_identity, once))
    first = {_identity(draft): draft for draft in reversed(once)}
    return [
        draft
        for draft in once
        if draft.number is not None or copies[_identity(draft)] < _COPIES or first[_identity(draft)] is draft
    ]


def _identity(draft: Draft) -> tuple[str, int | None, str | None, str]:
    """What a note says, however it is spaced."""
    return draft.first.series, draft.number, draft.letter, "".join(draft.text.split())


def _items(drafts: Sequence[Draft]) -> Iterator[Note]:
    last = 0
    for draft in drafts:
        number = draft.number if draft.number is not None else last + 1
        last = max(last, number)
        further: dict[str, object] = {"page": draft.first.page}
        if draft.letter or draft.first.series:
            further["item"] = f"{draft.first.series}{number}{draft.letter or ''}"
        if draft.number is None:
            further["numbered"] = False
        if is_notice(draft.text):
            further["kind"] = "notice"
        yield Note.model_validate({"number": number, "text": draft.text, "sources": draft.sources, **further})


def _notes_of_sheet(free: list[Line]) -> tuple[list[Draft], list[Line]]:
    """The notes of one sheet, and the headings that they stand under."""
    gathering = _Gathering(with_first_mark(with_left_out(with_marks_between(free))))
    gathering.add_numbered()
    gathering.add_headed()
    gathering.add_announced()
    gathering.add_bulleted()
    for find in (titled_lists, footnotes, inline_notes):
        gathering.add_each(find)
    return [*gathering.drafts, *with_whole_notices(list(free_notes(gathering.left())))], gathering.headings


def _turned_notes_of_sheet(free: list[Line]) -> tuple[list[Draft], list[Line]]:
    """The same of lettering that reads in another direction than most of the sheet: lists, and what says of itself that it is a note."""
    gathering = _Gathering(free)
    gathering.add_numbered()
    gathering.add_headed()
    gathering.add_each(turned_notes)
    return gathering.drafts, gathering.headings


class _Gathering:
    """The notes of a sheet while they are looked for, each way among the lines that the ways before have left."""

    def __init__(self, free: list[Line]) -> None:
        self.free = free
        self.headings = [line for line in free if is_heading(line) or heads_numbers(line, free)]
        self.used = {id(line) for line in self.headings}
        self.drafts: list[Draft] = []

    def left(self) -> list[Line]:
        return [line for line in self.free if id(line) not in self.used]

    def _take(self, drafts: Sequence[Draft], heading: Line | None = None) -> None:
        self.used |= {id(line) for draft in drafts for line in draft.lines}
        if heading is not None and id(heading) not in self.used:
            self.headings.append(heading)
            self.used.add(id(heading))

    def add_numbered(self) -> None:
        """Numbered lists, with a heading or without one."""
        runs = numbered_lists(self.left(), self.headings)
        for run in runs:
            if id(run[0]) in self.used:  # it begins again within a note of a list before
                continue
            left = self.left()
            over = heading_above(run[0], self.headings)
            if over is None and (are_sized_features(run) or are_named_positions(run, self.free)):
                continue
            drafts = with_unread_last(with_further_lines(run, left, bool(over), runs), left)
            self._take(drafts, unknown_heading(run[0], left) if over is None else None)
            self.drafts.extend(without_unfilled(drafts, left))

    def add_headed(self) -> None:
        """What stands under headings that no list stands under."""
        for heading in self.headings:
            if not any(is_under(heading, draft.first) for draft in self.drafts):
                drafts = with_numbered_first(
                    heading, list(with_announced_parts(notes_under(heading, self.left()))), self.left()
                )
                self._take(drafts)
                self.drafts.extend(drafts)

    def add_announced(self) -> None:
        """Sentences that are set in under any words with a colon."""
        announcing = list(filter(may_announce, self.left()))
        for line in announcing if len(announcing) <= MOST_ANNOUNCING else ():
            if id(line) not in self.used and (drafts := list(with_announced_parts(notes_announced(line, self.left())))):
                self._take(drafts, line)
                self.drafts.extend(drafts)

    def add_bulleted(self) -> None:
        """Lists of bullets, and the lines with a colon over them."""
        for drafts in bulleted_lists(self.left()):
            over = heading_of(drafts, self.free)
            own = within_sentence(over, drafts) if over is not None and id(over) not in self.used else drafts
            self._take(own, over)
            self.drafts.extend(own)

    def add_each(self, find: Callable[[list[Line]], Iterator[Draft | list[Draft]]]) -> None:
        """What a way finds, a note or a list at a time."""
        for found in list(find(self.left())):
            drafts = [found] if isinstance(found, Draft) else found
            self._take(drafts)
            self.drafts.extend(drafts)

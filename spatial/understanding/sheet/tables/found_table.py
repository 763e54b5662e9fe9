"""A table as its finders hand it on, and what a row must look like to be one.

Glossary
  entry  what stands in one place of a table: its text and the ids of the texts that it was read from.
  key    the column that numbers the rows: the item of a parts list, the mark of a revision.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from spatial.knowledge.patterns import alternatives
from spatial.knowledge.table_headers import column_of, concepts, kind_of_title, label
from spatial.knowledge.table_kinds import KINDS
from spatial.knowledge.value_forms import SHEET_OF_SEVERAL, UNREAD, has_digit, has_letter
from spatial.models.sheet.drawing import Box, Text
from spatial.understanding.sheet.cells.orientation import lines

Row: TypeAlias = "list[Entry]"

_MARK: Final = re.compile(r"[\w№#*.\-/+() △▲▽▼▵◇○□☆]{1,12}")
""" "1", "A.2", and a letter or number beside the triangle or circle that marks a change on the sheet (JIS B 0001)."""
_CODE: Final = re.compile(r"[\w.\-/]{4,40}")
_QUANTITY: Final = re.compile(
    rf"\(?\d{{1,6}}(?:[.,]\d+)?\)?(?:\s?[\w./%'\"]{{1,8}})?(?:\s?=\s?\d{{1,6}}\s?[^\W\d_]{{0,8}}\.?)?|{alternatives('quantity_word')}|-+",
    re.IGNORECASE,
)
"""Also of what comes in sets, `1 Set = 5 Nos`."""
NOTHING_SAID: Final = "-–—_./: "
"""Signs of cells that a form leaves to be filled in: `--/--/--`."""
_NUMBERED: Final = re.compile(r"\d{1,5}")


@dataclass(frozen=True, slots=True)
class Entry:
    """Text of one place of a table."""

    text: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading among the rows of a list."""

    title: str
    sources: tuple[str, ...]
    first_row: int
    """Place of the row that follows it."""


@dataclass(slots=True)
class FoundTable:
    """A table and how it was found."""

    page: int
    kind: str
    heads: list[Entry]
    rows: list[Row]
    """One entry a head, empty where nothing stands; in the order of items."""
    confidence: float
    box: Box
    title: Entry = field(default_factory=Entry)
    borders: tuple[float, ...] = ()
    """Places of its column rules along the line of reading, for a continuation; empty where it is not ruled."""
    angle: int = 0
    sections: list[Section] = field(default_factory=list)
    foreseen: int = 0
    """Rows behind the last one that say nothing but the mark which the form has printed for them."""
    shared: frozenset[str] = frozenset()
    """Ids of the texts that say what a title block says as well: the mark of a change that stands in it."""

    @property
    def is_titled(self) -> bool:
        """Whether its title says that it is of its kind: `Component drawing` beside a row of labels names no table of changes."""
        return kind_of_title(self.title.text) == self.kind

    @property
    def filled(self) -> int:
        """How many places of its rows say something."""
        return sum(bool(entry.text) for row in self.rows for entry in row)

    @property
    def sources(self) -> list[str]:
        """Ids of all its texts, each once."""
        parts: list[Entry | Section] = [
            self.title, *self.heads, *self.sections, *(entry for row in self.rows for entry in row),
        ]  # fmt: skip
        return list(dict.fromkeys(name for part in parts for name in part.sources))

    @property
    def claims(self) -> list[str]:
        """Ids of the texts that say nothing but what the table says: a hole table's sizes are callouts as well."""
        if self.kind == "table":
            return []
        own_columns = KINDS[self.kind].own_columns if self.kind in KINDS else None
        if own_columns is None:
            return [name for name in self.sources if name not in self.shared]
        claimed = [bool(known & own_columns) for known in meanings(self.heads)]
        parts = [
            self.title,
            *self.heads,
            *(each for row in self.rows for each, own in zip(row, claimed, strict=True) if own),
        ]
        return list(dict.fromkeys(name for part in parts for name in part.sources))


def entry(texts: Sequence[Text]) -> Entry:
    """Wrapped lines as one text."""
    return Entry(" ".join(" ".join(lines(texts)).split()), tuple(dict.fromkeys(text.id for text in texts)))


def meanings(heads: Sequence[Entry]) -> list[frozenset[str]]:
    """What each column may hold."""
    return [concepts(head.text) for head in heads]


def key_column(heads: Sequence[Entry], name: str) -> int | None:
    """Place of the key column of a table of this kind: where several may be it, rows of parts are numbered by the first of all."""
    known = meanings(heads)
    key = KINDS[name].key if name in KINDS else ""
    if name == "bom" and known and key in known[0]:
        return 0
    return column_of(known, key) if key else 0


def can_be_row(row: Row, heads: Sequence[Entry], name: str, key: int | None) -> bool:
    """Whether `row` can be a row of such a table: its mark is short, its quantity a number, and nothing in it labels another field."""
    filled = [each for each in row if each.text]
    if label(filled[0].text) == "title block" or sum(label(each.text) == "title block" for each in filled) > 1:
        return False
    mark = row[key].text.replace(UNREAD, "") if key is not None else ""
    if mark and not (_MARK.fullmatch(mark) or (name == "bom" and is_code(mark))):
        return False
    if name == "revisions" and _is_of_block(row, heads):
        return False
    if name == "bom":
        amount = column_of(meanings(heads), "quantity")
        counted = row[amount].text.replace(UNREAD, "").strip() if amount is not None else ""
        return not counted or bool(_QUANTITY.fullmatch(counted))
    return True


def is_code(text: str) -> bool:
    """Whether an item is no number of a row and the code of a part: `ITEM NUMBER` heads either."""
    return _CODE.fullmatch(text) is not None and has_digit(text)


def _is_of_block(row: Row, heads: Sequence[Entry]) -> bool:
    """Whether the values under `Drawn, Date, Rev, Sheet` are those of a title block: a sheet of several, or labels nobody filled in."""
    own = [(each.text.casefold(), head.text.casefold()) for each, head in zip(row, heads, strict=True) if each.text]
    counted = any(SHEET_OF_SEVERAL.fullmatch(each.text.strip()) and has_letter(each.text) for each in row)
    return counted or sum(said == head for said, head in own) > 1


def repeats_header(row: Row, heads: Sequence[Entry]) -> bool:
    """Whether `row` is the header once more."""
    said = [each.text.casefold() for each in row if each.text]
    return len(said) > 1 and said == [head.text.casefold() for head in heads if head.text][: len(said)]


_NAME: Final = "наименование"
_GROUP: Final = re.compile(r"[А-ЯЁA-Z][а-яёa-z]{2,}")
"""How the heading of a group begins: Винты ГОСТ 1491-80."""


def is_continuation(last: Row, row: Row, heads: Sequence[Entry]) -> bool:
    """Whether `row` of a specification (GOST 2.106) only goes on with the name that `last` begins."""
    names = [place for place, head in enumerate(heads) if _NAME in head.text.casefold()]
    if len(names) != 1:
        return False
    known = meanings(heads)
    name = names[0] if last[names[0]].text else _worded(last, names[0])
    item, amount = column_of(known, "item"), column_of(known, "quantity")
    said = {place for place, each in enumerate(row) if each.text}
    begun = any(last[place].text for place in range(name))
    if item is None or name not in said or not said <= {name, amount} or not begun or not last[name].text:
        return False
    if amount is not None and amount in said:
        return not last[amount].text
    return last[name].text.endswith((",", "-", "(")) or _GROUP.match(row[name].text) is None


def _worded(row: Row, name: int) -> int:
    """The column that has the words of a row without a name, where it is one: some offices write names in place of designations."""
    worded = [place for place, each in enumerate(row) if has_letter(each.text)]
    return worded[0] if len(worded) == 1 else name


def joined_row(last: Row, row: Row) -> Row:
    """`last` with what `row` adds to each of its places."""
    return [
        Entry(f"{first.text} {more.text}".strip(), tuple(dict.fromkeys((*first.sources, *more.sources))))
        for first, more in zip(last, row, strict=True)
    ]


def without_unfilled(rows: list[Row], key: int | None) -> list[Row]:
    """`rows` without the last ones that have nothing but their number or letter, which a form has printed for rows to be filled in.

    One letter alone may be the mark of a change of which nothing is said.
    """
    whole = [place for place, row in enumerate(rows) if sum(bool(each.text) for each in row) > 1]
    if not whole or key is None:
        return rows
    behind = rows[whole[-1] + 1 :]
    marks = [row[key].text for row in behind]
    numbered = all(map(str.isdigit, marks))
    lettered = len(marks) > 1 and all(len(mark) == 1 and mark.isalpha() for mark in marks)
    return rows[: whole[-1] + 1] if numbered or lettered else rows


def ascending(rows: list[Row], key: int | None) -> list[Row]:
    """`rows` upside down if they count down."""
    marks = [row[key].text for row in rows] if key is not None else []
    numbers = [int(mark) for mark in marks if _NUMBERED.fullmatch(mark)]
    falling = len(numbers) > 1 and all(first > second for first, second in pairwise(numbers))
    return rows[::-1] if falling else rows

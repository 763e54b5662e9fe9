"""Lines of lettering, and how several of them are read together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_statement
from spatial.knowledge.title_labels import Wording
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.cells.orientation import goes_on


@dataclass(slots=True, eq=False)
class Item:
    """A line of lettering in upright axes."""

    text: str
    box: Box
    height: float
    source: str
    order: int
    cell: int = -1
    """Place of its cell; -1 outside all cells."""
    wording: Wording | None = None
    """What it says as a label; None of what is no label."""
    angle: int = 0
    """Its direction of reading, relative to the block's."""

    @property
    def middle(self) -> tuple[float, float]:
        """Of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


def rows(items: Iterable[Item]) -> list[list[Item]]:
    """`items` line by line from the top, each line from the left."""
    found: list[list[Item]] = []
    for item in sorted(items, key=lambda each: (-each.middle[1], each.box[0])):
        level = found[-1][0] if found else None
        if (
            level is not None
            and abs(level.middle[1] - item.middle[1]) < 0.55 * max(min(level.height, item.height), 1e-9)
            and not any(_is_over(other, item) for other in found[-1])
        ):
            found[-1].append(item)
        else:
            found.append([item])
    return [sorted(row, key=lambda each: each.box[0]) for row in found]


def _is_over(other: Item, item: Item) -> bool:
    """Whether two texts stand one over the other, however close: they are two lines."""
    shared = min(other.box[2], item.box[2]) - max(other.box[0], item.box[0])
    narrower = min(other.box[2] - other.box[0], item.box[2] - item.box[0])
    return shared > 0.8 * narrower and other.middle[1] - item.middle[1] > 0.25 * item.height


def joined(items: Iterable[Item]) -> str:
    """What `items` say, line by line, parted by spaces; a number that goes on with a dash right behind is one."""
    return " ".join("".join(_with_gaps(row)) for row in rows(items))


def _with_gaps(row: Sequence[Item]) -> Iterator[str]:
    for place, item in enumerate(row):
        last, text = row[place - 1], item.text.strip()
        gap = (item.box[0] - last.box[2]) / max(min(last.height, item.height), 1e-9)
        if place and not goes_on(last.text.strip(), text, gap):
            yield " "
        yield text


def before_statement(items: Iterable[Item]) -> list[Item]:
    """The lines of a title down to the first one under it that is a sentence: "Tolerances are according to ISO 286-2"."""
    first, *further = rows(items)
    kept = takewhile(lambda line: not is_statement(joined(line)), further)
    return [item for line in (first, *kept) for item in line]


_NOTE: Final = re.compile(rf"{alternatives('note_inline')}\s*:\s*\S", re.IGNORECASE)
_FLUSH, _NEXT_LINE = 0.5, 2.5
"""Letter heights between the left ends of a note and the line below it, and from one down to the other."""
_MARK: Final = re.compile(r"\(?\d{1,2}\)?[.):]?")


def numbered(line: Item, items: Iterable[Item]) -> bool:
    """Whether a note's number, or the mark of a list, stands before it."""
    return any(
        abs(item.middle[1] - line.middle[1]) < 0.6 * line.height
        and 0 <= line.box[0] - item.box[2] + 0.5 * line.height < 8 * line.height
        and (_MARK.fullmatch(item.text) or _BULLET_ALONE.fullmatch(item.text)) is not None
        for item in items
    )


def goes_on_note(line: Item, items: Iterable[Item]) -> bool:
    """Whether one of the lines right over it, each below the other, says that it is a note: `NOTE: ...`."""
    stack = [item for item in items if abs(item.box[0] - line.box[0]) < _FLUSH * line.height]
    lowest = line
    for item in sorted(stack, key=lambda each: each.middle[1]):
        if 0 < item.middle[1] - lowest.middle[1] < _NEXT_LINE * line.height:
            if _NOTE.match(item.text):
                return True
            lowest = item
    return False


def sources(items: Sequence[Item]) -> tuple[str, ...]:
    """Their ids, each once."""
    return tuple(dict.fromkeys(item.source for item in items if item.source))


_BULLETS: Final = r"[\u2022\u25cf\u25aa\u25e6\u2219\u00b7\uf0a7\uf0b7]"
_BULLET, _BULLET_ALONE = (re.compile(rf"\s*{_BULLETS}{rest}") for rest in ("", r"\s*"))


def is_bulleted(line: str) -> bool:
    """Whether a line begins with the mark of a list."""
    return _BULLET.match(line) is not None


_LABELLED: Final = re.compile(r"[^\W\d_][^:\uff1a\d]{2,30}[:\uff1a]\s*\S.*")
""" "Fájlnév: Assem1": a label in any language, a colon and a value of its own."""


_LABEL_ALONE: Final = re.compile(r"[^\W\d_][^:\uff1a]{1,24}[:\uff1a]")


def is_label_alone(items: Sequence[Item]) -> bool:
    """Whether `items` say nothing but words and a colon behind them: a label, of whatever it may be."""
    return _LABEL_ALONE.fullmatch(joined(items).strip()) is not None


def is_labelled(line: str) -> bool:
    """Whether a line has a label of its own, known or not."""
    return _LABELLED.fullmatch(line) is not None


_CIRCLED: Final = "".join(map(chr, range(0x2460, 0x2474)))
"""Numbers in circles, the marks of a list: ① to ⑳."""


def without_labelled(items: Sequence[Item]) -> list[Item]:
    """`items` without further lines that have a label of their own: a second field in the cell of the first, which has none."""
    first, *_ = rows(items) or [[]]
    if is_labelled(joined(first).strip().lstrip(_CIRCLED)):
        return list(items)
    further = [row for row in rows(items)[1:] if is_labelled(joined(row).strip())]
    gone = {id(item) for row in further for item in row}
    return [item for item in items if id(item) not in gone]

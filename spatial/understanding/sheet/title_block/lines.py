"""Texts as the lines of which they consist, each part of a line that a wide gap sets off by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge import title_labels
from spatial.models.sheet.drawing import Box, Text
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.cells.baseline import on_baseline
from spatial.understanding.sheet.cells.orientation import turned
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.wordings import TWO_LABELS, two_labels, wording_of


def lines_of(text: Text, box: Box, cell: int, angle: int, order: int, cells: Sequence[Box]) -> Iterator[Item]:
    """The lines of `text`, each also cut where wide gaps part a label from what follows."""
    lines = [line for line in text.text.splitlines() if line.strip()][:60]
    step = (box[3] - box[1]) / max(len(lines), 1)
    for row, line in enumerate(lines):
        top = box[3] - row * step
        upright = (box[0], top - step, box[2], top) if len(lines) > 1 else box
        for part, own in _gapped(line, upright):
            yield Item(
                part,
                own,
                text.height,
                text.id,
                order,
                cell if own is upright else _cell_of_part(own, cell, cells),
                wording_of(part),
                angle,
            )


def box_of(text: Text, angle: int, lies: int) -> Box:
    """The box of `text` in axes turned by `angle`; lies: its own direction of reading in them. Degrees."""
    return on_baseline(text, angle) if lies == 0 and "\n" not in text.text.strip() else turned(text.box, angle)


def _cell_of_part(own: Box, cell: int, cells: Sequence[Box]) -> int:
    """The cell that a part of a text stands in: that of the text, or the smallest other one."""
    x, y = (own[0] + own[2]) / 2, (own[1] + own[3]) / 2
    if cell < 0 or (cells[cell][0] <= x <= cells[cell][2] and cells[cell][1] <= y <= cells[cell][3]):
        return cell
    around = [place for place, box in enumerate(cells) if box[0] <= x <= box[2] and box[1] <= y <= box[3]]
    return min(
        around,
        key=lambda place: area_of(cells[place]),
        default=cell,
    )


_AT_SIDE: Final = 0.5
"""Letter heights from the left side of a cell to a text that begins there."""
_NO_SPACE: Final = 0.12
"""Letter heights between two letters of one word."""


def with_words_whole(items: Sequence[Item], cells: Sequence[Box]) -> list[Item]:
    """`items`, the parts of a word that the rules of a form cut joined again.

    The word stands in the cell at whose left side its text begins, else in that of its middle.
    """
    found: list[Item] = []
    by_source: dict[str, list[Item]] = {}
    for item in items:
        first = next((each for each in by_source.get(item.source, ()) if _goes_on(each, item)), None)
        if first is None:
            found.append(item)
            by_source.setdefault(item.source, []).append(item)
        else:
            first.text, first.box = first.text + item.text, (*first.box[:2], item.box[2], first.box[3])
            first.wording = wording_of(first.text)
            if first.cell < 0 or first.box[0] - cells[first.cell][0] > _AT_SIDE * first.height:
                first.cell = _cell_of_part(first.box, item.cell, cells)
    return found


def _goes_on(first: Item, item: Item) -> bool:
    """Whether `item`, in another cell, goes on with the word that `first` ends with; "SCALEUNIT" are the labels of two cells."""
    if first.wording is not None or item.wording is not None:
        return False
    level = abs(first.middle[1] - item.middle[1]) < 0.1 * first.height
    close = abs(item.box[0] - first.box[2]) < _NO_SPACE * first.height
    return first.cell != item.cell and level and close and first.text[-1:].isalpha() and item.text[:1].isalpha()


_MOST_WORDS: Final = 3
"""Words of a label within a line."""
_LONGEST_LINE: Final = 160
"""Characters of a line of several fields."""


def _fields(line: str) -> list[str]:
    """ "Author: A. Mason Rev:1 Date: 11-04-2020": the fields of a line that consists of known labels, each with a colon and its value."""
    if len(line) > _LONGEST_LINE or len(_FIELD.findall(line)) < 2:
        return [line]
    cuts = sorted({cut for colon in _FIELD.finditer(line) if (cut := _label_before(line, colon.end())) is not None})
    parts = [line[start:end].strip() for start, end in pairwise([*cuts, len(line)])]
    said = [wording_of(part) for part in parts]
    keys = {word.key for word in said if word is not None and word.is_field and word.colon and word.value}
    return parts if cuts and cuts[0] == 0 and 1 < len(parts) == len(keys) else [line]


def _bare_fields(line: str) -> list[str]:
    """ "SIZE A3 SCALE 1:1 WEIGHT 21 g SHEET 1 of 1": the fields of a line in which each known label has a value of its form behind it."""
    if len(line) > _LONGEST_LINE or len(line.split()) < 2:
        return [line]
    words = list(_WORD.finditer(line))
    cuts = [word.start() for word in words if _is_strong(word.group())]
    parts = [line[start:end].strip() for start, end in pairwise([*cuts, len(line)])]
    said = [wording_of(part) for part in parts]
    keys = {word.key for word in said if word is not None and word.is_field and word.value}
    return parts if cuts and cuts[0] == 0 and 1 < len(parts) == len(keys) else [line]


def _is_strong(word: str) -> bool:
    """Whether a word is the label of a field of its own; "of" between two numbers of a sheet is none."""
    found = title_labels.read(word)
    if found is None or found.weak or found.value:
        return False
    return found.is_field and found.key != title_labels.SHEET_COUNT


def _label_before(line: str, end: int) -> int | None:
    """Where the known label begins that ends with the colon before `end`; None where none does."""
    starts = [word.start() for word in _WORD.finditer(line[:end])]
    for start in starts[-_MOST_WORDS:]:
        found = title_labels.read(line[start:end])
        if found is not None and found.is_field and not (found.weak or found.value):
            return start
    return None


_FIELD: Final = re.compile(r"[^\W\d_][:\uff1a]")
_WORD: Final = re.compile(r"\S+")
_GAP: Final = re.compile(r"\s{3,}|\t+")
_COLONS: Final = re.compile(r"[^\W\d][^:\uff1a\d]{1,24}[:\uff1a](?:\s+[^\W\d][^:\uff1a\d]{1,24}[:\uff1a]){1,3}")
"""Labels of neighbouring cells that the exporter wrote as one text: "Modifica: Foglio:"."""
_SHORT_WORD: Final = re.compile(rf"[^\s:\uff1a]{{1,{TWO_LABELS - 1}}}")
"""What has no blank, no colon and no room for two labels is one part."""
_COLON: Final = re.compile(r"(?<=[:\uff1a])\s+")


def _gapped(line: str, box: Box) -> Iterator[tuple[str, Box]]:
    whole = line.strip()
    if _SHORT_WORD.fullmatch(whole):
        yield whole, box
        return
    parts = [part for part in _GAP.split(whole) if part]
    if len(parts) == 1:
        parts = _fields(whole)
    if len(parts) == 1:
        parts = _bare_fields(whole)
    if len(parts) == 1 and _COLONS.fullmatch(whole):
        parts = _COLON.split(whole)
    colons = len(parts) > 1 and all(part[-1] in ":\uff1a" for part in parts)
    if not colons and (len(parts) < 2 or len(parts) > 12 or all(title_labels.read(part) is None for part in parts)):
        parts = two_labels(whole)
    if len(parts) < 2:
        yield " ".join(line.split()), box
        return
    step = (box[2] - box[0]) / max(len(line), 1)
    at = 0
    for part in parts:
        at = line.index(part, at)
        yield part, (box[0] + at * step, box[1], box[0] + (at + len(part)) * step, box[3])
        at += len(part)

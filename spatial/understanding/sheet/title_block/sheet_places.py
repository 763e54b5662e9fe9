"""The number of a sheet by its place: at the paper format, round the word for how many there are, or in the sentence of a form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge.patterns import alternatives
from spatial.knowledge.title_labels import SHEET_COUNT
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, sources
from spatial.understanding.sheet.title_block.label_cells import is_count
from spatial.understanding.sheet.title_block.layout import Layout

_NEAR: Final = 1.5
"""Letter heights between the label and the numbers of a sheet, on its line or on the next."""
_SHEETS_STATED: Final = re.compile(alternatives("sheets_stated"))


def at_paper_size(
    layout: Layout, free: Sequence[Sequence[Item]], formed: Sequence[FieldReading], valued: Collection[str]
) -> Iterator[FieldReading]:
    """The number in the cell right over or under that of the paper format, as wide as it: the sheet."""
    ids = next((reading.sources for reading in formed if reading.key == "size"), None)
    if ids is None or "sheet" in valued or any(reading.key == "sheet" for reading in formed):
        return
    own = next(layout.cells[items[0].cell] for items in free if sources(items) == ids)
    slack = 0.006 * layout.diagonal
    for items in free:
        box, text = layout.cells[items[0].cell], tidy(joined(items))
        level = abs(box[0] - own[0]) < slack and abs(box[2] - own[2]) < slack
        close = abs(box[1] - own[3]) < slack or abs(box[3] - own[1]) < slack
        if level and close and re.fullmatch(r"\d{1,3}", text):
            yield FieldReading("sheet", text, sources(items), "typical place")
            return


def identified(block: Block, known: Collection[str], named: Collection[str]) -> Iterator[FieldReading]:
    """ "Id: 1/3", or 1/3 under "Number" where the sheet is labelled with a name: n of m identifies a sheet and no document."""
    if "sheet" in known:
        return
    for label in block.labels:
        word = label.wording
        if word is None or word.key != "drawing_number" or not word.weak:
            continue
        if word.colon and values.is_one_of_several(word.value):
            yield FieldReading("sheet", word.value, (label.source,), "typical place")
            return
        beside = [item for item in block.layout.inside.get(label.cell, ()) if item is not label]
        if (
            "sheet" in named
            and label.cell >= 0
            and len(beside) == 1
            and values.is_one_of_several(text := tidy(beside[0].text))
        ):
            yield FieldReading("sheet", text, (label.source, beside[0].source), "typical place")
            return


def around_count(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The only two numbers of a cell with "OF", whatever word stands before it: the sheet and how many there are."""
    for label in block.labels if "sheet" not in known else ():
        if label.cell < 0 or not is_count(label):
            continue
        inside = block.layout.inside[label.cell]
        figures = [item for item in inside if all(word.isdigit() for word in item.text.split())]
        level = [
            item for item in figures if abs(item.middle[1] - label.middle[1]) < _NEAR * max(item.height, label.height)
        ]
        if not level and all(item in figures or _counts_sheets(item) for item in inside):
            level = figures
        numbers = [word for item in sorted(level, key=lambda each: each.box[0]) for word in item.text.split()]
        if len(numbers) == 2 and values.is_one_of_several(text := f"{numbers[0]} of {numbers[1]}"):
            text = f"{numbers[0]} {label.text.split()[-1]} {numbers[1]}"
            yield FieldReading("sheet", text, sources([*level, label]), "typical place")
            return


def _counts_sheets(item: Item) -> bool:
    """Whether it is a label of the sheet or of their count, without a value."""
    word = item.wording
    return word is not None and word.key in ("sheet", SHEET_COUNT) and not word.value


def counted_in_words(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """The count of sheets and the number of one between words that state both in this order: "共 2 张 第 1 张"."""
    for items in block.layout.inside.values() if "sheet" not in known else ():
        written = joined(items)
        numbers = [
            word for item in sorted(items, key=lambda each: each.box[0]) for word in re.findall(r"\d+", item.text)
        ]
        words = re.sub(r"[\W\d_]", "", written)
        if len(numbers) != 2 or _SHEETS_STATED.fullmatch(words) is None:
            continue
        text = f"{int(numbers[1])} of {int(numbers[0])}"
        if any(block.holds(item) for item in items) and values.is_one_of_several(text):
            yield FieldReading("sheet", text, sources(items), "typical place")
            return

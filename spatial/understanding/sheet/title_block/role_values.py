"""What the text of a role says instead of a name or behind it: the number of a person, the revision that its date names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.value_forms import compact_date, full_date
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.label_cells import is_ruled
from spatial.understanding.sheet.title_block.layout import Layout

_NUMBER_OF_PERSON: Final = re.compile(r"\d{4,7}")
"""As members of a staff and students are registered under; eight figures may be a date."""
_NAME: Final = r"[^\W\d_][^\W\d_.'\u2019-]+"
_PERSON: Final = re.compile(rf"{_NAME}(?: {_NAME}){{1,3}}(?:,? [A-Za-z]?\d{{4,10}})?")
"""Given name and surname, and the number that a student is registered under."""
_LIST: Final = 3
"""Lines that are a list of persons; of two without numbers the second may be a department."""
_PIECES: Final = 3
"""Of one label, at most, that an exporter wrote apart."""
_EDGE: Final = 0.004
"""Of the sheet's diagonal, between the sides of two cells of one row."""
_TOUCH: Final = 0.3
"""Label heights by which the line under a label may stand in its line."""


def number_of_person(layout: Layout, label: Item) -> Item | None:
    """The number of a member of the staff or a student where a name should stand: alone under a role's label, but for its date."""
    word = label.wording
    if word is None or word.weak or word.value or not is_ruled(layout, label):
        return None
    others = [item for item in layout.inside[label.cell] if item is not label]
    dated = [item for item in others if full_date(item.text) == item.text.strip()]
    rest = [item for item in others if item not in dated]
    if len(rest) != 1 or len(dated) != 1 or rest[0].middle[1] > label.box[1]:
        return None
    return rest[0] if _NUMBER_OF_PERSON.fullmatch(rest[0].text.strip()) else None


def is_part_of_label(layout: Layout, item: Item) -> bool:
    """Whether all that stands in the cell of `item` makes a label together, of which it is one piece: "标" and "准化"."""
    inside = layout.inside.get(item.cell, ()) if item.cell >= 0 else ()
    pieces = sorted(inside, key=lambda piece: piece.box[0])
    if any(piece.wording is not None for piece in pieces):
        return False
    return 1 < len(pieces) <= _PIECES and title_labels.is_label("".join(piece.text.strip() for piece in pieces))


def revision_behind(label: Item, items: Sequence[Item]) -> Iterator[FieldReading]:
    """The revision that its date names, stated behind the name in the text of a role: "SRM REV 2020APR06"."""
    for item in (label, *items):
        text = item.wording.value if item.wording is not None else item.text
        date = full_date(text) or compact_date(text)
        if date and text.rstrip().endswith(date) and is_of_revision(text.partition(date)[0]):
            yield FieldReading("revision", date, (item.source,), "label left", True, label.order)


def is_of_revision(before: str) -> bool:
    """Whether what stands before a date in its text ends with the label of a revision."""
    word = title_labels.read(before.rsplit(maxsplit=1)[-1]) if before.split() else None
    return word is not None and word.key == "revision"


def name_signatures(block: Block) -> None:
    """Takes its field from the word for a firm alone in a cell between those of "NAME" and "DATE": there it is a signature ("FIRMA")."""
    layout = block.layout
    slack = _EDGE * layout.diagonal
    alone = [label for label in block.labels if is_ruled(layout, label) and len(layout.inside[label.cell]) == 1]
    for label in alone:
        if label.wording is None or label.wording.key != "company" or label.wording.value:
            continue
        own = layout.cells[label.cell]
        level = [
            (layout.cells[other.cell], other)
            for other in alone
            if max(abs(layout.cells[other.cell][1] - own[1]), abs(layout.cells[other.cell][3] - own[3])) < slack
        ]
        is_after_name = any(
            abs(box[2] - own[0]) < slack and title_labels.folded(other.text) in title_labels.PERSONS
            for box, other in level
        )
        is_before_date = any(
            abs(box[0] - own[2]) < slack and other.wording is not None and other.wording.key == "date"
            for box, other in level
        )
        if is_after_name and is_before_date:
            label.wording = title_labels.Wording(title_labels.OTHER)


def persons_listed(layout: Layout, label: Item) -> list[Item]:
    """The names of several persons under a role's label in its ruled cell, one a line, each with a number behind it or none."""
    if label.wording is None or label.wording.value or not is_ruled(layout, label):
        return []
    under = sorted(
        (item for item in layout.inside[label.cell] if item.middle[1] < label.box[1] + _TOUCH * label.height),
        key=lambda item: -item.middle[1],
    )
    is_even = all(abs(item.box[0] - label.box[0]) < label.height for item in under)
    texts = [item.text.strip() for item in under]
    is_sure = len(texts) >= _LIST or (len(texts) > 1 and all(text[-1].isdecimal() for text in texts))
    return under if is_sure and is_even and all(map(_PERSON.fullmatch, texts)) else []

"""Labels whose wording is known in part, told by the column of labels in which they stand.

Glossary
  column  label cells of one width, one under the other, lettered alike, each with a value in larger lettering in the cell to its right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.title_labels import Wording
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.items import Item, joined, rows
from spatial.understanding.sheet.title_block.label_cells import SAME_LETTERING
from spatial.understanding.sheet.title_block.layout import Layout

_SLACK: Final = 0.004
"""Of the sheet's diagonal, between the sides of two cells of one column."""
_LARGER: Final = 1.15
"""How much larger a value is lettered than its label."""


def name_columns(block: Block) -> None:
    """Make labels of the texts in the column of a known label that begin with a word of labels: "MATERIAL SPEC." under "FINISH".

    What is misspelt or not known behind that word is part of the label, not its value: values stand in the cells to the right.
    """
    layout = block.layout
    known = {label.cell for label in block.labels if label.cell >= 0 and _names_a_field(label)}
    for cell, items in layout.inside.items():
        wording = _begins(items)
        if wording is not None and any(_is_column(layout, cell, other) for other in known - {cell}):
            _make_label(block, items, wording)


def _names_a_field(label: Item) -> bool:
    return label.wording is not None and label.wording.is_field and not label.wording.value


def _begins(items: Sequence[Item]) -> Wording | None:
    """What the first words of the only line of a cell say as a label, where the whole line says nothing."""
    line = rows(items)[0]
    if len(line) != len(items) or any(item.wording for item in line[1:]) or (len(line) == 1 and line[0].wording):
        return None
    words = joined(line).split()
    for count in range(len(words) - 1, 0, -1):
        found = title_labels.read(" ".join(words[:count]))
        if found is not None:
            return (
                Wording(found.key, True) if found.is_field and not (found.weak or found.value or found.colon) else None
            )
    return None


def _is_column(layout: Layout, cell: int, other: int) -> bool:
    """Whether two label cells stand one right over the other in one lettering, and a larger value beside each."""
    own, box, slack = layout.cells[cell], layout.cells[other], _SLACK * layout.diagonal
    one_width = max(abs(own[0] - box[0]), abs(own[2] - box[2])) <= slack
    touching = min(abs(own[1] - box[3]), abs(own[3] - box[1])) <= slack
    first, second = layout.inside[cell][0].height, layout.inside[other][0].height
    alike = abs(first - second) <= SAME_LETTERING * second
    return one_width and touching and alike and all(_has_value(layout, each) for each in (cell, other))


def _has_value(layout: Layout, cell: int) -> bool:
    """Whether the cell to the right, as high as `cell`, holds larger lettering that is no label."""
    return any(
        min(item.height for item in items) > _LARGER * layout.inside[cell][0].height
        and not any(item.wording for item in items)
        for items in _beside(layout, cell)
    )


def _beside(layout: Layout, cell: int) -> Iterator[list[Item]]:
    own, slack = layout.cells[cell], _SLACK * layout.diagonal
    for other in layout.beside(cell):
        box = layout.cells[other]
        if max(abs(box[1] - own[1]), abs(box[3] - own[3])) <= slack and (items := layout.inside.get(other)):
            yield items


def _make_label(block: Block, items: list[Item], wording: Wording) -> None:
    first, *rest = rows(items)[0]
    first.wording, first.box = wording, box_around([item.box for item in items])
    gone = {id(item) for item in rest}
    block.layout.items = [item for item in block.layout.items if id(item) not in gone]
    items[:] = [first]
    if not any(label is first for label in block.labels):
        block.labels.append(first)

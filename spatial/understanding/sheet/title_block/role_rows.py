"""Name and date of those who drew, checked or approved: in the row of each label, or below it.

Glossary
  role  who drew, checked or approved: a label with a name, and often a date, in its row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import ROLES, can_be, is_distinctive
from spatial.knowledge.phrases import is_template_text
from spatial.knowledge.value_forms import UNREAD, compact_date, full_date, tidy
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import Evidence, FieldReading
from spatial.understanding.sheet.title_block.items import Item, rows, sources
from spatial.understanding.sheet.title_block.label_cells import (
    ACROSS,
    AROUND,
    SAME_LETTERING,
    alike_cells,
    cost_of,
    is_ruled,
    label_count,
)
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.pairs import SMALLER
from spatial.understanding.sheet.title_block.role_values import (
    is_of_revision,
    is_part_of_label,
    number_of_person,
    persons_listed,
    revision_behind,
)

_COLUMN: Final = 3
"""Roles under one another that make a column."""
_FEWEST: Final = 2
"""Roles whose labels have cells of their own, where the cells beside them hold names."""
_EDGE: Final = 0.004
"""Of the sheet's diagonal, between the sides of two cells of one row or column."""
_LEVEL: Final = 0.15
"""Of the height of a row, by which the sides of a cell further on may lie off it."""
_ROOM, _SAME_PLACE = 1.5, 0.3
"""Label heights under a label that are room for its value, and by which two labels stand differently in their cells."""
_STAMP: Final = 0.35
"""Part of the height of a label that a value has at least."""
_UNEVEN: Final = 0.2
"""Of the distance between the rows of a column, by which rows may be apart more or less."""


def role_readings(block: Block, labels: Sequence[Item], given: Mapping[int, Sequence[Item]]) -> Iterator[FieldReading]:
    """Name and date in the row of each role, or below it."""
    for label in labels:
        wording = label.wording
        if wording is None or wording.key not in ROLES:
            continue
        if listed := persons_listed(block.layout, label):
            several = ", ".join(item.text.strip() for item in listed)
            ids = (label.source, *sources(listed))
            yield FieldReading(wording.key, several, ids, "cell label", wording.weak, label.order)
            continue
        items, evidence = _in_stack(block.layout, label, given[id(label)]) or _row_of(block, label)
        if evidence != "cell label" and _fellow_is_filled(block.layout, label, labels):
            continue
        items = [item for item in items if not _continues_column(item, labels) and not _is_far_smaller(item, label)]
        items = [item for item in items if not is_part_of_label(block.layout, item)]
        names, dates = _names_and_dates(wording.value, label, items, is_alone=_is_alone(label, items))
        name = tidy(" ".join(name for name, _ in names))
        if name and can_be(wording.key, name):
            ids = (label.source, *(source for _, source in names))
            other = title_labels.second_role(label.text, wording.key)
            # A text is the value of one key, but where its label names two.
            told: Evidence = "cell label" if other else evidence
            yield FieldReading(wording.key, name, ids, told, wording.weak, label.order)
            if other:
                yield FieldReading(other, name, ids, told, True, label.order)
        elif number := number_of_person(block.layout, label):
            ids = (label.source, number.source)
            yield FieldReading(wording.key, number.text.strip(), ids, "cell label", True, label.order)
        yield from revision_behind(label, items)
        first = {"drawn_by": 0, "approved_by": 2, "checked_by": 3}[wording.key] + 1 + 4 * wording.weak
        for date, source in dates[:1]:
            yield FieldReading("date", date, (label.source, source), evidence, True, first * 1000)


def cells_of_role_rows(block: Block) -> set[int]:
    """The cells that go on the column of a role's label, whatever word stands there, and those right beside them: labels and names too."""
    layout = block.layout
    named = {label.cell for label in block.labels if label.cell >= 0 and label.wording and label.wording.key in ROLES}
    roles = [cell for cell in named if len(layout.inside[cell]) == 1]
    if len(roles) < _FEWEST:
        return set()
    slack = _EDGE * layout.diagonal
    column, ahead = set(roles), list(roles)
    while ahead:
        own = layout.cells[ahead.pop()]
        for cell, items in layout.inside.items():
            box = layout.cells[cell]
            aligned = max(abs(box[0] - own[0]), abs(box[2] - own[2])) < slack
            touches = min(abs(box[3] - own[1]), abs(box[1] - own[3])) < slack
            even = abs((box[3] - box[1]) - (own[3] - own[1])) < _UNEVEN * (own[3] - own[1])
            if cell not in column and aligned and touches and even and len(items) == 1:
                column.add(cell)
                ahead.append(cell)
    beside = {near for cell in column for near in layout.beside(cell) if _is_level_cell(layout, cell, near, slack)}
    return column | beside


def _is_level_cell(layout: Layout, cell: int, other: int, slack: float) -> bool:
    own, box = layout.cells[cell], layout.cells[other]
    return max(abs(own[1] - box[1]), abs(own[3] - box[3])) < slack


def _fellow_is_filled(layout: Layout, label: Item, labels: Sequence[Item]) -> bool:
    """Whether another role of the column has its name in its own cell, as wide as that of `label`, in which nothing else stands."""
    if not is_ruled(layout, label) or len(layout.inside[label.cell]) > 1:
        return False
    own = layout.cells[label.cell]
    slack = _LEVEL * (own[3] - own[1])
    for other in labels:
        if other.cell < 0 or other is label or other.wording is None or other.wording.key not in ROLES:
            continue
        box, inside = layout.cells[other.cell], layout.inside[other.cell]
        alike = max(abs(own[0] - box[0]), abs(own[2] - box[2])) < slack
        if alike and len(inside) == 1 and other.wording.value:
            return True
        if alike and len(inside) > 1 and all(item is other or item.wording is None for item in inside):
            return True
    return False


def _is_far_smaller(item: Item, label: Item) -> bool:
    """Whether an item is lettered far smaller than the word before it: that one is no label of it (a stamp, "DRAFT")."""
    return item.height < _STAMP * label.height


def _continues_column(item: Item, labels: Sequence[Item]) -> bool:
    """Whether an item is the next row label under a column of roles, in whatever words: as high, as far left, as far below."""
    column = [
        label
        for label in labels
        if label.wording
        and label.wording.key in ROLES
        and abs(label.box[0] - item.box[0]) < label.height
        and label.height > 0.7 * item.height > 0.49 * label.height
    ]
    heights = sorted((label.middle[1] for label in column), reverse=True)
    if len(heights) < _COLUMN:
        return False
    pitch = (heights[0] - heights[-1]) / (len(heights) - 1)
    gaps = [above - below for above, below in pairwise([*heights, item.middle[1]])]
    return all(abs(gap - pitch) < _UNEVEN * pitch for gap in gaps)


def _names_and_dates(
    value: str, label: Item, items: Sequence[Item], *, is_alone: bool
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """What `value` and `items` say; a word that is some label elsewhere ("team") is a name only where it stands alone under `label`."""
    names: list[tuple[str, str]] = []
    dates: list[tuple[str, str]] = []
    pieces = [(value, label.source)] if value else []
    for written, source in (*pieces, *((item.text, item.source) for item in _cell_by_cell(items))):
        if written.rstrip().endswith((":", "\uff1a")) or is_template_text(written):
            continue
        text = tidy(written)
        if UNREAD in text:
            continue
        date = full_date(text) or compact_date(text) or (text if can_be("date", text) and len(text) > 4 else None)
        rest = tidy(text.replace(date, " ")).strip("/,;- ") if date else text
        if date and is_of_revision(text.partition(date)[0]):
            # SRM REV 2020APR06: the revision's date, and a label is no part of a name.
            date, rest = None, " ".join(rest.split()[:-1])
        if date:
            dates.append((date, source))
        could_be = rest and not is_template_text(rest) and can_be("drawn_by", rest)
        if could_be and not _is_label(rest, but_other=is_alone):
            names.append((rest, source))
    cells = {item.source: item.cell for item in (label, *items)}
    in_one_cell = len({cells[source] for _, source in names}) == 1
    return names[:1] if len(names) > 1 and not (in_one_cell and _wrapped(names)) else names, dates


def _cell_by_cell(items: Sequence[Item]) -> Iterator[Item]:
    """`items` line by line, those of a cell before those of the next one to the right: the name stands in the first."""
    begins: dict[int, float] = {}
    for item in items:
        begins[item.cell] = min(item.box[0], begins.get(item.cell, item.box[0]))
    for cell in sorted(begins, key=lambda each: begins[each]):
        yield from (item for row in rows(item for item in items if item.cell == cell) for item in row)


def _is_alone(label: Item, items: Sequence[Item]) -> bool:
    """Whether one line stands in the cell of `label` besides it, as a small letter begins no heading."""
    return sum(item.cell == label.cell >= 0 and item.text[:1].islower() for item in items) == 1


def _is_label(text: str, *, but_other: bool) -> bool:
    """Whether `text` is a label; but_other: of a field."""
    if not but_other:
        return title_labels.is_label(text)
    word = title_labels.read(text)
    return word is not None and (word.is_field or word.key == title_labels.HEADER)


def _wrapped(names: Sequence[tuple[str, str]]) -> bool:
    """Whether two pieces are one name: given name and surname."""
    return (
        len(names) == 2
        and all(len(name.split()) == 1 and len(name) > 2 for name, _ in names)
        and names[0][0].casefold() != names[1][0].casefold()
    )


def _in_stack(layout: Layout, label: Item, given: Sequence[Item]) -> tuple[list[Item], Evidence] | None:
    """The name right under a role's label in its own cell, where further labels stand: "Designed by", name, "Date", date."""
    if not is_ruled(layout, label) or label_count(layout, label.cell) < 2 or (label.wording and label.wording.value):
        return None
    level = any(abs(item.middle[1] - label.middle[1]) < 0.6 * label.height for item in given)
    under = [item for item in given if item.box[1] < label.box[1]]
    return (under[:1], "cell label") if under and not level else None


def _row_of(block: Block, label: Item) -> tuple[list[Item], Evidence]:
    """What stands in the row of a role's label up to the next label; if nothing does, what stands right below it."""
    layout = block.layout
    own = layout.cells[label.cell] if is_ruled(layout, label) else label.box
    mates = [item for item in layout.inside.get(label.cell, ()) if item is not label] if is_ruled(layout, label) else []
    if mates and all(item.wording is None for item in mates):
        return [*mates, *_date_beside(layout, label.cell)], "cell label"
    if label.wording and label.wording.value:
        return _date_in_row(layout, label), "cell label"
    # Where several labels share a cell, the row of one is its line.
    row = [item for item in mates if item.box[0] >= label.box[2] - 0.4 * label.height and _is_level(label, item)]
    if not row:
        slack = 0.0 if is_ruled(layout, label) else 0.3 * label.height
        row = [
            item
            for item in layout.items
            if item is not label
            and item.box[0] >= label.box[2] - 0.4 * label.height
            and own[1] - slack <= item.middle[1] <= own[3] + slack
            and (is_ruled(layout, label) or block.holds(item, AROUND * layout.diagonal))
        ]
    row.sort(key=lambda item: item.box[0])
    kept: list[Item] = []
    edge = own[2]
    for item in row:
        if (
            item.wording is not None
            or not _same_row(layout, label, item)
            or _is_value_under(block, item)
            or _is_head(layout, label, item)
            or _is_among_labels(layout, label, item)
            or item.box[0] - edge > ACROSS * 2 * label.height
        ):
            break
        kept.append(item)
        edge = max(edge, item.box[2])
    if kept:
        return kept, "label left"
    return _under(layout, label), "label above"


def _is_value_under(block: Block, item: Item) -> bool:
    """Whether the label of another field stands in the cell over a text of that field's form: "mm" under "UNITS" in the row of a role."""
    keys = {
        label.wording.key
        for label in block.labels
        if label.cell >= 0 and label.wording and label.wording.is_field and item.cell in block.layout.below(label.cell)
    }
    return any(is_distinctive(key, item.text) for key in keys - set(ROLES) - {"date"})


def _is_head(layout: Layout, label: Item, item: Item) -> bool:
    """Whether a text in another cell is lettered and placed as `label`, over larger lettering: the label of that cell, of no known word."""
    if item.cell in (label.cell, -1) or abs(item.height - label.height) > SAME_LETTERING * label.height:
        return False
    others = [other for other in layout.inside.get(item.cell, ()) if other is not item]
    level = abs(item.middle[1] - label.middle[1]) < _SAME_PLACE * label.height
    return (
        level
        and bool(others)
        and all(other.box[3] < item.box[1] and SMALLER * other.height > item.height for other in others)
    )


def _is_among_labels(layout: Layout, label: Item, item: Item) -> bool:
    """Whether a text alone in its cell, lettered as the label before it, is one of no known word: labels stand on both sides."""
    if min(label.cell, item.cell) < 0 or len(layout.inside[item.cell]) > 1:
        return False
    before = [cell for cell in layout.inside if label.cell in layout.beside(cell)]
    return (
        abs(item.height - label.height) <= SAME_LETTERING * label.height
        and any(_is_bare(layout, cell) for cell in before)
        and any(_is_bare(layout, cell) for cell in layout.beside(item.cell))
    )


def _is_bare(layout: Layout, cell: int) -> bool:
    """Whether a cell holds a label and nothing else."""
    items = layout.inside.get(cell, ())
    return len(items) == 1 and items[0].wording is not None and not items[0].wording.value


def _is_level(label: Item, item: Item) -> bool:
    return abs(item.middle[1] - label.middle[1]) < 0.6 * max(label.height, item.height)


def _date_in_row(layout: Layout, label: Item) -> list[Item]:
    """The only date in the row of a role's label, which has the name in its own text."""
    if not is_ruled(layout, label):
        return []
    own = label.box if label_count(layout, label.cell) > 1 else layout.cells[label.cell]
    row = [item for item in layout.items if own[1] < item.middle[1] < own[3] and item.box[0] > own[2]]
    dates = [item for item in row if is_distinctive("date", item.text) and _same_row(layout, label, item)]
    return dates if len(dates) == 1 else []


def _date_beside(layout: Layout, cell: int) -> list[Item]:
    """The date in the cell to the right of a role's cell, which holds label and name."""
    for near in layout.beside(cell):
        items = layout.inside.get(near, [])
        if len(items) == 1 and items[0].wording is None and is_distinctive("date", items[0].text):
            return items
    return []


def _same_row(layout: Layout, label: Item, item: Item) -> bool:
    """Whether the item's cell is a cell of the label's row."""
    if not is_ruled(layout, label):
        return not is_ruled(layout, item)
    if not is_ruled(layout, item):
        return False
    own, box = layout.cells[label.cell], layout.cells[item.cell]
    height = own[3] - own[1]
    beyond = box[0] - own[2] > 0.5 * (own[2] - own[0])
    if beyond and max(abs(own[1] - box[1]), abs(own[3] - box[3])) > _LEVEL * height:
        return False
    return box[3] - box[1] < 1.7 * height and min(own[3], box[3]) - max(own[1], box[1]) > 0.5 * min(
        height, box[3] - box[1]
    )


def _under(layout: Layout, label: Item) -> list[Item]:
    """What stands in the cell below a label cell that has no row: its name."""
    if not is_ruled(layout, label):
        near = [item for item in layout.items if (item.wording is None and item.cell == label.cell) or False]
        close = [
            item
            for item in near
            if (cost := cost_of(label, item, False, 2)) is not None and cost < 3.5 and item.middle[1] < label.box[1]
        ]
        return sorted(close, key=lambda item: -item.middle[1])[:1]
    if len(layout.inside[label.cell]) > 1:
        return []
    for cell in layout.below(label.cell):
        items = layout.inside.get(cell, [])
        if (
            items
            and all(item.wording is None for item in items)
            and alike_cells(layout, label.cell, cell, "label above")
            and not _goes_on_in_labels(layout, label, cell)
            and not (_set_as(label, items[0]) and _has_empty_cell_beside(layout, label.cell))
            and not _is_placed_as(layout, label, items)
            and not _is_under_stacked_roles(layout, label, items)
        ):
            return items[:3]
    return []


def _goes_on_in_labels(layout: Layout, label: Item, cell: int) -> bool:
    """Whether `cell` and the one under it hold a line each, lettered and set as `label`: a column of labels, some of no known word."""
    for _ in range(2):
        items = layout.inside.get(cell, [])
        if len(items) != 1 or items[0].wording is not None or not _set_as(label, items[0]):
            return False
        under = next((each for each in layout.below(cell) if layout.inside.get(each)), None)
        if under is None:
            return False
        cell = under
    return True


def _is_placed_as(layout: Layout, label: Item, items: Sequence[Item]) -> bool:
    """Whether a cell holds one line, lettered and placed as `label` is at the upper edge of its own cell with room under it: a label."""
    if len(items) != 1 or not _set_as(label, items[0]):
        return False
    own, box, h = layout.cells[label.cell], layout.cells[items[0].cell], label.height
    has_room = label.box[1] - own[1] > _ROOM * h and own[3] - label.box[3] < label.box[1] - own[1]
    return has_room and abs((own[3] - label.box[3]) - (box[3] - items[0].box[3])) < _SAME_PLACE * h


def _is_under_stacked_roles(layout: Layout, label: Item, items: Sequence[Item]) -> bool:
    """Whether a role's label stands right over that of `label` too, and the text under both is lettered as they are: a third label."""
    own, slack = layout.cells[label.cell], _EDGE * layout.diagonal
    over = [
        other
        for cell, inside in layout.inside.items()
        if len(inside) == 1 and (other := inside[0]).wording and other.wording.key in ROLES and not other.wording.value
        for box in (layout.cells[cell],)
        if max(abs(box[0] - own[0]), abs(box[2] - own[2]), abs(box[1] - own[3])) < slack
    ]
    alike = abs(items[0].height - label.height) < SAME_LETTERING * label.height
    return bool(over) and len(items) == 1 and alike


def _has_empty_cell_beside(layout: Layout, cell: int) -> bool:
    """Whether an empty cell as high as `cell` stands to the right of it: the place of the name, that nobody filled in."""
    own = layout.cells[cell]
    slack = _LEVEL * (own[3] - own[1])
    boxes = ((near, layout.cells[near]) for near in layout.beside(cell))
    return any(
        not layout.inside.get(near) and max(abs(own[1] - box[1]), abs(own[3] - box[3])) < slack for near, box in boxes
    )


def _set_as(label: Item, item: Item) -> bool:
    """Whether `item` is lettered as `label` and begins below it."""
    return (
        abs(item.height - label.height) < SAME_LETTERING * label.height
        and abs(item.box[0] - label.box[0]) < label.height
    )

"""Values that a label names: in its own cell, in the next one, or beside it where nothing is ruled.

Glossary
  role      who drew, checked or approved: a label with a name, and often a date, in its row.
  heading   "Name | Signature | Date" over the rows of the roles: labels of columns, not of fields.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, ROLES, can_be, is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.title_labels import HEADER, OTHER
from spatial.knowledge.value_forms import DASHES, full_date, paper_format, tidy
from spatial.understanding.sheet.title_block.layout import Block, Item, Layout, joined, rows
from spatial.understanding.sheet.title_block.roles import name_roles
from spatial.understanding.sheet.title_block.tolerance_box import listing_cells, tolerances, with_signs

Evidence = Literal["attrib", "cell label", "label left", "label above", "note", "combined line", "typical place"]


@dataclass(frozen=True, slots=True)
class FieldReading:
    """A value of a field, and why it is one."""

    key: str
    value: str
    sources: tuple[str, ...]
    evidence: Evidence
    weak: bool = False
    """Whether only a weak label names it."""
    order: int = 0
    """Among readings of equal strength the lowest counts."""


_FEW: Final = 7
"""Labels in one cell beyond which it is no form's cell but open space."""
_ACROSS: Final = 14.0
"""Label heights from a label to its value on the same line, where nothing is ruled."""
_DOWN: Final = 4.5
"""Label heights from a label to its value below, where nothing is ruled."""
_COLUMN: Final = 3
"""Roles under one another that make a column."""
_UNEVEN: Final = 0.2
"""Of the distance between the rows of a column, by which rows may be apart more or less."""
_ROOM: Final = 4.0
"""Label heights under a label that are room for its value."""
_AT_TOP: Final = 0.3
"""Part of that room that may be left over the label."""
_SAME_LETTERING: Final = 0.05
"""Difference of the letter heights of two labels of one row, as a part of them."""
_AROUND: Final = 0.15
"""Of the sheet's diagonal, from the labels of a block to a value in open space."""
_REFERENCE: Final = re.compile(rf"\s*{alternatives('reference')}\s*:?\s*", re.IGNORECASE)
"""The item's in French; REFERENCE in English may be any other drawing's."""
_CHANGES: Final = re.compile(alternatives("change_heading"), re.IGNORECASE)


def readings(block: Block) -> list[FieldReading]:
    """What the labels of `block` name."""
    name_roles(block)
    layout, labels = block.layout, field_labels(block)
    given = _given(block, labels)
    found: list[FieldReading] = []
    for label in labels:
        items = (
            _tolerance_box(block, label) if label.wording and label.wording.key == "tolerances" else given[id(label)]
        )
        found.extend(
            _inline(label) or _own(label, items) or _worded(layout, label, items) or _in_neighbour_cell(block, label)
        )
    found.extend(_roles(block, labels, given))
    found = [each for each in found if each.key != "finish" or not each.weak or not _empty(layout, labels, "finish")]
    found = found if _dashes(block) < 2 else [each for each in found if each.value not in DASHES]
    numbered = any(reading.key == "drawing_number" and not reading.weak for reading in found)
    return [_renamed(reading, block, numbered=numbered) for reading in found]


def _empty(layout: Layout, labels: Sequence[Item], key: str) -> bool:
    """Whether a strong label of `key` stands alone in a cell of its own: the roughness of surfaces does not fill it."""
    return any(
        label.wording is not None
        and label.wording.key == key
        and not label.wording.weak
        and not label.wording.value
        and _ruled(layout, label)
        and len(layout.inside[label.cell]) == 1
        for label in labels
    )


def _dashes(block: Block) -> int:
    """Cells that hold a dash alone: where there are several, a dash says that a field is empty."""
    return sum(item.text.strip() in DASHES for item in block.layout.items if block.holds(item))


def _renamed(reading: FieldReading, block: Block, *, numbered: bool) -> FieldReading:
    """A thing's number ("Sachnummer", DIN 6771-1; "Codice") is the drawing's where the block names no other."""
    if reading.key != ("drawing_number" if numbered else "part_number") or (numbered and not reading.weak):
        return reading
    named = {
        label.source
        for label in block.labels
        if title_labels.folded(label.text) in title_labels.ITEM_NUMBERS or _REFERENCE.fullmatch(label.text)
    }
    other = "part_number" if numbered else "drawing_number"
    return replace(reading, key=other) if reading.sources[0] in named else reading


def field_labels(block: Block) -> list[Item]:
    """The labels of `block` that name a field, without the headings of columns."""
    headings = {id(item) for item in _headings(block)}
    return [
        label
        for label in block.labels
        if label.wording and label.wording.key not in (OTHER, HEADER) and id(label) not in headings
    ]


def _headings(block: Block) -> Iterator[Item]:
    """Labels that stand side by side as heads of columns: of the roles' matrix, or of an empty revision table."""
    bare = [label for label in block.labels if label.wording and not label.wording.value]
    for row in rows(bare):
        for run in _runs(block.layout, row):
            keys = {label.wording.key for label in run if label.wording}
            words = " ".join(label.text for label in run)
            names = any(label.wording and label.wording.key == "title" and label.wording.weak for label in run)
            matrix = HEADER in keys and len(run) >= 2 and not keys & ROLES
            if (
                matrix
                or (names and "date" in keys)
                or (len(run) >= 3 and _CHANGES.search(words) and keys & {"revision", "date"})
            ):
                yield from (label for label in run if not _filled(block.layout, label))


def _runs(layout: Layout, row: Sequence[Item]) -> Iterator[list[Item]]:
    """The labels of `row`, parted where something other than a label stands between them."""
    run: list[Item] = []
    for label in row:
        if run and _between(layout, run[-1], label):
            yield run
            run = []
        run.append(label)
    if run:
        yield run


def _between(layout: Layout, left: Item, right: Item) -> bool:
    """Whether a value stands between two labels of a row, or nothing for a long way."""
    if right.box[0] - left.box[2] > 0.15 * layout.diagonal:
        return True
    x, y = layout.values[:, 0], layout.values[:, 1]
    return bool(((left.box[2] <= x) & (x <= right.box[0]) & (np.abs(y - left.middle[1]) < left.height)).any())


def _filled(layout: Layout, label: Item) -> bool:
    """Whether its cell holds something besides labels."""
    return (
        label.cell >= 0
        and any(item.wording is None for item in layout.inside.get(label.cell, ()))
        and _label_count(layout, label.cell) < _FEW
    )


def _label_count(layout: Layout, cell: int) -> int:
    return sum(item.wording is not None for item in layout.inside.get(cell, ()))


def _ruled(layout: Layout, item: Item) -> bool:
    """Whether it stands in a form's cell, not in open space."""
    return item.cell >= 0 and _label_count(layout, item.cell) < _FEW


def _inline(label: Item) -> list[FieldReading]:
    wording = label.wording
    if wording is None or not wording.value or wording.key in ROLES:
        return []
    value = tidy(wording.value)
    ok = can_be(wording.key, value)
    return [FieldReading(wording.key, value, (label.source,), "cell label", wording.weak, label.order)] if ok else []


def _given(block: Block, labels: Sequence[Item]) -> dict[int, list[Item]]:
    """Each label with the items that stand nearer to it than to any other, in its cell or in open space."""
    layout, given = block.layout, defaultdict[int, list[Item]](list)
    rivals = defaultdict[int, list[Item]](list)
    for label in block.labels:
        rivals[_region(layout, label)].append(label)
    own = {id(label) for label in labels}
    margin = _AROUND * layout.diagonal
    for item in layout.items:
        if item.wording is not None or not block.holds(item, margin):
            continue
        region = _region(layout, item)
        ranked = [
            (cost, place)
            for place, label in enumerate(rivals[region])
            if (cost := _cost(label, item, region >= 0, len(rivals[region]))) is not None
        ]
        if ranked and id(label := rivals[region][min(ranked)[1]]) in own:
            given[id(label)].append(item)
    return given


def _region(layout: Layout, item: Item) -> int:
    return item.cell if _ruled(layout, item) else -1


def _cost(label: Item, item: Item, ruled: bool, rivals: int) -> float | None:
    """How far `item` is from where a value of `label` stands; None where it cannot be one."""
    h = max(label.height, 1e-9)
    level = abs(item.middle[1] - label.middle[1]) < 0.6 * max(h, item.height)
    if level and item.box[0] >= label.box[2] - 0.4 * h:
        gap = max(item.box[0] - label.box[2], 0.0) / h
        return gap * 0.6 if ruled or gap <= _ACROSS else None
    drop = (label.box[1] - item.box[3]) / h
    if item.middle[1] < label.box[1] + 0.2 * h and drop > -max(1.0, 0.5 * item.height / h):
        shift = min(abs(item.box[0] - label.box[0]), abs(item.middle[0] - label.middle[0])) / h
        overlap = min(item.box[2], label.box[2]) - max(item.box[0], label.box[0])
        if ruled and rivals == 1:
            return 1.0 + max(drop, 0.0)
        if (ruled or drop <= _DOWN) and (overlap > 0 or shift < 3 or (ruled and drop < 3 and shift < 12)):
            return 0.8 + max(drop, 0.0) + 0.15 * shift
        return None
    if ruled and rivals == 1 and item.box[1] >= label.box[3] - 0.3 * h:
        return 50.0 + (item.box[1] - label.box[3]) / h
    return None


def _own(label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """The value among the items that stand nearest to `label`."""
    wording = label.wording
    if wording is None or wording.key in ROLES or not given:
        return []
    below = [item for item in given if item.box[1] < label.box[3]]
    value, used = best(wording.key, below or given)
    if not value:
        return []
    if label.cell >= 0:
        evidence: Evidence = "cell label"
    else:
        evidence = "label left" if used[0].middle[1] > label.box[1] else "label above"
    return [FieldReading(wording.key, value, (label.source, *sources(used)), evidence, wording.weak, label.order)]


def _worded(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """A drawing number of words, as CATIA fills in a part's name: only from the label's own cell."""
    wording = label.wording
    if wording is None or wording.key != "drawing_number" or wording.weak or not given or not _ruled(layout, label):
        return []
    text = tidy(joined(given))
    if _label_count(layout, label.cell) > 1 or len(text.split()) > 6 or not can_be("title", text):
        return []
    return [FieldReading("drawing_number", text, (label.source, *sources(given)), "cell label", True, label.order)]


def sources(items: Sequence[Item]) -> tuple[str, ...]:
    """Their ids, each once."""
    return tuple(dict.fromkeys(item.source for item in items if item.source))


def best(key: str, items: Sequence[Item]) -> tuple[str, Sequence[Item]]:
    """The value of `key` that `items` make together, or one of them does; empty where they make none."""
    if key == "tolerances":
        return tolerances(items), items
    kept = [
        item
        for item in items
        if item.wording is None and not is_template_text(item.text) and not is_form_sentence(item.text)
    ]
    kept = _without_labelled(kept)
    if key == "units":
        kept = [item for item in items if not is_template_text(item.text)]
    if not kept:
        first_issue = key == "revision" and len(items) == 1 and items[0].text.strip() in DASHES
        return (items[0].text.strip(), items) if first_issue else ("", ())
    whole = tidy(joined(kept))
    if can_be(key, whole):
        return whole, kept
    alone = [item for item in kept if can_be(key, tidy(item.text))]
    if FIELDS[key].is_formed and len(alone) == 1:
        return tidy(alone[0].text), alone
    tall = max(item.height for item in kept)
    large = [item for item in kept if item.height > 0.8 * tall]
    if not FIELDS[key].is_formed and len(large) < len(kept) and can_be(key, whole := tidy(joined(large))):
        return whole, large
    return "", ()


_LABELLED: Final = re.compile(r"[^\W\d_][^:\uff1a\d]{2,30}[:\uff1a]\s*\S.*")
""" "Fájlnév: Assem1": a label in any language, a colon and a value of its own."""


def _without_labelled(items: list[Item]) -> list[Item]:
    """`items` without further lines that have a label of their own, known or not: a second field in the cell of the first."""
    lines = rows(items)
    further = {id(row[0]) for row in lines[1:] if len(row) == 1 and _LABELLED.fullmatch(row[0].text.strip())}
    return [item for item in items if id(item) not in further]


def _tolerance_box(block: Block, label: Item) -> list[Item]:
    """All that stands below a tolerance label in its cell, drawn signs too, and in the cells right below that go on listing."""
    layout = block.layout
    if not _ruled(layout, label) and (label.cell < 0 or _label_count(layout, label.cell) > 3 * _FEW):
        return [
            item
            for item in layout.items
            if item.cell == label.cell and (cost := _cost(label, item, False, 2)) is not None and cost < 3
        ]
    found = [
        item for cell in listing_cells(layout, label.cell) for item in with_signs(layout, cell) if item is not label
    ]
    return [item for item in found if item.cell != label.cell or item.middle[1] < label.box[3]]


def _in_neighbour_cell(block: Block, label: Item) -> list[FieldReading]:
    """The value in the cell to the right of a label cell, else in the one below."""
    layout, wording = block.layout, label.wording
    if (
        wording is None
        or wording.key in ROLES
        or not _ruled(layout, label)
        or wording.value
        or _label_count(layout, label.cell) > 1
    ):
        return []
    if len(layout.inside[label.cell]) > 1:
        return []
    ways: tuple[tuple[Iterator[int], Evidence], ...] = (
        (layout.beside(label.cell), "label left"),
        (layout.below(label.cell), "label above"),
    )
    for near, evidence in ways:
        for cell in near:
            items = layout.inside.get(cell, [])
            if not items or any(item.wording is not None for item in items) or _foreign(wording.key, items):
                continue
            if evidence == "label left" and (_is_row_of_labels(layout, label, items) or _has_room(layout, label)):
                continue
            value, used = best(wording.key, items)
            if value and _alike_cells(layout, label.cell, cell, evidence):
                return [
                    FieldReading(
                        wording.key, value, (label.source, *sources(used)), evidence, wording.weak, label.order
                    )
                ]
    return []


def _has_room(layout: Layout, label: Item) -> bool:
    """Whether a label stands at the top of a cell that has room for its value under it: the cell beside is another field's."""
    _, bottom, _, top = layout.cells[label.cell]
    under = label.box[1] - bottom
    return under > _ROOM * label.height and top - label.box[3] < _AT_TOP * under


def _is_row_of_labels(layout: Layout, label: Item, beside: Sequence[Item]) -> bool:
    """Whether a label between another one and a text of the same lettering stands in a row of labels, whose values stand below."""
    same = [item for item in beside if abs(item.height - label.height) <= _SAME_LETTERING * label.height]
    before = [item for cell, items in layout.inside.items() if label.cell in layout.beside(cell) for item in items]
    return (
        len(same) == len(beside)
        and len(before) == 1
        and before[0].wording is not None
        and not before[0].wording.value
        and abs(before[0].height - label.height) <= _SAME_LETTERING * label.height
    )


def _foreign(key: str, items: Sequence[Item]) -> bool:
    """Whether a neighbouring cell has a meaning of its own: a paper format, or a value under a smaller label of unknown meaning."""
    if not FIELDS[key].may_hold_paper_format and paper_format(joined(items)):
        return True
    lines = rows(items)
    if len(lines) < 2:
        return False
    head, below = lines[0], [item for line in lines[1:] for item in line]
    small = max(item.height for item in head) < 0.7 * min(item.height for item in below)
    return small and head[0].box[0] <= min(item.box[0] for item in below) + 0.2 * head[0].height


def _alike_cells(layout: Layout, label: int, value: int, evidence: str) -> bool:
    """Whether the value cell lies as a value cell does: as high as the label's beside it, as wide as the label's below it."""
    own, box = layout.cells[label], layout.cells[value]
    axis = 1 if evidence == "label left" else 0
    length, other = own[axis + 2] - own[axis], box[axis + 2] - box[axis]
    return 0.5 < other / max(length, 1e-9) < 2.5


def _roles(block: Block, labels: Sequence[Item], given: Mapping[int, Sequence[Item]]) -> Iterator[FieldReading]:
    """Name and date in the row of each role, or below it."""
    for label in labels:
        wording = label.wording
        if wording is None or wording.key not in ROLES:
            continue
        items, evidence = _in_stack(block.layout, label, given[id(label)]) or _row_of(block, label)
        items = [item for item in items if not _continues_column(item, labels)]
        names, dates = _names_and_dates(wording.value, label, items)
        name = tidy(" ".join(name for name, _ in names))
        if name and can_be(wording.key, name):
            yield FieldReading(
                wording.key, name, (label.source, *(source for _, source in names)), evidence, wording.weak, label.order
            )
        first = {"drawn_by": 0, "approved_by": 2, "checked_by": 3}[wording.key] + 1 + 4 * wording.weak
        for date, source in dates[:1]:
            yield FieldReading("date", date, (label.source, source), evidence, True, first * 1000)


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
    value: str, label: Item, items: Sequence[Item]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    names: list[tuple[str, str]] = []
    dates: list[tuple[str, str]] = []
    pieces = [(value, label.source)] if value else []
    for written, source in (*pieces, *((item.text, item.source) for row in rows(items) for item in row)):
        text = tidy(written)
        date = full_date(text) or (text if can_be("date", text) and len(text) > 4 else None)
        rest = tidy(text.replace(date, " ")).strip("/,;- ") if date else text
        if date:
            dates.append((date, source))
        if rest and not is_template_text(rest) and can_be("drawn_by", rest) and not title_labels.is_label(rest):
            names.append((rest, source))
    return names[:1] if len(names) > 1 and not _wrapped(names) else names, dates


def _wrapped(names: Sequence[tuple[str, str]]) -> bool:
    """Whether two pieces are one name: given name and surname."""
    return (
        len(names) == 2
        and all(len(name.split()) == 1 and len(name) > 2 for name, _ in names)
        and names[0][0].casefold() != names[1][0].casefold()
    )


def _in_stack(layout: Layout, label: Item, given: Sequence[Item]) -> tuple[list[Item], Evidence] | None:
    """The name right under a role's label in its own cell, where further labels stand: "Designed by", name, "Date", date."""
    if not _ruled(layout, label) or _label_count(layout, label.cell) < 2 or (label.wording and label.wording.value):
        return None
    level = any(abs(item.middle[1] - label.middle[1]) < 0.6 * label.height for item in given)
    under = [item for item in given if item.box[1] < label.box[1]]
    return (under[:1], "cell label") if under and not level else None


def _row_of(block: Block, label: Item) -> tuple[list[Item], Evidence]:
    """What stands in the row of a role's label up to the next label; if nothing does, what stands right below it."""
    layout = block.layout
    own = layout.cells[label.cell] if _ruled(layout, label) else label.box
    mates = [item for item in layout.inside.get(label.cell, ()) if item is not label] if _ruled(layout, label) else []
    if mates and all(item.wording is None for item in mates):
        return [*mates, *_date_beside(layout, label.cell)], "cell label"
    if label.wording and label.wording.value:
        return _date_in_row(layout, label), "cell label"
    slack = 0.0 if _ruled(layout, label) else 0.3 * label.height
    row = [
        item
        for item in layout.items
        if item is not label
        and item.box[0] >= label.box[2] - 0.4 * label.height
        and own[1] - slack <= item.middle[1] <= own[3] + slack
        and (_ruled(layout, label) or block.holds(item, _AROUND * layout.diagonal))
    ]
    row.sort(key=lambda item: item.box[0])
    kept: list[Item] = []
    edge = own[2]
    for item in row:
        if (
            item.wording is not None
            or not _same_row(layout, label, item)
            or item.box[0] - edge > _ACROSS * 2 * label.height
        ):
            break
        kept.append(item)
        edge = max(edge, item.box[2])
    if kept:
        return kept, "label left"
    return _under(layout, label), "label above"


def _date_in_row(layout: Layout, label: Item) -> list[Item]:
    """The only date in the row of a role's label, which has the name in its own text."""
    if not _ruled(layout, label):
        return []
    own = layout.cells[label.cell]
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
    if not _ruled(layout, label):
        return not _ruled(layout, item)
    if not _ruled(layout, item):
        return False
    own, box = layout.cells[label.cell], layout.cells[item.cell]
    height = own[3] - own[1]
    return box[3] - box[1] < 1.7 * height and min(own[3], box[3]) - max(own[1], box[1]) > 0.5 * min(
        height, box[3] - box[1]
    )


def _under(layout: Layout, label: Item) -> list[Item]:
    """What stands in the cell below a label cell that has no row: its name."""
    if not _ruled(layout, label):
        near = [item for item in layout.items if (item.wording is None and item.cell == label.cell) or False]
        close = [
            item
            for item in near
            if (cost := _cost(label, item, False, 2)) is not None and cost < 3.5 and item.middle[1] < label.box[1]
        ]
        return sorted(close, key=lambda item: -item.middle[1])[:1]
    if len(layout.inside[label.cell]) > 1:
        return []
    for cell in layout.below(label.cell):
        items = layout.inside.get(cell, [])
        if (
            items
            and all(item.wording is None for item in items)
            and _alike_cells(layout, label.cell, cell, "label above")
            and not _goes_on_in_labels(layout, label, cell)
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


def _set_as(label: Item, item: Item) -> bool:
    """Whether `item` is lettered as `label` and begins below it."""
    return (
        abs(item.height - label.height) < _SAME_LETTERING * label.height
        and abs(item.box[0] - label.box[0]) < label.height
    )

"""Labels and their values by the structure of a form alone: what the words mean plays no part.

Glossary
  head          lettering that stands as a label: over or before a value, smaller than it, or with a colon at its end.
  label column  cells of one width, one under the other, with one line each; in their rows to the right, names and dates.
  formed value  a value whose form tells that it is one: 1:2, A3, 1 of 2, a full date, a unit.

A head counts once other labels of the block are lettered as it is (`printed`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from spatial.knowledge.fields import FIELDS, ROLES
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence, is_notice, is_template_text
from spatial.knowledge.value_forms import COLONS, full_date, has_digit, tidy
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block.items import Item, joined, rows
from spatial.understanding.sheet.title_block.label_cells import is_in_two_scripts
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.values import form_of, is_document_number

SMALLER: Final = 0.88
"""Height of a head, as a part of that of its value."""
ALIKE: Final = (0.85, 1.18)
"""Ratio of the heights of two labels of one form."""
TOUCH: Final = 0.004
"""Of the sheet's diagonal, between two cells that share a side."""
_LEVEL: Final = 0.6
"""Of the height of the smaller of two texts on one base line, that stands beside the larger."""
_LONGEST_LABEL: Final = 40
_LONGEST_VALUE: Final = 200
_LETTERS: Final = re.compile(r"[^\W\d_]")
_FEWEST_LETTERS: Final = 2
_COLON: Final = re.compile(r"([^:\uff1a=]{2,40}?)\s*[:\uff1a]\s*(\S.*)")
_COUNT_OF: Final = re.compile(alternatives("count_of"), re.IGNORECASE)
_PLACEHOLDERS: Final = re.compile(r"[XDMY]", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d{1,3}")
_LONGEST_COLUMN: Final = 40
_SURE_COLUMN: Final = 3
"""Rows of a label column whose cells beside it may be empty."""
_FEWEST_KNOWN: Final = 2
"""Known labels of a column of labels."""
_ACROSS: Final = 4
"""Cells of a row beside a label."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and its value."""

    head: Item
    label: str
    value: str
    items: tuple[Item, ...]
    """That the value stands in; the head's own where both are one text."""
    date: str = ""
    """Beside the value, in its text or in its row."""
    is_first_of_column: bool = False
    """Whether its label is the uppermost of a label column."""

    @property
    def has_colon(self) -> bool:
        """Whether a colon stands after the label."""
        return self.head.text.strip()[len(self.label) :].lstrip().startswith(COLONS) or _ends_with_colon(self.head)

    @property
    def sources(self) -> tuple[str, ...]:
        """Ids of the texts of the label, then of the value."""
        return tuple(dict.fromkeys((self.head.source, *(item.source for item in self.items))))


def find_pairs(layout: Layout, cells: Sequence[int], used: Collection[str] = frozenset()) -> list[Pair]:
    """Every label with its value in `cells`.

    used: ids of texts that belong to other fields.
    """
    open_cells = [cell for cell in cells if _is_open(layout.inside.get(cell, ()), used)]
    found: list[Pair] = []
    taken: set[int] = set()
    roles = [cell for cell in cells if _is_role(layout.inside.get(cell, ()))]
    for column in sorted(_label_columns(layout, [*open_cells, *roles]), key=lambda column: layout.cells[column[0]][0]):
        found += _row_pairs(layout, column, set(open_cells), taken)
    for group in _aligned_cells(layout, [cell for cell in open_cells if cell not in taken]):
        taken.update(group)
        for cell in group if not _are_names(layout, group) else ():
            first, *rest = rows(layout.inside[cell])[0]
            found += _pair(first, rest)
    for cell in open_cells:
        if cell not in taken and (inside := list(_inside(layout.inside[cell]))):
            found += inside
            taken.add(cell)
    for cell in open_cells:
        if cell not in taken and (pair := _over(layout, cell, set(open_cells) - taken)):
            found.append(pair)
            taken |= {cell, pair.items[0].cell}
    for cell in sorted(set(cells) - set(open_cells)):
        found += _beside_known(layout.inside.get(cell, ()), used)
    return found


def _beside_known(items: Sequence[Item], used: Collection[str]) -> Iterator[Pair]:
    """The pairs of a cell that holds known labels too: "DWN: | SCALE: | PG NO:" over their values, with no rules between them."""
    known = [item for item in items if _is_known(item) and _COUNT_OF.fullmatch(item.text.strip()) is None]
    left = [item for item in items if item not in known and item.source not in used]
    if known and len(left) > 1:
        yield from (pair for pair in _inside(left) if any(_alike(pair.head, label) for label in known))


def lone_labels(layout: Layout, cells: Sequence[int]) -> list[Item]:
    """What could be a label and stands alone in one of `cells`, one line each: the labels of fields that nobody filled in."""
    alone = (items[0] for cell in cells if len(items := layout.inside.get(cell, [])) == 1)
    return [item for item in alone if item.wording is None and is_label(_label_text(item))]


def _is_open(items: Sequence[Item], used: Collection[str]) -> bool:
    return bool(items) and not any(_is_known(item) or item.source in used for item in items)


def _is_known(item: Item) -> bool:
    """Whether it is the label of a field that is named; "of" between two numbers is none."""
    return item.wording is not None and _COUNT_OF.fullmatch(item.text.strip()) is None


def is_label(text: str) -> bool:
    """Whether `text` could be the label of a field: words, not a sentence, not a value with a form of its own."""
    letters = len(_LETTERS.findall(text))
    return (
        len(text) <= _LONGEST_LABEL
        and letters >= _FEWEST_LETTERS
        and letters * 2 >= len(text.replace(" ", ""))
        and text.casefold() not in FIELDS
        and not is_template_text(text)
        and not is_form_sentence(text)
        and not _is_formed(text)
    )


def is_value(text: str) -> bool:
    """Whether `text` could be the value of a field."""
    return (
        0 < len(text) <= _LONGEST_VALUE
        and any(sign.isalnum() for sign in text)
        and not is_template_text(text)
        and not is_form_sentence(text)
        and not is_notice(text)
    )


def _is_formed(text: str) -> bool:
    return form_of(text) is not None


def _label_text(head: Item) -> str:
    return head.text.strip().rstrip("".join(COLONS)).rstrip()


def _ends_with_colon(item: Item) -> bool:
    return item.text.rstrip().endswith(COLONS)


def _pair(head: Item, items: Sequence[Item], label: str = "") -> Iterator[Pair]:
    if any(_ends_with_colon(item) for item in items):
        return
    label, (value, date) = label or _label_text(head), _name_and_date(items)
    if is_label(label) and is_value(value):
        yield Pair(head, label, value, tuple(items), date)


def _name_and_date(items: Sequence[Item]) -> tuple[str, str]:
    """What `items` say, without a date that a name or another text of its own stands before."""
    *others, last = [item for row in rows(items) for item in row]
    date = last.text.strip()
    if others and len(rows(items)) == 1 and full_date(date) == date:
        return tidy(joined(others)), date
    return _without_date(tidy(joined(items)))


def _without_date(text: str) -> tuple[str, str]:
    """ "A. MASON 4/11/25": a name and the date behind it; of all other texts the whole text."""
    date = full_date(text)
    if date and text.endswith(date) and (name := text.removesuffix(date).strip(" ,;/-")) and not has_digit(name):
        return name, date
    return text, ""


def _inside(items: Sequence[Item]) -> Iterator[Pair]:
    """The pairs of one cell: value under or beside its label, or both in one text."""
    lines = _on_base_lines(rows(items))
    if len(lines) == 1:
        yield from _in_line(lines[0])
    elif len(lines) == 2 and _is_over_label(*lines):
        yield from _pair(lines[1][0], lines[0])
    elif len(lines[0]) == 1:
        yield from _stacked(lines)
    elif _is_beside(lines):
        yield from _pair(lines[0][0], [item for line in lines for item in line if item is not lines[0][0]])
    elif len(lines) == 2 and all(_is_head(head, lines[1]) for head in lines[0]):
        for head, below in _columns(lines[0], lines[1]):
            yield from _pair(head, below)


def _on_base_lines(lines: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """`lines`, those joined that stand on one base line: a small label before its large value, or one hung at the top of it."""
    found: list[list[Item]] = []
    for line in lines:
        if found and _is_on_level(found[-1], line):
            found[-1] = sorted([*found[-1], *line], key=lambda item: item.box[0])
        else:
            found.append(list(line))
    return found


def _is_on_level(upper: Sequence[Item], lower: Sequence[Item]) -> bool:
    """Whether every text of one row stands beside each of the other, the smaller of two within the height of the larger."""
    return all(
        min(one.box[2], other.box[2]) <= max(one.box[0], other.box[0])
        and min(one.box[3], other.box[3]) - max(one.box[1], other.box[1]) > _LEVEL * min(one.height, other.height)
        for one in upper
        for other in lower
    )


def _is_over_label(value: Sequence[Item], label: Sequence[Item]) -> bool:
    """Whether a cell holds nothing but a label with a colon and larger lettering over it, its value."""
    return len(label) == 1 and _ends_with_colon(label[0]) and _is_smaller(label[0], value)


def _is_smaller(head: Item, others: Sequence[Item]) -> bool:
    return head.height < SMALLER * min(item.height for item in others)


def _is_beside(lines: Sequence[Sequence[Item]]) -> bool:
    """Whether the first text is a label with a colon, and all others, on several lines, stand to the right of it."""
    head, *others = [item for line in lines for item in line]
    return _ends_with_colon(head) and all(item.box[0] > head.box[2] and not _ends_with_colon(item) for item in others)


def _in_line(line: Sequence[Item]) -> Iterator[Pair]:
    written = [list(_in_text(item)) for item in line]
    if all(written):
        yield from (pair for pairs in written for pair in pairs)
        return
    heads = [place for place, item in enumerate(line) if _is_head(item, line[place + 1 :])]
    if not heads and len(line) == 2 and _NUMBER.fullmatch(line[1].text.strip()):
        heads = [0]
    if heads and heads[0] == 0:
        for place, end in pairwise([*heads, len(line)]):
            yield from _pair(line[place], line[place + 1 : end])


def _in_text(item: Item) -> Iterator[Pair]:
    """ "Zorg: 12": label and value as one text."""
    text = item.text.strip()
    found = _COLON.fullmatch(text)
    # In "Escala 2:1" the colon is the value's own.
    if found and not has_digit(found[1]):
        label, value = found[1].strip(), found[2].strip()
    else:
        label, value = _before_formed(text)
    if is_label(label) and is_value(value):
        yield Pair(item, label, value, (item,))


def _before_formed(text: str) -> tuple[str, str]:
    """ "BLAD 1 OF 2", "Listů 4": words and a formed value or a number, with a space between them."""
    words = [] if _is_formed(text) else text.split()
    for count in range(1, len(words)):
        label, value = " ".join(words[:count]), " ".join(words[count:])
        if (_is_formed(value) or _NUMBER.fullmatch(value)) and not has_digit(label):
            return label, value
    return "", ""


def _is_head(item: Item, others: Sequence[Item]) -> bool:
    """Whether `item` stands as the label of `others`."""
    return bool(others) and (_ends_with_colon(item) or _is_smaller(item, others))


def _stacked(lines: Sequence[Sequence[Item]]) -> Iterator[Pair]:
    """A label of one or two lines over its value."""
    for count in (1, 2):
        heads, below = lines[:count], [item for line in lines[count:] for item in line]
        if not below or any(len(line) != 1 for line in heads):
            return
        last = heads[-1][0]
        even = all(_alike(line[0], last) for line in heads)
        further = [line[0] for line in lines[count:] if len(line) == 1 and _COLON.fullmatch(line[0].text.strip())]
        below = [item for item in below if item not in further] or below
        if even and (_is_head(last, below) or (len(lines) == 2 and _is_plain_head(last, below))):
            yield from _pair(heads[0][0], below, " ".join(_label_text(line[0]) for line in heads))
            yield from (pair for item in further if item not in below for pair in _in_text(item))
            return


def _is_plain_head(head: Item, below: Sequence[Item]) -> bool:
    """Whether lettering of one height is a label over its value: words over a formed value or a document's number."""
    value = tidy(joined(below))
    return (
        (_is_formed(value) or is_document_number(value))
        and not has_digit(head.text)
        and head.height < min(item.height for item in below) / SMALLER
    )


def _alike(one: Item, other: Item) -> bool:
    return ALIKE[0] <= one.height / max(other.height, 1e-9) <= ALIKE[1]


def _columns(heads: Sequence[Item], below: Sequence[Item]) -> Iterator[tuple[Item, list[Item]]]:
    """Each head of a row with what stands under it."""
    under: dict[int, list[Item]] = defaultdict(list)
    for item in below:
        starts = [place for place, head in enumerate(heads) if head.box[0] <= item.box[0] + head.height]
        under[max(starts, default=0)].append(item)
    yield from ((heads[place], items) for place, items in under.items())


def _label_columns(layout: Layout, cells: Sequence[int]) -> Iterator[list[int]]:
    """Runs of cells of one width, one under the other, each with one line that could be a label and nothing before it in its row."""
    reach = TOUCH * layout.diagonal
    lone = [
        cell
        for cell in cells
        if _is_role(items := layout.inside[cell]) or (len(items) == 1 and is_label(_label_text(items[0])))
    ]
    lone = [cell for cell in lone if not _before(layout, cell)]
    left = sorted(lone, key=lambda cell: -layout.cells[cell][3])
    while left:
        run = [left.pop(0)]
        for cell in list(left):
            box, last = layout.cells[cell], layout.cells[run[-1]]
            if (
                same_span(box, last, 0, reach)
                and abs(box[3] - last[1]) <= reach
                and _alike(layout.inside[cell][0], layout.inside[run[0]][0])
            ):
                run.append(cell)
                left.remove(cell)
        if 2 <= len(run) <= _LONGEST_COLUMN:
            yield run


def _is_role(items: Sequence[Item]) -> bool:
    """Whether a cell holds the label of a role that is known, and nothing else."""
    return len(items) == 1 and (word := items[0].wording) is not None and word.key in ROLES and not word.value


def _before(layout: Layout, cell: int) -> bool:
    """Whether the cell to the left, as high as `cell`, says something: a row of a table begins with it."""
    own, reach = layout.cells[cell], TOUCH * layout.diagonal
    return any(
        abs(layout.cells[other][2] - own[0]) <= reach and same_span(layout.cells[other], own, 1, reach)
        for other in layout.inside
    )


def _is_beside_labels(layout: Layout, cell: int) -> bool:
    """Whether a cell stands to the right of a column with two known labels: it holds the value of another one."""
    reach, own = TOUCH * layout.diagonal, layout.cells[cell]
    known = [
        box for other, items in layout.inside.items() if all(map(_is_known, items)) and (box := layout.cells[other])
    ]
    beside = (
        box
        for other in layout.inside
        if abs((box := layout.cells[other])[2] - own[0]) <= reach and same_span(box, own, 1, reach)
    )
    return any(sum(same_span(box, left, 0, reach) for box in known) >= _FEWEST_KNOWN for left in beside)


def same_span(one: Box, other: Box, axis: int, reach: float) -> bool:
    """Whether two cells begin and end at the same places along an axis."""
    return abs(one[axis] - other[axis]) <= reach and abs(one[axis + 2] - other[axis + 2]) <= reach


def _row_pairs(layout: Layout, column: Sequence[int], open_cells: set[int], taken: set[int]) -> list[Pair]:
    """The values in the rows of a label column: the first cell that says something other than a date.

    A column of two counts where both rows have a value and one of them a date, or a colon ends the labels.
    """
    found: list[Pair] = []
    seen: set[int] = set()
    unknown = [cell for cell in column if not _is_role(layout.inside[cell])]
    for cell in unknown:
        if cell in taken:
            return []
        row = list(_row(layout, cell, open_cells - taken, column))
        seen |= {cell, *row}
        filled = [items for each in row if (items := layout.inside.get(each, []))]
        texts = [tidy(joined(items)) for items in filled]
        names = [items for items, text in zip(filled, texts, strict=True) if is_value(text) and not _is_date_cell(text)]
        date = next((date for text in texts if (date := full_date(text))), "")
        found += [
            replace(pair, date=pair.date or date, is_first_of_column=cell == column[0])
            for items in names[:1]
            for pair in _pair(layout.inside[cell][0], items)
        ]
    colons = all(_ends_with_colon(layout.inside[cell][0]) for cell in unknown)
    complete = len(found) == len(unknown) and (colons or any(pair.date for pair in found))
    if not found or not (len(column) >= _SURE_COLUMN or complete):
        return []
    taken |= seen
    return found


def _is_date_cell(text: str) -> bool:
    """Whether a cell holds a date, or the place of one: XX/XX/20XX."""
    return full_date(_PLACEHOLDERS.sub("1", text)) is not None


def _row(layout: Layout, cell: int, open_cells: Collection[int], column: Sequence[int]) -> Iterator[int]:
    """The cells to the right of `cell` that are as high as it, up to one that belongs to something else."""
    reach = TOUCH * layout.diagonal
    last = cell
    for _ in range(_ACROSS):
        near = [
            other
            for other in layout.beside(last)
            if same_span(layout.cells[other], layout.cells[cell], 1, reach) and other not in column
        ]
        if not near or ((items := layout.inside.get(near[0])) and (near[0] not in open_cells or any(_inside(items)))):
            return
        last = near[0]
        yield last


def _aligned_cells(layout: Layout, cells: Sequence[int]) -> Iterator[list[int]]:
    """Cells one under the other, each with one row of two texts or more that begin at the same places: labels, then values."""
    reach = TOUCH * layout.diagonal
    left = [cell for cell in cells if _is_row_of_two(layout.inside[cell])]
    left.sort(key=lambda cell: -layout.cells[cell][3])
    while left:
        run = [left.pop(0)]
        for cell in list(left):
            first, second = rows(layout.inside[run[0]])[0][:2]
            own = rows(layout.inside[cell])[0][:2]
            if (
                same_span(layout.cells[cell], layout.cells[run[0]], 0, reach)
                and abs(own[0].box[0] - first.box[0]) < first.height
                and abs(own[1].box[0] - second.box[0]) < 2 * first.height
                and _alike(own[0], first)
            ):
                run.append(cell)
                left.remove(cell)
        if len(run) > 1:
            yield run


def _are_names(layout: Layout, cells: Sequence[int]) -> bool:
    """Whether each cell holds a name in two scripts, and what it names stands to the right of most: a table in two languages."""
    filled = [cell for cell in cells if any(layout.inside.get(other) for other in layout.beside(cell))]
    return 2 * len(filled) > len(cells) and all(is_in_two_scripts(layout.inside[cell]) for cell in cells)


def _is_row_of_two(items: Sequence[Item]) -> bool:
    lines = rows(items)
    return len(lines) == 1 and len(lines[0]) > 1 and is_label(_label_text(lines[0][0]))


def _over(layout: Layout, cell: int, free: Collection[int]) -> Pair | None:
    """A label alone in its cell, over a value in the cell below that is as wide and ends the column."""
    items, reach = layout.inside[cell], TOUCH * layout.diagonal
    if len(items) != 1 or not is_label(_label_text(items[0])) or _is_beside_labels(layout, cell):
        return None
    below = next((b for b in layout.below(cell) if same_span(layout.cells[b], layout.cells[cell], 0, reach)), None)
    if below is None or below not in free:
        return None
    under = layout.inside[below]
    further = [b for b in layout.below(below) if same_span(layout.cells[b], layout.cells[cell], 0, reach)]
    value = tidy(joined(under))
    told = has_digit(value) or items[0].height < SMALLER * min(item.height for item in under)
    if not told or any(b in free for b in further):
        return None
    return next(_pair(items[0], under), None)

"""Who drew, checked or approved, where the word of the label does not say it, but its place in the column of the roles does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import ROLES, can_be, is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.title_labels import Wording
from spatial.knowledge.value_forms import has_digit
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.names import LARGER
from spatial.understanding.sheet.title_block.role_values import name_signatures

_SAME_LETTERING: Final = 0.1
"""Difference of the letter heights of two labels of one column, as a part of them."""
_PARTICLE: Final = re.compile(r"[^\W\d_]{1,3}")
"""Of a name: de, van, von."""
_APOSTROPHES: Final = "'\u2019"
_SCHOOL: Final = re.compile(rf"\b{alternatives('school')}\b", re.IGNORECASE)
_FELLOWS: Final = 2
"""Cells of a row that hold a label and its value as one text."""
_ACROSS: Final = 0.15
"""Of the sheet's diagonal, from a role to the date in its row."""


def name_roles(block: Block) -> None:
    """Give the labels of the roles of `block` the wording that their places say."""
    _heading(block)
    name_signatures(block)
    _over_date(block)
    _beside_title(block)
    _in_row(block)
    _signed(block)
    _reviewed(block)
    _reviewing_person(block)
    _drafted(block)
    _engineer(block)


def _heading(block: Block) -> None:
    """Makes a heading of a role's word over the labels of the same role and another one, lettered larger than they: APPROVAL."""
    roles = [
        label for label in block.labels if label.wording and label.wording.key in ROLES and not label.wording.value
    ]
    for label in roles:
        under = [
            other.wording.key
            for other in roles
            if other.wording and other.height * LARGER < label.height and other.middle[1] < label.box[1]
        ]
        if label.wording and label.wording.key in under and len(set(under)) > 1:
            label.wording = Wording(title_labels.HEADER, False, "", False)


def _over_date(block: Block) -> None:
    """Makes a drafter of "NAME" in the cell right over that of "DATE", where no other label of the block names one."""
    ruled = [label for label in block.labels if label.cell >= 0 and label.wording and not label.wording.value]
    if _has_drafter(block):
        return
    cells = block.layout.cells
    dates = [cells[label.cell] for label in ruled if label.wording and label.wording.key == "date"]
    for label in ruled:
        own = cells[label.cell]
        if title_labels.folded(label.text) in title_labels.PERSONS and any(
            _side(own, each) == "under" for each in dates
        ):
            label.wording = Wording("drawn_by", True, "", ":" in label.text)


def _has_drafter(block: Block) -> bool:
    return any(label.wording is not None and label.wording.key == "drawn_by" for label in block.labels)


def _beside_title(block: Block) -> None:
    """Makes a drafter of "NAME:" with a person in its cell or text, where another label names the title or a class, and none a drafter."""
    keys = {label.wording.key for label in block.labels if label.wording is not None and not label.wording.weak}
    of_school = any(_named(label) in title_labels.SCHOOLING for label in block.labels) or any(
        _SCHOOL.search(item.text) for item in _of_its_nets(block)
    )
    if ("title" not in keys and not of_school) or _has_drafter(block):
        return
    people = [label for label in block.labels if label.cell >= 0 and _named(label) in title_labels.PERSONS]
    if len(people) != 1:
        return
    value = people[0].wording.value if people[0].wording else ""
    said = [value] if value else [item.text for item in block.layout.inside[people[0].cell] if item.wording is None]
    if any(map(_is_person, said)):
        people[0].wording = Wording("drawn_by", True, value, ":" in people[0].text)


def _of_its_nets(block: Block) -> Iterator[Item]:
    """The lettering of the cells that hang together with those of the labels."""
    layout = block.layout
    nets = {layout.nets[label.cell] for label in block.labels if label.cell >= 0}
    yield from (item for item in layout.items if item.cell >= 0 and layout.nets[item.cell] in nets)


def _named(label: Item) -> str:
    """What a label says, folded, without the value behind its colon."""
    return title_labels.folded(label.text.partition(":")[0])


def _in_row(block: Block) -> None:
    """Makes a drafter of "NAME SMITH" alone in its cell, in a row of cells with a label and its value as one text each."""
    if any(label.wording is not None and label.wording.key in ROLES for label in block.labels):
        return
    layout = block.layout
    valued = [
        layout.cells[label.cell] for label in block.labels if label.cell >= 0 and label.wording and label.wording.value
    ]
    for cell, items in layout.inside.items():
        first, _, rest = items[0].text.strip().partition(" ")
        own = layout.cells[cell]
        if (
            len(items) == 1
            and title_labels.folded(first) in title_labels.PERSONS
            and _is_person(rest)
            and sum(abs(box[1] - own[1]) + abs(box[3] - own[3]) < 0.1 * (own[3] - own[1]) for box in valued) >= _FELLOWS
        ):
            items[0].wording = Wording("drawn_by", True, rest.strip(), ":" in first)
            block.labels.append(items[0])
            return


def _is_person(text: str) -> bool:
    return can_be("drawn_by", text) and not has_digit(text)


def _signed(block: Block) -> None:
    """Makes a drafter of "BY" over or before a name in a cell, where no other label of the block names a role."""
    if any(label.wording is not None and label.wording.key in ROLES for label in block.labels):
        return
    alone = [
        label for label in block.labels if label.cell >= 0 and title_labels.folded(label.text) in title_labels.SIGNED
    ]
    if len(alone) == 1 and any(
        can_be("drawn_by", item.text) for item in block.layout.inside[alone[0].cell] if item.wording is None
    ):
        alone[0].wording = Wording("drawn_by", True, "", ":" in alone[0].text)


def _reviewed(block: Block) -> None:
    """Makes a checker of "REV." between "DIB." and "APR.": in the column of the roles it is who reviewed ("revisó")."""
    roles = [label for label in block.labels if label.cell >= 0 and label.wording and label.wording.key in ROLES]
    for label in block.labels:
        word = label.wording
        if label.cell < 0 or word is None or word.value or title_labels.folded(label.text) not in title_labels.REVIEWED:
            continue
        own = block.layout.cells[label.cell]
        sides = {_side(own, block.layout.cells[role.cell]) for role in roles}
        if {"over", "under"} <= sides and not any(
            role.wording and role.wording.key == "checked_by" and _side(own, block.layout.cells[role.cell])
            for role in roles
        ):
            label.wording = Wording("checked_by", False, "", word.colon)


def _reviewing_person(block: Block) -> None:
    """Makes a checker of a label of revisions at that of a role, with a person's name in the cell beside it: "Revisão: Ana"."""
    layout = block.layout
    roles = [label for label in block.labels if label.cell >= 0 and label.wording and label.wording.key in ROLES]
    if any(role.wording is not None and role.wording.key == "checked_by" for role in roles):
        return
    for label in block.labels:
        word = label.wording
        if label.cell < 0 or word is None or word.key != "revision" or word.value or len(layout.inside[label.cell]) > 1:
            continue
        if _is_beside_name(block, label) and any(
            _side(layout.cells[label.cell], layout.cells[role.cell]) for role in roles
        ):
            label.wording = Wording("checked_by", False, "", word.colon)


def _is_beside_name(block: Block, label: Item) -> bool:
    """Whether the first filled cell beside that of `label` has nothing but a person's name."""
    layout = block.layout
    beside = [items for cell in layout.beside(label.cell) if (items := layout.inside.get(cell))][:1]
    return any(_is_full_name(" ".join(item.text for item in items)) for items in beside)


def _is_full_name(text: str) -> bool:
    """Whether every word of a text but small particles has a capital letter and two small ones, as no index of a revision has."""
    words = [word for word in text.split() if not (word.islower() and _PARTICLE.fullmatch(word))]
    return bool(words) and _is_person(text) and all(map(_is_name, words))


def _is_name(word: str) -> bool:
    """In any script with capitals: Иванов, Γιώργος, O'Neil."""
    letters = word.translate(dict.fromkeys(map(ord, _APOSTROPHES)))
    return letters[:1].isupper() and sum(letter.islower() for letter in letters) >= 2


def _engineer(block: Block) -> None:
    """Makes who approves of a weak label of the drafter ("ENG") further down in the column of a strong one (ASME Y14.1, approval block)."""
    ruled = [label for label in block.labels if label.cell >= 0 and label.wording and not label.wording.value]
    drafters = [label for label in ruled if label.wording and label.wording.key == "drawn_by"]
    for drafter in (label for label in drafters if label.wording and not label.wording.weak):
        own = block.layout.cells[drafter.cell]
        for label in drafters:
            box = block.layout.cells[label.cell]
            aligned = max(abs(own[0] - box[0]), abs(own[2] - box[2])) < 0.1 * (own[2] - own[0])
            if label.wording and label.wording.weak and aligned and box[3] <= own[1] + 0.1 * (own[3] - own[1]):
                label.wording = Wording("approved_by", True, "", label.wording.colon)


def _drafted(block: Block) -> None:
    """Makes a drafter of the label, of no known word, right over who checked or approved, where a date stands in its row.

    A weak word of the number ("DRAWING") is one there too, where only a name stands beside it. The drafter's row comes first in every
    standard: ISO 7200, DIN 6771-1, GOST 2.104, GB/T 10609.1.
    """
    if any(label.wording is not None and label.wording.key == "drawn_by" for label in block.labels):
        return
    layout = block.layout
    if _third(block):
        return
    for role in block.labels:
        if role.cell < 0 or role.wording is None or role.wording.key not in ROLES:
            continue
        own = layout.cells[role.cell]
        for cell, items in list(layout.inside.items()):
            first = items[0]
            if len(items) != 1 or _side(own, layout.cells[cell]) != "over":
                continue
            alike = abs(first.height - role.height) <= _SAME_LETTERING * role.height
            if alike and not has_digit(first.text) and _is_drafting(block, first):
                if first.wording is None:
                    block.labels.append(first)
                first.wording = Wording("drawn_by", True, "", False)
                return


def _third(block: Block) -> bool:
    """Makes a drafter of the label of no known word in the column of who checked and who approved, beyond the one who checked.

    Forms list the roles in the order of the work, downwards or upwards (GB/T 10609.1, JIS B 0311).
    """
    layout = block.layout
    ruled = [
        label for label in block.labels if label.cell >= 0 and label.wording is not None and not label.wording.value
    ]
    for checker in (label for label in ruled if label.wording and label.wording.key == "checked_by"):
        own = layout.cells[checker.cell]
        sides = {
            _side(own, layout.cells[each.cell]) for each in ruled if each.wording and each.wording.key == "approved_by"
        }
        beyond = {"over": "under", "under": "over"}.get("".join(sides))
        for cell, items in layout.inside.items():
            first = max(items, key=lambda item: item.middle[1])
            alike = abs(first.height - checker.height) <= _SAME_LETTERING * checker.height
            flush = abs(first.box[0] - checker.box[0]) < checker.height
            if first.wording is None and alike and flush and beyond == _side(own, layout.cells[cell]) != "":
                block.labels.append(first)
                first.wording = Wording("drawn_by", True, "", False)
                return True
    return False


def _is_drafting(block: Block, label: Item) -> bool:
    """Whether the word over the roles, or what stands beside it, leaves that it names the drafter."""
    word = label.wording
    if word is None:
        return _has_date(block, label)
    return word.key == "drawing_number" and word.weak and not word.value and _is_beside_name(block, label)


def _has_date(block: Block, label: Item) -> bool:
    """Whether a date stands in the row of `label`."""
    low, high = (block.layout.cells[label.cell][place] for place in (1, 3))
    reach = label.box[2] + _ACROSS * block.layout.diagonal
    return any(
        low < item.middle[1] < high and label.box[2] < item.box[0] < reach and is_distinctive("date", item.text)
        for item in block.layout.items
    )


def _side(own: Box, other: Box) -> str:
    """Where `other`, a cell of the column of `own`, touches it; empty where it does not."""
    slack = 0.1 * (own[3] - own[1])
    if max(abs(own[0] - other[0]), abs(own[2] - other[2])) > 2 * slack:
        return ""
    if abs(other[1] - own[3]) < slack:
        return "over"
    return "under" if abs(other[3] - own[1]) < slack else ""

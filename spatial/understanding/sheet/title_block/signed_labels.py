"""Labels of roles that stand in two pieces: "DRAWN" over "BY: JOHN", "CHECK" before "BY:"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.fields import ROLES
from spatial.knowledge.title_labels import SIGNED, Wording, folded
from spatial.knowledge.value_forms import COLONS
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.title_block.items import Item

_ALIKE: Final = 0.1
"""Part by which the lettering of both pieces may differ."""
_STEP: Final = 2.4
"""Letter heights from the first line of such a label to the second."""
_SPACE: Final = 4.0
"""Letter heights between the two words on one line, set apart to fill it."""


def join(inside: Sequence[Item]) -> Iterator[int]:
    """Makes one label of a role and the word `by` behind or under it, with the name after its colon; answers what is no item any more."""
    for first in inside:
        word = first.wording
        if word is None or word.key not in ROLES or word.value or word.colon:
            continue
        found = [other for other in inside if other is not first and _is_by(other) and _goes_on(first, other)]
        if len(found) == 1:
            label, _, name = _parted(found[0].text)
            first.text = f"{first.text.strip()} {label}"
            first.wording = Wording(word.key, word.weak, name, True)
            first.box = box_around([first.box, found[0].box])
            yield id(found[0])


def _parted(text: str) -> tuple[str, str, str]:
    """A label, its colon and what stands behind that."""
    colon = next((sign for sign in text if sign in COLONS), "")
    label, _, value = text.partition(colon) if colon else (text, "", "")
    return label.strip(), colon, value.strip()


def _is_by(item: Item) -> bool:
    label, colon, _ = _parted(item.text)
    return bool(colon) and folded(label) in SIGNED


def _goes_on(first: Item, other: Item) -> bool:
    """Whether a text goes on where another ends: a space behind it, or flush in the next line, lettered alike."""
    height = first.height
    if abs(other.height - height) > _ALIKE * height:
        return False
    drop = first.middle[1] - other.middle[1]
    beside = abs(drop) < 0.5 * height and -0.5 * height < other.box[0] - first.box[2] < _SPACE * height
    under = 0.5 * height < drop < _STEP * height and abs(other.box[0] - first.box[0]) < height
    return beside or under

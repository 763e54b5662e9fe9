"""Which lines of lettering are labels, and what they say as one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, can_be, is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_statement, is_template_text
from spatial.knowledge.title_labels import OTHER, SHEET_COUNT, Wording
from spatial.knowledge.value_forms import COLONS, has_digit, tidy
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.title_block import signed_labels
from spatial.understanding.sheet.title_block.items import Item, is_bulleted, joined, numbered
from spatial.understanding.sheet.title_block.values import is_company, is_no_scale


def wording_of(text: str) -> Wording | None:
    """What `text` says as a label; "Sheet 2.0 Steel" says nothing, nor does one letter: m and z are quantities of gears too."""
    found = title_labels.read(text) if len(text.strip()) > 1 or not text.isascii() else None
    if found is None or not found.value:
        return found
    if not found.is_field:
        return found if found.colon else None
    if found.key == "units" and is_bulleted(text):
        # A line of a list is a note.
        return None
    if found.key == "units" and not found.colon and is_statement(f"{found.key} {found.value}"):
        # "Units are in mm" is a sentence and no label with its value.
        return None
    looks = can_be if found.colon else is_distinctive
    if looks(found.key, found.value):
        return found
    return (
        Wording(found.key, found.weak, "", True)
        if found.colon and is_template_text(found.value)
        else (found if found.colon else None)
    )


TWO_LABELS: Final = 6
"""Characters of the labels of two cells, at least."""


def two_labels(line: str) -> list[str]:
    """ "SCALEUNIT": the labels of two cells, that the exporter wrote as one text."""
    if TWO_LABELS <= len(line) <= 40 and title_labels.read(line) is None:
        for cut in range(3, len(line) - 2):
            if line[cut - 1].islower() and line[cut].islower():
                continue
            left, right = title_labels.read(line[:cut]), title_labels.read(line[cut:])
            parts, is_one_word = (left, right), " " not in line.strip()
            told = all(map(_named, parts)) or (
                is_one_word and any(map(_named, parts)) and all(map(_could_stand, parts))
            )
            if left and right and left.key != right.key and told:
                return [line[:cut].strip(), line[cut:].strip()]
    return [line]


def _could_stand(wording: Wording | None) -> bool:
    """Whether it is the label of a field, or of one that is not named here, without a value: "Lang." before "Sheet"."""
    return wording is not None and (_named(wording) or (wording.key == OTHER and not wording.value))


def _named(wording: Wording | None) -> bool:
    return wording is not None and wording.is_field and not wording.weak and not wording.value


def outside_rules(wording: Wording) -> str:
    """Which values may follow the label outside the rules of a ruled block: "Sheet size: A3", "MATERIAL: ALUMINIUM"."""
    return FIELDS[wording.key].outside_rules if wording.is_field else ""


_SPACE: Final = 0.9
"""Letter heights, the widest space between two words of one line."""
_GOES_ON: Final = re.compile(alternatives("name_goes_on"), re.IGNORECASE)
_CENTRED: Final = 0.5
"""Letter heights by which the middles of centred lines may differ."""
_ONE_LINE, _COLUMNS = 0.1, 2.0
"""Of the height, by which labels of one row may stand or be lettered apart; letter heights between two of them."""
_CROWD: Final = 24
"""Items of a cell beyond which it is no form's cell."""


def settled(items: list[Item]) -> list[Item]:
    """`items` with labels of two or three lines as one, and without the wording of values that are words of labels."""
    by_cell: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        if item.cell >= 0:
            by_cell[item.cell].append(item)
    for item in [item for item in items if item.cell < 0 and _stating(item)][:_CROWD]:
        if numbered(item, items):
            item.wording = None
    gone: set[int] = set()
    for inside in by_cell.values():
        if 2 <= len(inside) <= _CROWD:
            _without_scale_word(inside)
            gone |= set(_wrapped_labels(inside)) | set(signed_labels.join(inside))
            for item in inside:
                if item.wording is not None and (
                    any(
                        _labels(other, item) or _is_over(other, item, inside) or _says_key_again(other, item)
                        for other in inside
                    )
                    or _amid(item, inside)
                    or _is_within_name(item, inside)
                ):
                    item.wording = None
            _name_in_row_of_labels(inside)
    return [item for item in items if id(item) not in gone]


def _name_in_row_of_labels(inside: Sequence[Item]) -> None:
    """Makes a label of words in the row of known ones, lettered as they are and over a larger value: no vocabulary has all words."""
    for item in inside:
        # A colon tells a label by itself, which is reported with its value.
        if item.wording is None and not has_digit(item.text) and not item.text.rstrip().endswith(COLONS):
            row = [other for other in inside if other is not item and _is_of_row(other, item)]
            if (
                any(_named(other.wording) for other in row)
                and all(other.wording is not None for other in row if other.box[2] < item.box[0])
                and any(_is_value_under(other, item) for other in inside)
            ):
                item.wording = Wording(OTHER, False, "", False)


def _is_of_row(other: Item, item: Item) -> bool:
    """Whether a text stands on the line of another, lettered as it and further from it than a word of its own."""
    level = abs(other.box[1] - item.box[1]) < _ONE_LINE * item.height
    alike = abs(other.height - item.height) < _ONE_LINE * item.height
    apart = max(other.box[0] - item.box[2], item.box[0] - other.box[2])
    return level and alike and apart > _COLUMNS * item.height


def _is_value_under(value: Item, label: Item) -> bool:
    """Whether a larger text stands right under a label, from about its beginning."""
    over = label.box[1] - value.box[3]
    begins = min(abs(value.box[0] - label.box[0]), abs(value.middle[0] - label.middle[0])) < _COLUMNS * label.height
    return value.wording is None and value.height > 1.25 * label.height and 0 < over < 3 * value.height and begins


def _without_scale_word(inside: list[Item]) -> None:
    """Takes its wording from the word for a scale that ends the statement of none: "Not to" over "Scale"."""
    if is_no_scale(tidy(joined(inside))):
        for item in inside:
            item.wording = None


def _stating(item: Item) -> bool:
    return item.wording is not None and item.wording.colon and outside_rules(item.wording) == "after a colon"


def _wrapped_labels(inside: list[Item]) -> Iterator[int]:
    """Makes one label of "Units unless" over "specified"; answers what is no item any more."""
    lines = sorted(inside, key=lambda item: -item.middle[1])
    for place, first in enumerate(lines[:-1]):
        for count in (2, 3):
            run = lines[place : place + count]
            if len(run) < count or any(item.wording for item in run[1:]) or not _stacked(run):
                continue
            begun = first.wording.key if first.wording else None
            found = _read_lines([item.text for item in run], begun)
            if found is not None:
                first.wording = found
                first.box = box_around([item.box for item in run])
                yield from (id(item) for item in run[1:])
                return


def _read_lines(lines: Sequence[str], begun: str | None) -> Wording | None:
    """The label without a value that `lines` make, parted by blanks, or a word that the side of the cell parts: "Proofre" / "ad".

    begun: the key that the first of them names alone.
    """
    whole = (title_labels.read(" ".join(lines)), title_labels.read("".join(lines)) if len(lines) == 2 else None)
    return next(
        (found for found in whole if found and found.is_field and not found.value and begun in (None, found.key)), None
    )


def _amid(label: Item, inside: Sequence[Item]) -> bool:
    """Whether a word of labels is a line under a title: among others centred like it, or the kind of a document (GOST 2.104)."""
    word = label.wording
    if word is None or word.value or word.colon:
        return False
    first = max(inside, key=lambda item: item.middle[1])
    if title_labels.folded(label.text) in title_labels.DOCUMENT_KINDS:
        return first.wording is None and first.height > 1.1 * label.height
    if not (word.weak or word.key == OTHER) or len(inside) < 3:
        return False
    alike = [item for item in inside if abs(item.middle[0] - label.middle[0]) < label.height]
    return first is not label and first.wording is None and first.height >= label.height and len(alike) == len(inside)


def _stacked(run: Sequence[Item]) -> bool:
    """Whether they stand one close under the other in one size."""
    return all(
        abs(above.height - below.height) < 0.1 * above.height
        and 0 < above.middle[1] - below.middle[1] < 2.4 * above.height
        for above, below in pairwise(run)
    )


def _is_within_name(item: Item, inside: Sequence[Item]) -> bool:
    """Whether a word of labels goes on in its line with the word of a name: "UNIVERSITÉ" and "DE", each a text, over "TARNOW"."""
    word = item.wording
    if word is None or word.value or word.colon or word.key not in ("company", SHEET_COUNT):
        return False
    if word.key == "company" and _is_first_line_of_name(item, inside):
        return True
    line = [
        other
        for other in inside
        if abs(other.box[1] - item.box[1]) < 0.2 * item.height and abs(other.height - item.height) < 0.1 * item.height
    ]
    after = [other for other in line if 0 < other.box[0] - item.box[2] < _SPACE * item.height]
    before = [other for other in line if 0 < item.box[0] - other.box[2] < _SPACE * item.height]
    if word.key == "company":
        return len(after) == 1 and _GOES_ON.fullmatch(after[0].text.strip()) is not None
    begun = title_labels.read(before[0].text) if len(before) == 1 else None
    return begun is not None and begun.key == "company" and not after


def _is_first_line_of_name(item: Item, inside: Sequence[Item]) -> bool:
    """Whether a word that names a kind of company stands over a line lettered as it and set by its middle: "UNIVERSITATEA" over "DIN
    TARNOW". A label is smaller than its value, stands at its left, or ends in a colon."""
    if not is_company(item.text) or any(other.middle[1] > item.middle[1] and other is not item for other in inside):
        return False
    under = [other for other in inside if _stacked([item, other]) and other.wording is None]
    return any(
        abs(other.middle[0] - item.middle[0]) < _CENTRED * item.height
        and abs(other.box[0] - item.box[0]) > _CENTRED * item.height
        and not is_company(other.text)
        for other in under
    )


def _is_over(label: Item, value: Item, inside: Sequence[Item]) -> bool:
    """Whether `value`, a word of labels, goes on a larger line of one lettering over a strong label: "BENCH" / "ASSEMBLY" over "TITLE:"."""
    word, own = label.wording, value.wording
    if (
        word is None
        or own is None
        or word.weak
        or word.value
        or own.value
        or own.colon
        or not (own.weak or own.key == OTHER)
    ):
        return False
    if value.height <= 1.25 * label.height or value.box[1] < label.box[3] - 0.2 * label.height:
        return False
    return any(item.wording is None and _stacked([item, value]) for item in inside)


def _labels(label: Item, value: Item) -> bool:
    """Whether `value`, a word of labels, is what `label` in the same cell names: "DWG No." over "Assembly" in large letters."""
    word, own = label.wording, value.wording
    if word is None or own is None or label is value or word.value or own.value or own.colon:
        return False
    # A title may be made of any words: "Stand and Stand" / "Spacer".
    of_any_words = word.key == "title" and not word.weak
    return (
        (own.weak or own.key == OTHER or of_any_words)
        and value.height > 1.25 * label.height
        and _is_under(value, label)
    )


def _is_under(value: Item, label: Item) -> bool:
    return value.box[3] < label.box[1] + 0.2 * label.height


def _says_key_again(label: Item, value: Item) -> bool:
    """Whether a value under its label repeats its name: "REV B" under "Revision:"."""
    word, own = label.wording, value.wording
    if word is None or own is None or label is value or not word.is_field or word.value or not own.value:
        return False
    again = word.key == own.key and value.height >= label.height
    return again and _is_under(value, label) and can_be(word.key, value.text)

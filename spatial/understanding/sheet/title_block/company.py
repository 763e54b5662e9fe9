"""The company whose sheet it is, where no label names it: by its legal form, by its address, or by the place of its name.

Glossary
  emblem   a cell whose lines all name the company: initials over the name, or name and department.
  address  a line with a telephone number, an e-mail or web address, or a postal code behind a region.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.fields import can_be
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence, is_notice, is_template_text
from spatial.knowledge.value_forms import GENERAL_TOLERANCE, UNREAD, has_digit, tidy
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.notes.sentences import is_stated_in_cell
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.captions import has_caption
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.pictured import is_within

_GOES_ON: Final = re.compile(rf"\b{alternatives('name_goes_on')}\s*$|[&,-]\s*$", re.IGNORECASE)
"""Ends of a line whose name goes on in the next."""
_GONE_ON: Final = re.compile(rf"{alternatives('name_goes_on')}\s+\S", re.IGNORECASE)
"""How the next line of a name begins: "DE INGENIERÍA"."""
CYRILLIC: Final = re.compile(r"[а-яё]", re.IGNORECASE)
_WEB: Final = re.compile(r"(?:https?://|www\.)([\w.-]+\.[a-z]{2,})(?:/\S*)?", re.IGNORECASE)
_HOST: Final = re.compile(r"(?:https?://)?((?:[a-z\d-]+\.)+[a-z]{2,})(?:/\S*)?", re.IGNORECASE)
_MAIL: Final = re.compile(r"\S+@([\w.-]+\.[a-z]{2,})", re.IGNORECASE)
_TELEPHONE: Final = re.compile(r"(?:[^\W\d]{1,10}[.:]*\s*|(?=[+(]))\+?\(?\d[\d\s()./-]{5,}\d")
_REGION: Final = re.compile(
    r".+,\s*(?:[A-Z]{2}\.?\s+\d{5}(?:-\d{4})?|(?:[A-Z]{1,2}-)?\d{4,5}\s+[A-ZÄÖÜÉ][^\W\d_]{2,}(?:[ -][^\W\d_]+)?)"
)
""" "TUCSON, AZ 85721": town, state and ZIP code (USPS Publication 28); "Gasse 1, 8093 Zürich": street, postal code and town (UPU S42)."""
INITIALS: Final = re.compile(r"[^\W\d_](?:\.[^\W\d_]){2,}\.?")
"""Initials of three words with full stops, alone in a cell: an organization's; a person's stand before a surname."""
_ENDED: Final = re.compile(r"[^\W\d_]{5,}\.$|[^\W\d_]\s?!$")
"""A whole word with a full stop ends an address or a sentence, one with an exclamation mark an order; Ltd. and Co. are abbreviations."""
_TELEPHONE_DIGITS: Final = 7
_NAME_LINES: Final = 3
"""Lines over an address that may be the name."""
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_COPYRIGHT: Final = re.compile(r"\u00a9\s*(?:19|20)\d\d")
_SPACED: Final = re.compile(r"\w(?: \w){2,}")
""" "D E S I G N"."""
_LABELS: Final = 5
"""Labels of fields of a block in which a name without a label is told by its place."""
_LARGER: Final = 1.3
"""How much larger than the labels such a name is lettered."""
_TALL: Final = 1.7
"""How much taller its cell is than those with labels, at a side of the block: it stands over several rows of fields."""
_AS_VALUE: Final = 1.15
"""How much larger than the labels values are lettered."""
_BETWEEN: Final = 0.5
"""Letter heights between two columns of lines."""
_APART: Final = 4.0
"""Letter heights between two texts of a row that say different things."""
_ALIKE: Final = 0.05
"""Part by which lettering of one height may differ."""
_MOST_WORDS: Final = 8
DEPARTMENT: Final = re.compile(rf"{alternatives('department')}\b", re.IGNORECASE)
_HAN: Final = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def reading(items: Sequence[Item]) -> FieldReading | None:
    """The company that a cell names by a legal form or over its address."""
    if any(UNREAD in item.text and values.is_company(tidy(item.text.replace(UNREAD, " "))) for item in items):
        # The name was not read whole; its other line is a part of it, or the same in other letters.
        return None
    named = _of_its_address(rows(items))
    if named is not None:
        return named
    if INITIALS.fullmatch(joined(items).strip()):
        return FieldReading("company", joined(items).strip(), sources(items), "typical place", True)
    if len(columns := _columns(items)) > 1 and all(values.is_company(name_of(column)) for column in columns):
        whole = tidy(" ".join(name_of(column) for column in columns))
        return FieldReading("company", whole, sources(items), "typical place")
    if beside := _beside_address(columns):
        return FieldReading("company", name_of(beside), sources(beside), "typical place")
    name = _named(items)
    if name:
        lines = [items] if _is_emblem(items) else [row for row in rows(items) if tidy(joined(row)) == name]
        ids = sources(lines[0]) if lines else sources(items)[:1]
        return FieldReading("company", name, ids, "typical place")
    return _over_address(rows(items))


def _beside_address(columns: Sequence[Sequence[Item]]) -> Sequence[Item] | None:
    """The lines of a name, lettered larger than the address beside them in the same cell."""
    addressed = [any(is_address(item.text.strip()) for item in column) for column in columns]
    if len(columns) != 2 or sum(addressed) != 1:
        return None
    name, address = (columns[addressed.index(holds)] for holds in (False, True))
    is_larger = min(item.height for item in name) > _LARGER * max(item.height for item in address)
    is_alone = len(rows(name)) <= _NAME_LINES and not any(item.wording for item in name)
    return name if is_larger and is_alone and is_name(name) else None


def _columns(items: Sequence[Item]) -> list[list[Item]]:
    """The texts of a cell, parted where two columns of two lines each at least stand side by side: a university and its faculty."""
    ordered = sorted(items, key=lambda item: item.box[0])
    for cut in range(2, len(ordered) - 1):
        left, right = ordered[:cut], ordered[cut:]
        gap = right[0].box[0] - max(item.box[2] for item in left)
        if gap > _BETWEEN * right[0].height and min(len(rows(left)), len(rows(right))) > 1:
            return [left, right]
    return [list(items)]


def _of_its_address(lines: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The only line of a cell whose words all stand in the host of a web address in the same cell: "Tarnow" over "tarnow.example"."""
    texts = [joined(line).strip() for line in lines]
    addresses = [_HOST.fullmatch(text) or _MAIL.fullmatch(text) for text in texts]
    hosts = [address.group(1).casefold().replace("-", "") for address in addresses if address]
    named = [line for line, text in zip(lines, texts, strict=True) if _is_host(text, hosts)]
    if len(named) != 1 or any(item.wording for item in named[0]):
        return None
    return FieldReading("company", tidy(joined(named[0])), sources(named[0]), "typical place")


def _is_host(text: str, hosts: Sequence[str]) -> bool:
    """Whether the words of `text`, no address and without figures, stand in one of `hosts`."""
    words = "".join(_WORD.findall(text.casefold()))
    return bool(words) and "." not in text and not has_digit(text) and any(words in host for host in hosts)


def over_web_address(lines: Sequence[Item], place: int) -> bool:
    """Whether the line after the one at `place` is a web or e-mail address that is made of its words."""
    words = _WORD.findall(lines[place].text.casefold())
    after = lines[place + 1].text.strip() if place + 1 < len(lines) else ""
    address = _WEB.fullmatch(after) or _MAIL.fullmatch(after)
    return bool(words) and address is not None and all(word in address.group(1).casefold() for word in words)


def over_title(block: Block, free: Sequence[Sequence[Item]], known: Sequence[FieldReading]) -> FieldReading | None:
    """The only words without a label in the cell right over that of the labelled title, as wide as it, at the upper edge of the labels."""
    layout, slack = block.layout, 0.004 * block.layout.diagonal
    ids = {
        source
        for each in known
        if each.key == "title" and each.evidence == "cell label" and not each.weak
        for source in each.sources
    }
    titles = {item.cell for item in layout.items if item.source in ids and item.cell >= 0}
    labels = [label for label in block.labels if label.wording and label.wording.is_field]
    if len(titles) != 1 or len(labels) < _LABELS:
        return None
    left, _, right, top = layout.cells[titles.pop()]
    highest = max(label.box[3] for label in labels)
    first = [
        layout.cells[label.cell][1]
        for label in labels
        if label.cell >= 0 and left - slack < layout.cells[label.cell][0] < right and label.middle[1] > top
    ]
    found = [
        items
        for items in free
        if _is_wording(items, labels)
        and ((box := layout.cells[items[0].cell])[3] + slack >= highest or _is_under_row(box[3], first, slack))
        and max(abs(box[0] - left), abs(box[2] - right), abs(box[1] - top)) <= slack
    ]
    if len(found) != 1 or UNREAD in joined(found[0]):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def _is_under_row(top: float, feet: Sequence[float], slack: float) -> bool:
    """Whether the cells of the labels over a title, `feet` their lower sides, stand in one row that ends at `top`."""
    return bool(feet) and all(abs(foot - top) <= slack for foot in feet)


def _is_wording(items: Sequence[Item], labels: Sequence[Item]) -> bool:
    """Whether `items` are words, with a number among them at most (TEAM 4774), or one word lettered larger than the labels."""
    text = tidy(joined(items))
    words = [word for word in text.split() if not has_digit(word)]
    numbers = len(text.split()) - len(words)
    usual = float(np.median([label.height for label in labels]))
    several = numbers <= 1 < len(words) or (not numbers and max(item.height for item in items) > _AS_VALUE * usual)
    return several and _WORD.search(text) is not None and _is_owner(" ".join(words), items)


def over_notice(block: Block) -> FieldReading | None:
    """The only name over a notice of rights or over whose company it is, larger than it, in a cell of the block that says nothing else."""
    lettering = block.lettering()
    found = [
        head
        for cell, items in block.layout.inside.items()
        if any(block.holds(item) or item.source in lettering for item in items) and len(lines := rows(items)) > 1
        for head, rest in [(lines[0], lines[1:])]
        if all(_is_rights(joined(line)) for line in rest)
        and min(item.height for item in head) > _LARGER * max(item.height for line in rest for item in line)
        and not any(item.wording for item in head)
        and is_name(head)
        and not has_caption(block.layout, cell)
    ]
    if len(found) != 1 or UNREAD in joined(found[0]):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def _is_rights(line: str) -> bool:
    return is_notice(line) or _COPYRIGHT.search(line) is not None or values.is_of_group(line)


def beside_picture(block: Block, free: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The only name in the cells `free` of labels that stands beside a picture, its logo, and nothing else."""
    layout = block.layout
    found = [
        items
        for items in free
        if is_name(items)
        and len(layout.inside[items[0].cell]) == len(items)
        and any(is_within(picture, layout.cells[items[0].cell]) for picture in layout.pictures)
        and not has_caption(layout, items[0].cell)
    ]
    if len(found) != 1 or UNREAD in joined(found[0]):
        return None
    return FieldReading("company", tidy(joined(found[0])), sources(found[0]), "typical place", True)


def over_address(block: Block, free: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The only name alone in a cell right over another one, as wide, in which its address stands in smaller lettering."""
    layout, slack = block.layout, 0.006 * block.layout.diagonal
    addressed = [
        (layout.cells[cell], max(item.height for item in items))
        for cell, items in layout.inside.items()
        if any(is_address(item.text.strip()) for item in items)
    ]
    found = [
        items
        for items in free
        if is_name(items)
        and len(layout.inside[items[0].cell]) == len(items)
        and any(
            max(abs(own[0] - box[0]), abs(own[2] - box[2]), abs(own[1] - box[3])) < slack
            and min(item.height for item in items) > _LARGER * height
            for own in (layout.cells[items[0].cell],)
            for box, height in addressed
        )
    ]
    if len(found) != 1 or UNREAD in joined(found[0]) or has_caption(layout, found[0][0].cell):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def of_host(block: Block, free: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The only name in the cells `free` of labels whose words stand in the host of a web or e-mail address anywhere on the sheet."""
    layout = block.layout
    addresses = [_WEB.search(item.text) or _MAIL.search(item.text) for item in (*layout.items, *layout.aside)]
    hosts = [address.group(1).casefold().replace("-", "") for address in addresses if address]
    found = [items for items in free if hosts and is_name(items) and _is_host(tidy(joined(items)), hosts)]
    if len(found) != 1 or UNREAD in joined(found[0]) or has_caption(layout, found[0][0].cell):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def alone(
    block: Block, free: Sequence[Sequence[Item]], known: Sequence[FieldReading], around: Box
) -> FieldReading | None:
    """The only name in the cells `free` of labels, lettered large, whose cell has an owner's place.

    That is: as wide as title or number at the edge of the block or right over the title, a corner, or over several rows at a side.

    around: the block's outline.
    """
    layout = block.layout
    labels = [label for label in block.labels if label.cell >= 0 and label.wording and label.wording.is_field]
    if len(labels) < _LABELS:
        return None
    heights = [label.height for label in labels]
    names = [
        items
        for items in free
        if is_name(items)
        and _is_larger(max(item.height for item in items), heights)
        and not _is_under_label(items, heights)
    ]
    if len(names) != 1 or UNREAD in joined(names[0]) or _HOST.search(joined(names[0])):
        return None
    items, box = names[0], layout.cells[names[0][0].cell]
    slack = 0.006 * layout.diagonal
    ids = {source for each in known if each.key in ("title", "drawing_number") for source in each.sources}
    cells = [layout.cells[item.cell] for item in layout.items if item.source in ids and item.cell >= 0]
    column = [own for own in cells if max(abs(box[0] - own[0]), abs(box[2] - own[2])) < slack]
    at_edge = (
        box[3] > around[3] - slack or box[1] < around[1] + slack or any(abs(box[1] - own[3]) < slack for own in column)
    )
    labelled = [layout.cells[label.cell] for label in labels]
    has_place = _is_corner(box, around, slack) or (column and at_edge) or _is_tall_at_side(box, labelled, around, slack)
    if not (has_place or (box[3] > around[3] - slack and _is_largest(block, items))):
        return None
    if has_caption(layout, items[0].cell):
        return None
    return FieldReading("company", name_of(items), sources(items), "typical place", True)


def _is_largest(block: Block, items: Sequence[Item]) -> bool:
    """Whether one line is lettered clearly larger than all else in the block, title and number too: the mark of a firm."""
    others = [
        item.height
        for item in block.layout.items
        if item not in items and item.cell >= 0 and block.holds(item) and any(map(str.isalnum, item.text))
    ]
    return len(items) == 1 and items[0].height > _LARGER * max(others, default=math.inf)


def _is_corner(box: Box, around: Box, slack: float) -> bool:
    """Whether a cell is an upper corner of the block."""
    at_top = abs(box[3] - around[3]) < slack
    return at_top and (abs(box[0] - around[0]) < slack or abs(box[2] - around[2]) < slack)


def _is_tall_at_side(box: Box, labelled: Sequence[Box], around: Box, slack: float) -> bool:
    """Whether a cell is as tall as two of the cells with labels and stands at the left or right side of the block."""
    usual = float(np.median([own[3] - own[1] for own in labelled]))
    at_side = abs(box[0] - around[0]) < slack or abs(box[2] - around[2]) < slack
    return at_side and box[3] - box[1] > _TALL * usual


def _is_under_label(items: Sequence[Item], of_labels: Sequence[float]) -> bool:
    """Whether a cell says a value under a label of no known word: larger lettering under one line as high as the labels."""
    first, *others = rows(items)
    usual = float(np.median(of_labels))
    return len(others) > 0 and abs(first[0].height / usual - 1) <= _ALIKE and others[0][0].height > _LARGER * usual


def _ends_as_label(text: str) -> bool:
    """Whether the last two words are a label's, or the name of a kind of drawing: PRODUCT CUSTOMER DRAWING."""
    words = text.split()
    return len(words) > 2 and title_labels.read(" ".join(words[-2:])) is not None


def _is_larger(height: float, of_labels: Sequence[float]) -> bool:
    """Whether lettering is larger than that of the labels, and than each that is nearly so high: a label of no known word is not."""
    return height >= _LARGER * float(np.median(of_labels)) and all(abs(height / own - 1) > _ALIKE for own in of_labels)


def _named(items: Sequence[Item]) -> str | None:
    """The line of a cell that names a company; its address follows."""
    lettered = [run for row in rows(items)[:4] for run in _runs(row)]
    lines = [" ".join(item.text for item in row) for row in lettered]
    # Figures are an address's: its third line names no company.
    first = sum(len(_runs(row)) for row in rows(items)[: 2 if has_digit(joined(items)) else 3])
    place = next((place for place, line in enumerate(lines[:first]) if values.is_company(line)), None)
    if place and has_digit(lines[place]):
        # A street with figures under a name: "SCOTT LAB, 201 W 19TH AVE".
        return None
    if place is not None and _is_head(lettered[place : place + 2]):
        return None
    if place is None or _is_emblem(items):
        whole = tidy(joined(items))
        named = place is not None or _is_emblem(items) or _is_name_alone(items)
        return whole if named and values.is_company(whole) else None
    if _is_centred(items):
        return tidy(joined(items))
    end = place + 1
    lines[place] = _without_addresses(lines[place])
    addressed = any(map(_holds_place, lines))
    while end < len(lines) and (
        _GOES_ON.search(lines[end - 1])
        or _GONE_ON.match(lines[end])
        or _is_part(lettered[place], lettered[end])
        or _is_in_other_script(lines[place], lines[end])
        or (not addressed and _is_department(lettered[place], lettered[end]))
    ):
        end += 1
    return tidy(" ".join(lines[place:end]))


def _is_part(name: Sequence[Item], line: Sequence[Item]) -> bool:
    """Whether a line under a name is lettered as it, set as it and names a part or the whole of it: an institute, its university."""
    first, other = name[0], line[0]
    alike = abs(other.height - first.height) < _ALIKE * first.height and _are_set_alike(name, line)
    text = joined(line)
    return alike and values.is_company(text) and not has_digit(text) and "," not in text


def _are_set_alike(name: Sequence[Item], line: Sequence[Item]) -> bool:
    """Whether two lines begin in one place or have one middle."""
    middles = [(row[0].box[0] + row[-1].box[2]) / 2 for row in (name, line)]
    return min(abs(line[0].box[0] - name[0].box[0]), abs(middles[0] - middles[1])) < name[0].height


def _is_department(name: Sequence[Item], line: Sequence[Item]) -> bool:
    """Whether a line under a name, set as it and no larger, begins with the word for a department: it is the name's second line."""
    text = joined(line).strip()
    return (
        DEPARTMENT.match(text) is not None
        and not has_digit(text)
        and "," not in text
        and line[0].height < (1 + _ALIKE) * name[0].height
        and _are_set_alike(name, line)
    )


def _is_in_other_script(name: str, line: str) -> bool:
    """Whether two lines name companies, one in Chinese characters or kana and the other in letters: one name for two readers."""
    return values.is_company(line) and (_HAN.search(name) is None) != (_HAN.search(line) is None)


def _holds_place(line: str) -> bool:
    """Whether a line has figures or a web or e-mail address: the lines beside it are an address, and a department in it a part of that."""
    return has_digit(line) or holds_address(line)


def _runs(row: Sequence[Item]) -> list[list[Item]]:
    """The texts of a row, parted where a wide gap stands between two: a name and a slogan beside it."""
    found: list[list[Item]] = []
    for item in row:
        if found and item.box[0] - found[-1][-1].box[2] < _APART * item.height:
            found[-1].append(item)
        else:
            found.append([item])
    return found


def _is_head(lines: Sequence[Sequence[Item]]) -> bool:
    """Whether the first of two lines is a label in two languages over a larger value: "CAD-System / cad system"."""
    heights = [max(item.height for item in line) for line in lines]
    return len(lines) == 2 and "/" in joined(lines[0]) and heights[0] * _LARGER < heights[1]


def _is_centred(items: Sequence[Item]) -> bool:
    """Whether the lines of a cell are one name: lettered alike, one under the other by their middles, none of them an address."""
    lines = rows(items)
    texts = [joined(row).strip() for row in lines]
    middles = [(row[0].box[0] + row[-1].box[2]) / 2 for row in lines]
    smallest = min(item.height for item in items)
    even = max(item.height for item in items) < (1 + _ALIKE) * smallest
    centred = max(middles) - min(middles) < 0.5 * smallest
    plain = not any(is_address(text) or "@" in text or _WEB.search(text) or "," in text for text in texts)
    return 2 <= len(lines) <= _NAME_LINES and even and centred and plain


def _without_addresses(line: str) -> str:
    """A line with a name without the e-mail and web addresses behind it."""
    words = line.split()
    while len(words) > 1 and (_MAIL.fullmatch(words[-1]) or _WEB.fullmatch(words[-1])):
        words.pop()
    return " ".join(words)


def _is_name_alone(items: Sequence[Item]) -> bool:
    """Whether a cell holds nothing but a name of several lines: one lettering, capital letters at their beginnings, no figures."""
    lines = [" ".join(item.text for item in row) for row in rows(items)]
    even = max(item.height for item in items) < 1.1 * min(item.height for item in items)
    return even and 2 <= len(lines) <= 4 and all(line[:1].isupper() and not has_digit(line) for line in lines)


def _is_emblem(items: Sequence[Item]) -> bool:
    """Whether all lines of a cell name the company: initials over the name, or field 9 of GOST 2.104, with the department."""
    lines = rows(items)
    if not 2 <= len(lines) <= 4 or any(len(row) > 3 for row in lines):
        return False
    texts = [" ".join(item.text for item in row) for row in lines]
    if CYRILLIC.search(texts[0]) and values.is_company(texts[0]):
        return all(re.search(r"[а-яё]|^\w?\d+$", text, re.IGNORECASE) for text in texts)
    heights = [max(item.height for item in row) for row in lines]
    initials = all(len(text) <= 6 and text.isupper() and text.isalpha() for text in texts[:-1])
    return initials and heights[-1] < 0.5 * min(heights[:-1]) and values.is_company(texts[-1])


def _over_address(lines: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The lines at the top of a cell, without figures, that stand over an address."""
    texts = [joined(row) for row in lines]
    first = next((place for place, text in enumerate(texts) if has_digit(text) or "@" in text or _WEB.search(text)), 0)
    if not 1 <= first <= _NAME_LINES or not any(is_address(text) for text in texts[first:]):
        return None
    items = [item for row in lines[:first] for item in row]
    if any(item.wording for item in items) or not is_name(items):
        return None
    return FieldReading("company", tidy(joined(items)), sources(items), "typical place")


def is_address(text: str) -> bool:
    """Whether `text` is an address and nothing else: a telephone number, an e-mail or web address, a postal code behind a region."""
    telephone = _TELEPHONE.fullmatch(text) is not None and sum(map(str.isdigit, text)) >= _TELEPHONE_DIGITS
    return telephone or any(form.fullmatch(text) is not None for form in (_WEB, _MAIL, _REGION))


def is_address_alone(text: str) -> bool:
    """Whether an address stands in `text`, and neither a deviation nor a standard: figures of it are no tolerances."""
    return holds_address(text) and "\u00b1" not in text and GENERAL_TOLERANCE.search(text) is None


def holds_address(text: str) -> bool:
    """Whether a telephone number, an e-mail or a web address stands in `text`."""
    found = _TELEPHONE.search(text)
    telephone = found is not None and sum(map(str.isdigit, found[0])) >= _TELEPHONE_DIGITS
    return telephone or any(form.search(text) is not None for form in (_WEB, _MAIL))


def is_name(items: Sequence[Item]) -> bool:
    """Whether `items` are words without figures, a label's colon, or a sentence of a form."""
    text = tidy(joined(items))
    return not has_digit(text) and _is_owner(text, items)


def _is_owner(text: str, items: Sequence[Item]) -> bool:
    """Whether `text`, what `items` say, could be the name of a company by its form."""
    return (
        _WORD.search(text) is not None
        and not set(joined(items)) & set(":;\uff1a")
        and len(text.split()) <= _MOST_WORDS
        and can_be("company", text)
        and (values.is_company(text) or not (_ENDED.search(text) or _ends_as_label(text)))
        and not (
            is_form_sentence(text) or is_template_text(text) or values.is_material(text) or is_stated_in_cell(text)
        )
    )


def name_of(items: Sequence[Item]) -> str:
    """What a cell says line by line, spread letters closed."""
    return tidy(" ".join(_unspaced(" ".join(item.text.strip() for item in row)) for row in rows(items)))


def _unspaced(line: str) -> str:
    return line.replace(" ", "") if _SPACED.fullmatch(line) else line

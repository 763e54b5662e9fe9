"""The company whose sheet it is, where no label names it: by its legal form, by its address, or by the place of its name.

Glossary
  emblem   a cell whose lines all name the company: initials over the name, or name and department.
  address  a line with a telephone number, an e-mail or web address, or a postal code behind a region.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import can_be
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.value_forms import MAIL, UNREAD, has_digit, tidy
from spatial.understanding.sheet.notes.sentences import is_stated_in_cell
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.addresses import (
    HOST,
    WEB,
    WORD,
    holds_address,
    is_address,
    is_host,
    without_addresses,
)
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources

_GOES_ON: Final = re.compile(rf"\b{alternatives('name_goes_on')}\s*$|[&,-]\s*$", re.IGNORECASE)
"""Ends of a line whose name goes on in the next."""
_GONE_ON: Final = re.compile(rf"{alternatives('name_goes_on')}\s+\S", re.IGNORECASE)
"""How the next line of a name begins: "DE INGENIERÍA"."""
CYRILLIC: Final = re.compile(r"[а-яё]", re.IGNORECASE)
INITIALS: Final = re.compile(r"[^\W\d_](?:\.[^\W\d_]){2,}\.?")
"""Initials of three words with full stops, alone in a cell: an organization's; a person's stand before a surname."""
_ENDED: Final = re.compile(r"[^\W\d_]{5,}\.$|[^\W\d_]\s?!$")
"""A whole word with a full stop ends an address or a sentence, one with an exclamation mark an order; Ltd. and Co. are abbreviations."""
_NAME_LINES: Final = 3
"""Lines over an address that may be the name."""
_SPACED: Final = re.compile(r"\w(?: \w){2,}")
""" "D E S I G N"."""
LARGER: Final = 1.3
"""How much larger than the labels such a name is lettered."""
_BETWEEN: Final = 0.5
"""Letter heights between two columns of lines."""
_APART: Final = 4.0
"""Letter heights between two texts of a row that say different things."""
ALIKE: Final = 0.05
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
    is_larger = min(item.height for item in name) > LARGER * max(item.height for item in address)
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
    addresses = [HOST.fullmatch(text) or MAIL.fullmatch(text) for text in texts]
    hosts = [address.group(1).casefold().replace("-", "") for address in addresses if address]
    named = [line for line, text in zip(lines, texts, strict=True) if is_host(text, hosts)]
    if len(named) != 1 or any(item.wording for item in named[0]):
        return None
    return FieldReading("company", tidy(joined(named[0])), sources(named[0]), "typical place")


def over_web_address(lines: Sequence[Item], place: int) -> bool:
    """Whether the line after the one at `place` is a web or e-mail address that is made of its words."""
    words = WORD.findall(lines[place].text.casefold())
    after = lines[place + 1].text.strip() if place + 1 < len(lines) else ""
    address = WEB.fullmatch(after) or MAIL.fullmatch(after)
    return bool(words) and address is not None and all(word in address.group(1).casefold() for word in words)


def _ends_as_label(text: str) -> bool:
    """Whether the last two words are a label's, or the name of a kind of drawing: PRODUCT CUSTOMER DRAWING."""
    words = text.split()
    return len(words) > 2 and title_labels.read(" ".join(words[-2:])) is not None


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
    lines[place] = without_addresses(lines[place])
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
    alike = abs(other.height - first.height) < ALIKE * first.height and _are_set_alike(name, line)
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
        and line[0].height < (1 + ALIKE) * name[0].height
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
    return len(lines) == 2 and "/" in joined(lines[0]) and heights[0] * LARGER < heights[1]


def _is_centred(items: Sequence[Item]) -> bool:
    """Whether the lines of a cell are one name: lettered alike, one under the other by their middles, none of them an address."""
    lines = rows(items)
    texts = [joined(row).strip() for row in lines]
    middles = [(row[0].box[0] + row[-1].box[2]) / 2 for row in lines]
    smallest = min(item.height for item in items)
    even = max(item.height for item in items) < (1 + ALIKE) * smallest
    centred = max(middles) - min(middles) < 0.5 * smallest
    plain = not any(is_address(text) or "@" in text or WEB.search(text) or "," in text for text in texts)
    return 2 <= len(lines) <= _NAME_LINES and even and centred and plain


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
    first = next((place for place, text in enumerate(texts) if has_digit(text) or "@" in text or WEB.search(text)), 0)
    if not 1 <= first <= _NAME_LINES or not any(is_address(text) for text in texts[first:]):
        return None
    items = [item for row in lines[:first] for item in row]
    # Smaller lettering over larger is a label of no known word over its value.
    is_label = max(item.height for item in items) * LARGER < min(item.height for item in lines[first])
    if is_label or any(item.wording for item in items) or not is_name(items):
        return None
    return FieldReading("company", tidy(joined(items)), sources(items), "typical place")


def is_name(items: Sequence[Item]) -> bool:
    """Whether `items` are words without figures, a label's colon, or a sentence of a form."""
    text = tidy(joined(items))
    return not has_digit(text) and is_owner(text, items)


def is_owner(text: str, items: Sequence[Item]) -> bool:
    """Whether `text`, what `items` say, could be the name of a company by its form."""
    return (
        WORD.search(text) is not None
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

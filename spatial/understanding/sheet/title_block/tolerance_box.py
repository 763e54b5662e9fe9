"""The list of a tolerance box: its lines, the cells that it runs over, and the signs in it that are drawn as strokes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.fields import can_be
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_template_text
from spatial.knowledge.value_forms import GENERAL_TOLERANCE, STANDARD, UNSPECIFIED, tidy
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block.items import Item, rows
from spatial.understanding.sheet.title_block.layout import Layout

_BARE: Final = re.compile(r"\d+(?:[.,]\d+)?")
_UNFILLED: Final = re.compile(r"\s*±\s*X+\s*°?\s*|√")
"""A deviation that the form leaves to be filled in, and the sign of surface texture, which states none."""
_STATED: Final = re.compile(r"±\s*[\d.,°']*[1-9]")
"""A deviation that is more than a place to be filled in: `.XX = ±.0-` and `ANGULAR = ±°` state none."""
_DEVIATION: Final = re.compile(r"±\s*[.,]?\d")
_LEFT_OPEN: Final = re.compile(r"(?<!\d)\s[-\u2013\u2014]+\s*°?\s*$")
"""The end of an entry with a dash for its deviation, which states none: `3 PLC -`."""
_TWO_NAMES: Final = re.compile(r"^\s*[^\W\d_]{3,}:\s+[^\W\d_]{3,}:")
"""Two names of deviations with nothing between them: the first one's is there, and was not read."""
_NAME_ALONE: Final = re.compile(r"\sX\s*$")
"""The beginning of an entry beside another, whose other characters were not read: `X.XX ±0.1 X`."""
_PRACTICE: Final = re.compile(r"(?:per\s+)?(?:ASME|ANSI)\s?Y\s?14\.5\s?M?(?:\s?-\s?\d{4})?\.?", re.IGNORECASE)
"""The standard of dimensioning and tolerancing, the end of a sentence: it states no general tolerance."""
_HEADING: Final = re.compile(r"(?:[^\W\d_][\w/-]*,?\s+){2,}[^\W\d_]+\s*[:\uff1a]")
"""What heads a list of deviations among others: three words and a colon."""
_NAMELESS: Final = re.compile(r"±[\d\s.,/\"'±\[\]]+")
_CLASS_LINES: Final = 2
"""Lines that name a class of general tolerances in words and the standard that has it: "mittel" over "ISO 2768"."""
_ANGLE: Final = re.compile(r"\d\s*°\s*$")
_WITHOUT_SIGN: Final = re.compile(r"[^\W\d_][^\d±]*\s\d{1,2}")
"""A name and a whole number among deviations: the sign between them, and a degree sign behind, were not read: `ANGLE 1`."""
_NUMBER_FIRST: Final = re.compile(r"[\d.,]+(?:\s+[^\W\d_]{3,}){2}[^±:\d]*")
"""The end of a sentence that begins in the line over it: `0.02 UNLESS OTHERWISE NOTED`."""
_ORDER: Final = re.compile(r"(?:[^\W\d_]+\s+){3,}\d[^±:=+]*")
"""A sentence of what is made so: `BREAK ALL SHARP EDGES 0.1 TO 0.5`; names of deviations are shorter, and have a sign behind them."""
_AND: Final = re.compile(rf"{alternatives('owner_and')}(?<=\w\w)\s+\w", re.IGNORECASE)
"""How a line begins that goes on with the one over it."""
_CLASS: Final = re.compile(r"(?<![^\W_])(?:[fmcv][HKL]?|[HKL])$")
"""A class of ISO 2768-1, of ISO 2768-2, or both, at the end of a line."""
_PLACES_ALONE: Final = re.compile(r"\d{1,2}\s+([^\W\d_]{2,4})[^\W\d_]*\.?(?:\s+\d{1,2}\s+\1[^\W\d_]*\.?)+(?:\s|$)")
"""Names of rows whose deviations are not filled in: `1 PLC 2 PLC 3 PLC`."""
_SIGNS: Final = frozenset("±:=+")
_LISTS, _FEWEST_ROWS = 2, 2
"""Lists of deviations side by side, and rows that have an entry of each."""
_MOST_ROWS: Final = 12
"""Rows of a table of deviations."""
_COLUMN_ENTRY: Final = re.compile(r"(\S+)\s*=\s*±?\s*([\d.,]*\d°?)(?=\s|$)")
"""An entry of a list in columns: `X.XX = ±0.01`."""
_TWO_LISTS: Final = re.compile(
    r"(±\s*[\d.,]*\d\s*°(?:\s*\([^()]{1,20}\))?)(?:\s+((?:X?[.,]X{1,5}|X)\s*[=:]?\s*±\s*[.,]?\d\S*))?"
)
""" "±0.5° (BEND) X.XX ±0.25": an entry of angles and beside it one of sizes by their decimal places (ASME Y14.5, 5.1)."""
_ENTRY: Final = re.compile(r"[±:]|[+-]\s*\d")
_NOUGHT: Final = re.compile(r"(?<=[.,])\s?[Øø⌀](?=\d)")
"""A nought with a stroke, as letterings of strokes have it, behind a decimal sign: no diameter stands there."""
_HALF_SIGN: Final = re.compile(r"[=:]\s*/\s*[-\u2013]|\+\s*/\s*[.,\d]")
"""A plus and minus of which one was not read, or stands in another line: `.X = / - 0.2`."""


def tolerances(items: Sequence[Item]) -> str:
    """The lines that state a tolerance; entries of a list are parted by semicolons, wrapped lines by spaces."""
    filled = [item for item in _with_degrees(items) if _UNFILLED.fullmatch(item.text) is None]
    written = [_NOUGHT.sub("0", " ".join(item.text for item in row)) for row in _under_heads(_by_head(rows(filled)))]
    if any(map(_HALF_SIGN.search, written)):
        return ""
    lines = _under_headings(_with_body(_gone_on(_by_column(_with_angles_apart(written)))))
    if any(_TWO_NAMES.search(line) or (_STATED.search(line) and _NAME_ALONE.search(line)) for line in lines):
        return ""
    stated = [
        re.sub(r"\s+:", ":", re.sub(r"±\s+", "±", tidy(line)))
        for line in lines
        if (any(sign.isdigit() for sign in line) or _names_class(line))
        and ("±" not in line or _STATED.search(line) is not None)
        and (_LEFT_OPEN.search(line) is None or is_entry(line))
        and not is_template_text(line)
        and not re.search(r"tolerancing|interpret|dimensions are", line, re.IGNORECASE)
        and _PRACTICE.fullmatch(line.strip()) is None
    ]
    stated = _without_unfilled([_without_label(line) for line in stated])
    if stated and all(GENERAL_TOLERANCE.fullmatch(line) for line in stated) and len(lines) <= _CLASS_LINES:
        return tidy(" ".join(lines))
    if (
        not stated
        or not can_be("tolerances", " ".join(stated))
        or any(map(_PLACES_ALONE.match, [*stated, " ".join(stated)]))
    ):
        return ""
    listed = sum(_ENTRY.search(line) is not None or _names_class(line) for line in stated)
    if listed > 1:
        # A number alone among entries is no deviation, the roughness of surfaces stands so at its sign; nor is the angle of chamfers.
        stated = [
            line
            for line in stated
            if not any(form.fullmatch(line) for form in (_BARE, _WITHOUT_SIGN, _NUMBER_FIRST, _ORDER))
            and not _is_angle(line)
        ]
    # Of several deviations of lengths without a name none is known to hold for anything.
    if sum(_NAMELESS.fullmatch(line) is not None for line in stated) > 1:
        return ""
    return ("; " if listed > 1 or len(stated) == 1 else " ").join(stated)


def _gone_on(lines: Sequence[str]) -> list[str]:
    """`lines`, one that begins with "and" joined to the one over it: "ON CASTINGS" / "AND FABRICATIONS ±0.5"."""
    found: list[str] = []
    for line in lines:
        if found and not is_entry(found[-1]) and _AND.match(line.strip()):
            found[-1] = f"{found[-1].strip()} {line.strip()}"
        else:
            found.append(line)
    return found


def _under_headings(lines: Sequence[str]) -> list[str]:
    """`lines` of several lists one under the other, the heading of each but the first before its first entry: "ON MACHINED SIZES:"."""
    found: list[str] = []
    heading = ""
    for line in lines:
        if any(map(is_entry, found)) and _HEADING.fullmatch(line.strip()):
            found, heading = [*found, line], line
        elif heading and is_entry(line):
            found, heading = [*found[:-1], f"{heading.strip()} {line.strip()}"], ""
        else:
            found, heading = [*found, line], ""
    return found


def _by_head(lines: list[list[Item]]) -> list[list[Item]]:
    """`lines`, words side by side over a deviation each as entries: "FRACTIONS | ANGLES" over "±1/64 | ±3°"."""
    found: list[list[Item]] = []
    for line in lines:
        over = found[-1] if found else []
        named = len(over) == len(line) > 1 and not any(
            sign.isdigit() or sign in _SIGNS for each in over for sign in each.text
        )
        if named and all(
            _is_under(value, head) and _STATED.match(value.text.strip()) for head, value in zip(over, line, strict=True)
        ):
            found[-1:] = [[head, value] for head, value in zip(over, line, strict=True)]
        else:
            found.append(line)
    return found


def _is_under(value: Item, head: Item) -> bool:
    return value.box[0] < head.box[2] and head.box[0] < value.box[2]


def _without_label(line: str) -> str:
    """ "TOLERANCES ARE ±.008": a deviation without the label before it."""
    sign = _DEVIATION.search(line)
    word = title_labels.read(line[: sign.start()]) if sign and sign.start() else None
    return line[sign.start() :] if sign and word is not None and word.key == "tolerances" else line


def _with_degrees(items: Sequence[Item]) -> list[Item]:
    """`items`, a degree sign that is drawn at the upper right corner of a number joined to it."""
    signs = [item for item in items if item.text.strip() == "°"]
    found = []
    for item in items:
        own = next((sign for sign in signs if _is_at_corner(sign, item)), None) if item.text[-1:].isdigit() else None
        found.append(replace(item, text=f"{item.text}°") if own else item)
        signs = [sign for sign in signs if sign is not own]
    left = {id(sign) for sign in signs}
    return [item for item in found if item.text.strip() != "°" or id(item) in left]


def _is_at_corner(sign: Item, number: Item) -> bool:
    h = number.height
    return (
        -0.2 * h < sign.box[0] - number.box[2] < 0.6 * h and number.middle[1] < sign.middle[1] < number.box[3] + 0.5 * h
    )


def _with_body(lines: list[str]) -> list[str]:
    """`lines`, the name of a body over the number of its standard as one: "ISO" over "2768-m"."""
    found: list[str] = []
    for line in lines:
        if (
            found
            and STANDARD.fullmatch(found[-1].strip())
            and GENERAL_TOLERANCE.fullmatch(f"{found[-1].strip()} {line.strip()}")
        ):
            found[-1] = f"{found[-1].strip()} {line.strip()}"
        else:
            found.append(line)
    return found


def _without_unfilled(stated: list[str]) -> list[str]:
    """`stated` without names of deviations that have none, where others of their form have one: "3 PLC" under "2 PLC ±0.25"."""
    names = {_named(line[: found.start()]) for line in stated if (found := _DEVIATION.search(line))}
    return [line for line in stated if _DEVIATION.search(line) or _named(line) not in names]


def _named(name: str) -> str:
    """The form of a name: its letters, whatever figures stand in it."""
    return re.sub(r"\d+", "0", name).strip(" :=")


def _by_column(lines: list[str]) -> list[str]:
    """The lines of a list whose entries stand beside each other, column by column, each behind the word over it; others as they are."""
    found = [_COLUMN_ENTRY.findall(line) for line in lines]
    listed = [place for place, entries in enumerate(found) if entries]
    count = max(map(len, found), default=0)
    if count < 2 or sum(len(entries) == count for entries in found) < 2:
        return lines
    before, behind = lines[: listed[0]], lines[listed[-1] + 1 :]
    over = before[-1].split() if before else []
    words = over if len(over) == count and not any(map(str.isdigit, before[-1])) else [""] * count
    columns = [
        [f"{name} = ±{value}" for name, value in (each[at] for each in found if len(each) > at)] for at in range(count)
    ]
    for word, column in zip(words, columns, strict=True):
        column[0] = f"{word} {column[0]}".strip()
    return [*before[: len(before) - (words is over)], *(entry for column in columns for entry in column), *behind]


def _with_angles_apart(lines: list[str]) -> list[str]:
    """The lines of a list of angles beside one of sizes, list by list, that of the angles behind the word over it."""
    found = [_TWO_LISTS.fullmatch(line.strip()) for line in lines]
    listed = [place for place, entry in enumerate(found) if entry is not None]
    if sum(entry is not None and entry[2] is not None for entry in found) < _FEWEST_ROWS:
        return lines
    over = lines[listed[0] - 1].split() if listed[0] else []
    heads = len(over) == _LISTS and not any(map(str.isdigit, "".join(over)))
    angles = [entry[1] for entry in found if entry is not None]
    angles[0] = f"{over[0]} {angles[0]}" if heads else angles[0]
    sizes = [entry[2] for entry in found if entry is not None and entry[2] is not None]
    rest = [line for place, line in enumerate(lines) if place > listed[0] and place not in listed]
    return [*lines[: listed[0] - heads], *angles, *sizes, *rest]


def _is_angle(line: str) -> bool:
    """Whether a line ends with an angle and states no deviation: "CHAMFERS 45°"."""
    return _ENTRY.search(line) is None and _ANGLE.search(line) is not None


def _under_heads(lines: list[list[Item]]) -> list[list[Item]]:
    """`lines` of a list with a second column of deviations: what stands under its head, right of an entry, becomes a line with that head.

    "DECIMALS | ANGLES" over "X | ±0.5 | ±2°": ±2° is the deviation of angles, not of X.
    """
    at = next((place for place, line in enumerate(lines[:-1]) if _are_heads(line, lines[place + 1])), None)
    if at is None:
        return lines
    head, left = lines[at][-1], lines[at][-1].box[0] - 2 * lines[at][-1].height
    further = [[item for item in line if item.box[0] >= left] for line in lines[at + 1 :]]
    rest = [[item for item in line if item.box[0] < left] for line in lines[at + 1 :]]
    moved = [item for items in further for item in items]
    if not moved or any(not _is_deviation(item.text) for item in moved):
        return lines
    # A number whose sign is not read is left out: it is neither the deviation of the entry before it nor sure to be one.
    told = [item for item in moved if _BARE.fullmatch(item.text.strip()) is None]
    return [*lines[:at], *(line for line in rest if line), *([[head, *told]] if told else [])]


def _is_deviation(text: str) -> bool:
    return _STATED.match(text.strip()) is not None or _BARE.fullmatch(text.strip().removesuffix("°")) is not None


def _are_heads(line: Sequence[Item], under: Sequence[Item]) -> bool:
    """Whether two words without figures stand over a name and two deviations, or over a name with its deviation and another one."""
    if len(line) != 2 or any(sign.isdigit() or sign in _SIGNS for item in line for sign in item.text):
        return False
    if len(under) == len(line):
        return _DEVIATION.search(under[0].text) is not None and _is_deviation(under[1].text)
    return len(under) == len(line) + 1 and all(_STATED.match(item.text.strip()) is not None for item in under[1:])


def is_entry(line: str) -> bool:
    """Whether `line` is an entry of a list of deviations: "RADII TOLERANCE: ±1.0"."""
    return _DEVIATION.search(line) is not None


def listing_cells(layout: Layout, first: int) -> list[int]:
    """The cell of a tolerance box and those right below it, as wide, that go on listing."""
    cells = [first]
    for _ in range(6):
        last = cells[-1]
        width = layout.cells[last][2] - layout.cells[last][0]
        under = [
            cell
            for cell in layout.below(last)
            if abs(layout.cells[cell][2] - layout.cells[cell][0] - width) < 0.05 * width
        ]
        stacked = bool(under) and _stacked(with_signs(layout, under[0])) is not None
        if not under or not (stacked or (tolerances(with_signs(layout, under[0])) and _listing(layout, under[0]))):
            break
        cells.append(under[0])
    return [*cells, *_rows_under(layout, cells[-1])]


def columns_under(layout: Layout, heading: int) -> list[Item]:
    """The entries of the cells side by side right under the cell of a heading, within its span, set as one column, the left one first.

    A cell counts whose lines are all entries; nothing where none of them has two.
    """
    left, low, right, _ = layout.cells[heading]
    slack = 0.004 * layout.diagonal
    under = sorted(
        (box, cell)
        for cell, box in enumerate(layout.cells)
        if abs(box[3] - low) <= slack and left - slack <= box[0] and box[2] <= right + slack and layout.inside.get(cell)
    )
    lists = [items for _, cell in under if _are_entries(items := with_signs(layout, cell))]
    if len(under) < _LISTS or not any(len(rows(items)) >= _FEWEST_ROWS for items in lists):
        return []
    found: list[Item] = []
    for items in lists:
        drop = max(0.0, max(item.box[3] for item in items) - min((item.box[1] for item in found), default=np.inf))
        found += [replace(item, box=_lowered(item.box, drop)) for item in items]
    return found


def classes_beside(layout: Layout, cell: int, stated: Sequence[Item]) -> list[Item]:
    """The lines of the cell beside `cell` that name the classes of the standard that `stated` is, set under it as it is.

    ISO 2768 without a class states nothing (ISO 2768-1, clause 5).
    """
    text = tidy(" ".join(item.text for line in rows(stated) for item in line))
    if GENERAL_TOLERANCE.fullmatch(text) is None or _CLASS.search(text) is not None:
        return []
    lowest = min(item.box[1] for item in stated)
    for beside in layout.beside(cell):
        items = layout.inside.get(beside, [])
        if items and all(_names_class(item.text) for item in items):
            drop = max(item.box[3] for item in items) - lowest
            return [replace(item, box=_lowered(item.box, max(drop, 0.0))) for item in items]
    return []


def _names_class(line: str) -> bool:
    """Whether a line names a class of general tolerances: "Geometric tolerance class -H"."""
    return UNSPECIFIED.search(line) is not None and _CLASS.search(line.strip()) is not None


def _are_entries(items: Sequence[Item]) -> bool:
    return all(_STATED.search(" ".join(item.text for item in row)) is not None for row in rows(items))


def _lowered(box: Box, drop: float) -> Box:
    return (box[0], box[1] - drop, box[2], box[3] - drop)


def listed_items(layout: Layout, cell: int) -> list[Item]:
    """What stands in a cell of a tolerance box, the name over its only deviation set before it: "decimal" over "±.5"."""
    items = with_signs(layout, cell)
    stacked = _stacked(items)
    if stacked is None:
        return items
    name, value = stacked
    width = name.box[2] - name.box[0]
    return [replace(name, box=(value[0].box[0] - width, value[0].box[1], value[0].box[0], value[0].box[3])), *value]


def _stacked(items: Sequence[Item]) -> tuple[Item, list[Item]] | None:
    """The name and the deviation of a cell that holds the one over the other and nothing else."""
    lines = rows(items)
    if len(lines) != 2 or len(lines[0]) != 1 or any(map(str.isdigit, lines[0][0].text)):
        return None
    name, value = lines[0][0], lines[1]
    if name.wording is not None and name.wording.is_field:
        return None
    return (name, value) if _STATED.match(" ".join(item.text for item in value).strip()) else None


def _rows_under(layout: Layout, over: int) -> list[int]:
    """Rows of two cells right below a tolerance box, together as wide: the name of a deviation, and the deviation, filled in or not."""
    found: list[int] = []
    left, low, right, _ = layout.cells[over]
    slack = 0.004 * layout.diagonal
    for _ in range(_MOST_ROWS):
        row = sorted(
            (box, cell)
            for cell, box in enumerate(layout.cells)
            if abs(box[3] - low) <= slack and left - slack <= box[0] and box[2] <= right + slack
        )
        if len(row) != 2 or not _is_row(layout, [cell for _, cell in row]):
            break
        found += [cell for _, cell in row]
        low = row[0][0][1]
    return found


def _is_row(layout: Layout, cells: Sequence[int]) -> bool:
    """Whether the first of two cells holds words, and the second a deviation or the place of one."""
    name, value = ([*layout.inside.get(cell, ())] for cell in cells)
    text = " ".join(item.text for row in rows(with_signs(layout, cells[1])) for item in row).strip()
    named = bool(name) and not any(item.wording is not None and item.wording.is_field for item in [*name, *value])
    return named and (_STATED.match(text) is not None or text in _SIGNS)


def with_signs(layout: Layout, cell: int) -> list[Item]:
    """What stands in a cell, signs that are drawn as strokes too."""
    x1, y1, x2, y2 = layout.cells[cell]
    inside = layout.inside.get(cell, [])
    drawn = [sign for sign in layout.signs if x1 <= sign.middle[0] <= x2 and y1 <= sign.middle[1] <= y2]
    return [*inside, *(sign for sign in drawn if not any(_over(sign, item) for item in inside))]


def _over(sign: Item, item: Item) -> bool:
    """Whether the text has the sign already."""
    x, y = sign.middle
    return sign.text in item.text and item.box[0] <= x <= item.box[2] and item.box[1] <= y <= item.box[3]


def _listing(layout: Layout, cell: int) -> bool:
    """Whether every line of a cell is an entry of a list: "FLATNESS: 0.20"."""
    lines = rows(layout.inside.get(cell, ()))
    texts = [" ".join(item.text for item in row) for row in lines]
    return (
        bool(texts)
        and all(re.match(r"[^:]{2,24}\s?:\s?\S?\s?\d*", text) is not None for text in texts)
        and not any(item.wording is not None and item.wording.is_field for row in lines for item in row)
    )

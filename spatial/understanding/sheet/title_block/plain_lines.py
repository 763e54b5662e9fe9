"""Title blocks that are a few plain lines at the foot of a sheet, with nothing ruled: "Bracket - 11.8.2020", "A4 Drawing - Scale 4:1"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.title_labels import OTHER
from spatial.knowledge.value_forms import COLONS, UNIT_STATEMENT, full_date, tidy
from spatial.understanding.sheet.title_block import company, values
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.layout import Layout

_PLAIN: Final = tuple(
    (key, re.compile(pattern, re.IGNORECASE))
    for key, pattern in (
        ("scale", rf"\b{alternatives('stated_scale')}\s*:?\s*(\d+(?:[.,]\d+)?\s*[:/]\s*\d+(?:[.,]\d+)?)"),
        ("size", rf"^(A[0-4])\b(?=\s+{alternatives('stated_size')}|\s*$|\s+-)"),
        ("sheet", rf"\b{alternatives('stated_sheet')}\s+(\d+\s*(?:{alternatives('stated_count')}|/)\s*\d+)"),
        ("tolerances", rf"\b{alternatives('stated_tolerances')}\s*:?\s*(.*\d.*)$"),
        ("units", UNIT_STATEMENT.pattern),
        ("material", rf"\b{alternatives('stated_material')}\s*:\s*(.+)$"),
        ("drawing_number", rf"\b{alternatives('stated_drawing')}\.? ?(?:no|number|nr|n°|#)\.?\s*:?\s*(\S*\d\S*)"),
        ("revision", r"\brev(?:ision)?\.?\s*:?\s*([A-Z]|\d{1,2})$"),
    )
)
_SIGNED: Final = re.compile(r"([^\W\d_][^\d]{1,30}[^\W\d_.])\s+[-\u2013]\s+(\d.{5,16})")
""" "E. Fargel - 2021-06-09"."""
_STACK: Final = 3.2
"""Letter heights from one line of a plain block to the next."""
_HEADING: Final = 2
"""Lines of a title."""
_LEAST: Final = 2
"""Fields that the lines of a plain block state before it is one; one of them the scale or the paper."""


def readings(layout: Layout) -> list[FieldReading]:
    """What a plain block at the foot of the sheet states; nothing where none is."""
    foot = layout.box[1] + 0.4 * (layout.box[3] - layout.box[1])
    low = [
        row[0]
        for row in rows(item for item in layout.items if item.middle[1] < foot)
        if len(row) <= 4
        for row in ([item] for item in row)
    ]
    for stack in _stacks(low):
        found = list(_stated(stack))
        keys = {reading.key for reading in found}
        if len(keys) >= _LEAST and keys & {"scale", "size"} and len(stack) >= 3:
            return [*found, *_unstated(stack, found)]
        if len(stack) >= 3 and _is_at_right(stack, layout) and (dated := _dated(stack)):
            return dated
    return []


def _is_at_right(stack: Sequence[Item], layout: Layout) -> bool:
    """Whether lines stand in the lower right quarter of the sheet, where a block stands."""
    left, low, right, top = layout.box
    middle = (min(item.box[0] for item in stack) + max(item.box[2] for item in stack)) / 2
    return middle > (left + right) / 2 and stack[0].middle[1] < (low + top) / 2


def _dated(stack: Sequence[Item]) -> list[FieldReading]:
    """The title over the line that says who drew and when, or one line or two over the day alone; lines under it say what changed.

    These are the fields that ISO 7200 asks of every sheet, in its order, where nobody drew the form for them: what it is, whose, of when.
    """
    for place, line in enumerate(stack[1:], start=1):
        heading, signed = stack[:1], list(_signed(line))
        if not signed and place <= _HEADING:
            heading, signed = stack[:place], list(_day(line))
        if signed:
            titles = list(_headline(stack[0], tidy(joined(heading)), sources(heading)))
            return [*signed, *titles] if not any(map(_is_label, heading)) else []
    return []


def _is_label(line: Item) -> bool:
    return line.wording is not None or line.text.rstrip().endswith(COLONS)


def _day(line: Item) -> Iterator[FieldReading]:
    """A line that is a full date and nothing else."""
    text = line.text.strip()
    if full_date(text) == text:
        yield FieldReading("date", text, (line.source,), "combined line", True)


def _signed(line: Item) -> Iterator[FieldReading]:
    """Who drew, and when: a person's name with a dash and a full date, the last line of a block."""
    found = _SIGNED.fullmatch(line.text.strip())
    date = full_date(found[2]) if found else None
    if found is None or date is None or date != found[2].strip() or not can_be("drawn_by", found[1]):
        return
    yield FieldReading("drawn_by", found[1], (line.source,), "combined line", True)
    yield FieldReading("date", date, (line.source,), "combined line", True)


def _stacks(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Lines one under the other, aligned at the left or in the middle."""
    left = sorted(items, key=lambda item: -item.middle[1])[:600]
    farthest = _STACK * max((item.height for item in left), default=0.0)
    while left:
        stack = [left.pop(0)]
        for item in list(left):
            last = stack[-1]
            if last.middle[1] - item.middle[1] > farthest:
                break
            aligned = min(abs(item.box[0] - last.box[0]), abs(item.middle[0] - last.middle[0])) < 1.2 * max(
                item.height, last.height
            )
            if aligned and 0 < last.middle[1] - item.middle[1] < _STACK * max(item.height, last.height):
                stack.append(item)
                left.remove(item)
        if len(stack) > 1:
            yield stack


def _stated(stack: Sequence[Item]) -> Iterator[FieldReading]:
    seen: set[str] = set()
    for item in stack:
        for key, form in _PLAIN:
            found = form.search(item.text[:200])
            if found and key not in seen and can_be(key, found.group(1)):
                seen.add(key)
                yield FieldReading(key, tidy(found.group(1)), (item.source,), "combined line")


def _unstated(stack: Sequence[Item], known: Sequence[FieldReading]) -> Iterator[FieldReading]:
    """The title in the first line, the material and the company in lines of their own."""
    taken = {source for reading in known for source in reading.sources}
    stated = {reading.key for reading in known}
    for place, item in enumerate(stack):
        text = tidy(item.text)
        if item.source in taken or (item.wording and item.wording.key == OTHER):
            continue
        if place == 0:
            yield from _headline(item, text, (item.source,))
        elif "material" not in stated and values.is_material(text):
            stated.add("material")
            yield FieldReading("material", text, (item.source,), "combined line")
        elif "company" not in stated and (
            (values.is_company(text) and "://" not in text) or company.over_web_address(stack, place)
        ):
            stated.add("company")
            yield FieldReading("company", text, (item.source,), "combined line")


def _headline(item: Item, text: str, ids: tuple[str, ...]) -> Iterator[FieldReading]:
    """ "Center Pulley - 11.8.2020": the title, and the date after a dash."""
    date = full_date(text)
    title = tidy(text.replace(date, " ")).strip("-–—,/| ") if date else text
    if date:
        yield FieldReading("date", date, (item.source,), "combined line")
    if can_be("title", title):
        yield FieldReading("title", title, ids, "combined line")

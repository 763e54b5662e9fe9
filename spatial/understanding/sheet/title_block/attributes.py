"""Title blocks that the file keeps as attributes of one inserted block (DXF)."""

# ruff: noqa: E501 - a form is one line

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, ROLES, can_be
from spatial.knowledge.phrases import is_template_text
from spatial.knowledge.title_labels import HEADER, OTHER
from spatial.knowledge.value_forms import DASHES, tidy
from spatial.models.sheet.drawing import Sheet, Text
from spatial.understanding.sheet.cells.orientation import quarter, turned
from spatial.understanding.sheet.title_block.field_reading import FieldReading

_LEAST: Final = 3
"""Fields that an insert names before it is a title block; a section mark has sheet and scale only."""
_MOST_LINES: Final = 4
"""Attributes that may hold the lines of one value."""
_NUMBERS: Final = frozenset({"drawing_number", "part_number"})
"""Fields for the one number that a thing has."""
_MARK: Final = re.compile(r"section|detail|view|elev|bubble|grid|room|door|window|balloon|weld", re.IGNORECASE)
_PREFIXES: Final = re.compile(
    r"^(GEN[-_ ]TITLE|TITLE[-_ ]?BLOCK|TB|TBLK|TITULO|TITEL|SCHRIFTFELD|ATT|ATTR|A|T|TXT|FIELD|DRAWING_?INFO)[-_ .]+",
    re.IGNORECASE,
)
_SHORT: Final = {
    "sca": "scale", "siz": "size", "dat": "date", "mat": "material", "nr": "drawing_number", "dwg": "drawing_number", "chkm": "checked_by", "chk": "checked_by",
    "appm": "approved_by", "des": "title", "des1": "title", "des2": "title", "name": "drawn_by", "desm": "drawn_by", "rev": "revision", "sheet": "sheet", "iss": "revision", "mass": "weight",
    "cag": "cage_code", "tit": "title",
}  # fmt: skip
"""What follows GEN-TITLE- in the title blocks of AutoCAD Mechanical."""


def readings(sheet: Sheet) -> list[FieldReading]:
    """What the attributes of the sheet's title block name; nothing where no insert is one."""
    inserts: dict[str, list[Text]] = defaultdict(list)
    for text in sheet.texts:
        if text.kind == "attrib" and text.owner and text.tag:
            inserts[text.owner].append(text)
    best: list[FieldReading] = []
    most = 0.0
    for texts in inserts.values():
        found, named = _of(texts)
        if (
            len(named) >= _LEAST
            and len(named) + 0.1 * len(found) > most
            and sum(_MARK.search(text.tag or "") is not None for text in texts) * 2 < len(texts)
        ):
            best, most = found, len(named) + 0.1 * len(found)
    return best


def _of(texts: Sequence[Text]) -> tuple[list[FieldReading], set[str]]:
    """The readings of one insert, and the keys that it has attributes for, filled or not."""
    lines: dict[tuple[str, bool], list[Text]] = defaultdict(list)
    for text in texts:
        named = _key(text.tag or "") or _key(text.prompt or "")
        if named is not None:
            lines[named].append(text)
    found: list[FieldReading] = []
    labelled: dict[str, str] = {}
    for (key, weak), pieces in lines.items():
        kept = sorted((piece for piece in pieces if _filled(piece, key, texts)), key=_from_the_top)
        value = tidy(" ".join(piece.text for piece in kept[: _MOST_LINES if FIELDS[key].has_lines else 1]))
        own = title_labels.read(value)
        if kept and own is not None and own.value and own.key != key:
            labelled[key] = own.key
        if kept and own is None:
            found.append(FieldReading(key, value, tuple(piece.id for piece in kept), "attrib", weak))
    exchanged = _exchanged(found, labelled)
    return [reading for reading in exchanged if can_be(reading.key, reading.value)], {key for key, _ in lines}


def _exchanged(found: list[FieldReading], labelled: dict[str, str]) -> list[FieldReading]:
    """Readings where an office put a value into the attribute of another field and printed its label with it.

    labelled: a key to that of the label in its attribute: that field's own attribute holds what the first one is for.
    """
    for key, other in labelled.items():
        if any(reading.key == key for reading in found):
            continue
        holders = {other} | (_NUMBERS if other in _NUMBERS else set())
        place = next((at for at, each in enumerate(found) if each.key in holders and can_be(key, each.value)), None)
        if place is not None:
            found[place] = replace(found[place], key=key)
    return found


def _filled(piece: Text, key: str, texts: Sequence[Text]) -> bool:
    text = piece.text.strip()
    if key == "revision" and text in DASHES:
        return sum(each.text.strip() == text for each in texts) == 1
    return bool(text) and not is_template_text(text)


def _from_the_top(text: Text) -> tuple[float, float]:
    box = turned(text.box, quarter([text]))
    return -box[3], box[0]


def _key(name: str) -> tuple[str, bool] | None:
    """The key that a tag or a prompt names: DRAWN_BY, TITLE2, GEN-TITLE-SCA{6}, `Enter drawing number:`."""
    plain = re.sub(r"\{[^}]*\}|^(enter|type|input|insert) (the )?|[?:]+\s*$", "", name.strip(), flags=re.IGNORECASE)
    short = _PREFIXES.sub("", plain)
    if (
        short != plain
        and plain.upper().startswith("GEN")
        and (key := _SHORT.get(short.casefold().rstrip("0123456789_-")))
    ):
        return key, False
    for written in (plain, short, re.sub(r"[-_ ]*\d+$", "", short), re.sub(r"(?<=[a-z])(?=[A-Z])", " ", short)):
        wording = title_labels.read(written.replace("_", " ").replace("-", " ").replace(".", " "))
        if wording is not None and not wording.value and wording.key not in (OTHER, HEADER):
            return wording.key, wording.weak
    return _role_date(short)


def _role_date(name: str) -> tuple[str, bool] | None:
    """DRAWN_DATE is a date; CHECKED_NAME a name."""
    words = title_labels.folded(name.replace("-", " ")).split()
    if len(words) != 2:
        return None
    first, second = title_labels.read(words[0]), title_labels.read(words[1])
    if first is None or second is None or first.key not in ROLES:
        return None
    if second.key == "date":
        return ("date", True) if first.key == "drawn_by" else None
    return (first.key, first.weak) if second.key in (HEADER, "title") else None

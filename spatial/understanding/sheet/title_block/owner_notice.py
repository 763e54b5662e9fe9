"""The company that notices on the sheet name: the holder of copyright, and whose property the drawing is.

A notice of property often comes with a template, or names a company whose logo says less, so that the owner counts only where its name
stands once more: in lettering, or in a web address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import has_placeholder, is_template_text
from spatial.knowledge.value_forms import COMPANY, UNREAD, tidy
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, sources

_COPYRIGHT: Final = re.compile(
    r"(?:(?:\u00a9|\(c\))\s*(?:19|20)\d\d(?:\s*[-\u2013]\s*\w+)?,?|copyright\s+(?:(?:\u00a9|\(c\))(?=\s+[^\s\d])|(?:19|20)\d\d,?))(?:\s+(\S.{0,120})|\s*$)",
    re.IGNORECASE,
)
"""A notice of copyright (17 U.S.C. 401): the sign, the year, the holder; behind the word, with a year or the sign alone."""
_BY_MARK: Final = re.compile(r"(?i:by)\s+([A-Z][A-Z\d&-]{4,})\.?")
"""A holder that one word in capitals names: the mark of a firm; persons have two names."""
_WHOLE_WORD: Final = r"(?!(?<=\w)\w)"
"""No word goes on here: "PROPERTY OF THERMAL" holds no article."""
_OWNED: Final = re.compile(rf"\b{alternatives('owned_by')}{_WHOLE_WORD}\s*", re.IGNORECASE)
_PERMITTED: Final = re.compile(rf"\b{alternatives('permitted_by')}{_WHOLE_WORD}\s*", re.IGNORECASE)
_MAKER: Final = re.compile(rf"{alternatives('program_maker')}\b", re.IGNORECASE)
_QUOTED: Final = re.compile(r"[\"\u201c\u201e\u00ab]\s*([^\"\u201d\u201c\u00bb]{2,60}?)\s*[\"\u201d\u201c\u00bb]")
_ENDS: Final = re.compile(
    rf"\s+(?:{alternatives('owner_and')}\s+)?{alternatives('owner_ends')}\b|[.;:]\s|[.;:]$|\s+[\u2013-]\s",
    re.IGNORECASE,
)
"""Where the name of an owner ends in its sentence."""
_MOST_WORDS: Final = 6
_FEWEST_LETTERS, _LONG_NAME = 2, 6
"""Letters of a name, and of one that is told by the web address that is made of it."""
_SHORTEST: Final = 3
"""Letters that two spellings of one name begin with."""
_HOST: Final = re.compile(r"[\w-]\.[a-z]{2,}", re.IGNORECASE)


def of_copyright(items: Sequence[Item]) -> FieldReading | None:
    """The only holder that notices of copyright name, down to its legal form: "(C) 2016-2020 TARNOW, INC.", on one line or two."""
    found: dict[str, tuple[str, ...]] = {}
    for item in items:
        notice = _COPYRIGHT.search(item.text)
        if notice is None:
            continue
        under = None if notice.group(1) else _line_under(item, items)
        holder = notice.group(1) or (under.text if under else "")
        form = COMPANY.search(holder)
        name = tidy(holder[: form.end()]) if form else ""
        mark = _BY_MARK.fullmatch(holder.strip())
        if mark is not None and item.cell >= 0 and not _MAKER.match(mark[1]):
            found.setdefault(mark[1], sources([item]))
        elif len(name.split()) <= _MOST_WORDS + 2 and values.is_company(name):
            found.setdefault(name, sources([item, under] if under else [item]))
    if len(found) != 1:
        return None
    name, ids = next(iter(found.items()))
    return FieldReading("company", name, ids, "typical place", True, shared=True)


def _line_under(line: Item, items: Sequence[Item]) -> Item | None:
    """The next line of the paragraph that `line` begins."""
    h = line.height
    return next(
        (
            item
            for item in items
            if abs(item.box[0] - line.box[0]) < h and 0.5 * h < line.middle[1] - item.middle[1] < 2.5 * h
        ),
        None,
    )


def of_property(block: Block) -> FieldReading | None:
    """The only owner that notices of property name, where it stands elsewhere as well or a web address is made of it."""
    layout = block.layout
    found = {_plain(name): (name, items) for items in _notices(block) if (name := _owner(joined(items)))}
    if len(found) != 1:
        return None
    plain, (name, items) = next(iter(found.items()))
    own = {item.source for item in items}
    repeated = [item for item in layout.items if item.source not in own and _plain(item.text) == plain]
    if repeated:
        largest = max(repeated, key=lambda item: item.height)
        return FieldReading("company", tidy(largest.text), (largest.source,), "typical place", True)
    hosts = [item for item in layout.items if item.source not in own and _HOST.search(item.text)]
    addressed = len(plain) >= _LONG_NAME and any(plain in _plain(item.text) for item in hosts)
    marked = values.is_company(name) and any(is_mark(item.text, name) for item in layout.items)
    if not addressed and not marked and not _is_asked(items, name):
        return None
    named = [item for item in items if _OWNED.search(item.text)] or items
    return FieldReading("company", name, sources(named), "typical place", True, shared=True)


def _is_asked(items: Sequence[Item], owner: str) -> bool:
    """Whether the notice names its owner a second time, as the one who permits: "PROPERTY OF VR. ANY USE WITHOUT THE PERMISSION OF VR".

    A name with its legal form may be shorter there.
    """
    asked = _plain(_owner(joined(items), _PERMITTED))
    return bool(asked) and (asked == _plain(owner) or (values.is_company(owner) and _plain(owner).startswith(asked)))


def with_customer(block: Block, known: Sequence[FieldReading]) -> list[FieldReading]:
    """`known`, what a label of the company names as the customer where a notice names another owner that stands elsewhere too."""
    labelled = next((each for each in known if each.key == "company" and not each.weak), None)
    if labelled is None or any(each.key == "customer" for each in known):
        return list(known)
    owner = of_property(block)
    if owner is None or owner.shared or _is_part(owner.value, labelled.value):
        return list(known)
    return [*(each for each in known if each is not labelled), replace(labelled, key="customer"), owner]


def _is_part(one: str, other: str) -> bool:
    """Whether one name is in the other one, or begins as it does: a division or another spelling of the owner."""
    left, right = _plain(one), _plain(other)
    return left in right or right in left or left[:_SHORTEST] == right[:_SHORTEST]


def of_permission(block: Block) -> FieldReading | None:
    """The only university or company by its legal form whose permission notices ask for: "WITHOUT AUTHORIZATION FROM TARNOW UNIVERSITY"."""
    found = {
        name: items
        for items in _notices(block)
        if (name := _owner(joined(items), _PERMITTED)) and values.is_company(name)
    }
    if len(found) != 1:
        return None
    name, items = next(iter(found.items()))
    return FieldReading("company", name, sources(items), "typical place", True, shared=True)


def owners(block: Block) -> frozenset[str]:
    """The owners that notices of property name."""
    return frozenset(name for items in _notices(block) if (name := _owner(joined(items))))


def is_mark(text: str, owner: str) -> bool:
    """Whether `text` is the first word of a name of several: the mark of TARNOW DISK PUMPS, LLC."""
    words = owner.casefold().split()
    return len(words) > 1 and words[0].strip(",.") == text.strip().casefold().strip("\u00ae\u2122")


def _notices(block: Block) -> Iterator[list[Item]]:
    """The lettering of each cell, and each line in open space, in any direction of reading: a notice may run along the frame."""
    yield from block.layout.inside.values()
    yield from ([item] for item in (*block.layout.items, *block.layout.aside) if item.cell < 0)


def _owner(text: str, before: re.Pattern[str] = _OWNED) -> str:
    """ "TARNOW DISK PUMPS" of "PROPERTY OF TARNOW DISK PUMPS. ANY REPRODUCTION"; empty where no owner is named."""
    owned = before.search(text)
    if owned is None:
        return ""
    rest = text[owned.end() :]
    quoted = _QUOTED.match(rest)
    end = _ENDS.search(f"{rest} ")
    whole = rest if before is _PERMITTED else ""
    name = quoted[1] if quoted else rest[: end.start()] if end else whole
    name = tidy(name).strip(" ,\"'\u201c\u201d")
    fits = 0 < len(name.split()) <= _MOST_WORDS and len(_plain(name)) >= _FEWEST_LETTERS and UNREAD not in name
    begins = quoted is not None or name[:1].isupper()
    of_template = has_placeholder(name) or is_template_text(name) or _MAKER.match(name)
    return name if fits and begins and not of_template else ""


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())

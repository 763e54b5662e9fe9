"""Exponents that stand raised behind a text, each a text of its own: `0,5×10⁻³`, `kg/mm²`. Without them a note states another number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.patterns import alternatives
from spatial.understanding.sheet.notes.line import Line

_EXPONENT: Final = re.compile(r"(?P<sign>[-\u2212\u2013+]?)(?P<number>\d{1,2})")
_POWER: Final = re.compile(r"(?P<times>[\u00d7x*·]\s?)?\b10")
"""A power of ten; without a sign of multiplication before it only a signed exponent is one, a plain figure may be a footnote."""
_TEN: Final = "10"
_UNIT: Final = re.compile(rf"(?:\b|\d)(?:{alternatives('length_unit')}|m)", re.IGNORECASE)
_AREA, _VOLUME = "2", "3"
_HEIGHT: Final = (0.3, 0.8)
"""Of the exponent in letter heights of the text."""
_RISE: Final = (0.25, 1.1)
"""Letter heights of the exponent's middle over that of the text."""
_GAP: Final = (-0.3, 0.6)
"""Letter heights from the text to its exponent."""
_RAISED: Final = str.maketrans("0123456789-\u2212\u2013+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")


def with_exponents(found: Sequence[Line]) -> list[Line]:
    """`found` with each exponent in the text that it stands behind."""
    exponents = [line for line in found if not line.marked and _EXPONENT.fullmatch(line.text)]
    bases = [line for line in found if _ends_with_base(line.text)] if exponents else []
    given: dict[int, Line] = {}
    used: set[int] = set()
    for line in exponents if bases else ():
        near = [base for base in bases if _is_behind(base, line) and _takes(base.text, line.text)]
        if len(near) != 1 or id(near[0]) in given:
            continue
        (base,) = near
        x1, y1, _, y2 = base.box
        given[id(base)] = replace(
            base,
            text=f"{base.text}{line.text.translate(_RAISED)}",
            box=(x1, y1, line.box[2], y2),
            sources=(*base.sources, *line.sources),
        )
        used.add(id(line))
    return [given.get(id(line), line) for line in found if id(line) not in used]


def _ends_with_base(text: str) -> bool:
    if text[-1:].isdecimal() and not text.endswith(_TEN):  # a size, as most texts are; units end with letters
        return False
    return _last(_POWER, text) is not None or _last(_UNIT, text) is not None


def _takes(base: str, exponent: str) -> bool:
    """Whether a power of ten or a unit can have that exponent."""
    power = _last(_POWER, base)
    if power is not None:
        return power["times"] is not None or exponent[:1] in "-\u2212\u2013+"
    return exponent in (_AREA, _VOLUME)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match that ends with the text."""
    tail = text[-8:]
    return next((match for match in pattern.finditer(tail) if match.end() == len(tail)), None)


def _is_behind(base: Line, exponent: Line) -> bool:
    """Whether a small text stands raised right behind another one."""
    h = max(base.height, 1e-9)
    return (
        base.cell == exponent.cell
        and _HEIGHT[0] < exponent.height / h < _HEIGHT[1]
        and _RISE[0] * h < exponent.level - base.level < _RISE[1] * h
        and _GAP[0] * h < exponent.box[0] - base.box[2] < _GAP[1] * h
    )

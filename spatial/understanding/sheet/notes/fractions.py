"""Half a tolerance that is set as a fraction in a sentence: `H14, h14, ±IT14/2` of GOST 30893.1, `±t2/2` of GOST 25670.

The numerator and the 2 under it are texts of their own; in the sentence they leave a gap behind `±`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.notes.line import Line

_TOLERANCE: Final = re.compile(r"(?:IT|ІТ|ИТ)\s?\d{1,2}|[tTт]\s?\d{0,2}")
_HALF: Final = "2"
_BESIDE: Final = 1.5
"""Letter heights between the middles of numerator and denominator, and from the sign to the fraction."""
_BELOW: Final = (0.8, 2.4)
"""Letter heights from the numerator down to the denominator."""
_OVER: Final = (0.2, 1.6)
"""Letter heights of the numerator over the line that the fraction stands in."""


def with_fractions(found: Sequence[Line]) -> list[Line]:
    """`found` with each such fraction in the line that ends with its sign."""
    signs = [line for line in found if line.text.rstrip().endswith("±")]
    halves = [line for line in found if line.text.strip() == _HALF] if signs else []
    given: dict[int, Line] = {}
    used: set[int] = set()
    for numerator in found if halves else ():
        half = next((each for each in halves if _is_fraction(numerator, each)), None)
        sign = next((each for each in signs if _is_before(each, numerator)), None)
        if half is None or sign is None or id(half) in used or id(sign) in given:
            continue
        used |= {id(numerator), id(half)}
        x1, y1, _, y2 = sign.box
        right = box_around((numerator.box, half.box))[2]
        sources = (*sign.sources, *numerator.sources, *half.sources)
        text = f"{sign.text}{numerator.text}/{_HALF}"
        given[id(sign)] = replace(sign, text=text, box=(x1, y1, right, y2), sources=sources)
    return [given.get(id(line), line) for line in found if id(line) not in used]


def _is_fraction(numerator: Line, half: Line) -> bool:
    h = max(numerator.height, 1e-9)
    shift = abs(numerator.box[0] + numerator.box[2] - half.box[0] - half.box[2]) / 2
    is_under = _BELOW[0] * h < numerator.level - half.level < _BELOW[1] * h
    return _TOLERANCE.fullmatch(numerator.text.strip()) is not None and is_under and shift < _BESIDE * h


def _is_before(sign: Line, numerator: Line) -> bool:
    h = max(sign.height, 1e-9)
    is_over = _OVER[0] * h < numerator.level - sign.level < _OVER[1] * h
    return is_over and sign.cell == numerator.cell and -h < numerator.box[0] - sign.box[2] < _BESIDE * h

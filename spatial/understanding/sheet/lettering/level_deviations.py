"""Both deviations of a size, read in the direction of that size.

A printer that places letters on whole dots turns small ones by other angles than large ones: those of `Ø259 +0.01 -0.00` at 291° stood at
304°. A deviation is written in the direction of its size (ISO 129-1 §9, ISO 406).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from spatial.models.sheet.drawing import Text
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import apart, cosine_sine

OFF: Final = 0.4
"""Degrees from the nearest quarter turn of deviations that are looked at."""
TURNED: Final = 16.0
"""Degrees between a deviation and its size at most."""
ALONG: Final = (-1.6, 0.8)
"""Heights of a size from its end within which its deviations begin, along its baseline."""
ACROSS: Final = (-0.8, 2.6)
"""The same across it, from the baseline."""
SMALLER: Final = 0.8
"""Height of a deviation by that of its size, at most."""
PAIR: Final = 2.2
"""Heights of a deviation between the beginnings of both."""
MOST: Final = 200
"""Slanted deviations of a sheet."""


def level_deviations(texts: list[Text]) -> list[Text]:
    """The texts, both slanted deviations at the end of a size in its direction."""
    slanted = [text for text in texts if apart(text.angle, 0.0, 90.0) > OFF and _is_deviation(text)][:MOST]
    sizes = [text for text in texts if words.is_plain(text.text.strip())] if slanted else []
    angles: dict[str, float] = {}
    for upper, lower in _pairs(slanted):
        size = _size_of(upper, lower, sizes)
        if size is not None:
            angles[upper.id] = angles[lower.id] = size.angle
    return [replace(text, angle=angles[text.id]) if text.id in angles else text for text in texts]


def _is_deviation(text: Text) -> bool:
    written = text.text.strip()
    return words.is_deviation(written) or words.is_zero(written)


def _pairs(deviations: Sequence[Text]) -> Iterator[tuple[Text, Text]]:
    """Deviations of one direction of which the first stands over the second."""
    for upper in deviations:
        for lower in deviations:
            _, rise = _offset(lower.origin, upper)
            is_level = (
                apart(upper.angle, lower.angle) < OFF and math.dist(upper.origin, lower.origin) < PAIR * lower.height
            )
            if is_level and rise > lower.height / 2 and words.deviations_pair(upper.text.strip(), lower.text.strip()):
                yield upper, lower


def _size_of(upper: Text, lower: Text, sizes: Sequence[Text]) -> Text | None:
    """The size at whose end two deviations begin; None where several have them there."""
    fitting = [size for size in sizes if all(_is_at_end(each, size) for each in (upper, lower))]
    return fitting[0] if len(fitting) == 1 else None


def _is_at_end(deviation: Text, size: Text) -> bool:
    if deviation.height >= SMALLER * size.height or apart(size.angle, deviation.angle) > TURNED:
        return False
    along, across = (each / size.height for each in _offset(size.origin, deviation, size.angle))
    return ALONG[0] < along - size.width / size.height < ALONG[1] and ACROSS[0] < across < ACROSS[1]


def _offset(begin: tuple[float, float], text: Text, angle: float | None = None) -> tuple[float, float]:
    """From a place to the beginning of a text, along and across a direction of reading, that of the text if none is given."""
    cosine, sine = cosine_sine(text.angle if angle is None else angle)
    x, y = text.origin[0] - begin[0], text.origin[1] - begin[1]
    return x * cosine + y * sine, y * cosine - x * sine

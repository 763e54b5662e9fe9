"""Whether a glyph is drawn as a ring, as an O or a 0 is, round or with corners."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.understanding.sheet.outlined.features import GREY, Floats

INK: Final = 0.25
"""Part of a pixel from which it is drawn."""
UNEVEN: Final = 0.12
"""Mean difference of the pixels of a picture from its mirror images, both ways: a D and a U differ from theirs by more."""
HOLE: Final = 0.34
"""Part of each extent that the blank in the middle takes at least."""


def is_ring(picture: Floats) -> bool:
    """Whether a grey picture shows one closed line around a blank, which is alike from both sides and from above and below."""
    pixels = picture.reshape(GREY, GREY)
    drawn = pixels >= INK
    if not drawn.any():
        return False
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    glyph = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high, wide = glyph.shape
    if min(high, wide) < GREY // 4:
        return False
    mirrored = max(float(np.abs(glyph - glyph[::-1]).mean()), float(np.abs(glyph - glyph[:, ::-1]).mean()))
    return mirrored <= UNEVEN and _is_hollow(glyph) and _is_closed(glyph >= INK)


def _is_hollow(glyph: Floats) -> bool:
    high, wide = glyph.shape
    tall, broad = max(round(high * HOLE), 1), max(round(wide * HOLE), 1)
    top, left = (high - tall) // 2, (wide - broad) // 2
    return bool((glyph[top : top + tall, left : left + broad] < INK).all())


def _is_closed(drawn: np.ndarray) -> bool:
    """Whether no way leads from the middle to the edge of a picture over blank pixels side by side."""
    outside = np.pad(~drawn, 1, constant_values=True)
    reached = np.zeros_like(outside)
    reached[outside.shape[0] // 2, outside.shape[1] // 2] = True
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown &= outside
        if (grown == reached).all():
            return not reached[0, 0]
        reached = grown

"""What the outlines of embedded fonts look like, whatever their codes say: the classifier of drawn lettering reads each glyph.

Glossary
  claim   the character that the text layer gives for a glyph.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, GlyphShape
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.cyrillic import CYRILLIC_TWINS
from spatial.understanding.sheet.outlined.features import PLACES, Floats, features, places
from spatial.understanding.sheet.outlined.network import network
from spatial.understanding.sheet.outlined.recognise import SAME, frame_of

LARGEST_CAP: Final = 1.2
"""Font sizes; what reaches higher is a sign that stands over and below the line."""
_DRAWN_ALIKE: Final = {
    **dict(zip("–—−‐‑’‘“”„º˚∅μ·•⁄ІЈЅіј", "-----''\"\"\"°°Øµ../IJSij", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
}  # fmt: skip
"""Characters that the classifier has no class for, and the class of what they are drawn as."""


@dataclass(slots=True)
class SeenFont:
    """The glyphs of one embedded font, k of them."""

    shapes: list[int]
    """Places in `Drawing.shapes`."""
    claims: list[str]
    boxes: Array
    """(k, 4) x least, y least, x greatest, y greatest in capital heights, the baseline at 0."""
    chances: Floats
    """(k, c)"""
    alike: Floats
    """(k, c) the chance of a class and of those that look like it."""
    framed: bool
    """Whether characters that have no look-alikes say how high a capital is."""

    def agreement(self, place: int, sign: str) -> float | None:
        """How likely a glyph draws a character, 0 to 1; None where the classifier does not know that character."""
        classes = classes_of(sign)
        return float(max(self.alike[place, number] for number in classes)) if classes else None

    def trust(self, place: int) -> float | None:
        """How far a glyph agrees with its claim; a font may draw small letters as capitals, which makes no claim wrong."""
        claim = self.claims[place]
        own = self.agreement(place, claim)
        if own is None or not claim.islower() or len(claim.upper()) != 1:
            return own
        return max(own, self.agreement(place, claim.upper()) or 0.0)


@cache
def classes_of(sign: str) -> tuple[int, ...]:
    """The classes that a character may be drawn as: й is one, А is A, slanted и is и or u."""
    latin = [each for each, twin in CYRILLIC_TWINS.items() if twin == sign]
    return tuple(CLASSES.index(each) for each in (sign, _DRAWN_ALIKE.get(sign, ""), *latin) if each and each in CLASSES)


def see_fonts(shapes: list[GlyphShape]) -> list[SeenFont]:
    """The fonts of a drawing with what their glyphs look like."""
    if not shapes:
        return []
    members: dict[str, list[int]] = defaultdict(list)
    for place, shape in enumerate(shapes):
        members[shape.font].append(place)
    boxes, seen = _features(shapes)
    chances = network().chances(seen)
    caps, framed = np.zeros(len(shapes)), {}
    for font, own in members.items():
        _, cap, framed[font] = frame_of(boxes[own], chances[own])
        caps[own] = min(cap, LARGEST_CAP)
    seen[:, -PLACES:] = places(boxes, np.column_stack([np.zeros(len(shapes)), caps]))
    chances = network().chances(seen)
    alike, boxes = chances @ SAME, boxes / caps[:, None]
    return [
        SeenFont(own, [shapes[place].sign for place in own], boxes[own], chances[own], alike[own], framed[font])
        for font, own in members.items()
    ]


def _features(shapes: list[GlyphShape]) -> tuple[Array, Floats]:
    """Boxes (k, 4) in font sizes, and features (k, f) of glyphs whose line is not known."""
    edges = np.concatenate([shape.edges for shape in shapes])
    counts = np.array([len(shape.edges) for shape in shapes])
    starts = np.cumsum(counts) - counts
    low = np.minimum.reduceat(np.minimum(edges[:, :2], edges[:, 2:]), starts)
    high = np.maximum.reduceat(np.maximum(edges[:, :2], edges[:, 2:]), starts)
    boxes = np.concatenate([low, high], axis=1)
    of = np.repeat(np.arange(len(shapes)), counts)
    return boxes, features(edges, of, boxes, np.full((len(shapes), 2), np.nan))

"""Glyphs as sheets show them: slanted, squeezed, in thick and thin strokes, filled, hollow; and small things that are no letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lettering.fonts import GOST_FONTS, Glyph
from spatial.geometry.raster import pen
from spatial.understanding.sheet.outlined.classes import (
    CLASSES,
    CYRILLIC,
    DIGITS,
    DRAWN_CYRILLIC,
    LATIN,
    NO_LETTER,
    PUNCTUATION,
)
from spatial.understanding.sheet.outlined.features import Floats, features

Array = NDArray[np.float64]
CHUNK = 4000
COARSE = 0.35
"""Part of the glyphs of stroke fonts whose curves are drawn with half of their corners."""
GOST_OFTEN = 8
"""How many times as often Cyrillic letters of GOST 2.304 are drawn: six fonts of many have them, and most sheets in Cyrillic."""
GOST_SLANT = (0.268, 0.03)
"""Tangent of the slant of that lettering, 15 degrees, and how much it differs."""
RARE = 80
"""Glyphs of a character below which each is drawn more often."""


@dataclass
class Samples:
    """What the classifier learns from."""

    features: NDArray[np.float16]
    classes: NDArray[np.int64]
    weights: Floats


def samples(glyphs: list[Glyph], seed: int) -> Samples:
    """One round over all glyphs, each as often as it is worth, and as many things that are no letters as are needed."""
    random = np.random.default_rng(seed)
    counts = Counter(glyph.sign for glyph in glyphs)
    drawn = [glyph for glyph in glyphs for _ in range(_repeats(glyph, counts))]
    plan: list[Glyph | None] = [*drawn, *([None] * (len(drawn) // 9))]
    order = random.permutation(len(plan))
    rows, classes = [], []
    for begin in range(0, len(order), CHUNK):
        chosen = [plan[place] for place in order[begin : begin + CHUNK]]
        shapes = [_drawn(glyph, random) if glyph else _no_letter(drawn, random) for glyph in chosen]
        rows.append(_features(shapes, random).astype(np.float16))
        classes += [CLASSES.index(glyph.sign if glyph else NO_LETTER) for glyph in chosen]
    found = np.concatenate(rows)
    return Samples(found, np.array(classes), np.ones(len(found), np.float32))


def _repeats(glyph: Glyph, counts: Counter[str]) -> int:
    often = 5 if glyph.sign in DIGITS + LATIN else 2 if glyph.sign in PUNCTUATION else 1
    often *= 4 if glyph.lines is not None else 1
    often *= 3 if glyph.font.startswith("osifont") else 1
    often *= GOST_OFTEN if glyph.font in GOST_FONTS and glyph.sign in CYRILLIC + DRAWN_CYRILLIC else 1
    return often * (6 if counts[glyph.sign] < RARE else 1)


def _features(shapes: Iterable[Array], random: np.random.Generator) -> Floats:
    drawn = list(shapes)
    of = np.repeat(np.arange(len(drawn)), [len(edges) for edges in drawn])
    edges = np.concatenate(drawn)
    starts = np.cumsum([0, *(len(edges) for edges in drawn[:-1])])
    low, high = np.minimum.reduceat(edges, starts), np.maximum.reduceat(edges, starts)
    boxes = np.concatenate([np.minimum(low[:, :2], low[:, 2:]), np.maximum(high[:, :2], high[:, 2:])], axis=1)
    count = len(drawn)
    frames = np.stack([random.normal(0.0, 0.025, count), random.normal(1.0, 0.04, count)], axis=1)
    frames[random.random(count) < 0.4] = np.nan
    return features(edges, of, boxes, frames)


def _drawn(glyph: Glyph, random: np.random.Generator) -> Array:
    if glyph.lines is not None:
        lines = _coarse(glyph.lines) if random.random() < COARSE else glyph.lines
        slanted = glyph.font in GOST_FONTS and random.random() < 0.5
        return _moved(
            pen(lines, np.full(len(lines), _thickness(random))), random, random.normal(*GOST_SLANT) if slanted else None
        )
    sides = np.concatenate([np.concatenate([points, np.roll(points, -1, axis=0)], axis=1) for points in glyph.outlines])
    choice = random.random()
    if choice < 0.06:
        return _moved(pen(sides, np.full(len(sides), random.uniform(0.03, 0.07))), random)
    if choice < 0.45:
        bolder = pen(sides, np.full(len(sides), random.uniform(0.01, 0.08)))
        sides = np.concatenate([sides, bolder])
    return _moved(sides, random)


def _coarse(lines: Array) -> Array:
    """Lines with every second corner of their curves left out, as fonts of few strokes have them."""
    kept: list[Array] = []
    is_joined = False
    for line in lines:
        is_joined = bool(kept) and not is_joined and _bends(kept[-1], line)
        if is_joined:
            kept[-1] = np.concatenate([kept[-1][:2], line[2:]])
        else:
            kept.append(line)
    return np.array(kept)


def _bends(one: Array, two: Array) -> bool:
    """Whether two lines that follow one another are pieces of one curve."""
    if np.abs(one[2:] - two[:2]).max() > 1e-6:
        return False
    first, second = one[2:] - one[:2], two[2:] - two[:2]
    turn = np.arctan2(first[0] * second[1] - first[1] * second[0], first @ second)
    return bool(0.05 < abs(turn) < 0.6)


def _thickness(random: np.random.Generator) -> float:
    return float(random.choice([random.uniform(0.06, 0.1), random.uniform(0.08, 0.22)]))


def _moved(edges: Array, random: np.random.Generator, slant: float | None = None) -> Array:
    """Slanted, squeezed, turned a little, and its corners moved as rounding moves them."""
    if slant is None:
        slant = 0.0 if random.random() < 0.6 else random.uniform(-0.05, 0.3)
    squeeze = float(np.exp(random.normal(-0.05, 0.2)))
    turn = random.normal(0.0, 0.012)
    move = np.array([[squeeze, turn], [slant - turn, 1.0]])
    moved = edges.reshape(-1, 2) @ move
    if random.random() < 0.3:
        step = random.uniform(0.01, 0.04)
        moved = np.round(moved / step) * step
    return np.asarray(moved.reshape(-1, 4))


def _no_letter(glyphs: list[Glyph], random: np.random.Generator) -> Array:
    kinds = (_hatching, _arrowhead, _crossed_circle, _polyline, _bent, _two_letters, _struck_letter, _rectangles)
    return kinds[int(random.integers(len(kinds)))](glyphs, random)


def _lines(points: Array, width: float) -> Array:
    ends = np.concatenate([points[:-1], points[1:]], axis=1)
    return pen(ends, np.full(len(ends), width))


def _hatching(_: list[Glyph], random: np.random.Generator) -> Array:
    count, angle = int(random.integers(3, 9)), random.uniform(0, np.pi)
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    step, long = random.uniform(0.1, 0.4), random.uniform(0.5, 2.0)
    begins = [across * place * step + along * random.uniform(-0.3, 0.3) for place in range(count)]
    ends = np.array([[*begin, *(begin + along * long * random.uniform(0.6, 1.0))] for begin in begins])
    return pen(ends, np.full(count, random.uniform(0.02, 0.1)))


def _arrowhead(_: list[Glyph], random: np.random.Generator) -> Array:
    angle = random.choice([random.integers(4) * np.pi / 2, random.uniform(0, 2 * np.pi)])
    half = random.uniform(0.1, 0.4)
    points = np.array([[0.0, 0.0], [1.0, -half], [random.choice([1.0, 0.8]), 0.0], [1.0, half]])
    points = points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    sides = np.concatenate([points, np.roll(points, -1, axis=0)], axis=1)
    if random.random() < 0.4:
        tail = points[2] * random.uniform(1.2, 3.0)
        sides = np.concatenate([sides, _lines(np.array([points[2], tail]), 0.06)])
    return sides


def _circle(random: np.random.Generator, radius: float = 0.5) -> Array:
    angles = np.linspace(0, 2 * np.pi, int(random.integers(9, 30)))
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius


def _crossed_circle(_: list[Glyph], random: np.random.Generator) -> Array:
    width, reach = random.uniform(0.03, 0.1), random.uniform(0.55, 0.9)
    parts = [_lines(_circle(random), width)]
    parts += [_lines(np.array([[-reach, 0], [reach, 0]]), width), _lines(np.array([[0, -reach], [0, reach]]), width)]
    if random.random() < 0.3:
        parts.append(_lines(_circle(random, random.uniform(0.15, 0.4)), width))
    return np.concatenate(parts)


def _polyline(_: list[Glyph], random: np.random.Generator) -> Array:
    return _lines(random.uniform(-0.5, 0.5, (int(random.integers(4, 9)), 2)), random.uniform(0.02, 0.12))


def _bent(_: list[Glyph], random: np.random.Generator) -> Array:
    """A long line with a part of a curve or a corner at its end, as outlines of parts have them."""
    angles = np.linspace(0, random.uniform(0.5, 2.0), 8) + random.uniform(0, 6.3)
    arc = np.stack([np.cos(angles), np.sin(angles)], axis=1) * random.uniform(0.1, 0.5)
    far = arc[-1] + random.uniform(-2.0, 2.0, 2)
    near = arc[0] + random.uniform(-1.0, 1.0, 2)
    return _lines(np.concatenate([near[None], arc, far[None]]), random.uniform(0.02, 0.1))


def _two_letters(glyphs: list[Glyph], random: np.random.Generator) -> Array:
    """Two letters that touch, which are no one letter."""
    one, two = (_drawn(glyphs[int(random.integers(len(glyphs)))], random) for _ in range(2))
    shift = one[:, [0, 2]].max() - two[:, [0, 2]].min() - random.uniform(0.0, 0.05)
    return np.concatenate([one, two + np.array([shift, 0.0, shift, 0.0])])


def _struck_letter(glyphs: list[Glyph], random: np.random.Generator) -> Array:
    """A letter that a longer line touches or crosses."""
    letter = _drawn(glyphs[int(random.integers(len(glyphs)))], random)
    middle, angle = random.uniform(-0.1, 0.9, 2), random.choice([0.0, np.pi / 2, random.uniform(0, np.pi)])
    along = np.array([np.cos(angle), np.sin(angle)]) * random.uniform(1.0, 2.0)
    return np.concatenate([letter, _lines(np.array([middle - along, middle + along * random.uniform(0.3, 1.0)]), 0.06)])


def _rectangles(_: list[Glyph], random: np.random.Generator) -> Array:
    wide = float(np.exp(random.choice([-1, 1]) * random.uniform(0.4, 1.6)))
    corners = np.array([[0, 0], [wide, 0], [wide, 1], [0, 1], [0, 0]], float)
    parts = [_lines(corners, random.uniform(0.02, 0.1))]
    if random.random() < 0.5:
        place = random.uniform(0.2, 0.8)
        parts.append(_lines(np.array([[wide * place, 0], [wide * place, 1]]), 0.05))
    if random.random() < 0.3:
        parts.append(_lines(np.array([[0.0, 0.0], [wide, 1.0]]), 0.05))
    return np.concatenate(parts)

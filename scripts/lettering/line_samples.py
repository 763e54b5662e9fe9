"""Pictures of lines of lettering with what they say, as `outlined/line_pictures.py` draws the lines of a sheet."""

from __future__ import annotations

import itertools
import math
import random as random_
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lettering.drawn_signs import SIGNS, sign
from lettering.faces import PRECISION, Face
from lettering.texts import Words, text
from spatial.geometry.raster import pen
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.line_pictures import BESIDE, HIGH, OVER, drawn_line

Random = random_.Random
Array = NDArray[np.float64]
SAME_SHAPE: Final = dict(zip("АВСЕНКМОРТХаеосрхіІїЇ⌀", "ABCEHKMOPTXaeocpxiIïÏØ", strict=True))
"""Characters that are drawn like others, and the ones that they are read as."""
CHARACTERS: Final = "".join(sign for sign in CLASSES[1:] if sign not in SAME_SHAPE) + " "
"""What the network tells apart; its class 0 is none of them."""
PRINTABLE: Final = CHARACTERS.strip() + "".join(SAME_SHAPE)
WIDEST: Final = 1_024
"""Columns of a picture; a longer line is drawn narrower or left out."""
STROKES: Final = 0.5
"""Part of the lines that stroke fonts draw."""
TURNED: Final = str.maketrans("", "", "0689HINOSXZovxzlosuncmw.:-+=×±()[]{}/\\|, '\"°")
"""Characters that read upside down too."""


@dataclass(frozen=True)
class Sample:
    """A line."""

    picture: NDArray[np.uint8]
    """(HIGH, w) ink: 255 where there is ink."""
    said: str


class Lines:
    """Lines in all fonts, made one after the other."""

    def __init__(self, faces: Sequence[Face], known: Words, seed: int) -> None:
        self._outlines = [face for face in faces if not face.has_strokes]
        self._strokes = [face for face in faces if face.has_strokes]
        self._known = known
        self._random = Random(seed)
        self._signs = {sign: [face for face in self._outlines if sign in face.glyphs] for sign in SIGNS}

    def __iter__(self) -> Iterator[Sample]:
        while True:
            made = self._one()
            if made is not None:
                yield made

    def _one(self) -> Sample | None:
        random = self._random
        face = random.choice(self._strokes if random.random() < STROKES else self._outlines)
        if random.random() < 0.03:
            return _picture(_nothing(random), 1.0, "")
        said = text(random, self._known, PRINTABLE)
        if face.has_strokes and random.random() < 0.4:
            said = said.upper()
        shapes, kept = self._set(face, said)
        if not kept:
            return None
        edges = self._drawn(face, shapes)
        label = "".join(SAME_SHAPE.get(each, each) for each in kept)
        if random.random() < 0.05 and len(label.translate(TURNED)) >= max(2, 0.4 * len(label)):
            edges, label = -edges, ""  # upside down: nothing that is to be read
        elif random.random() < 0.12:
            edges = np.concatenate([edges, _clutter(edges, random)])
        return _picture(edges, math.exp(random.gauss(0.0, 0.12)), label)

    def _set(self, face: Face, said: str) -> tuple[list[tuple[Array, bool]], str]:
        """The shapes of a text from x = 0, in capital heights, each with whether it is of strokes; and what of the text was drawn."""
        random = self._random
        track = random.choice([0.0, random.gauss(0.0, 0.04), random.uniform(-0.14, 0.0), random.uniform(0.0, 0.35)])
        blank = face.space / PRECISION * random.uniform(0.7, 1.5)
        shapes: list[tuple[Array, bool]] = []
        kept: list[str] = []
        x = 0.0
        small = random.randrange(len(said)) if random.random() < 0.05 and len(said) > 3 else len(said)
        size, raised = (
            (random.uniform(0.55, 0.85), random.choice([0.0, 0.0, random.uniform(0.1, 0.5)]))
            if small < len(said)
            else (1.0, 0.0)
        )
        for place, each in enumerate(said):
            if each == " ":
                if kept and kept[-1] != " ":
                    kept.append(" ")
                    x += max(blank + track, 0.3)
                continue
            found = self._glyph(face, each)
            if found is None:
                continue
            lines, advance, has_strokes = found
            scale = size if place >= small else 1.0
            moved = lines * scale + np.array([x, raised if place >= small else 0.0] * 2)
            shapes.append((moved, has_strokes))
            kept.append(each)
            x += max((advance + track) * scale, 0.05)
        return shapes, "".join(kept).strip()

    def _glyph(self, face: Face, each: str) -> tuple[Array, float, bool] | None:
        random = self._random
        if each in face.glyphs and not (each in SIGNS and random.random() < 0.15):
            advance, lines = face.glyphs[each]
            return lines / PRECISION, advance / PRECISION, face.has_strokes
        if each not in SIGNS:
            return None
        if face.has_strokes or not self._signs[each] or random.random() < 0.3:
            lines = sign(each, random)
            return lines, float(lines[:, ::2].max()) + random.uniform(0.12, 0.35), True
        advance, lines = random.choice(self._signs[each]).glyphs[each]
        return lines / PRECISION, advance / PRECISION, False

    def _drawn(self, face: Face, shapes: list[tuple[Array, bool]]) -> Array:
        """The edges of the filled polygons of a line: pens drawn, bolder, hollow, slanted, squeezed and rounded."""
        random = self._random
        width = random.uniform(0.05, 0.11) if random.random() < 0.5 else random.uniform(0.07, 0.22)
        choice = random.random() if not face.has_strokes else 1.0
        bolder = random.uniform(0.01, 0.08)
        step = random.uniform(0.01, 0.04) if random.random() < 0.25 else 0.0
        slant = 0.0 if random.random() < 0.65 else random.uniform(-0.05, 0.32)
        squeeze = math.exp(random.gauss(-0.05, 0.22))
        turn = random.gauss(0.0, 0.006)
        move = np.array([[squeeze, turn], [slant - turn, 1.0]])
        parts = []
        for has_strokes in (True, False):
            of = [lines for lines, kind in shapes if kind == has_strokes]
            if not of:
                continue
            lines = (np.concatenate(of).reshape(-1, 2) @ move).reshape(-1, 4)
            if step:
                lines = np.round(lines / step) * step
            if has_strokes:
                parts.append(pen(lines, np.full(len(lines), width)))
            elif choice < 0.05:
                parts.append(pen(lines, np.full(len(lines), random.uniform(0.03, 0.07))))
            else:
                parts.append(lines)
                if choice < 0.35:
                    parts.append(pen(lines, np.full(len(lines), bolder)))
        return np.concatenate(parts)


def _picture(edges: Array, narrow: float, said: str) -> Sample | None:
    """As rows of sheets are drawn; none of one that is too wide. narrow: part of its width that it is drawn wider by."""
    spans = [float(np.ptp(edges[:, axis::2])) for axis in (0, 1)]
    if spans[0] / max(spans[1], 1e-6) / narrow * (HIGH - 2 * OVER) > WIDEST - 2 * BESIDE:
        return None
    return Sample(255 - drawn_line(edges, narrow).pixels, said)


def _clutter(edges: Array, random: Random) -> Array:
    """What rows of a sheet hold besides their letters: a line under all, an arrowhead or a piece of a line beside them."""
    low, high = edges.reshape(-1, 2).min(axis=0), edges.reshape(-1, 2).max(axis=0)
    kind = random.random()
    width = random.uniform(0.03, 0.1)
    if kind < 0.3:
        y = low[1] - random.uniform(0.05, 0.3)
        line = np.array([[low[0] - random.uniform(0, 0.5), y, high[0] + random.uniform(0, 0.5), y]])
    elif kind < 0.7:
        x = random.choice([low[0] - random.uniform(0.3, 1.2), high[0] + random.uniform(0.3, 1.2)])
        way, long, half = random.choice([-1, 1]), random.uniform(0.6, 1.5), random.uniform(0.1, 0.3)
        y = random.uniform(-0.1, 0.8)
        tip = np.array([[0, 0], [way * long, half], [way * long, -half]])
        corners = tip + np.array([x if (x > high[0]) == (way > 0) else x - way * long, y])
        return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)
    elif kind < 0.85:
        x = random.choice([low[0] - random.uniform(0.25, 0.8), high[0] + random.uniform(0.25, 0.8)])
        line = np.array([[x, low[1] - random.uniform(0.3, 0.6), x, high[1] + random.uniform(0.3, 0.6)]])
    else:
        x = random.choice([low[0] - random.uniform(0.5, 1.0), high[0] + random.uniform(0.2, 0.5)])
        line = np.array([[x, low[1], x + random.uniform(1.2, 2.5), high[1] + random.uniform(0.3, 1.0)]])
    return pen(line, np.full(1, width))


def _nothing(random: Random) -> Array:
    """Pieces of views: hatching, zigzags, arrowheads in a row."""
    count = random.randint(2, 9)
    kind = random.random()
    if kind < 0.4:
        lean = random.uniform(-1.5, 1.5)
        step = random.uniform(0.15, 0.8)
        lines = [[place * step, 0, place * step + lean, random.uniform(0.8, 1.2)] for place in range(count)]
    elif kind < 0.7:
        points = [(random.uniform(0, count * 0.6), random.uniform(0, 1)) for _ in range(count + 2)]
        lines = [[*one, *two] for one, two in itertools.pairwise(points)]
    else:
        lines = []
        for place in range(count):
            x, half, long = place * random.uniform(0.8, 2.0), random.uniform(0.2, 0.5), random.uniform(0.3, 1.0)
            tip, back = (x, 0.5), (x + long, 0.5)
            lines += [
                [*tip, back[0], 0.5 + half],
                [*tip, back[0], 0.5 - half],
                [back[0], 0.5 + half, back[0], 0.5 - half],
            ]
    return pen(np.array(lines, float), np.full(len(lines), random.uniform(0.03, 0.12)))

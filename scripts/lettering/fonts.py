"""The glyphs of free fonts, outlines and strokes, as what the training of the lettering reader begins with.

Debian packages: fonts-dejavu-core, fonts-dejavu-extra, fonts-liberation, fonts-freefont-ttf, fonts-noto-core, fonts-noto-mono,
fonts-osifont, fonts-roboto-unhinted, fonts-open-sans, fonts-urw-base35, fonts-crosextra-carlito, fonts-lato, fonts-inconsolata,
hershey-fonts-data, librecad-data.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont
from numpy.typing import NDArray

Array = NDArray[np.float64]

OUTLINE_FONTS: Final = (
    "truetype/dejavu/*.ttf", "truetype/liberation/*.ttf", "truetype/freefont/*.ttf", "truetype/osifont/*.ttf",
    "truetype/roboto/unhinted/*.ttf",
    "truetype/roboto/unhinted/RobotoTTF/*.ttf", "truetype/open-sans/*.ttf", "opentype/urw-base35/[CNPU]*.otf",
    "truetype/crosextra/*.ttf", "truetype/lato/*.ttf",
    "truetype/inconsolata/*", "truetype/noto/NotoSans-*.ttf", "truetype/noto/NotoSerif-*.ttf", "truetype/noto/NotoSansMono-*.ttf",
    "truetype/noto/NotoMono-*.ttf", "truetype/noto/NotoSansDisplay-*.ttf",
    "truetype/noto/NotoSansMath-*.ttf", "truetype/noto/NotoSansSymbols*-*.ttf",
)  # fmt: skip
FONTS: Final = Path("/usr/share/fonts")
STROKE_FONTS: Final = (
    "iso", "iso3098", "iso3098_i", "standard", "simplex", "romans", "romansi", "romand", "romanc", "romant", "romanp", "italicc", "unicode",
    "kst32b", "cyrillic_ii",
    "lc_opengost-ar", "lc_opengost-br", "OpenGostTypeA-Regular", "OpenGostTypeB-Regular", "symbol_misc1", "azomix", "azomix_i",
)  # fmt: skip
GOST_FONTS: Final = (
    "unicode", "cyrillic_ii", "lc_opengost-ar", "lc_opengost-br", "OpenGostTypeA-Regular", "OpenGostTypeB-Regular",
)  # fmt: skip
"""Lettering of GOST 2.304, whose small Cyrillic letters have shapes that no other font has."""
LIBRECAD: Final = Path("/usr/share/librecad/fonts")
HERSHEY: Final = Path("/usr/share/hershey-fonts")
HERSHEY_FONTS: Final = ("futural", "futuram", "rowmans", "rowmand", "rowmant", "timesr", "timesrb", "timesi")
CURVE_STEPS: Final = 5


@dataclass(frozen=True)
class Glyph:
    """One character of one font; baseline 0, capital height 1."""

    sign: str
    font: str
    outlines: tuple[Array, ...] = ()
    """(n, 2) corners of each closed outline; the outer ones turn counter-clockwise."""
    lines: Array | None = None
    """(n, 4) of a stroke font."""


SMALL_SIGNS: Final = ".,:;-_=+'\"*~°²³×<>{}()[]|!@®·□"
"""Characters that may be lower than LEAST."""
LEAST, MOST = 0.4, 3.0
"""Capital heights of any other glyph: fonts have dots and blocks in the places of characters that they lack."""


def glyphs(signs: str) -> Iterator[Glyph]:
    """All glyphs of all fonts for these characters."""
    for glyph in _all_glyphs(signs):
        heights = (
            np.concatenate([points[:, 1] for points in glyph.outlines])
            if glyph.lines is None
            else glyph.lines[:, [1, 3]]
        )
        height = float(np.ptp(heights))
        if height <= MOST and (height >= LEAST or glyph.sign in SMALL_SIGNS):
            yield glyph


def _all_glyphs(signs: str) -> Iterator[Glyph]:
    for pattern in OUTLINE_FONTS:
        found = sorted(FONTS.glob(pattern))
        if not found:
            raise FileNotFoundError(
                f"{FONTS / pattern}: install the Debian packages that scripts/lettering/fonts.py names"
            )
        for path in found:
            yield from outline_glyphs(path, signs)
    for name in STROKE_FONTS:
        yield from librecad_glyphs(LIBRECAD / f"{name}.lff", signs)
    for name in HERSHEY_FONTS:
        yield from hershey_glyphs(HERSHEY / f"{name}.jhf", signs)


def outline_glyphs(path: Path, signs: str) -> Iterator[Glyph]:
    """The glyphs of a TrueType or OpenType font."""
    font: Any = TTFont(path, lazy=True)
    names, shapes = font.getBestCmap(), font.getGlyphSet()
    capital = _outlines(shapes, names[ord("H")]) if ord("H") in names else []
    height = max((float(points[:, 1].max()) for points in capital), default=0.7 * font["head"].unitsPerEm)
    for sign in signs:
        outlines = _outlines(shapes, names[ord(sign)]) if ord(sign) in names else []
        if outlines:
            area = sum(_area(points) for points in outlines)
            turned = [points if area > 0 else points[::-1] for points in outlines]
            yield Glyph(sign, path.stem, tuple(points / height for points in turned))


def _area(points: Array) -> float:
    x, y = points.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def _outlines(shapes: Any, name: str) -> list[Array]:
    pen = DecomposingRecordingPen(shapes)
    shapes[name].draw(pen)
    outlines: list[Array] = []
    points: list[tuple[float, float]] = []
    steps = np.linspace(0.0, 1.0, CURVE_STEPS + 1)[1:, None]
    for kind, args in pen.value:
        if kind == "moveTo":
            points = [args[0]]
        elif kind == "lineTo":
            points.append(args[0])
        elif kind == "curveTo" and len(args) == 3:
            a, b, c, d = (np.array(point, float) for point in (points[-1], *args))
            curve = (
                (1 - steps) ** 3 * a + 3 * (1 - steps) ** 2 * steps * b + 3 * (1 - steps) * steps**2 * c + steps**3 * d
            )
            points += [tuple(point) for point in curve]
        elif kind == "qCurveTo":
            points = _quadratic(points, args, steps)
        elif points:
            outlines.append(np.array(points, float))
            points = []
    return [outline for outline in outlines if len(outline) > 2]


def _quadratic(points: list[tuple[float, float]], args: Any, steps: Array) -> list[tuple[float, float]]:
    control = [np.array(point, float) for point in args if point is not None]
    if args[-1] is None:
        # A closed spline without a point on it begins in the middle of its first side.
        begin = (control[0] + control[-1]) / 2
        points, control = [tuple(begin)], [*control, begin]
    at = np.array(points[-1], float)
    for place, one in enumerate(control[:-1]):
        end = control[-1] if place == len(control) - 2 else (one + control[place + 1]) / 2
        curve = (1 - steps) ** 2 * at + 2 * (1 - steps) * steps * one + steps**2 * end
        points += [tuple(point) for point in curve]
        at = end
    return points


def librecad_glyphs(path: Path, signs: str) -> Iterator[Glyph]:
    """The glyphs of a LibreCAD font: lines of corners `x,y` with the bulge of the piece that ends there as `A0.41`."""
    letters: dict[str, list[str]] = {}
    current: list[str] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("[") and "]" in line:
            code = line[1 : line.index("]")].lstrip("#")
            current = letters.setdefault(chr(int(code, 16)), [])
        elif line and not line.startswith("#"):
            current.append(line)
    capital = _librecad_lines(letters, "H")
    if not len(capital):
        return
    low, high = capital[:, [1, 3]].min(), capital[:, [1, 3]].max()
    for sign in signs:
        lines = _librecad_lines(letters, sign)
        if len(lines):
            lines[:, [1, 3]] -= low
            yield Glyph(sign, path.stem, lines=lines / (high - low))


def _librecad_lines(letters: dict[str, list[str]], sign: str, depth: int = 0) -> Array:
    lines: list[Array] = [np.zeros((0, 4))]
    for row in letters.get(sign, []):
        if row.startswith("C") and depth < 4:
            lines.append(_librecad_lines(letters, chr(int(row[1:].strip(), 16)), depth + 1))
            continue
        corners = [[part.strip() for part in corner.split(",")] for corner in row.split(";") if corner.strip()]
        for before, after in itertools.pairwise(corners):
            bulge = float(after[2].lstrip("Aa")) if len(after) > 2 else 0.0
            lines.append(_arc((float(before[0]), float(before[1])), (float(after[0]), float(after[1])), bulge))
    return np.concatenate(lines)


def _arc(begin: tuple[float, float], end: tuple[float, float], bulge: float) -> Array:
    if not bulge:
        return np.array([[*begin, *end]])
    sweep = 4.0 * math.atan(bulge)
    one, two = complex(*begin), complex(*end)
    centre = (one + two) / 2 + 1j * (two - one) / 2 / math.tan(sweep / 2)
    count = max(int(abs(sweep) / 0.4), 2)
    points = centre + (one - centre) * np.exp(1j * np.linspace(0.0, sweep, count + 1))
    return np.stack([points[:-1].real, points[:-1].imag, points[1:].real, points[1:].imag], axis=1)


def hershey_glyphs(path: Path, signs: str) -> Iterator[Glyph]:
    """The glyphs of a Hershey font for the characters of ASCII, which it has in their order from the blank."""
    rows: list[str] = []
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        if line[:5].strip().isdigit() and (not rows or len(rows[-1]) >= 8 + 2 * int(rows[-1][5:8])):
            rows.append(line)
        elif rows:
            rows[-1] += line
    capital = _hershey_lines(rows[ord("H") - 32])
    low, high = capital[:, [1, 3]].min(), capital[:, [1, 3]].max()
    for sign in signs:
        if 33 <= ord(sign) <= 126 and ord(sign) - 32 < len(rows):
            lines = _hershey_lines(rows[ord(sign) - 32])
            if len(lines):
                lines[:, [1, 3]] -= low
                yield Glyph(sign, path.stem, lines=lines / (high - low))


def _hershey_lines(row: str) -> Array:
    lines, before = [], None
    for place in range(10, 8 + 2 * int(row[5:8]), 2):
        pair = row[place : place + 2]
        if pair == " R":
            before = None
            continue
        point = (ord(pair[0]) - ord("R"), ord("R") - ord(pair[1]))
        if before is not None:
            lines.append([*before, *point])
        before = point
    return np.array(lines, float).reshape(-1, 4)

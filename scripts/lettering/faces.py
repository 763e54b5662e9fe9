"""Free fonts as what lines of lettering are drawn with: glyphs with the advance to the next one.

Debian packages: those of `scripts/lettering/fonts.py`, and every other package of fonts that is installed; stroke fonts of
librecad-data, hershey-fonts-data and, where its folder is given, of inkscape (extensions/svg_fonts).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont, TTLibError
from lxml import etree
from numpy.typing import NDArray

from lettering.fonts import (
    CURVE_STEPS,
    FONTS,
    HERSHEY,
    HERSHEY_FONTS,
    LEAST,
    LIBRECAD,
    MOST,
    SMALL_SIGNS,
    Glyph,
    hershey_glyphs,
    librecad_glyphs,
    outline_glyphs,
)

Array = NDArray[np.float64]
NEEDED: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,-/()"
"""Characters that a font has to have; a stroke font may lack small letters."""
STROKES_NEEDED: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.-"
NOT_LATIN: Final = (
    "Noto", "HersheyScript", "syastro", "symap", "symath", "symbol", "symeteo", "symusic", "goth", "HersheyGoth", "greek", "script",
    "Script", "Allure", "Elfin", "Osmotron", "cursive", "Isabella", "kochi", "Ecolier", "unifont", "Symbola", "Circos", "MathJax",
)  # fmt: skip
"""Beginnings of names of fonts for signs, ornaments, handwriting and other scripts; of Noto, `NOTO` is kept."""
NOTO: Final = ("NotoSans-", "NotoSerif-", "NotoSansMono-", "NotoMono-", "NotoSansDisplay-")
STYLES: Final = 3
"""Fonts of one family at most."""
PLAIN: Final = ("Regular", "Book", "Roman", "Medium", "Bold", "Italic", "Oblique", "Light", "Condensed")
PRECISION: Final = 1000
"""Units of a capital height in which corners are kept."""
HIGH_SIGNS, HIGH_SIGNS_FROM = "°²³\"'", 0.25
"""Characters that stand high, and capital heights from which they do."""
SPACE: Final = 0.6
"""Capital heights of a blank where a font does not say."""


@dataclass(frozen=True)
class Face:
    """A font. Corners and advances in units of 1/PRECISION capital height, the baseline at 0."""

    name: str
    has_strokes: bool
    space: int
    glyphs: dict[str, tuple[int, NDArray[np.int16]]]
    """Advance, and (n, 4) lines of a stroke font or sides of closed outlines, the outer ones counter-clockwise."""


def faces(signs: str, svg_fonts: Path | None = None) -> Iterator[Face]:
    """All fonts with letters and digits that are installed, for these characters."""
    for path in _styles(sorted(FONTS.rglob("*.?tf"))):
        yield from _whole(_outline_face(path, signs), NEEDED)
    for path in sorted(LIBRECAD.glob("*.lff")):
        if not path.name.startswith(NOT_LATIN):
            yield from _whole(_librecad_face(path, signs), STROKES_NEEDED)
    for name in (*HERSHEY_FONTS, "timesib"):
        yield from _whole(_hershey_face(HERSHEY / f"{name}.jhf", signs), STROKES_NEEDED)
    for path in sorted(svg_fonts.glob("*.svg")) if svg_fonts else ():
        if not path.name.startswith(NOT_LATIN):
            yield from _whole(_svg_face(path, signs), STROKES_NEEDED)


def _styles(paths: list[Path]) -> Iterator[Path]:
    """Some styles of each family, the plain ones first."""
    families: dict[str, list[Path]] = {}
    for path in paths:
        if not path.name.startswith(NOT_LATIN) or path.name.startswith(NOTO):
            families.setdefault(path.stem.partition("-")[0], []).append(path)
    for of_family in families.values():
        yield from sorted(of_family, key=lambda path: (_rank(path.stem), path.stem))[:STYLES]


def _rank(name: str) -> int:
    style = name.partition("-")[2] or "Regular"
    return PLAIN.index(style) if style in PLAIN else len(PLAIN)


def _whole(face: Face | None, needed: str) -> Iterator[Face]:
    if face and all(sign in face.glyphs for sign in needed):
        yield face


def _kept(values: Any) -> NDArray[np.int16]:
    return np.clip(np.round(np.asarray(values, float) * PRECISION), -32000, 32000).astype(np.int16)


def _outline_face(path: Path, signs: str) -> Face | None:
    try:
        font: Any = TTFont(path, lazy=True)
        names = font.getBestCmap()
        if not all(ord(sign) in names for sign in NEEDED):
            return None
        drawn = list(outline_glyphs(path, signs))
        height = _capital(font, names)
        advances = font["hmtx"]
        glyphs = {
            glyph.sign: (round(advances[names[ord(glyph.sign)]][0] / height * PRECISION), _kept(_sides(glyph)))
            for glyph in drawn
            if _is_plausible(glyph)
        }
        space = round(advances[names[32]][0] / height * PRECISION) if 32 in names else round(SPACE * PRECISION)
    except (TTLibError, ArithmeticError, TypeError, KeyError, ValueError) as error:  # said by name, and left out
        print(f"{path.name}: left out: {type(error).__name__} {error}", flush=True)
        return None
    return Face(path.stem, False, space, glyphs)


def _capital(font: Any, names: dict[int, str]) -> float:
    shapes = font.getGlyphSet()
    pen = BoundsPen(shapes)
    shapes[names[ord("H")]].draw(pen)
    return float(pen.bounds[3])


def _is_plausible(glyph: Glyph) -> bool:
    """Whether a glyph is as high as its character: fonts have dots and blocks in the places of characters that they lack."""
    heights = np.concatenate([points[:, 1] for points in glyph.outlines])
    low, high = float(heights.min()), float(heights.max())
    return (
        high - low <= MOST
        and (high - low >= LEAST or glyph.sign in SMALL_SIGNS)
        and (low >= HIGH_SIGNS_FROM or glyph.sign not in HIGH_SIGNS)
    )


def _sides(glyph: Glyph) -> Array:
    return np.concatenate([np.concatenate([points, np.roll(points, -1, axis=0)], axis=1) for points in glyph.outlines])


def _stroke_face(name: str, drawn: Iterable[tuple[Glyph, float | None]], between: float, space: float) -> Face:
    """between: capital heights from one glyph to the next where its advance is not known."""
    glyphs = {}
    for glyph, advance in drawn:
        assert glyph.lines is not None
        wide = float(glyph.lines[:, [0, 2]].max()) + between if advance is None else advance
        glyphs[glyph.sign] = (round(wide * PRECISION), _kept(glyph.lines))
    return Face(name, True, round(space * PRECISION), glyphs)


def _librecad_face(path: Path, signs: str) -> Face:
    said = {}
    for line in itertools.islice(path.open(encoding="utf-8", errors="replace"), 30):
        name, _, value = line.lstrip("# ").partition(":")
        said[name.strip()] = value.strip()
    # LibreCAD's fonts are 9 units high.
    between, space = (
        _number(said.get(name), usual) / 9.0 for name, usual in (("LetterSpacing", 3.0), ("WordSpacing", 6.75))
    )
    return _stroke_face(path.stem, ((glyph, None) for glyph in librecad_glyphs(path, signs)), between, space)


def _number(said: str | None, usual: float) -> float:
    try:
        return float(said) if said else usual
    except ValueError:
        return usual


def _hershey_face(path: Path, signs: str) -> Face | None:
    try:
        drawn = list(hershey_glyphs(path, signs))
    except (ValueError, IndexError):
        return None  # a file of signs, not of the characters of ASCII
    moved = []
    for glyph in drawn:
        assert glyph.lines is not None
        lines = glyph.lines - np.array([glyph.lines[:, [0, 2]].min(), 0.0] * 2)
        moved.append((Glyph(glyph.sign, glyph.font, lines=lines), None))
    return _stroke_face(path.stem, moved, 0.25, 0.75)


def _svg_face(path: Path, signs: str) -> Face | None:
    root = etree.parse(path, etree.XMLParser(resolve_entities=False)).getroot()
    found = {}
    for element in root.iter(etree.Element):
        sign = element.get("unicode") or ""
        if element.tag.endswith("}glyph") and len(sign) == 1 and (sign in signs or sign == "H"):
            lines = _svg_lines(element.get("d") or "")
            if len(lines):
                found[sign] = (lines, float(element.get("horiz-adv-x") or 0.0))
    if "H" not in found:
        return None
    capital = found["H"][0]
    low, high = capital[:, [1, 3]].min(), capital[:, [1, 3]].max()
    drawn = [
        (sign, lines - np.array([0.0, low] * 2), advance) for sign, (lines, advance) in found.items() if sign in signs
    ]
    height = high - low
    return _stroke_face(
        path.stem,
        [(Glyph(sign, path.stem, lines=lines / height), advance / height or None) for sign, lines, advance in drawn],
        0.3, 0.7,
    )  # fmt: skip


def _svg_lines(path: str) -> Array:
    pen = RecordingPen()
    parse_path(path, pen)
    lines: list[list[float]] = []
    at = start = (0.0, 0.0)
    for kind, args in pen.value:
        if kind == "moveTo":
            at = start = args[0]
            continue
        if kind == "closePath":
            points = [start]
        elif kind == "curveTo" and len(args) == 3:
            a, b, c, d = (np.array(point, float) for point in (at, *args))
            steps = np.linspace(0.0, 1.0, CURVE_STEPS + 1)[1:, None]
            curve = (
                (1 - steps) ** 3 * a + 3 * (1 - steps) ** 2 * steps * b + 3 * (1 - steps) * steps**2 * c + steps**3 * d
            )
            points = [tuple(point) for point in curve]
        else:
            points = list(args)
        for point in points:
            if tuple(point) != tuple(at):
                lines.append([*at, *point])
            at = point
    return np.array(lines, float).reshape(-1, 4)

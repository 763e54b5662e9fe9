"""The outlines that the fonts of a PDF draw, for those who compare them with what the text layer says (understanding.sheet.text_layer).

Glossary
  program   the embedded font file; two subsets of one font are two programs.

Source: ISO 32000-2 §9.6.6 and §9.9 (embedded font programs).
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import numpy as np
import pymupdf

from spatial.formats.pdf.fonts import Fonts
from spatial.models.sheet.drawing import Array, GlyphShape

MOST: Final = 4096
"""Glyphs of one file whose outlines are kept."""
CURVE_STEPS: Final = 6
"""Straight pieces of one Bézier curve."""
UNDRAWN, BLANK = -1, -2
"""Places of glyphs without an outline: no embedded program is sure to draw them; their program draws nothing for them."""
_PARTS: Final = np.arange(1, CURVE_STEPS + 1) / CURVE_STEPS
_WEIGHTS: Final = np.stack(
    [(1 - _PARTS) ** 3, 3 * _PARTS * (1 - _PARTS) ** 2, 3 * _PARTS**2 * (1 - _PARTS), _PARTS**3], axis=1
)
_ROOM: Final = ((0.0, 0.0, 0.0, 0.0),) * CURVE_STEPS
"""Of the edges of a curve until all curves of a glyph are divided."""


class GlyphOutlines:
    """The glyphs that a document shows and its programs draw, each listed once."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._places: dict[tuple[str, int, str], int] = {}
        self._names: dict[tuple[str, tuple[int, ...]], str] = {}
        """Of the fonts of one name on a page: what they are called here, each program by a name of its own."""
        self._known: dict[tuple[str, tuple[bytes, ...]], str] = {}
        """The same by what their programs are."""
        self._programs: dict[str, list[Any]] = {}
        self.shapes: list[GlyphShape] = []

    def place(self, program: str, glyph: int, sign: str) -> int:
        """Place in `shapes` of a glyph that stands for a sign; UNDRAWN or BLANK where there is none.

        program: the name of a font with the tag of its subset.
        """
        key = (self._named(program), glyph, sign)
        if key not in self._places:
            self._places[key] = self._added(*key)
        return self._places[key]

    def _named(self, program: str) -> str:
        """What the fonts are called that have a name on this page: those of another page may be other subsets, and draw other glyphs."""
        at = program, self._fonts.places(program)
        if at not in self._names:
            buffers = self._fonts.programs(program)
            by_program = program, tuple(sorted(sha256(buffer).digest() for buffer in buffers))
            if by_program not in self._known:
                self._known[by_program] = name = f"{program} {len(self._known)}"
                self._programs[name] = _opened(buffers)
            self._names[at] = self._known[by_program]
        return self._names[at]

    def _added(self, program: str, glyph: int, sign: str) -> int:
        edges = self._edges(program, glyph) if len(self.shapes) < MOST and glyph > 0 else None
        if edges is None:
            return UNDRAWN
        if not len(edges):
            return BLANK
        self.shapes.append(GlyphShape(program, sign, edges))
        return len(self.shapes) - 1

    def _edges(self, program: str, glyph: int) -> Array | None:
        """What a glyph draws; None where that is not sure: two programs of one name draw different things, or nothing at all."""
        fonts = self._programs[program]
        drawn = [edges for font in fonts if (edges := _outline(font, glyph)) is not None]
        full = [edges for edges in drawn if len(edges)]
        same = all(edges.shape == full[0].shape and np.allclose(edges, full[0], atol=1e-3) for edges in full[1:])
        return (full or drawn)[0] if same and drawn and len(drawn) == len(fonts) else None


class _Pen(pymupdf.mupdf.FzPathWalker2):  # type: ignore[misc]  # SWIG's classes have no types
    """Takes down the edges of a path."""

    def __init__(self) -> None:
        super().__init__()
        self.use_virtual_moveto()
        self.use_virtual_lineto()
        self.use_virtual_curveto()
        self.use_virtual_closepath()
        self._edges: list[tuple[float, float, float, float]] = []
        self._curves: list[tuple[float, ...]] = []
        self._begins: list[int] = []
        """Places of the first edges of curves."""
        self._first = self._last = (0.0, 0.0)

    def moveto(self, context: Any, x: float, y: float) -> None:
        self.closepath(context)
        self._first = self._last = (x, y)

    def lineto(self, context: Any, x: float, y: float) -> None:
        self._edges.append((*self._last, x, y))
        self._last = (x, y)

    def curveto(self, context: Any, *corners: float) -> None:
        self._begins.append(len(self._edges))
        self._edges += _ROOM
        self._curves.append((*self._last, *corners))
        self._last = corners[4], corners[5]

    def closepath(self, context: Any) -> None:
        if self._last != self._first:
            self.lineto(context, *self._first)

    @property
    def edges(self) -> Array:
        """(n, 4) in the order of the path, curves as CURVE_STEPS edges each."""
        edges = np.array(self._edges, dtype=float).reshape(-1, 4)
        if self._curves:
            corners = np.array(self._curves, dtype=float).reshape(-1, 4, 2)
            ends = _WEIGHTS @ corners
            begins = np.concatenate([corners[:, :1], ends[:, :-1]], axis=1)
            edges[np.add.outer(self._begins, np.arange(CURVE_STEPS))] = np.concatenate([begins, ends], axis=2)
        return edges


def _opened(buffers: list[bytes]) -> list[Any]:
    opened = []
    for buffer in buffers:
        try:
            opened.append(pymupdf.Font(fontbuffer=buffer))
        except Exception:  # noqa: BLE001 - FreeType and SWIG raise what they like over a damaged font
            return []
    return opened if all(map(_draws, opened)) else []


def _draws(font: Any) -> bool:
    """Whether a program draws anything: those of recognised scans have glyphs without outlines only."""
    return any(
        (edges := _outline(font, glyph)) is not None and len(edges) for glyph in range(1, min(font.glyph_count, MOST))
    )


def _outline(font: Any, glyph: int) -> Array | None:
    """(n, 4) edges of a glyph's closed outlines in font sizes, y up; None where the program fails over it."""
    pen = _Pen()
    try:
        path = pymupdf.mupdf.fz_outline_glyph(font.this, glyph, pymupdf.mupdf.FzMatrix())
        if not path.m_internal:
            return None
        pymupdf.mupdf.fz_walk_path(path, pen, pen.m_internal)
        pen.closepath(None)
    except Exception:  # noqa: BLE001 - FreeType and SWIG raise what they like over a damaged font
        return None
    edges = pen.edges
    return edges if np.isfinite(edges).all() else None

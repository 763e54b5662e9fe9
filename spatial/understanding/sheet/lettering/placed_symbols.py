"""Symbols that exporters draw as strokes, put beside the text that they stand with or into a gap of it."""

from __future__ import annotations

import itertools
import math
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.models.sheet.drawing import Box, Symbol, Text
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import Direction, Piece, apart, cosine_sine, median_height

SYMBOL_REACH: Final = 6.0
"""Letter heights from a text within which a symbol may belong to its direction of direction."""
ASIDE: Final = 1.0
"""Letter heights from the middle of a line within which its symbols stand."""
ASIDE_COST: Final = 2.0
"""How many letter heights along a line one across it counts: a symbol belongs to its own line first."""
CELL: Final = 2.5
"""Letter heights of a cell of the index; a search goes over three to each side."""
STEPS: Final = 64
"""Cells of one text in the index, at most: longer texts are paragraphs."""
INSIDE: Final = 0.3
"""Letter heights from either end of a text from which a symbol stands in a gap of it."""
SAME_ANGLE: Final = 3.0
"""Degrees between the directions of a symbol and of its text."""
TALLEST_LETTERS: Final = 2.2
"""Letter height by the longer side of a symbol; higher letters are a comment's round a stroke font."""
LETTERS_IN_CIRCLES: Final = frozenset("ⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉⓊⓋⓌⓍⓎⓏ")
OFF_BASELINE: Final = 0.2
"""Letter heights by which a characteristic may stand off its baseline."""
NEAR_A_BLANK: Final = 2.5
"""Letter widths within which a symbol stands at a blank."""
SQUARE: Final = 0.5
"""Cosine of twice the angle below which the sides of a turned box cannot be told apart: 30° out of square."""


def place_symbols(symbols: Sequence[Symbol], placed: list[tuple[Direction, Piece]], texts: dict[str, Text]) -> None:
    """Every symbol joins the reading of the text beside it, or goes into a gap of that text."""
    if not placed or not symbols:
        return
    cell = CELL * median_height([piece.h for _, piece in placed])
    grid: GrowingCellIndex[int] = GrowingCellIndex(cell)
    for number, (direction, piece) in enumerate(placed):
        steps = min(int((piece.u1 - piece.u0) / cell) + 1, STEPS)
        for step in range(steps + 1):
            grid.add(*direction.back(piece.u0 + (piece.u1 - piece.u0) * step / steps, piece.middle[1]), number)
    inside: defaultdict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        if not all(map(math.isfinite, symbol.box)) or not symbol.text:
            continue
        if (place := _beside(symbol, placed, grid, cell)) is None:
            continue
        direction, piece = placed[place]
        sign = sign_piece(symbol, direction, piece)
        margin = 0.0 if _letter_in_circle(symbol) else INSIDE * piece.h
        if piece.u0 + margin < sign.middle[0] < piece.u1 - margin:
            inside[place].append(symbol)
        else:
            direction.pieces.append(sign)
    for at, held in inside.items():
        direction, piece = placed[at]
        _insert(piece, texts[piece.ids[0]], held, direction)


def _beside(
    symbol: Symbol, placed: list[tuple[Direction, Piece]], grid: GrowingCellIndex[int], cell: float
) -> int | None:
    """Place of the text that a symbol stands with."""
    x, y = (symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2
    best, least = None, math.inf
    reach = 3 * cell
    for place in set(grid.in_box(x - reach, y - reach, x + reach, y + reach)):
        direction, piece = placed[place]
        if (symbol.angle and apart(symbol.angle, direction.angle) > SAME_ANGLE) or _is_far_smaller(piece, symbol):
            continue
        u, v = direction.turned(x, y)
        outside = max(piece.u0 - u, u - piece.u1, 0) / piece.h
        aside = abs(v - piece.middle[1]) / piece.h
        if outside < SYMBOL_REACH and aside < ASIDE and (cost := outside + ASIDE_COST * aside) < least:
            best, least = place, cost
    return best


def _is_far_smaller(piece: Piece, symbol: Symbol) -> bool:
    """Whether letters are far too high for a sign; the box of a comment about a stroke font is, round what it repeats."""
    return symbol.text != "°" and piece.h > TALLEST_LETTERS * max(
        symbol.box[2] - symbol.box[0], symbol.box[3] - symbol.box[1]
    )


def sign_piece(symbol: Symbol, direction: Direction, beside: Piece) -> Piece:
    """A symbol in the frame of the text beside it, on that text's baseline."""
    u, v = direction.turned((symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2)
    half = _extent(symbol.box, direction.angle) / 2
    low = (
        max(min(v - beside.middle[1], OFF_BASELINE * beside.h), -OFF_BASELINE * beside.h)
        if symbol.text in words.CHARACTERISTICS
        else 0.0
    )
    return Piece(
        symbol.text,
        u - half,
        u + half,
        beside.v + low,
        beside.h,
        beside.top + low,
        [symbol.box],
        kind="sign",
        symbol=symbol,
    )


def _extent(box: Box, angle: float) -> float:
    """Length along `angle` of a thing whose upright box is known: exact for a box turned by less than 30° out of square."""
    c, s = map(abs, cosine_sine(angle))
    wide, tall = box[2] - box[0], box[3] - box[1]
    if abs(c * c - s * s) < SQUARE:
        return (wide + tall) / 2 / (c + s)
    return max((wide * c - tall * s) / (c * c - s * s), 0.0)


def _insert(piece: Piece, text: Text, symbols: list[Symbol], direction: Direction) -> None:
    """Symbols take the place of the blanks that an exporter left for them."""
    shown = text.text
    ends = text.advances
    known = ends is not None and len(ends) == len(shown) + 1
    edges = (
        [float(e) for e in ends]
        if known and ends is not None
        else [i * text.width / len(shown) for i in range(len(shown) + 1)]
    )
    places = []
    written = list(zip(shown, edges, strict=False))
    for symbol in symbols:
        u, _ = direction.turned((symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2)
        letter = _circled(symbol, written, edges, u - piece.u0)
        if letter is None:
            places.append((_gap(shown, edges, u - piece.u0), u, symbol))
        else:
            written[letter] = (symbol.text, edges[letter])
            piece.boxes.append(symbol.box)
    for at, u, symbol in sorted(places, key=lambda p: p[:2], reverse=True):
        half = _extent(symbol.box, direction.angle) / 2
        written[at:at] = [(" ", edges[at]), (symbol.text, u - half - piece.u0), (" ", u + half - piece.u0)]
        piece.boxes.append(symbol.box)
    tidy = _tidy(written)
    piece.text = "".join(sign for sign, _ in tidy)
    piece.edges = (*(piece.u0 + begin for _, begin in tidy), piece.u1)


def _circled(symbol: Symbol, written: list[tuple[str, float]], edges: list[float], u: float) -> int | None:
    """The place of the letter that a circle is drawn round: `M` in the circle of Ⓜ is no letter of its own."""
    letter, place = _letter_in_circle(symbol), bisect_right(edges, u) - 1
    is_there = letter and 0 <= place < len(written) and written[place][0].upper() == letter
    return place if is_there else None


def _letter_in_circle(symbol: Symbol) -> str:
    """The letter of Ⓜ; nothing of any other sign."""
    return unicodedata.normalize("NFKC", symbol.text) if symbol.text in LETTERS_IN_CIRCLES else ""


def _tidy(written: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Characters with the places where they begin: one blank at most between two, none where signs stand close."""
    tidy: list[tuple[str, float]] = []
    for sign, begin in written:
        before = tidy[-1][0] if tidy else " "
        if sign.isspace():
            if not before.isspace() and before not in "Ø⌀□⌴⌵↧(":
                tidy.append((" ", begin))
            continue
        if before.isspace() and tidy and sign in ")°":
            tidy.pop()
        tidy.append((sign, begin))
    while tidy and tidy[-1][0].isspace():
        tidy.pop()
    return tidy


def _gap(shown: str, edges: list[float], u: float) -> int:
    """Where between its characters a place along a text is: at a blank if there is one within a letter's width."""
    middles = [(a + b) / 2 for a, b in itertools.pairwise(edges)]
    blanks = [i for i, c in enumerate(shown) if c.isspace()]
    nearest = min(blanks, key=lambda i: abs(middles[i] - u), default=None)
    letter = (edges[-1] - edges[0]) / max(len(shown), 1)
    if nearest is not None and abs(middles[nearest] - u) < NEAR_A_BLANK * letter:
        # Symbols that share one run of blanks keep their order by the place within it.
        return nearest if middles[nearest] >= u else nearest + 1
    return min(range(len(edges)), key=lambda i: abs(edges[i] - u))

"""Texts and symbols in the frame of their own baseline, where lettering of any angle is the same problem.

Glossary
  piece     a text, a symbol, or several of them once they are joined; `u` runs along its baseline, `v` across, upwards.
  reading   all pieces of one direction of reading.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from spatial.geometry.index import GrowingCellIndex
from spatial.models.sheet.drawing import Box, Symbol, Text
from spatial.understanding.sheet.lettering import words

SAME_DIRECTION: Final = 0.4
"""Degrees between neighbours of one direction of reading."""
WIDEST: Final = 2.0
"""Degrees between the outermost of one direction."""
SYMBOL_REACH: Final = 6.0
"""Letter heights from a text within which a symbol may belong to its direction of reading."""

Kind = Literal["text", "sign", "pair"]


@dataclass(slots=True, eq=False)
class Piece:
    """One thing that is read, in its frame."""

    text: str
    u0: float
    u1: float
    v: float
    """Of the baseline; of a pair, of the lower line."""
    h: float
    """Of a capital letter."""
    top: float
    boxes: list[Box]
    ids: tuple[str, ...] = ()
    kind: Kind = "text"
    mended: tuple[str, ...] = ()
    cell: int = -1
    """The ruled box that it stands in."""
    struck: bool = False
    lines: tuple[str, ...] = ()
    """Of a pair that stays two lines: limits."""
    symbol: Symbol | None = None
    edges: tuple[float, ...] = ()
    """Along `u`: where each character of its text begins, and where the last ends."""

    @property
    def middle(self) -> tuple[float, float]:
        """Of its ink."""
        return (self.u0 + self.u1) / 2, (self.v + self.top) / 2


@dataclass(slots=True)
class Reading:
    """All pieces of one direction."""

    angle: float
    pieces: list[Piece] = field(default_factory=list)

    def turned(self, x: float, y: float) -> tuple[float, float]:
        """A place of the sheet in this frame."""
        c, s = cosine_sine(self.angle)
        return x * c + y * s, y * c - x * s

    def back(self, u: float, v: float) -> tuple[float, float]:
        """A place of this frame on the sheet."""
        c, s = cosine_sine(self.angle)
        return u * c - v * s, u * s + v * c


def cosine_sine(angle: float) -> tuple[float, float]:
    """Exact at right angles."""
    quarter = round(angle / 90)
    if abs(angle - 90 * quarter) < 1e-9:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter % 4]
    return math.cos(math.radians(angle)), math.sin(math.radians(angle))


def apart(one: float, other: float, around: float = 360.0) -> float:
    """Degrees between two directions."""
    return abs((one - other + around / 2) % around - around / 2)


def median_height(heights: Collection[float]) -> float:
    """Typical letter height; 1 where there is none."""
    return sorted(heights)[len(heights) // 2] if heights else 1.0


def legible(text: Text) -> bool:
    """Whether it can be placed at all."""
    placed = (*text.origin, text.angle, text.height, text.width, *text.box)
    return text.visible and bool(text.text.strip()) and all(map(math.isfinite, placed)) and max(map(abs, placed)) < 1e9


def readings(symbols: Sequence[Symbol], texts: Sequence[Text]) -> list[Reading]:
    """Legible `texts` of one line and the symbols near them, by direction of reading."""
    found: list[Reading] = []
    home: list[tuple[Reading, Piece]] = []
    seen: set[tuple[str, int, int]] = set()
    for group in _directions(texts):
        reading = Reading(group[len(group) // 2].angle % 360)
        for text in group:
            piece = _piece(text, reading)
            if not _again(piece, reading, seen):
                reading.pieces.append(piece)
                home.append((reading, piece))
        found.append(reading)
    _place_symbols(symbols, home, {text.id: text for text in texts})
    return found


def _directions(texts: Sequence[Text]) -> list[list[Text]]:
    """Texts by direction; neighbours in angle share one, 359.9° and 0.1° too, but a ring of texts does not all."""
    turned = sorted(texts, key=lambda t: t.angle % 360)
    gaps = [(turned[place].angle - turned[place - 1].angle) % 360 for place in range(len(turned))]
    start = next((place for place, gap in enumerate(gaps) if gap > SAME_DIRECTION), 0)
    found: list[list[Text]] = []
    for text in turned[start:] + turned[:start]:
        if (
            found
            and apart(text.angle, found[-1][-1].angle) <= SAME_DIRECTION
            and apart(text.angle, found[-1][0].angle) < WIDEST
        ):
            found[-1].append(text)
        else:
            found.append([text])
    return found


def _again(piece: Piece, reading: Reading, seen: set[tuple[str, int, int]]) -> bool:
    """Whether the same text stands on the same spot already: exporters write bold as a second copy."""
    x, y = reading.back(*piece.middle)
    at = x / (0.4 * piece.h), y / (0.4 * piece.h)
    keys = {(piece.text, math.floor(at[0] + i), math.floor(at[1] + j)) for i in (-0.4, 0, 0.4) for j in (-0.4, 0, 0.4)}
    if not keys.isdisjoint(seen):
        return True
    seen.add((piece.text, math.floor(at[0]), math.floor(at[1])))
    return False


def _piece(text: Text, reading: Reading) -> Piece:
    shown = " ".join(words.written(text.text).split()) if text.kind == "mtext" else " ".join(text.text.split())
    u, v = reading.turned(*text.origin)
    height = text.height if text.height > 0 else max(min(text.box[2] - text.box[0], text.box[3] - text.box[1]), 1e-6)
    width = max(text.width, 0.0) or 0.5 * height * len(shown)
    blank = len(text.text) - len(text.text.lstrip(" "))
    if blank and text.advances is None and text.kind == "text":
        u, width = u + width * blank / len(text.text), width * (1.0 - blank / len(text.text))
    edges = () if shown != text.text or text.advances is None else tuple(u + float(end) for end in text.advances)
    return Piece(shown, u, u + width, v, height, v + height, [text.box], (text.id,), mended=text.mended, edges=edges)


def _place_symbols(symbols: Sequence[Symbol], home: list[tuple[Reading, Piece]], texts: dict[str, Text]) -> None:
    """Every symbol joins the reading of the text beside it, or goes into a gap of that text."""
    if not home or not symbols:
        return
    cell = 2.5 * median_height([piece.h for _, piece in home])
    grid: GrowingCellIndex[int] = GrowingCellIndex(cell)
    for number, (reading, piece) in enumerate(home):
        steps = min(int((piece.u1 - piece.u0) / cell) + 1, 64)
        for step in range(steps + 1):
            grid.add(*reading.back(piece.u0 + (piece.u1 - piece.u0) * step / steps, piece.middle[1]), number)
    inside: defaultdict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        if not all(map(math.isfinite, symbol.box)) or not symbol.text:
            continue
        if (place := _beside(symbol, home, grid, cell)) is None:
            continue
        reading, piece = home[place]
        sign = sign_piece(symbol, reading, piece)
        if piece.u0 + 0.3 * piece.h < sign.middle[0] < piece.u1 - 0.3 * piece.h:
            inside[place].append(symbol)
        else:
            reading.pieces.append(sign)
    for at, held in inside.items():
        reading, piece = home[at]
        _insert(piece, texts[piece.ids[0]], held, reading)


def _beside(symbol: Symbol, home: list[tuple[Reading, Piece]], grid: GrowingCellIndex[int], cell: float) -> int | None:
    """Place of the text that a symbol stands with."""
    x, y = (symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2
    best, least = None, math.inf
    reach = 3 * cell
    for place in set(grid.in_box(x - reach, y - reach, x + reach, y + reach)):
        reading, piece = home[place]
        if (symbol.angle and apart(symbol.angle, reading.angle) > 3) or _dwarfs(piece, symbol):
            continue
        u, v = reading.turned(x, y)
        outside = max(piece.u0 - u, u - piece.u1, 0) / piece.h
        aside = abs(v - piece.middle[1]) / piece.h
        if outside < SYMBOL_REACH and aside < 1.0 and (cost := outside + 2 * aside) < least:
            best, least = place, cost
    return best


def _dwarfs(piece: Piece, symbol: Symbol) -> bool:
    """Whether letters are far too high for a sign; the box of a comment about a stroke font is, round what it repeats."""
    return symbol.text != "°" and piece.h > 2.2 * max(symbol.box[2] - symbol.box[0], symbol.box[3] - symbol.box[1])


def sign_piece(symbol: Symbol, reading: Reading, beside: Piece) -> Piece:
    """A symbol in the frame of the text beside it, on that text's baseline."""
    u, v = reading.turned((symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2)
    half = _extent(symbol.box, reading.angle) / 2
    low = (
        max(min(v - beside.middle[1], 0.2 * beside.h), -0.2 * beside.h) if symbol.text in words.CHARACTERISTICS else 0.0
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
    if abs(c * c - s * s) < 0.5:
        return (wide + tall) / 2 / (c + s)
    return max((wide * c - tall * s) / (c * c - s * s), 0.0)


def _insert(piece: Piece, text: Text, symbols: list[Symbol], reading: Reading) -> None:
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
    for symbol in symbols:
        u, _ = reading.turned((symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2)
        places.append((_gap(shown, edges, u - piece.u0), u, symbol))
    written = list(zip(shown, edges, strict=False))
    for at, u, symbol in sorted(places, key=lambda p: p[:2], reverse=True):
        half = _extent(symbol.box, reading.angle) / 2
        written[at:at] = [(" ", edges[at]), (symbol.text, u - half - piece.u0), (" ", u + half - piece.u0)]
        piece.boxes.append(symbol.box)
    tidy = _tidy(written)
    piece.text = "".join(sign for sign, _ in tidy)
    piece.edges = (*(piece.u0 + begin for _, begin in tidy), piece.u1)


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
    if nearest is not None and abs(middles[nearest] - u) < 2.5 * letter:
        # Symbols that share one run of blanks keep their order by the place within it.
        return nearest if middles[nearest] >= u else nearest + 1
    return min(range(len(edges)), key=lambda i: abs(edges[i] - u))

"""Texts and the symbols near them, by direction of direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from spatial.models.sheet.drawing import Symbol, Text
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import Direction, Piece, apart
from spatial.understanding.sheet.lettering.placed_symbols import place_symbols

SAME_DIRECTION: Final = 0.4
"""Degrees between neighbours of one direction of direction."""
WIDEST: Final = 2.0
"""Degrees between the outermost of one direction."""
SAME_PLACE: Final = 0.4
"""Letter heights within which the same text twice is one: exporters write bold as a second copy."""
LEAST_HEIGHT: Final = 1e-6
"""Sheet units: of a text without height or box."""
LETTER_WIDTH: Final = 0.5
"""Of a letter height: width of a letter where the file gives no width."""


def find_directions(symbols: Sequence[Symbol], texts: Sequence[Text]) -> list[Direction]:
    """Legible `texts` of one line and the symbols near them, by direction of direction."""
    found: list[Direction] = []
    placed: list[tuple[Direction, Piece]] = []
    seen: dict[str, set[tuple[int, int]]] = {}
    for group in _group_by_angle(texts):
        direction = Direction(group[len(group) // 2].angle % 360)
        for text in group:
            piece = _piece(text, direction)
            if not _is_repeated(piece, direction, seen):
                direction.pieces.append(piece)
                placed.append((direction, piece))
        found.append(direction)
    place_symbols(symbols, placed, {text.id: text for text in texts})
    return found


def _group_by_angle(texts: Sequence[Text]) -> list[list[Text]]:
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


def _is_repeated(piece: Piece, direction: Direction, seen: dict[str, set[tuple[int, int]]]) -> bool:
    """Whether the same text stands on the same spot already: exporters write bold as a second copy."""
    x, y = direction.back(*piece.middle)
    at = x / (SAME_PLACE * piece.h), y / (SAME_PLACE * piece.h)
    spots = seen.setdefault(piece.text, set())
    if spots:
        steps = (-SAME_PLACE, 0, SAME_PLACE)
        if not spots.isdisjoint({(math.floor(at[0] + i), math.floor(at[1] + j)) for i in steps for j in steps}):
            return True
    spots.add((math.floor(at[0]), math.floor(at[1])))
    return False


def _piece(text: Text, direction: Direction) -> Piece:
    shown = " ".join(words.written(text.text).split()) if text.kind == "mtext" else " ".join(text.text.split())
    u, v = direction.turned(*text.origin)
    height = (
        text.height if text.height > 0 else max(min(text.box[2] - text.box[0], text.box[3] - text.box[1]), LEAST_HEIGHT)
    )
    width = max(text.width, 0.0) or LETTER_WIDTH * height * len(shown)
    blank = len(text.text) - len(text.text.lstrip(" "))
    if blank and text.advances is None and text.kind == "text":
        u, width = u + width * blank / len(text.text), width * (1.0 - blank / len(text.text))
    edges = () if shown != text.text or text.advances is None else tuple([u + end for end in text.advances.tolist()])
    return Piece(shown, u, u + width, v, height, v + height, [text.box], (text.id,), repairs=text.repairs, edges=edges)

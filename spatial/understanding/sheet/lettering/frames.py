"""Ruled boxes round lettering: feature control frames and datum signs are read here; boxed values are marked for later.

Glossary
  cell    one compartment of a frame: "◎", "Ø0.02", "A".
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import compress
from typing import Final

from spatial.models.sheet.drawing import Box, Sheet
from spatial.models.sheet.repairs import DRAWN
from spatial.understanding.sheet.label import Label, Role
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.datum_signs import DatumSigns
from spatial.understanding.sheet.lettering.frame_texts import cut_at_sides
from spatial.understanding.sheet.lettering.pieces import Direction, Piece, cosine_sine
from spatial.understanding.sheet.lettering.placed_symbols import sign_piece
from spatial.understanding.sheet.lettering.printed_size import is_second_unit
from spatial.understanding.sheet.lettering.ruled import BoxRow, Rules

MOST: Final = 4000
"""Pieces of one direction that are looked at for boxes round them."""
ROWS: Final = 600
"""Rows of boxes of one direction."""
CELLS: Final = 8
"""Of a frame: characteristic, tolerance, datums, and a few requirements."""
LONGEST: Final = 24
"""Characters of a piece in a box."""
SAME_ROW: Final = 0.4
"""Letter heights by which pieces may disagree on the row of boxes round them."""
SHARED_SIDE: Final = 0.12
"""Heights of a row by which sides of neighbouring boxes may differ."""
OPEN_ROWS: Final = 500
"""Rows that further boxes are tried on."""
WIDEST_SIGN: Final = 2.2
"""Width by height of the cell of a characteristic."""
LONGEST_DATUM: Final = 8
"""Characters of a cell behind the tolerance."""
SIDES: Final = 4
"""Of the box of a basic size that end at its corners."""
SIDES_OF_DATUM: Final = 3
"""Of the box of a datum's letter: under a frame it shares one."""
MARGIN: Final = (-0.2, 1.5)
"""Letter heights between a basic size and the sides of its box; an outline that happens to close round a size is wider."""
LINE, LINE_DRAWN = 2.0, 2.6
"""Letter heights from a line to the one over it; the same by the height of a text that is not seen, which may be less than that drawn."""
CLEAR: Final = 0.03
"""Heights of a box between its sides and what stands in it."""
_UNDER_SIZE: Final = re.compile(r"(?:\d{1,3} ?)?[A-Z]{2,5}\.?")
"""The word, or the number of places, in the line under a size."""
SIGNS: Final = 20_000
"""Of a sheet that are looked for in boxes."""


def take_frames(direction: Direction, rules: Rules, sheet: Sheet) -> list[Label]:
    """The frames and datum signs of one direction; their pieces leave `reading`, boxed pieces get their cell."""
    found: list[Label] = []
    signs = DatumSigns(sheet)
    boxed = _with_shared_characteristics(_boxed(direction, rules), direction, sheet)
    for number, (row, pieces) in enumerate(boxed.items()):
        _fetch_signs(row, pieces, direction, sheet)
        cells = [_words(_within(row, place, pieces)) for place in range(len(row.edges) - 1)]
        if len(cells) == 1 and not words.is_datum(cells[0]):
            for piece in pieces if _is_box_of_size(row, pieces, rules, direction, sheet) else ():
                piece.cell = number
            continue
        is_box = len(cells) == 1 and rules.sides_at_corners(row) >= SIDES_OF_DATUM
        tie = signs.tie(row, direction) if is_box else None
        if tie is None and (len(cells) == 1 or not _is_frame(row, cells)):
            continue
        label = _label(row, cells, pieces, direction, sheet.page, "datum" if tie else "frame")
        found.append(replace(label, has_triangle=tie != "stem"))
        gone = {id(piece) for piece in pieces}
        direction.pieces[:] = [p for p in direction.pieces if id(p) not in gone]
    _box_sizes_in_two_units(direction, rules, sheet)
    _box_sizes_over_words(direction, rules, sheet)
    return found


def _box_sizes_in_two_units(direction: Direction, rules: Rules, sheet: Sheet) -> None:
    """Give the lines of a basic size that stands over itself in the other unit the cell that is round both (ASME Y14.5-2018 §4.2)."""
    plain = [piece for piece in direction.pieces[:MOST] if piece.cell < 0 and words.is_plain(piece.text)]
    below = [piece for piece in plain if piece.text[0] == "["]
    sizes = [piece for piece in plain if piece.text[0] != "["] if below else []
    for number, lower in enumerate(below, ROWS + 1):
        upper = next((size for size in sizes if size.cell < 0 and _is_right_over(size, lower)), None)
        if upper is None:
            continue
        if _is_in_one_box(upper, lower, direction, rules, sheet):
            upper.cell = lower.cell = number


def _box_sizes_over_words(direction: Direction, rules: Rules, sheet: Sheet) -> None:
    """Give a basic size and the word or the count in the line under it, as TYP or 2 PLC, the cell that is round both."""
    pieces = [piece for piece in direction.pieces[:MOST] if piece.cell < 0]
    below = [piece for piece in pieces if _UNDER_SIZE.fullmatch(piece.text)]
    sizes = [piece for piece in pieces if words.is_plain(piece.text)] if below else []
    for number, lower in enumerate(below, 2 * ROWS + 1):
        upper = next((size for size in sizes if size.cell < 0 and _is_next_line(size, lower)), None)
        if upper is not None and _is_in_one_box(upper, lower, direction, rules, sheet, lower.h):
            upper.cell = lower.cell = number


def _is_next_line(upper: Piece, lower: Piece) -> bool:
    line = LINE_DRAWN if DRAWN in lower.repairs else LINE
    return lower.h < upper.v - lower.v < line * lower.h and min(upper.u1, lower.u1) > max(upper.u0, lower.u0)


def _is_in_one_box(
    upper: Piece, lower: Piece, direction: Direction, rules: Rules, sheet: Sheet, height: float | None = None
) -> bool:
    """Whether one box of a basic size is round two lines. height: of its letters; that of both lines, if None."""
    both = replace(
        lower, u0=min(upper.u0, lower.u0), u1=max(upper.u1, lower.u1), h=upper.v + upper.h - lower.v, top=upper.top
    )
    row = rules.row_round(both)
    return row is not None and len(row.edges) == 2 and _is_box_of_size(row, [both], rules, direction, sheet, height)


def _is_right_over(upper: Piece, lower: Piece) -> bool:
    """Whether a size is in the line over the same size in the other unit."""
    is_next = lower.h < upper.v - lower.v < LINE * lower.h and min(upper.u1, lower.u1) > max(upper.u0, lower.u0)
    return is_next and is_second_unit(upper.text, lower.text.strip("[] "))


def _boxed(direction: Direction, rules: Rules) -> dict[BoxRow, list[Piece]]:
    """Rows of boxes with the pieces in them, a row that was drawn as single boxes put together."""
    cut_at_sides(direction, rules)
    found: dict[BoxRow, list[Piece]] = {}
    pieces = direction.pieces[:MOST]
    for piece in compress(pieces, rules.between_sides(pieces)):
        row = rules.row_round(piece) if len(piece.text) <= LONGEST else None
        if row is None or len(found) > ROWS:
            continue
        # Pieces of one row agree on it, whichever stroke of a double line each of them met.
        same = next((known for known in found if _agree(known, row, SAME_ROW * piece.h)), row)
        found.setdefault(same, []).append(piece)
    return _with_shared_datums(_side_by_side(_without_parts(found)), direction)


def _without_parts(found: dict[BoxRow, list[Piece]]) -> dict[BoxRow, list[Piece]]:
    """The rows, those that are a part of a longer one as that: the sides of some cells are drawn in one, of others cell by cell."""
    whole: dict[BoxRow, list[Piece]] = {}
    for row in sorted(found, key=lambda each: each.edges[0] - each.edges[-1]):
        slack = SHARED_SIDE * (row.high - row.low)
        longer = next((each for each in whole if _is_part(row, each, slack)), row)
        whole.setdefault(longer, []).extend(found[row])
    return {row: whole[row] for row in [*found] if row in whole}


def _is_part(row: BoxRow, longer: BoxRow, slack: float) -> bool:
    is_level = max(abs(row.low - longer.low), abs(row.high - longer.high)) < slack
    return is_level and all(min(abs(edge - other) for other in longer.edges) < slack for edge in row.edges)


def _with_shared_datums(found: dict[BoxRow, list[Piece]], direction: Direction) -> dict[BoxRow, list[Piece]]:
    """Frames one over the other with a datum in a cell that is as high as both: it is of each. ISO 1101 §8, ASME Y14.5 §6.5."""
    for lower in [row for row in found if len(row.edges) > 2]:
        slack = SHARED_SIDE * (lower.high - lower.low)
        upper = next((row for row in found if _is_on(row, lower, slack)), None)
        if upper is None or lower not in found:
            continue
        right, seam = lower.edges[-1], lower.high
        reach = right + WIDEST_SIGN * (lower.high - lower.low)
        boxed = {id(piece) for pieces in found.values() for piece in pieces}
        shared = next(
            (
                piece
                for piece in direction.pieces[:MOST]
                if id(piece) not in boxed
                and words.is_datum(piece.text)
                and right < piece.middle[0] < reach
                and abs(piece.middle[1] - seam) < SAME_ROW * piece.h
            ),
            None,
        )
        if shared is None:
            continue
        for row in (lower, upper):
            behind = next((r for r in found if _is_behind(r, row, shared, reach, slack)), None)
            cells = behind.edges if behind else (2 * shared.u1 - shared.u0,)
            whole = BoxRow(row.low, row.high, (*row.edges, *cells))
            found[whole] = [*found.pop(row), shared, *(found.pop(behind) if behind else ())]
    return found


def _with_shared_characteristics(
    found: dict[BoxRow, list[Piece]], direction: Direction, sheet: Sheet
) -> dict[BoxRow, list[Piece]]:
    """Two lines of a tolerance behind one cell that is as high as both: its characteristic is of each (ASME Y14.5-2018 §10.5)."""
    for lower in [row for row in found if _is_tolerance(row, found[row])]:
        if lower not in found:  # the upper of two lines already
            continue
        slack = SHARED_SIDE * (lower.high - lower.low)
        upper = next((row for row in found if _begins_on(row, lower, slack) and _is_tolerance(row, found[row])), None)
        if upper is None:
            continue
        sign = _sign_before(lower, direction, sheet)
        first = 2 * sign.middle[0] - lower.edges[0] if sign else lower.edges[0] - (lower.high - lower.low)
        for row in (upper, lower):
            pieces = found.pop(row)
            whole = BoxRow(row.low, row.high, (first, *row.edges))
            found[whole] = [sign, *(piece for piece in pieces if piece is not sign)] if sign else pieces
    return found


def _is_tolerance(row: BoxRow, pieces: list[Piece]) -> bool:
    """Whether a row of boxes says what stands behind a characteristic: a tolerance zone and the letters of datums."""
    cells = [_words(_within(row, place, pieces)) for place in range(len(row.edges) - 1)]
    return (
        len(cells) > 1 and words.is_plain(cells[0]) and words.is_zone(cells[0]) and all(map(words.is_datum, cells[1:]))
    )


def _begins_on(upper: BoxRow, lower: BoxRow, slack: float) -> bool:
    """Whether a row of boxes stands right on another and begins where it begins."""
    return abs(upper.low - lower.high) < slack and abs(upper.edges[0] - lower.edges[0]) < slack


def _sign_before(lower: BoxRow, direction: Direction, sheet: Sheet) -> Piece | None:
    """The characteristic in the cell before two lines of a tolerance, the lower of which is given."""
    tall = lower.high - lower.low
    for symbol in sheet.symbols[:SIGNS]:
        if symbol.text not in words.CHARACTERISTICS:
            continue
        u, v = direction.turned((symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2)
        is_between = abs(v - lower.high) < SAME_ROW * tall and 0 < lower.edges[0] - u < WIDEST_SIGN * tall / 2
        if is_between:
            known = next((piece for piece in direction.pieces if piece.symbol is symbol), None)
            return known or sign_piece(symbol, direction, direction.pieces[0])
    return None


def _is_on(upper: BoxRow, lower: BoxRow, slack: float) -> bool:
    """Whether a row of boxes stands right on another and ends where it ends."""
    return (
        abs(upper.low - lower.high) < slack and abs(upper.edges[-1] - lower.edges[-1]) < slack and len(upper.edges) > 2
    )


def _is_behind(row: BoxRow, first: BoxRow, shared: Piece, reach: float, slack: float) -> bool:
    """Whether a row of boxes goes on behind the shared cell, level with `first`."""
    level = abs(row.low - first.low) < slack and abs(row.high - first.high) < slack
    return level and shared.u1 < row.edges[0] < reach


def _agree(one: BoxRow, other: BoxRow, slack: float) -> bool:
    ends = (one.low - other.low, one.high - other.high, one.edges[0] - other.edges[0], one.edges[-1] - other.edges[-1])
    return len(one.edges) == len(other.edges) and max(map(abs, ends)) < slack


def _side_by_side(found: dict[BoxRow, list[Piece]]) -> dict[BoxRow, list[Piece]]:
    """Boxes that were drawn one by one and share a side are one row."""
    joined: dict[BoxRow, list[Piece]] = {}
    open_rows: dict[tuple[float, float, float], BoxRow] = {}
    for row in sorted(found, key=lambda r: (r.low, r.edges[0])):
        slack = SHARED_SIDE * (row.high - row.low)
        key = next((k for k in open_rows if _meets(k, row, slack)), None) if len(open_rows) < OPEN_ROWS else None
        if key is None:
            joined[row] = found[row]
            open_rows[row.edges[-1], row.low, row.high] = row
            continue
        left = open_rows.pop(key)
        whole = BoxRow(left.low, left.high, left.edges + row.edges[1:])
        joined[whole] = joined.pop(left) + found[row]
        open_rows[row.edges[-1], row.low, row.high] = whole
    return joined


def _meets(key: tuple[float, float, float], row: BoxRow, slack: float) -> bool:
    return abs(key[0] - row.edges[0]) < slack and abs(key[1] - row.low) < slack and abs(key[2] - row.high) < slack


def _fetch_signs(row: BoxRow, pieces: list[Piece], direction: Direction, sheet: Sheet) -> None:
    """Signs in the row's boxes that stand too far from any text to have joined one."""
    held = {id(piece.symbol) for piece in pieces if piece.symbol}
    for symbol in sheet.symbols[:SIGNS]:
        u, v = direction.turned((symbol.box[0] + symbol.box[2]) / 2, (symbol.box[1] + symbol.box[3]) / 2)
        if row.low < v < row.high and row.edges[0] < u < row.edges[-1] and id(symbol) not in held:
            own = next((p for p in direction.pieces if p.symbol is symbol), None)
            inside = any(symbol.box in piece.boxes for piece in pieces)
            if not inside:
                pieces.append(own or sign_piece(symbol, direction, pieces[0]))


def _within(row: BoxRow, place: int, pieces: list[Piece]) -> list[Piece]:
    left, right = row.edges[place], row.edges[place + 1]
    return sorted((p for p in pieces if left < p.middle[0] <= right), key=lambda p: p.u0)


def _words(pieces: list[Piece]) -> str:
    """What a cell says."""
    text = ""
    for piece in pieces:
        text += (words.joint(text, piece.text, 1.0) if text else "") + piece.text
    return text


def _is_frame(row: BoxRow, cells: list[str]) -> bool:
    """Whether cells say what those of a feature control frame do."""
    first = cells[0]
    sign = (
        not first
        or first in words.CHARACTERISTICS
        or (len(first) <= 2 and not words.has_digit(first) and not first.isalpha())
    )
    narrow = row.edges[1] - row.edges[0] < WIDEST_SIGN * (row.high - row.low)
    rest = cells[2:]
    letters = all(len(cell) <= LONGEST_DATUM and not words.is_plain(cell) for cell in rest)
    # A sign that could not be read leaves its cell empty, as cells of tables are: then the rest must say that it is a frame.
    sign = sign and (bool(first) or not cells[1][:1].isdecimal() or any(map(words.is_datum, rest)))
    return bool(sign and narrow and len(cells) <= CELLS and words.is_zone(cells[1]) and letters)


def _is_box_of_size(
    row: BoxRow, pieces: list[Piece], rules: Rules, direction: Direction, sheet: Sheet, height: float | None = None
) -> bool:
    """Whether a box is closed by its own four sides and stands as close to what it holds as that of a basic size.

    height: of its letters; that of its pieces, if None.
    """
    if rules.sides_at_corners(row) < SIDES:
        return False
    begin, end = min(piece.u0 for piece in pieces), max(piece.u1 for piece in pieces)
    if any(DRAWN in piece.repairs for piece in pieces):
        begin, end = _drawn_within(row, direction, sheet) or (begin, end)
    height = max(piece.h for piece in pieces) if height is None else height
    return all(MARGIN[0] * height <= gap <= MARGIN[1] * height for gap in (begin - row.edges[0], row.edges[-1] - end))


def _drawn_within(row: BoxRow, direction: Direction, sheet: Sheet) -> tuple[float, float] | None:
    """Where the strokes in a box begin and end: a text that is not seen is often narrower than the letters drawn for it."""
    cosine, sine = cosine_sine(direction.angle)
    ends = sheet.strokes.ends.reshape(-1, 2)
    u, v = ends @ (cosine, sine), ends @ (-sine, cosine)
    slack = CLEAR * (row.high - row.low)
    inside = (u > row.edges[0] + slack) & (u < row.edges[-1] - slack) & (v > row.low + slack) & (v < row.high - slack)
    of_stroke = u[inside.reshape(-1, 2).all(axis=1).repeat(2)]
    return (float(of_stroke.min()), float(of_stroke.max())) if len(of_stroke) else None


def _label(row: BoxRow, cells: list[str], pieces: list[Piece], direction: Direction, page: int, role: Role) -> Label:
    corners = [direction.back(u, v) for u in (row.edges[0], row.edges[-1]) for v in (row.low, row.high)]
    box: Box = (
        min(x for x, _ in corners),
        min(y for _, y in corners),
        max(x for x, _ in corners),
        max(y for _, y in corners),
    )
    ordered = sorted(pieces, key=lambda p: p.u0)
    return Label(
        lines=(" ".join(cell for cell in cells if cell),),
        page=page,
        position=direction.back((row.edges[0] + row.edges[-1]) / 2, (row.low + row.high) / 2),
        box=box,
        angle=direction.angle,
        height=max(p.h for p in pieces),
        sources=tuple(dict.fromkeys(i for p in ordered for i in p.ids)),
        role=role,
        boxed=True,
        cells=tuple(cells) if role == "frame" else (),
        repairs=tuple(dict.fromkeys(m for p in ordered for m in p.repairs)),
    )

"""Pieces on one baseline, and what stands raised or above each other behind them, joined to what is read as one line.

Glossary
  pair      two pieces above each other that say one thing: deviations, classes of a fit, limits, a fraction.
  row       pieces from the left to the right that are read as one line; it is a piece again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import compress, pairwise
from typing import Final

import numpy as np

from spatial.geometry.index import GrowingCellIndex, may_hold_points
from spatial.understanding.sheet.lettering import over_sizes, raised, words
from spatial.understanding.sheet.lettering.pieces import Piece, median_height
from spatial.understanding.sheet.lettering.ruled import Rules

SAME_BASELINE: Final = 0.3
"""Letter heights by which baselines of one row may differ."""
SAME_HEIGHT: Final = 0.8
"""Least ratio of two heights that count as one."""
EDGES: Final = 0.9
"""Letter heights by which edges of a pair may differ: a sign wider than nothing stands before one of them."""
CLOSE: Final = 2.1
"""Letter heights between the baselines of limits or of classes."""
SHOULDER, SHOULDER_GAP = 0.8, 0.8
"""Letter heights of the shoulder of a leader at least, and between it and its text."""
FAR: Final = 2.2
"""The same of small deviations and of a fraction."""
UPPER_RISE: Final = 0.5
"""Letter heights above or below the beginning of a part from which the other part of its pair is looked for."""
BESIDE_SIZE: Final = 1.2
"""Heights of a size from its end within which small deviations begin; the shorter of two that end together begins later."""
ON_LINE: Final = 1.2
"""Letter heights from a dimension line to the baseline of a size that stands on it."""
WIDE_BLANK: Final = 0.6
"""Letter heights of a blank between two sizes that an exporter wrote as one text."""
SIGN_REACH: Final = 0.8
"""Letter heights from a lone + or - to its digits."""
SIGN_ASIDE: Final = 0.35
"""The same across the baseline: minus signs are lower than digits."""
BOTH: Final = ("upper", "lower")
"""Deviations of a size."""
LONGEST_PART: Final = 14
"""Characters of a part of a pair."""
OWN_SIGNS, OWN_SIGN_GAP = frozenset("↧⌴⌵"), 1.0
"""Signs of depth, counterbore and countersink, and letter heights between one and its number."""
PAIR_LEFT: Final = 3.2
PAIR_RIGHT: Final = 2.0
"""Letter heights from the beginning of an upper part within which the lower one begins."""
PAIR_BELOW: Final = 0.8
"""Letter heights between the baselines of a pair, at least."""
SAME_MIDDLE: Final = 0.5
"""Letter heights between the middles of a centred pair."""
ZERO_LEFT: Final = -0.3
ZERO_RIGHT: Final = 1.5
"""Letter heights from the beginning of a signed deviation between which a 0 without a sign begins."""
BAR_LONGER: Final = 1.3
BAR_MORE: Final = 0.7
"""A bar of a fraction is at most BAR_LONGER times as long as its parts, and BAR_MORE letter heights."""
INTO_PIECE: Final = 0.1
"""Letter heights that a line may reach into a piece that it bounds."""
SMALL_TEXT: Final = 1.6
"""Times a piece's own height, or the typical one, by which a row in larger letters is looked for."""
ROW_LEFT: Final = 2.6
ROW_BELOW: Final = 1.7
ROW_RIGHT: Final = 1.1
ROW_ABOVE: Final = 2.2
"""Letter heights round the beginning of a piece within which its row ends."""
FARTHEST_ROW: Final = 10.0
"""Letter heights: more than any row that a piece can go on with."""
OVERLAP: Final = 0.4
"""Letter heights by which a piece may overlap its row: stroke fonts of a DXF are narrower than their widths say."""
OVERLAP_OF_PAIR: Final = 0.8
"""The same of a pair behind a bare size, and of what follows a bracket."""
OVERLAP_A_CHARACTER: Final = 0.3
"""The same of a pair behind a bare size, for each character of the size."""
LIMITS_GAP: Final = 1.5
"""Letter heights between a sign and limits."""
LIMITS_REACH: Final = 2.0
"""Reach of a text that limits may follow: a sign or a quantity."""
PAIR_REACH: Final = 2.0
REACH_BEHIND_CLASS: Final = 3.2
"""Letter heights between a size and its deviations; behind a class these often stand in a bracket two lines high, which no text says."""
PAIR_TALLEST: Final = 0.85
"""Height of a size by that of its deviations, at least."""
PAIR_RISE: Final = 0.6
"""Heights of a size by which its deviations may stand above its baseline, or end below its top."""
MARK_RISE: Final = 0.9
MARK_LEAST: Final = 0.4
MARK_GAP: Final = 0.6
"""An asterisk rises by at most MARK_RISE heights of its size, is at least MARK_LEAST of them high, and MARK_GAP away."""
SMALL_DEVIATION: Final = 0.9
"""Height by that of its size below which a deviation may stand raised or lowered."""
DEVIATION_LOW: Final = -0.8
DEVIATION_HIGH: Final = 1.3
"""Heights of the size between which the baseline of such a deviation lies."""
SUFFIX_RISE: Final = 0.5
"""Heights of a size by which a word behind it in smaller lettering may rise, as one at the middle or the top of the size does."""
CLASS_ASIDE, CLASS_GAP = 0.9, 0.7
"""Heights of a size by which its class may stand raised or lowered (DIN 406), right behind it."""
LEAST_HEIGHT: Final = 0.6
"""Ratio of letter heights in one row, at least."""
CELLS_APART: Final = 1.0
"""Letter heights between a size and what may be its deviation, beyond which lines may be those of cells."""
LINES_OF_CELLS: Final = 2
"""Lines in such a gap: one may be a witness line, two close a row of a table between them."""


def join_rows(pieces: list[Piece], rules: Rules) -> list[Piece]:
    """Everything of one direction of direction, joined along its baselines."""
    with_signs = _join_signs(_split(pieces, rules))
    paired = over_sizes.join_over_sizes(_beside_sizes(_paired(with_signs, rules)), rules)
    raised.lower_raised(paired)
    return _chained(paired, rules)


def _grid(pieces: Iterable[Piece]) -> GrowingCellIndex[Piece]:
    held = list(pieces)
    grid: GrowingCellIndex[Piece] = GrowingCellIndex(2 * median_height([p.h for p in held]))
    for piece in held:
        grid.add(piece.u0, piece.v, piece)
    return grid


def _alike(one: Piece, other: Piece) -> bool:
    return min(one.h, other.h) >= SAME_HEIGHT * max(one.h, other.h)


def _split(pieces: list[Piece], rules: Rules) -> list[Piece]:
    """`12.00 k6` under a class, `0.28 -0.03` under a deviation and `H7 +0.001` over one are two parts, the second of a pair.

    Words behind it, as in `0.28 -0.03 THRU`, are a third.
    """
    halves = _grid(p for p in pieces if words.is_half(p.text))
    return [part for piece in pieces for part in _parts(piece, halves, rules)]


def _parts(piece: Piece, halves: GrowingCellIndex[Piece], rules: Rules) -> list[Piece]:
    if len(piece.edges) != len(piece.text) + 1:
        return [piece]
    if len(sizes := words.sizes_of_chain(piece.text)) > 1:
        chain = _cut(piece, *sizes[1:])
        return chain if all(_have_lines(*pair, rules) for pair in pairwise(chain)) else [piece]
    if (second := words.second_size(piece.text)) is not None and _far(piece, second):
        return _cut(piece, second)
    span = words.last_part(piece.text)
    if span is None:
        return [piece]
    begin, end, h = piece.edges[span[0]], piece.edges[span[1]], piece.h
    window = (begin - EDGES * h, piece.v - FAR * h, end, piece.v + FAR * h)
    other = [p for p in halves.in_box(*window) if abs(p.v - piece.v) > UPPER_RISE * h]
    aligned = [p for p in other if abs(p.u0 - begin) < EDGES * h or abs(p.u1 - end) < EDGES * h]
    if not any(words.one_thing(half.text, piece.text[slice(*span)]) for half in aligned):
        return [piece]
    return _cut(piece, *span)


def _have_lines(left: Piece, right: Piece, rules: Rules) -> bool:
    """Whether two sizes of a chain stand on a line each: one ends between them, or an extension line crosses it there (ISO 129-1)."""
    low, high, begin, end = left.v - ON_LINE * left.h, left.v, left.middle[0], right.middle[0]
    under = [rules.levels(low, high, piece.u0, piece.u1) for piece in (left, right)]
    if not all(under):
        return False
    ends = (at for lines in under for _, *both in lines for at in both)
    return any(begin < at < end for at in ends) or bool(rules.uprights(begin, end, low, high))


def _far(piece: Piece, at: int) -> bool:
    """Whether the blank before a place is wider than one between words, or a sign stands behind it."""
    end = piece.edges[len(piece.text[:at].rstrip())]
    return piece.text[at] in words.SIGNS or piece.edges[at] - end > WIDE_BLANK * piece.h


def _cut(piece: Piece, *places: int) -> list[Piece]:
    """A piece cut before some of its characters, without the blanks between its parts."""
    bounds = pairwise([0, *places, len(piece.text)])
    return [_part(piece, begin, end) for begin, end in bounds if piece.text[begin:end].strip()]


def _part(piece: Piece, begin: int, end: int) -> Piece:
    written = piece.text[begin:end]
    text, first = written.strip(), begin + len(written) - len(written.lstrip())
    u0, u1 = piece.edges[first], piece.edges[first + len(text)]
    return replace(piece, text=text, u0=u0, u1=u1, boxes=list(piece.boxes), edges=())


def _join_signs(pieces: list[Piece]) -> list[Piece]:
    """A sign and the digits after it, which some exporters write as two texts, become one piece."""
    grid = _grid(p for p in pieces if words.has_digit(p.text[:1]) or p.text[:1] in ",.")
    gone: set[int] = set()
    for sign in pieces:
        if not words.is_sign(sign.text):
            continue
        reach = SIGN_REACH * sign.h
        near = grid.in_box(
            sign.u1 - reach / 2, sign.v - SIGN_ASIDE * sign.h, sign.u1 + reach, sign.v + SIGN_ASIDE * sign.h
        )
        digits = min((p for p in near if id(p) not in gone and _alike(p, sign)), key=lambda p: p.u0, default=None)
        if digits is not None and digits.cell == sign.cell:
            gone.add(id(sign))
            gone.add(id(digits))
            sign.absorb(digits, "")
            sign.v, sign.top = digits.v, digits.top
            gone.discard(id(sign))
    return [p for p in pieces if id(p) not in gone]


def _paired(pieces: list[Piece], rules: Rules) -> list[Piece]:
    """Pieces above each other that say one thing become one."""
    candidates = [p for p in pieces if words.has_digit(p.text) and len(p.text) <= LONGEST_PART and not p.lines]
    grid = _grid(candidates)
    behind_signs = _behind_own_signs(pieces, candidates)
    gone: set[int] = set()
    found: list[Piece] = []
    over_others = compress(candidates, _have_others_below(candidates))
    for upper in sorted(over_others, key=lambda p: (-p.v, p.u0)):
        if id(upper) in gone:
            continue
        near = grid.in_box(
            upper.u0 - PAIR_LEFT * upper.h,
            upper.v - FAR * upper.h,
            upper.u0 + PAIR_RIGHT * upper.h,
            upper.v - PAIR_BELOW * upper.h,
        )
        own = behind_signs if id(upper) in behind_signs else frozenset()
        fitting = [
            p for p in near if id(p) not in gone and id(p) not in own and p.cell == upper.cell and _alike(upper, p)
        ]
        for lower in sorted(fitting, key=lambda p: (-p.v, abs(p.u0 - upper.u0))):
            pair = _pair(upper, lower, rules)
            if pair is not None:
                gone |= {id(upper), id(lower)}
                found.append(pair)
                break
    return [p for p in pieces if id(p) not in gone] + found


def _behind_own_signs(pieces: list[Piece], candidates: list[Piece]) -> frozenset[int]:
    """Which pieces stand right behind a ↧, ⌴ or ⌵ of their own: two of them over each other are of two features, and no limits."""
    signs = [p for p in pieces if p.text in OWN_SIGNS]
    if not signs:
        return frozenset()
    grid = _grid(candidates)
    return frozenset(
        id(number)
        for sign in signs
        for number in grid.in_box(
            sign.u1 - INTO_PIECE * sign.h,
            sign.v - SAME_BASELINE * sign.h,
            sign.u1 + OWN_SIGN_GAP * sign.h,
            sign.v + SAME_BASELINE * sign.h,
        )
    )


def _beside_sizes(pieces: list[Piece]) -> list[Piece]:
    """Small deviations above and below the middle of the size before them become one, however far apart its height keeps them."""
    halves = [p for p in pieces if p.kind == "text" and (words.is_deviation(p.text) or words.is_zero(p.text))]
    if len(halves) < len(BOTH):
        return pieces
    grid = _grid(halves)
    gone: set[int] = set()
    found: list[Piece] = []
    for size in pieces:
        both = sorted(_raised_and_lowered(size, grid), key=lambda p: -p.v) if words.has_digit(size.text[-1:]) else []
        if len(both) != len(BOTH) or gone & set(map(id, both)) or not words.deviations_pair(both[0].text, both[1].text):
            continue
        gone |= set(map(id, both))
        found.append(_stacked(both[0], both[1], f"{both[0].text} {both[1].text}"))
    return [p for p in pieces if id(p) not in gone] + found


def _raised_and_lowered(size: Piece, grid: GrowingCellIndex[Piece]) -> list[Piece]:
    """What stands behind a size in smaller letters, above its middle or below it."""
    h, middle = size.h, size.v + size.h / 2
    window = (
        size.u1 - INTO_PIECE * h,
        size.v + DEVIATION_LOW * h,
        size.u1 + BESIDE_SIZE * h,
        size.v + DEVIATION_HIGH * h,
    )
    near = [p for p in grid.in_box(*window) if p is not size and p.h < SMALL_DEVIATION * h and p.cell == size.cell]
    return [p for p in near if p.v >= middle or p.v + p.h <= middle]


def _have_others_below(pieces: list[Piece]) -> list[bool]:
    """Of each piece whether another one may be the lower part of a pair with it."""
    u, v, h = np.array([(piece.u0, piece.v, piece.h) for piece in pieces], float).reshape(-1, 3).T
    windows = np.column_stack([u - PAIR_LEFT * h, v - FAR * h, u + PAIR_RIGHT * h, v - PAIR_BELOW * h])
    found: list[bool] = may_hold_points(windows, np.column_stack([u, v]), 2 * median_height(h.tolist())).tolist()
    return found


def _pair(upper: Piece, lower: Piece, rules: Rules) -> Piece | None:
    """Two pieces as one where they say one thing."""
    above, below = upper.text, lower.text
    starts = abs(upper.u0 - lower.u0) < EDGES * upper.h or abs(upper.u1 - lower.u1) < EDGES * upper.h
    middles = abs(upper.middle[0] - lower.middle[0]) < SAME_MIDDLE * upper.h
    aligned = starts or middles or _beside_sign(upper, lower)
    near = upper.v - lower.v < CLOSE * upper.h
    if aligned and words.deviations_pair(above, below):
        return _stacked(upper, lower, f"{above} {below}")
    if aligned and near and words.classes_pair(above, below):
        return _stacked(upper, lower, f"{above}/{below}")
    if middles and words.is_whole(above) and words.is_whole(below) and _has_bar(upper, lower, rules):
        return _stacked(upper, lower, f"{above}/{below}")
    if not (aligned and near):
        return None
    limits = words.limits_pair(above, below) or (
        words.spread_limits_pair(above, below) and _at_shoulder(upper, lower, rules)
    )
    if limits and not (_barred(upper, lower, rules) or rules.have_own_lines(upper, lower)):
        pair = _stacked(upper, lower, f"{above} {below}")
        pair.lines = (above, below)
        return pair
    return None


def _beside_sign(upper: Piece, lower: Piece) -> bool:
    """Whether a 0 without a sign stands over the first digit of a signed deviation, or under it."""
    zero, signed = (upper, lower) if words.is_zero(upper.text) else (lower, upper)
    return words.is_zero(zero.text) and ZERO_LEFT * signed.h < zero.u0 - signed.u0 < ZERO_RIGHT * signed.h


def _barred(upper: Piece, lower: Piece, rules: Rules) -> bool:
    """Whether a line is drawn between two pieces."""
    left, right = min(upper.u0, lower.u0), max(upper.u1, lower.u1)
    return rules.line_between(lower.top - INTO_PIECE * lower.h, upper.v + INTO_PIECE * upper.h, left, right)


def _has_bar(upper: Piece, lower: Piece, rules: Rules) -> bool:
    """Whether the bar of a fraction is drawn between two pieces: hardly longer than they are with all that goes on from it.

    A dimension line between two sizes is longer, or has heads or lines beyond its ends.
    """
    left, right = min(upper.u0, lower.u0), max(upper.u1, lower.u1)
    longest = BAR_LONGER * (right - left) + BAR_MORE * upper.h
    return rules.bar_between(
        lower.top - INTO_PIECE * lower.h, upper.v + INTO_PIECE * upper.h, (left, right), longest, upper.h
    )


def _at_shoulder(upper: Piece, lower: Piece, rules: Rules) -> bool:
    """Whether the shoulder of a leader ends beside two pieces, between the one and the other: it points at both."""
    left, right = min(upper.u0, lower.u0), max(upper.u1, lower.u1)
    gap, least = SHOULDER_GAP * upper.h, SHOULDER * upper.h
    between = rules.levels(lower.top - INTO_PIECE * lower.h, upper.v + INTO_PIECE * upper.h, left - gap, right + gap)
    return any(
        last - first > least and (0 <= first - right < gap or 0 <= left - last < gap) for _, first, last in between
    )


def _stacked(upper: Piece, lower: Piece, text: str) -> Piece:
    return Piece(
        text,
        min(upper.u0, lower.u0),
        max(upper.u1, lower.u1),
        lower.v,
        upper.h,
        upper.top,
        [*upper.boxes, *lower.boxes],
        (*upper.ids, *lower.ids),
        "pair",
        (*upper.repairs, *(m for m in lower.repairs if m not in upper.repairs)),
        upper.cell,
        upper.struck or lower.struck,
    )


def _chained(pieces: list[Piece], rules: Rules) -> list[Piece]:
    """Rows grow from the left to the right; each piece goes to the nearest row that ends before it."""
    tall = median_height([p.h for p in pieces])
    ends: GrowingCellIndex[Piece] = GrowingCellIndex(2 * tall)
    found: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: (p.u0, -p.v)):
        row = _row_before(piece, ends, tall, rules)
        if row is None:
            found.append(piece)
            ends.add(piece.u1, piece.v, piece)
            continue
        ends.remove(row.u1, row.v, row)
        _append(row, piece)
        ends.add(row.u1, row.v, row)
    return found


def _row_before(piece: Piece, ends: GrowingCellIndex[Piece], tall: float, rules: Rules) -> Piece | None:
    """The row that a piece goes on with."""
    h = max(piece.h, min(SMALL_TEXT * piece.h, SMALL_TEXT * tall))
    window = (piece.u0 - ROW_LEFT * h, piece.v - ROW_BELOW * h, piece.u0 + ROW_RIGHT * h, piece.v + ROW_ABOVE * h)
    best, least = None, FARTHEST_ROW
    for row in ends.in_box(*window):
        cost = _distance(row, piece)
        if cost is not None and cost < least and not _divided(row, piece, rules):
            best, least = row, cost
    return best


def _divided(row: Piece, piece: Piece, rules: Rules) -> bool:
    """Whether a line stands between running words or a size and a class far behind it, as between cells, or several between a size and
    a deviation far behind it; sizes are crossed by witness lines all the time."""
    is_far = piece.u0 - row.u1 > CELLS_APART * max(row.h, piece.h)
    is_apart, is_class = is_far and words.is_deviation(piece.text), is_far and words.is_class(piece.text)
    if piece.kind != "text" or not (is_apart or is_class or words.reach(row.text, piece.text) == words.RUNNING):
        return False
    between = rules.uprights(row.u1 - INTO_PIECE * row.h, piece.u0 + INTO_PIECE * row.h, piece.v, piece.top)
    sides = {
        u
        for u, low, high in between
        if low < piece.v + INTO_PIECE * piece.h and high > piece.top - INTO_PIECE * piece.h
    }
    return len(sides) >= (LINES_OF_CELLS if is_apart else 1)


def _distance(row: Piece, piece: Piece) -> float | None:
    """How far a piece is from the row that it can be the next of, in letter heights; None where it cannot."""
    h = max(row.h, piece.h)
    gap = (piece.u0 - row.u1) / h
    if row.cell != piece.cell or row.lines or gap < -_overlap(row, piece) or not _level(row, piece):
        return None
    if piece.lines:
        return (
            gap
            if gap < LIMITS_GAP and words.reach(row.text, piece.text) >= LIMITS_REACH and not words.is_plain(row.text)
            else None
        )
    if piece.kind == "pair" and not words.has_digit(row.text):
        return None
    reach = _reach_of_pair(row) if piece.kind == "pair" else words.reach(row.text, piece.text)
    return max(gap, 0.0) + abs(row.v - piece.v) / h if gap <= reach else None


def _reach_of_pair(row: Piece) -> float:
    size, _, last = row.text.rpartition(" ")
    return REACH_BEHIND_CLASS if words.has_digit(size) and words.is_usual_class(last) else PAIR_REACH


def _overlap(row: Piece, piece: Piece) -> float:
    """Letter heights by which a piece may overlap the row before it."""
    if piece.kind == "pair" and words.is_plain(row.text):
        return max(OVERLAP_OF_PAIR, OVERLAP_A_CHARACTER * len(row.text))
    return OVERLAP_OF_PAIR if row.text[-1] == "(" else OVERLAP


def _level(row: Piece, piece: Piece) -> bool:
    """Whether a piece stands where the next of a row does: on its baseline, or beside it as deviations do."""
    h = max(row.h, piece.h)
    rise = (piece.v - row.v) / row.h
    if piece.kind == "pair":
        return row.h >= PAIR_TALLEST * piece.h and rise < PAIR_RISE and (piece.top - row.top) / row.h > -PAIR_RISE
    if row.kind == "pair" and not piece.lines:
        return (piece.v - row.v) / h > -SAME_BASELINE and piece.top < row.top + SAME_BASELINE * h
    if words.is_mark(piece.text) and words.has_digit(row.text[-1]):
        return (
            -SAME_BASELINE < rise < MARK_RISE and piece.h > MARK_LEAST * row.h and piece.u0 - row.u1 < MARK_GAP * row.h
        )
    if words.is_deviation(piece.text) and words.has_digit(row.text) and piece.h < SMALL_DEVIATION * row.h:
        return DEVIATION_LOW < rise < DEVIATION_HIGH
    if words.is_suffix(piece.text) and words.has_digit(row.text[-1]) and piece.h < SMALL_DEVIATION * row.h:
        return -SAME_BASELINE < rise < SUFFIX_RISE and LEAST_HEIGHT * row.h <= piece.h
    if words.is_usual_class(piece.text) and words.is_size(row.text) and abs(piece.u0 - row.u1) < CLASS_GAP * row.h:
        return abs(rise) < CLASS_ASIDE and LEAST_HEIGHT * row.h <= piece.h <= row.h / LEAST_HEIGHT
    return abs(piece.v - row.v) < SAME_BASELINE * h and LEAST_HEIGHT * h <= min(row.h, piece.h)


def _append(row: Piece, piece: Piece) -> None:
    if words.is_deviation(piece.text) and words.has_digit(row.text[-1]):
        piece.text = words.close_up(piece.text)
    joint = words.joint(row.text, piece.text, (piece.u0 - row.u1) / max(row.h, piece.h))
    if piece.kind == "pair" and words.has_digit(row.text[-1]):
        joint = " "
    if piece.lines:
        row.lines = (f"{row.text}{joint}{piece.lines[0]}", *piece.lines[1:])
        row.v = min(row.v, piece.v)  # the next line stands under the lower limit, wherever the sign before both is
    row.absorb(piece, joint)
    if row.kind == "sign" and piece.kind != "sign":
        row.kind = piece.kind if piece.kind == "pair" else "text"
    if row.kind == "pair" and piece.kind == "text":
        row.h = max(row.h, piece.h)  # a fraction is smaller than the lettering that it begins: `1/2-13 UNC`
    if piece.kind != "pair" and not (words.is_deviation(piece.text) and piece.h < SMALL_DEVIATION * row.h):
        row.top = max(row.top, piece.top)

"""Texts of drawn lettering that were found in parts: what is drawn right behind a text, on its baseline, goes on with it.

Programs write each text at once, letter by letter, so that the order of drawing says where it ends: between two texts stands something
else, or a rule line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Flags, Indices, Text
from spatial.models.sheet.repairs import FROM_OUTLINES, UNKNOWN
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.lines import Line, has_pen
from spatial.understanding.sheet.outlined.rows import flags, turned, turned_boxes
from spatial.understanding.sheet.outlined.words import even_step

LEVEL, LIKE = 0.12, 0.12
"""Capital heights between the baselines of two parts of a text, and part by which their heights differ."""
LEAST, APART = 0.2, 1.45
"""Capital heights between two words of a text, at least and at most."""
MOST_BETWEEN: Final = 3
"""Pieces of a sign between two words."""
DASH_WIDE, DASH_HIGH, MIDDLE, DOT = (0.2, 1.1), 0.15, (0.25, 0.75), 0.25
"""Capital heights of the width and height of a dash, between which its middle is, and of a dot of a colon."""
BARS_OFF, BARS_APART = 0.1, (0.12, 0.6)
"""Capital heights by which the ends of the two bars of an equals sign differ, and between their middles."""
PLUS, SLASH_HIGH, SLASH_WIDE = (0.2, 0.9), (0.7, 1.6), (0.1, 0.9)
"""Capital heights of both sides of a plus, and of the height and the width of the slash behind it."""
EVEN: Final = 0.45
"""Part by which both sides of a plus differ: narrow fonts draw it narrow."""
SAME_STEP, OFF_GRID = 0.05, 0.25
"""Part by which the steps of lettering of even width differ, and steps by which a letter is off its place."""
SENTENCE_ENDS: Final = ".:;"
"""What two blanks stand behind in lettering of even width."""
END: Final = 0.6
"""Capital heights from the end of a text within which its first and its last letter are."""


_ENDS_SIZE: Final = re.compile(r"(?:^|[\sMØ⌀.,])\d+°?$")
_ENDS_NUMBER: Final = re.compile(r"\d\s?(?:mm|cm|in\.?|°|\")?$")
_BEGINS_SIZE: Final = re.compile(r"[Ø⌀]?\d")
"""What stands on both sides of the x between two numbers: M9 x 0.5, 2 x 45°."""


@dataclass(frozen=True, slots=True)
class Written:
    """A text, and the line that it is of."""

    text: Text
    line: Line


@dataclass(frozen=True, slots=True)
class _Part:
    """A text in the frame of its quarter."""

    place: int
    left: float
    right: float
    base: float
    height: float
    first: int
    last: int
    """Places of the first piece of its first letter and of the last piece of its last one in the order of drawing."""
    flag: int
    """The triangle that it stands in; -1 of none."""


def joined_texts(ink: Ink, written: Sequence[Written], crosses: Collection[int] = ()) -> list[Text]:
    """The texts, those in one that are drawn one behind the other. crosses: components that are an x each, and of no text."""
    order, flag, texts = _order_of_drawing(ink), flags(ink), [each.text for each in written]
    free = np.ones(len(ink.boxes), bool)
    free[[piece for each in written for piece in each.line.pieces]] = False
    drawn = np.argsort(order, kind="stable")
    gone: set[int] = set()
    for quarter in sorted({each.line.read.quarter for each in written}):
        barriers = _upright(ink, quarter)
        parts = [
            part
            for place, each in enumerate(written)
            if each.line.read.quarter == quarter and (part := _part(ink, place, each, order, flag)) is not None
        ]
        first = {part.first: part for part in parts}
        boxes = np.where(free[:, None], turned_boxes(ink.boxes, quarter), np.nan)[drawn]
        is_cross = np.isin(drawn, list(crosses))
        for part in sorted(parts, key=lambda part: -part.left):
            found = _behind(first, part, boxes, is_cross)
            if found is not None and _goes_on(written, part, *found, barriers):
                behind, sign, between = found
                first_sides = sorted(between[:, 0].tolist())[: len(sign)]
                sides = [*first_sides, float(between[:, 2].max())] if sign else []
                begins = [side - part.left for side in (*sides, behind.left)]
                texts[part.place] = _joined(texts[part.place], texts[behind.place], sign, begins)
                gone.add(behind.place)
    return [text for place, text in enumerate(texts) if place not in gone]


def _order_of_drawing(ink: Ink) -> Indices:
    """(k,) the place of each component in the order of drawing; filled ones count before those of strokes."""
    first = np.full(len(ink.boxes), np.iinfo(np.int64).max)
    begins = 0
    for of in (ink.fills, ink.strokes, ink.arcs):
        drawn = np.flatnonzero(of >= 0)
        np.minimum.at(first, of[drawn], begins + drawn)
        begins += len(of)
    order = np.empty(len(first), np.int64)
    order[np.argsort(first, kind="stable")] = np.arange(len(first))
    return order


def _upright(ink: Ink, quarter: int) -> Array:
    """(b, 3) place, lowest and highest of the rule lines across the lines of a quarter, in its frame."""
    barriers = turned(ink.barriers, quarter)
    upright = barriers[np.abs(barriers[:, 2] - barriers[:, 0]) < 0.1 * np.abs(barriers[:, 3] - barriers[:, 1])]
    x, y = upright[:, [0, 2]], upright[:, [1, 3]]
    return np.stack([x.mean(axis=1), y.min(axis=1), y.max(axis=1)], axis=1)


def _part(ink: Ink, place: int, written: Written, order: Indices, flag: Indices) -> _Part | None:
    text, line = written.text, written.line
    left, base = turned(np.array([text.origin]), line.read.quarter)[0].tolist()
    right = left + text.width
    pieces = np.array(line.pieces, np.int64)
    boxes = turned_boxes(ink.boxes[pieces], line.read.quarter)
    middle = (boxes[:, 0] + boxes[:, 2]) / 2
    ends = middle <= left + END * text.height, middle >= right - END * text.height
    own = [order[pieces[end & (middle >= left) & (middle <= right)]] for end in ends]
    if not all(len(each) for each in own):
        return None
    return _Part(place, left, right, base, text.height, int(own[0].min()), int(own[1].max()), int(flag[pieces[0]]))


def _behind(first: Mapping[int, _Part], part: _Part, boxes: Array, is_cross: Flags) -> tuple[_Part, str, Array] | None:
    """The part that is drawn right behind one, the sign that is drawn alone between the two, empty of none, and its boxes (n, 4).

    boxes: (k, 4) of the components in the order of drawing, in the frame of the quarter; not a number of those of texts; is_cross: (k,)
    which of them are an x.
    """
    for count in range(MOST_BETWEEN + 1):
        between = boxes[part.last + 1 : part.last + 1 + count]
        crosses = is_cross[part.last + 1 : part.last + 1 + count]
        sign = "x" if len(between) == 1 and crosses.all() else _sign_of(between, part)
        if sign is not None and (behind := first.get(part.last + 1 + count)) is not None:
            return behind, sign, between
    return None


def _sign_of(boxes: Array, part: _Part) -> str | None:
    """What the pieces between two words are: a dash, a colon, an equals sign or +/-, with a blank on both sides; empty of none.

    None of anything else.
    """
    if not len(boxes):
        return ""
    left, low, right, high = ((boxes - [0, part.base, 0, part.base]) / part.height).T
    if len(boxes) == 1:
        is_dash = DASH_WIDE[0] <= right[0] - left[0] <= DASH_WIDE[1] and high[0] - low[0] <= DASH_HIGH
        return "-" if is_dash and MIDDLE[0] <= (low[0] + high[0]) / 2 <= MIDDLE[1] else None
    if len(boxes) == MOST_BETWEEN:
        return "+/-" if _is_plus_minus(left, low, right, high) else None
    if _is_equals(left, low, right, high):
        return "="
    are_dots = max(float((right - left).max()), float((high - low).max())) <= DOT and float(np.ptp(left)) <= DOT / 2
    return ":" if are_dots and float(low.min()) >= -DOT and float(high.max()) <= 1.0 and np.ptp(low) > DOT else None


def _is_equals(left: Array, low: Array, right: Array, high: Array) -> bool:
    """Whether two pieces, in capital heights over the baseline, are bars over each other, on both sides of the middle."""
    wide, middle = right - left, (low + high) / 2
    are_bars = DASH_WIDE[0] <= wide.min() and wide.max() <= DASH_WIDE[1] and (high - low).max() <= DASH_HIGH
    are_even = max(float(np.ptp(left)), float(np.ptp(right))) <= BARS_OFF
    is_parted = BARS_APART[0] <= np.ptp(middle) <= BARS_APART[1]
    return bool(are_bars and are_even and is_parted and MIDDLE[0] <= middle.mean() <= MIDDLE[1])


def _is_plus_minus(left: Array, low: Array, right: Array, high: Array) -> bool:
    """Whether three pieces, in capital heights over the baseline, are a plus, a slash and a dash behind each other."""
    wide, tall = right - left, high - low
    is_plus = PLUS[0] <= min(wide[0], tall[0]) and max(wide[0], tall[0]) <= PLUS[1]
    is_even = abs(float(wide[0] - tall[0])) <= EVEN * float(max(wide[0], tall[0]))
    is_slash = SLASH_HIGH[0] <= tall[1] <= SLASH_HIGH[1] and SLASH_WIDE[0] <= wide[1] <= SLASH_WIDE[1]
    is_dash = DASH_WIDE[0] <= wide[2] <= DASH_WIDE[1] and tall[2] <= DASH_HIGH
    is_level = all(MIDDLE[0] <= middle <= MIDDLE[1] for middle in ((low + high) / 2).tolist())
    return bool(is_plus and is_even and is_slash and is_dash and is_level and (np.diff(left) > 0).all())


def _goes_on(written: Sequence[Written], one: _Part, two: _Part, sign: str, between: Array, barriers: Array) -> bool:
    texts = written[one.place].text.text, written[two.place].text.text
    height = max(one.height, two.height)
    is_level = abs(one.base - two.base) <= LEVEL * height and abs(one.height - two.height) <= LIKE * height
    ends = [one.right, *((between[:, 0].min(), between[:, 2].max()) if sign else ()), two.left]
    gaps = [end - begin for begin, end in zip(ends[::2], ends[1::2], strict=True)]
    is_near = all(LEAST * height <= gap <= APART * height for gap in gaps)
    is_near |= not sign and _stands_on_grid(written[one.place], written[two.place])
    is_near &= has_pen(written[one.place].line, written[two.place].line)
    if sign == "+/-" and not (_ENDS_NUMBER.search(texts[0]) and _BEGINS_SIZE.match(texts[1])):
        return False
    if sign == "x" and not (_ENDS_SIZE.search(texts[0]) and _BEGINS_SIZE.match(texts[1])):
        return False
    if one.flag != two.flag or not (is_level and is_near) or texts[0].endswith(UNREAD) or texts[1].startswith(UNREAD):
        return False
    middle = one.base + height / 2
    walls = (barriers[:, 0] > one.right) & (barriers[:, 0] < two.left)
    return not (walls & (barriers[:, 1] <= middle) & (barriers[:, 2] >= middle)).any()


def _stands_on_grid(one: Written, two: Written) -> bool:
    """Whether two texts have the letters of one grid, and one blank is between them, or two behind the end of a sentence.

    Where all letters take the same width, as those of typewriters do, a blank does, and is wider than in other lettering.
    """
    step = even_step(one.line.read.boxes)
    other = even_step(two.line.read.boxes)
    if step is None or (other is not None and abs(other - step) > SAME_STEP * step):
        return False
    (_, _, right, _), (left, _, end, _) = one.line.read.boxes[-1].tolist(), two.line.read.boxes[0].tolist()
    begin = float(one.line.read.boxes[-1, 0])
    blanks = ((left + end) - (begin + right)) / 2 / step - 1
    most = 2 if one.text.text[-1] in SENTENCE_ENDS else 1
    return any(abs(blanks - count) <= OFF_GRID for count in range(1, most + 1))


def _joined(one: Text, two: Text, sign: str, begins: list[float]) -> Text:
    """Two texts as one.

    sign: what stands between them with a blank on both sides; begins: of it, of the blank behind it, and of the second text, from that of
    the first.
    """
    assert one.advances is not None and two.advances is not None
    box = (*np.minimum(one.box[:2], two.box[:2]).tolist(), *np.maximum(one.box[2:], two.box[2:]).tolist())
    return replace(
        one, text=f"{one.text} {sign} {two.text}" if sign else f"{one.text} {two.text}", width=begins[-1] + two.width, box=box,
        advances=np.array([*one.advances[:-1], one.width, *begins[:-1], *(begins[-1] + two.advances)]),
        repairs=(FROM_OUTLINES, UNKNOWN) if UNREAD in one.text + two.text else (FROM_OUTLINES,),
    )  # fmt: skip

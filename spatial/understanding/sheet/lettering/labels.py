"""Texts and symbols joined to what a person reads as one piece: the labels of a sheet.

Glossary
  piece    a text or a symbol in the frame of its own baseline.
  row      pieces that are read as one line: "6 x" "Ø" "16".
  stack    rows above each other that are one callout.
  frame    a feature control frame; its cells are read from the left.
  texture  a surface texture symbol (√, ISO 1302) and what is written at it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain, compress
from typing import Final

import numpy as np

from spatial.geometry.index import GrowingCellIndex
from spatial.knowledge.symbols import is_preferred_roughness
from spatial.models.sheet.drawing import Box, Dimensioning, Sheet, Symbol, Text
from spatial.understanding.sheet.label import Label, Role
from spatial.understanding.sheet.leaders.leaders import leaders
from spatial.understanding.sheet.lettering import (
    beside_limits,
    datum_signs,
    extremes,
    frames,
    native,
    spread_limits,
    words,
    words_under,
)
from spatial.understanding.sheet.lettering.balloons import balloons
from spatial.understanding.sheet.lettering.directions import find_directions
from spatial.understanding.sheet.lettering.level_deviations import level_deviations
from spatial.understanding.sheet.lettering.pieces import NO_CELL, Direction, Piece, legible, median_height
from spatial.understanding.sheet.lettering.rows import join_rows
from spatial.understanding.sheet.lettering.ruled import find_rules, no_rules
from spatial.understanding.sheet.lettering.stacks import join_stacks
from spatial.understanding.sheet.lettering.turned_marks import turn_marks
from spatial.understanding.sheet.symbols.dashed_sides import with_dashed_sides

DRAWN: Final = "drawn as strokes"
COMMENTS: Final = 2000
"""Of a sheet that are compared with its texts."""
REPEATED: Final = 0.7
"""Height of a text by that of a comment that repeats it."""
TEXTURES: Final = 1000
"""Texture signs of a sheet beside which brackets are looked for."""
SIGN_IN_BRACKETS: Final = 1.3
"""Size of a texture sign by the height of the brackets round it, at most."""
BRACKET_NEAR: Final = 1.2
"""Heights of a bracket between its middle and that of the sign."""
TEXTURE_REACH: Final = 1.2
"""Letter heights between a texture sign and its value."""
LEAST_TEXTURE: Final = 0.8
"""Letter heights of a texture sign."""
BESIDE_TEXTURE: Final = 0.6
"""Heights of the sign between its middle and that of its value."""
VALUE_GAP: Final = 0.3
"""Letter heights between a texture sign and the value on its line."""
LEADER_REACH: Final = 1.3
"""Letter heights between a text and the end of its leader."""
SHOULDER_STEPS: Final = 5
SHOULDER_PARTS: Final = 12
"""Places on the last stretch of a leader at which its text may stand: its end, and SHOULDER_STEPS - 1 steps of a twelfth."""
CELL: Final = 3.0
"""Letter heights of a cell of the index of leaders."""
DIRECTIONS: Final = 48
"""Directions of reading that are searched for ruled boxes; a sheet of more is no drawing."""


def find_labels(
    sheet: Sheet, claimed: frozenset[str], dimensions: Sequence[Dimensioning], lettered: Sequence[Label] | None = None
) -> list[Label]:
    """All labels of a sheet, in the order of their first text; texts in `claimed` are left out.

    dimensions: the sheet's, native or found; a label that holds one of their texts gets the role `dimension`.
    lettered: what `join_texts` made of the texts, where that is known.
    """
    texts = [t for t in sheet.texts if t.id not in claimed and legible(t)]
    found = _labels_of_texts(sheet, texts) if lettered is None else lettered
    order = {text.id: place for place, text in enumerate(texts)}
    tied = frozenset(source for dimension in dimensions for source in (dimension.id, *dimension.sources))
    leader_ends = _ends_of_leaders(sheet, found)
    own = frozenset(text.id for text in texts if text.kind == "leader")
    with_roles = extremes.join_extremes([_with_role(label, tied, own, leader_ends) for label in found], dimensions)
    with_roles = beside_limits.join_words_beside(spread_limits.join_limits(with_roles, sheet), sheet)
    with_roles = words_under.join_words_under(with_roles)
    measured = {each.id: each.type for each in sheet.dimensions}
    with_roles = [_with_measured(label, measured) for label in with_roles]
    return sorted(
        with_roles, key=lambda label: order.get(label.sources[0], len(order)) if label.sources else len(order)
    )


def join_texts(sheet: Sheet, claimed: frozenset[str] = frozenset()) -> list[Label]:
    """Labels of the texts of a sheet that are not `claimed`, before anyone knows what they are tied to."""
    return _labels_of_texts(sheet, [t for t in sheet.texts if t.id not in claimed and legible(t)])


def _labels_of_texts(sheet: Sheet, texts: list[Text]) -> list[Label]:
    found = [label for text in texts if native.is_whole_label(text) for label in native.labels(text)]
    return found + _labels_of_lines(sheet, _without_comments([t for t in texts if not native.is_whole_label(t)]))


def find_frames(sheet: Sheet, names: Set[str]) -> list[Label]:
    """The feature control frames with some texts: a note that holds one is a note, and the frame is a callout.

    Each is read whole, with texts in its cells that are not among them: what else claims texts does not ask how far a frame goes.
    """
    symbols = [symbol for symbol in sheet.symbols if symbol.text in words.CHARACTERISTICS]
    texts = [text for text in sheet.texts if legible(text)]
    has_signs = symbols or any(text.text.strip() in words.CHARACTERISTICS for text in texts)
    if not has_signs or not any(text.id in names for text in texts):
        return []
    with_sides = with_dashed_sides(sheet)
    return [
        label
        for direction in find_directions(symbols, texts)[:DIRECTIONS]
        for label in frames.take_frames(direction, find_rules(with_sides, direction.angle), sheet)
        if label.role == "frame" and not names.isdisjoint(label.sources)
    ]


def framed_texts(sheet: Sheet, names: frozenset[str]) -> frozenset[str]:
    """Texts among some that stand in frames with their characteristic and datums: they are of no form and no table."""
    found = [label for label in find_frames(sheet, names) if label.cells[0] in words.CHARACTERISTICS]
    return names & frozenset(name for label in found if words.is_datum(label.cells[-1]) for name in label.sources)


def _without_comments(texts: list[Text]) -> list[Text]:
    """All but what AutoCAD's comments about stroke fonts say round a real text, which they repeat with letters for signs."""
    comments = [text for text in texts if DRAWN in text.repairs and text.advances is None][:COMMENTS]
    if not comments or len(comments) == len(texts):
        return texts
    said = {text.id for text in comments}
    real = [text for text in texts if text.id not in said]
    middles = np.array([_middle(text.box) for text in real])
    heights = np.array([text.height for text in real])
    gone: set[str] = set()
    for text in comments:
        x0, y0, x1, y1 = text.box
        inside = (middles > (x0, y0)).all(axis=1) & (middles < (x1, y1)).all(axis=1)
        if (inside & (heights < REPEATED * text.height)).any():
            gone.add(text.id)
    return [text for text in texts if text.id not in gone]


def _labels_of_lines(sheet: Sheet, texts: list[Text]) -> list[Label]:
    """Labels of the texts of one line."""
    textures = [s for s in sheet.symbols if s.text == "√"]
    symbols = [s for s in sheet.symbols if s.text != "√" and not _companion(s, textures)]
    signs = _TextureSigns(textures)
    circles = balloons(sheet, texts)
    with_sides = with_dashed_sides(sheet)
    found: list[Label] = []
    for place, direction in enumerate(
        sorted(find_directions(symbols, level_deviations(turn_marks(texts))), key=lambda r: -len(r.pieces))
    ):
        ruled = find_rules(with_sides, direction.angle) if place < DIRECTIONS else no_rules()
        framed = frames.take_frames(direction, ruled, sheet)
        found += framed
        for piece in direction.pieces if circles else ():
            if piece.ids and piece.ids[0] in circles:
                piece.cell = NO_CELL - 1 - circles[piece.ids[0]]
        lines = join_rows(direction.pieces, ruled)
        for row in compress(lines, ruled.may_be_struck(lines)):
            row.struck = row.struck or (bool(row.ids) and ruled.is_struck(row))
        stacks = join_stacks([row for row in lines if row.ids], ruled)
        boxes = [hull(box for row in stack for box in row.boxes) for stack in stacks]
        near = signs.near(boxes, [max([row.h for row in stack]) for stack in stacks])
        for stack, box, places in zip(stacks, boxes, near, strict=True):
            found.append(_label(stack, direction, sheet.page, box, signs, places))
    return datum_signs.in_one_script(datum_signs.only_datums(found))


def _companion(symbol: Symbol, textures: list[Symbol]) -> bool:
    """Whether a bracket only holds the texture sign of `(√)`, which says `and other surfaces elsewhere` (ISO 1302)."""
    if symbol.text not in {"(", ")"} or len(textures) > TEXTURES:
        return False
    x0, y0, x1, y1 = symbol.box
    tall = max(y1 - y0, x1 - x0)
    for sign in textures:
        small = max(sign.box[2] - sign.box[0], sign.box[3] - sign.box[1]) < SIGN_IN_BRACKETS * tall
        if small and math.dist(_middle(symbol.box), _middle(sign.box)) < BRACKET_NEAR * tall:
            return True
    return False


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _label(
    stack: list[Piece], direction: Direction, page: int, box: Box, textures: _TextureSigns, near: Sequence[int]
) -> Label:
    """The label of a stack in its box on the sheet; near: the texture signs that may stand at it."""
    u0, low, u1, high = _extent(stack)
    lines = tuple([line for row in stack for line in (row.lines or (row.text,))])
    height = max([row.h for row in stack])
    texture = bool(near) and textures.has_one_at(near, box, height) and any(map(words.has_digit, lines))
    return Label(
        lines=lines,
        page=page,
        position=direction.back((u0 + u1) / 2, (low + high) / 2),
        box=box,
        angle=direction.angle,
        height=height,
        sources=_once([row.ids for row in stack]),
        role="surface_texture" if texture else "free",
        boxed=max([row.cell for row in stack]) >= 0,
        struck=True in [row.struck for row in stack],
        repairs=_once([row.repairs for row in stack]),
    )


def _once(lists: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What stands in any of some lists, each once."""
    return lists[0] if len(lists) == 1 and len(lists[0]) < 2 else tuple(dict.fromkeys(chain.from_iterable(lists)))


def _extent(stack: list[Piece]) -> Box:
    """The box round rows, in the frame of their direction."""
    if len(stack) == 1:
        return stack[0].u0, stack[0].v, stack[0].u1, stack[0].top
    return (
        min(row.u0 for row in stack),
        min(row.v for row in stack),
        max(row.u1 for row in stack),
        max(row.top for row in stack),
    )


class _TextureSigns:
    """The texture signs of a sheet, by where they are."""

    def __init__(self, signs: list[Symbol]) -> None:
        self._signs = signs
        boxes = np.array([sign.box for sign in signs], float).reshape(-1, 4)
        size = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0)
        self._low, self._high = boxes[:, :2] - size[:, None], boxes[:, 2:] + size[:, None]

    def near(self, boxes: Sequence[Box], heights: Sequence[float]) -> list[list[int]]:
        """Of each text, by its box and the height of its letters, the signs that it may stand at."""
        found: list[list[int]] = [[] for _ in boxes]
        if not self._signs or not boxes:
            return found
        reach = TEXTURE_REACH * np.array(heights, float)[:, None]
        own = np.array(boxes, float)
        low, high = own[:, :2] - reach, own[:, 2:] + reach
        for place in range(len(self._signs)):
            about = (self._low[place] <= high) & (self._high[place] >= low)
            for text in np.flatnonzero(about[:, 0] & about[:, 1]).tolist():
                found[text].append(place)
        return found

    def has_one_at(self, near: Sequence[int], box: Box, height: float) -> bool:
        """Whether a text stands at one of the signs near it."""
        return any(_at_texture(self._signs[place], box, height) for place in near)


def texture_values(sheet: Sheet) -> frozenset[str]:
    """Ids of the numbers that stand over the check of a texture sign or right behind it: roughnesses, wherever on the sheet they are."""
    signs = [sign.box for sign in sheet.symbols if sign.text == "√"][:TEXTURES]
    numbers = [text for text in sheet.texts if signs and is_preferred_roughness(text.text)]
    return frozenset(text.id for text in numbers if any(_overlap(_begun_earlier(text), sign) for sign in signs))


def _begun_earlier(text: Text) -> Box:
    """The box of a number with the gap before it, in which a texture sign of the title block ends."""
    x0, y0, x1, y1 = text.box
    return (x0 - VALUE_GAP * text.height if text.angle == 0 else x0, y0, x1, y1)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def hull(boxes: Iterable[Box]) -> Box:
    """The box around boxes."""
    held = list(boxes)
    if len(held) == 1:
        return held[0]
    return min(b[0] for b in held), min(b[1] for b in held), max(b[2] for b in held), max(b[3] for b in held)


def _at_texture(sign: Symbol, box: Box, height: float) -> bool:
    """Whether a text stands at a texture sign: beside it, under its bar or above its check."""
    x, y = _middle(box)
    reach = TEXTURE_REACH * height
    if sign.angle == 180.0:  # on its head, its bar runs to the left, and its value may stand under its check
        under = sign.box[0] < x < sign.box[2] and sign.box[1] - reach < y < (sign.box[1] + sign.box[3]) / 2
        return under or (sign.box[1] - reach < y < sign.box[1] and -reach < sign.box[0] - box[2] < reach)
    wide, tall = sign.box[2] - sign.box[0], sign.box[3] - sign.box[1]
    if max(wide, tall) < LEAST_TEXTURE * height:
        return False
    near = sign.box[0] - reach < x < sign.box[2] + reach and sign.box[1] - reach < y < sign.box[3] + reach
    beside = abs(y - (sign.box[1] + sign.box[3]) / 2) < BESIDE_TEXTURE * tall and -reach < box[0] - sign.box[2] < reach
    turned = abs(x - (sign.box[0] + sign.box[2]) / 2) < BESIDE_TEXTURE * wide and -reach < box[1] - sign.box[3] < reach
    return near or beside or (turned and box[3] - box[1] > box[2] - box[0])


def _with_measured(label: Label, measured: Mapping[str, str]) -> Label:
    """A label of a native dimension with what that measures; `measured`: id of a dimension to its type."""
    kind = measured.get(label.sources[0]) if label.sources and measured else None
    if kind == "diameter":
        return replace(label, measured="diameter")
    return replace(label, measured="radius") if kind == "radius" else label


def _ends_of_leaders(sheet: Sheet, found: Sequence[Label]) -> GrowingCellIndex[tuple[float, float]]:
    grid: GrowingCellIndex[tuple[float, float]] = GrowingCellIndex(
        CELL * median_height([label.height for label in found])
    )
    for line in (*leaders(sheet), *sheet.native_leaders):
        (x0, y0), (x1, y1) = line[-2], line[-1]
        for step in range(SHOULDER_STEPS):
            at = x1 + (x0 - x1) * step / SHOULDER_PARTS, y1 + (y0 - y1) * step / SHOULDER_PARTS
            grid.add(*at, at)
    return grid


def _with_role(
    label: Label, tied: frozenset[str], own: frozenset[str], leader_ends: GrowingCellIndex[tuple[float, float]]
) -> Label:
    """A label with the role that it has on the sheet; `own`: texts that the file itself keeps with a leader."""
    role: Role = label.role
    if role == "free" and not tied.isdisjoint(label.sources):
        role = "dimension"
    elif role == "free" and not own.isdisjoint(label.sources):
        role = "leader"
    elif role == "free" and words.is_roughness(label.text):
        role = "surface_texture"
    elif role == "free":
        reach = LEADER_REACH * label.height
        x0, y0, x1, y1 = label.box
        if leader_ends.in_box(x0 - reach, y0 - reach, x1 + reach, y1 + reach):
            role = "leader"
    return label if role == label.role else replace(label, role=role)

"""What a person reads as one piece: one or several texts and symbols that stand together.

Glossary
  label   "4X Ø6.6 THRU" over "⌴Ø11 ↧6" is one label of two lines, whatever pieces the file keeps it in.
  frame   a feature control frame: a box of cells that holds a geometric tolerance (ASME Y14.5, ISO 1101).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from spatial.models.sheet.drawing import Box
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.orientation import quarter_turn, turned

OFF_UPRIGHT: Final = 0.5
"""Degrees from a quarter turn within which lettering is read by it."""

Role = Literal["dimension", "leader", "frame", "datum", "surface_texture", "free"]
"""How it is tied to the part: by dimension lines, by a leader, as a frame, as a datum sign, in a texture sign, or not."""


@dataclass(slots=True)
class Label:
    """One piece of lettering in reading order."""

    lines: tuple[str, ...]
    """As a person reads them: symbols in place, deviations as ` +0.2 -0.1`, a drawn bracket as `(`, from the top."""
    page: int
    position: tuple[float, float]
    """Its middle."""
    box: Box
    angle: float
    height: float
    """Of a capital letter of its largest text."""
    sources: tuple[str, ...]
    """Ids of its texts, in reading order; of a DXF dimension, the dimension's id."""
    role: Role = "free"
    boxed: bool = False
    """Whether a box is drawn round it: a basic (theoretically exact) dimension, unless it is a frame."""
    measured: Literal["diameter", "radius"] | None = None
    """What the dimension measures that the file keeps it as, whether or not its text has the sign."""
    struck: bool = False
    """Whether a line is drawn through it."""
    cells: tuple[str, ...] = ()
    """Of a frame: its compartments from the left."""
    has_triangle: bool = True
    """Of a datum sign: whether its triangle is drawn; to the box of another letter comes only a line."""
    repairs: tuple[str, ...] = ()
    text: str = field(init=False, repr=False, compare=False)
    """All lines as one."""

    def __post_init__(self) -> None:
        lines = self.lines
        object.__setattr__(self, "text", lines[0] if len(lines) == 1 else " ".join(lines))


def joined(first: Label, second: Label, into: Label, lines: tuple[str, ...]) -> Label:
    """`into`, one of two labels in reading order, with these lines of both; where they stand and what they were read from as well."""
    return replace(
        into,
        lines=lines,
        box=box_around((first.box, second.box)),
        sources=first.sources + second.sources,
        repairs=tuple(dict.fromkeys(first.repairs + second.repairs)),
    )


def are_read_alike(first: Label, second: Label) -> bool:
    """Whether two labels of a page are read in one direction, that of a quarter turn."""
    is_one_turn = quarter_turn(first.angle) == quarter_turn(second.angle)
    return is_one_turn and is_upright(first) and is_upright(second) and first.page == second.page


def is_upright(label: Label) -> bool:
    """Whether a label is read in the direction of a quarter turn."""
    return abs(label.angle - round(label.angle / 90) * 90) < OFF_UPRIGHT


def upright_box(label: Label) -> Box:
    """The box of a label where its lettering reads from left to right, by the nearest quarter turn."""
    return turned(label.box, quarter_turn(label.angle))

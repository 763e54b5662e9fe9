"""What is drawn on a sheet, before it is interpreted: the readers of DXF, PDF and SVG make it, and understanding.sheet works on it.

Frame: every coordinate is in the sheet's own units with the origin at the lower left of the paper (a PDF page as it is
displayed, its /Rotate applied) or at the origin of the space (DXF); x to the right, y up. Angles are in degrees,
counter-clockwise from +x, in [0, 360).

Glossary
  sheet     one PDF page, or one space of a DXF: model space or a paper-space layout.
  text      one line of lettering, or one MTEXT: what shares a baseline and a style and was written as one.
  stroke    a straight piece of anything that is drawn; curves that are no circle are cut into strokes.
  fill      a filled outline: an arrowhead, a hatch, a letter that was turned into an outline.
  symbol    a sign that an exporter drew as strokes instead of text: Ø, ↧, ⌴, …
  entity    a drawn thing as the document lists it; strokes, arcs and fills name the entity that they are of by its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial.models.reading import Units

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Box: TypeAlias = tuple[float, float, float, float]
"""x least, y least, x greatest, y greatest."""
Leader: TypeAlias = list[tuple[float, ...]]
"""Corners (x, y) of a leader, from the tip of its arrow."""

TextKind = Literal["text", "mtext", "attrib", "attdef", "dimension", "tolerance", "leader", "table_cell"]
TextLayer = Literal["vector", "outlined", "raster", "none"]
"""How a sheet's lettering is there: as text, as outlines or strokes, as pixels, or not at all."""


@dataclass(slots=True)
class Text:
    """One piece of lettering; `text` is what a person reads, formatting codes resolved."""

    id: str
    """`annotation-7`; of the text of a DXF dimension, the dimension's id."""
    text: str
    """Lines of an MTEXT are separated by newlines; stacked fractions are `1/2`, stacked deviations ` +0.2/-0.1`."""
    page: int
    """Place of its sheet, from 1."""
    origin: tuple[float, float]
    """Where the first baseline begins."""
    angle: float
    """Direction of reading."""
    height: float
    """Of a capital letter."""
    width: float
    """Along the baseline, of the longest line."""
    box: Box
    """Upright box around all of it as it stands on the sheet."""
    kind: TextKind = "text"
    layer: str | None = None
    style: str | None = None
    """Font, or text style."""
    tag: str | None = None
    """Of an ATTRIB: what its block calls it."""
    prompt: str | None = None
    """Of an ATTRIB: the question that its definition asks."""
    owner: str | None = None
    """Id of the insert, dimension, leader or table that it belongs to."""
    advances: Array | None = None
    """(len(text) + 1,) where each character begins along the baseline, from `origin`; None where it is not known."""
    visible: bool = True
    """False on a layer that is off or frozen, of an invisible attribute, or of a hidden optional-content group."""
    repairs: tuple[str, ...] = ()
    """What was repaired in it: `symbol font`, `doubled glyphs`, …"""
    align: Literal["left", "center", "right"] = "left"
    """How the lines of an MTEXT stand to one another."""
    shapes: Indices | None = None
    """(len(text),) place in `Drawing.shapes` of what draws each character; below 0 where no embedded font does."""


@dataclass(slots=True)
class GlyphShape:
    """What an embedded font draws for a character of the text layer."""

    font: str
    """The program, with the tag of its subset."""
    sign: str
    """What the layer says that it is."""
    edges: Array
    """(n, 4) x1, y1, x2, y2 of its closed outlines in font sizes, the baseline at 0, y up."""


@dataclass(slots=True)
class Symbol:
    """A sign recognised from strokes."""

    text: str
    """The sign: Ø ↧ ⌴ ⌵ □ ⌖ ⏥ ⌭ ○ ⏤ ⌒ ⌓ ⊥ ∥ ∠ ⌯ ◎ ↗ ⌰ √ (surface texture) ( ) ° ± …"""
    page: int
    box: Box
    angle: float
    """Direction of reading of the text that it stands with; 0 where it cannot be told."""
    entities: tuple[int, ...] = ()
    """Places of the entities it is made of."""
    confidence: float = 1.0


@dataclass(slots=True)
class Strokes:
    """Everything straight, n pieces."""

    ends: Array
    """(n, 4) x1, y1, x2, y2."""
    width: Array
    """(n,) line weight in sheet units; 0 is the thinnest."""
    entity: Indices
    """(n,) place of its entity; -1 where it has none."""
    dashed: Flags
    """(n,)"""
    curved: Flags
    """(n,) whether it is a piece of a curve."""
    filled: Flags | None = None
    """(n,) whether it is a bar that is filled, not stroked: a line of some exporters, or a straight letter; None where none is."""
    dashed_sides: tuple[float, Array] | None = field(default=None, repr=False, compare=False)
    """Height of letters, and the sides of cells that are rows of dashes by it, once somebody has asked for them."""

    @classmethod
    def none(cls) -> Strokes:
        """No strokes at all."""
        nothing = np.zeros(0)
        flags = np.zeros(0, bool)
        return cls(np.zeros((0, 4)), nothing, np.zeros(0, np.int64), flags, flags.copy())


@dataclass(slots=True)
class Arcs:
    """Circles and circular arcs, n of them."""

    circles: Array
    """(n, 5) centre x, centre y, radius, start angle, end angle; counter-clockwise; a whole circle is 0 to 360."""
    width: Array
    """(n,)"""
    entity: Indices
    """(n,)"""
    dashed: Flags
    """(n,)"""

    @classmethod
    def none(cls) -> Arcs:
        """No arcs at all."""
        return cls(np.zeros((0, 5)), np.zeros(0), np.zeros(0, np.int64), np.zeros(0, bool))


@dataclass(slots=True)
class Fill:
    """One filled outline."""

    points: Array
    """(n, 2) its outline, curves cut into straight pieces."""
    entity: int = -1
    path: int = -1
    """What it is painted with at once, so that one outline cuts a hole into another; -1 where the file does not say."""


@dataclass(slots=True)
class Dimensioning:
    """A dimension that the file itself calls one (DXF), or that was found from its arrows (PDF)."""

    id: str
    """`dimension-7`."""
    type: str
    """linear, aligned, angular, diameter, radius, ordinate, arc_length."""
    page: int
    text: str | None
    """As it stands on the sheet; None where it has none."""
    value: float | None
    """The measured length in the sheet's units, or an angle in degrees; None where it could not be measured."""
    position: tuple[float, float] | None
    """Middle of its text."""
    sources: tuple[str, ...] = ()
    """Ids of the texts that it is made of; empty in a DXF."""
    further: dict[str, Any] = field(default_factory=dict)
    """Further members for the document: definition points, dimension style, tolerances, layer, confidence."""


@dataclass(slots=True)
class NativeTable:
    """A table that the file itself calls one (ACAD_TABLE)."""

    id: str
    page: int
    box: Box
    rows: list[list[Text | None]]
    """Cells from the top, from the left; a merged cell stands in its first place."""


@dataclass(slots=True)
class Sheet:
    """One page or one space."""

    page: int
    """From 1."""
    name: str
    kind: Literal["page", "model", "layout"]
    box: Box
    """The paper; of a space without paper, what is drawn."""
    unit: str
    """Of the coordinates: point, millimeter, inch, …"""
    drawn: Box | None = None
    """Around what is drawn and seen; None where that is nothing."""
    text_layer: TextLayer = "vector"
    texts: list[Text] = field(default_factory=list)
    """In reading order of the file."""
    symbols: list[Symbol] = field(default_factory=list)
    strokes: Strokes = field(default_factory=Strokes.none)
    arcs: Arcs = field(default_factory=Arcs.none)
    fills: list[Fill] = field(default_factory=list)
    dimensions: list[Dimensioning] = field(default_factory=list)
    tables: list[NativeTable] = field(default_factory=list)
    native_leaders: list[Leader] = field(default_factory=list)
    """That the file itself has, each from its tip to where its text begins."""
    leaders: list[Leader] | None = None
    """Found from arrows, once somebody has asked for them."""
    rule_lines: tuple[float, Array, Array] | None = None
    """Tolerance, and the horizontal and vertical rule lines found with it, once somebody has asked for them."""
    zones: frozenset[str] | None = None
    """Ids of the letters and numbers of the zones outside the frame, once somebody has asked for them."""
    further: dict[str, Any] = field(default_factory=dict)
    """Further members of the sheet for the document: rotation, paper size, plot scale, …"""


@dataclass(slots=True)
class Drawing:
    """A whole file."""

    source_format: str
    units: Units
    sheets: list[Sheet]
    layers: list[dict[str, Any]] = field(default_factory=list)
    """For the document: name, color, linetype, visible, frozen, locked, plot, …"""
    entities: list[dict[str, Any]] = field(default_factory=list)
    """For the document, each with `id` (`entity-1`, …), `type`, `layer`, `page` and its geometry in plain numbers."""
    entity_counts: dict[str, int] = field(default_factory=dict)
    """Kind of native entity to how many there are."""
    warnings: list[str] = field(default_factory=list)
    further: dict[str, Any] = field(default_factory=dict)
    """Further members of `structure`."""
    partial: bool = False
    """Whether only a part of the file was read, because it is cut off or damaged; a warning says so."""
    shapes: list[GlyphShape] = field(default_factory=list)
    """What embedded fonts draw for the characters of its texts."""
    has_drawn_signs: bool = False
    """Whether signs (⌀, ±, …) may be drawn as strokes beside the lettering, as exporters of PDF and DXF do."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn and nothing is written on any sheet."""
        return not self.entities and not any(
            sheet.texts or sheet.dimensions or sheet.tables or len(sheet.strokes.ends) for sheet in self.sheets
        )

    @property
    def is_blank(self) -> bool:
        """Whether it is empty although each of its sheets was read: `geometry` says why the lines of one were not."""
        return self.is_empty and not any("geometry" in sheet.further for sheet in self.sheets)


@dataclass(frozen=True, slots=True)
class VectorImage:
    """A drawing whose lettering is not interpreted, because callouts and metadata are read from DXF and PDF alone (spec: structure).

    Its strokes are computed only for sampling.
    """

    drawing: Drawing
    """One sheet."""
    trace: Callable[[], Strokes]
    """Everything drawn as straight pieces."""

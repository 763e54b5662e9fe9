"""The picture of one sheet of a drawing, from its document alone.

Entities are drawn as they are listed, lettering where it was read, and what was understood is tinted: callouts by type,
title block, tables and notes each in a colour of their own. What is missing in the picture is missing in the document.
Every mark carries the id of the record that it draws (data-entity); a tint, that of the source which was understood (data-source)
and what it was understood as (data-kind). What the reader is not sure of has a dashed outline (data-confidence="low").
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from spatial.contract.callout_types import CALLOUT_TYPES
from spatial.contract.drawing import LOW_CONFIDENCE, Annotation, Callout, Dimension, Entity
from spatial.contract.extraction import Structure
from spatial.document.preview import svg
from spatial.document.preview.entities import DRAWERS, Point, StrokeAttributes

PIXELS: Final = 2000.0
"""Longer side of the picture."""

CAP_HEIGHT: Final = 0.716
"""Of Arial and Helvetica, as a part of the font size."""

LINE_PITCH: Final = 5 / 3
"""From one line of an MTEXT to the next, in heights of a capital letter."""

TRIES: Final = 400
"""Letters of the longest line that a paragraph is broken into."""

ANCHORS: Final = {"left": ("start", 0.0), "center": ("middle", 0.5), "right": ("end", 1.0)}
"""How the lines of a text stand to one another: SVG's word for it, and where in its width they are hung up."""

HAIRLINE: Final = 0.0005
"""The thinnest line, as a part of the sheet's longer side."""

PALE: Final = 0.1
"""Part of white that a line of its own colour may be close to before it is drawn grey, or it would not be seen."""

TINTS: Final = {each.name: each.colour for each in CALLOUT_TYPES} | {
    "title block": "#ffd92f",
    "parts list": "#8da0cb",
    "revisions": "#a6d854",
    "table": "#cccccc",
    "notes": "#fc8d62",
}
"""What was understood, to its colour."""

UNSURE: Final = "#7a4f00"
"""Colour of the dashed outline of what was understood with low confidence."""

SPACES: Final = {"xml:space": "preserve"}
"""Keeps runs of spaces. Not a style: the security policy of a page into which the picture is put may forbid styles within it."""

Box = Sequence[float]


def picture(structure: Structure, page: int, title: str) -> str:
    """SVG of a sheet. Raises: LookupError where there is no such sheet."""
    sheet = next((sheet for sheet in structure.sheets or () if sheet.page == page), None)
    if sheet is None or sheet.bbox is None:
        raise LookupError(f"there is no sheet {page}")
    down = (sheet.model_extra or {}).get("y_axis") == "down"
    return _Picture(structure, page, sheet.bbox, down=down).drawn(title)


class Understood(NamedTuple):
    """Something that was understood."""

    kind: str
    """A key of TINTS."""
    sources: Sequence[str]
    """Ids of what it was read from."""
    words: str
    confidence: float | None

    @property
    def is_unsure(self) -> bool:
        """Whether its confidence is low."""
        return self.confidence is not None and self.confidence < LOW_CONFIDENCE

    @property
    def title(self) -> str:
        """What is shown where it is pointed at."""
        unsure = f" (low confidence, {self.confidence:.2f})" if self.is_unsure else ""
        return f"{self.kind.replace('_', ' ')}: {self.words}{unsure}"


class _Picture:
    """One sheet while it is drawn."""

    def __init__(self, structure: Structure, page: int, box: Box, *, down: bool) -> None:
        self.structure, self.page, self.down = structure, page, down
        margin = 0.01 * max(box[2] - box[0], box[3] - box[1], 1e-9)
        self.left, self.top = box[0] - margin, box[1] - margin if down else box[3] + margin
        self.width, self.height = box[2] - box[0] + 2 * margin, box[3] - box[1] + 2 * margin
        self.hairline = HAIRLINE * max(self.width, self.height)
        self.boxes: dict[str, Box] = {}

    def drawn(self, title: str) -> str:
        """The whole picture: geometry, then tints, then lettering on top."""
        entities = [plain for entity in self.structure.entities or () if self._is_on_page(plain := _plain(entity))]
        annotations = [note for note in self.structure.annotations or () if self._is_on_page(note)]
        dimensions = [each for each in self.structure.dimensions or () if self._is_on_page(each)]
        lines = [mark for entity in entities for mark in self._entity(entity)]
        measures = [mark for dimension in dimensions for mark in self._dimension(dimension)]
        lettering = [self._annotation(note) for note in annotations]
        body = [*lines, *measures, *self._tints(), *lettering]
        return svg.document(body, (0.0, 0.0, self.width, self.height), title=title, pixels=PIXELS)

    def _is_on_page(self, record: Any) -> bool:
        return (getattr(record, "page", None) or 1) == self.page and getattr(record, "visible", True) is not False

    def _at(self, point: Point) -> tuple[float, float]:
        """A point of the sheet in the picture, where y is down."""
        return point[0] - self.left, point[1] - self.top if self.down else self.top - point[1]

    def _entity(self, entity: Any) -> Iterator[str]:
        draw = DRAWERS.get(entity.type or "")
        if draw is not None:
            # The contract leaves the geometry of an entity open: one that lacks what its type has is not drawn.
            with suppress(AttributeError):
                yield from draw(self._at, entity, self._pen(entity))

    def _pen(self, entity: Any) -> StrokeAttributes:
        width = max(float(getattr(entity, "width", None) or 0.0), self.hairline)
        own = getattr(entity, "dash", None)
        dashed = own or getattr(entity, "linetype", "Continuous") not in SOLID_LINES
        pattern = own if isinstance(own, list) else [8 * self.hairline, 4 * self.hairline]
        return {
            "fill": "none",
            "stroke": _visible(getattr(entity, "color", None)),
            "stroke_width": width,
            "stroke_dasharray": " ".join(map(svg.number, pattern)) if dashed else None,
            "data_entity": entity.id,
        }

    def _dimension(self, dimension: Dimension) -> Iterator[str]:
        """Lines and text of a dimension that the file itself calls one; another's are entities and annotations."""
        pen: StrokeAttributes = {
            "fill": "none",
            "stroke": "#777777",
            "stroke_width": self.hairline,
            "data_entity": dimension.id,
        }
        for points in getattr(dimension, "lines", None) or ():
            yield svg.element("path", None, d=svg.path(map(self._at, points)), **pen)
        for points in getattr(dimension, "fills", None) or ():
            data = svg.path(map(self._at, points), closed=True)
            yield svg.element("path", None, d=data, fill="#777777", data_entity=dimension.id)
        height = getattr(dimension, "height", None)
        if dimension.id and (box := getattr(dimension, "bbox", None)):
            self.boxes[dimension.id] = box
        if dimension.text and dimension.position and height and not getattr(dimension, "sources", None):
            x, y = self._at(dimension.position)
            turn = -float(getattr(dimension, "angle", 0.0) or 0.0)
            yield svg.element(
                "text",
                svg.text(dimension.text.replace("\n", " ")),
                transform=f"translate({svg.number(x)} {svg.number(y)}) rotate({svg.number(turn)})",
                font_size=height / CAP_HEIGHT,
                text_anchor="middle",
                dominant_baseline="central",
                data_entity=dimension.id,
            )

    def _annotation(self, note: Annotation) -> str:
        if note.id and (box := getattr(note, "bbox", None)):
            self.boxes[note.id] = box
        drawn = "drawn as strokes" in (getattr(note, "mended", None) or ())
        if drawn or not note.text or not note.position or not note.height:
            return ""
        x, y = self._at(note.position)
        lines = _wrapped(note)
        width = getattr(note, "width", None)
        fitted = width if width and len(lines) == 1 and len(note.text) > 1 else None
        anchor, part = ANCHORS.get(getattr(note, "align", None) or "left", ANCHORS["left"])
        left = part * (width or 0.0) if len(lines) > 1 else 0.0
        spans = "".join(
            svg.element("tspan", svg.text(line), x=left, dy=0.0 if place == 0 else LINE_PITCH * note.height)
            for place, line in enumerate(lines)
        )
        return svg.element(
            "text",
            spans if len(lines) > 1 else svg.text(note.text),
            transform=f"translate({svg.number(x)} {svg.number(y)}) rotate({svg.number(-(note.angle or 0.0))})",
            font_size=note.height / CAP_HEIGHT,
            text_anchor=anchor if len(lines) > 1 else None,
            textLength=fitted,
            lengthAdjust="spacingAndGlyphs" if fitted else None,
            data_entity=note.id,
            **SPACES,
        )

    def _tints(self) -> Iterator[str]:
        """Boxes round what was understood, each with a word that shows when it is pointed at."""
        self._collect_boxes()
        tinted: set[tuple[str, str]] = set()
        for each in self._understood():
            for source in each.sources:
                box = self.boxes.get(source)
                # Several notes of one MTEXT tint it once.
                if box is not None and (each.kind, source) not in tinted:
                    tinted.add((each.kind, source))
                    yield self._tint(box, each, source)

    def _collect_boxes(self) -> None:
        for record in [*(self.structure.annotations or ()), *(self.structure.dimensions or ())]:
            box = getattr(record, "bbox", None)
            if record.id and box and self._is_on_page(record):
                self.boxes[record.id] = box

    def _understood(self) -> Iterator[Understood]:
        """Everything that was understood."""
        for callout in self.structure.callouts or ():
            yield Understood(callout.type, _sources(callout), callout.text, callout.confidence)
        metadata = self.structure.drawing_metadata
        if metadata is None:
            return
        if (block := metadata.title_block) is not None:
            of_fields = getattr(block, "confidences", None) or {}
            for key, ids in block.sources.items():
                words = f"{key} = {block.fields.get(key, '')}"
                yield Understood("title block", ids, words, of_fields.get(key, block.confidence))
        named = [
            ("parts list", metadata.bom),
            ("revisions", metadata.revisions),
            *(("table", each) for each in metadata.tables or ()),
        ]
        for name, table in named:
            if table is not None:
                yield Understood(name, table.sources or (), name, table.confidence)
        if (notes := metadata.notes) is not None:
            for note in notes.items:
                yield Understood("notes", note.sources or (), f"{note.number}. {note.text}", notes.confidence)

    def _tint(self, box: Box, understood: Understood, source: str) -> str:
        x, y = self._at((box[0], box[1] if self.down else box[3]))
        pad = 2 * self.hairline
        colour = TINTS[understood.kind]
        outline: StrokeAttributes = {"stroke": colour, "stroke_width": self.hairline}
        if understood.is_unsure:
            dash = f"{svg.number(8 * self.hairline)} {svg.number(5 * self.hairline)}"
            width = 3 * self.hairline
            outline = {"stroke": UNSURE, "stroke_width": width, "stroke_dasharray": dash, "data_confidence": "low"}
        return svg.element(
            "rect",
            svg.element("title", svg.text(understood.title)),
            x=x - pad,
            y=y - pad,
            width=max(box[2] - box[0], 0.0) + 2 * pad,
            height=max(box[3] - box[1], 0.0) + 2 * pad,
            fill=colour,
            fill_opacity=0.25,
            data_source=source,
            data_kind=understood.kind,
            **outline,
        )


def _plain(entity: Entity) -> SimpleNamespace:
    """An entity whose members, declared or not, are read a few times as fast: a sheet has many."""
    return SimpleNamespace(**vars(entity), **(entity.model_extra or {}))


def _wrapped(note: Any) -> list[str]:
    """The lines of a text; one whose box has space for more lines is wrapped."""
    lines: list[str] = note.text.split("\n")
    rows = _rows(note)
    if rows <= len(lines):
        return lines
    for letters in range(max(1, int(note.width / note.height)), len(note.text) + 1):
        broken = [piece for line in lines for piece in textwrap.wrap(line, letters, break_long_words=False) or [""]]
        if len(broken) <= rows or letters >= TRIES:
            return broken
    return lines


def _rows(note: Any) -> int:
    """How many lines the box of a text has space for."""
    box, width = getattr(note, "bbox", None), getattr(note, "width", None)
    if not box or not width or not note.height:
        return 1
    cos, sin = (abs(turn(math.radians(note.angle or 0.0))) for turn in (math.cos, math.sin))
    upright = cos > sin
    across, along = (box[3] - box[1], sin) if upright else (box[2] - box[0], cos)
    tall = (across - width * along) / (cos if upright else sin)
    rows: float = (tall - note.height) / (LINE_PITCH * note.height)
    return round(rows) + 1


def _sources(callout: Callout) -> Sequence[str]:
    return callout.sources or [callout.source]


SOLID_LINES: Final = (None, "", "Continuous", "CONTINUOUS", "ByLayer", "BYLAYER", "ByBlock", "BYBLOCK", "continuous")


def _visible(colour: str | None) -> str:
    """A colour that shows on white paper: CAD draws white on black."""
    if not colour or len(colour) != 7:
        return "#000000"
    try:
        channels = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    except ValueError:
        return "#000000"
    return "#000000" if min(channels) > 255 * (1 - PALE) else colour

"""What can be seen of an SVG: the box around everything that is painted, within clips and viewports (SVG 2 chapter 3, CSS Masking 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.formats import markup
from spatial.formats.svg.frame import compose, parse_transform, transform_point
from spatial.formats.svg.outlines import Outlines
from spatial.formats.svg.shapes import measures_of, outline_of
from spatial.formats.svg.state import State
from spatial.formats.svg.style.cascade import Style
from spatial.models.sheet.drawing import Array, Box
from spatial.models.sheet.extents import box_around, intersection

NOTHING: Final[Box] = (float("inf"), float("inf"), float("-inf"), float("-inf"))
"""A clip through which nothing is seen."""

EVERYTHING: Final[Box] = (float("-inf"), float("-inf"), float("inf"), float("inf"))
"""A clip that hides nothing."""

CLIP_SHAPES: Final = 1_000
"""Most shapes of a clip path that are measured; one with more limits nothing."""

_REFERENCE: Final = re.compile(r"""url\(\s*["']?#([^"')]+)["']?\s*\)""")

_SHAPES: Final = frozenset({"path", "line", "polyline", "polygon", "rect", "circle", "ellipse"})


@dataclass(slots=True)
class Seen:
    """The box around what is seen so far."""

    box: Box | None = None
    _shapes: list[int] = field(default_factory=list)
    _clips: list[Box] = field(default_factory=list)

    def add(self, box: Box, state: State) -> None:
        """Count what is painted in a box."""
        if not state.visible or state.transparent:
            return
        seen = intersection(box, state.clip) if state.clip else box
        if seen is not None:
            self.box = box_around((self.box or seen, seen))

    def add_shape(self, number: int, state: State) -> None:
        """Count what is painted of a shape, by its place among all outlines."""
        if state.visible and not state.transparent:
            self._shapes.append(number)
            self._clips.append(state.clip or EVERYTHING)

    def measure(self, boxes: Array) -> None:
        """Count the shapes that were added, when their boxes are known. boxes: (shapes, 4)."""
        if not self._shapes:
            return
        own, clips = boxes[self._shapes], np.array(self._clips)
        low, high = np.maximum(own[:, :2], clips[:, :2]), np.minimum(own[:, 2:], clips[:, 2:])
        seen = (low <= high).all(axis=1)
        if seen.any():
            (left, top), (right, bottom) = low[seen].min(axis=0).tolist(), high[seen].max(axis=0).tolist()
            box = left, top, right, bottom
            self.box = box_around((self.box or box, box))


def corners_box(state: State, x: float, y: float, width: float, height: float) -> Box:
    """The upright box around a rectangle under its transform."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    xs, ys = zip(*(transform_point(state.matrix, *corner) for corner in corners), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def limited(state: State, box: Box | None) -> State:
    """The state with one clip more."""
    if box is None:
        return state
    return state._replace(clip=(intersection(state.clip, box) or NOTHING) if state.clip else box)


def clip_by(state: State, style: Style, by_id: Mapping[str, Any]) -> State:
    """The state of an element within the box of its `clip-path`; clips of other sorts and masks limit nothing."""
    reference = _REFERENCE.match(style.declared.get("clip-path", ""))
    path = by_id.get(reference.group(1)) if reference else None
    if path is None or markup.local(path) != "clipPath" or path.get("clipPathUnits") == "objectBoundingBox":
        return state
    if len(path) > CLIP_SHAPES or any(markup.local(each) not in _SHAPES for each in path):
        return state
    inner = state._replace(matrix=compose(state.matrix, parse_transform(path.get("transform"))))
    shapes = _outlines(path, inner)
    return limited(state, box_around([(*box,) for box in shapes.boxes.tolist()]) if len(shapes) else NOTHING)


def _outlines(path: Sequence[Any], state: State) -> Outlines:
    found = Outlines()
    for shape in path:
        measures = measures_of(dict(shape.items())) or {}
        outline = outline_of(shape, markup.local(shape), measures, state.port)
        if outline.code:
            found.add(outline, compose(state.matrix, parse_transform(shape.get("transform"))))
    return found

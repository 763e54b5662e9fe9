"""What can be seen of an SVG: the box around everything that is painted, within clips and viewports (SVG 2 chapter 3, CSS Masking 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from spatial.formats import markup
from spatial.formats.svg.frame import compose, parse_transform, transform_point
from spatial.formats.svg.shapes import box_of, subpaths_of
from spatial.formats.svg.state import State
from spatial.formats.svg.style.properties import Declarations, has_paint
from spatial.models.sheet.drawing import Box
from spatial.models.sheet.extents import box_around, intersection

NOTHING: Final[Box] = (float("inf"), float("inf"), float("-inf"), float("-inf"))
"""A clip through which nothing is seen."""

CLIP_SHAPES: Final = 1_000
"""Most shapes of a clip path that are measured; one with more limits nothing."""

_REFERENCE: Final = re.compile(r"""url\(\s*["']?#([^"')]+)["']?\s*\)""")

_SHAPES: Final = frozenset({"path", "line", "polyline", "polygon", "rect", "circle", "ellipse"})


@dataclass(slots=True)
class Seen:
    """The box around what is seen so far."""

    box: Box | None = None

    def add(self, box: Box, state: State) -> None:
        """Count what is painted in a box."""
        if not state.visible or state.transparent:
            return
        seen = intersection(box, state.clip) if state.clip else box
        if seen is not None:
            self.box = box_around((self.box or seen, seen))


def is_painted(applied: Declarations) -> bool:
    """Whether a shape or a text has a stroke or a fill to see."""
    return has_paint(applied.get("fill", "black"), applied.get("fill-opacity")) or has_paint(
        applied.get("stroke"), applied.get("stroke-opacity")
    )


def corners_box(state: State, x: float, y: float, width: float, height: float) -> Box:
    """The upright box around a rectangle under its transform."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    xs, ys = zip(*(transform_point(state.matrix, *corner) for corner in corners), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def limited(state: State, box: Box | None) -> State:
    """The state with one clip more."""
    if box is None:
        return state
    return replace(state, clip=(intersection(state.clip, box) or NOTHING) if state.clip else box)


def clip_by(state: State, applied: Declarations, by_id: Mapping[str, Any]) -> State:
    """The state of an element within the box of its `clip-path`; clips of other sorts and masks limit nothing."""
    reference = _REFERENCE.match(applied.get("clip-path", ""))
    path = by_id.get(reference.group(1)) if reference else None
    if path is None or markup.local(path) != "clipPath" or path.get("clipPathUnits") == "objectBoundingBox":
        return state
    if len(path) > CLIP_SHAPES or any(markup.local(each) not in _SHAPES for each in path):
        return state
    inner = replace(state, matrix=compose(state.matrix, parse_transform(path.get("transform"))))
    boxes = list(_shape_boxes(path, inner))
    return limited(state, box_around(boxes) if boxes else NOTHING)


def _shape_boxes(path: Sequence[Any], state: State) -> Iterator[Box]:
    for shape in path:
        matrix = compose(state.matrix, parse_transform(shape.get("transform")))
        found = [subpath.moved(matrix) for subpath in subpaths_of(shape, markup.local(shape), *state.port)]
        if found:
            yield box_of(found)

"""The picture of one page of a diagram, from what the document says of it and nothing else.

Shapes are drawn by their kind where a kind has an outline of its own, else as boxes; connectors run from border to border
through their waypoints. What is hidden is left out; what was inferred is drawn in blue.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from spatial.contract.diagram import DiagramEdge, DiagramNode, DiagramPage, Rectangle
from spatial.extraction.preview import svg

MARGIN: Final = 20.0
PIXELS: Final = 1600.0
"""Longer side of the picture."""

FONT: Final = 12.0
"""draw.io's default font size, in pixels."""

LETTER: Final = 0.55
"""Width of an average letter, as a part of the font size."""

ARROW: Final = 7.0
"""Length of an arrowhead."""

Point = tuple[float, float]


def picture(page: DiagramPage, title: str) -> str:
    """SVG of a page."""
    nodes = [node for node in page.nodes if node.bbox is not None and _seen(node)]
    places = {node.id: node.bbox for node in nodes if node.bbox is not None}
    # Containers first: what is in them lies on top.
    ordered = sorted(nodes, key=lambda node: (not node.is_container, -_area(node.bbox)))
    body = [mark for node in ordered for mark in _node(node)]
    body += [mark for edge in page.edges if _seen(edge) for mark in _edge(edge, places)]
    return svg.document(body, _view(nodes, page.edges), title=title, pixels=PIXELS)


def _seen(record: DiagramNode | DiagramEdge) -> bool:
    return (record.model_extra or {}).get("visible", True) is not False


def _area(box: Rectangle | None) -> float:
    return box.width * box.height if box is not None else 0.0


def _view(nodes: list[DiagramNode], edges: list[DiagramEdge]) -> tuple[float, float, float, float]:
    boxes = [node.bbox for node in nodes if node.bbox is not None]
    points = [point for edge in edges if _seen(edge) for point in edge.waypoints]
    xs = [x for box in boxes for x in (box.x, box.x + box.width)] + [point[0] for point in points]
    ys = [y for box in boxes for y in (box.y, box.y + box.height)] + [point[1] for point in points]
    left, top = min(xs, default=0.0) - MARGIN, min(ys, default=0.0) - MARGIN
    return left, top, max(xs, default=0.0) + MARGIN - left, max(ys, default=0.0) + MARGIN - top


def _node(node: DiagramNode) -> Iterator[str]:
    box = node.bbox
    if box is None:
        return
    if not node.is_text:
        outline = OUTLINES.get(node.shape or "", _box)
        fill = "none" if node.is_container else "#f5f5f5"
        yield outline(box, {"fill": fill, "stroke": "#333333"})
    yield from _label(node.label, box, top=node.is_container)


def _label(label: str, box: Rectangle, *, top: bool) -> Iterator[str]:
    """Words in the middle of a box, or along the top of a container."""
    room = max(int(box.width / (LETTER * FONT)), 8)
    lines = [piece for line in label.split("\n") for piece in _wrapped(line, room)] if label else []
    if not lines:
        return
    size = min(FONT, max(4.0, box.height / (1.25 * len(lines)))) if not top and box.height else FONT
    first = box.y + size * 1.2 if top else box.y + box.height / 2 - (len(lines) - 1) * size * 0.6 + size * 0.35
    for place, line in enumerate(lines):
        x, y = box.x + box.width / 2, first + place * 1.2 * size
        yield svg.element("text", svg.text(line), x=x, y=y, font_size=size, text_anchor="middle")


def _wrapped(line: str, room: int) -> Iterator[str]:
    words, row = line.split(" "), ""
    for word in words:
        if row and len(row) + len(word) + 1 > room:
            yield row
            row = word
        else:
            row = f"{row} {word}" if row else word
    yield row


def _box(box: Rectangle, pen: Mapping[str, str]) -> str:
    return svg.element("rect", None, x=box.x, y=box.y, width=box.width, height=box.height, **pen)


def _ellipse(box: Rectangle, pen: Mapping[str, str]) -> str:
    rx, ry = box.width / 2, box.height / 2
    return svg.element("ellipse", None, cx=box.x + rx, cy=box.y + ry, rx=rx, ry=ry, **pen)


def _polygon(*corners: Point) -> Callable[[Rectangle, Mapping[str, str]], str]:
    """An outline through corners, given in parts of the box."""

    def outline(box: Rectangle, pen: Mapping[str, str]) -> str:
        points = [(box.x + x * box.width, box.y + y * box.height) for x, y in corners]
        return svg.element("path", None, d=svg.path(points, closed=True), **pen)

    return outline


def _cylinder(box: Rectangle, pen: Mapping[str, str]) -> str:
    rx, ry = box.width / 2, min(box.height / 6, 15.0)
    n = svg.number
    top, bottom, right = box.y + ry, box.y + box.height - ry, box.x + box.width
    rim = f"A{n(rx)} {n(ry)} 0 0 1"
    data = (
        f"M{n(box.x)} {n(top)} {rim} {n(right)} {n(top)} L{n(right)} {n(bottom)} {rim} {n(box.x)} {n(bottom)} Z "
        f"M{n(box.x)} {n(top)} A{n(rx)} {n(ry)} 0 0 0 {n(right)} {n(top)}"
    )
    return svg.element("path", None, d=data, **pen)


OUTLINES: Final[dict[str, Callable[[Rectangle, Mapping[str, str]], str]]] = {
    "ellipse": _ellipse,
    "doubleEllipse": _ellipse,
    "cloud": _ellipse,
    "mxgraph.flowchart.start_2": _ellipse,
    "cylinder": _cylinder,
    "cylinder2": _cylinder,
    "cylinder3": _cylinder,
    "datastore": _cylinder,
    "rhombus": _polygon((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)),
    "mxgraph.flowchart.decision": _polygon((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)),
    "triangle": _polygon((0, 0), (1, 0.5), (0, 1)),
    "hexagon": _polygon((0.2, 0), (0.8, 0), (1, 0.5), (0.8, 1), (0.2, 1), (0, 0.5)),
    "parallelogram": _polygon((0.2, 0), (1, 0), (0.8, 1), (0, 1)),
    "trapezoid": _polygon((0.2, 0), (0.8, 0), (1, 1), (0, 1)),
    "step": _polygon((0, 0), (0.8, 0), (1, 0.5), (0.8, 1), (0, 1), (0.2, 0.5)),
}
"""Shapes with an outline of their own; the others are boxes."""


def _edge(edge: DiagramEdge, places: Mapping[str, Rectangle]) -> Iterator[str]:
    extra = edge.model_extra or {}
    ends = [_end(edge.source, extra.get("source_point"), places), _end(edge.target, extra.get("target_point"), places)]
    inner: list[Point] = [(point[0], point[1]) for point in edge.waypoints]
    if ends[0] is None or ends[1] is None:
        return
    trail = [ends[0], *inner, ends[1]]
    trail[0] = _border(places.get(edge.source or ""), trail[0], trail[1])
    trail[-1] = _border(places.get(edge.target or ""), trail[-1], trail[-2])
    colour = "#1f78b4" if extra.get("inferred") else "#333333"
    dash = "6 4" if edge.dashed else None
    yield svg.element("path", None, d=svg.path(trail), fill="none", stroke=colour, stroke_dasharray=dash)
    if "end_arrow" in extra:
        yield _head(trail[-2], trail[-1], colour)
    if "start_arrow" in extra:
        yield _head(trail[1], trail[0], colour)
    if edge.label:
        x, y = _middle(trail)
        yield from _label(edge.label, Rectangle(x=x - 60, y=y - 10, width=120.0, height=20.0), top=False)


def _end(identity: str | None, point: Point | None, places: Mapping[str, Rectangle]) -> Point | None:
    box = places.get(identity or "")
    if box is not None:
        return box.x + box.width / 2, box.y + box.height / 2
    return (point[0], point[1]) if point is not None else None


def _border(box: Rectangle | None, inside: Point, towards: Point) -> Point:
    """Where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - inside[0], towards[1] - inside[1]
    if box is None or (not dx and not dy):
        return inside
    reach = [box.width / 2 / abs(dx)] if dx else []
    reach += [box.height / 2 / abs(dy)] if dy else []
    part = min([*reach, 1.0])
    return inside[0] + part * dx, inside[1] + part * dy


def _head(before: Point, tip: Point, colour: str) -> str:
    turn = math.atan2(tip[1] - before[1], tip[0] - before[0])
    wings = [(tip[0] - ARROW * math.cos(turn + side), tip[1] - ARROW * math.sin(turn + side)) for side in (-0.4, 0.4)]
    return svg.element("path", None, d=svg.path([tip, *wings], closed=True), fill=colour)


def _middle(trail: list[Point]) -> Point:
    """Half way along a line."""
    lengths = [math.dist(one, other) for one, other in pairwise(trail)]
    left = sum(lengths) / 2
    for one, other, length in zip(trail, trail[1:], lengths, strict=False):
        if left <= length and length:
            part = left / length
            return one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])
        left -= length
    return trail[0]

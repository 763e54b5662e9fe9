"""The picture of one page of a diagram, from what the document says of it and nothing else.

Shapes are drawn by their kind where a kind has an outline of its own, else as boxes; connectors run from border to border
through their waypoints. What is hidden is left out; what was inferred is drawn in blue.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from spatial.contract.diagram import DiagramEdge, DiagramNode, DiagramPage, Rectangle
from spatial.document.preview import route, svg

MARGIN: Final = 20.0
PIXELS: Final = 1600.0
"""Longer side of the picture."""

FONT: Final = 12.0
"""draw.io's default font size, in pixels."""

LETTER: Final = 0.55
"""Width of an average letter, as a part of the font size."""

ARROW: Final = 7.0
"""Length of an arrowhead."""

BOLD: Final = frozenset({"1", "3", "5", "7"})
"""fontStyle is a sum: 1 bold, 2 italic, 4 underlined."""

BARE: Final = frozenset({"group", "image"})
"""Shapes without an outline of their own."""

SQUARED: Final = frozenset({"orthogonal", "elbow", "segment", "entity_relation", "loop"})
"""Connectors that run along the axes."""

Point = tuple[float, float]


def picture(page: DiagramPage, title: str) -> str:
    """SVG of a page."""
    nodes = [node for node in page.nodes if node.bbox is not None and _seen(node)]
    places = {node.id: node.bbox for node in nodes if node.bbox is not None}
    body = [_group(node.id, _node(node)) for node in _painted(nodes)]
    body += [_group(edge.id, _edge(edge, places)) for edge in page.edges if _seen(edge)]
    return svg.document(body, _view(nodes, page.edges), title=title, pixels=PIXELS)


def _group(source: str, marks: Iterator[str]) -> str:
    """What is drawn of one node or edge, under its id."""
    return svg.element("g", "".join(marks), data_source=source)


def _seen(record: DiagramNode | DiagramEdge) -> bool:
    return (record.model_extra or {}).get("visible", True) is not False


def _painted(nodes: list[DiagramNode]) -> Iterator[DiagramNode]:
    """In draw.io's order: a container, then what is in it, then the next."""
    by_id = {node.id: node for node in nodes}
    waiting = [node for node in reversed(nodes) if node.parent not in by_id]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(by_id[child] for child in reversed(node.children) if child in by_id)


def _style(record: DiagramNode | DiagramEdge) -> Mapping[str, str]:
    style = (record.model_extra or {}).get("style")
    return style if isinstance(style, Mapping) else {}


def _size(style: Mapping[str, str], name: str, default: float) -> float:
    try:
        value = float(style.get(name) or default)
    except ValueError:
        return default
    return value if 0 < value < 1000 else default


def _colour(style: Mapping[str, str], name: str, default: str) -> str:
    value = style.get(name, "").lower()
    return value if value == "none" or re.fullmatch(r"#[0-9a-f]{3}([0-9a-f]{3})?", value) else default


def _view(nodes: list[DiagramNode], edges: list[DiagramEdge]) -> tuple[float, float, float, float]:
    boxes = [node.bbox for node in nodes if node.bbox is not None]
    boxes += [_beside(node.bbox, _style(node)) for node in nodes if node.bbox is not None and node.label]
    points = [point for edge in edges if _seen(edge) for point in edge.waypoints]
    xs = [x for box in boxes for x in (box.x, box.x + box.width)] + [point[0] for point in points]
    ys = [y for box in boxes for y in (box.y, box.y + box.height)] + [point[1] for point in points]
    left, top = min(xs, default=0.0) - MARGIN, min(ys, default=0.0) - MARGIN
    return left, top, max(xs, default=0.0) + MARGIN - left, max(ys, default=0.0) + MARGIN - top


def _node(node: DiagramNode) -> Iterator[str]:
    box, style = node.bbox, _style(node)
    if box is None:
        return
    lane = node.shape == "swimlane"
    bare = node.is_text or node.shape in BARE
    pen: dict[str, str] = {
        "fill": _colour(style, "fillColor", "none" if bare or node.is_container else "#ffffff"),
        "stroke": _colour(style, "strokeColor", "none" if bare else "#333333"),
    }
    if lane:
        yield from _lane(node.label, box, style, pen)
        return
    outline = OUTLINES.get(node.shape or "", _box)
    if pen["fill"] != "none" or pen["stroke"] != "none":
        yield outline(box, {**pen, "rx": "8"} if outline is _box and style.get("rounded") == "1" else pen)
    yield from _label(node.label, _beside(box, style), style)


def _lane(label: str, box: Rectangle, style: Mapping[str, str], pen: Mapping[str, str]) -> Iterator[str]:
    """A frame with a title bar, on top or, where it is not horizontal, on the left."""
    bar = _size(style, "startSize", 23.0)
    yield _box(box, {**pen, "fill": "none"})
    if style.get("horizontal") != "0":
        title = Rectangle(x=box.x, y=box.y, width=box.width, height=min(bar, box.height))
        yield _box(title, pen)
        yield from _label(label, title, {**style, "verticalAlign": "middle", "align": "center"})
        return
    title = Rectangle(x=box.x, y=box.y, width=min(bar, box.width), height=box.height)
    yield _box(title, pen)
    x, y = title.x + title.width / 2, title.y + title.height / 2
    lying = Rectangle(x=x - title.height / 2, y=y - title.width / 2, width=title.height, height=title.width)
    words = "".join(_label(label, lying, {**style, "verticalAlign": "middle", "align": "center"}))
    yield svg.element("g", words, transform=f"rotate(-90 {svg.number(x)} {svg.number(y)})")


def _beside(box: Rectangle, style: Mapping[str, str]) -> Rectangle:
    """Where a label lies that is not inside its shape."""
    across = {"left": -1.0, "right": 1.0}.get(style.get("labelPosition", ""), 0.0)
    down = {"top": -1.0, "bottom": 1.0}.get(style.get("verticalLabelPosition", ""), 0.0)
    return Rectangle(x=box.x + across * box.width, y=box.y + down * box.height, width=box.width, height=box.height)


def _label(label: str, box: Rectangle, style: Mapping[str, str], *, halo: bool = False) -> Iterator[str]:
    """Words in a box, aligned as the style says. halo: white around them, where a line runs under them."""
    if not label:
        return
    size = _size(style, "fontSize", FONT)
    room = max(int(box.width / (LETTER * size)), 6) if style.get("whiteSpace") == "wrap" else 400
    lines = [piece for line in label.split("\n") for piece in _wrapped(line, room)]
    align, down = style.get("align", "center"), style.get("verticalAlign", "middle")
    tall = 1.2 * size * len(lines)
    top = {"top": box.y + 3.0, "bottom": box.y + box.height - tall - 3.0}.get(down, box.y + (box.height - tall) / 2)
    left, right = box.x + _size(style, "spacingLeft", 4.0), box.x + box.width - 4.0
    x, anchor = {"left": (left, "start"), "right": (right, "end")}.get(align, (box.x + box.width / 2, "middle"))
    for place, line in enumerate(lines):
        yield svg.element(
            "text", svg.text(line), x=x, y=top + size * (1.2 * place + 0.95), font_size=size, text_anchor=anchor,
            fill=_colour(style, "fontColor", "#000000"), font_weight="bold" if style.get("fontStyle") in BOLD else None,
            stroke="#ffffff" if halo else None, stroke_width=3.0 if halo else None, paint_order="stroke" if halo else None,
        )  # fmt: skip


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
    extra, style = edge.model_extra or {}, _style(edge)
    source, target = places.get(edge.source or ""), places.get(edge.target or "")
    start = extra.get("exit_point") if source else extra.get("source_point")
    end = extra.get("entry_point") if target else extra.get("target_point")
    inner: list[Point] = [(point[0], point[1]) for point in edge.waypoints]
    squared = edge.connector in SQUARED
    trail = route.trail(route.End(source, start), inner, route.End(target, end), squared=squared)
    if not trail:
        return
    colour = "#1f78b4" if extra.get("inferred") else _colour(style, "strokeColor", "#333333")
    line = route.curved(trail) if edge.connector == "curved" else svg.path(trail)
    yield svg.element("path", None, d=line, fill="none", stroke=colour, stroke_dasharray="6 4" if edge.dashed else None)
    if "end_arrow" in extra:
        yield _head(trail[-2], trail[-1], colour)
    if "start_arrow" in extra:
        yield _head(trail[1], trail[0], colour)
    if edge.label:
        x, y = _middle(trail)
        frame = Rectangle(x=x - 60, y=y - 10, width=120.0, height=20.0)
        words = {key: value for key, value in style.items() if key in ("fontSize", "fontColor")}
        yield from _label(edge.label, frame, {"fontSize": "11", **words}, halo=True)


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

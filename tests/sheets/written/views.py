"""Views of invented parts: outlines, centre lines, plain dimensions, callouts at leaders."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, cos, pi, sin

from tests.sheets.written.paper import Paper, width

Point = tuple[float, float]


@dataclass
class View:
    """A view in the box (x, y, w, h), mm; `callouts` stand at leaders, `dims` replace the text of the overall sizes."""

    kind: str
    x: float
    y: float
    w: float
    h: float
    size: float
    name: str
    factor: float = 1.0
    mark: str = "."
    callouts: list[tuple[str, str]] = field(default_factory=list)
    dims: list[tuple[str, str]] = field(default_factory=list)
    caption: str = ""
    sizes: list[str] = field(default_factory=list)


def draw(paper: Paper, view: View) -> list[str]:
    """Draws the view and returns its plain sizes."""
    points = {"plate": _plate, "shaft": _shaft, "flange": _flange, "angle": _angle, "iso": _iso}[view.kind](paper, view)
    led = [(points[index % len(points)], text) for index, (_, text) in enumerate(view.callouts)]
    for level, (tip, text) in enumerate(sorted(led, reverse=True)):
        _leader(paper, view, tip, level, text)
    if view.caption:
        below = view.y + view.h + (14 if view.kind != "iso" else 6)
        paper.text(view.x + view.w / 2, below + view.size, view.size * 1.3, view.caption, "c", 0, view.name)
    return [size for size in view.sizes if size not in (text for _, text in view.dims)]


def _leader(paper: Paper, view: View, tip: Point, level: int, text: str) -> None:
    """Knees stand over the view, the one furthest right lowest, so that no leader crosses a callout."""
    knee = (tip[0] + 5 + level, view.y - 5 - view.size * 2.2 * level)
    arrow(paper, tip, atan2(tip[1] - knee[1], tip[0] - knee[0]), view.size)
    wide = width(text, view.size, view.name)
    paper.line(*tip, *knee, 0.18)
    paper.line(*knee, knee[0] + wide + 2, knee[1], 0.18)
    paper.text(knee[0] + 1, knee[1] - 0.7, view.size, text, "l", 0, view.name)


def arrow(paper: Paper, tip: Point, angle: float, size: float) -> None:
    back = (tip[0] - cos(angle) * size, tip[1] - sin(angle) * size)
    side = (-sin(angle) * size / 6, cos(angle) * size / 6)
    paper.fill([tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])])


def across(paper: Paper, view: View, left: float, right: float, y: float, at: float, text: str) -> None:
    """A horizontal dimension of the edge at `y`, its line at `at`."""
    view.sizes.append(text)
    for x in (left, right):
        paper.line(x, y + (1 if at > y else -1), x, at + (1.5 if at > y else -1.5), 0.18)
    paper.line(left, at, right, at, 0.18)
    arrow(paper, (left, at), pi, view.size)
    arrow(paper, (right, at), 0, view.size)
    paper.text((left + right) / 2, at - 0.8, view.size, text, "c", 0, view.name)


def along(paper: Paper, view: View, top: float, bottom: float, x: float, at: float, text: str) -> None:
    """A vertical dimension of the edge at `x`, its line at `at`, read from the right."""
    view.sizes.append(text)
    for y in (top, bottom):
        paper.line(x + (1 if at > x else -1), y, at + (1.5 if at > x else -1.5), y, 0.18)
    paper.line(at, top, at, bottom, 0.18)
    arrow(paper, (at, top), -pi / 2, view.size)
    arrow(paper, (at, bottom), pi / 2, view.size)
    paper.text(at - 0.8, (top + bottom) / 2, view.size, text, "c", 90, view.name)


def _value(view: View, length: float) -> str:
    return f"{length * view.factor:.1f}".rstrip("0").rstrip(".").replace(".", view.mark)


def _overall(paper: Paper, view: View) -> None:
    texts = [text for _, text in view.dims] + [""] * 2
    low = view.y + view.h
    across(paper, view, view.x, view.x + view.w, low, low + 10, texts[0] or _value(view, view.w))
    along(paper, view, view.y, low, view.x, view.x - 9, texts[1] or _value(view, view.h))


def _box(paper: Paper, x: float, y: float, w: float, h: float, weight: float = 0.5) -> None:
    for a, b, c, d in ((x, y, x + w, y), (x + w, y, x + w, y + h), (x + w, y + h, x, y + h), (x, y + h, x, y)):
        paper.line(a, b, c, d, weight)


def _cross(paper: Paper, x: float, y: float, r: float) -> None:
    paper.line(x - r * 1.4, y, x + r * 1.4, y, 0.18, True)
    paper.line(x, y - r * 1.4, x, y + r * 1.4, 0.18, True)


def _plate(paper: Paper, view: View) -> list[Point]:
    x, y, w, h = view.x, view.y, view.w, view.h
    r = min(w, h) * 0.07
    _box(paper, x, y, w, h)
    holes = [(x + w * a, y + h * b) for a in (0.14, 0.86) for b in (0.2, 0.8)]
    for hole in holes:
        paper.circle(*hole, r, 0.5)
        _cross(paper, *hole, r)
    middle = (x + w / 2, y + h / 2)
    paper.circle(*middle, r * 2.6, 0.5)
    _cross(paper, *middle, r * 2.6)
    _overall(paper, view)
    across(paper, view, holes[0][0], holes[2][0], y + h, y + h + 5, _value(view, holes[2][0] - holes[0][0]))
    along(paper, view, holes[0][1], holes[1][1], x, x - 4.5, _value(view, holes[1][1] - holes[0][1]))
    return [
        (holes[2][0] - r * 0.7, holes[2][1] - r * 0.7),
        (middle[0] + r * 1.8, middle[1] - r * 1.9),
        (x + w, y + h * 0.4),
    ]


def _shaft(paper: Paper, view: View) -> list[Point]:
    x, y, w, h = view.x, view.y, view.w, view.h
    steps = [(0, 0.22, 0.5), (0.22, 0.6, 1.0), (0.6, 0.82, 0.7), (0.82, 1.0, 0.45)]
    for start, end, high in steps:
        _box(paper, x + w * start, y + h * (1 - high) / 2, w * (end - start), h * high)
    paper.line(x - 4, y + h / 2, x + w + 4, y + h / 2, 0.18, True)
    _overall(paper, view)
    for start, end, _ in steps[1:3]:
        across(paper, view, x + w * start, x + w * end, y + h, y + h + 5, _value(view, w * (end - start)))
    return [(x + w * 0.7, y + h * 0.15), (x + w * 0.9, y + h * 0.275), (x + w * 0.4, y)]


def _flange(paper: Paper, view: View) -> list[Point]:
    r = min(view.w, view.h) / 2
    cx, cy = view.x + view.w / 2, view.y + view.h / 2
    for part, weight in ((1.0, 0.5), (0.42, 0.5), (0.34, 0.35)):
        paper.circle(cx, cy, r * part, weight)
    paper.circle(cx, cy, r * 0.72, 0.18, True)
    for turn in range(6):
        at = (cx + r * 0.72 * cos(turn * pi / 3), cy + r * 0.72 * sin(turn * pi / 3))
        paper.circle(*at, r * 0.09, 0.5)
        _cross(paper, *at, r * 0.09)
    _cross(paper, cx, cy, r)
    texts = [text for _, text in view.dims] + [""]
    across(paper, view, cx - r, cx + r, cy, cy + r + 9, texts[0] or "Ø" + _value(view, 2 * r))
    return [
        (cx + r * 0.36 + r * 0.06, cy - r * 0.62 - r * 0.06),
        (cx + r * 0.3, cy - r * 0.3),
        (cx + r * 0.7, cy - r * 0.71),
    ]


def _angle(paper: Paper, view: View) -> list[Point]:
    """A bent bracket, with a slot."""
    x, y, w, h = view.x, view.y, view.w, view.h
    t = min(w, h) * 0.12
    outline = [(x, y), (x + t, y), (x + t, y + h - t), (x + w, y + h - t), (x + w, y + h), (x, y + h), (x, y)]
    for (a, b), (c, d) in pairwise(outline):
        paper.line(a, b, c, d, 0.5)
    for place in (0.5, 0.8):
        paper.line(x + w * place - 3, y + h - t, x + w * place - 3, y + h, 0.35, True)
        paper.line(x + w * place + 3, y + h - t, x + w * place + 3, y + h, 0.35, True)
    _overall(paper, view)
    return [(x + t, y + h - t), (x + w * 0.8, y + h - t), (x + t, y + h * 0.2)]


def _iso(paper: Paper, view: View) -> list[Point]:
    """A block in isometric projection, without dimensions."""
    x, y, w, h = view.x, view.y, view.w, view.h
    left, mid, right = x, x + w * 0.55, x + w
    for a, b, c, d in (
        (left, y + h * 0.35, mid, y + h * 0.55), (mid, y + h * 0.55, right, y + h * 0.25), (right, y + h * 0.25, x + w * 0.45, y),
        (x + w * 0.45, y, left, y + h * 0.35), (left, y + h * 0.35, left, y + h * 0.75), (left, y + h * 0.75, mid, y + h),
        (mid, y + h, mid, y + h * 0.55), (mid, y + h, right, y + h * 0.7), (right, y + h * 0.7, right, y + h * 0.25),
    ):  # fmt: skip
        paper.line(a, b, c, d, 0.4)
    return [(mid, y + h * 0.5), (right, y + h * 0.4)]

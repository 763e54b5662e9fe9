"""SVG: a diagram where draw.io left one in its `content`, a drawing of its own otherwise.

A drawing's coordinates are CSS pixels after all transforms, the root's viewBox included; y is down as drawn. Entities:
line, polyline, circle, ellipse, and path for everything with curves or several parts; a path has `d`, which holds absolute
lines and cubic Béziers only, and is exact. `layer` is the Inkscape layer, else the nearest group that has a name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Final

import numpy as np

from spatial.contract.formats import EXTENSIONS
from spatial.errors import ParseError
from spatial.formats import content, markup
from spatial.formats.drawio import container
from spatial.formats.drawio.reader import diagram_of
from spatial.formats.svg import frame as svgframe
from spatial.formats.svg import path
from spatial.formats.svg import style as svgstyle
from spatial.formats.svg.frame import Matrix, apply, times
from spatial.formats.svg.path import Run
from spatial.formats.svg.style import Declarations
from spatial.models.diagram.diagram import Diagram
from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing, Sheet, Strokes, Text, VectorImage

ENTITIES: Final = 200_000
"""Most entities of one file; `use` within `use` multiplies."""

USED: Final = 20_000
"""Most entities that `use` puts into a drawing: each costs the caller, and a few bytes make millions."""

TOO_MUCH: Final = f"elements use others for more than {USED:,} entities; what follows of them is left out"

STEPS: Final = 1_000_000
"""Most elements that are looked at; `use` of groups that hold nothing multiplies too."""

DEPTH: Final = 32
"""Deepest `use` within `use`."""

CHORD: Final = 0.1
"""How far a chord may be from its curve when points are put on it, in pixels."""

DECIMALS: Final = 3

CAP: Final = 0.716
"""Height of a capital letter as a part of the font size."""

XLINK: Final = "{http://www.w3.org/1999/xlink}href"
INKSCAPE: Final = "{http://www.inkscape.org/namespaces/inkscape}"

_MOVE: Final = "M%.3f %.3f"
_LINE: Final = "L%.3f %.3f"
_CURVE: Final = "C%.3f %.3f %.3f %.3f %.3f %.3f"
_ZEROS: Final = re.compile(r"\.?0+(?![\d.])")
"""At the end of a number."""

_GROUPS: Final = frozenset({"g", "a", "switch"})
_SHAPES: Final = frozenset({"path", "line", "polyline", "polygon", "rect", "circle", "ellipse"})
_MEASURES: Final = frozenset({"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2"})
_UNSEEN: Final = frozenset(
    {
        "defs", "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient", "filter", "style",
        "script", "title", "desc", "metadata", "foreignObject", "namedview",
    }
)  # fmt: skip


def read(data: bytes, file_name: str) -> Diagram | VectorImage:
    """Read one file.

    Raises: ParseError where it is no SVG.
    """
    root, warnings = markup.parse(content.require(EXTENSIONS["svg"], data, file_name), file_name)
    if markup.local(root) != "svg":
        raise ParseError(
            f"{file_name}: the file is no SVG; its root is <{markup.local(root)[:40]}>", details={"phase": "read"}
        )
    carried = root.get("content") or ""
    if "mxfile" in carried or "mxGraphModel" in carried:
        return diagram_of(container.of_svg_content(carried, file_name))
    walk = _Walk(root, warnings)
    return VectorImage(walk.drawing(), walk.strokes)


@dataclass(frozen=True, slots=True)
class _State:
    """What an element has from those around it."""

    matrix: Matrix
    style: Declarations
    port: tuple[float, float]
    """Width and height of the nearest viewport, in its own units: what percentages are of."""
    layer: str | None = None
    displayed: bool = True
    clipped: bool = False
    depth: int = 0

    @property
    def visible(self) -> bool:
        """What is not displayed stays so; visibility is inherited and may be taken back."""
        return self.displayed and self.style.get("visibility") not in ("hidden", "collapse")


class _Walk:
    """One pass over the tree, in drawing order."""

    def __init__(self, root: Any, warnings: list[str]) -> None:
        self.warnings = warnings
        self.entities: list[dict[str, Any]] = []
        self.runs: list[Run] = []
        self.texts: list[Text] = []
        self.layers: dict[str, dict[str, Any]] = {}
        self.counts: dict[str, int] = {}
        self.root = root
        self.steps = self.used = self.lost = 0
        box = svgframe.numbers(root.get("viewBox") or "")
        whole = (box[2], box[3]) if len(box) == 4 and box[2] > 0 and box[3] > 0 else (300.0, 150.0)
        self.width = svgframe.length(root.get("width"), whole[0], whole[0]) or whole[0]
        self.height = svgframe.length(root.get("height"), whole[1], whole[1]) or whole[1]
        self.sheet = svgstyle.Sheet.of(
            ["".join(each.itertext()) for each in root.iter() if markup.local(each) == "style"]
        )
        frame = svgframe.view(root.get("viewBox"), root.get("preserveAspectRatio"), 0.0, 0.0, self.width, self.height)
        style = svgstyle.style(root, "svg", {}, self.sheet)
        frame = times(frame, svgframe.transform(root.get("transform")))
        port = whole if len(box) == 4 else (self.width, self.height)
        self._children(root, _State(frame, svgstyle.passed_on(style), port))
        if len(self.entities) >= ENTITIES:
            self.warnings.append(f"the first {ENTITIES:,} entities are told")
        if self.lost:
            self.warnings.append(f"{self.lost:,} shapes with absurd or damaged coordinates are left out")
        if self.steps >= STEPS:
            self.warnings.append(f"elements use each other more than {STEPS:,} times; what follows is left out")

    @cached_property
    def _by_id(self) -> dict[str, Any]:
        return {name: each for each in self.root.iter() if (name := each.get("id"))}

    def drawing(self) -> Drawing:
        """The whole file."""
        size = {
            name: {"value": written[0], "unit": written[1]}
            for name in ("width", "height")
            if (written := svgframe.unit(self.root.get(name)))
        }
        sheet = Sheet(
            1, "svg", "page", (0.0, 0.0, self.width, self.height), "pixel", texts=self.texts,
            text_layer="vector" if self.texts else "none", further={"y_axis": "down", **({"declared_size": size} if size else {})},
        )  # fmt: skip
        declared = self.root.get("width"), self.root.get("height")
        said = (
            f'width="{declared[0]}" height="{declared[1]}"'
            if all(declared)
            else "no size; the viewBox counts as pixels"
        )
        return Drawing(
            "svg", Units(name="pixel", found="declared", source=f"CSS pixels, 96 to the inch; {said}"[:300]), [sheet],
            list(self.layers.values()), self.entities, self.counts, self.warnings,
        )  # fmt: skip

    def strokes(self) -> Strokes:
        """Everything drawn as straight pieces."""
        lines = [np.array(path.flattened(run, CHORD)) for run in self.runs]
        ends = [np.hstack([line[:-1], line[1:]]) for line in lines if len(line) > 1]
        joined = np.vstack(ends) if ends else np.zeros((0, 4))
        nothing, flags = np.zeros(len(joined)), np.zeros(len(joined), bool)
        return Strokes(joined, nothing, np.full(len(joined), -1, np.int64), flags, flags.copy())

    def _children(self, element: Any, state: _State) -> None:
        # A stack instead of recursion: groups nest as deep as the parser allows.
        waiting: list[tuple[Any, _State]] = [(child, state) for child in reversed(element)]
        while waiting and len(self.entities) < ENTITIES and self.steps < STEPS:
            if waiting[-1][1].depth and self.used >= USED:
                self._warn(TOO_MUCH)
                return
            child, around = waiting.pop()
            self.steps += 1
            inner = self._element(child, around)
            if inner is not None:
                waiting.extend((each, inner) for each in reversed(child))

    def _element(self, element: Any, around: _State) -> _State | None:
        """Draw an element; the state of its children where they are drawn too."""
        name = markup.local(element)
        if not name or name in _UNSEEN:
            return None
        applied = svgstyle.style(element, name, around.style, self.sheet)
        state = _stated(element, applied, around)
        if name in _GROUPS:
            return self._group(element, state)
        if name in _SHAPES:
            self._shape(element, name, applied, state)
        elif name == "text":
            self._text(element, applied, state)
        elif name == "use":
            self._use(element, state)
        elif name == "image":
            self._image(element, state)
        elif name == "svg":
            return self._inner(element, state, 0.0, 0.0, None)
        return None

    def _group(self, element: Any, state: _State) -> _State:
        label = element.get(f"{INKSCAPE}label")
        is_layer = element.get(f"{INKSCAPE}groupmode") == "layer"
        name = label if is_layer else element.get("id") or label
        if not name or (state.layer in self.layers and self.layers[state.layer or ""].get("inkscape") and not is_layer):
            return state
        record = {"name": name, "visible": state.visible, **({"inkscape": True} if is_layer else {})}
        self.layers.setdefault(name, record)
        return replace(state, layer=name)

    def _inner(self, element: Any, state: _State, x: float, y: float, size: tuple[Any, Any] | None) -> _State:
        """A viewport in the viewport: an inner svg, or a symbol that is used."""
        across, down = size or (None, None)
        wide, tall = state.port
        width = svgframe.length(across or element.get("width"), wide, wide)
        height = svgframe.length(down or element.get("height"), tall, tall)
        left, top = svgframe.length(element.get("x"), wide), svgframe.length(element.get("y"), tall)
        box = svgframe.numbers(element.get("viewBox") or "")
        port = (box[2], box[3]) if len(box) == 4 and box[2] > 0 and box[3] > 0 else (width, height)
        frame = svgframe.view(
            element.get("viewBox"), element.get("preserveAspectRatio"), x + left, y + top, width, height
        )
        return replace(state, matrix=times(state.matrix, frame), port=port)

    def _use(self, element: Any, state: _State) -> None:
        target = (element.get("href") or element.get(XLINK) or "").strip()
        found = self._by_id.get(target[1:]) if target.startswith("#") else None
        if self.used >= USED:
            self._warn(TOO_MUCH)
            return
        if found is None or state.depth >= DEPTH:
            why = "uses itself" if found is not None else "uses what is not in the file"
            self._warn(f"an element {why} and is left out: {target[:60]!r}")
            return
        x, y = svgframe.length(element.get("x"), state.port[0]), svgframe.length(element.get("y"), state.port[1])
        inner = replace(state, depth=state.depth + 1, style=svgstyle.passed_on(state.style))
        if markup.local(found) in ("symbol", "svg"):
            size = element.get("width"), element.get("height")
            self._children(found, self._inner(found, inner, x, y, size))
            return
        moved = replace(inner, matrix=times(inner.matrix, (1.0, 0.0, 0.0, 1.0, x, y)))
        children = self._element(found, moved)
        if children is not None:
            self._children(found, children)

    def _warn(self, words: str) -> None:
        if words not in self.warnings and len(self.warnings) < 100:
            self.warnings.append(words)

    def _image(self, element: Any, state: _State) -> None:
        wide, tall = state.port
        x, y = svgframe.length(element.get("x"), wide), svgframe.length(element.get("y"), tall)
        width, height = svgframe.length(element.get("width"), wide), svgframe.length(element.get("height"), tall)
        corners = [
            apply(state.matrix, *point) for point in ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
        ]
        self._add("image", element, state, {"points": _pairs(corners)})

    def _shape(self, element: Any, name: str, applied: Declarations, state: _State) -> None:
        found = [run.moved(state.matrix) for run in _runs(element, name, *state.port)]
        if not found:
            self.lost += _absurd(element)
            return
        self.runs += found
        kind, geometry = _circular(element, name, state) or _described(found)
        stroke, filled = applied.get("stroke"), applied.get("fill", "black")
        scale = math.sqrt(abs(state.matrix[0] * state.matrix[3] - state.matrix[1] * state.matrix[2]))
        width = svgframe.length(applied.get("stroke-width"), state.port[0], 1.0) * scale
        dash = applied.get("stroke-dasharray")
        looks = {
            "color": svgstyle.colour(stroke),
            "fill": svgstyle.colour(filled) or (None if filled == "none" else "pattern"),
            "width": round(width, DECIMALS) if stroke not in (None, "none") else None,
            "dash": dash if dash not in (None, "none") else None,
        }
        self._add(
            kind, element, state, {**geometry, **{key: value for key, value in looks.items() if value is not None}}
        )

    def _add(self, kind: str, element: Any, state: _State, members: dict[str, Any]) -> None:
        record: dict[str, Any] = {"id": f"entity-{len(self.entities) + 1}", "type": kind, "page": 1, **members}
        if (name := element.get("id")) is not None:
            record["element"] = name
        if state.layer is not None:
            record["layer"] = state.layer
        if not state.visible:
            record["visible"] = False
        if state.clipped:
            record["clipped"] = True
        self.entities.append(record)
        self.used += state.depth > 0
        name = markup.local(element)
        self.counts[name] = self.counts.get(name, 0) + 1

    def _text(self, element: Any, applied: Declarations, state: _State) -> None:
        for line in _lines(element, applied, self.sheet, state.port):
            words = " ".join(line.words.split())
            if words:
                self.texts.append(self._lettered(words, line, state))

    def _lettered(self, words: str, line: _Line, state: _State) -> Text:
        a, b, c, d, *_ = state.matrix
        size = svgframe.length(line.style.get("font-size"), 16.0, 16.0)
        across, tall = math.hypot(a, b) * size, math.hypot(c, d) * size
        # Without the font there is no width; an average letter of a sans serif is half as wide as its size.
        width = 0.5 * across * len(words)
        back = {"middle": 0.5, "end": 1.0}.get(line.style.get("text-anchor", ""), 0.0) * width
        x, y = apply(state.matrix, line.x, line.y)
        angle = math.degrees(math.atan2(-b, a)) % 360.0
        x, y = x - back * math.cos(math.radians(angle)), y + back * math.sin(math.radians(angle))
        reach = max(width, tall)
        return Text(
            f"annotation-{len(self.texts) + 1}", words, 1, (x, y), angle, CAP * tall, width,
            (x - reach, y - reach, x + reach, y + reach) if angle else (x, y - CAP * tall, x + width, y),
            layer=state.layer, style=line.style.get("font-family"), visible=state.visible,
        )  # fmt: skip


def _absurd(element: Any) -> bool:
    """Whether an element that draws nothing has a number that is none, or one that no drawing has."""
    return any(
        name in _MEASURES and (math.isnan(svgframe.length(value, 1.0, math.nan)) and value.strip() != "auto")
        for name, value in element.attrib.items()
    ) or any(svgframe.damaged(element.get(name) or "") for name in ("d", "points"))


@dataclass(slots=True)
class _Line:
    """A piece of text with a place of its own."""

    words: str
    x: float
    y: float
    style: Declarations


def _lines(element: Any, applied: Declarations, sheet: svgstyle.Sheet, port: tuple[float, float]) -> Iterator[_Line]:
    """The lines of a text: a tspan that says where it is begins one."""
    line = _Line("", *_place(element, (0.0, 0.0), port), applied)
    waiting: list[tuple[Any, str | None, Declarations]] = [(element, None, applied)]
    while waiting:
        each, tail, style = waiting.pop()
        if tail is not None:
            line.words += tail
            continue
        if each is not element:
            style = svgstyle.style(each, "tspan", style, sheet)
            if any(each.get(name) is not None for name in ("x", "y", "dy")) and _moves(each, line, port):
                yield line
                line = _Line("", *_place(each, (line.x, line.y), port), style)
        line.words += each.text or ""
        for child in reversed(each):
            if child.tail:
                waiting.append((child, child.tail, style))
            if markup.local(child) in ("tspan", "textPath", "a"):
                waiting.append((child, None, style))
    yield line


def _moves(element: Any, line: _Line, port: tuple[float, float]) -> bool:
    """Whether a tspan begins somewhere else than where the line is."""
    here = line.x, line.y
    return bool(line.words.strip()) or _place(element, here, port) != here


def _place(element: Any, around: tuple[float, float], port: tuple[float, float]) -> tuple[float, float]:
    """Where a text or tspan begins; lists of places count by their first."""
    own = _first(element.get("x"), port[0]), _first(element.get("y"), port[1])
    dx, dy = _first(element.get("dx"), port[0]) or 0.0, _first(element.get("dy"), port[1]) or 0.0
    return (around[0] if own[0] is None else own[0]) + dx, (around[1] if own[1] is None else own[1]) + dy


def _first(text: str | None, whole: float) -> float | None:
    words = text.replace(",", " ").split() if text else []
    return svgframe.length(words[0], whole) if words else None


def _stated(element: Any, applied: Declarations, around: _State) -> _State:
    moved = element.get("transform") or applied.get("transform")
    return _State(
        matrix=times(around.matrix, svgframe.transform(moved)) if moved else around.matrix,
        style=svgstyle.passed_on(applied),
        port=around.port,
        layer=around.layer,
        displayed=around.displayed and applied.get("display") != "none",
        clipped=around.clipped or applied.get("clip-path", "none") != "none" or applied.get("mask", "none") != "none",
        depth=around.depth,
    )


def _runs(element: Any, name: str, width: float, height: float) -> Sequence[Run]:
    """An element's outline in its own coordinates."""

    def at(key: str, whole: float) -> float:
        return svgframe.length(element.get(key), whole)

    if name == "path":
        return path.runs(element.get("d") or "")
    if name == "line":
        return [Run((at("x1", width), at("y1", height)), [(at("x2", width), at("y2", height))])]
    if name in ("polyline", "polygon"):
        values = svgframe.numbers(element.get("points") or "")
        points = list(zip(values[::2], values[1::2], strict=False))
        return [Run(points[0], list(points[1:]), name == "polygon")] if len(points) > 1 else []
    if name == "rect":
        return _rectangle(element, width, height)
    return _ellipse(*_round(element, name, width, height))


def _round(element: Any, name: str, width: float, height: float) -> tuple[float, float, float, float]:
    """Middle and half axes of a circle or an ellipse."""
    keys = ("r", "r") if name == "circle" else ("rx", "ry")
    whole = (math.hypot(width, height) / math.sqrt(2),) * 2 if name == "circle" else (width, height)
    rx, ry = (svgframe.length(element.get(key), size) for key, size in zip(keys, whole, strict=True))
    return svgframe.length(element.get("cx"), width), svgframe.length(element.get("cy"), height), rx, ry


def _ellipse(x: float, y: float, rx: float, ry: float) -> list[Run]:
    if rx <= 0 or ry <= 0:
        return []
    right, left = (x + rx, y), (x - rx, y)
    halves = path.arc(right, rx, ry, 0, False, True, left) + path.arc(left, rx, ry, 0, False, True, right)
    return [Run(right, halves, True)]


def _rectangle(element: Any, whole: float, tall: float) -> list[Run]:
    x, y = svgframe.length(element.get("x"), whole), svgframe.length(element.get("y"), tall)
    width, height = svgframe.length(element.get("width"), whole), svgframe.length(element.get("height"), tall)
    if width <= 0 or height <= 0:
        return []
    rx, ry = (svgframe.length(element.get(key), size, -1.0) for key, size in (("rx", whole), ("ry", tall)))
    # One radius alone counts for both.
    rx, ry = max(ry if rx < 0 else rx, 0.0), max(rx if ry < 0 else ry, 0.0)
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    if not rx or not ry:
        return [Run((x, y), [(x + width, y), (x + width, y + height), (x, y + height)], True)]
    right, bottom = x + width, y + height
    corners = [
        ((right - rx, y), (right, y + ry)),
        ((right, bottom - ry), (right - rx, bottom)),
        ((x + rx, bottom), (x, bottom - ry)),
        ((x, y + ry), (x + rx, y)),
    ]
    run = Run((x + rx, y), closed=True)
    for start, end in corners:
        run.segments += [start, *path.arc(start, rx, ry, 0, False, True, end)]
    return [run]


def _circular(element: Any, name: str, state: _State) -> tuple[str, dict[str, Any]] | None:
    """A circle that is still one, or an ellipse, under its transform; None for other elements."""
    if name not in ("circle", "ellipse"):
        return None
    x, y, rx, ry = _round(element, name, *state.port)
    center = _pair(apply(state.matrix, x, y))
    a, b, c, d, *_ = state.matrix
    turned = np.array([[a * rx, c * ry], [b * rx, d * ry]])
    axes, lengths, _ = np.linalg.svd(turned)
    if not lengths[0] or abs(lengths[0] - lengths[1]) <= 1e-6 * lengths[0]:
        return "circle", {"center": center, "radius": round(float(lengths[0]), DECIMALS)}
    ends = (axes * lengths).T.tolist()
    return "ellipse", {"center": center, "major_axis": _pair(ends[0]), "minor_axis": _pair(ends[1])}


def _described(found: list[Run]) -> tuple[str, dict[str, Any]]:
    """A line, a polyline, or a path."""
    if len(found) == 1 and found[0].straight:
        run = found[0]
        if len(run.segments) == 1 and not run.closed:
            return "line", {"start": _pair(run.start), "end": _pair(run.segments[0])}
        return "polyline", {"points": _pairs([run.start, *run.segments]), "closed": run.closed}
    return "path", {"d": " ".join(map(_data, found)), "bbox": _box(found)}


def _data(run: Run) -> str:
    """Path data of a run."""
    form = [_MOVE, *[_CURVE if len(segment) == 6 else _LINE for segment in run.segments], "Z" if run.closed else ""]
    # Every number has three decimals here, so the zeros before a point are followed by it.
    return _ZEROS.sub("", "".join(form) % (*run.start, *chain.from_iterable(run.segments)))


def _box(found: list[Run]) -> list[float]:
    """Around what is drawn, exactly."""
    every = [run.extremes() for run in found]
    xs, ys = [x for across, _ in every for x in across], [y for _, down in every for y in down]
    return [round(value, DECIMALS) for value in (min(xs), min(ys), max(xs), max(ys))]


def _pair(point: tuple[float, ...]) -> list[float]:
    return [round(point[0], DECIMALS) + 0.0, round(point[1], DECIMALS) + 0.0]


def _pairs(points: Sequence[tuple[float, ...]]) -> list[list[float]]:
    return [_pair(point) for point in points]

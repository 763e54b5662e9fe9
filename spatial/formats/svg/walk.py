"""One pass over an SVG's tree in drawing order: shapes, text, images and `use` become one sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spatial.counting import count_of
from spatial.formats import markup
from spatial.formats.svg.frame import (
    Matrix,
    compose,
    is_damaged,
    is_extent,
    parse_length,
    parse_numbers,
    parse_size,
    transform_point,
    viewbox_matrix,
)
from spatial.formats.svg.outlines import Outlines
from spatial.formats.svg.path import flatten
from spatial.formats.svg.places import Places
from spatial.formats.svg.shapes import (
    DECIMALS,
    GEOMETRY,
    circle_or_ellipse,
    has_damaged_points,
    measures_of,
    outline_of,
    rounded_point,
)
from spatial.formats.svg.state import State, state_of
from spatial.formats.svg.style.cascade import Cascade, Style, transform_of
from spatial.formats.svg.style.rules import StyleSheet
from spatial.formats.svg.text import lettering, text_lines
from spatial.formats.svg.visible import Seen, clip_by, corners_box, limited
from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing, Sheet, Strokes, Text

ENTITIES: Final = 200_000
"""Most entities of one file; `use` within `use` multiplies."""

USED: Final = 20_000
"""Most entities and texts that `use` puts into a drawing: each costs the caller, and a few bytes make millions."""

USED_STEPS: Final = 100_000
"""Most elements that are visited for them; `use` of empty groups multiplies too."""

TOO_MUCH: Final = f"elements use others for more than {USED:,} entities and texts or {USED_STEPS:,} elements; what follows is left out"

STEPS: Final = 1_000_000
"""Most elements that are visited."""

STATES: Final = 256
"""Most states of elements beside each other that are kept: each may have a transform of its own."""

DEPTH: Final = 32
"""Deepest `use` within `use`."""

CHORD: Final = 0.1
"""How far a chord may be from its curve when points are put on it, in pixels."""

XLINK: Final = "{http://www.w3.org/1999/xlink}href"

INKSCAPE: Final = "{http://www.inkscape.org/namespaces/inkscape}"

_GROUPS: Final = frozenset({"g", "a", "switch"})

_SHAPES: Final = frozenset({"path", "line", "polyline", "polygon", "rect", "circle", "ellipse"})

_ROUND: Final = frozenset({"circle", "ellipse"})

_LISTED: Final = _SHAPES | {"image", "text", "use"}

_UNSEEN: Final = frozenset(
    {
        "defs", "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient", "filter", "style",
        "script", "title", "desc", "metadata", "foreignObject", "namedview",
    }
)  # fmt: skip


class DrawingWalk:
    """One pass over the tree, in drawing order."""

    def __init__(self, root: Any, warnings: list[str]) -> None:
        self.warnings = warnings
        self.entities: list[dict[str, Any]] = []
        self.outlines = Outlines()
        self._shapes: list[_Shape] = []
        self.texts: list[Text] = []
        self.layers: dict[str, dict[str, Any]] = {}
        self.counts: dict[str, int] = {}
        self.unlisted: dict[str, int] = {}
        self.first_unlisted: int | None = None
        self.root = root
        self.steps = self.used = self.used_steps = self.lost = 0
        self.seen = Seen()
        self._around: State | None = None
        self._states: dict[tuple[Style, str | None], State] = {}
        """Style and transform of elements to their state, of those that stand in one state."""
        self._known: dict[tuple[Any, ...], tuple[Style, State]] = {}
        """Tag and attributes of elements to their style and state, of those that stand in one state."""
        self.view_box = None if is_damaged(root.get("viewBox") or "") else root.get("viewBox")
        if self.view_box != root.get("viewBox"):
            self.warnings.append("the viewBox is damaged or out of range, so that it does not count")
        box = parse_numbers(self.view_box or "")
        whole = (box[2], box[3]) if len(box) == 4 and box[2] > 0 and box[3] > 0 else (300.0, 150.0)
        self.size = {name: self._side(name) for name in ("width", "height")}
        self.width = parse_length(self.size["width"], whole[0], whole[0]) or whole[0]
        self.height = parse_length(self.size["height"], whole[1], whole[1]) or whole[1]
        sheet = StyleSheet.of(root)
        self.cascade = Cascade(sheet)
        self._apart = GEOMETRY - ({"id"} if sheet.has_ids else frozenset())
        frame = viewbox_matrix(self.view_box, root.get("preserveAspectRatio"), 0.0, 0.0, self.width, self.height)
        style = self.cascade.style(root, Style({}))
        port = whole if len(box) == 4 else (self.width, self.height)
        has_size = len(box) == 4 or all(map(parse_size, self.size.values()))
        paper = (
            (0.0, 0.0, self.width, self.height) if has_size and style.declared.get("overflow") != "visible" else None
        )
        state = state_of(style, transform_of(root, style), State(frame, style, port))._replace(clip=paper)
        self._children(root, state)
        self._complete_shapes()
        self.warnings += sheet.warnings
        if len(self.entities) >= ENTITIES:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.unlisted.items())
            after = (
                f"; what follows from line {self.first_unlisted:,} of the file on was not read: {kinds}"
                if kinds
                else ""
            )
            self.warnings.append(f"only the first {ENTITIES:,} entities are listed{after}")
        if self.lost:
            self.warnings.append(
                f"coordinates are damaged or out of range: {count_of(self.lost, 'shape was', 'shapes were')} left out"
            )
        if self.steps >= STEPS:
            self.warnings.append(
                f"more than {STEPS:,} elements stand in the file or are used; what follows was left out"
            )

    def _side(self, name: str) -> str | None:
        """A side of the drawing as the file states it; None where it states none, or one that can be none."""
        text: str | None = self.root.get(name)
        if text is None or is_extent(text):
            return text
        self.warnings.append(f"the {name} is damaged, negative or out of range, so that it does not count")
        return None

    @cached_property
    def _by_id(self) -> dict[str, Any]:
        return {name: each for each in self.root.iter() if (name := each.get("id"))}

    @cached_property
    def _places(self) -> Places:
        return Places(self.root, self._by_id)

    def drawing(self) -> Drawing:
        """The whole file."""
        size = {
            name: {"value": written[0], "unit": written[1]}
            for name, text in self.size.items()
            if (written := parse_size(text))
        }
        box = parse_numbers(self.view_box or "")
        further: dict[str, Any] = {"declared_size": size or None, "view_box": box if len(box) == 4 else None}
        if self.unlisted:
            count = sum(self.unlisted.values())
            further["unlisted"] = {"count": count, "types": self.unlisted, "from_line": self.first_unlisted}
        sheet = Sheet(
            1, "svg", "page", (0.0, 0.0, self.width, self.height), "pixel", self.seen.box, texts=self.texts,
            text_layer="vector" if self.texts else "none",
            further={"y_axis": "down", **{name: value for name, value in further.items() if value}},
        )  # fmt: skip
        declared_size = (
            f'width="{self.size["width"]}" height="{self.size["height"]}"'
            if all(self.size.values())
            else "no size; the viewBox counts as pixels"
        )
        return Drawing(
            "svg", Units(name="pixel", found="declared", source=f"CSS pixels, 96 to the inch; {declared_size}"[:300]), [sheet],
            list(self.layers.values()), self.entities, self.counts, self.warnings,
        )  # fmt: skip

    def strokes(self) -> Strokes:
        """Everything drawn as straight pieces."""
        joined = _straight(line for outline in self.outlines.outlines() for line in flatten(outline, CHORD))
        nothing, flags = np.zeros(len(joined)), np.zeros(len(joined), bool)
        return Strokes(joined, nothing, np.full(len(joined), -1, np.int64), flags, flags.copy())

    def _children(self, element: Any, state: State) -> None:
        # A stack instead of recursion: groups nest as deep as the parser allows.
        waiting: list[tuple[Any, State]] = [(child, state) for child in reversed(element)]
        while waiting and len(self.entities) < ENTITIES and self.steps < STEPS:
            if waiting[-1][1].within and self._is_too_much:
                self._warn(TOO_MUCH)
                return
            child, around = waiting.pop()
            self.steps += 1
            self.used_steps += bool(around.within)
            inner = self._element(child, around)
            if inner is not None:
                waiting.extend((each, inner) for each in reversed(child))
        self._count_unlisted([child for child, _ in waiting])

    def _count_unlisted(self, waiting: list[Any]) -> None:
        """Count what follows the last entity that is listed, by the names of the elements; `use` counts as one."""
        while waiting:
            element = waiting.pop()
            name = markup.local(element)
            if name in _LISTED:
                self.unlisted[name] = self.unlisted.get(name, 0) + 1
                self.first_unlisted = self.first_unlisted or element.sourceline
            elif name in _GROUPS or name == "svg":
                waiting.extend(reversed(element))

    def _element(self, element: Any, around: State) -> State | None:
        """Draw an element; the state of its children where they are drawn too."""
        name = markup.local(element)
        if not name or name in _UNSEEN:
            return None
        # Each question to an element of lxml costs as much as ten to a dictionary.
        attributes = dict(element.items())
        style, state = self._applied(element, attributes, around)
        if "clip-path" in style.declared:
            state = clip_by(state, style, self._by_id)
        if name in _SHAPES:
            self._shape(attributes, name, style, state)
        elif name in _GROUPS:
            return self._group(element, state)
        elif name == "text":
            self._text(element, style, state)
        elif name == "use":
            self._use(element, state)
        elif name == "image":
            self._image(element, state)
        elif name == "svg":
            return self._inner(element, style, state, 0.0, 0.0, None)
        return None

    def _applied(self, element: Any, attributes: Mapping[str, str], around: State) -> tuple[Style, State]:
        """Style and state of an element; elements beside each other share few, and those that differ in their measures alone have one."""
        if around is not self._around or len(self._known) >= STATES:
            self._around, self._known, self._states = around, {}, {}
        key = element.tag, self.cascade.is_ruled, *[pair for pair in attributes.items() if pair[0] not in self._apart]
        found = self._known.get(key)
        if found is None:
            style = self.cascade.style(element, around.style, attributes)
            found = style, self._state(style, transform_of(attributes, style), around)
            if self.cascade.is_of_attributes:
                self._known[key] = found
        return found

    def _state(self, style: Style, transform: str | None, around: State) -> State:
        found = self._states.get((style, transform))
        if found is None:
            if len(self._states) >= STATES:
                self._states = {}
            found = self._states[style, transform] = state_of(style, transform, around)
        return found

    def _group(self, element: Any, state: State) -> State:
        label = element.get(f"{INKSCAPE}label")
        is_layer = element.get(f"{INKSCAPE}groupmode") == "layer"
        name = label if is_layer else element.get("id") or label
        if not name or (state.layer in self.layers and self.layers[state.layer or ""].get("inkscape") and not is_layer):
            return state
        record = {"name": name, "visible": state.visible, **({"inkscape": True} if is_layer else {})}
        self.layers.setdefault(name, record)
        return state._replace(layer=name)

    def _inner(
        self, element: Any, style: Style, state: State, x: float, y: float, size: tuple[Any, Any] | None
    ) -> State:
        """A viewport in the viewport: an inner svg, or a symbol that is used."""
        across, down = size or (None, None)
        wide, tall = state.port
        width = parse_length(across or element.get("width"), wide, wide)
        height = parse_length(down or element.get("height"), tall, tall)
        left, top = parse_length(element.get("x"), wide), parse_length(element.get("y"), tall)
        box = parse_numbers(element.get("viewBox") or "")
        port = (box[2], box[3]) if len(box) == 4 and box[2] > 0 and box[3] > 0 else (width, height)
        frame = viewbox_matrix(
            element.get("viewBox"), element.get("preserveAspectRatio"), x + left, y + top, width, height
        )
        if style.declared.get("overflow", "hidden") not in ("visible", "auto"):
            state = limited(state, corners_box(state, x + left, y + top, width, height))
        return state._replace(matrix=compose(state.matrix, frame), port=port)

    def _use(self, element: Any, state: State) -> None:
        target = (element.get("href") or element.get(XLINK) or "").strip()
        found = self._by_id.get(target[1:]) if target.startswith("#") else None
        if self._is_too_much:
            self._warn(TOO_MUCH)
            return
        within = (*state.within, self._places.of(element))
        why = self._fault_of_use(found, within)
        if why:
            self._warn(f"an element {why} and was left out: {target[:60]!r}")
            return
        x, y = parse_length(element.get("x"), state.port[0]), parse_length(element.get("y"), state.port[1])
        inner = state._replace(within=within, style=state.style.inherited)
        if markup.local(found) in ("symbol", "svg"):
            size = element.get("width"), element.get("height")
            style = self.cascade.style(found, inner.style)
            inner = inner._replace(style=style.inherited)
            self._children(found, self._inner(found, style, inner, x, y, size))
            return
        moved = inner._replace(matrix=compose(inner.matrix, (1.0, 0.0, 0.0, 1.0, x, y)))
        children = self._element(found, moved)
        if children is not None:
            self._children(found, children)

    @property
    def _is_too_much(self) -> bool:
        return self.used >= USED or self.used_steps >= USED_STEPS

    def _fault_of_use(self, found: Any, within: tuple[int, ...]) -> str:
        """Why a `use` is not drawn; empty where it is (SVG 2 §5.6: a reference to what it stands in, by way of others too, is an error)."""
        if found is None:
            return "uses another that is not in the file"
        if self._places.is_around(found, within):
            return "uses itself"
        return f"uses others that use others, more than {DEPTH} deep," if len(within) > DEPTH else ""

    def _warn(self, words: str) -> None:
        if words not in self.warnings and len(self.warnings) < 100:
            self.warnings.append(words)

    def _image(self, element: Any, state: State) -> None:
        wide, tall = state.port
        x, y = parse_length(element.get("x"), wide), parse_length(element.get("y"), tall)
        width, height = parse_length(element.get("width"), wide), parse_length(element.get("height"), tall)
        corners = [
            transform_point(state.matrix, *point)
            for point in ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
        ]
        self.seen.add(corners_box(state, x, y, width, height), state)
        record = self._add("image", state)
        record["points"] = [rounded_point(corner) for corner in corners]
        _complete(record, element.get("id"), state)

    def _shape(self, attributes: Mapping[str, str], name: str, style: Style, state: State) -> None:
        measures = measures_of(attributes)
        if measures is None or has_damaged_points(attributes):
            self.lost += 1
            return
        outline = outline_of(attributes, name, measures, state.port)
        if not outline.code:
            self.lost += is_damaged(attributes.get("d") or "")
            return
        if style.is_painted:
            self.seen.add_shape(len(self.outlines), state)
        self.outlines.add(outline, state.matrix)
        record = self._add(name, state)
        round_shape = circle_or_ellipse(name, measures, state) if name in _ROUND else None
        width = style.declared.get("stroke-width")
        stroke = _stroke_width(width, state.matrix, state.port[0]) if style.has_stroke else None
        self._shapes.append(_Shape(record, round_shape, style, stroke, attributes.get("id"), state))

    def _complete_shapes(self) -> None:
        """Write the geometry of the shapes into their records, when all outlines are computed."""
        given = [shape.round_shape is not None for shape in self._shapes]
        for shape, outlined in zip(self._shapes, self.outlines.geometries(given), strict=True):
            record, style = shape.record, shape.style
            record["type"], geometry = shape.round_shape or outlined
            record.update(geometry)
            record.update(style.colors)
            if shape.width is not None:
                record["width"] = shape.width
            if style.dash is not None:
                record["dash"] = style.dash
            _complete(record, shape.element_id, shape.state)
        self.seen.measure(self.outlines.boxes)
        self._shapes.clear()

    def _add(self, name: str, state: State) -> dict[str, Any]:
        """The record of an element, so far without its geometry."""
        record: dict[str, Any] = {"id": f"entity-{len(self.entities) + 1}", "type": name}
        if state.layer is not None:
            record["layer"] = state.layer
        record["page"] = 1
        self.entities.append(record)
        self.used += bool(state.within)
        self.counts[name] = self.counts.get(name, 0) + 1
        return record

    def _text(self, element: Any, applied: Style, state: State) -> None:
        for line in text_lines(element, applied, self.cascade, state.port):
            words = " ".join(line.words.split())
            if words:
                self.texts.append(lettering(line, words, len(self.texts) + 1, state))
                self.used += bool(state.within)
                if line.style.is_painted:
                    self.seen.add(self.texts[-1].box, state)


class _Shape(NamedTuple):
    """A shape whose geometry is not in its record yet."""

    record: dict[str, Any]
    round_shape: tuple[str, dict[str, Any]] | None
    style: Style
    width: float | None
    element_id: str | None
    state: State


def _straight(lines: Iterable[list[tuple[float, float]]]) -> NDArray[np.float64]:
    """The pieces (n, 4) between neighbouring points of each line. The lines are taken one by one: as Python objects they are large."""
    lengths: list[int] = []

    def counted() -> Iterator[list[tuple[float, float]]]:
        for line in lines:
            lengths.append(len(line))
            yield line

    points = np.fromiter(chain.from_iterable(chain.from_iterable(counted())), np.float64).reshape(-1, 2)
    is_inside = np.ones(len(points), bool)
    is_inside[np.cumsum(lengths, dtype=np.int64) - 1] = False
    pieces = np.hstack([points[:-1], points[1:]]) if len(points) else np.empty((0, 4))
    return pieces[is_inside[:-1]]


@lru_cache(maxsize=1024)
def _stroke_width(text: str | None, matrix: Matrix, whole: float) -> float:
    """The width of a stroke in pixels; percentages are of `whole`."""
    a, b, c, d, *_ = matrix
    return round(parse_length(text, whole, 1.0) * math.sqrt(abs(a * d - b * c)), DECIMALS)


def _complete(record: dict[str, Any], element_id: str | None, state: State) -> None:
    """Add the members that every record ends with."""
    if element_id is not None:
        record["element"] = element_id
    if not state.visible:
        record["visible"] = False
    if state.clipped:
        record["clipped"] = True

"""One pass over an SVG's tree in drawing order: shapes, text, images and `use` become one sheet."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from spatial.counting import count_of
from spatial.formats import markup
from spatial.formats.svg.frame import (
    compose,
    is_damaged,
    parse_length,
    parse_numbers,
    parse_size,
    transform_point,
    viewbox_matrix,
)
from spatial.formats.svg.path import Subpath, flatten
from spatial.formats.svg.shapes import (
    DECIMALS,
    box_of,
    circle_or_ellipse,
    describe,
    has_damaged_numbers,
    rounded_points,
    subpaths_of,
)
from spatial.formats.svg.state import State, state_of
from spatial.formats.svg.style.cascade import applied_style, inherited_style
from spatial.formats.svg.style.properties import Declarations, hex_colour
from spatial.formats.svg.style.rules import StyleSheet
from spatial.formats.svg.text import lettering, text_lines
from spatial.formats.svg.visible import Seen, clip_by, corners_box, is_painted, limited
from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing, Sheet, Strokes, Text

ENTITIES: Final = 200_000
"""Most entities of one file; `use` within `use` multiplies."""

USED: Final = 20_000
"""Most entities that `use` puts into a drawing: each costs the caller, and a few bytes make millions."""

TOO_MUCH: Final = f"elements use others for more than {USED:,} entities; what follows of them is left out"

STEPS: Final = 1_000_000
"""Most elements that are visited; `use` of empty groups multiplies too."""

DEPTH: Final = 32
"""Deepest `use` within `use`."""

CHORD: Final = 0.1
"""How far a chord may be from its curve when points are put on it, in pixels."""

XLINK: Final = "{http://www.w3.org/1999/xlink}href"

INKSCAPE: Final = "{http://www.inkscape.org/namespaces/inkscape}"

_GROUPS: Final = frozenset({"g", "a", "switch"})

_SHAPES: Final = frozenset({"path", "line", "polyline", "polygon", "rect", "circle", "ellipse"})

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
        self.subpaths: list[Subpath] = []
        self.texts: list[Text] = []
        self.layers: dict[str, dict[str, Any]] = {}
        self.counts: dict[str, int] = {}
        self.root = root
        self.steps = self.used = self.lost = 0
        self.seen = Seen()
        self.view_box = None if is_damaged(root.get("viewBox") or "") else root.get("viewBox")
        if self.view_box != root.get("viewBox"):
            self.warnings.append("the viewBox is damaged or out of range, so that it does not count")
        box = parse_numbers(self.view_box or "")
        whole = (box[2], box[3]) if len(box) == 4 and box[2] > 0 and box[3] > 0 else (300.0, 150.0)
        self.width = parse_length(root.get("width"), whole[0], whole[0]) or whole[0]
        self.height = parse_length(root.get("height"), whole[1], whole[1]) or whole[1]
        self.sheet = StyleSheet.of(root)
        frame = viewbox_matrix(self.view_box, root.get("preserveAspectRatio"), 0.0, 0.0, self.width, self.height)
        style = applied_style(root, {}, self.sheet)
        port = whole if len(box) == 4 else (self.width, self.height)
        has_size = len(box) == 4 or (parse_size(root.get("width")) and parse_size(root.get("height")))
        paper = (0.0, 0.0, self.width, self.height) if has_size and style.get("overflow") != "visible" else None
        state = replace(state_of(style, State(frame, {}, port)), clip=paper)
        self._children(root, state)
        self.warnings += self.sheet.warnings
        if len(self.entities) >= ENTITIES:
            self.warnings.append(f"only the first {ENTITIES:,} entities are listed")
        if self.lost:
            self.warnings.append(
                f"coordinates are damaged or out of range: {count_of(self.lost, 'shape was', 'shapes were')} left out"
            )
        if self.steps >= STEPS:
            self.warnings.append(f"elements use each other more than {STEPS:,} times; what follows was left out")

    @cached_property
    def _by_id(self) -> dict[str, Any]:
        return {name: each for each in self.root.iter() if (name := each.get("id"))}

    def drawing(self) -> Drawing:
        """The whole file."""
        size = {
            name: {"value": written[0], "unit": written[1]}
            for name in ("width", "height")
            if (written := parse_size(self.root.get(name)))
        }
        box = parse_numbers(self.view_box or "")
        further = {"declared_size": size or None, "view_box": box if len(box) == 4 else None}
        sheet = Sheet(
            1, "svg", "page", (0.0, 0.0, self.width, self.height), "pixel", self.seen.box, texts=self.texts,
            text_layer="vector" if self.texts else "none",
            further={"y_axis": "down", **{name: value for name, value in further.items() if value}},
        )  # fmt: skip
        declared = self.root.get("width"), self.root.get("height")
        declared_size = (
            f'width="{declared[0]}" height="{declared[1]}"'
            if all(declared)
            else "no size; the viewBox counts as pixels"
        )
        return Drawing(
            "svg", Units(name="pixel", found="declared", source=f"CSS pixels, 96 to the inch; {declared_size}"[:300]), [sheet],
            list(self.layers.values()), self.entities, self.counts, self.warnings,
        )  # fmt: skip

    def strokes(self) -> Strokes:
        """Everything drawn as straight pieces."""
        lines = [np.array(flatten(subpath, CHORD)) for subpath in self.subpaths]
        ends = [np.hstack([line[:-1], line[1:]]) for line in lines if len(line) > 1]
        joined = np.vstack(ends) if ends else np.zeros((0, 4))
        nothing, flags = np.zeros(len(joined)), np.zeros(len(joined), bool)
        return Strokes(joined, nothing, np.full(len(joined), -1, np.int64), flags, flags.copy())

    def _children(self, element: Any, state: State) -> None:
        # A stack instead of recursion: groups nest as deep as the parser allows.
        waiting: list[tuple[Any, State]] = [(child, state) for child in reversed(element)]
        while waiting and len(self.entities) < ENTITIES and self.steps < STEPS:
            if waiting[-1][1].depth and self.used >= USED:
                self._warn(TOO_MUCH)
                return
            child, around = waiting.pop()
            self.steps += 1
            inner = self._element(child, around)
            if inner is not None:
                waiting.extend((each, inner) for each in reversed(child))

    def _element(self, element: Any, around: State) -> State | None:
        """Draw an element; the state of its children where they are drawn too."""
        name = markup.local(element)
        if not name or name in _UNSEEN:
            return None
        applied = applied_style(element, around.style, self.sheet)
        state = state_of(applied, around)
        if "clip-path" in applied:
            state = clip_by(state, applied, self._by_id)
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
            return self._inner(element, applied, state, 0.0, 0.0, None)
        return None

    def _group(self, element: Any, state: State) -> State:
        label = element.get(f"{INKSCAPE}label")
        is_layer = element.get(f"{INKSCAPE}groupmode") == "layer"
        name = label if is_layer else element.get("id") or label
        if not name or (state.layer in self.layers and self.layers[state.layer or ""].get("inkscape") and not is_layer):
            return state
        record = {"name": name, "visible": state.visible, **({"inkscape": True} if is_layer else {})}
        self.layers.setdefault(name, record)
        return replace(state, layer=name)

    def _inner(
        self, element: Any, applied: Declarations, state: State, x: float, y: float, size: tuple[Any, Any] | None
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
        if applied.get("overflow", "hidden") not in ("visible", "auto"):
            state = limited(state, corners_box(state, x + left, y + top, width, height))
        return replace(state, matrix=compose(state.matrix, frame), port=port)

    def _use(self, element: Any, state: State) -> None:
        target = (element.get("href") or element.get(XLINK) or "").strip()
        found = self._by_id.get(target[1:]) if target.startswith("#") else None
        if self.used >= USED:
            self._warn(TOO_MUCH)
            return
        if found is None or state.depth >= DEPTH:
            why = "uses itself" if found is not None else "uses another that is not in the file"
            self._warn(f"an element {why} and was left out: {target[:60]!r}")
            return
        x, y = parse_length(element.get("x"), state.port[0]), parse_length(element.get("y"), state.port[1])
        inner = replace(state, depth=state.depth + 1, style=inherited_style(state.style))
        if markup.local(found) in ("symbol", "svg"):
            size = element.get("width"), element.get("height")
            applied = applied_style(found, inner.style, self.sheet)
            inner = replace(inner, style=inherited_style(applied))
            self._children(found, self._inner(found, applied, inner, x, y, size))
            return
        moved = replace(inner, matrix=compose(inner.matrix, (1.0, 0.0, 0.0, 1.0, x, y)))
        children = self._element(found, moved)
        if children is not None:
            self._children(found, children)

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
        self._add("image", element, state, {"points": rounded_points(corners)})

    def _shape(self, element: Any, name: str, applied: Declarations, state: State) -> None:
        if has_damaged_numbers(element):
            self.lost += 1
            return
        found = [subpath.moved(state.matrix) for subpath in subpaths_of(element, name, *state.port)]
        if not found:
            self.lost += is_damaged(element.get("d") or "")
            return
        self.subpaths += found
        kind, geometry = circle_or_ellipse(element, name, state) or describe(found)
        if is_painted(applied):
            self.seen.add(box_of(found), state)
        stroke, filled = applied.get("stroke"), applied.get("fill", "black")
        scale = math.sqrt(abs(state.matrix[0] * state.matrix[3] - state.matrix[1] * state.matrix[2]))
        width = parse_length(applied.get("stroke-width"), state.port[0], 1.0) * scale
        dash = applied.get("stroke-dasharray")
        looks = {
            "color": hex_colour(stroke, applied.get("color")),
            "fill": hex_colour(filled, applied.get("color")) or ("pattern" if filled.startswith("url(") else None),
            "width": round(width, DECIMALS) if (stroke or "none").lower() != "none" else None,
            "dash": dash if dash not in (None, "none") else None,
        }
        self._add(
            kind, element, state, {**geometry, **{key: value for key, value in looks.items() if value is not None}}
        )

    def _add(self, kind: str, element: Any, state: State, members: dict[str, Any]) -> None:
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

    def _text(self, element: Any, applied: Declarations, state: State) -> None:
        for line in text_lines(element, applied, self.sheet, state.port):
            words = " ".join(line.words.split())
            if words:
                self.texts.append(lettering(line, words, len(self.texts) + 1, state))
                if is_painted(line.style):
                    self.seen.add(self.texts[-1].box, state)

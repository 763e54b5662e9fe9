"""Crowded files: the work of reading them grows with their elements, counted in calls of functions and never in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest
from lxml import etree

from siege.hostile_files.writers import SVG, diagram, dxf, vertex
from spatial.formats.svg.style.rules import NONE, StyleSheet
from spatial.geometry import index
from spatial.geometry.quadrature import Array
from spatial.pipeline.read import read_file
from spatial.understanding.sheet.cells import assign
from spatial.understanding.sheet.symbols import signs
from spatial.understanding.sheet.title_block import printed

pytestmark = pytest.mark.requirement("siege.growth")

ELEMENTS = 300
MOST = 2.7
"""Calls for twice the elements, times those for the elements: pairs would make it 4."""


def _text(x: float, y: float, text: str) -> str:
    return f"0\nTEXT\n8\n0\n10\n{x}\n20\n{y}\n40\n2.5\n1\n{text}\n"


def texts_on_one_spot(count: int) -> bytes:
    places = np.random.default_rng(1).uniform(0.0, 10.0, (count, 2)).tolist()
    return dxf("".join(_text(x, y, f"2X %%c{n}.5 H7") for n, (x, y) in enumerate(places)))


def texts_on_one_line(count: int) -> bytes:
    return dxf("".join(_text(14.0 * n, 0.0, f"word {n}") for n in range(count)))


def letters_on_one_line(count: int) -> bytes:
    return dxf("".join(_text(2.2 * n, 0.0, "ABCDE1"[n % 6]) for n in range(count)))


def texts_in_one_column(count: int) -> bytes:
    return dxf("".join(_text(0.0, -4.0 * n, f"note words {n} go on") for n in range(count)))


def labels_on_one_spot(count: int) -> bytes:
    places = np.random.default_rng(1).uniform(0.0, 10.0, (count, 2)).tolist()
    return dxf("".join(_text(x, y, "MATERIAL: S235") for x, y in places))


def connectors_within_connectors(count: int) -> bytes:
    points = "".join(f'<mxPoint x="{n}" y="9" as="{end}Point"/>' for n, end in enumerate(("source", "target")))
    geometry = f'<mxGeometry relative="1" as="geometry">{points}</mxGeometry>'
    return diagram(
        "".join(f'<mxCell id="{n}" parent="{n - 1}" edge="1">{geometry}</mxCell>' for n in range(2, count + 2))
    )


def shapes_of_one_id(count: int) -> bytes:
    return diagram(vertex("x") * count)


MAKERS = (
    *((make, "dxf") for make in (texts_on_one_spot, texts_on_one_line, letters_on_one_line, texts_in_one_column)),
    (labels_on_one_spot, "dxf"),
    (connectors_within_connectors, "drawio"),
)


@pytest.mark.parametrize(("make", "extension"), MAKERS, ids=[make.__name__ for make, _ in MAKERS])
def test_calls_grow_with_the_elements(make: Callable[[int], bytes], extension: str) -> None:
    name = f"crowd.{extension}"
    read_file(make(ELEMENTS // 10), name).interpret()
    few, many = (_calls(make(count), name) for count in (ELEMENTS, 2 * ELEMENTS))
    assert many < MOST * few, f"{few:,} and {many:,} calls"


def test_lines_of_code_grow_with_the_shapes_of_one_id() -> None:
    few, many = (_calls(shapes_of_one_id(count), "crowd.drawio", lines=True) for count in (ELEMENTS, 2 * ELEMENTS))
    assert many < MOST * few, f"{few:,} and {many:,} lines"


def test_pairs_of_boxes_and_points_that_crowd_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    lie = index._lie

    def count(points: Array, boxes: Array) -> Any:
        nonlocal looked
        looked += len(points)
        return lie(points, boxes)

    monkeypatch.setattr(index, "_lie", count)
    monkeypatch.setattr(index, "PAIRS_AT_ONCE", 10_000)
    points = np.random.default_rng(1).uniform(0.0, 1.0, (2_000, 2))
    assert index.may_hold_points(np.tile([0.0, 0.0, 1.0, 1.0], (2_000, 1)), points, 1.0).all()
    assert looked < len(points) * 2_000 / 2


def _calls(data: bytes, name: str, *, lines: bool = False) -> int:
    """Calls of Python's and native functions until a file is interpreted; or the lines of Python that run."""
    made, counted = 0, ("line",) if lines else ("call", "c_call")

    def note(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal made
        made += event in counted
        return note

    earlier: Any = sys.gettrace() if lines else sys.getprofile()
    watch: Callable[[Any], None] = sys.settrace if lines else sys.setprofile
    watch(note)
    try:
        read_file(data, name).interpret()
    finally:
        watch(earlier)
    return made


@pytest.mark.parametrize("selector", ["rect", "svg rect"])
def test_what_many_rules_declare_for_many_shapes_is_compared_at_once(selector: str) -> None:
    shapes = "".join(f'<rect id="r{n}" width="5" height="5"/>' for n in range(9))
    rules = "".join(f"{selector}{{stroke-width:{n}}}" for n in range(9))
    root = etree.fromstring(f"{SVG}<style>{rules}</style>{shapes}<g/></svg>")
    sheet = StyleSheet.of(root)
    found = [sheet.declared(element, dict(element.items())) for element in root[1:]]
    assert [matched is found[0] for matched in found] == [True] * 9 + [False]
    assert [block.normal["stroke-width"] for block in found[0].blocks] == [str(n) for n in range(9)]
    assert found[-1] is NONE


def test_legs_of_signs_that_are_far_apart_are_not_compared() -> None:
    draw = np.random.default_rng(1)
    of, others = (np.sort(draw.integers(0, 3, 900)) for _ in range(2))
    points, other_points = (draw.uniform(-4.0, 4.0, (900, 2)) for _ in range(2))
    pairs = [
        pair
        for one, two in signs._pairs_that_meet(of, points, others, other_points)
        for pair in zip(one.tolist(), two.tolist(), strict=True)
    ]
    near = (np.abs(points[:, None] - other_points[None]) < signs.MEET).all(axis=2) & (of[:, None] == others[None])
    assert set(zip(*(place.tolist() for place in np.nonzero(near)), strict=True)) <= set(pairs)
    assert len(pairs) == len(set(pairs)) < 900 * 900 / 3 / 100


CELLS = np.array(
    [(30.0 * column, 6.0 * row, 30.0 * column + 30, 6.0 * row + 6) for row in range(300) for column in range(5)]
)
"""Of a long table."""


def test_texts_are_compared_with_the_cells_that_are_level_with_them() -> None:
    texts = CELLS + np.array([2.0, 1.0, -9.0, -2.0])
    looked = sum(len(part) * len(level) for part, level in assign._level(texts, CELLS))
    assert looked < len(texts) * len(CELLS) / 10
    shuffled = np.random.default_rng(1).permutation(len(texts))
    places = (texts[shuffled, :2] + texts[shuffled, 2:]) / 2
    assert assign._holders(places, CELLS) == shuffled.tolist()
    places[::7] = np.nan
    assert assign._holders(places, CELLS)[::7] == [-1] * len(places[::7])


def test_cells_that_hang_together_are_sought_among_those_that_are_level(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    share = printed._sharing_a_side

    def count(own: Array, boxes: Array, reach: float) -> Any:
        nonlocal looked
        looked += len(boxes)
        return share(own, boxes, reach)

    monkeypatch.setattr(printed, "_sharing_a_side", count)
    apart = CELLS[: len(CELLS) // 2] + np.array([400.0, 0, 400, 0])
    cells = np.vstack([CELLS, apart])
    chance = np.random.default_rng(1).permutation(len(cells))
    neighbours = printed._Neighbours(cells[chance], 0.5)
    first, second = (
        set(neighbours.reached_from([int(np.flatnonzero(chance == place)[0])])) for place in (0, len(CELLS))
    )
    assert (len(first), len(second)) == (len(CELLS), len(apart))
    assert not first & second
    assert looked < len(cells) ** 2 / 10

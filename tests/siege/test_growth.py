"""Crowded files: the work of reading them grows with their elements, counted in calls of functions and never in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

from siege.hostile_files.writers import dxf
from spatial.geometry import index
from spatial.geometry.quadrature import Array
from spatial.pipeline.read import read_file

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


MAKERS = (texts_on_one_spot, texts_on_one_line, letters_on_one_line, texts_in_one_column)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_calls_grow_with_the_texts(make: Callable[[int], bytes]) -> None:
    read_file(make(ELEMENTS // 10), "crowd.dxf").interpret()
    few, many = (_calls(make(count)) for count in (ELEMENTS, 2 * ELEMENTS))
    assert many < MOST * few, f"{few:,} and {many:,} calls"


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


def _calls(data: bytes) -> int:
    """Calls of Python's and native functions until a file is interpreted."""
    made = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    earlier = sys.getprofile()
    sys.setprofile(note)
    try:
        read_file(data, "crowd.dxf").interpret()
    finally:
        sys.setprofile(earlier)
    return made

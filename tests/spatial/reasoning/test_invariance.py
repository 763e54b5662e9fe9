"""A verdict belongs to the scene, not to its position, its unit or the order of its objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.responses import TaskType
from spatial.reasoning.scene.model import SceneObject
from tests.spatial.reasoning.shapes import (
    ask,
    bored_block,
    cloud,
    corners,
    moved,
    on_box,
    on_cylinder,
    solid_of,
    turned,
)

DOWN: Final = np.array([0.0, 0.0, -1.0])

Scene = tuple[TaskType, list[SceneObject], dict[str, Any]]


def tight_box(slack: float) -> Scene:
    inner = cloud("a", corners([0, 0, 0], [10 - slack, 8 - slack, 6 - slack]), "box")
    return (
        "fit",
        [inner, cloud("c", corners([30, 0, 0], [36, 10, 8]), "container")],
        {"object_id": "a", "secondary_id": "c"},
    )


def sampled_tray(slack: float) -> Scene:
    tray = cloud("c", on_box([30, 0, 0], [40, 10, 9], open_at=5), "container")
    return (
        "fit",
        [cloud("a", on_box([0, 0, 0], [10 - slack, 5, 5]), "box"), tray],
        {"object_id": "a", "secondary_id": "c"},
    )


def peg(slack: float) -> Scene:
    rod = cloud("a", on_cylinder(5 - slack / 2, 30, 600) + 60)
    return "fit", [rod, bored_block("b", 5.0, 12.0)], {"object_id": "a", "secondary_id": "b"}


def tower(slack: float) -> Scene:
    bricks = [
        cloud("a", corners([0, 0, 0], [10, 10, 30])),
        cloud("b", on_box([5 - slack, 0, 30], [15 - slack, 10, 60], 500)),
    ]
    return "stability", bricks, {}


def table(slack: float) -> Scene:
    arm = 24.0 - 40 * slack
    return "stability", [solid_of("t", [([0, 0, 0], [10, 10, 10]), ([0, 0, 10], [arm, 10, 20])])], {}


def shelf(slack: float) -> Scene:
    items = [
        cloud("a", corners([50, 0, 0], [57 - slack, 57 - 50 - slack, 7 - slack])),
        cloud("s", corners([0, 0, 0], [7, 7, 2]), "box"),
    ]
    return "placement", items, {"object_id": "a", "secondary_id": "s"}


SCENES: Final[list[Callable[[float], Scene]]] = [tight_box, sampled_tray, peg, tower, table, shelf]


def verdict_of(
    scene: Scene, rotation: Any = None, shift: Any = None, scale: float = 1.0, *, backwards: bool = False
) -> Any:
    task, objects, rest = scene
    turn = np.eye(3) if rotation is None else rotation
    there = [moved(item, turn, np.zeros(3) if shift is None else shift, scale) for item in objects]
    goal = {"gravity": (turn @ DOWN).tolist()}
    return ask(task, *(there[::-1] if backwards else there), goal=goal, **rest)["verdict"]


@pytest.mark.requirement("contact.invariant")
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("slack", [0.01, -0.01])
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10_000), scale=st.sampled_from([1e-3, 0.0254, 1.0, 25.4, 1e4]), away=st.floats(-1000, 1000))
def test_a_motion_of_the_scene_changes_no_verdict(
    scene: Callable[[float], Scene], slack: float, seed: int, scale: float, away: float
) -> None:
    asked = scene(slack)
    shift = scale * away * np.array([0.6, -0.3, 0.74])
    assert verdict_of(asked, turned(seed), shift, scale) == verdict_of(asked)


@pytest.mark.requirement("contact.invariant")
@pytest.mark.parametrize(
    ("scene", "loose", "tight"),
    [
        (tight_box, "fits", "does_not_fit"),
        (sampled_tray, "fits", "does_not_fit"),
        (peg, "fits", "does_not_fit"),
        (tower, "stable", "unstable"),
        (shelf, "possible", "impossible"),
    ],
)
def test_the_scenes_of_these_tests_are_on_either_side_of_the_limit(
    scene: Callable[[float], Scene], loose: str, tight: str
) -> None:
    assert (verdict_of(scene(0.01)), verdict_of(scene(-0.01))) == (loose, tight)


@pytest.mark.requirement("contact.order")
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("slack", [0.01, -0.01])
def test_the_order_of_the_objects_changes_no_verdict(scene: Callable[[float], Scene], slack: float) -> None:
    asked = scene(slack)
    assert verdict_of(asked, backwards=True) == verdict_of(asked)

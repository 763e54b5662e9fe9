"""The arrangement as the scene has it: whether it is one at all, and what its measure is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from shapely import MultiPoint

from spatial.reasoning.optimization.setting import Setting
from spatial.reasoning.optimization.subjects import Subject
from spatial.reasoning.packing.boxes import Array
from spatial.reasoning.shape.separation import separation

PAIRS: Final = 60
"""Most pairs of objects whose overlap is measured, the deepest overlap of their boxes first; each takes about a millisecond."""


@dataclass(frozen=True, eq=False)
class Present:
    """The objects as they are, along the container's frame.

    boxes: (n, 2, 3) extents. faults: sentences about what makes it no arrangement.
    """

    boxes: Array
    faults: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Whether nothing overlaps, as far as is certain."""
        return not self.faults


def present(setting: Setting) -> Present:
    """The arrangement as it is."""
    frame = setting.container.frame
    boxes = np.array([_box(subject, frame) for subject in setting.subjects])
    return Present(boxes, tuple(_overlaps(setting, boxes)))


def inside(boxes: Array, setting: Setting) -> np.typing.NDArray[np.bool_]:
    """(n,) which boxes lie in the container; its height may be open."""
    size = setting.container.size
    lower, upper = setting.container.corner[: len(size)], setting.container.corner[: len(size)] + size
    reach = setting.reach
    found: np.typing.NDArray[np.bool_] = np.all(
        (boxes[:, 0, : len(size)] >= lower - reach) & (boxes[:, 1, : len(size)] <= upper + reach), axis=1
    )
    return found


def footprint_area(subjects: Sequence[Subject]) -> float:
    """Area of the smallest rectangle, of any direction, around the vertical projection of all objects."""
    corners = np.concatenate([_outline(subject) for subject in subjects])
    return float(MultiPoint(corners).minimum_rotated_rectangle.area)


def _outline(subject: Subject) -> Array:
    shape = subject.body.outer
    if shape.is_polytope:
        return shape.vertices[:, :2]
    turns = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    directions = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(64)])
    return np.array([shape.support(direction)[:2] for direction in directions])


def _box(subject: Subject, frame: Array) -> Array:
    return np.array([-subject.body.outer.heights(-frame), subject.body.outer.heights(frame)])


def _overlaps(setting: Setting, boxes: Array) -> list[str]:
    """A sentence for the first certain overlap."""
    depth = (
        np.minimum(boxes[:, None, 1], boxes[None, :, 1]) - np.maximum(boxes[:, None, 0], boxes[None, :, 0])
    ).min(axis=2)  # fmt: skip
    first, second = np.nonzero(np.triu(depth > 10 * setting.reach, 1))
    for i in np.argsort(-depth[first, second], kind="stable")[:PAIRS]:
        one, other = setting.subjects[first[i]], setting.subjects[second[i]]
        if separation(one.body, other.body).state == "overlapping":
            return [f"{one.id} and {other.id} overlap"]
    return []

"""What a goal of the task optimize asks for, and the objects that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

import numpy as np

from spatial.reasoning.members import Members
from spatial.reasoning.optimization.subjects import Subject, around, subject_of
from spatial.reasoning.packing.boxes import ROTATIONS, SLACK, Array, Rotations
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.cavity import cavities_of

Objective = Literal["pack", "height", "footprint", "shelf", "print"]
OBJECTIVES: Final[tuple[Objective, ...]] = get_args(Objective)

EFFORT: Final = 20.0
"""Largest `goal.effort`: a search of 20 s for a hundred objects would pass the deadline of a request."""

VERTICAL: Final = 1e-6
"""Largest deviation of a container's third direction from the vertical, as 1 - cosine: 0.08 degrees."""


class Undecided(Exception):
    """The input does not decide the question; the message is the reason of the answer `unknown`."""


@dataclass(frozen=True, eq=False)
class Container:
    """A bin: its frame, its lower corner along the frame, and its (2,) or (3,) extents.

    source: what the extents rest on.
    """

    frame: Array
    corner: Array
    size: Array
    source: Literal["goal.container.size", "cavity of secondary_id", "present extent"]


@dataclass(frozen=True, eq=False)
class Setting:
    """A goal, read. Lengths in the scene's units; flat: whether all objects lie in one plane."""

    objective: Objective
    subjects: tuple[Subject, ...]
    container: Container
    rotations: Rotations
    gap: float
    supported: bool
    seed: int
    effort: float
    flat: bool
    units: str
    width: float | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = field(default=())

    @property
    def reach(self) -> float:
        """Lengths up to it are zero."""
        sizes = [float(subject.size.max()) for subject in self.subjects]
        return SLACK * max([*sizes, 0.0])

    def padded(self, sizes: Array) -> Array:
        """(n, 3) extents with the gap; flat objects are as thick as the reach, or 1 where all are flat."""
        rows = np.maximum(sizes, 10 * self.reach) + self.gap
        if self.flat:
            rows[:, 2] = 1.0
        return np.asarray(rows)


def read_setting(question: Question, objective: Objective) -> Setting:
    """Read a goal of the objectives that arrange objects.

    Raises: InputRejected for a goal that is wrong. Undecided for a scene that does not decide it.
    """
    goal = question.goal
    rotations: Rotations = goal.choice("rotations", ROTATIONS, "z")
    gap = goal.number("gap", 0.0, at_least=0.0)
    supported = goal.flag("supported", False)
    effort = goal.number("effort", 1.0, above=0.0, at_most=EFFORT)
    width = goal.number_or_none("width", above=0.0)
    container = _container(question, goal)
    frame = container.frame if container else np.eye(3)
    found = [
        (item, subject_of(item, frame, rotations, measured=objective == "pack")) for item in _items(question, goal)
    ]
    subjects = tuple(subject for _, subject in found if subject is not None)
    if not subjects:
        raise (
            question.scene.unnamed("point_cloud_scene", "no object has an extent to arrange")
            if not len(question.scene)
            else Undecided("no object has points, faces or bounds; send at least one of them for every object")
        )
    flat = all(subject.size[2] <= 0 for subject in subjects)
    _require_container(goal, objective, container, flat)
    return Setting(
        objective, subjects, container or _present(subjects), rotations, gap, supported, question.seed, effort, flat,
        question.scene.units, width,
        tuple((item.id, "it has no extent") for item, subject in found if subject is None),
    )  # fmt: skip


def _items(question: Question, goal: Members) -> Iterator[SceneObject]:
    """The objects to arrange: those that the goal names, or all but the container and what lies in another object of a diagram."""
    named = goal.texts("objects")
    if named is not None:
        for place, name in enumerate(dict.fromkeys(named)):
            if name == question.secondary_id:
                raise goal.rejected(f"objects.{place}", "is the container; remove it")
            yield question.scene.find(name, f"goal.objects.{place}")
        return
    for item in question.scene:
        if item.id != question.secondary_id and item.parent is None:
            yield item


def _container(question: Question, goal: Members) -> Container | None:
    given = goal.group("container", ("size", "origin"))
    size = given.vector("size", (2, 3), above=0.0) if given else None
    origin = given.vector("origin", (2, 3)) if given else None
    if given is not None and size is None:
        raise given.rejected("size", "is missing; give [x, y, z], or [x, y] for an open height")
    item = question.secondary()
    if size is not None:
        corner = np.zeros(3)
        corner[: len(origin) if origin is not None else 0] = origin if origin is not None else []
        return Container(np.eye(3), corner, size, "goal.container.size")
    return None if item is None else _inside(item)


def _require_container(goal: Members, objective: Objective, container: Container | None, flat: bool) -> None:
    if objective in ("pack", "shelf") and container is None:
        raise goal.rejected("container", f"is missing; give container.size, which {objective} needs, or secondary_id")
    if objective == "pack" and not flat and container is not None and len(container.size) < 3:
        raise goal.rejected("container.size", "has no height; give [x, y, z]")


def _inside(item: SceneObject) -> Container:
    """The largest box inside of an object."""
    for cavity in cavities_of(item):
        if cavity.radius is None:
            frame, lower, upper = _upright(cavity.frame, cavity.lower, cavity.upper)
            return Container(frame, lower, upper - lower, "cavity of secondary_id")
    raise Undecided(
        f"the inside of {item.id} cannot be measured from its faces or points; send goal.container.size, or the walls of the container"
    )


def _upright(frame: Array, lower: Array, upper: Array) -> tuple[Array, Array, Array]:
    """A frame with its most vertical direction last and up, right-handed, and the corners along it."""
    order = np.argsort(np.abs(frame[:, 2]), kind="stable")
    rows, low, high = frame[order], lower[order], upper[order]
    signs = np.ones(3)
    signs[2] = 1.0 if rows[2, 2] >= 0 else -1.0
    signs[0] = np.sign(np.linalg.det(rows)) * signs[2]
    rows = rows * signs[:, None]
    return rows, np.where(signs > 0, low, -high), np.where(signs > 0, high, -low)


def _present(subjects: Sequence[Subject]) -> Container:
    """The extent of the objects as they are."""
    lower, upper = around(subjects, np.eye(3))
    return Container(np.eye(3), lower, upper - lower, "present extent")

"""What each task takes from a request, besides the scene, `object_id`, `detail` and `goal.seed`.

Which tasks take a previous scene, images or sensor readings is in the contract, because the model list says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from spatial.contract.responses import TaskType


@dataclass(frozen=True)
class Takes:
    """What one task takes.

    geometry: the task cannot be answered without points, faces or an extent. goal: the members of `goal` that it reads.
    """

    geometry: bool = True
    secondary: bool = False
    goal: tuple[str, ...] = ()


TAKES: Final[Mapping[TaskType, Takes]] = {
    "fit": Takes(secondary=True, goal=("relation", "protrude", "rotate", "clearance", "direction", "gravity")),
    "stability": Takes(secondary=True, goal=("gravity", "support", "masses", "poses", "fixed")),
    "placement": Takes(
        secondary=True, goal=("relation", "protrude", "rotate", "clearance", "gravity", "prefer", "count")
    ),
    "embed": Takes(),
    "describe": Takes(geometry=False),
    "classify": Takes(geometry=False),
    "compare": Takes(geometry=False, goal=("alignment", "density")),
    "understand": Takes(geometry=False),
    "reconstruct": Takes(goal=("tolerance",)),
    "predict": Takes(
        goal=("horizon", "time_step", "acceleration", "friction", "ground", "gravity", "fixed", "units"),
    ),
    "act": Takes(
        goal=("units", "gripper", "gravity", "ground", "count", "clearance", "move_to", "place_on", "place_in"),
    ),
    "optimize": Takes(
        secondary=True,
        goal=(
            "objective", "rotations", "gap", "supported", "effort", "width", "container", "objects", "overhang_angle",
        ),
    ),
}  # fmt: skip

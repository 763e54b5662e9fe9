"""Compare two scenes of any kind, if they are of the same kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from spatial.reasoning.diff.cloud.compare import compare_clouds
from spatial.reasoning.diff.diagram.compare import compare_diagrams
from spatial.reasoning.diff.drawing.compare import compare_drawings
from spatial.reasoning.diff.model.compare import compare_models
from spatial.reasoning.diff.outcome import Outcome
from spatial.reasoning.log import log_step
from spatial.reasoning.members import Members
from spatial.reasoning.scene.build import UNKNOWN_UNITS
from spatial.reasoning.scene.items.listing import Kind, kind_of
from spatial.reasoning.scene.model import Scene
from spatial.reasoning.units import conversion

NAMES: Final[dict[Kind, str]] = {
    "brep": "a model",
    "drawing2d": "a drawing",
    "diagram2d": "a diagram",
    "point_cloud": "a scene of point clouds",
}

ALIGNMENTS: Final = ("auto", "identity")
"""Values of goal.alignment."""


def compare_scenes(previous: Scene, current: Scene, goal: Members) -> Outcome | str:
    """The differences of two scenes; a sentence if their kinds cannot be compared. Raises: InputRejected."""
    is_fixed = goal.choice("alignment", ALIGNMENTS, "auto") == "identity"
    kinds = kind_of(previous), kind_of(current)
    factor = conversion(previous.units, current.units)
    warnings = list(_unit_warnings(previous, current, factor))
    first, second = previous.document, current.document
    if kinds[0] != kinds[1] or kinds[0] == "point_cloud" or first is None or second is None:
        if not _have_points(previous, current, kinds):
            return (
                f"the previous scene is {NAMES[kinds[0]]} and the current one {NAMES[kinds[1]]}; "
                "send two scenes of one kind, or two with point clouds"
            )
        outcome = compare_clouds(previous, current, factor or 1.0, is_fixed=is_fixed)
    elif kinds[0] == "brep":
        outcome = compare_models(first, second, factor or 1.0, goal, is_fixed=is_fixed)
    elif kinds[0] == "drawing2d":
        outcome = compare_drawings(first, second, factor)
        warnings = []
    else:
        outcome = compare_diagrams(first, second)
    log_step(f"compared as {kinds[0]}: {outcome.verdict}")
    return replace(outcome, warnings=(*outcome.warnings, *warnings))


def _have_points(previous: Scene, current: Scene, kinds: tuple[Kind, Kind]) -> bool:
    """Whether both are models or clouds with points; points on the lines of a sheet are no surface."""
    is_spatial = all(kind in ("brep", "point_cloud") for kind in kinds)
    return is_spatial and all(any(len(each.points) for each in scene) for scene in (previous, current))


def _unit_warnings(previous: Scene, current: Scene, factor: float | None) -> list[str]:
    if factor is None:
        return [
            f"lengths in {_unit(previous)} and {_unit(current)} were compared as numbers, because one of the units is not known"
        ]
    if factor != 1.0:
        return [f"lengths of the previous scene were converted from {previous.units} to {current.units}"]
    return []


def _unit(scene: Scene) -> str:
    return "unknown units" if scene.units == UNKNOWN_UNITS else scene.units

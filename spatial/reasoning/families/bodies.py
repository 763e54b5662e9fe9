"""The rules of the families of parts. Thresholds are ratios; each pair is where a criterion fails and where it is met in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from spatial.reasoning.families.frame import LEAST_CORNERS, ranked
from spatial.reasoning.families.measuring import Features, measure
from spatial.reasoning.families.scoring import Criterion, Judgement, insufficient, judge, ramp
from spatial.reasoning.scene.model import SceneObject

LEAST_POINTS: Final = 100
"""Fewest points of a body without faces: fewer leave its outline open to more than one family."""

ALONG: Final = 0.999
"""Cosine of the angle to an axis below which a direction is not along it: 2.6 degrees."""

Rule = Callable[[Features], list[Criterion]]


def judge_body(body: SceneObject) -> Judgement:
    """The family of one body; `unknown` where it has too little geometry."""
    if not body.faces and len(body.points) < LEAST_POINTS:
        return insufficient(f"the object has no faces and fewer than {LEAST_POINTS} points", {})
    if _lies_at_an_angle(body):
        return insufficient(
            "the object has no points and lies at an angle to the axes, so that its own box is not known; send target_contract both",
            {},
        )
    features = measure(body)
    if features is None:
        return insufficient("the object has no extent in space", {})
    criteria = {family: rule(features) for family, rule in RULES.items()}
    return judge({family: each for family, each in criteria.items() if each}, features.listed())


def _lies_at_an_angle(body: SceneObject) -> bool:
    """Whether the box along the axes says nothing of a body without points: its largest plane, or its main axis, is along none of them."""
    if len(body.points) >= LEAST_CORNERS:
        return False
    leading = [*ranked(body.faces, "plane", "normal")[:1], *ranked(body.faces, "cylinder", "axis")[:1]]
    return bool(leading) and all(float(np.abs(direction).max()) < ALONG for direction in leading)


def _criterion(name: str, value: float, none: float, full: float) -> Criterion:
    return Criterion(name, value, ramp(value, none, full))


def _prism(features: Features) -> float:
    """How much of the surface is plane; of a body without analytic faces, how many points lie on the sides of its box."""
    if features.plane_share is not None and features.walls is not None:
        return features.plane_share
    return features.side_share or 0.0


def _full(features: Features) -> float:
    """How much of the least box is filled; of a cloud, how many points lie on its sides."""
    return features.fill if features.fill is not None else features.side_share or 0.0


def _solid(features: Features) -> float:
    return features.solidity if features.solidity is not None else features.side_share or 0.0


def _not_round(features: Features) -> Criterion:
    return _criterion("axis_share", features.turning.axis_share, 0.9, 0.5)


def _plate(features: Features) -> list[Criterion]:
    return [
        _criterion("flatness", features.flatness, 0.4, 0.25),
        _criterion("solidity", _solid(features), 0.35, 0.6),
        _criterion("plane_share", _prism(features), 0.4, 0.7),
        _not_round(features),
        *_one_wall(features),
    ]


def _one_wall(features: Features) -> list[Criterion]:
    """The thickness of a plate is its shortest extent."""
    if features.walls is None or features.walls.thickness_ratio is None:
        return []
    return [_criterion("thickness_ratio", features.walls.thickness_ratio, 0.3, 0.6)]


def _block(features: Features) -> list[Criterion]:
    return [
        _criterion("flatness", features.flatness, 0.25, 0.4),
        _criterion("elongation", features.elongation, 5.0, 3.0),
        _criterion("fill", _full(features), 0.5, 0.75),
        _criterion("plane_share", _prism(features), 0.4, 0.7),
        _not_round(features),
    ]


def _bar(features: Features) -> list[Criterion]:
    return [
        _criterion("elongation", features.elongation, 3.0, 5.0),
        _criterion("flatness", features.flatness, 0.25, 0.4),
        _criterion("fill", _full(features), 0.3, 0.6),
        _criterion("plane_share", _prism(features), 0.4, 0.7),
        _not_round(features),
    ]


def _round(features: Features) -> Criterion:
    return _criterion("axis_share", features.turning.axis_share, 0.5, 0.8)


def _shaft(features: Features) -> list[Criterion]:
    turning = features.turning
    return [
        _round(features),
        _criterion("length_ratio", turning.length_ratio or 0.0, 0.7, 1.5),
        _criterion("bore_ratio", 1.0 if turning.bore_ratio is None else turning.bore_ratio, 0.6, 0.4),
        _criterion("hex_share", turning.hex_share, 0.1, 0.0),
        _criterion("head_ratio", turning.head_ratio or 1.0, 1.4, 1.2),
        *_solidity(features, 0.35, 0.6),
    ]


def _solidity(features: Features, none: float, full: float) -> list[Criterion]:
    return [] if features.solidity is None else [_criterion("solidity", features.solidity, none, full)]


def _tube(features: Features) -> list[Criterion]:
    turning = features.turning
    return [
        _round(features),
        _criterion("length_ratio", turning.length_ratio or 0.0, 0.2, 0.45),
        _criterion("bore_ratio", turning.bore_ratio or 0.0, 0.3, 0.55),
        _criterion("hex_share", turning.hex_share, 0.1, 0.0),
        *_solidity(features, 0.95, 0.85),
    ]


def _disc(features: Features) -> list[Criterion]:
    turning = features.turning
    return [
        _round(features),
        _criterion("length_ratio", 1.0 if turning.length_ratio is None else turning.length_ratio, 0.45, 0.25),
        _criterion("hex_share", turning.hex_share, 0.1, 0.0),
    ]


def _fastener(features: Features) -> list[Criterion]:
    """A bolt, screw or nut: a hexagon about an axis of round faces, or a round head on a shank."""
    turning = features.turning
    head = ramp(turning.head_ratio or 1.0, 1.2, 1.4) * ramp(turning.axis_share, 0.5, 0.8)
    hexagon = ramp(turning.hex_share, 0.02, 0.08) * ramp(turning.axis_share, 0.1, 0.25)
    long = ramp(turning.length_ratio or 0.0, 0.15, 0.3)
    return [
        Criterion("hex_share", turning.hex_share, hexagon)
        if hexagon >= head
        else Criterion("head_ratio", turning.head_ratio or 1.0, head),
        Criterion("length_ratio", turning.length_ratio or 0.0, long),
    ]


def _sheet_metal(features: Features) -> list[Criterion]:
    walls = features.walls
    if walls is None:
        return []
    return [
        _criterion("thickness_share", walls.thickness_share, 0.5, 0.8),
        _criterion("thickness_ratio", 1.0 if walls.thickness_ratio is None else walls.thickness_ratio, 0.5, 0.25),
        _criterion("bend_count", walls.bend_count, 0, 1),
        _criterion("covered_sides", walls.covered_sides, 6, 5),
    ]


def _bracket(features: Features) -> list[Criterion]:
    walls = features.walls
    if walls is None:
        return []
    return [
        _criterion("solidity", 1.0 if features.solidity is None else features.solidity, 0.85, 0.65),
        _criterion("wall_directions", walls.wall_directions, 1, 2),
        _criterion("thickness_ratio", 1.0 if walls.thickness_ratio is None else walls.thickness_ratio, 0.7, 0.4),
        _criterion("bend_count", walls.bend_count, 3, 0),
        _criterion("covered_sides", walls.covered_sides, 5, 4),
        _criterion("hole_count", features.hole_count or 0, -4, 1),
        _criterion("plane_share", _prism(features), 0.3, 0.5),
        _not_round(features),
    ]


def _enclosure(features: Features) -> list[Criterion]:
    walls = features.walls
    if walls is None:
        return []
    return [
        _criterion("covered_sides", walls.covered_sides, 3, 5),
        _criterion("solidity", 1.0 if features.solidity is None else features.solidity, 0.7, 0.5),
        _criterion("thickness_ratio", 1.0 if walls.thickness_ratio is None else walls.thickness_ratio, 0.5, 0.25),
        _criterion("hull_fill", features.hull_fill or 0.0, 0.6, 0.85),
    ]


def _freeform(features: Features) -> list[Criterion]:
    if features.spline_share is None:
        return []
    side = features.side_share or 0.0
    return [
        _criterion("spline_share", features.spline_share, 0.2, 0.5),
        _criterion("side_share", side, 0.9, 0.6),
        _not_round(features),
    ]


RULES: Final[dict[str, Rule]] = {
    "plate": _plate,
    "block": _block,
    "bar": _bar,
    "shaft": _shaft,
    "tube": _tube,
    "disc": _disc,
    "fastener": _fastener,
    "sheet_metal": _sheet_metal,
    "bracket": _bracket,
    "enclosure": _enclosure,
    "freeform": _freeform,
}
"""Families of parts. A rule without criteria means that the input does not show whether a body is of the family."""

FAMILIES: Final[Sequence[str]] = tuple(RULES)

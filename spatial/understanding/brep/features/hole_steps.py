"""The cylinders and cones of one hole from its entry, and what widens it there.

Glossary
  seat   what a countersunk head lies in: a cone around a hole that the screw's shank goes through.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, degrees
from typing import Any

from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.bands import Band
from spatial.understanding.brep.features.shape import FeatureShape


@dataclass
class Step:
    """One cylinder or cone; millimetres from the entry."""

    kind: str
    begin: float
    end: float
    radius: float
    end_radius: float


def step_of(band: Band, entry: float, side: float) -> Step:
    """A band as it is seen from an entry. side: +1 where the hole goes up along its axis, else -1."""
    begin, end = (band.low, band.high) if side > 0.0 else (band.high, band.low)
    radii = band.radii if side > 0.0 else band.radii[::-1]
    return Step(band.kind, (begin - entry) * side, (end - entry) * side, radii[0], radii[1])


def merged(shape: FeatureShape, steps: list[Step]) -> list[Step]:
    """One step for two cylinders of one diameter that something cut apart."""
    found: list[Step] = []
    for step in steps:
        last = found[-1] if found else None
        alike = last is not None and last.kind == step.kind == "cylinder"
        if last is not None and alike and abs(last.radius - step.radius) <= shape.tolerance:
            last.end = step.end
        else:
            found.append(step)
    return found


def described(shape: FeatureShape, steps: list[Step]) -> dict[str, Any]:
    """Diameter, and what widens the entry."""
    core = min((step for step in steps if step.kind == "cylinder"), key=lambda step: step.radius)
    members: dict[str, Any] = {"diameter": 2.0 * core.radius}
    first, rest = steps[0], steps
    if first.kind == "cone" and first.radius > first.end_radius:
        angle = 2.0 * degrees(atan((first.radius - first.end_radius) / (first.end - first.begin)))
        word = _cone_word(first, next(step for step in steps if step.kind == "cylinder"), angle)
        if word is not None:
            members[word] = {"diameter": 2.0 * first.radius, "depth": first.end, "angle": angle}
        rest = steps[1:]
    is_wider = len(rest) > 1 and rest[0].kind == "cylinder" and rest[0].radius > core.radius + shape.tolerance
    is_cut = is_wider and rest[0].end - rest[0].begin >= thresholds.SPOTFACE_LEAST
    if is_cut and rest[0].end <= thresholds.COUNTERBORE_DEPTH * 2.0 * rest[0].radius:
        word = "spotface" if _is_spotface(rest[0], core) else "counterbore"
        members[word] = {"diameter": 2.0 * rest[0].radius, "depth": rest[0].end}
    if len(steps) > 1:
        members["steps"] = [_row(step) for step in steps]
    return members


def _cone_word(cone: Step, below: Step, angle: float) -> str | None:
    """A seat of a head by its angle and how much wider than the hole below it is; else a broken edge, unless it is too wide for one."""
    is_wide = cone.radius >= thresholds.COUNTERSINK_DIAMETER * below.radius
    is_standard = any(abs(angle - each) <= thresholds.COUNTERSINK_FIT for each in thresholds.COUNTERSINK_ANGLES)
    if is_wide and is_standard:
        return "countersink"
    low, high = (2.0 * each for each in thresholds.CHAMFER_ANGLES)
    return "chamfer" if not is_wide and low <= angle <= high else None


def _is_spotface(wide: Step, core: Step) -> bool:
    """Whether a widening only cleans the surface for a head or washer."""
    depth = wide.end - wide.begin
    return depth < thresholds.SPOTFACE_DEPTH * 2.0 * core.radius and depth <= thresholds.SPOTFACE_ALLOWANCE


def _row(step: Step) -> dict[str, Any]:
    row = {"shape": step.kind, "diameter": 2.0 * step.radius}
    if step.kind == "cone":
        row["end_diameter"] = 2.0 * step.end_radius
    return row | {"begin": step.begin, "end": step.end}

"""What widens a hole of a model at its two ends, read from its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees
from typing import Final

from spatial.contract.features import Feature, HoleStep

WIDER: Final = 1.0 + 1e-6
"""Ratio of diameters from which one is wider."""


@dataclass(frozen=True)
class Widening:
    """A counterbore or a countersink of a model; millimetres and degrees.

    inner: of a cone, the diameter where it ends. is_cone: whether it is a countersink or a chamfer.
    """

    is_cone: bool
    diameter: float
    depth: float | None
    angle: float | None = None
    inner: float | None = None


def widenings(feature: Feature, factor: float) -> tuple[Widening, ...]:
    """Those of both ends of a hole. factor: millimetres per unit of the feature."""
    steps = [each for each in feature.steps or () if isinstance(each, HoleStep)]
    if not steps or not feature.diameter:
        return tuple(_stated(feature, factor))
    found = _of_end(steps, feature.diameter, factor)
    if feature.through:
        last = steps[-1].end
        turned = [
            HoleStep(
                shape=each.shape,
                diameter=each.end_diameter if each.end_diameter is not None else each.diameter,
                end_diameter=each.diameter if each.end_diameter is not None else None,
                begin=last - each.end,
                end=last - each.begin,
            )
            for each in reversed(steps)
        ]
        found += _of_end(turned, feature.diameter, factor)
    return tuple(found)


def _of_end(steps: Sequence[HoleStep], core: float, factor: float) -> list[Widening]:
    """From the surface to the first step of the hole's own diameter."""
    found = []
    for step in steps:
        if step.shape == "cylinder" and step.diameter <= core * WIDER:
            break
        if step.shape == "cylinder":
            found.append(Widening(False, step.diameter * factor, step.end * factor))
        elif step.shape == "cone" and step.end_diameter is not None and step.diameter > step.end_diameter * WIDER:
            height = step.end - step.begin
            angle = 2.0 * degrees(atan2(0.5 * (step.diameter - step.end_diameter), height))
            found.append(Widening(True, step.diameter * factor, height * factor, angle, step.end_diameter * factor))
    return found


def _stated(feature: Feature, factor: float) -> list[Widening]:
    found = []
    for each, is_cone in (
        (feature.counterbore, False),
        (feature.spotface, False),
        (feature.countersink, True),
        (feature.chamfer, True),
    ):
        if each is not None:
            depth = None if each.depth is None else each.depth * factor
            inner = None if feature.diameter is None else feature.diameter * factor
            found.append(Widening(is_cone, each.diameter * factor, depth, each.angle, inner if is_cone else None))
    return found

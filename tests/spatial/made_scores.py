"""How well features that are found agree with those that a part was made with (`made_parts`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.contract.features import Feature, TurnedStep
from tests.spatial.made_parts import Truth

TREATMENTS: Final = ("counterbore", "countersink", "spotface")
"""What stands at the entry of a hole, and counts by itself."""

ARRANGED: Final = ("circle", "grid")
"""Patterns that parts are made with, and that nothing else of them makes by chance."""

SIZES: Final = 1e-3
"""Part of a size, or millimetres of one below 1, up to which it is right."""

PLACE_MM: Final = 1e-2
"""How far a feature's axis may pass from where it was made."""


@dataclass
class Score:
    """Of one part."""

    right: list[str] = field(default_factory=list)
    """The kinds of what was found with all its sizes, in its place."""
    missed: list[Truth] = field(default_factory=list)
    false: list[tuple[str, Feature | TurnedStep]] = field(default_factory=list)
    """What was found and never made, or has other sizes."""


def score(truth: list[Truth], found: list[Feature]) -> Score:
    """Each feature that was made against one that was found; patterns count where they are circles or grids."""
    left: list[tuple[str, Feature | TurnedStep]] = [(kind, feature) for feature in found for kind in _kinds(feature)]
    left += [("turned_groove", groove) for feature in found for groove in feature.grooves or []]
    result = Score()
    for made in truth:
        fit = next((each for each in left if each[0] == made.kind and _agrees(made, each[1])), None)
        if fit is None:
            result.missed.append(made)
        else:
            left.remove(fit)
            result.right.append(made.kind)
    result.false = left
    return result


def _kinds(feature: Feature) -> Iterator[str]:
    if feature.type != "pattern":
        yield feature.type
    elif feature.pattern in ARRANGED:
        yield feature.pattern
    yield from (name for name in TREATMENTS if getattr(feature, name) is not None)


def _agrees(made: Truth, feature: Feature | TurnedStep) -> bool:
    members = feature.model_dump()
    for name, size in made.sizes.items():
        value = _member(members, name.split("."))
        if value is None or abs(float(value) - size) > SIZES * max(1.0, abs(size)):
            return False
    if made.at is None or isinstance(feature, TurnedStep) or feature.position is None or feature.axis is None:
        return True
    away, axis = np.subtract(made.at, feature.position), np.array(feature.axis)
    return float(np.linalg.norm(away - (away @ axis) * axis)) <= PLACE_MM


def _member(value: Any, names: list[str]) -> Any:
    """A member of a member: `steps.1.end`; None where there is none."""
    for name in names:
        if isinstance(value, (list, tuple)):
            value = value[int(name)] if int(name) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value

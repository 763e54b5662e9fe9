"""Members of a request's `goal`, checked: numbers, directions, choices. Every error names the member and says what to send."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import numpy as np

from spatial.errors import InputRejected
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.inclusion import Turning

DOWN: Final = (0.0, 0.0, -1.0)
"""Gravity where the goal names none: z points up in models."""

Choice = TypeVar("Choice", bound=str)


def direction(goal: Mapping[str, Any], name: str) -> Array | None:
    """(3,) the unit vector of a member; None where it is absent. Raises: InputRejected."""
    value = goal.get(name)
    if value is None:
        return None
    if isinstance(value, Mapping):
        value = [value.get(axis) for axis in "xyz"]
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 3 or not all(map(_is_number, value)):
        raise wrong(name, "is not a vector of three finite numbers")
    found = np.array(value, dtype=np.float64)
    length = float(np.linalg.norm(found))
    if length == 0:
        raise wrong(name, "has no length")
    return np.asarray(found / length)


def gravity(goal: Mapping[str, Any]) -> Array:
    """(3,) the unit vector of gravity; -z where the goal names none. Raises: InputRejected."""
    found = direction(goal, "gravity")
    return np.array(DOWN) if found is None else found


def number(goal: Mapping[str, Any], name: str, default: float, least: float = 0.0) -> float:
    """A number from `least`. Raises: InputRejected."""
    value = goal.get(name, default)
    if not _is_number(value) or value < least:
        raise wrong(name, f"is not a finite number from {least:g}")
    return float(value)


def count(goal: Mapping[str, Any], name: str, default: int, most: int) -> int:
    """A whole number from 1 to `most`. Raises: InputRejected."""
    value = goal.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise wrong(name, f"is not a whole number from 1 to {most}")
    return value


def flag(goal: Mapping[str, Any], name: str, default: bool) -> bool:
    """True or false. Raises: InputRejected."""
    value = goal.get(name, default)
    if not isinstance(value, bool):
        raise wrong(name, "is not true or false")
    return value


def choice(goal: Mapping[str, Any], name: str, choices: Sequence[Choice], default: Choice) -> Choice:
    """One of a few words. Raises: InputRejected."""
    value = goal.get(name, default)
    for each in choices:
        if value == each and isinstance(value, str):
            return each
    raise wrong(name, f"is not one of {', '.join(choices)}")


def turning(goal: Mapping[str, Any]) -> Turning:
    """Which orientations `rotate` allows: true for any, "axes" for aligned ones, false for the present one. Raises: InputRejected."""
    value = goal.get("rotate", True)
    if isinstance(value, bool):
        return "any" if value else "none"
    if value != "axes":
        raise wrong("rotate", 'is not true, false or "axes"')
    return "axes"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def wrong(name: str, problem: str) -> InputRejected:
    """The error for a member of the goal."""
    return InputRejected(f"input.goal.{name} {problem}; correct it", details={"field": f"input.goal.{name}"})

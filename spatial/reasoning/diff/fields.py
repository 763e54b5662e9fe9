"""Which members of two mappings differ."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

RELATIVE: Final = 1e-9
"""Relative difference of two numbers that are the same: documents carry twelve digits."""


def changed_fields(
    previous: Mapping[str, Any], current: Mapping[str, Any], without: Iterable[str] = ()
) -> dict[str, dict[str, Any]]:
    """Members that differ: name to {previous, current}; the side that lacks the member is left out."""
    ignored = set(without)
    names = [name for name in dict.fromkeys([*previous, *current]) if name not in ignored]
    found = {}
    for name in sorted(names):
        before, after = previous.get(name), current.get(name)
        if not equal(before, after):
            found[name] = delta(before, after)
    return found


def delta(previous: Any, current: Any) -> dict[str, Any]:
    """{previous, current}, without the side that is absent."""
    pair = {"previous": previous, "current": current}
    return {side: value for side, value in pair.items() if value is not None}


def amounts(previous: float | None, current: float | None) -> dict[str, float] | None:
    """{previous, current, delta, relative} of a quantity; None where neither side has it."""
    if previous is None and current is None:
        return None
    found = delta(previous, current)
    if previous is not None and current is not None:
        found["delta"] = current - previous
        if previous != 0.0:
            found["relative"] = (current - previous) / abs(previous)
    return found


def equal(previous: Any, current: Any) -> bool:
    """Whether two JSON values are equal, numbers up to RELATIVE; an absent mapping or list equals an empty one."""
    if isinstance(previous, Mapping) or isinstance(current, Mapping):
        before, after = previous or {}, current or {}
        if not (isinstance(before, Mapping) and isinstance(after, Mapping)):
            return False
        return all(equal(before.get(name), after.get(name)) for name in {*before, *after})
    if isinstance(previous, list | tuple) and isinstance(current, list | tuple):
        return len(previous) == len(current) and all(map(equal, previous, current))
    if _is_number(previous) and _is_number(current):
        return math.isclose(previous, current, rel_tol=RELATIVE, abs_tol=0.0)
    return bool(previous == current)


def written(value: Any) -> str:
    """A value in a sentence."""
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple):
        return "(" + ", ".join(written(each) for each in value) + ")"
    return repr(value) if isinstance(value, str) else str(value)


def fields_text(fields: Mapping[str, Mapping[str, Any]]) -> str:
    """Changed members in a sentence: "class 'H7' to 'H8'"."""
    return ", ".join(
        f"{name} {written(each.get('previous'))} to {written(each.get('current'))}" for name, each in fields.items()
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)

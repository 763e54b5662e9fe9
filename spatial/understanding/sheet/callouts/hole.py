"""Holes: a Ø, or a number that THRU, a drill or the word hole makes one. ASME Y14.5-2018 §4.6, ISO 129-1 §9."""

from __future__ import annotations

from typing import Final

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import Feature, Size, SizeRule

LONE_DIAMETER: Final = 0.7
"""Confidence of a Ø that nothing but its sign calls a hole: it may be a shaft's."""
_HOLE_PROCESSES: Final = frozenset(("drill", "ream", "bore", "drilled", "reamed", "bored", "punch"))


def _is_hole(feature: Feature, size: Size) -> bool:
    if size.is_angular or feature.members.get("outside") or not size.number.value:
        return False
    is_drilled = feature.members.get("process") in _HOLE_PROCESSES
    return size.sign == "Ø" or (size.sign == "" and (_is_called_hole(feature, size) or is_drilled))


def _is_called_hole(feature: Feature, size: Size) -> bool:
    """Whether words make a bare number a hole: `6.6 THRU`, `4 HOLES 8`; `HOLE 3` is a name."""
    members = feature.members
    return bool(
        members.get("through")
        or (members.get("called_hole") and ("quantity" in members or size.number.decimals or size.number.unit))
    )


def _complete_hole(feature: Feature, size: Size, context: Context) -> None:
    if "nominal" in feature.members:
        feature.members["diameter"] = feature.members["nominal"]


def _is_second(feature: Feature, main: str) -> bool:
    """A Ø with a tolerance or a class is a hole where a depth or THRU says so."""
    return any(key in feature.members for key in ("through", "depth", "called_hole"))


def _most_confidence(feature: Feature) -> float:
    """Whether more than a Ø says that it is a hole and no shaft."""
    is_known = any(key in feature.members for key in ("through", "depth", "quantity", "called_hole", "process"))
    return 1.0 if is_known else LONE_DIAMETER


HOLE: Final = SizeRule("hole", _is_hole, _complete_hole, is_second=_is_second, most_confidence=_most_confidence)

"""Basic (theoretically exact) dimensions: a size in a box. ASME Y14.5-2018 §5.3.4, ISO 1101 §10."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spatial.contract.drawing import Callout
from spatial.understanding.sheet.callouts.feature import Feature, Size, SizeRule

TIED: Final = 3
"""Basic sizes in dimension lines from which the others of a sheet need none."""


def _is_basic(feature: Feature, size: Size) -> bool:
    return bool(feature.members.get("boxed")) and size.other is None


BASIC: Final = SizeRule("basic", _is_basic, stands_alone=True)


def without_loose_boxes(callouts: Sequence[Callout]) -> list[Callout]:
    """The callouts without boxed numbers that nothing ties to the part, where no geometrical tolerance gives a box a meaning.

    A basic size says where the zone of a tolerance lies; without one, a number in a box is a contact, a position or a code. Where
    several boxes stand in dimension lines, the sheet writes its basic sizes so, whether its tolerances were read or not.
    """
    tied = [each for each in callouts if each.type == "basic" and getattr(each, "role", None) != "free"]
    if len(tied) >= TIED or any(each.type == "gdt" for each in callouts):
        return list(callouts)
    return [each for each in callouts if each.type != "basic" or getattr(each, "role", None) != "free"]

"""Diameters that the picture shows to be of the outside of a part or of a circle of centres: a Ø alone is then a size, and no hole."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from spatial.contract.drawing import Callout

_OF_HOLES: Final = frozenset(("through", "depth", "quantity", "process", "bolt_circle_diameter", "feature_text"))
"""Members that only a hole has, or several equal features, which may be holes of several views."""


def without_outside_diameters(callouts: Sequence[Callout], outside: Collection[str]) -> list[Callout]:
    """Callouts without the holes of which nothing but a Ø says that they are some, and whose dimension is of the outside
    or of a circle of centres.

    outside: ids of dimensions and of their texts.
    """
    return [one for one in callouts if not (_is_lone_diameter(one) and not set(one.sources or ()).isdisjoint(outside))]


def _is_lone_diameter(callout: Callout) -> bool:
    said = callout.model_dump(exclude_none=True)
    return callout.type == "hole" and said.get("role") == "dimension" and said.keys().isdisjoint(_OF_HOLES)

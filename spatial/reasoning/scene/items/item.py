"""One listed object, and how a fact about it was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from spatial.reasoning.scene.model import Array, SceneObject

Source = Literal["structure", "geometry"]
"""structure: the document states it. geometry: it was measured on coordinates."""


@dataclass(frozen=True, eq=False)
class Item:
    """One object of a scene: a solid, an assembly, a node of a diagram, a sheet, a view, a table of a drawing, a point cloud.

    bounds: (2, 3) minimum and maximum corner in absolute coordinates; None where nothing tells them.
    bounds_source, bounds_rule: how the bounds were found; meaningless without bounds.
    parent: id of the listed object that holds it.
    group: objects of the same group lie in one frame and are related with one another; None for an object that is not related.
    properties: further members of the object in the answer.
    """

    id: str
    type: str
    name: str | None = None
    parent: str | None = None
    parent_source: Source = "structure"
    bounds: Array | None = None
    bounds_source: Source = "structure"
    bounds_rule: str = "stated by the document"
    group: str | None = None
    is_flat: bool = False
    geometry: SceneObject | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)


def union(bounds: Iterable[Array | None]) -> Array | None:
    """(2, 3) around all that there are; None around nothing."""
    known = [each for each in bounds if each is not None]
    if not known:
        return None
    corners = np.stack(known)
    return np.stack([corners[:, 0].min(axis=0), corners[:, 1].max(axis=0)])


def flat(low: Iterable[float], high: Iterable[float]) -> Array:
    """(2, 3) at z = 0 from two flat corners."""
    return np.array([[*low, 0.0], [*high, 0.0]], dtype=np.float64)

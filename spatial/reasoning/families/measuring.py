"""The features of a body that decide its family; all are ratios, so turning, moving and scaling do not change them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from spatial.reasoning.families.frame import Frame, frame_of, ranked
from spatial.reasoning.families.turning import Turning, turning_of
from spatial.reasoning.families.walls import Walls, walls_of
from spatial.reasoning.features.cylinders import find_cylinders
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.scene.relations.hulls import corners_of

ON_SIDE: Final = 0.01
"""Distance from a side of the least box within which a point lies on it, as a part of the box's shortest extent; noise of a good scan."""

ANALYTIC: Final = frozenset({"plane", "cylinder", "cone", "sphere", "torus"})


@dataclass(frozen=True)
class Features:
    """Ratios of a body; None where the input does not tell one.

    elongation     longest extent of the least box to its middle one.
    flatness       shortest extent to the middle one.
    fill           volume to that of the least box.
    solidity       volume to that of the convex hull.
    hull_fill      convex hull to the least box.
    side_share     part of the points that lie on the sides of the least box.
    plane_share, spline_share   part of the surface that is plane, and of no analytic type.
    """

    elongation: float
    flatness: float
    fill: float | None
    solidity: float | None
    hull_fill: float | None
    side_share: float | None
    plane_share: float | None
    spline_share: float | None
    hole_count: int | None
    turning: Turning
    walls: Walls | None

    def listed(self) -> dict[str, Any]:
        """All of them by name."""
        rows = asdict(self)
        return {
            **{name: value for name, value in rows.items() if name not in ("turning", "walls")},
            **rows["turning"],
            **(rows["walls"] or {}),
        }


def measure(body: SceneObject) -> Features | None:
    """The features of a body; None where it has no extent in space."""
    frame = frame_of(body)
    if frame is None or frame.extents[2] <= 0:
        return None
    long, middle, short = (float(each) for each in frame.extents)
    box, hull = long * middle * short, _hull_volume(body)
    volume = body.volume if body.volume is not None and body.volume > 0 else None
    cylinders = find_cylinders(body)
    return Features(
        elongation=long / middle,
        flatness=short / middle,
        fill=None if volume is None else volume / box,
        solidity=None if volume is None or not hull else min(volume / hull, 1.0),
        hull_fill=None if not hull else hull / box,
        side_share=_side_share(body, frame),
        plane_share=_share(body, {"plane"}),
        spline_share=None if (share := _share(body, ANALYTIC)) is None else 1 - share,
        hole_count=sum(each.side == "hole" for each in cylinders) if _has_analytic(body) else None,
        turning=turning_of(body, frame),
        walls=walls_of(body, frame) if _has_analytic(body) else None,
    )


def _has_analytic(body: SceneObject) -> bool:
    return bool(ranked(body.faces, "plane", "normal")) or any(face.type in ANALYTIC for face in body.faces)


def _hull_volume(body: SceneObject) -> float | None:
    points = body.points if len(body.points) >= 4 else corners_of(body)
    try:
        return float(ConvexHull(points).volume)
    except (QhullError, ValueError):
        return None


def _side_share(body: SceneObject, frame: Frame) -> float | None:
    if len(body.points) < 4:
        return None
    apart = np.abs(np.abs(frame.local(body.points)) - frame.extents / 2)
    return float((apart.min(axis=1) <= ON_SIDE * frame.extents[2]).mean())


def _share(body: SceneObject, kinds: frozenset[str] | set[str]) -> float | None:
    total = sum(face.area or 0.0 for face in body.faces)
    return sum(face.area or 0.0 for face in body.faces if face.type in kinds) / total if total else None

"""Bodies of a model: which lie within which, which touch, which stand on which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.model import Array, SceneObject
from spatial.reasoning.scene.relations.boxes import Group
from spatial.reasoning.scene.relations.contact import SAMPLED_REACH, Contact, find_contact, is_box
from spatial.reasoning.scene.relations.relation import SceneRelation

UPRIGHT: Final = 0.996
"""Least cosine between the normal of a contact and z for the upper body to stand on the lower: 5 degrees."""

NEAREST: Final = 12
"""Most bodies near one body that are tried for contact, the nearest first, in a scene of more than DENSE bodies."""

DENSE: Final = 100
"""Bodies up to which every pair whose bounds touch is tried: about a second of 2,048 points each."""

HULL_TOLERANCE: Final = 1e-6
"""Part of the hull's diagonal by which a point may lie outside and count as within."""


@dataclass
class Limited:
    """What was left out. pairs: pairs whose bounds touch and that were not tried for contact."""

    pairs: int = 0


def body_relations(group: Group, limited: Limited) -> Iterator[SceneRelation]:
    """inside, on, adjacent and overlaps; each pair at most once."""
    for one, other in _near(group, limited):
        relation = _relate(group, one, other)
        if relation is not None:
            yield relation


def _near(group: Group, limited: Limited) -> Iterator[tuple[int, int]]:
    """Pairs whose bounds touch, within what sampled points may miss."""
    slack = _slack(group)
    tried: set[tuple[int, int]] = set()
    for first, separation in group.chunks():
        rows = np.arange(first, first + len(separation))
        apart = separation.max(axis=2)
        apart[np.arange(len(rows)), rows] = np.inf
        limit = slack[rows, None]
        for place, row in enumerate(rows):
            near = np.flatnonzero(apart[place] <= np.minimum(limit[place], slack))
            kept = near if len(group.items) <= DENSE else _nearest(group, int(row), near)
            tried |= {(min(int(row), int(each)), max(int(row), int(each))) for each in kept}
            limited.pairs += len(near) - len(kept)
    yield from sorted(tried)


def _nearest(group: Group, row: int, near: NDArray[np.intp]) -> NDArray[np.intp]:
    centres = (group.low + group.high) / 2
    order = np.argsort(np.linalg.norm(centres[near] - centres[row], axis=1), kind="stable")
    return np.asarray(near[order[:NEAREST]])


def _slack(group: Group) -> Array:
    """(n,) how far the bounds of a body may be from those of a larger one that it touches."""
    sampled = np.array([item.geometry is None or not item.geometry.faces for item in group.items])
    diagonals = np.linalg.norm(group.high - group.low, axis=1)
    return np.asarray(np.where(sampled, SAMPLED_REACH * diagonals, group.tolerance))


def _relate(group: Group, one: int, other: int) -> SceneRelation | None:
    first, second = group.items[one], group.items[other]
    if first.geometry is None or second.geometry is None:
        return None
    held = _enclosed(group, one, other)
    if held is not None:
        return held
    contact = find_contact(first.geometry, second.geometry, group.tolerance)
    if contact is not None:
        return _touching(first, second, contact)
    return _overlap(group, one, other) if is_box(first.geometry) and is_box(second.geometry) else None


def _touching(first: Item, second: Item, contact: Contact) -> SceneRelation:
    """`on` where the contact is level, else `adjacent`."""
    measured = {"gap": contact.gap, "normal": contact.normal, "sample_spacing": contact.spacing}
    rule = {
        "boxes": "sides of two boxes touch",
        "planes": "plane faces with opposite normals in one plane, with sampled points of both side by side",
        "cylinders": "cylinder faces of one axis and one radius, with sampled points of both side by side",
        "points": "least distance between sampled points; the gap is at most as large",
    }[contact.how]
    height = contact.normal[2] if contact.normal else 0.0
    if abs(height) < UPRIGHT:
        return SceneRelation("adjacent", first.id, second.id, "geometry", rule, measured)
    upper, lower = (second, first) if height > 0 else (first, second)
    return SceneRelation("on", upper.id, lower.id, "geometry", rule, measured)


def _overlap(group: Group, one: int, other: int) -> SceneRelation | None:
    depth = float(-group.separation(one, other).max())
    if depth <= group.tolerance:
        return None
    ids = group.items[one].id, group.items[other].id
    return SceneRelation("overlaps", *ids, "geometry", "boxes whose interiors meet", {"depth": depth})


def _enclosed(group: Group, one: int, other: int) -> SceneRelation | None:
    """`inside`, where all of one body lies within the convex hull of the other."""
    for inner, outer in ((one, other), (other, one)):
        low, high = group.low, group.high
        slack = group.tolerance
        if (low[inner] < low[outer] - slack).any() or (high[inner] > high[outer] + slack).any():
            continue
        body, holder = group.items[inner], group.items[outer]
        if body.geometry is None or holder.geometry is None or not _is_smaller(group, inner, outer):
            continue
        margin = _margin(body.geometry, holder.geometry)
        if margin is not None:
            rule = "all its points lie within the convex hull of the other"
            return SceneRelation("inside", body.id, holder.id, "geometry", rule, {"least_margin": margin})
    return None


def _is_smaller(group: Group, inner: int, outer: int) -> bool:
    sizes = group.high - group.low
    return float(np.linalg.norm(sizes[inner])) < float(np.linalg.norm(sizes[outer])) * (1 - 1e-9)


def _margin(body: SceneObject, holder: SceneObject) -> float | None:
    """Least distance of a body's points from the hull of its holder; None if one lies outside, or there is no hull."""
    points = body.points if len(body.points) else _corners(body)
    hull = _hull(holder)
    if hull is None:
        return None
    reach = float((points @ hull[:, :3].T + hull[:, 3]).max())
    size = float(np.linalg.norm(holder.size)) if holder.size is not None else 0.0
    return max(-reach, 0.0) if reach <= size * HULL_TOLERANCE else None


def _corners(body: SceneObject) -> Array:
    assert body.bounds is not None  # it is in a group
    return np.array(
        [[body.bounds[x, 0], body.bounds[y, 1], body.bounds[z, 2]] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    )


def _hull(holder: SceneObject) -> Array | None:
    """(n, 4) half-spaces of the convex hull: outward normals and offsets."""
    points = holder.points if len(holder.points) else _corners(holder)
    try:
        return np.asarray(ConvexHull(points).equations)
    except (QhullError, ValueError):
        return None

"""Bodies of a model: which lie within which, which touch, which stand on which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.scene.items.item import Item
from spatial.reasoning.scene.model import Array
from spatial.reasoning.scene.relations.boxes import Group
from spatial.reasoning.scene.relations.contact import SAMPLED_REACH, Contact, find_contact, is_box
from spatial.reasoning.scene.relations.hulls import Hulls
from spatial.reasoning.scene.relations.relation import SceneRelation

UPRIGHT: Final = 0.996
"""Least cosine between the normal of a contact and z for the upper body to stand on the lower: 5 degrees."""

NEAREST: Final = 12
"""Most bodies near one body that are tried for contact, the nearest first, in a scene of more than DENSE bodies."""

DENSE: Final = 100
"""Bodies up to which every pair whose bounds touch is tried: about a second of 2,048 points each."""


@dataclass
class Limited:
    """What was left out. pairs: pairs whose bounds touch and that were not tried for contact."""

    pairs: int = 0


def body_relations(group: Group, limited: Limited) -> Iterator[SceneRelation]:
    """inside, on, adjacent and overlaps: of a pair at most `inside` and one of the others."""
    hulls = Hulls()
    for one, other in _near(group, limited):
        yield from _relate(group, one, other, hulls)


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


def _relate(group: Group, one: int, other: int, hulls: Hulls) -> Iterator[SceneRelation]:
    first, second = group.items[one], group.items[other]
    if first.geometry is None or second.geometry is None:
        return
    held = _enclosed(group, one, other, hulls)
    if held is not None:
        yield held
    if (
        np.abs(group.low[one] - group.low[other]).max()
        <= group.tolerance
        >= np.abs(group.high[one] - group.high[other]).max()
    ):
        yield SceneRelation("overlaps", first.id, second.id, "geometry", "both have the same bounds")
        return
    contact = find_contact(first.geometry, second.geometry, group.tolerance)
    if contact is not None:
        yield _touching(first, second, contact)
    elif held is None and is_box(first.geometry) and is_box(second.geometry):
        yield from _overlap(group, one, other)


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


def _overlap(group: Group, one: int, other: int) -> Iterator[SceneRelation]:
    depth = float(-group.separation(one, other).max())
    if depth > group.tolerance:
        ids = group.items[one].id, group.items[other].id
        yield SceneRelation("overlaps", *ids, "geometry", "boxes whose interiors meet", {"depth": depth})


def _enclosed(group: Group, one: int, other: int, hulls: Hulls) -> SceneRelation | None:
    """`inside`, where all of one body lies within the convex hull of the other."""
    slack = group.tolerance
    for inner, outer in ((one, other), (other, one)):
        low, high = group.low, group.high
        if (low[inner] < low[outer] - slack).any() or (high[inner] > high[outer] + slack).any():
            continue
        body, holder = group.items[inner], group.items[outer]
        if body.geometry is None or holder.geometry is None or not _is_smaller(group, inner, outer):
            continue
        margin = hulls.margin(body.geometry, holder.geometry)
        if margin is not None:
            rule = "all its points lie within the convex hull of the other"
            return SceneRelation("inside", body.id, holder.id, "geometry", rule, {"least_margin": margin})
    return None


def _is_smaller(group: Group, inner: int, outer: int) -> bool:
    sizes = group.high - group.low
    return float(np.linalg.norm(sizes[inner])) < float(np.linalg.norm(sizes[outer])) * (1 - 1e-9)

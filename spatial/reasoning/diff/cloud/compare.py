"""The differences of two scenes of point clouds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from spatial.reasoning.diff.alignment import Alignment, choose
from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost, unique_matches
from spatial.reasoning.diff.cloud.local import Cloud, cloud_of
from spatial.reasoning.diff.cloud.register import EXACT, FINE, Registration, check, plane_distances, register
from spatial.reasoning.diff.fields import delta
from spatial.reasoning.diff.outcome import Outcome
from spatial.reasoning.diff.rigid import IDENTITY, Rigid
from spatial.reasoning.diff.section import Change, Lone, PairScore, Section
from spatial.reasoning.diff.similarity import LARGE, distances
from spatial.reasoning.scene.model import Array, Scene

WEIGHTS: Final = {
    "spread": Weight(0.6, "standard deviations along the principal axes do not depend on the place"),
    "place": Weight(0.4, "most objects stay where they are"),
}
"""Terms of the cost of two clouds with different ids."""

LIMIT: Final = 0.45
"""Cost above which two clouds are different objects."""

SPREAD: Final = 0.2
"""Difference of spreads, as a part of the larger one, at which two clouds have nothing in common."""

NEAR: Final = 0.1
"""Distance of the centres, as a part of the size, up to which two samples may be of one surface in one place."""

MOST_CANDIDATES: Final = 4
"""Most pairs of which the motion is tried as the alignment of the scene."""


def compare_clouds(previous: Scene, current: Scene, factor: float, *, is_fixed: bool) -> Outcome:
    """Every difference of two scenes of point clouds. is_fixed: both are in one frame, so the alignment is the identity."""
    first, second = _clouds(previous, factor), _clouds(current, 1.0)
    matches = _match(first, second)
    pairs = [(first[match.previous], second[match.current]) for match in matches]
    checks = _Checks(pairs)
    alignment = _align(checks, is_fixed)
    found = [
        _snapped(*pair, register(*pair, alignment.transform, checks.of(place, alignment.transform)), alignment)
        for place, pair in enumerate(pairs)
    ]
    changes = [
        list(_changes(before, after, each, alignment)) for (before, after), each in zip(pairs, found, strict=True)
    ]
    section = Section(
        "objects",
        "object",
        added=[_lone(second[place]) for place in rest(len(second), [match.current for match in matches])],
        removed=[_lone(first[place]) for place in rest(len(first), [match.previous for match in matches])],
        changes=[change for rows in changes for change in rows],
        unchanged=sum(not rows for rows in changes),
        pairs=[_score(before, after, each) for (before, after), each in zip(pairs, found, strict=True)],
    )
    deviations = {after.id: _deviation(before, after, each) for (before, after), each in zip(pairs, found, strict=True)}
    return Outcome("point_cloud", (section,), {"scene": alignment}, _totals(first, second), deviations)


def _clouds(scene: Scene, factor: float) -> list[Cloud]:
    found = [cloud_of(thing, factor) for thing in scene if len(thing.points)]
    return sorted(found, key=lambda cloud: cloud.id)


def _match(first: Sequence[Cloud], second: Sequence[Cloud]) -> list[Match]:
    """By id: the caller names the objects; the others by spread and place."""
    found = unique_matches([cloud.id for cloud in first], [cloud.id for cloud in second])
    before = rest(len(first), [match.previous for match in found])
    after = rest(len(second), [match.current for match in found])
    if not before or not after or len(before) * len(after) > LARGE:
        return found
    rows, columns = [first[place] for place in before], [second[place] for place in after]
    spreads = np.array([cloud.axes[0] for cloud in rows]), np.array([cloud.axes[0] for cloud in columns])
    largest = np.maximum(spreads[0].max(axis=1)[:, None], spreads[1].max(axis=1)[None, :])
    reach = np.array([cloud.size for cloud in rows])[:, None] + np.array([cloud.size for cloud in columns])[None, :]
    terms = {
        "spread": distances(*spreads, SPREAD * np.maximum(largest, 1e-12)),
        "place": distances(
            np.array([each.center for each in rows]), np.array([each.center for each in columns]), reach
        ),
    }
    swapped = [cloud.id for cloud in rows] > [cloud.id for cloud in columns]
    found += placed(assign(total_cost(WEIGHTS, terms), LIMIT, swapped=swapped), before, after)
    return sorted(found, key=lambda match: match.previous)


class _Checks:
    """Checks of pairs under transforms, each made once."""

    def __init__(self, pairs: Sequence[tuple[Cloud, Cloud]]) -> None:
        self.pairs = pairs
        self._known: dict[tuple[int, bytes], Registration | None] = {}

    def of(self, place: int, transform: Rigid) -> Registration | None:
        """The check of a pair; None where the centres are too far apart for it to be worth one."""
        key = place, transform.rotation.tobytes() + transform.translation.tobytes()
        if key not in self._known:
            previous, current = self.pairs[place]
            gap = float(np.linalg.norm(transform.points(previous.center[None])[0] - current.center))
            self._known[key] = check(previous, current, transform) if gap <= NEAR * current.size else None
        return self._known[key]

    def explain(self, transform: Rigid) -> list[float | None]:
        """The residual of every pair that the transform takes to its place."""
        found = [self.of(place, transform) for place in range(len(self.pairs))]
        return [each.residual if each is not None and each.is_same else None for each in found]


def _align(checks: _Checks, is_fixed: bool) -> Alignment:
    if is_fixed or all(each is not None for each in checks.explain(IDENTITY)):
        return choose([], checks.explain)
    motions = [
        register(*pair, IDENTITY, checks.of(place, IDENTITY))
        for place, pair in enumerate(checks.pairs[:MOST_CANDIDATES])
    ]
    return choose([each.transform for each in motions if each.is_same], checks.explain)


def _tolerance(previous: Cloud, current: Cloud, found: Registration) -> float:
    """Motion that does not count: of the same points their rounding, of other samples what their spacing hides."""
    if found.method == "same_points":
        return 10 * EXACT * current.size
    return max(previous.spacing, current.spacing)


def _snapped(previous: Cloud, current: Cloud, found: Registration, alignment: Alignment) -> Registration:
    """Without a rotation that the sampling does not show."""
    turn = found.transform.after(alignment.transform.inverse()).angle
    if turn == 0.0 or turn * current.size > _tolerance(previous, current, found):
        return found
    rotation = alignment.transform.rotation
    kept = Rigid(rotation, found.transform.points(previous.center[None])[0] - rotation @ previous.center)
    return replace(found, transform=kept)


def _changes(previous: Cloud, current: Cloud, found: Registration, alignment: Alignment) -> Iterator[Change]:
    ids: dict[str, Any] = {"id": current.id, "previous_id": previous.id, "name": current.name}
    if previous.id != current.id:
        text = f"object {current.id!r} had the id {previous.id!r}"
        yield Change("redrawn", ids, text)
    motion = found.transform.after(alignment.transform.inverse())
    back = motion.inverse().points(current.center[None])[0]
    if motion.moves(back, current.size, _tolerance(previous, current, found)):
        yield _moved(ids, motion, current.center - back, current)
    if not found.is_same and found.method == "point_to_plane":
        sizes = delta(_extents(previous), _extents(current))
        text = f"object {current.id!r} changed its shape: half of its points are more than {found.residual:.4g} off"
        yield Change("changed", ids | {"size": sizes, "deviation": _deviation(previous, current, found)}, text)


def _moved(ids: dict[str, Any], motion: Rigid, shift: Array, current: Cloud) -> Change:
    members = motion.as_json()
    details = ids | {"by": shift} | {name: members[name] for name in ("angle_degrees", "axis") if name in members}
    by = ", ".join(f"{value:.6g}" for value in np.round(shift, 6) + 0.0)
    turned = f" and turned by {members['angle_degrees']:.6g}°" if "axis" in members else ""
    return Change("moved", details, f"object {current.id!r} was moved by ({by}){turned}")


def _deviation(previous: Cloud, current: Cloud, found: Registration) -> dict[str, Any]:
    measures: dict[str, Any] = {"method": found.method, "points": len(current.points)}
    if found.method == "same_points":
        measures |= {"min": 0.0, "mean": 0.0, "max": 0.0, "rms": 0.0}
    elif found.method == "point_to_plane":
        values = plane_distances(previous, found.transform.inverse().points(current.points), previous.outward)
        measures |= {"min": float(values.min()), "mean": float(values.mean()), "max": float(values.max())}
        measures |= {"rms": float(np.sqrt((values**2).mean()))}
    if found.method == "point_to_plane":
        measures |= {"spacing": max(previous.spacing, current.spacing), "noise": max(previous.noise, current.noise)}
        measures |= {"finest_change": max(3 * measures["noise"], FINE * measures["spacing"])}
    return measures


def _score(previous: Cloud, current: Cloud, found: Registration) -> PairScore:
    """1 for the same surface; less by the median distance as a part of the object's size."""
    off = 0.0 if found.is_same else min(found.residual / current.size * 10.0, 0.999)
    return PairScore(previous.id, current.id, 1.0 - off)


def _lone(cloud: Cloud) -> Lone:
    details = {"id": cloud.id, "name": cloud.name, "center": cloud.center, "size": _extents(cloud)}
    return Lone(details | {"points": len(cloud.points)}, repr(cloud.id))


def _extents(cloud: Cloud) -> Array:
    found: Array = np.ptp(cloud.points, axis=0)
    return found


def _totals(first: Sequence[Cloud], second: Sequence[Cloud]) -> dict[str, Any]:
    counts = delta(len(first), len(second)) | {"delta": len(second) - len(first)}
    sizes = [np.ptp(np.vstack([each.points for each in side]), axis=0) if side else None for side in (first, second)]
    return {"objects": counts, "size": delta(*sizes)}

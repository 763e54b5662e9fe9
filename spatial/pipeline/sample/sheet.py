"""Points on the lines of a drawing: one cloud per sheet, spread evenly by length, z = 0."""

from __future__ import annotations

import numpy as np

from spatial.contract.points import PointCloud, PointCloudScene
from spatial.geometry.arcs import on_arcs, sweeps
from spatial.geometry.sampling import quantum, rounded, shares
from spatial.models.sampling_plan import SamplingPlan
from spatial.models.sheet.drawing import Array, Drawing, Sheet


def sample(drawing: Drawing, plan: SamplingPlan) -> PointCloudScene:
    """Points on every sheet that has lines; which ones they are depends on the file and the plan alone."""
    inked = [(sheet, length) for sheet in drawing.sheets if (length := _length(sheet)) > 0]
    counts = shares(np.array([length for _, length in inked]), plan.points_per_object, plan.points_total)
    clouds = [
        PointCloud.of(f"sheet-{sheet.page}", _points(sheet, int(count), plan.seed + sheet.page))
        for (sheet, _), count in zip(inked, counts, strict=True)
    ]
    return PointCloudScene(point_clouds=clouds)


def _length(sheet: Sheet) -> float:
    total = float(_lengths(sheet.strokes.ends).sum() + _arc_lengths(sheet.arcs.circles).sum())
    return total if np.isfinite(total) else 0.0


def _lengths(ends: Array) -> Array:
    lengths: Array = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    return lengths


def _arc_lengths(circles: Array) -> Array:
    lengths: Array = np.abs(circles[:, 2]) * np.radians(sweeps(circles))
    return lengths


def _points(sheet: Sheet, count: int, seed: int) -> list[list[float]]:
    """(count, 3): one point in each of `count` equal slices of the whole length."""
    ends, circles = sheet.strokes.ends, sheet.arcs.circles
    reach = np.cumsum(np.concatenate([_lengths(ends), _arc_lengths(circles)]))
    slices = (np.arange(count) + np.random.default_rng(seed).random(count)) / count * reach[-1]
    index = np.minimum(np.searchsorted(reach, slices, side="right"), len(reach) - 1)
    before = np.where(index > 0, reach[index - 1], 0.0)
    part = np.clip((slices - before) / np.maximum(reach[index] - before, np.finfo(np.float64).tiny), 0.0, 1.0)
    flat = np.empty((count, 3))
    flat[:, 2] = 0.0
    straight = index < len(ends)
    chosen = ends[index[straight]]
    flat[straight, :2] = chosen[:, :2] + part[straight, None] * (chosen[:, 2:] - chosen[:, :2])
    flat[~straight, :2] = on_arcs(circles[index[~straight] - len(ends)], part[~straight])
    rows: list[list[float]] = rounded(flat, quantum(float(np.ptp(flat[:, :2], axis=0).max()))).tolist()
    return rows

"""B-splines cut into straight pieces, all parameters at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array

STEPS: Final = 8
"""Strokes of each span of a spline."""

MAX_DEGREE: Final = 11
"""AutoCAD's limit is 10."""


def b_spline(degree: int, control: Array, knots: Array, weights: list[float]) -> Array | None:
    """Points along a B-spline, by de Boor's algorithm on all parameters at once; None where its knots are damaged."""
    if not 1 <= degree <= MAX_DEGREE or len(control) <= degree or len(knots) != len(control) + degree + 1:
        return None
    if not np.isfinite(knots).all() or (np.diff(knots) < 0).any() or knots[-1 - degree] <= knots[degree]:
        return None
    spans = np.unique(knots[degree : len(control) + 1])
    steps = np.linspace(0.0, 1.0, STEPS, endpoint=False)
    t = np.append((spans[:-1, None] + np.diff(spans)[:, None] * steps).ravel(), spans[-1])
    k = np.clip(np.searchsorted(knots, t, side="right") - 1, degree, len(control) - 1)
    w = np.array(weights or [1.0] * len(control))
    poles = np.column_stack((control * w[:, None], w))
    d = [poles[k - degree + j] for j in range(degree + 1)]
    for r in range(1, degree + 1):
        for j in range(degree, r - 1, -1):
            low, high = knots[j + k - degree], knots[j + 1 + k - r]
            width = high - low
            alpha = np.divide(t - low, width, out=np.zeros_like(t), where=width != 0)[:, None]
            d[j] = (1 - alpha) * d[j - 1] + alpha * d[j]
    result = d[degree]
    if (result[:, 2] == 0).any():
        return None
    return np.asarray(result[:, :2] / result[:, 2:], dtype=np.float64)

"""Points on the outlines of a diagram's shapes: one cloud per shape, in pixels, z = 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from spatial.contract.points import PointCloud, PointCloudScene
from spatial.geometry.quadrature import Array
from spatial.geometry.sampling import Integers, quantum, rounded, shares
from spatial.models.sampling_plan import SamplingPlan

OUTLINE_POINTS: Final = 128
"""Most points of one shape: a shape is a box, and thousands of points say no more about it."""


def sample(pages: Sequence[Mapping[str, Any]], plan: SamplingPlan) -> PointCloudScene:
    """Points on every shape of the pages (document records), named by shape, or by page and shape where there are several pages."""
    several = len(pages) > 1
    outlined = [
        (f"{page['id']}/{node['id']}" if several else node["id"], node["bbox"])
        for page in pages
        for node in page["nodes"]
        if node["bbox"]["width"] + node["bbox"]["height"] > 0
    ]
    if not outlined:
        return PointCloudScene(point_clouds=[])
    lengths = np.array([2 * (box["width"] + box["height"]) for _, box in outlined])
    counts = shares(lengths, min(plan.points_per_object, OUTLINE_POINTS), plan.points_total)
    boxes = np.array([[box[name] for name in ("x", "y", "width", "height")] for _, box in outlined], float)
    points = _outlines(boxes, counts, np.random.default_rng(plan.seed))
    ends = np.cumsum(counts).tolist()
    return PointCloudScene(
        point_clouds=[
            PointCloud.of(name, points[end - count : end].tolist())
            for (name, _), count, end in zip(outlined, counts.tolist(), ends, strict=True)
        ]
    )


def _outlines(boxes: Array, counts: Integers, generator: np.random.Generator) -> Array:
    """(sum of counts, 3): one point in each of the equal slices of each outline. boxes: (n, 4) x, y, width, height."""
    of = np.repeat(np.arange(len(boxes)), counts)
    place = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    width, height = boxes[of, 2], boxes[of, 3]
    along = (place + generator.random(len(of))) / counts[of] * 2 * (width + height)
    # Round the outline: right along the top, down, left along the bottom, up.
    points = np.zeros((len(of), 3))
    points[:, 0] = np.where(along < width + height, np.minimum(along, width), 2 * width + height - along)
    points[:, 1] = np.where(along < 2 * width + height, along - width, 2 * (width + height) - along)
    points[:, :2] = np.clip(points[:, :2], 0.0, boxes[of, 2:]) + boxes[of, :2]
    sizes, which = np.unique(boxes[:, 2:].max(axis=1), return_inverse=True)
    steps = np.array([quantum(size) for size in sizes.tolist()])[which][of]
    for step in np.unique(steps).tolist():
        points[steps == step] = rounded(points[steps == step], step)
    return points

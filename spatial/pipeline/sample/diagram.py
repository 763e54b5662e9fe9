"""Points on the outlines of a diagram's shapes: one cloud per shape, in pixels, z = 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from spatial.contract.points import PointCloud, PointCloudScene
from spatial.geometry.sampling import quantum, rounded, shares
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
    generator = np.random.default_rng(plan.seed)
    return PointCloudScene(
        point_clouds=[
            PointCloud.of(name, _outline(box, int(count), generator))
            for (name, box), count in zip(outlined, counts, strict=True)
        ]
    )


def _outline(box: Mapping[str, float], count: int, generator: np.random.Generator) -> list[list[float]]:
    """(count, 3): one point in each of `count` equal slices of the outline."""
    width, height = box["width"], box["height"]
    along = (np.arange(count) + generator.random(count)) / count * 2 * (width + height)
    # Round the outline: right along the top, down, left along the bottom, up.
    corners = np.array([0.0, width, width + height, 2 * width + height, 2 * (width + height)])
    x = np.interp(along, corners, [0.0, width, width, 0.0, 0.0]) + box["x"]
    y = np.interp(along, corners, [0.0, 0.0, height, height, 0.0]) + box["y"]
    points = np.stack([x, y, np.zeros(count)], axis=1)
    rows: list[list[float]] = rounded(points, quantum(max(width, height))).tolist()
    return rows

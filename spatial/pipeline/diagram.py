"""A diagram as its reader holds it, whatever it was wrapped in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from spatial.contract.extraction import BoundingBox, Structure
from spatial.contract.points import PointCloud, PointCloudScene
from spatial.geometry.sampling import quantum, rounded, shares
from spatial.models.reading import Meaning, Reading, SamplingPlan, Units

UNITS = Units(name="pixel", found="declared", source="draw.io counts in pixels; y is down as drawn")


OUTLINE_POINTS = 128
"""Most points of one shape: it is a box, and thousands of points say no more of it."""


class DiagramSource:
    """What was read of a diagram; everything it says is in the reading."""

    def __init__(self, pages: Sequence[dict[str, Any]], warnings: list[str]) -> None:
        structure = Structure.model_validate({"kind": "diagram2d", "pages": pages})
        boxes = [node["bbox"] for page in pages for node in page["nodes"]]
        self._pages = pages
        self.reading = Reading(
            source_format="drawio",
            units=UNITS,
            structure=structure,
            entity_counts=_counts(pages),
            bbox=_extent(boxes),
            warnings=warnings,
        )

    def interpret(self) -> Meaning:
        """Nothing beyond what was read: a diagram's graph and relations are part of its pages."""
        return Meaning()

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on the outlines of the shapes, in pixels, z = 0; one cloud a shape, named by page and shape."""
        several = len(self._pages) > 1
        outlined = [
            (f"{page['id']}/{node['id']}" if several else node["id"], node["bbox"])
            for page in self._pages
            for node in page["nodes"]
            if node["bbox"]["width"] + node["bbox"]["height"] > 0
        ]
        lengths = np.array([2 * (box["width"] + box["height"]) for _, box in outlined])
        counts = (
            shares(lengths, min(plan.points_per_object, OUTLINE_POINTS), plan.points_total)
            if outlined
            else np.zeros(0, np.int64)
        )
        generator = np.random.default_rng(plan.seed)
        return PointCloudScene(
            point_clouds=[
                PointCloud.of(name, _outline(box, int(count), generator))
                for (name, box), count in zip(outlined, counts, strict=True)
            ]
        )


def _counts(pages: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    nodes = [node for page in pages for node in page["nodes"]]
    counts = {
        "pages": len(pages),
        "nodes": len(nodes),
        "edges": sum(len(page["edges"]) for page in pages),
        "containers": sum(node["is_container"] for node in nodes),
        "texts": sum(node["is_text"] for node in nodes),
    }
    return {name: count for name, count in counts.items() if count}


def _extent(boxes: Iterable[Mapping[str, float]]) -> BoundingBox | None:
    corners = [(box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]) for box in boxes]
    if not corners:
        return None
    left, top, right, bottom = zip(*corners, strict=True)
    return BoundingBox(min=(min(left), min(top)), max=(max(right), max(bottom)))


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

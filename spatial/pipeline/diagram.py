"""The steps of a diagram: its pages with graph and relations, whatever its container format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from spatial.collector import uncollected
from spatial.contract.diagram import DiagramPage
from spatial.contract.extraction import BoundingBox, Structure
from spatial.contract.points import PointCloudScene
from spatial.models.diagram.diagram import Diagram
from spatial.models.reading import NOTHING_FOUND, Meaning, Reading, Units
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.sample.diagram import sample
from spatial.understanding.diagram.page import page

UNITS: Final = Units(name="pixel", found="declared", source="draw.io counts in pixels; y is down as drawn")


class DiagramSteps:
    """A diagram between read and sample; a diagram's graph and relations are part of its pages, so of its reading."""

    def __init__(self, diagram: Diagram) -> None:
        self.spent = 0.0
        self._pages, warnings = _records(diagram)
        self.reading = Reading(
            source_format="drawio",
            units=UNITS,
            structure=Structure(kind="diagram2d", pages=[_page(record) for record in self._pages]),
            entity_counts=_counts(self._pages),
            bbox=_extent([node["bbox"] for record in self._pages for node in record["nodes"]]),
            warnings=warnings,
            partial=diagram.partial,
        )

    def interpret(self) -> Meaning:
        """Nothing beyond the reading."""
        return Meaning()

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on the outlines of the shapes."""
        with uncollected():
            return sample(self._pages, plan)


def _page(record: Mapping[str, Any]) -> DiagramPage:
    """The page of the document. Its nodes, edges and relations, which the reader made, are not validated again: there may be 100,000."""
    lists = {name: record[name] for name in ("nodes", "edges", "relations")}
    return DiagramPage.model_validate({**record, "nodes": [], "edges": [], "relations": []}).model_copy(update=lists)


def _records(diagram: Diagram) -> tuple[list[dict[str, Any]], list[str]]:
    """The document record of every page, and the warnings of the file followed by those of each page."""
    records: list[dict[str, Any]] = []
    warnings = list(diagram.warnings)
    for place, found in enumerate(diagram.pages, start=1):
        record, doubts = page(found.id, found.name, found.cells, diagram.variables, place, len(diagram.pages))
        if not _is_drawn(record):
            warnings.append(f"page {found.name!r} is empty")
        records.append(record)
        warnings += doubts
    if not any(map(_is_drawn, records)):
        warnings.append(NOTHING_FOUND)
    return records, warnings


def _is_drawn(record: Mapping[str, Any]) -> bool:
    return bool(record["nodes"] or record["edges"])


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

"""The steps of a drawing, whatever format it came in."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from operator import itemgetter

from spatial.collector import uncollected
from spatial.contract.extraction import BoundingBox, Structure
from spatial.contract.points import PointCloudScene
from spatial.models.guard import attempt
from spatial.models.reading import NOTHING_FOUND, Meaning, Reading
from spatial.models.sampling_plan import SamplingPlan
from spatial.models.sheet.drawing import Drawing, Sheet, VectorImage
from spatial.models.sheet.records import annotation_records, dimension_record, rounded, sheet_record
from spatial.models.sheet.repairs import UNKNOWN
from spatial.pipeline.sample.sheet import sample
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.symbols.insert_signs import insert_signs


class DrawingSteps:
    """A drawing between read and sample."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self.spent = 0.0
        if drawing.is_blank:
            drawing.warnings.append(NOTHING_FOUND)
        self._lettered = with_drawn_lettering(_with_true_text(drawing))
        if drawing.has_drawn_signs:
            _find_drawn_signs(self._lettered)
        self.reading = _reading(self._lettered)

    def interpret(self) -> Meaning:
        """Dimensions, callouts, title block, tables and notes."""
        # A vector image has no meaning to find; what finds that of a drawing takes a third of a second to import.
        from spatial.understanding.sheet.meaning import interpret

        with uncollected():
            return interpret(self._lettered, self.spent)

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on everything drawn, in the document's units; one cloud per sheet, z = 0."""
        with uncollected():
            return sample(self._drawing, plan)


class VectorImageSteps(DrawingSteps):
    """A vector image between read and sample."""

    def __init__(self, image: VectorImage) -> None:
        super().__init__(image.drawing)
        self._trace = image.trace

    def interpret(self) -> Meaning:
        """Nothing: callouts and title blocks are read from DXF and PDF (spec: structure)."""
        return Meaning()

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on everything drawn."""
        self._drawing.sheets[0].strokes = self._trace()
        return super().sample(plan)


def _with_true_text(drawing: Drawing) -> Drawing:
    """The drawing with the texts that its fonts draw."""
    if not drawing.shapes and not any(UNKNOWN in text.repairs for sheet in drawing.sheets for text in sheet.texts):
        return drawing
    # It takes a tenth of a second to import, which a drawing without embedded fonts does not spend.
    from spatial.understanding.sheet.text_layer.check import with_true_text

    return with_true_text(drawing)


def _find_drawn_signs(drawing: Drawing) -> None:
    """Signs that the exporter drew as strokes, which belong to the lettering that the reading reports."""
    from spatial.understanding.sheet.symbols import strokes

    for sheet in drawing.sheets:
        sheet.symbols = attempt(f"drawn signs of page {sheet.page}", partial(strokes.find, sheet), [], drawing.warnings)


def _reading(drawing: Drawing) -> Reading:
    texts = [text for sheet in drawing.sheets for text in insert_signs(sheet).texts if text.kind != "dimension"]
    dimensions = [dimension for sheet in drawing.sheets for dimension in sheet.dimensions]
    counts = Counter(map(itemgetter("type"), drawing.entities))
    counts.update(sheets=len(drawing.sheets), annotations=len(texts), dimensions=len(dimensions))
    structure = {
        "kind": "drawing2d",
        "sheets": [sheet_record(sheet) for sheet in drawing.sheets],
        "layers": drawing.layers,
        "dimensions": [dimension_record(dimension) for dimension in dimensions],
        "annotations": annotation_records(texts),
        "native_counts": drawing.entity_counts,
        **drawing.further,
    }
    return Reading(
        source_format=drawing.source_format,
        units=drawing.units,
        # Records that the reader made are not validated again: there may be a million.
        structure=Structure.model_validate(structure).model_copy(update={"entities": drawing.entities}),
        entity_counts={name: count for name, count in counts.items() if count},
        bbox=_box(drawing.sheets),
        warnings=drawing.warnings,
        partial=drawing.partial,
    )


def _box(sheets: list[Sheet]) -> BoundingBox | None:
    """What is drawn on the first sheet that has anything: each sheet has a frame of its own, so that they have no common box."""
    boxes = [sheet.drawn for sheet in sheets if sheet.drawn and all(math.isfinite(number) for number in sheet.drawn)]
    if not boxes:
        return None
    left, bottom, right, top = rounded(boxes[0])
    return BoundingBox(min=(left, bottom), max=(right, top))

"""The differences of two drawings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from spatial.contract.drawing import Annotation, Callout, Dimension, DrawingMetadata
from spatial.contract.extraction import CadExtraction, Structure
from spatial.reasoning.diff.alignment import Alignment, common_shift
from spatial.reasoning.diff.assignment import unique_matches
from spatial.reasoning.diff.drawing.entities import Drawn, compare_entities
from spatial.reasoning.diff.drawing.general import general_tolerance
from spatial.reasoning.diff.drawing.rows import SAME_PLACE, Context, Writing, compare_writings
from spatial.reasoning.diff.drawing.tables import compare_fields, compare_notes, compare_table
from spatial.reasoning.diff.drawing.written import squeezed
from spatial.reasoning.diff.outcome import Outcome
from spatial.reasoning.diff.section import Section
from spatial.reasoning.scene.model import Array

READING: Final = frozenset({"id", "text", "source", "sources", "position", "page", "confidence", "type", "role"})
"""Members of a callout that say where and how it was read, not what it says."""

WITHOUT_PLACES: Final = (
    "positions, sizes of lettering and entities were not compared, because the two drawings are in different units or formats; "
    "extract both from files of one format"
)


def compare_drawings(previous: CadExtraction, current: CadExtraction, factor: float | None) -> Outcome:
    """Every difference of two drawings. factor: current units per previous unit, None if it is not known."""
    first, second = _structure(previous), _structure(current)
    is_placed = factor is not None and previous.source_format == current.source_format
    scale = factor if is_placed and factor is not None else 1.0
    diagonal = _diagonal(second, current)
    alignment = _align(first, second, scale, diagonal) if is_placed else Alignment()
    shift = alignment.transform.translation[:2]
    context = Context(diagonal, is_placed, general_tolerance(second))
    sections = list(_sections(first, second, context, shift, scale))
    if is_placed:
        entities = [Drawn(each, shift, scale, diagonal) for each in first.entities or ()]
        others = [Drawn(each, np.zeros(2), 1.0, diagonal) for each in second.entities or ()]
        sections.append(compare_entities(entities, others))
    warnings = () if is_placed else (WITHOUT_PLACES,)
    return Outcome("drawing2d", sections, {"scene": alignment}, warnings=warnings, headlines=_headlines(alignment))


def _headlines(alignment: Alignment) -> list[str]:
    if alignment.is_identity:
        return []
    x, y, _ = alignment.transform.translation
    return [f"everything on the sheet was moved by ({x:.6g}, {y:.6g}); what follows is relative to that"]


def _structure(document: CadExtraction) -> Structure:
    return document.structure or Structure(kind="drawing2d")


def _sections(first: Structure, second: Structure, context: Context, shift: Array, factor: float) -> Iterator[Section]:
    metadata = first.drawing_metadata or DrawingMetadata(), second.drawing_metadata or DrawingMetadata()
    fields = [each.title_block.fields if each.title_block else {} for each in metadata]
    yield compare_fields(*fields)
    yield compare_table("revisions", "revision", *(each.revisions for each in metadata))
    yield compare_table("bom", "BOM row", *(each.bom for each in metadata))
    yield compare_notes(*(each.notes.items if each.notes else [] for each in metadata))
    origin = np.zeros(2)
    callouts = list(_callouts(first, shift, factor)), list(_callouts(second, origin, 1.0))
    yield compare_writings("callouts", "callout", *callouts, context)
    covered = _covered(first), _covered(second)
    dimensions = list(_dimensions(first, shift, factor, covered[0])), list(_dimensions(second, origin, 1.0, covered[1]))
    yield compare_writings("dimensions", "dimension", *dimensions, context)
    texts = list(_texts(first, shift, factor, covered[0])), list(_texts(second, origin, 1.0, covered[1]))
    yield compare_writings("texts", "text", *texts, context)


def _callouts(structure: Structure, shift: Array, factor: float) -> Iterator[Writing]:
    for each in structure.callouts or ():
        members = each.model_dump(exclude_none=True)
        fields = {name: value for name, value in members.items() if name not in READING}
        nominal = fields.get("nominal")
        yield Writing(
            each.id, each.text, each.type, each.page or 1, _place(each, shift, factor), _number(nominal), fields
        )


def _dimensions(structure: Structure, shift: Array, factor: float, covered: set[str]) -> Iterator[Writing]:
    """Dimensions whose text no callout was read from; the others are compared as callouts."""
    for each in structure.dimensions or ():
        further = each.model_extra or {}
        names = {each.id or "", *(further.get("sources") or ())}
        if names & covered:
            continue
        text = each.text or ""
        kind, page = each.type or "", int(further.get("page") or 1)
        yield Writing(each.id or "", text, kind, page, _place(each, shift, factor), each.value)


def _texts(structure: Structure, shift: Array, factor: float, covered: set[str]) -> Iterator[Writing]:
    """Texts that nothing else was read from."""
    used = covered | _in_metadata(structure.drawing_metadata) | _in_dimensions(structure)
    for each in structure.annotations or ():
        if each.id not in used and (each.text or "").strip():
            yield Writing(each.id or "", each.text or "", "text", each.page or 1, _place(each, shift, factor))


def _covered(structure: Structure) -> set[str]:
    return {name for each in structure.callouts or () for name in (each.source, *(each.sources or ()))}


def _in_dimensions(structure: Structure) -> set[str]:
    return {name for each in structure.dimensions or () for name in (each.model_extra or {}).get("sources") or ()}


def _in_metadata(metadata: DrawingMetadata | None) -> set[str]:
    if metadata is None:
        return set()
    groups: list[Iterable[str]] = list(metadata.title_block.sources.values()) if metadata.title_block else []
    groups += [table.sources or () for table in (metadata.bom, metadata.revisions, *(metadata.tables or ())) if table]
    groups += [note.sources or () for note in (metadata.notes.items if metadata.notes else ())]
    return {name for group in groups for name in group}


def _place(each: Callout | Dimension | Annotation, shift: Array, factor: float) -> tuple[float, float] | None:
    if not each.position or len(each.position) < 2:
        return None
    return each.position[0] * factor + float(shift[0]), each.position[1] * factor + float(shift[1])


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _diagonal(structure: Structure, document: CadExtraction) -> float:
    """Of the largest sheet, or of all that is drawn."""
    boxes = [sheet.bbox or sheet.drawn_bbox for sheet in structure.sheets or ()]
    sizes = [float(np.hypot(box[2] - box[0], box[3] - box[1])) for box in boxes if box]
    extent = document.statistics.bbox
    if not sizes and extent is not None:
        sizes = [float(np.hypot(extent.max[0] - extent.min[0], extent.max[1] - extent.min[1]))]
    return max([*sizes, 1e-9])


def _align(first: Structure, second: Structure, factor: float, diagonal: float) -> Alignment:
    """By the texts and dimensions that occur once on both drawings."""
    rows = [list(_anchors(each)) for each in (first, second)]
    matches = unique_matches(*([key for key, _ in side] for side in rows))
    shifts = [np.array(rows[1][m.current][1]) - factor * np.array(rows[0][m.previous][1]) for m in matches]
    return common_shift(np.array(shifts).reshape(-1, 2), SAME_PLACE * diagonal)


def _anchors(structure: Structure) -> Iterator[tuple[tuple[str, str, int], Sequence[float]]]:
    for noun, rows in (("text", structure.annotations or ()), ("dimension", structure.dimensions or ())):
        for each in rows:
            if each.position and (each.text or "").strip():
                page = (each.model_extra or {}).get("page") or getattr(each, "page", None) or 1
                yield (noun, squeezed(each.text or ""), int(page)), each.position[:2]

"""The objects of a drawing: its sheets, and on each the title block, the tables and the notes.

y points up, except on a sheet whose `y_axis` is down (an SVG). A part of a sheet has the bounds of the text that it was read from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from spatial.contract.drawing import Annotation, DrawingMetadata, Note, Sheet
from spatial.contract.extraction import Structure
from spatial.counting import count_of
from spatial.reasoning.scene.items.item import Item, flat, union
from spatial.reasoning.scene.model import Array

SHEET_MEMBERS: Final = ("kind", "unit", "text_layer", "size", "paper_mm", "scale", "dimension_unit", "y_axis")
"""Members of a sheet that its object repeats, where the document has them."""


def drawing_items(structure: Structure) -> Iterator[Item]:
    """Sheets, each followed by what it carries."""
    texts = {note.id: note for note in structure.annotations or () if note.id is not None}
    carried = list(_carried(structure.drawing_metadata, texts))
    sheets = structure.sheets or []
    known = {sheet_id(sheet.page) for sheet in sheets}
    for sheet in sheets:
        yield _sheet(sheet)
        yield from (each for each in carried if each.parent == sheet_id(sheet.page))
    yield from (each for each in carried if each.parent not in known)


def sheet_id(page: int) -> str:
    """The id of a sheet's object."""
    return f"sheet-{page}"


def is_y_down(structure: Structure) -> bool:
    """Whether y points down on its sheets."""
    return any((sheet.model_extra or {}).get("y_axis") == "down" for sheet in structure.sheets or ())


def _sheet(sheet: Sheet) -> Item:
    further: Mapping[str, Any] = sheet.model_extra or {}
    box = sheet.bbox or sheet.drawn_bbox
    return Item(
        id=sheet_id(sheet.page),
        type="sheet",
        name=sheet.name or None,
        bounds=None if box is None else flat(box[:2], box[2:]),
        bounds_rule="its paper, or what is drawn on a space without paper, as stated by the document",
        is_flat=True,
        properties={name: getattr(sheet, name, further.get(name)) for name in SHEET_MEMBERS},
    )


def _carried(metadata: DrawingMetadata | None, texts: Mapping[str, Annotation]) -> Iterator[Item]:
    if metadata is None:
        return
    block = metadata.title_block
    if block is not None:
        sources = [source for each in block.sources.values() for source in each]
        yield from _parts("title_block", sources, texts, {"confidence": block.confidence})
    for name in ("bom", "revisions"):
        table = getattr(metadata, name)
        if table is not None:
            properties = {"row_count": len(table.rows), "confidence": table.confidence}
            yield from _parts(name, table.sources or (), texts, properties)
    if metadata.notes is not None:
        properties = {"note_count": len(metadata.notes.items), "confidence": metadata.notes.confidence}
        yield from _parts("notes", _sources(metadata.notes.items), texts, properties)
    for place, table in enumerate(metadata.tables or (), start=1):
        properties = {"name": table.name, "row_count": len(table.rows), "confidence": table.confidence}
        yield from _parts(f"table-{place}", table.sources or (), texts, properties)


def _sources(notes: Iterable[Note]) -> list[str]:
    return [source for note in notes for source in note.sources or ()]


def _parts(
    name: str, sources: Iterable[str], texts: Mapping[str, Annotation], properties: dict[str, Any]
) -> list[Item]:
    """One object per sheet that carries a piece of it; without a known source one object without bounds and sheet."""
    by_page: dict[int, list[Annotation]] = {}
    for source in dict.fromkeys(sources):
        if source in texts:
            by_page.setdefault(texts[source].page or 1, []).append(texts[source])
    kind = name.partition("-")[0]
    if not by_page:
        return [Item(id=name, type=kind, is_flat=True, properties=properties)]
    return [
        Item(
            id=name if len(by_page) == 1 else f"{name}@{sheet_id(page)}",
            type=kind,
            parent=sheet_id(page),
            bounds=union(_extent(each) for each in found),
            bounds_source="geometry",
            bounds_rule=f"the box around {count_of(len(found), 'text')} that it was read from",
            group=sheet_id(page),
            is_flat=True,
            properties=properties,
        )
        for page, found in sorted(by_page.items())
    ]


def _extent(text: Annotation) -> Array | None:
    """(2, 3) of a text: its box, or its position where the document gives no box."""
    box = (text.model_extra or {}).get("bbox")
    if isinstance(box, list | tuple) and len(box) == 4:
        return flat(box[:2], box[2:])
    return None if text.position is None else np.stack([flat(text.position[:2], text.position[:2])[0]] * 2)

"""The picture of a document that has flat geometry: what `spatial preview` writes."""

from __future__ import annotations

from spatial.contract.extraction import CadExtraction
from spatial.document.preview import diagram, sheet


def pages(document: CadExtraction) -> list[int]:
    """The places of what can be drawn, from 1; none of a document without flat geometry."""
    structure = document.structure
    if structure is None:
        return []
    return [*(each.page for each in structure.sheets or () if each.bbox), *range(1, len(structure.pages or ()) + 1)]


def svg(document: CadExtraction, page: int) -> str:
    """One page as SVG. Raises: LookupError where there is no such page."""
    structure = document.structure
    if structure is None or page not in pages(document):
        raise LookupError(f"there is no page {page}")
    name = document.file_name or document.source_format
    if structure.pages:
        found = structure.pages[page - 1]
        return diagram.picture(found, f"{name}, {found.name}")
    return sheet.picture(structure, page, f"{name}, page {page}")

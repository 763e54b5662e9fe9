"""Pictures of documents. A parser process draws them, so this module imports little."""

from __future__ import annotations

from spatial.collector import uncollected
from spatial.contract.extraction import CadExtraction
from spatial.document.preview import picture


def draw(body: bytes, number: int) -> str | None:
    """The picture of a page of a document, as SVG; None where it has no such page. body: the document as JSON."""
    with uncollected():
        read = CadExtraction.model_validate_json(body)
        return picture.svg(read, number) if number in picture.pages(read) else None

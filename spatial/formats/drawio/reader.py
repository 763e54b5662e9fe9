"""draw.io diagrams in XML: `.drawio` and `.xml` files (draw.io wiki, "File Format")."""

from __future__ import annotations

from typing import Any, Final

from spatial.contract.formats import EXTENSIONS, extension_of
from spatial.formats import content
from spatial.formats.drawio import cells, container, labels
from spatial.formats.drawio.container import Carried
from spatial.pipeline.collector import uncollected
from spatial.pipeline.diagram import DiagramSource
from spatial.understanding.diagram.page import page

DIAGRAM: Final = EXTENSIONS["drawio"]


def read(data: bytes, file_name: str) -> DiagramSource:
    """Raises: ParseError; UnsupportedFileType where the XML carries no diagram."""
    expected = EXTENSIONS.get(extension_of(file_name), DIAGRAM)
    also = (DIAGRAM,) if expected is not DIAGRAM else ()
    return source(container.of_xml(content.require(expected, data, file_name, *also), file_name))


def source(carried: Carried) -> DiagramSource:
    """The diagram that a file carries."""
    with uncollected():
        return _read(carried)


def _read(carried: Carried) -> DiagramSource:
    variables, warnings = labels.variables(carried.variables), list(carried.warnings)
    pages: list[dict[str, Any]] = []
    for place, found in enumerate(carried.pages, start=1):
        if found.model is None:
            warnings.append(f"page {found.name!r} is empty")
        read_cells = cells.read(found.model if found.model is not None else ())
        record, told = page(found.id, found.name, read_cells, variables, place, len(carried.pages))
        pages.append(record)
        warnings += told
    if not pages:
        warnings.append("the file has no page")
    return DiagramSource(pages, warnings)

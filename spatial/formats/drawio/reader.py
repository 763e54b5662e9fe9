"""draw.io diagrams in XML: `.drawio` and `.xml` files (draw.io wiki, "File Format")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from spatial.contract.formats import EXTENSIONS, extension_of
from spatial.formats import content
from spatial.formats.drawio import cells, container
from spatial.formats.drawio.container import Container
from spatial.models.diagram.diagram import Diagram, Page

DIAGRAM: Final = EXTENSIONS["drawio"]


def read(data: bytes, file_name: str) -> Diagram:
    """Read one file.

    Raises: ParseError; UnsupportedFileType where the XML carries no diagram.
    """
    expected = EXTENSIONS.get(extension_of(file_name), DIAGRAM)
    also = (DIAGRAM,) if expected is not DIAGRAM else ()
    return diagram_of(container.read_xml(content.require(expected, data, file_name, *also), file_name))


def diagram_of(found: Container) -> Diagram:
    """The diagram that a container holds."""
    pages = [Page(page.id, page.name, cells.read(page.model if page.model is not None else ())) for page in found.pages]
    return Diagram(pages, _variables(found.variables), list(found.warnings), found.partial)


def _variables(text: str) -> Mapping[str, str]:
    """The file's own placeholders, from the JSON in `vars`; none where it is malformed."""
    if not text:
        return {}
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}

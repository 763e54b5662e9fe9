"""PNG pictures that draw.io exported with a copy of the diagram; the picture itself is not read."""

from __future__ import annotations

from spatial.contract.formats import EXTENSIONS
from spatial.formats import content
from spatial.formats.drawio import container
from spatial.formats.drawio.reader import diagram_of
from spatial.models.diagram.diagram import Diagram


def read(data: bytes, file_name: str) -> Diagram:
    """Read one file.

    Raises: ParseError where the PNG is broken; UnsupportedFileType where it carries no diagram.
    """
    return diagram_of(container.read_png(content.require(EXTENSIONS["png"], data, file_name), file_name))

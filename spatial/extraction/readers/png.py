"""PNG pictures that draw.io exported with a copy of the diagram; the picture itself is never looked at."""

from __future__ import annotations

from spatial.contract.formats import EXTENSIONS
from spatial.extraction.diagram.source import DiagramSource
from spatial.extraction.readers import _carriers, _content
from spatial.extraction.readers.drawio import source


def read(data: bytes, file_name: str) -> DiagramSource:
    """Raises: ParseError where the PNG is broken; UnsupportedFileType where it carries no diagram."""
    return source(_carriers.of_png(_content.require(EXTENSIONS["png"], data, file_name), file_name))

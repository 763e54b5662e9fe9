"""The tools, by name; one row each."""

from __future__ import annotations

from typing import Final

from api.mcp.tools import extract, listings, respond
from api.mcp.tools.tool import Tool

_ROWS: Final = (
    extract.EXTRACT,
    extract.EXTRACT_FROM_URL,
    respond.RESPOND,
    listings.MODELS,
    listings.FORMATS_TOOL,
)

TOOLS: Final[dict[str, Tool]] = {tool.name: tool for tool in _ROWS}

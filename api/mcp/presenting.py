"""Results of tools and pages of documents, made apart from the event loop where they are large."""

from __future__ import annotations

from dataclasses import replace

from api.mcp.messages import Messages, parse
from api.mcp.pages import page
from api.mcp.tools import TOOLS
from api.mcp.tools.tool import RestCall
from api.parser_process import run_by_size


async def parsed(body: bytes) -> Messages:
    """The messages of a body. Raises: InvalidRequest for a body that takes too long."""
    return await run_by_size(parse, body)


async def presented(name: str, answer: bytes, call: RestCall | None) -> bytes:
    """The result of a tool as JSON. Raises: InvalidRequest for an answer that takes too long."""
    slim = None if call is None else replace(call, body=None)
    return await run_by_size(present, answer, name, slim)


async def paged(document: bytes, extraction_id: str, path: str, offset: int) -> str:
    """A page of a document as JSON. Raises: NotFound for a path that is not in it."""
    return await run_by_size(page, document, extraction_id, path, offset)


def present(answer: bytes, name: str, call: RestCall | None) -> bytes:
    """The result of the tool of this name."""
    return TOOLS[name].present(answer, call)

"""Results of tools and pages of documents, made apart from the event loop where they are large."""

from __future__ import annotations

from typing import Final

from api.mcp.messages import Messages, parse
from api.mcp.pages import page
from api.mcp.tools import TOOLS
from api.mcp.tools.tool import RestCall
from api.parser_process import run_in_parser_process
from api.parser_thread import run_in_parser

THREAD_BYTES: Final = 16_384
"""Largest body, answer or document that is read in the parser's thread: a few milliseconds."""


async def parsed(body: bytes) -> Messages:
    """The messages of a body. Raises: InvalidRequest for a body that takes too long."""
    if len(body) <= THREAD_BYTES:
        return await run_in_parser(parse, body)
    return await run_in_parser_process(parse, body)


async def presented(name: str, answer: bytes, call: RestCall | None) -> bytes:
    """The result of a tool as JSON. Raises: InvalidRequest for an answer that takes too long."""
    slim = None if call is None else RestCall(call.method, call.path, None, call.idempotency_key, call.detail)
    if len(answer) <= THREAD_BYTES:
        return await run_in_parser(present, name, answer, slim)
    return await run_in_parser_process(present, name, answer, slim)


async def paged(document: bytes, extraction_id: str, path: str, offset: int) -> str:
    """A page of a document as JSON. Raises: NotFound for a path that is not in it."""
    if len(document) <= THREAD_BYTES:
        return await run_in_parser(page, document, extraction_id, path, offset)
    return await run_in_parser_process(page, document, extraction_id, path, offset)


def present(name: str, answer: bytes, call: RestCall | None) -> bytes:
    """The result of the tool of this name."""
    return TOOLS[name].present(answer, call)

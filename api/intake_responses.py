"""Reads the bodies of the reasoning routes: small ones in the parser's thread, large ones in a process of their own."""

from __future__ import annotations

from starlette.requests import Request

from api import intake
from api.parser_process import run_by_size
from api.reasoning_bodies import Parsed, ParsedBody, RefusedRequest, parse_batch, parse_document, parse_request
from spatial.errors import InvalidRequest


async def read_json(request: Request) -> bytes:
    """The body of a JSON request. Raises: InvalidRequest for one that is not JSON by its headers."""
    intake.require_json(request)
    return await intake.read_json(request)


async def read_request(request: Request, body: bytes, *, is_idempotent: bool) -> tuple[Parsed, str | None]:
    """The request in the body, and its fingerprint if that is needed. The caller's request_id is the answer's from now on."""
    parsed = await _parse(body, is_idempotent, is_batch=False)
    [only] = parsed.requests
    if only.request_id is not None:
        request.state.request_id = only.request_id
    return only, parsed.fingerprint


async def read_batch(body: bytes, *, is_idempotent: bool) -> tuple[list[Parsed], str | None]:
    """The requests in the body, and the fingerprint of all of them. Raises: InvalidRequest for the envelope."""
    parsed = await _parse(body, is_idempotent, is_batch=True)
    return parsed.requests, parsed.fingerprint


async def read_document(data: bytes, path: str) -> bytes:
    """A document that was sent ahead, validated. Raises: InvalidRequest, InputRejected with paths below `path`."""
    return await run_by_size(parse_document, data, path)


async def _parse(body: bytes, is_idempotent: bool, *, is_batch: bool) -> ParsedBody:
    parse = parse_batch if is_batch else parse_request
    try:
        return await run_by_size(parse, body, is_idempotent)
    except InvalidRequest as refused:
        if is_batch:
            raise
        return ParsedBody([RefusedRequest(refused, None)], None)

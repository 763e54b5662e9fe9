"""GET /api/v1/cad/extractions and one of them (not in the spec): documents of the last 24 hours, read again without charge."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query
from pydantic import WithJsonSchema
from starlette.requests import Request
from starlette.responses import Response

from api import faults, stored_extractions
from api.dispatcher import DispatcherDep
from api.endpoint import Endpoint, raises
from api.gates.keys import CallerDep
from api.long_response import LongResponse
from api.repeated import none_sent
from spatial import errors
from spatial.contract import limits
from spatial.contract.extraction import CadExtraction
from spatial.contract.stored import StoredExtraction, StoredExtractions
from spatial.contract.validation import invalid_field

ROUTE: Final = "/api/v1/cad/extractions"

DEFAULT: Final = 50
"""Extractions of a page, where the caller names no number."""

router = APIRouter(route_class=Endpoint, tags=["extraction"])

ExtractionPath = Annotated[
    str,
    Path(alias="id"),
    WithJsonSchema({"type": "string", "pattern": "^req_", "examples": ["req_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"]}),
]
"""Any text, because an id that cannot exist is a 404; described by the form of those that exist."""

LimitQuery = Annotated[
    list[str],
    Query(description="How many to list.", default_factory=none_sent),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": limits.EXTRACTIONS_LISTED, "default": DEFAULT}),
]
SkipQuery = Annotated[
    list[str],
    Query(description="How many of the latest to leave out.", default_factory=none_sent),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": limits.EXTRACTIONS_SKIPPED, "default": 0}),
]


@raises(errors.InvalidRequest)
async def listed(limit: LimitQuery) -> int:
    """How many extractions the caller wants. Raises: InvalidRequest."""
    return _whole("limit", limit, DEFAULT, 1, limits.EXTRACTIONS_LISTED)


@raises(errors.InvalidRequest)
async def skipped(skip: SkipQuery) -> int:
    """How many of the latest the caller does not want. Raises: InvalidRequest."""
    return _whole("skip", skip, 0, 0, limits.EXTRACTIONS_SKIPPED)


def _whole(name: str, sent: list[str], default: int, least: int, most: int) -> int:
    if not sent:
        return default
    is_number = len(sent) == 1 and sent[0].isascii() and sent[0].isdecimal() and len(sent[0]) <= len(str(most))
    if not is_number or not least <= int(sent[0]) <= most:
        raise invalid_field(name, f"is not a whole number from {least} to {most}; correct it")
    return int(sent[0])


@router.get(
    ROUTE,
    summary="Your extractions of the last 24 hours",
    response_description="One page of them, latest first",
    operation_id="list_extractions",
    response_model=StoredExtractions,
)
@raises()
async def list_extractions(
    request: Request,
    caller: CallerDep,
    count: Annotated[int, Depends(listed)],
    skip: Annotated[int, Depends(skipped)],
    dispatcher: DispatcherDep,
) -> Response:
    """Single extractions and items of batches that succeeded, of every key of the account. Not part of the spec."""
    found, has_more = await stored_extractions.list_stored(dispatcher, caller.account_id, count=count, skip=skip)
    page = StoredExtractions(
        data=[
            StoredExtraction(
                id=one.id, file_name=one.file_name, source_format=one.source_format, created_at=one.created_at
            )
            for one in found
        ],
        has_more=has_more,
        request_id=faults.id_of(request.scope),
    )
    return _response(page.model_dump_json(exclude_none=True).encode())


@router.get(
    f"{ROUTE}/{{id}}",
    summary="One extraction of the last 24 hours, once more",
    response_description="The document as it was answered",
    operation_id="read_extraction",
    response_model=CadExtraction,
)
@raises(errors.NotFound, errors.ConverterUnavailable)
async def read_extraction(
    request: Request, extraction_id: ExtractionPath, caller: CallerDep, dispatcher: DispatcherDep
) -> Response:
    """The document with the usage that was charged when it was extracted; reading it again is free. Not part of the spec.

    `request_id` in the body, and X-Request-ID, are those of the extraction.
    """
    stored = await stored_extractions.find_stored(dispatcher, caller.account_id, extraction_id)
    document = await stored_extractions.read_stored(dispatcher, stored)
    request.state.request_id = stored.request_id
    return _response(document)


def _response(body: bytes) -> Response:
    return LongResponse(body, media_type="application/json", headers={"Cache-Control": "no-store"})

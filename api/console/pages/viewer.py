"""The viewer: extract a file for an account, show its document, its mesh and its pictures, and reason over it.

What its scripts ask for is answered by the functions behind the REST routes, under a key of the account that nobody holds.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from api import stored_extractions
from api.billed_operations import OperationsDep
from api.console import parameters, rendering
from api.console.endpoint import Call, Page
from api.console.pictures import draw
from api.console.session import CallDep, SignedInDep
from api.console.stage_stream import stream_stages
from api.dispatcher import DispatcherDep
from api.endpoint import raises
from api.gates.body_size import UPLOAD_SECONDS, Allowance
from api.gates.keys import Caller
from api.parser_process import run_by_size
from api.routes import extract as extract_route
from api.routes import responses as responses_route
from api.routes import uploads as uploads_route
from flows.dispatch import STAGES
from spatial import errors
from spatial.contract import formats
from spatial.contract.drawing import LOW_CONFIDENCE
from spatial.contract.responses import TASK_TYPES
from spatial.errors import NotFound
from storage.objects import lake
from storage.objects.lake import ObjectMissing
from storage.postgres import keys
from storage.postgres.extractions import StoredExtraction
from storage.settings import Settings

SECTION: Final = "/console/viewer"
ACCOUNT: Final = f"{SECTION}/{{account_id}}"
ONE: Final = f"{ACCOUNT}/{{extraction_id}}"
LISTED: Final = 30
"""Extractions of the last 24 hours that a page lists."""

STAGE_WORDS: Final = {
    "fetch": "put the file into storage",
    "convert": "read the file in a process of its own",
    "interpret": "find features, callouts, tables and relations",
    "sample": "sample points on the surfaces",
    "assemble": "assemble the document",
    "meter": "record the usage",
}
"""What each stage does."""

KEY_LABEL: Final = "console viewer"
"""Name of the key under which the viewer's requests of an account are charged."""

EXTRACTED: Final = (
    errors.InvalidRequest,
    errors.PaymentRequired,
    errors.UnsupportedFileType,
    errors.ParseError,
    errors.ConversionTimeout,
    errors.RateLimitExceeded,
    errors.UsageFinalizationUnavailable,
    errors.BillingUnavailable,
    errors.ConverterUnavailable,
)
"""What the routes behind the viewer's calls raise."""

router = APIRouter(route_class=Page, include_in_schema=False)
calls = APIRouter(route_class=Call, include_in_schema=False)


def allowance(settings: Settings) -> Allowance:
    """The bodies of files: a whole file, and time for it."""
    path = re.compile(f"{SECTION}/[^/]+/uploads/[^/]+")
    return Allowance(settings.file_limit_bytes, UPLOAD_SECONDS, "PUT", path, is_file=True)


@raises(NotFound, errors.BillingUnavailable)
async def viewing_caller(account_id: str, signed_in: CallDep, dispatcher: DispatcherDep) -> Caller:
    """The account of the address, with the key for the viewer's requests: the first call makes it, and discards its secret."""
    async with dispatcher.database.transaction() as connection:
        account = await parameters.require_account(connection, account_id)
        key_id = await keys.find_or_make(connection, account.id, KEY_LABEL)
    return Caller(account_id=account.id, key_id=key_id)


CallerDep = Annotated[Caller, Depends(viewing_caller)]


@router.get(SECTION)
@raises(errors.BillingUnavailable)
async def drop(signed_in: SignedInDep, dispatcher: DispatcherDep, account: str = "") -> Response:
    """The place to drop a file, and the extractions of the last 24 hours."""
    accounts = await parameters.list_accounts(dispatcher.database)
    chosen = next((one for one in accounts if one.id == account), accounts[0] if accounts else None)
    recent: list[StoredExtraction] = []
    if chosen is not None:
        recent, _ = await stored_extractions.list_stored(dispatcher, chosen.id, count=LISTED)
    return rendering.page(
        "drop.html",
        signed_in,
        section=SECTION,
        accounts=accounts,
        chosen=chosen,
        recent=recent,
        extensions=list(formats.EXTENSIONS),
        most_bytes=dispatcher.settings.file_limit_bytes,
        stages=[(name, STAGE_WORDS[name]) for name in STAGES],
    )


@router.get(ONE)
@raises(NotFound, errors.BillingUnavailable)
async def view(account_id: str, extraction_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """One document; with `?with=`, beside an earlier one."""
    stored = await stored_extractions.find_stored(dispatcher, account_id, extraction_id)
    recent, _ = await stored_extractions.list_stored(dispatcher, account_id, count=LISTED)
    return rendering.page(
        "viewer.html",
        signed_in,
        section=SECTION,
        account_id=account_id,
        stored=stored,
        others=[one for one in recent if one.id != stored.id],
        tasks=list(TASK_TYPES),
        low_confidence=LOW_CONFIDENCE,
    )


@calls.get(f"{ONE}/document")
@raises(NotFound, errors.ConverterUnavailable)
async def document(account_id: str, extraction_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """The JSON of the document."""
    stored = await stored_extractions.find_stored(dispatcher, account_id, extraction_id)
    return Response(await stored_extractions.read_stored(dispatcher, stored), media_type="application/json")


@calls.get(f"{ONE}/pages/{{number}}")
@raises(NotFound, errors.InvalidRequest, errors.ConverterUnavailable)
async def page_picture(
    account_id: str, extraction_id: str, number: int, signed_in: SignedInDep, dispatcher: DispatcherDep
) -> Response:
    """The picture of a sheet or a diagram's page, drawn from the document alone, as SVG."""
    stored = await stored_extractions.find_stored(dispatcher, account_id, extraction_id)
    body = await stored_extractions.read_stored(dispatcher, stored)
    try:
        drawn = await run_by_size(draw, body, number)
    except errors.InvalidRequest as refused:
        raise errors.InvalidRequest(
            "the page has too much on it to be drawn here in time; draw it with spatial preview"
        ) from refused
    if drawn is None:
        raise NotFound(f"the document has no page {number} that can be drawn; see its sheets or pages")
    return Response(drawn, media_type="image/svg+xml")


@calls.get(f"{ONE}/mesh")
@raises(NotFound, *EXTRACTED)
async def mesh(account_id: str, extraction_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """The mesh of a model as binary glTF: made by the converter when it is first asked for, and kept as long as the document."""
    stored = await stored_extractions.find_stored(dispatcher, account_id, extraction_id)
    key = lake.mesh_key(stored.operation_id, stored.item)
    try:
        body = await dispatcher.lake.get(key)
    except ObjectMissing:
        data = await stored_extractions.read_source(dispatcher, stored)
        body = await dispatcher.mesh(stored.file_name or "", stored.source_format or "", data)
        await dispatcher.lake.put(key, body)
    return Response(body, media_type="model/gltf-binary")


@calls.post(f"{ACCOUNT}/uploads")
@raises(*EXTRACTED)
async def announce(request: Request, caller: CallerDep, dispatcher: DispatcherDep) -> Response:
    """Announce a file, as POST /api/v1/uploads."""
    return await uploads_route.create(request, caller, dispatcher)


@calls.put(f"{ACCOUNT}/uploads/{{upload_id}}")
@raises(*EXTRACTED, NotFound)
async def receive(request: Request, upload_id: str, caller: CallerDep, dispatcher: DispatcherDep) -> Response:
    """The bytes of a file, as PUT /api/v1/uploads/{id}."""
    return await uploads_route.receive(request, upload_id, caller, dispatcher)


@calls.post(f"{ACCOUNT}/extract")
@raises(*EXTRACTED)
async def extract(
    request: Request, caller: CallerDep, operations: OperationsDep, dispatcher: DispatcherDep
) -> Response:
    """Extract a file, as POST /api/v1/cad/extract; charged to the account. The answer is a stream of its stages, and its id at the end."""
    run = partial(extract_route.perform, request, caller, None, operations, dispatcher)
    return await stream_stages(request, operations, run)


@calls.post(f"{ACCOUNT}/responses")
@raises(*EXTRACTED, errors.InputRejected, errors.DesktopInferenceUnavailable)
async def respond(
    request: Request, caller: CallerDep, operations: OperationsDep, dispatcher: DispatcherDep
) -> Response:
    """Reason over extractions of the account, as POST /api/v1/responses; charged to the account."""
    return await responses_route.respond(request, caller, None, dispatcher, operations)

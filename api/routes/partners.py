"""Feature trees of CAD partners (spec: POST /api/v1/cad/import-feature-tree, POST /api/v1/cad/partner-webhook).

Checks of the import, in this order: body size, key, body (400), subscription (402). Of the webhook: body size, signature (401), content
type and body (400). A tree that the same account had before, from the same partner, document and body, is not imported again.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final

from fastapi import APIRouter
from fastapi.security import APIKeyHeader
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from api import faults, intake
from api.billed_operations import BilledRequest, OperationsDep, usage_not_finalized
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import Endpoint, PublicEndpoint, raises, reads
from api.gates import billing
from api.gates.keys import CallerDep
from api.parser_process import run_by_size
from api.parser_thread import run_in_parser
from api.partner_signature import HEADER, digest_of, signed_by
from api.request_bodies import JSON, RequestBody, json_media
from spatial import errors
from spatial.contract import validation
from spatial.contract.feature_tree import FeatureTreeImport, FeatureTreeImported
from spatial.contract.json_values import may_be_not_finite, require_finite
from spatial.contract.routes import IMPORT_ROUTE, WEBHOOK_ROUTE
from spatial.errors import AuthenticationFailed, InvalidRequest
from storage.postgres import accounts, operations, partner_secrets, scenes, usage
from storage.postgres.scenes import SceneSource
from storage.postgres.usage import UsageRow

router = APIRouter(route_class=Endpoint, tags=["partners"])
webhook = APIRouter(route_class=PublicEndpoint, tags=["partners"])

MOST_TREE_TOKENS: Final = 400_000
"""Maximum number of strings, commas and opening brackets of a tree: 5,000 features with 80 each."""

SHARED_ACCOUNT: Final = "partners"
"""Account of partners without secrets of their own, where SPATIAL_WEBHOOK_ACCOUNT names none."""

REFUSAL: Final = f"{HEADER} is missing or wrong; send the HMAC-SHA256 of the raw body with the secret of the partner, in hex or base64"

SIGNATURE: Final = APIKeyHeader(
    name=HEADER,
    scheme_name="partnerSignature",
    description="HMAC-SHA256 of the raw body, in hex (with or without sha256=) or base64.",
    auto_error=False,
)

BODY: Final = RequestBody((json_media(FeatureTreeImport),))


@router.post(
    IMPORT_ROUTE,
    summary="Import a feature tree as a scene",
    response_description="The scene that reasoning requests can name",
    operation_id="import_feature_tree",
    response_model=FeatureTreeImported,
)
@reads(BODY)
@raises(
    errors.InvalidRequest,
    errors.PaymentRequired,
    errors.ConversionTimeout,
    errors.ConverterUnavailable,
    errors.UsageFinalizationUnavailable,
)
async def import_feature_tree(
    request: Request, caller: CallerDep, dispatcher: DispatcherDep, operations_: OperationsDep
) -> Response:
    """Solids are built where the parameters allow it; other features keep their stated bounds, with a warning each.

    Name the scene as `scene_id` in `input` of a reasoning request. The same tree imported twice is one scene.
    """
    intake.require_json(request)
    body = await request.body()
    tree = await run_by_size(_parse, body)
    await billing.require_subscription(dispatcher, caller.account_id)
    billed = BilledRequest(
        operation_id=operations.new_id(),
        request_id=faults.id_of(request.scope),
        caller=caller,
        route=IMPORT_ROUTE,
        input_bytes=len(body),
    )

    async def work() -> bytes:
        answer = await _import(dispatcher, caller.account_id, tree, body, billed.request_id)
        return await _charge(dispatcher, billed, tree, answer)

    return Response(await operations_.run(billed, work), media_type=JSON)


@webhook.post(
    WEBHOOK_ROUTE,
    summary="A partner's signed event: a feature tree to import",
    response_description="Accepted: imported now, or before",
    operation_id="partner_webhook",
    response_model=FeatureTreeImported,
    openapi_extra={"security": [{"partnerSignature": []}]},
)
@reads(BODY)
@raises(
    errors.InvalidRequest,
    errors.AuthenticationFailed,
    errors.ConversionTimeout,
    errors.ConverterUnavailable,
    errors.BillingUnavailable,
)
async def receive_event(request: Request, dispatcher: DispatcherDep) -> Response:
    """Not metered. A second event of the same partner, document and body changes nothing."""
    body = await request.body()
    account_id = await _authenticate(dispatcher, request, body)
    intake.require_json(request)
    tree = await run_by_size(_parse, body)
    answer = await _import(dispatcher, account_id, tree, body, faults.id_of(request.scope))
    return Response(answer, media_type=JSON)


async def _import(
    dispatcher: Dispatcher, account_id: str, tree: FeatureTreeImport, body: bytes, request_id: str
) -> bytes:
    """The scene of a tree, imported now or before; the body of the answer."""
    source = SceneSource(account_id, tree.partner, tree.document_id, hashlib.sha256(body).hexdigest())
    async with dispatcher.database.transaction() as connection:
        scene_id = await scenes.find_imported(connection, source)
    is_new = scene_id is None
    if scene_id is None:
        document = await dispatcher.import_tree(tree, body, request_id, account_id)
        async with dispatcher.database.transaction() as connection:
            scene_id = await scenes.save(connection, source, document)
    async with dispatcher.database.transaction() as connection:
        saved = await scenes.read(connection, account_id, scene_id)
    return await run_in_parser(_answer, scene_id, saved or b"{}", tree, request_id, is_new)


def _answer(scene_id: str, document: bytes, tree: FeatureTreeImport, request_id: str, is_new: bool) -> bytes:
    scene = json.loads(document)
    solids = scene.get("structure", {}).get("solids", [])
    answer = {
        "scene_id": scene_id,
        "request_id": request_id,
        "partner": tree.partner,
        "document_id": tree.document_id,
        "is_new": is_new,
        "units": scene.get("units"),
        "features": len(tree.feature_tree),
        "objects": [{"id": solid["id"], "has_solid": "volume" in solid} for solid in solids],
        "bbox": scene.get("statistics", {}).get("bbox"),
        "warnings": scene.get("warnings", []),
    }
    return json.dumps({name: value for name, value in answer.items() if value is not None}, ensure_ascii=False).encode()


async def _charge(dispatcher: Dispatcher, billed: BilledRequest, tree: FeatureTreeImport, answer: bytes) -> bytes:
    """Meter and complete the import; the answer with its usage. Raises: UsageFinalizationUnavailable."""
    tokens = usage.count_tokens(billed.input_bytes), usage.count_tokens(len(answer))
    estimate = usage.estimate(dispatcher.settings, *tokens)
    row = UsageRow(
        operation_id=billed.operation_id,
        item=0,
        account_id=billed.caller.account_id,
        key_id=billed.caller.key_id,
        request_id=billed.request_id,
        route=IMPORT_ROUTE,
        source_format="feature_tree",
        file_name=tree.document_id,
        **estimate.model_dump(),
    )
    if not await operations.conclude(
        dispatcher.database, billed.operation_id, status=200, result_key=None, content_type=JSON, usage=[row]
    ):
        raise usage_not_finalized()
    return estimate.attached_to(answer)


async def _authenticate(dispatcher: Dispatcher, request: Request, body: bytes) -> str:
    """The account of the partner that signed the body, which is read only if a valid secret signed it. Raises: AuthenticationFailed."""
    sent = request.headers.getlist(HEADER)
    digest = digest_of(sent[0]) if len(sent) == 1 else None
    if digest is None:
        raise AuthenticationFailed(REFUSAL)
    async with dispatcher.database.transaction() as connection:
        known = await partner_secrets.read_all(connection)
    shared = dispatcher.settings.webhook_secret
    secrets = [found.secret for found in known] + ([shared.get_secret_value()] if shared else [])
    signing = await run_in_parser(signed_by, body, digest, secrets)
    if not signing:
        raise AuthenticationFailed(REFUSAL)
    partner = await run_by_size(_partner_of, body)
    own = [found for found in known if found.secret in signing and partner in (None, found.partner)]
    if own:
        return own[0].account_id
    has_own = partner is not None and any(found.partner == partner for found in known)
    if has_own or shared is None or shared.get_secret_value() not in signing:
        raise AuthenticationFailed(REFUSAL)
    async with dispatcher.database.transaction() as connection:
        name = dispatcher.settings.webhook_account or SHARED_ACCOUNT
        return (await accounts.get_or_create(connection, name)).id


def _partner_of(body: bytes) -> str | None:
    """The partner that a body names; None if it names none, and then its signature is all that can be checked."""
    try:
        named = validation.json_value_with_numbers(body, MOST_TREE_TOKENS)
    except InvalidRequest:
        return None
    partner = named.get("partner") if isinstance(named, dict) else None
    return partner if isinstance(partner, str) else None


def _parse(body: bytes) -> FeatureTreeImport:
    value = validation.json_value_with_numbers(body, MOST_TREE_TOKENS)
    if may_be_not_finite(to_json(value, inf_nan_mode="constants")):
        require_finite(value)
    tree = validation.check(FeatureTreeImport, value)
    known: set[str] = set()
    for place, feature in enumerate(tree.feature_tree):
        if feature.id in known:
            path = f"feature_tree.{place}.id"
            raise InvalidRequest(
                f"{path}: the id {feature.id} is used twice; give each feature its own", details={"field": path}
            )
        known.add(feature.id)
    return tree

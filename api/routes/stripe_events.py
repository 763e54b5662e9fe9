"""Events of Stripe about subscriptions: POST /api/v1/billing/stripe-webhook (not in the spec; docs/billing.md).

Checks, in this order: body size (413), whether the settings have the signing secret (404), signature over the raw bytes (400), content
(400). An event may come twice, late or out of order: it only says that the subscriptions of a customer are to be read again.
"""

from __future__ import annotations

import re
from typing import Annotated, Final

from fastapi import APIRouter, Header
from starlette.requests import Request
from starlette.responses import Response

from api import faults
from api.dispatcher import DispatcherDep
from api.endpoint import PublicEndpoint, raises, reads
from api.gates.body_size import BODY_SECONDS, Allowance
from api.request_bodies import JSON, Media, RequestBody
from billing.provider import StripeBilling
from spatial import errors
from spatial.contract.routes import STRIPE_ROUTE

router = APIRouter(route_class=PublicEndpoint, tags=["billing"])

EVENT_BYTES: Final = 262_144
"""Largest event; those about subscriptions have a few kB."""

BODY: Final = RequestBody((Media(JSON, {"type": "object"}, {}),), "An event as Stripe sends it.")

StripeSignature = Annotated[
    str | None, Header(alias="Stripe-Signature", description="Signature of the raw body, as Stripe sends it.")
]


def allowance() -> Allowance:
    """The bodies of events."""
    return Allowance(EVENT_BYTES, BODY_SECONDS, "POST", re.compile(re.escape(STRIPE_ROUTE)))


@router.post(
    STRIPE_ROUTE,
    status_code=204,
    summary="An event of Stripe: the subscriptions of a customer changed",
    response_description="The subscriptions were read again, or the event is about something else",
    operation_id="stripe_webhook",
)
@reads(BODY)
@raises(errors.InvalidRequest, errors.NotFound, errors.BillingUnavailable)
async def receive_event(request: Request, dispatcher: DispatcherDep, signature: StripeSignature = None) -> Response:
    """For Stripe alone. 404 unless the service is configured for it. A second delivery changes nothing."""
    provider = dispatcher.billing
    if not isinstance(provider, StripeBilling) or not provider.takes_events:
        raise faults.nothing_at(request.url.path)
    await provider.receive_event(await request.body(), signature)
    return Response(status_code=204)

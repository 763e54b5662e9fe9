"""Stripe's API, as far as this service needs it; the only module that imports the library `stripe`.

The library sends through an HTTP client of ours, which takes proxies and certificates from no environment, keeps the deadline of each
call, and replaces the headers in which the library describes this machine. Its telemetry is off. Nothing is repeated here: callers
decide what may be sent again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import httpx
import stripe
from stripe import _util

from spatial.errors import BillingUnavailable, InvalidRequest, SpatialError
from storage.postgres.meter_events import MeterEvent
from storage.settings import Settings

stripe.enable_telemetry = False
_util.STRIPE_LOG = None  # else a variable of the environment makes the library print every request

API_URL: Final = "https://api.stripe.com"
"""Where Stripe's API is, unless SPATIAL_STRIPE_API_URL names another address."""

CONNECTIONS: Final = 16
"""Requests of one process that are under way at Stripe at a time; Stripe takes 100 per second of an account (Stripe: Rate limits)."""

AGENT: Final = "spatial-geometry-service"
"""What Stripe's log of requests shows as the client."""

DROPPED: Final = frozenset({"user-agent", "x-stripe-client-user-agent"})
"""Headers of the library that describe this machine and its environment."""

SIGNATURE_SECONDS: Final = 300
"""How old a signed event may be (Stripe: Verify webhook signatures)."""

MOST_SUBSCRIPTIONS: Final = 500
"""Subscriptions of a customer that are looked at: as many as Stripe lets one customer have."""

UNAUTHORIZED, FORBIDDEN, CONFLICT, TOO_MANY, SERVER_ERROR = 401, 403, 409, 429, 500

log = logging.getLogger(__name__)


class StripeUnavailable(BillingUnavailable):
    """Stripe cannot be reached, is too slow, limits requests, or does not accept the key; asked again later, it may answer."""

    def __init__(self, message: str, *, may_have_acted: bool, retry_after: int | None = None) -> None:
        """may_have_acted: whether the request may have taken effect; retry_after: seconds that Stripe asks to wait."""
        super().__init__(message, retry_after=retry_after)
        self.may_have_acted = may_have_acted
        self.asked_wait = retry_after


class StripeRefused(SpatialError):
    """Stripe refuses a request for what it says; the same request again is refused again. The message is Stripe's."""

    status = 400
    type = "stripe_refused"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Event:
    """A signed event about a subscription or about anything else."""

    id: str
    type: str
    customer_id: str | None
    """The customer of the object that the event is about; None where it has none."""


class StripeApi:
    """Calls to Stripe with one key. Usable from the event loop that first used it."""

    def __init__(self, settings: Settings, client: httpx.AsyncClient) -> None:
        assert settings.stripe_key is not None  # checked by whoever opens it
        self._stripe = stripe.StripeClient(
            settings.stripe_key.get_secret_value(),
            base_addresses={"api": settings.stripe_api_url or API_URL},
            max_network_retries=0,
            http_client=_HttpClient(client),
        )

    async def read_statuses(self, customer_id: str) -> list[str]:
        """Statuses of a customer's subscriptions in Stripe's words; ["canceled"] where all were canceled, [] without any.

        Raises: StripeUnavailable; StripeRefused for a customer that does not exist.
        """
        with _translate_errors():
            current = await self._stripe.v1.subscriptions.list_async({"customer": customer_id, "limit": 100})
            found: list[str] = []
            async for subscription in current.auto_paging_iter():
                found.append(str(subscription.status))
                if len(found) == MOST_SUBSCRIPTIONS:
                    break
            if not found:
                query: Any = {"customer": customer_id, "status": "canceled", "limit": 1}
                canceled = await self._stripe.v1.subscriptions.list_async(query)
                found = [str(subscription.status) for subscription in canceled.data]
            return found

    async def send_meter_event(self, event: MeterEvent, event_name: str) -> None:
        """Send one event; returns where Stripe has it, by this request or by an earlier one.

        event_name: that of the meter. Raises: StripeUnavailable; StripeRefused.
        """
        try:
            with _translate_errors():
                await self._stripe.v1.billing.meter_events.create_async(
                    {
                        "event_name": event_name,
                        "identifier": event.identifier,
                        "timestamp": int(event.occurred_at.timestamp()),
                        "payload": {"stripe_customer_id": event.customer_id, "value": str(event.tokens)},
                    }
                )
        except StripeRefused as refusal:
            if not _is_duplicate(refusal, event.identifier):
                raise


@asynccontextmanager
async def open_api(settings: Settings, seconds: float) -> AsyncIterator[StripeApi]:
    """Stripe's API for the length of a block. seconds: how long one request may take."""
    async with open_client(seconds) as client:
        yield StripeApi(settings, client)


def open_client(seconds: float) -> httpx.AsyncClient:
    """The HTTP client under the library; whoever opens it closes it. seconds: how long one request may take."""
    return httpx.AsyncClient(trust_env=False, timeout=seconds, limits=httpx.Limits(max_connections=CONNECTIONS))


def read_event(body: bytes, signature: str | None, secret: str) -> Event:
    """The event in the body of a webhook request, parsed only if the signature over its bytes is right and recent.

    Raises: InvalidRequest.
    """
    try:
        if signature is None or not signature.isascii():
            raise ValueError
        stripe.WebhookSignature.verify_header(body, signature, secret, SIGNATURE_SECONDS)
    except (stripe.SignatureVerificationError, ValueError) as error:
        raise InvalidRequest(
            "Stripe-Signature is missing, wrong or older than "
            f"{SIGNATURE_SECONDS} s; sign the raw body with the signing secret of this webhook endpoint"
        ) from error
    try:
        event = json.loads(body)
        return Event(str(event["id"]), str(event["type"]), _customer_of(event["data"]["object"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidRequest(
            "the body is signed but is not a Stripe event with its object; choose snapshot events for this webhook endpoint"
        ) from error


def _customer_of(subject: Mapping[str, Any]) -> str | None:
    """A customer is an id, or an object with one where the endpoint expands it."""
    customer = subject.get("customer")
    named = customer.get("id") if isinstance(customer, dict) else customer
    return named if isinstance(named, str) else None


def _is_duplicate(refusal: StripeRefused, identifier: str) -> bool:
    """Stripe answers 400 to an identifier that it has: "An event already exists with identifier …"."""
    return refusal.code == "duplicate_meter_event" or f"already exists with identifier {identifier}" in refusal.message


class _HttpClient(stripe.HTTPClient):
    """Sends what the library asks for by a client of ours."""

    name = "httpx"

    def __init__(self, client: httpx.AsyncClient) -> None:
        super().__init__()
        self._httpx = client

    async def request_async(
        self, method: str, url: str, headers: Mapping[str, str], post_data: Any = None
    ) -> tuple[bytes, int, Mapping[str, str]]:
        """One request. Raises: StripeUnavailable."""
        sent = {name: value for name, value in headers.items() if name.lower() not in DROPPED} | {"User-Agent": AGENT}
        try:
            async with asyncio.timeout(self._httpx.timeout.read):
                response = await self._httpx.request(method, url, headers=sent, content=post_data)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise _unreachable(error, may_have_acted=False) from error
        except (httpx.HTTPError, TimeoutError) as error:
            raise _unreachable(error, may_have_acted=True) from error
        answered = response.headers.copy()
        answered.pop("stripe-notice", None)  # the library would raise it as a Python warning
        return response.content, response.status_code, answered

    async def close_async(self) -> None:
        """Nothing: whoever opened the client closes it."""


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise the library's errors as ours."""
    try:
        yield
    except stripe.StripeError as error:
        _raise_translated(error)


def _raise_translated(error: stripe.StripeError) -> NoReturn:
    status = error.http_status or SERVER_ERROR
    if status in (UNAUTHORIZED, FORBIDDEN):
        log.error("Stripe does not accept SPATIAL_STRIPE_KEY (status %d): %s", status, error.user_message)
        raise StripeUnavailable(
            "Stripe does not accept the key of this service; set SPATIAL_STRIPE_KEY to a valid one",
            may_have_acted=False,
        ) from error
    if status == TOO_MANY:
        raise StripeUnavailable(
            "Stripe limits the requests of this service; try again in a few seconds",
            may_have_acted=False,
            retry_after=_seconds(error.headers),
        ) from error
    if status < SERVER_ERROR and status != CONFLICT and isinstance(error, stripe.InvalidRequestError):
        raise StripeRefused(error.user_message or f"Stripe answered with status {status}", error.code) from error
    raise StripeUnavailable(
        f"Stripe answered with status {status}; try again in a few seconds",
        may_have_acted=True,
        retry_after=_seconds(error.headers),
    ) from error


def _unreachable(error: Exception, *, may_have_acted: bool) -> StripeUnavailable:
    log.warning("Stripe cannot be reached: %r", error)
    return StripeUnavailable("Stripe cannot be reached; try again in a few seconds", may_have_acted=may_have_acted)


def _seconds(headers: Mapping[str, str] | None) -> int | None:
    """Retry-After, where it is a number of seconds above zero."""
    written = (headers or {}).get("retry-after", "")
    return int(written) or None if written.isascii() and written.isdecimal() and len(written) < 5 else None

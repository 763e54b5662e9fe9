"""The billing provider of a deployment: the local table, or Stripe for accounts that are linked to a customer.

How old a state may be that a request is decided on:

  paying              FRESH_SECONDS; while Stripe cannot be asked, STALE_SECONDS
  not paying          UNPAID_SECONDS, so that who has just paid is not refused for long
  changed, says an event  it is read again with the next request; where that fails, the request is 503 and no older state is used

Stripe is asked at most once at a time for an account in one process, and after a failure not for PAUSE_SECONDS, so that an outage delays
one request and not all. See docs/decisions/0038-stripe.md.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import httpx

from spatial.errors import BillingUnavailable
from storage.postgres import stripe_customers, subscriptions
from storage.postgres.database import Database, DatastoreUnavailable
from storage.postgres.stripe_customers import CUSTOMER, Link
from storage.postgres.subscriptions import PAYING, BillingProvider, LocalBilling, Status
from storage.settings import Settings

FRESH_SECONDS: Final = 60.0
"""How long a paying state counts without asking Stripe."""

UNPAID_SECONDS: Final = 10.0
"""How long any other state counts without asking Stripe."""

STALE_SECONDS: Final = 3600.0
"""Age up to which a paying state counts while Stripe cannot be asked."""

LOOKUP_SECONDS: Final = 3.0
"""How long a request waits for Stripe, then it is 503 billing_unavailable or decided on the last known state."""

PAUSE_SECONDS: Final = 5.0
"""How long Stripe is not asked after it could not be reached or limited requests, unless its Retry-After is longer."""

PAUSE_MOST_SECONDS: Final = 60.0
"""Longest such pause, whatever Stripe asks for."""

SUBSCRIPTION_EVENTS: Final = frozenset(
    {f"customer.subscription.{what}" for what in ("created", "updated", "deleted", "paused", "resumed")}
)
"""Events after which a customer's subscriptions are read again."""

MEANINGS: Final[dict[str, Status]] = {
    "active": "active",
    "trialing": "trialing",
    "past_due": "past_due",
    "unpaid": "past_due",
    "paused": "past_due",
    "incomplete": "none",
    "incomplete_expired": "canceled",
    "canceled": "canceled",
}
"""Stripe's status of a subscription to ours. `incomplete` awaits for its first payment; `paused`: a trial ended without payment details."""

BEST_FIRST: Final[tuple[Status, ...]] = ("active", "trialing", "past_due", "canceled", "none")
"""Of several subscriptions the first of these counts."""

log = logging.getLogger(__name__)


def open_billing(settings: Settings, database: Database) -> BillingProvider:
    """The provider that the settings choose; whoever opens it closes it. The library of Stripe is loaded only where it is used."""
    if settings.stripe_key is None:
        return LocalBilling(database)
    return StripeBilling(settings, database)


def best_status(statuses: list[str]) -> Status:
    """Our status for the statuses of a customer's subscriptions; one that Stripe added since counts as not paying."""
    if unknown := [status for status in statuses if status not in MEANINGS]:
        log.warning("Stripe reports subscriptions of an unknown status (%s); they count as none", ", ".join(unknown))
    known = {MEANINGS.get(status, "none") for status in statuses}
    return next((status for status in BEST_FIRST if status in known), "none")


def _is_fresh(link: Link) -> bool:
    """Whether the state counts without asking Stripe."""
    return link.age is not None and link.age < (FRESH_SECONDS if link.status in PAYING else UNPAID_SECONDS)


class StripeBilling:
    """The billing provider for which linked accounts pay by Stripe; others keep their state of the local table."""

    def __init__(self, settings: Settings, database: Database) -> None:
        from billing.stripe_api import StripeApi, open_client

        self._client: httpx.AsyncClient = open_client(LOOKUP_SECONDS)
        self._api = StripeApi(settings, self._client)
        self._database = database
        self._secret = settings.stripe_webhook_secret
        self._lookups: dict[str, asyncio.Task[Status]] = {}
        """Lookups under way, by account."""
        self._paused_until = 0.0
        """By the clock of the event loop."""

    async def subscription(self, account_id: str) -> Status:
        """The account's status. Raises: BillingUnavailable."""
        async with self._database.transaction() as connection:
            link = await stripe_customers.find(connection, account_id)
            if link is None:
                return await subscriptions.status(connection, account_id)
        if _is_fresh(link):
            return link.status
        try:
            return await self._share_lookup(link)
        except DatastoreUnavailable:
            raise
        except BillingUnavailable as error:
            if link.status in PAYING and link.age is not None and link.age < STALE_SECONDS:
                return link.status
            raise BillingUnavailable(
                "the subscription cannot be checked now, because the payment provider does not answer; try again in a few seconds",
                retry_after=self._retry_after(),
            ) from error

    @property
    def takes_events(self) -> bool:
        """Whether the settings have the secret that signs events."""
        return self._secret is not None

    async def receive_event(self, body: bytes, signature: str | None) -> None:
        """Read the subscriptions of the customer of a signed event again; events come in any order, so the event's own state is not used.

        Raises: InvalidRequest for a body that is not signed or no event; BillingUnavailable where Stripe should send the event again.
        """
        from billing.stripe_api import read_event

        assert self._secret is not None  # the route exists only where it is
        event = read_event(body, signature, self._secret.get_secret_value())
        customer = event.customer_id
        if event.type not in SUBSCRIPTION_EVENTS or customer is None or not CUSTOMER.fullmatch(customer):
            return
        async with self._database.transaction() as connection:
            account_id = await stripe_customers.invalidate(connection, customer)
            link = await stripe_customers.find(connection, account_id) if account_id is not None else None
        if link is None:
            return
        self._lookups.pop(link.account_id, None)  # it began before the event
        status = await self._share_lookup(link)
        log.info("event %s: the subscription of account %s is %s", event.id, link.account_id, status)

    async def close(self) -> None:
        """End lookups and close the connections."""
        for lookup in list(self._lookups.values()):
            lookup.cancel()
        await self._client.aclose()

    async def _share_lookup(self, link: Link) -> Status:
        """The status that Stripe has, asked by one request for all that wait. Raises: BillingUnavailable."""
        lookup = self._lookups.get(link.account_id)
        if lookup is None:
            lookup = asyncio.create_task(self._look_up(link))
            self._lookups[link.account_id] = lookup
            lookup.add_done_callback(lambda ended: self._end_lookup(link.account_id, ended))
        return await asyncio.shield(lookup)

    def _end_lookup(self, account_id: str, ended: asyncio.Task[Status]) -> None:
        if self._lookups.get(account_id) is ended:
            del self._lookups[account_id]
        if not ended.cancelled():
            ended.exception()  # retrieved also where nobody waits any more

    async def _look_up(self, link: Link) -> Status:
        if asyncio.get_running_loop().time() < self._paused_until:
            raise BillingUnavailable("Stripe did not answer a moment ago; try again in a few seconds")
        async with self._database.transaction() as connection:
            known = await stripe_customers.find(connection, link.account_id)
            if known is not None and _is_fresh(known):
                return known.status  # another lookup ended meanwhile, here or in another process
            number = await stripe_customers.begin_lookup(connection, link.account_id)
        status = await self._ask(link)
        if number is not None:
            async with self._database.transaction() as connection:
                await stripe_customers.end_lookup(connection, link.account_id, number, status)
        return status

    async def _ask(self, link: Link) -> Status:
        """The status that Stripe has, within LOOKUP_SECONDS. Raises: BillingUnavailable."""
        from billing.stripe_api import StripeRefused, StripeUnavailable

        try:
            async with asyncio.timeout(LOOKUP_SECONDS):
                return best_status(await self._api.read_statuses(link.customer_id))
        except StripeRefused as error:
            log.error(
                "Stripe refuses the customer %s of account %s: %s", link.customer_id, link.account_id, error.message
            )
            return "none"
        except TimeoutError:
            self._pause(None)
            raise BillingUnavailable("Stripe did not answer in time; try again in a few seconds") from None
        except StripeUnavailable as error:
            self._pause(error.asked_wait)
            raise

    def _pause(self, seconds: int | None) -> None:
        pause = min(max(PAUSE_SECONDS, seconds or 0), PAUSE_MOST_SECONDS)
        self._paused_until = asyncio.get_running_loop().time() + pause

    def _retry_after(self) -> int:
        """Whole seconds until Stripe is asked again, 1 at least."""
        return max(1, round(self._paused_until - asyncio.get_running_loop().time()))

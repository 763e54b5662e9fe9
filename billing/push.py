"""Send meter events to Stripe, each exactly once.

An event is marked as sent before the request and as accepted after it. A process that is killed in between leaves it marked as sent, and
the next run sends the same identifier again, which Stripe counts once. Where that is no longer certain, because Stripe may have forgotten
the identifier, the event becomes `uncertain` and is shown instead of sent.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from storage.postgres import meter_events, stripe_customers
from storage.postgres.database import Database
from storage.postgres.meter_events import MeterEvent, Settled
from storage.settings import Settings

if TYPE_CHECKING:
    from billing.stripe_api import StripeApi

REQUEST_SECONDS: Final = 10.0
"""How long one request to Stripe may take."""

AT_ONCE: Final = 8
"""Requests at a time."""

MOST_FAILURES: Final = 3
"""Failures after which the rest of a round is not sent; each may take REQUEST_SECONDS."""

TAKEN: Final = 64
"""Events that are taken at a time; a kill leaves the outcome of so many unknown, at most."""

PAUSES: Final = (1.0, 2.0, 4.0)
"""Seconds to wait after rounds in which Stripe accepted nothing; after the last one the run ends, and the next one goes on."""

PAUSE_MOST_SECONDS: Final = 30.0
"""Longest wait that Stripe may ask for."""

RUN_SECONDS: Final = 240.0
"""How long a run takes new events: less than the interval of its schedule."""

log = logging.getLogger(__name__)


@dataclass
class Pushed:
    """What a run did."""

    accepted: int = 0
    rejected: int = 0
    expired: int = 0
    uncertain: int = 0
    left: int = 0
    """Events that wait for the next run."""
    unlinked_accounts: int = 0
    """Accounts that were charged within 35 days, and have no Stripe customer: nothing of them is sent."""
    problems: Counter[str] = field(default_factory=Counter)
    """How many events Stripe refused for a reason."""

    def counts(self) -> dict[str, int]:
        """The numbers, by name."""
        names = ("accepted", "rejected", "expired", "uncertain", "left", "unlinked_accounts")
        return {name: getattr(self, name) for name in names}


async def push_usage(settings: Settings, database: Database, pauses: tuple[float, ...] = PAUSES) -> Pushed:
    """Send what is pending. pauses: see PAUSES. The caller makes sure that no other run is under way.

    Raises: DatastoreUnavailable.
    """
    from billing.stripe_api import open_api

    pushed = Pushed()
    async with database.transaction() as connection:
        closed = await meter_events.close_overdue(connection)
        pushed.unlinked_accounts = await stripe_customers.count_unlinked(connection, meter_events.OLDEST.days + 1)
        await meter_events.delete_accepted(connection)
    pushed.expired, pushed.uncertain = closed["expired"], closed["uncertain"]
    async with open_api(settings, REQUEST_SECONDS) as api:
        await _send_pending(settings, database, api, pauses, pushed)
    async with database.transaction() as connection:
        pushed.left = await meter_events.count_pending(connection)
    return pushed


async def _send_pending(
    settings: Settings, database: Database, api: StripeApi, pauses: tuple[float, ...], pushed: Pushed
) -> None:
    """Send round by round, until nothing is pending, time is up, or Stripe accepts nothing more."""
    clock = asyncio.get_running_loop()
    ends = clock.time() + RUN_SECONDS
    waits = iter(pauses)
    while clock.time() < ends:
        async with database.transaction() as connection:
            events = await meter_events.take(connection, TAKEN)
        if not events:
            return
        round_ = _Round(settings, api)
        ended = await round_.send(events)
        async with database.transaction() as connection:
            await meter_events.settle(connection, ended)
        _count(pushed, ended)
        if any(attempt.state in ("accepted", "rejected") for attempt in ended):
            waits = iter(pauses)
        if round_.wait is not None:
            pause = next(waits, None)
            if pause is None:
                return
            await asyncio.sleep(min(max(pause, round_.wait), PAUSE_MOST_SECONDS))


class _Round:
    """One round of requests."""

    def __init__(self, settings: Settings, api: StripeApi) -> None:
        self._names = {"input": settings.stripe_input_meter or "", "output": settings.stripe_output_meter or ""}
        self._api = api
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._failures = 0
        self.wait: float | None = None
        """Seconds that Stripe asks to wait, 0 if it names none; None where every event was accepted or refused."""

    async def send(self, events: list[MeterEvent]) -> list[Settled]:
        """Send the events; how each ended.

        Stripe takes one request at a time per customer and meter (Stripe: Record usage for billing with the API, Rate limits).
        """
        groups: defaultdict[tuple[str, str], list[MeterEvent]] = defaultdict(list)
        for event in events:
            groups[event.customer_id, event.meter].append(event)
        ended = await asyncio.gather(*(self._send_group(group) for group in groups.values()))
        return [attempt for group in ended for attempt in group]

    async def _send_group(self, group: list[MeterEvent]) -> list[Settled]:
        async with self._slots:
            return [await self._send(event) for event in group]

    async def _send(self, event: MeterEvent) -> Settled:
        from billing.stripe_api import StripeRefused, StripeUnavailable

        if self._failures >= MOST_FAILURES:
            return Settled(event, "untouched")
        try:
            await self._api.send_meter_event(event, self._names[event.meter])
        except StripeRefused as refusal:
            log.error("Stripe refuses the meter event %s: %s", event.identifier, refusal.message)
            return Settled(event, "rejected", refusal.message)
        except StripeUnavailable as error:
            self._failures += 1
            self.wait = max(self.wait or 0.0, float(error.asked_wait or 0))
            return Settled(event, "unknown" if error.may_have_acted else "untouched", error.message)
        return Settled(event, "accepted")


def _count(pushed: Pushed, ended: list[Settled]) -> None:
    pushed.accepted += sum(attempt.state == "accepted" for attempt in ended)
    for attempt in ended:
        if attempt.state == "rejected":
            pushed.rejected += 1
            pushed.problems[attempt.problem or ""] += 1

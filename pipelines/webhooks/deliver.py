"""Sending of the deliveries that are due: one at a time per endpoint, many endpoints at a time."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from pipelines.webhooks.schedule import GONE_REASON, assess
from pipelines.webhooks.signature import signed_headers
from spatial.errors import Unavailable
from storage.net.guard import Network
from storage.net.post import Answer, NotPosted, post
from storage.postgres import webhook_deliveries, webhook_endpoints
from storage.postgres.advisory_lock import advisory_lock
from storage.postgres.database import Database
from storage.postgres.webhook_deliveries import Attempt, Claim

ATTEMPT_SECONDS: Final = 20.0
"""How long an endpoint may take to answer; its lease is longer."""

AT_ONCE: Final = 64
"""Endpoints that a run sends to at a time."""

LOOK_SECONDS: Final = 1.0
"""Interval at which a run that is sending looks for further deliveries."""

SOON_SECONDS: Final = 10.0
"""A run waits so long for the next attempt; the next run makes later ones."""

CLAIM_SECONDS: Final = 300.0
"""After this time a run takes no further deliveries, so that it ends."""

LOCK: Final = "deliver-notifications"
"""Name of the lock that one run at a time holds while it takes deliveries."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sender:
    """How messages are sent. The fields with defaults are those that a test replaces."""

    database: Database
    allow: tuple[str, ...]
    """host:port entries of endpoints whose address is not judged."""
    network: Network = field(default_factory=Network)
    clock: Callable[[], float] = time.time
    """Seconds since 1970."""
    share: Callable[[], float] = random.random
    """Random number from 0 to 1, for the jitter."""
    attempt_seconds: float = ATTEMPT_SECONDS


async def deliver_due(sender: Sender) -> Counter[str]:
    """Send what is due, and what becomes due meanwhile; returns the number of attempts by the state that they led to.

    Another run that takes deliveries at the same time leaves nothing to this one. Cancelled, or killed, it leaves the messages in transit
    to a later run, which sends them again when the leases have lapsed.

    Raises: DatastoreUnavailable.
    """
    done, running = Counter[str](), set[asyncio.Task[None]]()
    try:
        async with advisory_lock(sender.database, LOCK) as only:
            if only:
                await _take_all(sender, running, done)
    except asyncio.CancelledError:
        for attempt in running:
            attempt.cancel()
        raise
    finally:
        await asyncio.gather(*running)  # without the lock: another run takes what comes meanwhile
    return done


async def _take_all(sender: Sender, running: set[asyncio.Task[None]], done: Counter[str]) -> None:
    """Start an attempt for each delivery that is due, until none is due soon and none is in transit.

    running: the attempts that have not ended.
    """
    deadline = time.monotonic() + CLAIM_SECONDS
    while time.monotonic() < deadline:
        while len(running) < AT_ONCE and (claimed := await _claim(sender.database)) is not None:
            running.add(asyncio.create_task(_attempt(sender, claimed, done)))
        if running:
            ended, _ = await asyncio.wait(running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            running -= ended
            await asyncio.gather(*ended)
            continue
        seconds = await _seconds_until_due(sender.database)
        if seconds is None or seconds > SOON_SECONDS:
            return
        await asyncio.sleep(min(seconds, LOOK_SECONDS))


async def _claim(database: Database) -> Claim | None:
    async with database.transaction() as connection:
        return await webhook_deliveries.claim(connection)


async def _seconds_until_due(database: Database) -> float | None:
    async with database.transaction() as connection:
        return await webhook_deliveries.seconds_until_due(connection)


async def _attempt(sender: Sender, claimed: Claim, done: Counter[str]) -> None:
    """Send one message and record what came of it. What cannot be recorded is sent again when the lease has lapsed."""
    attempt = assess(await _send(sender, claimed), claimed.attempts, sender.share())
    try:
        await _record(sender.database, claimed, attempt)
    except Unavailable as error:
        log.warning("the attempt to deliver %s cannot be recorded: %s; it will be repeated", claimed.id, error)
        return
    done[attempt.state] += 1
    if attempt.state == "failed":
        log.warning("delivery %s to endpoint %s failed: %s", claimed.id, claimed.endpoint_id, attempt.problem)


async def _send(sender: Sender, claimed: Claim) -> Answer | str:
    """The endpoint's answer, or why there was none."""
    headers = signed_headers(claimed.id, int(sender.clock()), claimed.body, claimed.secrets)
    try:
        return await post(
            claimed.url,
            headers,
            claimed.body.encode(),
            allow=sender.allow,
            network=sender.network,
            seconds=sender.attempt_seconds,
            clock=sender.clock,
        )
    except NotPosted as error:
        return str(error)


async def _record(database: Database, claimed: Claim, attempt: Attempt) -> None:
    async with database.transaction() as connection:
        if await webhook_deliveries.record(connection, claimed, attempt) and attempt.is_gone:
            await webhook_endpoints.disable(connection, claimed.endpoint_id, GONE_REASON)

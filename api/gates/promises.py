"""When refused requests were told to come again: each has a place kept for it then, so that what Retry-After says holds.

    promises = Promises()
    promises.make(account_id, key, 12)         # this request was told 12 s
    promises.is_due(account_id, key)           # it is here again, at its time
    promises.keep(account_id, key)             # it has its place

A request is known again by its Idempotency-Key; one without a key by its account alone, so that another one of that account may have the
place that was kept. Who does not come in time has no place kept for longer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

EARLY_SECONDS: Final = 0.5
"""By which a request that is known may come before its time: clocks and timers differ."""

KEPT_SECONDS: Final = 15.0
"""How long after its time a place is kept: what carries the request may be slow, and so may be the machine that sends it."""


@dataclass(frozen=True)
class _Promise:
    due: float
    """By the event loop's clock."""
    key: str | None


class Promises:
    """Of one process."""

    def __init__(self) -> None:
        self._made: dict[str, list[_Promise]] = {}
        """By account, those that are due first at the beginning."""

    def make(self, account_id: str, key: str | None, seconds: float) -> None:
        """Keep a place for a request that was told to come again after so many seconds."""
        self.keep(account_id, key)
        made = self._made.setdefault(account_id, [])
        made.append(_Promise(asyncio.get_running_loop().time() + seconds, key))
        made.sort(key=lambda promise: promise.due)

    def is_due(self, account_id: str, key: str | None) -> bool:
        """Whether a request was told to come now."""
        return self._due(account_id, key) is not None

    def keep(self, account_id: str, key: str | None) -> bool:
        """Whether a request was told to come now, or comes again before its time; no place is kept for it from here on."""
        known = [promise for promise in self._made.get(account_id, ()) if key is not None and promise.key == key]
        found = known[0] if known else self._due(account_id, key)
        if found is not None:
            self._forget(account_id, found)
        return found is not None

    def outstanding(self) -> dict[str, int]:
        """Requests that are still to come, by account."""
        oldest = asyncio.get_running_loop().time() - KEPT_SECONDS
        for account_id, made in list(self._made.items()):
            self._made[account_id] = [promise for promise in made if promise.due > oldest]
            if not self._made[account_id]:
                del self._made[account_id]
        return {account_id: len(made) for account_id, made in self._made.items()}

    def _due(self, account_id: str, key: str | None) -> _Promise | None:
        now = asyncio.get_running_loop().time()
        latest = now if key is None else now + EARLY_SECONDS
        made = (promise for promise in self._made.get(account_id, ()) if promise.key == key)
        return next((promise for promise in made if now - KEPT_SECONDS < promise.due <= latest), None)

    def _forget(self, account_id: str, promise: _Promise) -> None:
        self._made[account_id].remove(promise)
        if not self._made[account_id]:
            del self._made[account_id]

"""Places that are kept for refused requests: when one is sent again after its Retry-After, it has its place.

    promises = Promises(most=512)
    promises.make(account_id, key, 12)         # this request was refused with a Retry-After of 12 s
    promises.is_due(account_id, key)           # whether those 12 s are over
    promises.keep(account_id, key)             # it was sent again and has its place

A request is known again by its Idempotency-Key; one without a key by its account alone, so that another one of that account may have the
place that was kept. A place is kept until KEPT_SECONDS after its time.

One without a key that comes before its time is no different from a new one. So it takes over the oldest place that was kept for a request
that looks the same (`alike`), unless that was kept a moment ago: requests that are refused together are different ones.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from dataclasses import dataclass, field
from itertools import count
from typing import Final

EARLY_SECONDS: Final = 0.5
"""By which a request that is known may come before its time: clocks and timers differ."""

KEPT_SECONDS: Final = 15.0
"""How long after its time a place is kept: what carries the request may be slow, and so may be the machine that sends it."""

TOGETHER_SECONDS: Final = 1.0
"""Requests without a key that are refused within this time are taken to be different ones: Retry-After is longer."""


@dataclass(frozen=True, order=True)
class _Promise:
    due: float
    """By the event loop's clock."""
    number: int
    """Among all of them: two may be due at the same time."""
    told: float = field(compare=False)
    """When it was made, by the same clock."""
    name: str = field(compare=False)
    """Its key; for one without a key what it looks like."""


class _Kept:
    """Promises of one account, all with keys or all without."""

    def __init__(self) -> None:
        self._order: list[_Promise] = []
        """Those that are due first at the beginning."""
        self._named: dict[str, dict[int, _Promise]] = {}
        """By name and number, those that were made first at the beginning."""

    def __len__(self) -> int:
        return len(self._order)

    def add(self, promise: _Promise) -> None:
        insort(self._order, promise)
        self._named.setdefault(promise.name, {})[promise.number] = promise

    def remove(self, promise: _Promise) -> None:
        del self._order[bisect_left(self._order, promise)]
        named = self._named[promise.name]
        del named[promise.number]
        if not named:
            del self._named[promise.name]

    def first_due(self) -> _Promise | None:
        return self._order[0] if self._order else None

    def first_made(self, name: str) -> _Promise | None:
        return next(iter(self._named.get(name, {}).values()), None)

    def expire(self, oldest: float) -> None:
        """Remove those that were due until then."""
        while self._order and self._order[0].due <= oldest:
            self.remove(self._order[0])


class Promises:
    """Of one process."""

    def __init__(self, *, most: int) -> None:
        """most: promises of one account with keys, and as many without; one more takes the place of the one that is due first."""
        self._most = most
        self._numbers = count()
        self._made: dict[tuple[str, bool], _Kept] = {}
        """By account, and whether they have keys."""

    def make(self, account_id: str, key: str | None, seconds: float, alike: str | None = None) -> None:
        """Keep a place for a refused request, which is due after so many seconds, instead of an earlier one with its key.

        alike: what requests without a key have in common that may be one that comes too early; None where it is none.
        """
        if key is not None:
            self.keep(account_id, key)
        now = asyncio.get_running_loop().time()
        kept = self._made.setdefault((account_id, key is not None), _Kept())
        earlier = kept.first_made(alike) if key is None and alike else None
        if earlier is not None and now - earlier.told > TOGETHER_SECONDS:
            kept.remove(earlier)
        elif len(kept) >= self._most and (first := kept.first_due()) is not None:
            kept.remove(first)
        kept.add(_Promise(now + seconds, next(self._numbers), now, (alike or "") if key is None else key))

    def is_due(self, account_id: str, key: str | None) -> bool:
        """Whether a place is kept for a request, and its Retry-After is over."""
        return self._due(account_id, key) is not None

    def keep(self, account_id: str, key: str | None) -> bool:
        """Whether a place was kept for a request, also one with a key that is sent before its Retry-After is over; none is from here on."""
        kept = self._kept(account_id, key is not None)
        known = kept.first_made(key) if key is not None else self._due(account_id, key)
        if known is None:
            return False
        kept.remove(known)
        return True

    def outstanding(self) -> dict[str, int]:
        """Requests that are still to come, by account."""
        found: dict[str, int] = {}
        for account_id, has_key in list(self._made):
            if kept := self._kept(account_id, has_key):
                found[account_id] = found.get(account_id, 0) + len(kept)
            else:
                del self._made[account_id, has_key]
        return found

    def _kept(self, account_id: str, has_key: bool) -> _Kept:
        """What is kept for requests of this account, with keys or without, and has not expired."""
        kept = self._made.get((account_id, has_key), _Kept())
        kept.expire(asyncio.get_running_loop().time() - KEPT_SECONDS)
        return kept

    def _due(self, account_id: str, key: str | None) -> _Promise | None:
        now, kept = asyncio.get_running_loop().time(), self._kept(account_id, key is not None)
        promise = kept.first_due() if key is None else kept.first_made(key)
        latest = now if key is None else now + EARLY_SECONDS
        return promise if promise is not None and promise.due <= latest else None

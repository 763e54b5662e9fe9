"""Work that a second process may do while this one goes on: whether there is such a process, and how it gets the work.

The result is the same wherever the work is done. The process that reads a file decides by what it has counted whether handing over
pays; whether a processor is free is known to whoever allowed it.
"""

from __future__ import annotations

from collections.abc import Callable

Result = Callable[[], bytes | None]
"""Waits for what the other process found; None where it did not get there, so that this process does the work."""

Hand = Callable[[str, bytes], Result]
"""Hands a task over, by its name and what it is about."""

_hand: Hand | None = None
_left = 0
_points = False


def allow(hand: Hand, processes: int, *, points: bool) -> None:
    """Allow this process, which reads one file, to hand over so many tasks. points: whether points on the surfaces will be asked for."""
    global _hand, _left, _points
    _hand, _left, _points = hand, processes, points


def tasks_left() -> int:
    """How many tasks may be handed over now."""
    return _left


def points_are_wanted() -> bool:
    """Whether points on the surfaces will be asked for."""
    return _points


def delegate(task: str, payload: bytes) -> Result:
    """Hand a task over, of those that are left."""
    global _left
    assert _hand is not None
    assert _left > 0
    _left -= 1
    return _hand(task, payload)

"""Counts in words."""

from __future__ import annotations


def count_of(number: int, one: str, many: str = "") -> str:
    """A number with what it counts: `1 face`, `2 faces`.

    Args:
        number: how many there are.
        one: what follows the number 1; it may go on with a verb, `face is`.
        many: what follows any other number, `faces are`; by default `one` with an s.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"

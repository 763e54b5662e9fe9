"""Counts and lists in words."""

from __future__ import annotations

from collections.abc import Sequence


def count_of(number: int, one: str, many: str = "") -> str:
    """A number with what it counts: `1 face`, `2 faces`.

    Args:
        number: how many there are.
        one: what follows the number 1; it may go on with a verb, `face is`.
        many: what follows any other number, `faces are`; by default `one` with an s.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def listed(names: Sequence[str], most: int, separator: str = ", ") -> str:
    """The first names, and how many there are beyond them: `a, b and 3 more`.

    Args:
        names: what is listed.
        most: how many of them are written out.
        separator: what stands between two of them.
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return separator.join(names[:most]) + more

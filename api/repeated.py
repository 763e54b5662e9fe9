"""Parameters that a request may carry several times, of which each value is read, so that a second one can be refused."""

from __future__ import annotations


def none_sent() -> list[str]:
    """The values of a parameter that a request does not carry.

    FastAPI asks for the signature of a default factory at every request, which takes ten times as long of `list` as of a function.
    """
    return []

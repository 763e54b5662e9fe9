"""Ids of records: a word for the kind, and a UUID that begins with the time, so that indexes grow at one end (RFC 9562, version 7)."""

from __future__ import annotations

import secrets
import time


def new(kind: str) -> str:
    """A new id, for example op_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f."""
    milliseconds = time.time_ns() // 1_000_000
    tail = (0x7 << 76) | (secrets.randbits(12) << 64) | (0b10 << 62) | secrets.randbits(62)
    return f"{kind}_{(milliseconds << 80) | tail:032x}"

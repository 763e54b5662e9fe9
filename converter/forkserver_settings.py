"""What the service and its fork server agree on. No reader is imported here: the service stays small and never runs on hostile input."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

MESSAGE_BYTES: Final = 65_536
"""Longest message on the control socket."""


@dataclass(frozen=True)
class ForkServerSettings:
    """Settings of a fork server, which it receives as one JSON argument."""

    control: int
    """Descriptor of the control socket."""
    parent: int
    """The service: when it dies, so does the fork server."""
    table: str
    """Module of the formats table."""
    only: tuple[str, ...] | None
    """Formats whose readers are loaded; None for all."""
    folder: str
    """Where children get their folders."""
    memory_bytes: int
    measures: tuple[str, ...]

    def to_json(self) -> str:
        """The settings as an argument of the command line."""
        return json.dumps(asdict(self))

"""Definitions that the service and its fork server share.

This module imports no reader, so that the service stays small and never parses untrusted files.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

MESSAGE_BYTES: Final = 65_536
"""Maximum size of a message on the control socket."""


@dataclass(frozen=True)
class ForkServerSettings:
    """Settings of a fork server, passed as one JSON argument."""

    control: int
    """Descriptor of the control socket."""
    parent: int
    """Process id of the service; the fork server is killed when the service ends."""
    table: str
    """Module of the formats table."""
    only: tuple[str, ...] | None
    """Formats whose readers are loaded; None for all."""
    folder: str
    """Folder in which the folders of children are created."""
    memory_bytes: int
    measures: tuple[str, ...]

    def to_json(self) -> str:
        """The settings as a command line argument."""
        return json.dumps(asdict(self))

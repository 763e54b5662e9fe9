"""Definitions that a service and its fork server share.

This module imports no program, so that the service stays small and never handles untrusted input.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Final

MESSAGE_BYTES: Final = 65_536
"""Maximum size of a message on the control socket."""


@dataclass(frozen=True)
class ForkServerSettings:
    """Settings of a fork server, passed as one JSON argument."""

    control: int
    """Descriptor of the control socket."""
    parent: int
    """Process id of the service; the fork server is killed when the service ends."""
    program: str
    """Module that runs in the children: `preload(options)` imports what they need and returns the names of the modules whose files they
    may read; `run(options)` answers calls until the channel closes (sandbox.program.answer_calls)."""
    layers: tuple[dict[str, Any], ...]
    """Options of the program in each layer, as JSON values. The first layer's fork server forks that of the second one when it has loaded
    its libraries, and so on: a layer has the libraries of those before it, and its children cost what all of them take."""
    folder: str
    """Folder in which the folders of children are created."""
    memory_bytes: int
    measures: tuple[str, ...]
    huge_pages: bool = False
    """Whether what is loaded is brought into huge pages, which takes some tenths of a second: where many children follow."""

    def to_json(self) -> str:
        """The settings as a command line argument."""
        return json.dumps(asdict(self))

"""The child's side: the descriptors of a child, and the loop that answers its calls."""

from __future__ import annotations

import faulthandler
import fcntl
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from typing import Any, Final

from sandbox import frames

CHANNEL: Final = 3
"""Number of the only descriptor of a child besides the standard three."""


def redirect_descriptors(channel: int, log: int, folder: str) -> None:
    """Keep only these descriptors, and use `folder` as working directory and for temporary files."""
    nothing = os.open(os.devnull, os.O_RDWR)
    # Duplicated to higher numbers first, because dup2 below could overwrite a descriptor that is still needed.
    kept = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, CHANNEL + 1) for descriptor in (nothing, nothing, log, channel)]
    for place, descriptor in enumerate(kept):
        os.dup2(descriptor, place, inheritable=False)
    os.closerange(CHANNEL + 1, os.sysconf("SC_OPEN_MAX"))
    # Native libraries print to the log pipe, which is bounded; a Python print would raise when the pipe is full.
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open until the process ends
    faulthandler.enable(2)
    os.umask(0o077)
    os.chdir(folder)
    tempfile.tempdir = folder


def answer_calls(answer: Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]) -> None:
    """Answer calls until the channel closes. answer: header and payload of a call -> header and payload of its answer."""
    channel = socket.socket(fileno=CHANNEL)
    while (frame := frames.receive(channel)) is not None:
        frames.send(channel, *answer(frame.header, frame.payload))

"""The child's side: the descriptors of a child, the loop that answers its calls, and work that it hands to another child.

While a child answers a call it may send frames {"outcome": DELEGATED, "number": n, "task": name}, with work for another process
as payload. For each it receives {"number": n, "outcome": "done" or what else became of it} at any later time.
"""

from __future__ import annotations

import faulthandler
import fcntl
import itertools
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from sandbox import frames

CHANNEL: Final = 3
"""Number of the only descriptor of a child besides the standard three."""


DELEGATED: Final = "delegated"
"""Outcome of a frame that is no answer, but work for another process."""


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


def answer_calls(
    answer: Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]], channel: Channel | None = None
) -> None:
    """Answer calls until the channel closes. answer: header and payload of a call -> header and payload of its answer."""
    channel = channel or Channel()
    while (call := channel.next_call()) is not None:
        channel.send(*answer(call.header, bytes(call.payload)))


class Channel:
    """The channel of this process."""

    def __init__(self) -> None:
        self._socket = socket.socket(fileno=CHANNEL)
        self._numbers = itertools.count(1)
        self._results: dict[int, frames.Frame] = {}

    def next_call(self) -> frames.Frame | None:
        """The next call; None where the channel closed."""
        while (frame := frames.receive(self._socket)) is not None:
            if "number" not in frame.header:
                return frame
            self._results[frame.header["number"]] = frame
        return None

    def send(self, header: dict[str, Any], payload: bytes) -> None:
        """Send one frame."""
        frames.send(self._socket, header, payload)

    def delegate(self, task: str, payload: bytes) -> Callable[[], bytes | None]:
        """Hand work over; what is returned waits for its result, which is None where the other process gave none."""
        number = next(self._numbers)
        self.send({"outcome": DELEGATED, "number": number, "task": task}, payload)
        return partial(self._result, number)

    def _result(self, number: int) -> bytes | None:
        while number not in self._results:
            frame = frames.receive(self._socket)
            if frame is None:
                os._exit(0)  # the pool ended while this process waited for it
            self._results[frame.header["number"]] = frame
        found = self._results.pop(number)
        return bytes(found.payload) if found.header["outcome"] == "done" else None

"""The service's side of one child: the channel to it, the memory that it takes, and how it ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from converter import folders, frames, isolation

EXIT_SECONDS: Final = 1.0
"""How long a child that closed its channel may take to end by itself, so that the cause is known."""

KILL_SECONDS: Final = 10.0
"""How long a killed process may take to be gone."""

STDERR_BYTES: Final = 65_536
"""What a pipe holds."""


class ExitStatus(NamedTuple):
    """How a child ended."""

    signal: str | None
    """Name of the signal that ended it."""
    code: int | None
    """Its exit code otherwise; both None when it went down with the fork server."""
    peak_bytes: int
    """Most memory it was resident with, that of the libraries included."""

    @classmethod
    def of(cls, status: int, peak_bytes: int) -> ExitStatus:
        """From a status of wait(2)."""
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return cls(None, code, peak_bytes)
        try:
            return cls(signal.Signals(-code).name, None, peak_bytes)
        except ValueError:  # real-time signals have no names
            return cls(f"signal {-code}", None, peak_bytes)


LOST: Final = ExitStatus(None, None, 0)
"""How a child ended that went down with the fork server."""


@dataclass(frozen=True)
class Inheritance:
    """Memory that every child is forked with."""

    resident_bytes: int = 0
    anonymous_bytes: int = 0
    """Less what files back."""


class Child:
    """One forked child, and the only way to talk to it."""

    def __init__(
        self, channel: socket.socket, log_pipe: int, folder: Path, inheritance: Inheritance, kill: Callable[[], None]
    ) -> None:
        self.pid = 0
        self.killed = False
        """Whether the service ended it."""
        self.ended: asyncio.Future[ExitStatus] = asyncio.get_running_loop().create_future()
        self.stderr = ""
        """What native code wrote to standard error, known once the child has ended; the first bytes, as many as a pipe holds."""
        self._in_call = False
        self._kill = kill
        self._inheritance = inheritance
        self._channel = channel
        self._log_pipe = log_pipe
        self._folder = folder

    async def call(self, header: dict[str, Any], limit: int, file: BinaryIO | None = None) -> frames.Frame:
        """One call, with all of the file where there is one, and its answer.

        Raises: EOFError when the child is gone; BrokenFrame, FrameTooLarge when it sends what no sound child sends.
        """
        self._in_call = True
        try:
            await frames.send_async(self._channel, header, file)
            return await frames.receive_async(self._channel, limit)
        except OSError as error:
            raise EOFError("the child closed its channel") from error
        finally:
            self._in_call = False
            if self.ended.done():
                self._channel.close()

    def memory(self) -> int:
        """Bytes the child has added to what it was forked with: its memory, and its files."""
        if not self.ended.done():
            with contextlib.suppress(OSError):
                held = isolation.status_bytes(self.pid, "RssAnon", "RssShmem", "VmSwap")
                return max(0, held - self._inheritance.anonymous_bytes) + folders.size_of(self._folder)
        return 0

    def peak_memory(self) -> int:
        """The most it had added, once it has ended."""
        return max(0, self.ended.result().peak_bytes - self._inheritance.resident_bytes)

    def kill(self) -> None:
        """End the child and its process group; `ended` follows."""
        if not self.ended.done():
            self.killed = True
            self._kill()

    async def wait_for_exit(self) -> ExitStatus:
        """How a child ended that closed its channel; killed if it does not end, and lost if even that does not help."""
        for patience in (EXIT_SECONDS, KILL_SECONDS):
            done, _ = await asyncio.wait({self.ended}, timeout=patience)
            if done:
                return self.ended.result()
            if isolation.is_running(self.pid):  # else it is dead already, and its end not reported yet
                self.kill()
        return LOST

    def close(self, status: ExitStatus) -> None:
        """Release everything that belonged to the child, which has ended."""
        # asyncio never wakes a task that waits on a socket that was closed; it does on one that was shut down.
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_RDWR)
        if not self._in_call:
            self._channel.close()
        with contextlib.suppress(OSError):
            self.stderr = os.read(self._log_pipe, STDERR_BYTES).decode(errors="replace").strip()
        os.close(self._log_pipe)
        folders.remove(self._folder)
        self.ended.set_result(status)

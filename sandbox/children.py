"""The service's side of a child process: its channel, its memory and its exit status."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from sandbox import folders, frames, isolation
from sandbox.program import DELEGATED

EXIT_SECONDS: Final = 1.0
"""How long a child that closed its channel may take to end by itself before it is killed, so that its exit status is known."""

KILL_SECONDS: Final = 10.0
"""How long a killed process may take to end."""

STDERR_BYTES: Final = 65_536
"""Capacity of a pipe."""


Delegate = Callable[[frames.Frame], None]
"""Takes a frame by which a child hands over work."""


class ExitStatus(NamedTuple):
    """How a child ended."""

    signal: str | None
    """Name of the signal that ended it."""
    code: int | None
    """Its exit code, if no signal ended it; both are None if it ended with the fork server."""
    peak_bytes: int
    """Peak resident memory, including the libraries."""

    @classmethod
    def of(cls, status: int, peak_bytes: int) -> ExitStatus:
        """From the status of wait(2)."""
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return cls(None, code, peak_bytes)
        try:
            return cls(signal.Signals(-code).name, None, peak_bytes)
        except ValueError:  # real-time signals have no names
            return cls(f"signal {-code}", None, peak_bytes)


LOST: Final = ExitStatus(None, None, 0)
"""Exit status of a child that ended with the fork server."""


@dataclass(frozen=True)
class Inheritance:
    """Memory that a child shares with the fork server at its start."""

    anonymous_bytes: int = 0
    """Without file-backed memory."""


class Child:
    """The interface to one forked child."""

    def __init__(
        self, channel: socket.socket, log_pipe: int, folder: Path, inheritance: Inheritance, kill: Callable[[], None]
    ) -> None:
        self.pid = 0
        self.killed = False
        """Whether the service killed the child."""
        self.ended: asyncio.Future[ExitStatus] = asyncio.get_running_loop().create_future()
        self.stderr = ""
        """Standard error of native code, available when the child has ended; at most STDERR_BYTES."""
        self._transfers = 0
        """Frames that are being sent or waited for."""
        self._sending = asyncio.Lock()
        self._kill = kill
        self._inheritance = inheritance
        self._channel = channel
        self._log_pipe = log_pipe
        self._folder = folder

    async def call(
        self,
        header: dict[str, Any],
        limit: int,
        content: BinaryIO | frames.Payload = b"",
        delegate: Delegate | None = None,
    ) -> frames.Frame:
        """Send one call, with bytes or a complete file, and receive its answer of at most `limit` bytes.

        delegate: takes the frames by which the child hands over work before it answers; None where it may hand over none.
        Raises: EOFError if the child has ended; BrokenFrame, FrameTooLarge if its answer violates the protocol.
        """
        with self._transfer():
            await self._send(header, content)
            while True:
                frame = await frames.receive_async(self._channel, limit)
                if frame.header.get("outcome") != DELEGATED:
                    return frame
                if delegate is None:
                    raise frames.BrokenFrame("work for another process, of which there is none")
                delegate(frame)

    async def send(self, header: dict[str, Any], payload: frames.Payload) -> None:
        """Send what became of work that the child handed over. Raises: EOFError if the child has ended."""
        with self._transfer():
            await self._send(header, payload)

    async def _send(self, header: dict[str, Any], content: BinaryIO | frames.Payload) -> None:
        async with self._sending:
            await frames.send_async(self._channel, header, content)

    @contextlib.contextmanager
    def _transfer(self) -> Iterator[None]:
        self._transfers += 1
        try:
            yield
        except OSError as error:
            raise EOFError("the child closed its channel") from error
        finally:
            self._transfers -= 1
            if self.ended.done() and not self._transfers:
                self._channel.close()

    def memory(self) -> int:
        """Bytes that the child uses in addition to the memory that it was forked with: memory and files."""
        if not self.ended.done():
            with contextlib.suppress(OSError):
                used = isolation.status_bytes(self.pid, "RssAnon", "RssShmem", "VmSwap")
                return max(0, used - self._inheritance.anonymous_bytes) + folders.size_of(self._folder)
        return 0

    def waited(self) -> float:
        """Seconds for which it was ready to run and others had the processors; 0 where it has ended, or the kernel does not count."""
        if not self.ended.done():
            with contextlib.suppress(OSError):
                return isolation.waited_seconds(self.pid)
        return 0.0

    def peak_memory(self) -> int:
        """Peak of the memory that the child added, in bytes, with the pages of libraries that it touched; available when it has ended.

        A fork maps the anonymous pages of its parent, and those of files only as it touches them.
        """
        return max(0, self.ended.result().peak_bytes - self._inheritance.anonymous_bytes)

    def kill(self) -> None:
        """Kill the child and its process group; `ended` is set when it has ended."""
        if not self.ended.done():
            self.killed = True
            self._kill()

    async def wait_for_exit(self) -> ExitStatus:
        """The exit status of a child that closed its channel. A child that does not end is killed; LOST if it still does not end."""
        for seconds in (EXIT_SECONDS, KILL_SECONDS):
            done, _ = await asyncio.wait({self.ended}, timeout=seconds)
            if done:
                return self.ended.result()
            if isolation.is_running(self.pid):  # else it is dead already, and its end not reported yet
                self.kill()
        return LOST

    def close(self, status: ExitStatus) -> None:
        """Release the resources of a child that has ended."""
        # asyncio does not wake a task that waits on a closed socket, but it does after a shutdown.
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_RDWR)
        if not self._transfers:
            self._channel.close()
        with contextlib.suppress(OSError):
            self.stderr = os.read(self._log_pipe, STDERR_BYTES).decode(errors="replace").strip()
        os.close(self._log_pipe)
        folders.remove(self._folder)
        self.ended.set_result(status)

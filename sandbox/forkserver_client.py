"""The service's side of the fork server: starts it, restarts it when it ends, and requests children."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from sandbox import folders, isolation
from sandbox.children import KILL_SECONDS, LOST, Child, ExitStatus, Inheritance
from sandbox.forkserver_settings import MESSAGE_BYTES, ForkServerSettings
from sandbox.patience import Patience, result_within
from spatial.errors import Unavailable
from spatial.restarts import Restarts, crowding

START_SECONDS: Final = 60.0
"""How long the fork server may take to load its libraries (1.5 s warm; a cold disk takes much longer), as sandbox.patience counts."""

FORK_SECONDS: Final = 30.0
"""How long one fork may take before the fork server counts as stuck, as sandbox.patience counts; a fork takes 5 ms."""

RETRY_SECONDS: Final = 2
"""Retry-After while the fork server is there."""

FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 0.05, 5.0, 30.0
"""Pauses before restarts (s) double from the first to the longest; after a run of STEADY_SECONDS the first one is used again."""

log = logging.getLogger("sandbox")


class StartError(Exception):
    """The fork server cannot be started; the message is the reason in one sentence."""


class _ServerEnded(Exception):
    """The fork server has ended before it answered; the next one is on its way."""


class ForkServerClient:
    """Starts, watches and closes a fork server, and requests children from it."""

    def __init__(
        self,
        *,
        program: str,
        layers: Sequence[dict[str, Any]],
        memory_bytes: int,
        unavailable: Callable[[str, int], Unavailable],
        measures: Sequence[str] = isolation.MEASURES,
        huge_pages: bool = False,
    ) -> None:
        """program, layers, huge_pages: as in ForkServerSettings; unavailable: the error for "no child now" of a reason and Retry-After."""
        self.isolation: list[str] = []
        """The isolation measures that are effective, as the fork server reports them."""
        self.restarts = 0
        self.restarting = Restarts(crowding)
        """How long it is until a fork server that ended is there again."""
        self._memory_bytes = memory_bytes
        self._program = program
        self._layers = tuple(layers)
        self._make_unavailable = unavailable
        self._measures = tuple(measures)
        self._huge_pages = huge_pages
        self._inheritance = [Inheritance() for _ in layers]
        self._tokens = itertools.count(1)
        self._children: dict[int, Child] = {}
        self._forks: dict[int, asyncio.Future[int]] = {}
        self._spares: dict[int, Child] = {}
        self._forking_ahead: dict[int, asyncio.Task[None]] = {}
        self._died = asyncio.Event()
        self._supervisor: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """Process id of the current fork server."""
        return self._process.pid

    @property
    def ready(self) -> bool:
        """Whether the fork server can fork now."""
        return self._ready.done() and self._ready.exception() is None

    async def start(self) -> None:
        """Start the fork server and wait until its libraries are loaded. Raises: StartError."""
        self._root = folders.Root()
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._spawn()
        try:
            await result_within(self._ready, self._starting)
        except (TimeoutError, StartError) as error:
            await self.close()
            raise StartError(
                str(error) or f"the libraries are not loaded; the processes that load them {self._starting.describe()}"
            ) from error
        self._supervisor = asyncio.create_task(self._supervise())

    async def close(self) -> None:
        """End the fork server and every child."""
        for task in (self._supervisor, *self._forking_ahead.values()):
            if task is not None:
                task.cancel()
        self._close_control()
        await asyncio.to_thread(_end, self._process)
        self._abandon_children()
        await asyncio.to_thread(self._root.remove)

    async def child(self, layer: int = 0) -> Child:
        """A new child of a layer: the one that was forked ahead, or one that is forked now.

        Raises: Unavailable if no fork server runs, or if it cannot fork.
        """
        spare = self._spares.pop(layer, None)
        return await self._fork(layer) if spare is None or spare.ended.done() else spare

    def fork_ahead(self, layer: int = 0) -> None:
        """Fork a spare child in the background, unless one is ready: a fork with its isolation measures takes 7 ms."""
        task = self._forking_ahead.get(layer)
        if task is None or task.done():
            self._forking_ahead[layer] = asyncio.create_task(self._fork_spare(layer))

    async def _fork_spare(self, layer: int) -> None:
        spare = self._spares.get(layer)
        if spare is None or spare.ended.done():
            with contextlib.suppress(Unavailable):
                self._spares[layer] = await self._fork(layer)

    async def _fork(self, layer: int) -> Child:
        try:
            return await self._fork_once(layer)
        except _ServerEnded:
            await asyncio.sleep(0)  # lets the end be noticed, after which there is a new one to wait for
        try:
            return await self._fork_once(layer)
        except _ServerEnded as error:
            raise self._unavailable("its fork server ended") from error

    async def _fork_once(self, layer: int) -> Child:
        await self._wait_ready()
        token, child = self._request(layer)
        try:
            child.pid = await self._request_fork(token)
        except BaseException:
            child.kill()  # the fork server handles it after the fork, which was requested first
            raise
        return child

    async def _wait_ready(self) -> None:
        try:
            await result_within(self._ready, self._patience(FORK_SECONDS))
        except (TimeoutError, StartError) as error:
            raise self._unavailable(f"its fork server does not come up: {error}") from error

    def _request(self, layer: int) -> tuple[int, Child]:
        token = next(self._tokens)
        with contextlib.ExitStack() as theirs:
            try:
                (ours, channel), (log_pipe, log_end) = socket.socketpair(), os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError as error:
                raise self._unavailable(str(error)) from error
            theirs.enter_context(channel)
            theirs.callback(os.close, log_end)
            ours.setblocking(False)
            folder = self._root.path / str(token)
            child = Child(ours, log_pipe, folder, self._inheritance[layer], lambda: self._kill(token))
            try:
                self._send({"fork": token, "layer": layer}, [channel.fileno(), log_end])
            except OSError as error:
                child.close(LOST)
                raise _ServerEnded from error
        self._children[token] = child
        return token, child

    async def _request_fork(self, token: int) -> int:
        forked: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._forks[token] = forked
        try:
            return await result_within(forked, self._patience(FORK_SECONDS))
        except TimeoutError as error:
            self._process.kill()
            raise self._unavailable("its fork server is stuck and was ended") from error
        finally:
            del self._forks[token]

    def _patience(self, seconds: float) -> Patience:
        return Patience(seconds, lambda: [self._process.pid])

    def _unavailable(self, why: str) -> Unavailable:
        return self._make_unavailable(why, self.restarting.retry_seconds(RETRY_SECONDS))

    def _spawn(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setblocking(False)
        settings = ForkServerSettings(
            control=theirs.fileno(),
            parent=os.getpid(),
            program=self._program,
            layers=self._layers,
            folder=str(self._root.path),
            memory_bytes=self._memory_bytes,
            measures=self._measures,
            huge_pages=self._huge_pages,
        )
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "sandbox.forkserver", settings.to_json()],
                # The complete environment.
                env={"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)), **isolation.ONE_THREAD},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._starting = self._patience(START_SECONDS)
        asyncio.get_running_loop().add_reader(self._control, self._receive)

    def _kill(self, token: int) -> None:
        with contextlib.suppress(OSError):  # the fork server has ended, and its children with it
            self._send({"kill": token})

    def _send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        socket.send_fds(self._control, [json.dumps(message).encode()], list(descriptors))

    def _receive(self) -> None:
        try:
            message = self._control.recv(MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            message = b""
        if message:
            self._handle_message(json.loads(message))
        else:
            self._handle_exit()

    def _handle_message(self, message: dict[str, Any]) -> None:
        if "forked" in message:
            self._finish_fork(message["forked"], message["pid"])
        elif "refused" in message:
            self._finish_fork(message["refused"], self._unavailable(f"it cannot fork: {message['why']}"))
            self._children.pop(message["refused"]).close(LOST)
        elif "ended" in message:
            self._children.pop(message["ended"]).close(ExitStatus.of(message["status"], message["peak"]))
        elif "ready" in message:
            self.isolation = message["ready"]
            self._inheritance = [Inheritance(anonymous) for anonymous in message["anonymous"]]
            if message["threads"] > 1:
                log.warning("the fork server has %d threads; a child may inherit their locks", message["threads"])
            self.restarting.note_start(self._starting.schedule().used or self._starting.seconds)
            self.restarting.end()
            self._ready.set_result(None)
        elif "failed" in message:
            self._fail(message["failed"])

    def _finish_fork(self, token: int, outcome: int | Unavailable | _ServerEnded) -> None:
        """Resolve the future of a fork with the process id or the error."""
        forked = self._forks.get(token)
        if forked is None or forked.done():
            return
        if isinstance(outcome, int):
            forked.set_result(outcome)
        else:
            forked.set_exception(outcome)

    def _handle_exit(self) -> None:
        """Clean up after the end of the fork server, with which its children end."""
        self._close_control()
        self.restarting.begin()
        self._fail("it ended while it was starting")
        self._abandon_children()
        self._ready = asyncio.get_running_loop().create_future()
        self._died.set()

    async def _supervise(self) -> None:
        """Restart the fork server whenever it ends."""
        pause = FIRST_PAUSE
        while True:
            started = time.monotonic()
            await self._died.wait()
            self._died.clear()
            pause = FIRST_PAUSE if time.monotonic() - started > STEADY_SECONDS else min(2 * pause, LONGEST_PAUSE)
            log.error("the fork server ended (%s); restarting it", await asyncio.to_thread(_end, self._process))
            await asyncio.sleep(pause)
            self.restarts += 1
            self._spawn()

    def _fail(self, why: str) -> None:
        if not self._ready.done():
            log.error("the fork server cannot be started: %s", why)
            self._ready.set_exception(StartError(why))
            self._ready.exception()  # asyncio logs an exception that is never retrieved

    def _close_control(self) -> None:
        if self._control.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(self._control)
            self._control.close()

    def _abandon_children(self) -> None:
        for token in list(self._forks):
            self._finish_fork(token, _ServerEnded())
        for token in list(self._children):
            self._children.pop(token).close(LOST)


def _end(process: subprocess.Popen[bytes]) -> str:
    """Wait for the end of a process whose control socket is closed, and kill it after KILL_SECONDS; returns its signal or exit code."""
    try:
        code = process.wait(KILL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"

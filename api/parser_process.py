"""Processes that parse and validate large bodies, apart from the process that serves requests.

A JSON parser and a validator in a thread hold the interpreter's lock for as long as they run: for the largest body up to a second if it
is valid, and several if it is hostile. No other request would be served meanwhile. A small body is parsed in the thread
(api.parser_thread), which is faster than sending it to another process.

    run_in_parser_process(parse, body) -> a process of its own, which stays for the next body -> what `parse` returns, or raises

A process is started for the first large body, and ends with the process that started it. One that takes too much of a processor is
killed, and so is one that waits too long for its turn; the second is no fault of the body.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import pickle
import resource
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import IO, Any, Concatenate, Final, ParamSpec, TypeVar

from api.parser_thread import run_in_parser
from spatial.errors import ConverterUnavailable, InternalError, InvalidRequest

THREAD_BYTES: Final = 16_384
"""Largest data that are parsed in the thread: a body with about 800 points takes 3 ms, and if it is hostile 30 ms."""

PROCESSES: Final = 2
"""Bodies that are parsed at a time; more wait."""

PARSE_SECONDS: Final = 10.0
"""Processor time of one body. The largest valid one takes about one second, the worst one that was found three."""

WAIT_SECONDS: Final = 40.0
"""How long is waited for one body, whoever else has the processors."""

MEMORY_BYTES: Final = 2 * 1024**3
"""Memory limit of a process: the largest document that is sent ahead takes about a third."""

NICENESS: Final = 10
"""Added to the niceness of a parser process: hostile bodies never take processor time from the process that serves requests."""

LENGTH: Final = struct.Struct("!Q")
"""Before each message; a message is a pickle, because both ends are this program."""

ROOT: Final = Path(__file__).parents[1]

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)


async def run_in_parser_process(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function of a module, with arguments that can be pickled, in a parser process.

    Raises: what the function raises; InvalidRequest where it takes more processor time than PARSE_SECONDS or more memory than
    MEMORY_BYTES; ConverterUnavailable where it has not ended after WAIT_SECONDS.
    """
    return await asyncio.get_running_loop().run_in_executor(_WAITERS, partial(_call, function, args, kwargs))


async def run_by_size(
    function: Callable[Concatenate[bytes, P], T], data: bytes, *args: P.args, **kwargs: P.kwargs
) -> T:
    """Call a function with data that it reads: in the parser's thread if they are small, else in a process. Raises as the two."""
    run = run_in_parser if len(data) <= THREAD_BYTES else run_in_parser_process
    return await run(function, data, *args, **kwargs)


class _Process:
    """One parser process. Not for use by two threads at a time."""

    def __init__(self) -> None:
        self.is_late = False
        """Whether it was killed after WAIT_SECONDS."""
        command = [sys.executable, "-P", "-m", "api.parser_process"]
        paths = ":".join(dict.fromkeys((str(ROOT), *filter(None, sys.path))))
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": paths},
            cwd=ROOT,
            start_new_session=True,  # so that the terminal's Ctrl-C is not sent to it
        )

    def call(self, message: bytes) -> Any:
        """What the function returns. Raises: what it raises; EOFError, OSError where the process ended or was killed."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._killed_when_late():
            _write(self._process.stdin, message)
            answer = _read(self._process.stdout)
        if answer is None:
            raise EOFError
        is_value, value = pickle.loads(answer)  # noqa: S301 - of this program
        if is_value:
            return value
        raise value

    @contextlib.contextmanager
    def _killed_when_late(self) -> Iterator[None]:
        timer = threading.Timer(WAIT_SECONDS, self._kill_late)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _kill_late(self) -> None:
        self.is_late = True
        self._process.kill()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()


_WAITERS: Final = ThreadPoolExecutor(max_workers=PROCESSES, thread_name_prefix="parser-process")
"""Each thread waits for a process of its own."""

_own: Final = threading.local()
_started: Final[set[_Process]] = set()


def _call(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    process: _Process | None = getattr(_own, "process", None)
    if process is None:
        process = _own.process = _Process()
        _started.add(process)
    try:
        value: T = process.call(pickle.dumps((PARSE_SECONDS, function, args, kwargs)))
    except (EOFError, OSError):
        _own.process = None
        _started.discard(process)
        process.close()
        raise _stopped(process.is_late) from None
    return value


def _stopped(is_late: bool) -> InvalidRequest | ConverterUnavailable:
    if is_late:
        log.warning("a body was not parsed within %g s, and its parser was stopped", WAIT_SECONDS)
        return ConverterUnavailable("the service is too busy to parse the body; send it again", retry_after=10)
    log.warning(
        "a body took more than %g s of a processor or %d bytes to parse, and its parser was stopped",
        PARSE_SECONDS,
        MEMORY_BYTES,
    )
    return _too_hard()


@atexit.register
def _end_processes() -> None:
    for process in list(_started):
        process.close()


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """In the parser process: answer until the other end closes."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    while (message := _read(requests)) is not None:
        answer = _answer(message)
        signal.setitimer(signal.ITIMER_PROF, 0)
        _write(answers, pickle.dumps(answer))


def _answer(message: bytes) -> tuple[bool, Any]:
    seconds, function, args, kwargs = pickle.loads(message)  # noqa: S301 - of this program
    del message
    signal.setitimer(signal.ITIMER_PROF, seconds)  # the signal at its end, which nobody handles, ends the process
    try:
        return True, function(*args, **kwargs)
    except MemoryError:
        return False, _too_hard()
    except Exception as error:  # noqa: BLE001 - the other process raises it
        with contextlib.suppress(Exception):
            pickle.dumps(error)
            return False, error
        return False, InternalError("the body could not be parsed; try again")


def _too_hard() -> InvalidRequest:
    return InvalidRequest(
        "the body takes too long or too much memory to parse; send fewer values, and correct invalid ones",
        details={"field": "body"},
    )


def _write(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    """The next message; None where the other end is closed."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    message = pipe.read(LENGTH.unpack(head)[0])
    return message if len(message) == LENGTH.unpack(head)[0] else None


if __name__ == "__main__":
    try:
        _serve(sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        os._exit(
            0
        )  # whoever asked was killed; the interpreter's end would try to write the rest once more, and say so in the log

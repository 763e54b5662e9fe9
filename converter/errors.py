"""Conversion of the end of a call (an error, a crash, a kill) into the error for its caller, and into a log line."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import Any, Final, Literal

from converter.deadline import DeadlinePassed
from converter.wire import Phase
from sandbox.children import Child, ExitStatus
from sandbox.frames import Frame
from spatial.errors import SMALLER, ConversionTimeout, ConverterUnavailable, ParseError, SpatialError, from_wire
from spatial.restarts import LONGER

DOING: Final[dict[Phase, str]] = {
    "read": "reading",
    "interpret": "interpreting",
    "sample": "sampling",
    "assemble": "assembling",
    "mesh": "meshing",
    "picture": "drawing",
}

CLOSE_TO_CEILING: Final = 0.8
"""Share of the memory limit above which a crash counts as a failed allocation, because native code seldom checks for it."""

CRASHES_OF_MEMORY: Final = ("SIGSEGV", "SIGABRT", "SIGBUS")

CRASHES: Final = (*CRASHES_OF_MEMORY, "SIGFPE", "SIGILL", "SIGSYS", "SIGTRAP", "SIGXCPU", "SIGXFSZ")
"""Signals that a process brings on itself. Any other comes from outside: SIGKILL from the kernel's out-of-memory killer."""

LOG_CHARACTERS: Final = 4_000

RETRY_SECONDS: Final = 2
"""Retry-After where the child is gone twice in one call; longer where the fork server is gone, which loads the readers first."""

BUSY_SECONDS: Final = 10
"""The shortest Retry-After where other processes have the processors: they are taken to have them half as long again as they had."""

log = logging.getLogger("converter")

Cause = Literal["crash", "kill", "lost"]
"""Why a child ended in a call: by what its file did to it, by a process outside of the converter, or with its fork server."""


class ChildDied(Exception):
    """A child ended in a call; `error` is for the caller, unless another read of the file succeeds."""

    def __init__(self, error: SpatialError, phase: Phase, cause: Cause | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.phase = phase
        self.cause = cause
        """None where another read is no use: the child reached a limit."""


@dataclass
class Call:
    """Values of one call for messages."""

    file_name: str
    phase: Phase
    deadline: float
    memory: int
    over_memory: bool = False
    """Whether the pool killed the child because of its memory."""
    retry_seconds: int = RETRY_SECONDS
    """Retry-After where the child is gone without a fault of the file."""


def deadline_error(call: Call) -> SpatialError:
    """The error of a call that exceeded its deadline."""
    log.warning(
        "%s took longer than %g s; the child was ended while %s", call.file_name, call.deadline, DOING[call.phase]
    )
    return ConversionTimeout(
        f"{call.file_name} took longer than {call.deadline:g} s and was ended while {DOING[call.phase]}; {SMALLER}",
        details={"phase": call.phase, "seconds": call.deadline},
    )


def busy_error(call: Call, passed: DeadlinePassed) -> SpatialError:
    """The error of a call that was given up because other processes had the processors for too long. It says how far it came."""
    log.warning(
        "%s waited %.3g s for a processor; the child was ended while %s",
        call.file_name,
        passed.waited,
        DOING[call.phase],
    )
    had = max(0.0, passed.taken - passed.waited)
    return ConverterUnavailable(
        f"{call.file_name}: the converter's machine is too busy: of {passed.taken:.0f} s the file waited {passed.waited:.0f} s for a "
        f"processor, had one for {had:.1f} s at most, and was given up while {DOING[call.phase]}; a file may have one for "
        f"{call.deadline:g} s; send it again when the machine has less to do, or read it at the command line, which waits longer",
        details={
            "phase": call.phase,
            "clock_seconds": round(passed.taken, 1),
            "waited_seconds": round(passed.waited, 1),
            "processor_seconds": round(had, 1),
            "deadline_seconds": call.deadline,
        },
        retry_after=max(BUSY_SECONDS, math.ceil(LONGER * passed.taken)),
    )


def memory_error(call: Call, **details: Any) -> SpatialError:
    """The error of a call that reached the memory limit."""
    log.warning("%s: %s needs more than %d bytes of memory", call.file_name, DOING[call.phase], call.memory)
    return ParseError(
        f"{call.file_name}: {DOING[call.phase]} needs more memory than the {call.memory / 2**20:.0f} MiB a file may take; "
        + SMALLER,
        details={"phase": call.phase, "limit_bytes": call.memory, **details},
    )


def result_size_error(call: Call, limit: int) -> SpatialError:
    """The error of a call whose answer exceeds `limit` bytes."""
    log.warning("%s: %s gave an answer of more than %d bytes", call.file_name, DOING[call.phase], limit)
    return ParseError(
        f"{call.file_name}: {DOING[call.phase]} gives a result of more than {limit / 2**20:.0f} MiB; {SMALLER}",
        details={"phase": call.phase, "result_limit_bytes": limit},
    )


def protocol_error(call: Call, what: str) -> SpatialError:
    """The error of a child that violated the protocol; a malicious file may control it."""
    log.error("%s: %s was aborted: the child sent %s", call.file_name, DOING[call.phase], what)
    return _reading_error(call)


def exit_error(call: Call, child: Child, status: ExitStatus) -> ChildDied:
    """The child is gone: ended for its memory, crashed, killed from outside, or gone with the fork server."""
    if call.over_memory:
        return ChildDied(memory_error(call), call.phase)
    if child.killed and status.signal == "SIGKILL":
        return ChildDied(protocol_error(call, "nothing"), call.phase)
    if status.signal is None and status.code is None:
        return ChildDied(
            _unavailable(call, "the converter lost the process that held the file; try again"), call.phase, "lost"
        )
    if status.signal and status.signal not in CRASHES:
        return ChildDied(_kill_error(call, status.signal), call.phase, "kill")
    how = {"signal": status.signal} if status.signal else {"exit_code": status.code}
    if status.signal in CRASHES_OF_MEMORY and child.peak_memory() > CLOSE_TO_CEILING * call.memory:
        return ChildDied(memory_error(call, **how), call.phase)
    return ChildDied(_crash_error(call, child, how), call.phase, "crash")


def _kill_error(call: Call, signal: str) -> SpatialError:
    log.error("%s: a process outside of the converter ended the parser (%s)", call.file_name, signal)
    return _unavailable(
        call,
        f"{call.file_name}: the parser was killed while {DOING[call.phase]} the file, as happens where the machine is "
        "short of memory; try again",
    )


def _no_room_error(call: Call) -> SpatialError:
    log.error("%s: %s needs room for temporary files, and the disk has none", call.file_name, DOING[call.phase])
    return _unavailable(
        call,
        f"{call.file_name}: the converter's disk has no room for temporary files while {DOING[call.phase]} the file; try again later",
    )


def _unavailable(call: Call, message: str) -> ConverterUnavailable:
    return ConverterUnavailable(message, retry_after=call.retry_seconds)


def _crash_error(call: Call, child: Child, how: dict[str, Any]) -> SpatialError:
    cause = how.get("signal") or f"exit code {how['exit_code']}"
    log.error(
        "%s: the parser died of %s while %s\n%s",
        call.file_name, cause, DOING[call.phase], child.stderr[:LOG_CHARACTERS],
    )  # fmt: skip
    return ParseError(
        f"{call.file_name}: the parser died ({cause}) while {DOING[call.phase]} the file; "
        "it may be damaged; export it again, if possible from the program that made it",
        details={"phase": call.phase, **how},
    )


def checked(call: Call, frame: Frame) -> Frame:
    """A successful answer as it is. Raises: SpatialError for any other answer."""
    outcome = frame.header.get("outcome")
    if outcome == "done":
        return frame
    if outcome == "memory":
        raise memory_error(call)
    if outcome == "full":
        raise _no_room_error(call)
    error = frame.header.get("error")
    if outcome == "error" and isinstance(error, dict):
        details = error.get("details")
        raise from_wire({**error, "details": details if isinstance(details, dict) else None, "retry_after": None})
    report = str(frame.header.get("traceback", frame.header))
    log.error("%s: %s failed unexpectedly\n%s", call.file_name, DOING[call.phase], report)
    raise _reading_error(call)


def _reading_error(call: Call) -> SpatialError:
    return ParseError(
        f"{call.file_name}: {DOING[call.phase]} the file failed; it may be damaged, or use what this version does not "
        "read; export it again, with other settings if it stays so",
        details={"phase": call.phase},
    )

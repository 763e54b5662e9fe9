"""What the end of a call means: a crash, a kill or an answer, as the error its caller sees and a line in the log."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Final

from converter.children import Child, Ending
from converter.frames import Frame
from converter.wire import Phase
from spatial.errors import ConversionTimeout, ConverterUnavailable, ParseError, SpatialError, from_wire

DOING: Final[dict[Phase, str]] = {"read": "reading", "interpret": "interpreting", "sample": "sampling"}

CLOSE_TO_CEILING: Final = 0.8
"""A crash of a child that had grown this far is taken for an allocation that failed: native code seldom checks."""

CRASHES_OF_MEMORY: Final = ("SIGSEGV", "SIGABRT", "SIGBUS")

LOG_CHARACTERS: Final = 4_000

log = logging.getLogger("converter")


@dataclass
class Job:
    """One call, as the messages need it."""

    file_name: str
    phase: Phase
    deadline: float
    memory: int
    over_memory: bool = False
    """Whether the pool ended the child for its memory."""


def too_slow(job: Job) -> SpatialError:
    """The deadline passed."""
    log.warning("%s: %s took longer than %g s; the child was ended", job.file_name, DOING[job.phase], job.deadline)
    return ConversionTimeout(
        f"{job.file_name}: {DOING[job.phase]} took longer than {job.deadline:g} s and was ended; "
        "simplify the model or split it into several files",
        details={"phase": job.phase, "seconds": job.deadline},
    )


def too_large(job: Job, **details: Any) -> SpatialError:
    """The memory ceiling was reached."""
    log.warning("%s: %s needs more than %d bytes of memory", job.file_name, DOING[job.phase], job.memory)
    return ParseError(
        f"{job.file_name}: {DOING[job.phase]} needs more memory than the {job.memory / 2**20:.0f} MiB a file may take; "
        "simplify the model or split it into several files",
        details={"phase": job.phase, "limit_bytes": job.memory, **details},
    )


def too_much(job: Job, limit: int) -> SpatialError:
    """The answer is larger than any answer may be."""
    log.warning("%s: %s gave an answer of more than %d bytes", job.file_name, DOING[job.phase], limit)
    return ParseError(
        f"{job.file_name}: {DOING[job.phase]} gives a result of more than {limit / 2**20:.0f} MiB; "
        "simplify the model or split it into several files",
        details={"phase": job.phase, "result_limit_bytes": limit},
    )


def nonsense(job: Job, what: str) -> SpatialError:
    """The child answered what none of ours would, or closed its channel: its file has taken it over."""
    log.error("%s: %s was broken off: the child sent %s", job.file_name, DOING[job.phase], what)
    return _failed(job)


def died(job: Job, child: Child, ending: Ending) -> SpatialError:
    """The child is gone; it may have been ended for its memory, have crashed, or have gone with the fork server."""
    if job.over_memory:
        return too_large(job)
    if child.killed and ending.signal == "SIGKILL":
        return nonsense(job, "nothing")
    if ending.signal is None and ending.code is None:
        return ConverterUnavailable("the converter lost the process that held the file; try again", retry_after=2)
    how = {"signal": ending.signal} if ending.signal else {"exit_code": ending.code}
    if ending.signal in CRASHES_OF_MEMORY and child.peak_memory() > CLOSE_TO_CEILING * job.memory:
        return too_large(job, **how)
    cause = ending.signal or f"exit code {ending.code}"
    log.error(
        "%s: the parser died of %s while %s\n%s",
        job.file_name, cause, DOING[job.phase], child.last_words[:LOG_CHARACTERS],
    )  # fmt: skip
    return ParseError(
        f"{job.file_name}: the parser died ({cause}) while {DOING[job.phase]} the file; "
        "it may be damaged: export it again, if possible from the program that made it",
        details={"phase": job.phase, **how},
    )


def answered(job: Job, frame: Frame) -> bytes:
    """What the child answered. Raises: SpatialError."""
    outcome = frame.header.get("outcome")
    if outcome == "done":
        return frame.payload
    if outcome == "memory":
        raise too_large(job)
    error = frame.header.get("error")
    if outcome == "error" and isinstance(error, dict):
        details = error.get("details")
        raise from_wire({**error, "details": details if isinstance(details, dict) else None, "retry_after": None})
    said = str(frame.header.get("traceback", frame.header))
    log.error("%s: %s failed unexpectedly\n%s", job.file_name, DOING[job.phase], said)
    raise _failed(job)


def _failed(job: Job) -> SpatialError:
    return ParseError(
        f"{job.file_name}: {DOING[job.phase]} the file failed; it may be damaged, or use what this version does not "
        "read: export it again, with other settings if it stays so",
        details={"phase": job.phase},
    )

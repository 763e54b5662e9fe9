"""What crosses the wire between the converter and its clients.

    POST /read?handle=&file_name=&format=     body: the file          -> Reading
    POST /interpret?handle=                   no body                 -> Meaning
    POST /sample?handle=                      body: SamplingPlan      -> PointCloudScene
    POST /release?handle=                     no body                 -> 204
    POST /extract?file_name=&format=[&plan=]    body: the file          -> FullResult
    GET  /health                                                      -> ConverterHealth

`/extract` is read, interpret and, with a SamplingPlan, sample in one go, for a file of which no further call follows.

A failure is the status of its SpatialError and `SpatialError.to_wire()`; a handle whose child is gone is 410.

Glossary
  handle   a name that the client chooses for a file that it has read; the converter keeps the file under it for a while.
  phase    the call that was running: read, interpret or sample.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from spatial.contract.points import PointCloudScene
from spatial.models.reading import Meaning, Reading

HANDLE_PATTERN: Final = r"[A-Za-z0-9_-]{16,64}"
"""Handles cannot be guessed; their form keeps log lines intact."""

REQUEST_ID: Final = "X-Request-ID"
"""Header that says whose request a call belongs to; for log lines only."""

GONE: Final = 410
"""Status of a call under a handle whose child is gone: read the file again."""

SOCKET_PATH_BYTES: Final = 107
"""Longest path of a Unix socket on Linux (sockaddr_un.sun_path, less its end)."""

KEEP_ALIVE_SECONDS: Final = 75
"""How long the service keeps an idle connection; clients close theirs earlier, so that none is closed during a request."""

Phase = Literal["read", "interpret", "sample"]


class InputFile(BaseModel):
    """The name and the format of a file whose bytes follow; `format` is the name of a row of FORMATS."""

    model_config = ConfigDict(frozen=True)

    file_name: str
    format: str


class ReadingHandle(BaseModel):
    """What was read, and the handle under which the converter keeps the file; a file no longer kept is read again."""

    model_config = ConfigDict(frozen=True)

    handle: str = Field(pattern=f"^{HANDLE_PATTERN}$")
    source: InputFile
    reading: Reading


class FullResult(BaseModel):
    """All results of one file, in one answer."""

    reading: Reading
    meaning: Meaning
    clouds: PointCloudScene | None = None
    seconds: dict[Phase, float]
    """How long each phase took."""


class ConverterHealth(BaseModel):
    """Load of the converter, and the measures that confine its children."""

    status: Literal["ready", "restarting", "draining"]
    running: int
    """Calls that run."""
    waiting: int
    """Calls that wait for a worker."""
    kept: int
    """Files kept for the calls that follow."""
    restarts: int
    """How often the fork server died and was started again."""
    isolation: list[str]
    """Measures (of converter.isolation.MEASURES) that confine every child, as probed on this machine."""
    deadline_seconds: float
    memory_bytes: int
    workers: int
    queue: int

"""What crosses the wire between the converter and its clients.

    POST /read?handle=&file_name=&format=     body: the file          -> Reading
    POST /interpret?handle=                   no body                 -> Meaning
    POST /sample?handle=                      body: SamplingPlan      -> PointCloudScene
    POST /release?handle=                     no body                 -> 204
    POST /whole?file_name=&format=[&plan=]    body: the file          -> Whole
    GET  /health                                                      -> ConverterHealth

`/whole` is read, interpret and, with a SamplingPlan, sample in one go, for a file that nobody will ask about again.

A failure is the status of its SpatialError and `SpatialError.to_wire()`; a handle whose child is gone is 410.

Glossary
  handle   a name that the client makes up for one file it has read; the converter keeps the file under it for a while.
  phase    the call that was running: read, interpret or sample.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from spatial.contract.points import PointCloudScene
from spatial.models.reading import Meaning, Reading

HANDLE_PATTERN: Final = r"[A-Za-z0-9_-]{16,64}"
"""Handles are unguessable words; their form keeps them fit for log lines."""

REQUEST_ID: Final = "X-Request-ID"
"""Header that says whose request a call belongs to; for log lines only."""

GONE: Final = 410
"""Status of a call under a handle whose child is gone: read the file again."""

SOCKET_PATH_BYTES: Final = 107
"""Longest path of a Unix socket on Linux (sockaddr_un.sun_path, less its end)."""

KEEP_ALIVE_SECONDS: Final = 75
"""How long the service keeps an idle connection; clients let go earlier, so that none is closed under a request."""

Phase = Literal["read", "interpret", "sample"]


class Upload(BaseModel):
    """A file as the converter is told of it; `format` is the name of a row of FORMATS."""

    model_config = ConfigDict(frozen=True)

    file_name: str
    format: str


class ReadingHandle(BaseModel):
    """What was read, and the name under which the converter keeps the file; one no longer kept is read again."""

    model_config = ConfigDict(frozen=True)

    handle: str = Field(pattern=f"^{HANDLE_PATTERN}$")
    upload: Upload
    reading: Reading


class Whole(BaseModel):
    """All that the converter says of one file."""

    reading: Reading
    meaning: Meaning
    clouds: PointCloudScene | None = None
    seconds: dict[Phase, float]
    """How long each phase took."""


class ConverterHealth(BaseModel):
    """How busy the converter is, and what holds its children."""

    status: Literal["ready", "restarting", "draining"]
    running: int
    """Calls that have a worker's place."""
    waiting: int
    """Calls that wait for one."""
    kept: int
    """Files kept for the calls that follow."""
    restarts: int
    """How often the fork server died and was started again."""
    isolation: list[str]
    """Measures that hold every child, as probed on this machine (converter.isolation.MEASURES)."""
    deadline_seconds: float
    memory_bytes: int
    workers: int
    queue: int

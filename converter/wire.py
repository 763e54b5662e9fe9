"""The HTTP interface between the converter and its clients.

    POST /read?handle=&file_name=&format=[&edges=true][&account=][&bulk=true]   body: the file -> ReadFacts
    POST /interpret?handle=                   no body                 -> MeaningFacts
    POST /sample?handle=                      body: SamplingPlan      -> PointFacts
    POST /assemble?handle=[&last=true]        body: DocumentPlan      -> a document, behind its facts
    POST /release?handle=                     no body                 -> 204
    POST /phases?plan=, and as /read but for handle   body: the file  -> the answer of each phase as it ends (`converter.phases`)
    POST /mesh?file_name=&format=[&account=]  body: the file          -> binary glTF
    GET  /calls/{id}                                                  -> CallStatus of the call with this id (`calls`)
    GET  /health                                                      -> ConverterHealth

What a file holds and means stays with the child that read it until `/assemble` asks for the document, which is serialised there and
passed on as bytes. `/assemble` interprets and samples first where that was not done; with last the file is
not kept any longer, as `/release` says of one that no document is wanted of. `/phases` does everything in one call, whose last answer
is the document, and does not keep the file; nor does `/mesh`. plan: a DocumentPlan as JSON.

How a document stands behind its facts: `converter.documents`.

An error has the status of its SpatialError and the body `SpatialError.to_wire()`. Status 410: the file of the handle is no longer kept.

Glossary
  handle   a random name that the client chooses for a file; the converter keeps the file under this name for a limited time.
  phase    a part of the conversion: read, interpret, sample, assemble, mesh or picture.
"""

from __future__ import annotations

import struct
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from spatial.contract.target import TargetContract
from spatial.models.sampling_plan import SamplingPlan

HANDLE_PATTERN: Final = r"[A-Za-z0-9_-]{16,64}"
"""Pattern of handles. They are long enough not to be guessed, and have no characters that would break log lines."""

REQUEST_ID: Final = "X-Request-ID"
"""Header with the id of the API request that a call belongs to; used only in log lines."""

START_SECONDS: Final = "X-Start-Seconds"
"""Header of each answer: what a start of the service would take now: what its last one took of a processor, times those that share one."""

RELOAD_SECONDS: Final = "X-Reload-Seconds"
"""Header of answers while the service loads its readers again: how much longer no file will be read."""

GONE: Final = 410
"""HTTP status if the file of a handle is no longer kept; the client must send it again."""

SOCKET_PATH_BYTES: Final = 107
"""Maximum length of a Unix socket path on Linux (sockaddr_un.sun_path without the terminating NUL)."""

KEEP_ALIVE_SECONDS: Final = 75
"""How long the service keeps an idle connection; clients close idle connections earlier, so that none is closed during a request."""

Phase = Literal["read", "interpret", "sample", "assemble", "mesh", "picture"]

MESH_TYPE: Final = "model/gltf-binary"
"""Media type of a mesh (ISO/IEC 12113)."""

MESH_HEAD: Final = struct.Struct("<4sII")
"""Head of a mesh: magic, version, length."""


class InputFile(BaseModel):
    """Name and format of a file; `format` is the name of a row of FORMATS."""

    model_config = ConfigDict(frozen=True)

    file_name: str
    format: str
    edges: bool = False
    """Whether the meaning of a model lists its edges."""
    account: str = ""
    """Id of the account whose turn the calls of the file take; nothing else is made of it."""
    bulk: bool = False
    """Whether it is one of many, of a batch or an ingest, which wait beside single calls."""

    @property
    def shown_to_child(self) -> dict[str, Any]:
        """What its child is told: not whose it is."""
        return self.model_dump(exclude={"account", "bulk"})


class ReadFacts(BaseModel):
    """What the caller of a read is told."""

    model_config = ConfigDict(frozen=True)

    source_format: str
    entity_counts: dict[str, int]
    warnings: list[str]
    partial: bool


class ReadingHandle(BaseModel):
    """A file that was read, and the handle under which the converter keeps it."""

    model_config = ConfigDict(frozen=True)

    handle: str = Field(pattern=f"^{HANDLE_PATTERN}$")
    source: InputFile
    reading: ReadFacts


class MeaningFacts(BaseModel):
    """What the caller of an interpretation is told. callouts: how many were found; None of what has none."""

    callouts: int | None
    warnings: list[str]


class PointFacts(BaseModel):
    """What the caller of a sampling is told."""

    objects: int
    points: int


class DocumentPlan(BaseModel):
    """Which document is made of a file. sampling: None where it has no points."""

    target: TargetContract
    request_id: str
    sampling: SamplingPlan | None = None


class ConverterHealth(BaseModel):
    """Load and settings of the converter, and the isolation measures of its children."""

    status: Literal["ready", "restarting", "draining"]
    running: int
    """Number of running calls."""
    waiting: int
    """Number of calls that wait for a worker."""
    kept: int
    """Number of kept files without a running call."""
    restarts: int
    """Number of restarts of the fork server."""
    isolation: list[str]
    """Measures of sandbox.isolation.MEASURES that are effective on this machine."""
    deadline_seconds: float
    memory_bytes: int
    workers: int
    queue: int

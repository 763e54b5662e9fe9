"""Data types of the interface between bulk ingest and its store; storage/tables/ingest/__init__.py describes their use.

Glossary
  source       a file, identified by its URI.
  settled      a source is settled when the result for its current bytes is recorded: done, failed or quarantined.
  document     content (SHA-256) that is read as a format. Sources with the same bytes and format are one document.
  extraction   the result of reading a document with one version of the extractor; the generation counts repetitions by that version.
  claim        the exclusive right to extract a document: a lease that lapses, and a fencing token that invalidates late results.
  outcome      the result of a claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Literal

from storage.objects.file_filter import SourceFile

UNNEEDED: Final = "Skipped"
WITH_FAILURES: Final = "CompletedWithFailures"
"""Names of the final state of flow runs that did not fail and need attention: another run reads the same source, or some files are in
the table `failures`. The command line reads these names. Prefect derives event names from them, which deployments/bootstrap.py lists."""

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by table, as storage.tables.row_mapping.rows_of returns them."""


@dataclass(frozen=True)
class Candidate:
    """A file whose bytes were read."""

    found: SourceFile
    sha256: str
    """SHA-256 of the bytes, hexadecimal."""
    format: str
    """Name of a row of FORMATS."""


@dataclass(frozen=True)
class Failure:
    """Why a file cannot be extracted."""

    error_type: str
    message: str
    phase: str | None = None
    """Phase of the conversion that failed: read, interpret or sample."""
    tries: int = 1
    """Number of attempts in all runs."""
    quarantined: bool = True
    """Not tried again until the content or extractor version changes, or a reprocessing selects it. If False, the next run tries again."""


class Action(StrEnum):
    """What the run that claimed a document must do."""

    EXTRACT = "extract"
    """Extract the document, then commit Extracted or Failed."""
    LINK = "link"
    """The document is extracted already: commit Linked."""
    QUARANTINED = "quarantined"
    """The document is known to fail: commit Linked."""
    HELD = "held"
    """Another process holds a valid claim: commit nothing; claim it again later, or leave it to the next run."""


@dataclass(frozen=True)
class SourceRecord:
    """A file of a document, and the revision of its row at the time of the claim."""

    found: SourceFile
    revision: int
    """0 if no run has settled the file yet."""


@dataclass(frozen=True)
class DocumentClaim:
    """The claim on one document, with the files of the chunk that contain it."""

    action: Action
    document_id: str
    """SHA-256 of the content, hexadecimal."""
    format: str
    extractor_version: int
    sources: tuple[SourceRecord, ...]
    """At least one source, in the order of the URIs."""
    extraction_id: str
    """Id of the existing extraction (LINK), or of the new one."""
    token: str | None = None
    """Fencing token of an EXTRACT claim; None for other actions."""
    failure: Failure | None = None
    """Failure of the last attempt; None if there was none."""


@dataclass(frozen=True)
class Extracted:
    """The document was extracted."""

    claim: DocumentClaim
    document: bytes
    """The cad.extraction.v1 document, JSON."""
    rows: Rows
    """Rows of every table except `failures`. `documents` has exactly one row; `commit` adds the columns of each source."""


@dataclass(frozen=True)
class Failed:
    """The document could not be extracted, because of its content."""

    claim: DocumentClaim
    failure: Failure


@dataclass(frozen=True)
class Linked:
    """A LINK or QUARANTINED claim, for which nothing is extracted."""

    claim: DocumentClaim


@dataclass(frozen=True)
class Refused:
    """A file that was not read, for example because it is too large."""

    found: SourceFile
    format: str
    extractor_version: int
    failure: Failure


Outcome = Extracted | Failed | Linked | Refused


@dataclass(frozen=True)
class CommitCounts:
    """Numbers of sources that a commit settled."""

    done: int = 0
    """Sources with an extraction by this version. Sources that an earlier attempt of the same commit settled count here, not in the run."""
    failed: int = 0
    unchanged: int = 0
    """Sources that were read, and whose bytes are the same as when they were settled, for example after `touch`."""
    quarantined: int = 0
    """How many of the unchanged sources are in quarantine."""
    fenced: tuple[str, ...] = ()
    """URIs that were not changed, because another run has settled them or taken over the claim. The next run checks them again."""


FailureType = Literal[
    "parse_error",
    "timeout_error",
    "request_too_large",
    "unsupported_file_type",
    "invalid_request_error",
    "internal_error",
]
"""Types of spatial.errors with which a file can fail. A test compares them with the error classes."""

RunState = Literal["running", "done", "failed", "cancelled", "lost"]


@dataclass(frozen=True)
class IngestRun:
    """One run of bulk ingest or reprocessing."""

    id: str
    kind: Literal["ingest", "reprocess"]
    flow_run_id: str | None
    parameters: dict[str, Any]
    state: RunState
    total: int | None
    """Number of sources found; None until it is known."""
    done: int
    failed: int
    skipped: int
    """Sources that needed no work."""
    started_at: datetime
    updated_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class SettledSource:
    """The last recorded result of a source."""

    found: SourceFile
    document_id: str | None
    """None if the file was never read."""
    format: str
    extractor_version: int
    state: Literal["done", "failed", "quarantined"]
    extraction_id: str | None
    failure: Failure | None
    settled_at: datetime


@dataclass(frozen=True)
class Selection:
    """Conditions that select settled sources; all must hold, and a condition that is None or empty is ignored."""

    uris: Sequence[str] | None = None
    document_ids: Sequence[str] | None = None
    extraction_ids: Sequence[str] | None = None
    """Extraction ids, for example from the result of `spatial query`."""
    prefix: str | None = None
    """Prefix of the URI."""
    extractor_versions: Sequence[int] = ()
    """Versions of the extractor that settled the source."""
    older_than_version: int | None = None
    status: Literal["done", "failed"] | None = None
    """failed: also selects quarantined sources."""
    error_types: Sequence[str] = ()
    formats: Sequence[str] = field(default=())
    since: datetime | None = None
    """Settled at this time or later."""
    until: datetime | None = None
    """Settled before this time."""


@dataclass(frozen=True)
class SourceCount:
    """Number of selected sources with the same format, version and state, for the report of a dry run."""

    format: str
    extractor_version: int
    state: str
    sources: int
    bytes: int

"""What bulk ingest and its store say to each other. Start at the package.

Glossary
  source       a file at its place (a URI): found, then settled.
  document     content (SHA-256) read as a format. Sources with the same bytes and format are one document.
  extraction   one reading of a document by one version of the extractor; generations count the readings by the same version.
  claim        the right to read a document now; a lease that ends by itself, and a token that fences off who was too late.
  outcome      what a claim came to.
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
"""Names of the state in which a flow run ended well and yet has something to tell: another run walks its source, or some of its files
are in the table failures. Whoever follows the run reads them; Prefect
names events after them, which deployments/bootstrap.py has to know."""

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by table, as storage.tables.row_mapping.rows_of makes them."""


@dataclass(frozen=True)
class Candidate:
    """A file whose bytes were read."""

    found: SourceFile
    sha256: str
    """Of the bytes, hex."""
    format: str
    """Name of its row of FORMATS."""


@dataclass(frozen=True)
class Failure:
    """Why a file cannot be extracted."""

    error_type: str
    message: str
    phase: str | None = None
    """What was being done: reading, interpreting, …"""
    tries: int = 1
    """How often it was tried, all runs together."""
    quarantined: bool = True
    """Not tried again until content or extractor version changes, or reprocessing asks; otherwise the next run tries again."""


class Action(StrEnum):
    """What is to be done with a document."""

    EXTRACT = "extract"
    """Read it: commit Extracted or Failed."""
    LINK = "link"
    """It is extracted already: commit Linked, nothing is read."""
    QUARANTINED = "quarantined"
    """It cannot be extracted, which is known: commit Linked, nothing is read."""
    HELD = "held"
    """Somebody alive is reading it: nothing to commit; claim it again later, or leave it to the next run."""


@dataclass(frozen=True)
class SourceRecord:
    """A file that stands for a document, and which settling of it the claim saw."""

    found: SourceFile
    revision: int
    """0 where no run has settled it yet."""


@dataclass(frozen=True)
class DocumentClaim:
    """One document, and the files of a chunk that hold it."""

    action: Action
    document_id: str
    """SHA-256 of the content, hex."""
    format: str
    extractor_version: int
    sources: tuple[SourceRecord, ...]
    """In the order of their URIs; never empty."""
    extraction_id: str
    """What the extraction is called: of the one that is there (LINK), else of the one to be made."""
    token: str | None = None
    """Proof of an EXTRACT claim."""
    failure: Failure | None = None
    """Of the last reading, if it failed: how many tries there were, and why."""


@dataclass(frozen=True)
class Extracted:
    """The document was read."""

    claim: DocumentClaim
    document: bytes
    """The cad.extraction.v1 document, JSON."""
    rows: Rows
    """Rows of every table but failures. `documents` has exactly one, what all sources share; commit adds what is the source's own."""


@dataclass(frozen=True)
class Failed:
    """The document could not be read, and it is the file's fault."""

    claim: DocumentClaim
    failure: Failure


@dataclass(frozen=True)
class Linked:
    """Nothing was to be read: a LINK or QUARANTINED claim, as it is."""

    claim: DocumentClaim


@dataclass(frozen=True)
class Refused:
    """A file that was not even read, for example because it is too large."""

    found: SourceFile
    format: str
    extractor_version: int
    failure: Failure


Outcome = Extracted | Failed | Linked | Refused


@dataclass(frozen=True)
class CommitCounts:
    """What a commit settled, in sources."""

    done: int = 0
    """Sources that have an extraction by this version. Those that an earlier try of the same commit settled count here, not in the run."""
    failed: int = 0
    unchanged: int = 0
    """Sources whose bytes turned out to be those that were settled before: touched, or copied over themselves."""
    quarantined: int = 0
    """Of the unchanged."""
    fenced: tuple[str, ...] = ()
    """URIs left as they were: another run settled them, or took over the claim, since. The next run looks at them again."""


FailureType = Literal[
    "parse_error",
    "timeout_error",
    "request_too_large",
    "unsupported_file_type",
    "invalid_request_error",
    "internal_error",
]
"""Types of spatial.errors with which a file can fail; others are nobody's to ask for. A test keeps them to those that there are."""

RunState = Literal["running", "done", "failed", "cancelled", "lost"]


@dataclass(frozen=True)
class IngestRun:
    """One walk over files."""

    id: str
    kind: Literal["ingest", "reprocess"]
    flow_run_id: str | None
    parameters: dict[str, Any]
    state: RunState
    total: int | None
    """Sources found; None before that is known."""
    done: int
    failed: int
    skipped: int
    """Sources that needed nothing."""
    started_at: datetime
    updated_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True)
class SettledSource:
    """A source as a run settled it last."""

    found: SourceFile
    document_id: str | None
    """None where it was never read."""
    format: str
    extractor_version: int
    state: Literal["done", "failed", "quarantined"]
    extraction_id: str | None
    failure: Failure | None
    settled_at: datetime


@dataclass(frozen=True)
class Selection:
    """Which settled sources are meant; what is left out, or empty, is no condition. All conditions hold together."""

    uris: Sequence[str] | None = None
    document_ids: Sequence[str] | None = None
    extraction_ids: Sequence[str] | None = None
    """For example what `spatial query` answered."""
    prefix: str | None = None
    """What URIs begin with."""
    extractor_versions: Sequence[int] = ()
    """Of the reading that settled them."""
    older_than_version: int | None = None
    status: Literal["done", "failed"] | None = None
    """failed: quarantined or not."""
    error_types: Sequence[str] = ()
    formats: Sequence[str] = field(default=())
    since: datetime | None = None
    """Settled at or after."""
    until: datetime | None = None
    """Settled before."""


@dataclass(frozen=True)
class SourceCount:
    """So many sources of a selection are alike; what a dry run says."""

    format: str
    extractor_version: int
    state: str
    sources: int
    bytes: int

"""What a commit changes, as a plan: verdicts, rows and sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from storage.objects.file_filter import SourceFile
from storage.tables.ingest.claims import Key
from storage.tables.ingest.records import Failure


@dataclass(frozen=True)
class Verdict:
    """What a document has come to."""

    state: str
    extractor_version: int
    extraction_id: str | None
    failure: Failure | None


@dataclass(frozen=True)
class Row:
    """A row of documents or failures that readers see: its id, and the object it was written into (None: this commit's)."""

    id: str
    object_id: int | None = None


@dataclass(frozen=True)
class Settled:
    """A source as it will be recorded."""

    found: SourceFile
    format: str
    document_id: str | None
    verdict: Verdict
    revision: int
    issued: int
    """Rows that were ever issued for it."""
    document_row: Row | None
    failure_row: Row | None
    ours: bool
    """It is of this chunk; or else another one that holds a document of this chunk."""
    before: str | None = None
    """The run that recorded just this document and verdict; None where this is news."""

    @property
    def state(self) -> str:
        """As sources tell it."""
        if self.verdict.failure is None:
            return "done"
        return "quarantined" if self.verdict.failure.quarantined else "failed"


@dataclass
class Plan:
    """Everything a commit changes."""

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    """Documents of this chunk that were read."""
    extracted: list[str] = field(default_factory=list)
    """Extractions that become live."""
    settled: dict[str, Settled] = field(default_factory=dict)
    """By URI."""
    superseded: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Ids of rows and extractions that readers leave out, and the objects that they were written into."""
    retired: set[str] = field(default_factory=set)
    """Extractions among them."""
    orphans: set[Key] = field(default_factory=set)
    """Documents that no source holds any more."""
    released: list[str] = field(default_factory=list)
    """Tokens of claims that came to nothing."""
    fenced: list[str] = field(default_factory=list)
    """URIs that are left as they are."""
    there: dict[str, bool] = field(default_factory=dict)
    """URIs of which just this is recorded already, by an earlier try of the same commit; and whether they are done."""
    known: dict[str, Any] = field(default_factory=dict, compare=False)
    """Extractions that are there, by id: version, summary, objects."""

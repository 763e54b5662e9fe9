"""The plan of a commit: verdicts on documents, rows and sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from storage.objects.file_filter import SourceFile
from storage.tables.ingest.claims import Key
from storage.tables.ingest.records import Failure


@dataclass(frozen=True)
class Verdict:
    """The state of a document that an outcome determines."""

    state: str
    extractor_version: int
    extraction_id: str | None
    failure: Failure | None


@dataclass(frozen=True)
class Row:
    """A current row of `documents` or `failures`: its id and the object that contains it (None: the object of this commit)."""

    id: str
    object_id: int | None = None


@dataclass(frozen=True)
class SourceUpdate:
    """The new row of a source in `ingest_sources`."""

    found: SourceFile
    format: str
    document_id: str | None
    verdict: Verdict
    revision: int
    issued: int
    """Number of row ids that were ever issued for the source."""
    document_row: Row | None
    failure_row: Row | None
    ours: bool
    """Whether the source is in this chunk; otherwise it only holds a document of this chunk."""
    before: str | None = None
    """The run that recorded the same document and verdict before; None if they have changed."""

    @property
    def state(self) -> str:
        """Value of the column `state`."""
        if self.verdict.failure is None:
            return "done"
        return "quarantined" if self.verdict.failure.quarantined else "failed"


@dataclass
class Plan:
    """All changes of a commit."""

    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    """Verdicts on the documents of this chunk that were extracted or failed."""
    extracted: list[str] = field(default_factory=list)
    """Ids of extractions that become active."""
    settled: dict[str, SourceUpdate] = field(default_factory=dict)
    """Updates of sources, by URI."""
    superseded: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Objects that the rows were written to, by superseded id of a row or an extraction."""
    retired: set[str] = field(default_factory=set)
    """Ids of the extractions among the superseded ids."""
    orphans: set[Key] = field(default_factory=set)
    """Documents that no source holds now."""
    released: list[str] = field(default_factory=list)
    """Tokens of claims without a change."""
    fenced: list[str] = field(default_factory=list)
    """URIs that this commit must not change."""
    recorded: dict[str, bool] = field(default_factory=dict)
    """Whether the source is done, by URI, for sources that an earlier attempt of the same commit recorded."""
    known: dict[str, Any] = field(default_factory=dict, compare=False)
    """Rows of the existing extractions, by id."""

"""Who acts in the tests of bulk ingest: files that change, an extractor that knows what to make of them, a run over them, and the model.

A file's content is a short text. What an extractor makes of it follows from the text and the extractor's version alone:
`a`, `b`, … can be read by every version; `bad…` by none; `new…` from version 2 on; `old…` before version 2 only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from storage.objects.file_filter import SourceFile
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.tables import ingest
from storage.tables.ingest import Action, Candidate, DocumentClaim, Extracted, Failed, Failure, Linked, Outcome
from storage.tables.query import query
from tests.storage.actors import execute

BORN = datetime(2026, 1, 1, tzinfo=UTC)
LEASE_SECONDS = 60.0
FACTS = ("callouts", "solids")
"""Tables with facts in these tests."""


@dataclass
class Files:
    """What lies at a source."""

    files: dict[str, SourceFile] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)
    clock: int = 0

    def write(self, name: str, content: str) -> None:
        """A new file, or new content in an old one; the same content is a touched file."""
        self.clock += 1
        uri = f"file:///drawings/{name}.dxf"
        self.files[uri] = SourceFile(uri, len(content), None, BORN + timedelta(seconds=self.clock))
        self.contents[uri] = content

    def remove(self, name: str) -> None:
        """Gone."""
        uri = f"file:///drawings/{name}.dxf"
        del self.files[uri], self.contents[uri]

    def candidate(self, uri: str) -> Candidate:
        """The file as it was read."""
        return Candidate(self.files[uri], digest(self.contents[uri]), "dxf")


def digest(content: str) -> str:
    """What a document is called."""
    return sha256(content.encode()).hexdigest()


def readable(content: str, version: int) -> bool:
    """Whether this version can read it."""
    refused = content.startswith("bad") or (content.startswith("new") and version < 2)
    return not (refused or (content.startswith("old") and version >= 2))


def facts_of(content: str, version: int) -> list[tuple[str, str]]:
    """Table and text of every fact: two versions do not say the same, and some documents have no facts."""
    if content.endswith("0"):
        return []
    return [("callouts", f"{content} by {version}, {place}") for place in (1, 2)] + [
        ("solids", f"{content} by {version}")
    ]


@dataclass
class Extractor:
    """Reads, and remembers what."""

    files: Files
    version: int = 1
    read: list[str] = field(default_factory=list)

    def outcome(self, claim: DocumentClaim) -> Outcome | None:
        """What a claim comes to; nothing where somebody else holds it."""
        if claim.action is Action.HELD:
            return None
        if claim.action is not Action.EXTRACT:
            return Linked(claim)
        content = self.files.contents[claim.sources[0].found.uri]
        self.read.append(content)
        if not readable(content, self.version):
            return Failed(claim, Failure("parse_error", f"{content} cannot be read", "reading"))
        return Extracted(claim, f"{content} by {self.version}".encode(), rows(claim, content, self.version))


def rows(claim: DocumentClaim, content: str, version: int) -> dict[str, list[dict[str, Any]]]:
    """As tabling makes them."""
    keys = {"document_id": claim.document_id, "extraction_id": claim.extraction_id}
    found: dict[str, list[dict[str, Any]]] = {"documents": [{**keys, "format": claim.format, "title": content}]}
    for table, said in facts_of(content, version):
        name = "text" if table == "callouts" else "name"
        found.setdefault(table, []).append({**keys, name: said})
    return found


async def run(
    database: Database,
    lake: Lake,
    extractor: Extractor,
    *,
    again: Iterable[str] = (),
    of_chunk: int = 2,
    flow_run_id: str | None = None,
) -> ingest.IngestRun:
    """What the flow does, without a flow. again: URIs to be reprocessed, instead of all that lies there."""
    files, reprocessed = extractor.files, list(again)
    kind = "reprocess" if reprocessed else "ingest"
    opened = await ingest.open_run(database, kind, parameters={}, flow_run_id=flow_run_id)  # type: ignore[arg-type]  # one of both
    found = [files.files[uri] for uri in sorted(reprocessed or files.files) if uri in files.files]
    settled = {} if reprocessed else await ingest.find_unchanged(database, found, extractor.version)
    due = [one.uri for one in found if one.uri not in settled]
    await ingest.add_progress(database, opened.id, total=len(found), skipped=len(settled))
    for chunk, start in enumerate(range(0, len(due), of_chunk)):
        await run_chunk(database, lake, extractor, opened.id, due[start : start + of_chunk], chunk, bool(reprocessed))
    return await ingest.close_run(database, lake, opened.id, "done")


async def run_chunk(
    database: Database, lake: Lake, extractor: Extractor, run_id: str, uris: Sequence[str], chunk: int, again: bool
) -> None:
    """Claim, read, commit; until nobody else holds what is due."""
    waiting = list(uris)
    while waiting:
        candidates = [extractor.files.candidate(uri) for uri in waiting]
        claims = await ingest.claim(
            database, run_id, candidates, extractor.version, lease_seconds=LEASE_SECONDS, chunk=chunk, again=again
        )
        outcomes = [outcome for outcome in map(extractor.outcome, claims) if outcome is not None]
        await ingest.commit(database, lake, run_id, outcomes)
        waiting = [one.found.uri for claim in claims if claim.action is Action.HELD for one in claim.sources]


# The model ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """What a document came to: by which version, the reading that is kept (version, generation), and whether the last one failed."""

    version: int
    kept: tuple[int, int] | None
    failed: bool


@dataclass
class Model:
    """What the tables are to say, worked out with dicts."""

    sources: dict[str, tuple[SourceFile, str]] = field(default_factory=dict)
    documents: dict[str, Known] = field(default_factory=dict)
    generations: dict[tuple[str, int], int] = field(default_factory=dict)

    def run(self, files: Files, version: int, again: Iterable[str] = ()) -> None:
        """A run that ended."""
        reprocessed = [uri for uri in again if uri in files.files]
        done: set[str] = set()
        for uri in sorted(reprocessed or files.files):
            found, content = files.files[uri], files.contents[uri]
            was = self.sources.get(uri)
            if not reprocessed and was is not None and was[0] == found and self.documents[was[1]].version >= version:
                continue
            known = self.documents.get(content)
            if known is None or known.version < version or (reprocessed and content not in done):
                self.documents[content] = self._read(content, version, known)
                done.add(content)
            self.sources[uri] = found, content
            if was is not None and was[1] not in {held for _, held in self.sources.values()}:
                del self.documents[was[1]]

    def _read(self, content: str, version: int, known: Known | None) -> Known:
        if not readable(content, version):
            return Known(version, known.kept if known else None, failed=True)
        generation = self.generations.get((content, version), 0) + 1
        self.generations[content, version] = generation
        return Known(version, (version, generation), failed=False)

    def tables(self) -> dict[str, list[tuple[Any, ...]]]:
        """As `read` reads them."""
        documents, failures = [], []
        for uri, (found, content) in self.sources.items():
            known = self.documents[content]
            if known.kept:
                documents.append(
                    (uri, content, _name(content, known.kept), found.size, found.modified_at.replace(tzinfo=None))
                )
            if known.failed:
                failures.append((uri, digest(content), str(known.version), f"{content} cannot be read"))
        facts = [
            (table, _name(content, known.kept), said)
            for content, known in self.documents.items()
            if known.kept
            for table, said in facts_of(content, known.kept[0])
        ]
        return {"documents": sorted(documents), "failures": sorted(failures), "facts": sorted(facts)}


def _name(content: str, kept: tuple[int, int]) -> str:
    return f"{digest(content)[:32]}-dxf-{kept[0]}"


# What readers see ---------------------------------------------------------------------------------------------------------

SEEN = """
    SELECT 'documents' AS t, source_uri AS a, title AS b, extraction_id AS c, size AS d, modified_at AS e FROM documents UNION ALL
    SELECT 'failures', source_uri, document_id, extractor_version, NULL, NULL FROM failures UNION ALL
    SELECT 'messages', source_uri, message, NULL, NULL, NULL FROM failures UNION ALL
    SELECT 'callouts', extraction_id, text, NULL, NULL, NULL FROM callouts UNION ALL
    SELECT 'solids', extraction_id, name, NULL, NULL, NULL FROM solids
"""
"""Everything in one question, and so of one manifest."""


async def read(lake: Lake) -> dict[str, list[tuple[Any, ...]]]:
    """What the tables say, by DuckDB; documents, failures and facts.

    Without generations: content that leaves one file and comes to another in one run is read again or not, as they share a chunk or not.
    """
    seen: dict[str, list[tuple[Any, ...]]] = {"documents": [], "failures": [], "facts": []}
    found = [tuple(map(_plain, row.values())) for row in await query(lake, SEEN)]
    messages = {row[1]: row[2] for row in found if row[0] == "messages"}
    for row in found:
        if row[0] == "documents":
            seen["documents"].append(row[1:])
        elif row[0] == "failures":
            seen["failures"].append((*row[1:4], messages[row[1]]))
        elif row[0] in FACTS:
            seen["facts"].append((row[0], row[1], row[2]))
    return {name: sorted(found) for name, found in seen.items()}


def _plain(value: Any) -> Any:
    return re.sub(r"(-dxf-\d+)-\d+$", r"\1", value) if isinstance(value, str) else value


async def everything(lake: Lake) -> dict[str, list[str]]:
    """All rows of all tables, but for the moments of the ingest; sorted."""
    tables = {}
    for table in ("documents", "failures", *FACTS):
        said = await query(lake, f"SELECT * FROM {table}")
        told = [
            {name: value for name, value in row.items() if name not in {"ingested_at", "ingest_date"}} for row in said
        ]
        tables[table] = sorted(map(repr, told))
    return tables


def assert_consistent(seen: dict[str, list[tuple[Any, ...]]]) -> None:
    """What holds of every manifest, whatever was interrupted: a source once, and the facts of what is there, all of them, once."""
    uris = [row[0] for row in seen["documents"]]
    assert len(uris) == len(set(uris))
    failed = [row[0] for row in seen["failures"]]
    assert len(failed) == len(set(failed))
    there = {row[2]: row[1] for row in seen["documents"]}
    due = [
        (table, name, said)
        for name, content in there.items()
        for table, said in facts_of(content, int(name.split("-")[2]))
    ]
    assert seen["facts"] == sorted(due)


async def lapse(database: Database) -> None:
    """Every lease has ended, as the database's clock sees it."""
    ended = (
        "UPDATE ingest_documents SET lease_until = clock_timestamp() - interval '1 ms' WHERE lease_until IS NOT NULL"
    )
    await execute(database, ended)

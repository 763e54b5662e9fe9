"""Plan the changes of a commit from its outcomes and the current rows in Postgres.

The plan is made before objects are written and again before they are activated. If both plans are equal, the written objects are valid.
The rows of a source follow from the verdict on its document:

    document done                    a row in `documents`
    document failed                  a row in `failures`; the row in `documents` stays if the same bytes were extracted before
    document without sources         the rows of its extraction are superseded
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from storage.objects.file_filter import SourceFile
from storage.tables.ingest.current_rows import CurrentRows, key_of, read_current_rows
from storage.tables.ingest.plan_records import Plan, Row, SourceUpdate, Verdict
from storage.tables.ingest.records import Action, DocumentClaim, Extracted, Failed, Failure, Linked, Outcome, Refused


async def plan(connection: AsyncConnection, outcomes: Sequence[Outcome], *, lock: bool = False) -> Plan:
    """Plan a commit. lock: prevent other processes from claiming the documents until the transaction ends."""
    current = await read_current_rows(connection, outcomes, lock)
    planned = Plan(known=current.extractions)
    for outcome in outcomes:
        if isinstance(outcome, Refused):
            verdict = Verdict("failed", outcome.extractor_version, None, outcome.failure)
            _settle(planned, current, outcome.found, outcome.format, None, verdict, ours=True)
        else:
            _plan_outcome(planned, current, outcome)
    _settle_other_holders(planned, current)
    _supersede_orphans(planned, current)
    return planned


def _plan_outcome(planned: Plan, current: CurrentRows, outcome: Extracted | Failed | Linked) -> None:
    """Plan the changes of one outcome: its document, and the sources of this chunk that hold it."""
    claim = outcome.claim
    verdict = _verdict_of(current.documents.get(key_of(claim)), outcome)
    valid = [source for source in claim.sources if verdict and source.revision == _revision(current, source.found.uri)]
    for source in claim.sources:
        if source not in valid:
            _skip_source(planned, current.sources.get(source.found.uri), source.found, outcome)
    if verdict is None:
        return
    if not valid and not any(_is_other_holder(row, claim, current.chunk_uris) for row in current.sources.values()):
        planned.released += [claim.token] if claim.token else []
        return
    if not isinstance(outcome, Linked):
        planned.verdicts[key_of(claim)] = verdict
    if isinstance(outcome, Extracted):
        planned.extracted.append(claim.extraction_id)
        _supersede_extraction(planned, current, current.documents[key_of(claim)].extraction_id)
    for source in valid:
        _settle(planned, current, source.found, claim.format, claim.document_id, verdict, ours=True)


def _verdict_of(row: Any, outcome: Extracted | Failed | Linked) -> Verdict | None:
    """The verdict on the document; None if the claim is no longer valid."""
    claim = outcome.claim
    if row is None:
        return None
    if isinstance(outcome, Linked):
        is_linked = claim.action is Action.LINK and row.state == "done" and row.extraction_id == claim.extraction_id
        is_quarantined = claim.action is Action.QUARANTINED and row.state == "failed"
        if not (is_linked or is_quarantined):
            return None
        return Verdict(row.state, row.extractor_version, row.extraction_id, failure_of(row))
    if row.claim_token is None or row.claim_token != claim.token:
        return None
    if isinstance(outcome, Extracted):
        return Verdict("done", claim.extractor_version, claim.extraction_id, None)
    return Verdict("failed", claim.extractor_version, row.extraction_id, outcome.failure)


def _skip_source(planned: Plan, row: Any, found: SourceFile, outcome: Extracted | Failed | Linked) -> None:
    """Record a source that this commit must not change: as already recorded if an earlier attempt settled it, else as fenced."""
    claim = outcome.claim
    failure = outcome.failure if isinstance(outcome, Failed) else claim.failure if isinstance(outcome, Linked) else None
    expected = claim.document_id, claim.format, found, failure
    same = row is not None and expected == (row.document_id, row.format, source_file_of(row), failure_of(row))
    if same and (failure is not None or row.extraction_id == claim.extraction_id):
        planned.recorded[found.uri] = failure is None
    else:
        planned.fenced.append(found.uri)


def source_file_of(row: Any) -> SourceFile:
    """The file as a row of ingest_sources describes it."""
    return SourceFile(row.uri, row.size, row.etag, row.modified_at)


def failure_of(row: Any) -> Failure | None:
    """The failure that a row of ingest_sources or ingest_documents records; None where it records none."""
    return Failure(**row.failure) if row is not None and row.failure else None


def _revision(current: CurrentRows, uri: str) -> int:
    row = current.sources.get(uri)
    return row.revision if row is not None else 0


def _is_other_holder(row: Any, claim: DocumentClaim, chunk_uris: set[str]) -> bool:
    """Whether the row is a source outside this chunk that holds the document of the claim."""
    return (row.document_id, row.format) == key_of(claim) and row.uri not in chunk_uris


def _settle(
    planned: Plan,
    current: CurrentRows,
    found: SourceFile,
    format_name: str,
    document_id: str | None,
    verdict: Verdict,
    *,
    ours: bool,
) -> None:
    """Plan the rows of a source; a row whose content would change is superseded and gets a new id."""
    previous = current.sources.get(found.uri)
    issued = previous.issued if previous is not None else 0
    document_row = _current_row(previous, "document")
    if not _is_row_current(previous, found, verdict):
        _supersede_row(planned, document_row)
        document_row, issued = _issue_row(found, issued, verdict.extraction_id is not None)
    failure_row = _current_row(previous, "failure")
    if previous is None or (previous.document_id, previous.extractor_version, failure_of(previous)) != (
        document_id,
        verdict.extractor_version,
        verdict.failure,
    ):
        _supersede_row(planned, failure_row)
        failure_row, issued = _issue_row(found, issued, verdict.failure is not None)
    revision = _revision(current, found.uri) + 1
    planned.settled[found.uri] = SourceUpdate(
        found,
        format_name,
        document_id,
        verdict,
        revision,
        issued,
        document_row,
        failure_row,
        ours,
        _find_earlier_run(previous, document_id, verdict),
    )


def _find_earlier_run(previous: Any, document_id: str | None, verdict: Verdict) -> str | None:
    """The run that recorded the same document and verdict; None if they differ, or if the file was not read and has no hash."""
    if previous is None or document_id is None:
        return None
    recorded = previous.document_id, previous.extractor_version, previous.extraction_id, failure_of(previous)
    expected = document_id, verdict.extractor_version, verdict.extraction_id, verdict.failure
    return str(previous.run_id) if recorded == expected else None


def _is_row_current(previous: Any, found: SourceFile, verdict: Verdict) -> bool:
    """Whether the row in `documents` has this content already, or there is none and none is needed."""
    if previous is None or previous.document_row is None:
        return verdict.extraction_id is None
    recorded = previous.extraction_id, previous.size, previous.modified_at
    return bool(recorded == (verdict.extraction_id, found.size, found.modified_at))


def _current_row(previous: Any, which: str) -> Row | None:
    row_id = getattr(previous, f"{which}_row", None)
    return Row(row_id, getattr(previous, f"{which}_object")) if row_id is not None else None


def _supersede_row(planned: Plan, row: Row | None) -> None:
    if row is not None and row.object_id is not None:
        planned.superseded[row.id] = (row.object_id,)


def _issue_row(found: SourceFile, issued: int, due: bool) -> tuple[Row | None, int]:
    """A new row if one is needed, and the number of rows issued; ids are deterministic and never reused."""
    if not due:
        return None, issued
    return Row(f"{sha256(found.uri.encode()).hexdigest()[:32]}-{issued + 1}"), issued + 1


def _supersede_extraction(planned: Plan, current: CurrentRows, extraction_id: str | None) -> None:
    """Supersede the rows of an extraction."""
    if extraction_id is not None:
        planned.superseded[extraction_id] = tuple(current.extractions[extraction_id].objects)
        planned.retired.add(extraction_id)


def _settle_other_holders(planned: Plan, current: CurrentRows) -> None:
    """Settle the sources outside this chunk that hold a document of this chunk."""
    for row in sorted(current.sources.values(), key=lambda one: one.uri):
        verdict = planned.verdicts.get((row.document_id, row.format))
        if verdict is not None and row.uri not in current.chunk_uris:
            _settle(planned, current, source_file_of(row), row.format, row.document_id, verdict, ours=False)


def _supersede_orphans(planned: Plan, current: CurrentRows) -> None:
    """Supersede documents that sources of this chunk held and that no source holds now."""
    held = {(row.document_id, row.format) for row in current.sources.values() if row.uri not in planned.settled}
    held |= {(one.document_id, one.format) for one in planned.settled.values()}
    for uri in planned.settled:
        row = current.sources.get(uri)
        if row is None or row.document_id is None:
            continue
        key = row.document_id, row.format
        if key not in held and key not in planned.orphans:
            planned.orphans.add(key)
            _supersede_extraction(planned, current, current.documents[key].extraction_id)

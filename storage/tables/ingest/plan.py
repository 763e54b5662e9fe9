"""What a chunk's outcomes change, worked out from Postgres and from nothing else: planned before anything is written, and planned again
before it takes effect. If both plans are equal, what was written is what is due.

The rule is one: what readers see of a source follows from what its document came to.

    document done                    a row in documents
    document failed                  a row in failures; and the one in documents, if the same bytes were read before
    document without sources         its facts are superseded
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from storage.objects.file_filter import SourceFile
from storage.tables.ingest.plan_records import Plan, Row, Settled, Verdict
from storage.tables.ingest.records import Action, DocumentClaim, Extracted, Failed, Failure, Linked, Outcome, Refused
from storage.tables.ingest.standing import Standing, key_of, read_standing


async def plan(connection: AsyncConnection, outcomes: Sequence[Outcome], *, lock: bool = False) -> Plan:
    """What is due now. lock: let nobody claim the documents until the transaction ends."""
    here = await read_standing(connection, outcomes, lock)
    planned = Plan(known=here.extractions)
    for outcome in outcomes:
        if isinstance(outcome, Refused):
            verdict = Verdict("failed", outcome.extractor_version, None, outcome.failure)
            _settle(planned, here, outcome.found, outcome.format, None, verdict, ours=True)
        else:
            _judge(planned, here, outcome)
    _move_others(planned, here)
    _leave_orphans(planned, here)
    return planned


# What is there ------------------------------------------------------------------------------------------------------------


# What is due --------------------------------------------------------------------------------------------------------------


def _judge(planned: Plan, here: Standing, outcome: Extracted | Failed | Linked) -> None:
    """One document and the sources of this chunk that hold it."""
    claim = outcome.claim
    verdict = _verdict(here.documents.get(key_of(claim)), outcome)
    current = [source for source in claim.sources if verdict and source.revision == _revision(here, source.found.uri)]
    for source in claim.sources:
        if source not in current:
            _pass_over(planned, here.sources.get(source.found.uri), source.found, outcome)
    if verdict is None:
        return
    if not current and not any(_is_other_holder(row, claim, here.leaving) for row in here.sources.values()):
        planned.released += [claim.token] if claim.token else []
        return
    if not isinstance(outcome, Linked):
        planned.verdicts[key_of(claim)] = verdict
    if isinstance(outcome, Extracted):
        planned.extracted.append(claim.extraction_id)
        _replace(planned, here, here.documents[key_of(claim)].extraction_id)
    for source in current:
        _settle(planned, here, source.found, claim.format, claim.document_id, verdict, ours=True)


def _verdict(row: Any, outcome: Extracted | Failed | Linked) -> Verdict | None:
    """What the document has come to; None where the claim is not good any more."""
    claim = outcome.claim
    if row is None:
        return None
    if isinstance(outcome, Linked):
        meant = claim.action is Action.LINK and row.state == "done" and row.extraction_id == claim.extraction_id
        known = claim.action is Action.QUARANTINED and row.state == "failed"
        if not (meant or known):
            return None
        return Verdict(row.state, row.extractor_version, row.extraction_id, failure_of(row))
    if row.claim_token is None or row.claim_token != claim.token:
        return None
    if isinstance(outcome, Extracted):
        return Verdict("done", claim.extractor_version, claim.extraction_id, None)
    return Verdict("failed", claim.extractor_version, row.extraction_id, outcome.failure)


def _pass_over(planned: Plan, row: Any, found: SourceFile, outcome: Extracted | Failed | Linked) -> None:
    """A source that is not ours to change any more."""
    claim = outcome.claim
    failure = outcome.failure if isinstance(outcome, Failed) else claim.failure if isinstance(outcome, Linked) else None
    due = claim.document_id, claim.format, found, failure
    same = row is not None and due == (row.document_id, row.format, source_file_of(row), failure_of(row))
    if same and (failure is not None or row.extraction_id == claim.extraction_id):
        planned.there[found.uri] = failure is None
    else:
        planned.fenced.append(found.uri)


def source_file_of(row: Any) -> SourceFile:
    """The file as a row of ingest_sources describes it."""
    return SourceFile(row.uri, row.size, row.etag, row.modified_at)


def failure_of(row: Any) -> Failure | None:
    """The failure that a row of ingest_sources or ingest_documents records; None where it records none."""
    return Failure(**row.failure) if row is not None and row.failure else None


def _revision(here: Standing, uri: str) -> int:
    row = here.sources.get(uri)
    return row.revision if row is not None else 0


def _is_other_holder(row: Any, claim: DocumentClaim, leaving: set[str]) -> bool:
    """Whether a source that is not of this chunk holds the claim's document."""
    return (row.document_id, row.format) == key_of(claim) and row.uri not in leaving


def _settle(
    planned: Plan,
    here: Standing,
    found: SourceFile,
    format_name: str,
    document_id: str | None,
    verdict: Verdict,
    *,
    ours: bool,
) -> None:
    """The source's rows, new where they would say something else than now."""
    was = here.sources.get(found.uri)
    issued = was.issued if was is not None else 0
    document_row = _standing(was, "document")
    if not _is_row_current(was, found, verdict):
        _withdraw(planned, document_row)
        document_row, issued = _issue(found, issued, verdict.extraction_id is not None)
    failure_row = _standing(was, "failure")
    if was is None or (was.document_id, was.extractor_version, failure_of(was)) != (
        document_id,
        verdict.extractor_version,
        verdict.failure,
    ):
        _withdraw(planned, failure_row)
        failure_row, issued = _issue(found, issued, verdict.failure is not None)
    revision = _revision(here, found.uri) + 1
    planned.settled[found.uri] = Settled(
        found,
        format_name,
        document_id,
        verdict,
        revision,
        issued,
        document_row,
        failure_row,
        ours,
        _find_earlier_run(was, document_id, verdict),
    )


def _find_earlier_run(was: Any, document_id: str | None, verdict: Verdict) -> str | None:
    """A file that was not read has no content to compare, and is news each time."""
    if was is None or document_id is None:
        return None
    said = was.document_id, was.extractor_version, was.extraction_id, failure_of(was)
    due = document_id, verdict.extractor_version, verdict.extraction_id, verdict.failure
    return str(was.run_id) if said == due else None


def _is_row_current(was: Any, found: SourceFile, verdict: Verdict) -> bool:
    """Whether the row in documents says it already, or there is none and none is due."""
    if was is None or was.document_row is None:
        return verdict.extraction_id is None
    said = was.extraction_id, was.size, was.modified_at
    return bool(said == (verdict.extraction_id, found.size, found.modified_at))


def _standing(was: Any, which: str) -> Row | None:
    row_id = getattr(was, f"{which}_row", None)
    return Row(row_id, getattr(was, f"{which}_object")) if row_id is not None else None


def _withdraw(planned: Plan, row: Row | None) -> None:
    if row is not None and row.object_id is not None:
        planned.superseded[row.id] = (row.object_id,)


def _issue(found: SourceFile, issued: int, due: bool) -> tuple[Row | None, int]:
    """A row's id is never used twice, and the same history gives the same ids."""
    if not due:
        return None, issued
    return Row(f"{sha256(found.uri.encode()).hexdigest()[:32]}-{issued + 1}"), issued + 1


def _replace(planned: Plan, here: Standing, extraction_id: str | None) -> None:
    """Readers leave the extraction's facts out."""
    if extraction_id is not None:
        planned.superseded[extraction_id] = tuple(here.extractions[extraction_id].objects)
        planned.retired.add(extraction_id)


def _move_others(planned: Plan, here: Standing) -> None:
    """Sources of other chunks that hold a document of this one go with it."""
    for row in sorted(here.sources.values(), key=lambda one: one.uri):
        verdict = planned.verdicts.get((row.document_id, row.format))
        if verdict is not None and row.uri not in here.leaving:
            _settle(planned, here, source_file_of(row), row.format, row.document_id, verdict, ours=False)


def _leave_orphans(planned: Plan, here: Standing) -> None:
    """Documents that this chunk's sources held, and that no source holds any more."""
    still = {(row.document_id, row.format) for row in here.sources.values() if row.uri not in planned.settled}
    still |= {(one.document_id, one.format) for one in planned.settled.values()}
    for uri in planned.settled:
        row = here.sources.get(uri)
        if row is None or row.document_id is None:
            continue
        key = row.document_id, row.format
        if key not in still and key not in planned.orphans:
            planned.orphans.add(key)
            _replace(planned, here, here.documents[key].extraction_id)

"""Runs of bulk ingest: progress, files that failed, start, cancel, and retry."""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from api.console import prefect_ui, rendering
from api.console.endpoint import Page
from api.console.session import FormDep, SignedIn, SignedInDep
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import raises
from spatial import errors
from spatial.errors import InvalidRequest, NotFound, SpatialError
from storage.tables import ingest
from storage.tables.ingest import IngestRun

SECTION: Final = "/console/ingest"
ONE: Final = f"{SECTION}/{{run_id}}"
SHOWN: Final = 50
FAILURES: Final = 200
"""Failed files that a page lists."""

SOURCE: Final = re.compile(r"(s3|file)://\S[^\n]{0,1000}")

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get(SECTION)
@raises(errors.BillingUnavailable)
async def list_runs(signed_in: SignedInDep, dispatcher: DispatcherDep, started: str = "") -> Response:
    """The latest runs."""
    return await _list_page(signed_in, dispatcher, started=bool(started))


@router.post(SECTION)
@raises(errors.InvalidRequest, errors.BillingUnavailable, errors.ConverterUnavailable)
async def start(signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """Start the ingest of a prefix, on a worker."""
    source, pattern = form.get("source", "").strip(), form.get("pattern", "").strip()
    if not SOURCE.fullmatch(source):
        problem = InvalidRequest(
            "the source is not s3://bucket/prefix or file:///folder as the worker sees it; correct it"
        )
        return await _list_page(signed_in, dispatcher, problem=problem, source=source)
    await dispatcher.start_ingest("ingest", source, {"source": source, "pattern": pattern or None})
    return RedirectResponse(f"{SECTION}?started=1", status_code=303)


@router.get(ONE)
@raises(NotFound, errors.BillingUnavailable)
async def read(run_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """One run with the files that failed in it."""
    run = await _find(dispatcher, run_id)
    failures = await ingest.list_failures(dispatcher.database, run.id, count=FAILURES + 1)
    return rendering.page(
        "ingest_run.html",
        signed_in,
        section=SECTION,
        run=run,
        settled=run.done + run.failed + run.skipped,
        failures=failures[:FAILURES],
        has_more=len(failures) > FAILURES,
        run_page=prefect_ui.flow_run(dispatcher.settings, run.flow_run_id),
        asks_for_auth=prefect_ui.asks_for_auth(dispatcher.settings),
        can_retry=run.state != "running" and bool(failures),
        can_repeat=run.state != "running" and bool(run.parameters.get("source")) and run.kind == "ingest",
    )


@router.post(f"{ONE}/cancel")
@raises(NotFound, errors.InvalidRequest, errors.BillingUnavailable, errors.ConverterUnavailable)
async def cancel(run_id: str, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """Cancel a run; what it has committed stays."""
    run = await _find(dispatcher, run_id)
    if run.state != "running" or run.flow_run_id is None:
        raise InvalidRequest(f"the run is {run.state}, and nothing of it is under way on a worker; reload its page")
    await dispatcher.cancel_ingest(run.flow_run_id)
    return RedirectResponse(f"{SECTION}/{run.id}", status_code=303)


@router.post(f"{ONE}/retry")
@raises(NotFound, errors.InvalidRequest, errors.BillingUnavailable, errors.ConverterUnavailable)
async def retry(run_id: str, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """Read the failed files of a run again, those in quarantine too."""
    run = await _find(dispatcher, run_id)
    since = {"since": run.started_at.isoformat(), "until": run.ended_at.isoformat() if run.ended_at else None}
    parameters = {"which": "failed", "source": run.parameters.get("source"), **since}
    await dispatcher.start_ingest("reprocess", f"failed files of {run.id}", parameters)
    return RedirectResponse(f"{SECTION}?started=1", status_code=303)


@router.post(f"{ONE}/repeat")
@raises(NotFound, errors.InvalidRequest, errors.BillingUnavailable, errors.ConverterUnavailable)
async def repeat(run_id: str, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """Run the same ingest again: files that are new, changed or not settled."""
    run = await _find(dispatcher, run_id)
    if run.kind != "ingest" or not run.parameters.get("source"):
        raise InvalidRequest("the run has no source to read again; start a new one")
    known: dict[str, Any] = {name: run.parameters[name] for name in REPEATED if run.parameters.get(name)}
    await dispatcher.start_ingest("ingest", str(run.parameters["source"]), known)
    return RedirectResponse(f"{SECTION}?started=1", status_code=303)


REPEATED: Final = ("source", "pattern", "formats", "target_contract")
"""Parameters of a run that its repetition has too."""


async def _list_page(
    signed_in: SignedIn,
    dispatcher: Dispatcher,
    *,
    started: bool = False,
    problem: SpatialError | None = None,
    source: str = "",
) -> Response:
    return rendering.page(
        "ingest.html",
        signed_in,
        section=SECTION,
        status=200 if problem is None else problem.status,
        runs=await ingest.list_runs(dispatcher.database, count=SHOWN),
        started=started,
        problem="" if problem is None else problem.message,
        source=source,
    )


async def _find(dispatcher: Dispatcher, run_id: str) -> IngestRun:
    run = await ingest.find_run(dispatcher.database, run_id)
    if run is None:
        raise NotFound("there is no such run; see the list of runs")
    return run

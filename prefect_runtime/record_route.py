"""Route of the Prefect server that records many ended flow runs at once.

Prefect's own API takes a request and a transaction for each run's creation, its start, its end and its artifact, and passes each event
through four services. Here one request carries what a process did in half a second: the runs are inserted complete, and every event of
a task run is made a row before the answer, because what is only published is in the memory of this server for a second, and lost where
it is killed. An event that tells more than that a stage ran well (a failure, a retry) is published as well, so that automations see it;
so is the end of a run that did not end well.

GET says with 204 that the route exists and that the database answers. It needs PostgreSQL.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

import sqlalchemy as sa
from prefect.server import models
from prefect.server.database import PrefectDBInterface, provide_database_interface
from prefect.server.events import messaging
from prefect.server.events.schemas.events import Event, ReceivedEvent
from prefect.server.schemas.core import Artifact
from prefect.server.schemas.states import State, StateType
from prefect.server.utilities.server import PrefectRouter
from pydantic_core import to_json
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from prefect_runtime.records import PLAIN, ROUTE, Records, Refused, RunRecord
from prefect_runtime.task_run_rows import record_stages, record_task_runs

TASK_RUN: Final = "prefect.task-run"
"""Prefix of the events that may be states of task runs."""

BAD_VALUES: Final = ("22", "23")
"""Classes of PostgreSQL's error codes that one bad record causes: data exceptions, violated constraints."""

RUN_COLUMNS: Final = (
    "id", "created", "updated", "flow_id", "deployment_id", "deployment_version", "work_queue_id", "work_queue_name", "name", "parameters",
    "tags", "labels", "idempotency_key", "run_count", "expected_start_time", "start_time", "end_time", "total_run_time", "state_id",
    "state_type", "state_name", "state_timestamp",
)  # fmt: skip
STATE_COLUMNS: Final = ("id", "flow_run_id", "type", "timestamp", "name", "message", "state_details", "data")
ARTIFACT_COLUMNS: Final = ("id", "key", "type", "description", "data", "metadata_", "flow_run_id", "task_run_id")

INSERT: Final = sa.text(
    f"""
    WITH states AS (
        INSERT INTO flow_run_state ({", ".join(STATE_COLUMNS)})
        SELECT {", ".join(STATE_COLUMNS)} FROM json_populate_recordset(NULL::flow_run_state, CAST(:states AS json))
    )
    INSERT INTO flow_run ({", ".join(RUN_COLUMNS)})
    SELECT {", ".join(RUN_COLUMNS)} FROM json_populate_recordset(NULL::flow_run, CAST(:runs AS json))
    """  # noqa: S608  # the names stand above
)
"""Inserts runs and their states in one statement, because each table refers to the other."""

INSERT_ARTIFACTS: Final = sa.text(
    f"""
    INSERT INTO artifact ({", ".join(ARTIFACT_COLUMNS)})
    SELECT {", ".join(ARTIFACT_COLUMNS)} FROM json_populate_recordset(NULL::artifact, CAST(:artifacts AS json))
    """  # noqa: S608  # the names stand above
)

T = TypeVar("T")

log = logging.getLogger(__name__)

router: Final = PrefectRouter(prefix=f"/{ROUTE}", tags=["Flow Runs"])


@router.get("", status_code=204, response_class=Response)
async def ask() -> None:
    """Whether runs can be recorded here."""
    async with provide_database_interface().session_context() as session:
        await session.execute(sa.text("SELECT 1"))


@router.post("")
async def record(records: Records) -> Refused:
    """Record artifacts, so that a run that is seen has its page; then runs, their stages and their events. What was recorded before is left
    as it is."""
    artifacts = [Artifact.model_validate(artifact) for artifact in records.artifacts]
    refused = await _each(artifacts, _record_artifacts, lambda artifact: artifact.id)
    refused += await _each(records.runs, _record_runs, lambda run: run.id)
    refused += await _each(records.stages, record_stages, lambda stage: stage.id)
    events = [Event.model_validate(event).receive() for event in records.events]
    refused += await _each([one for one in events if _is_state(one)], record_task_runs, lambda event: event.id)
    await messaging.publish([event for event in events if event.event not in PLAIN])
    return Refused(refused=refused)


def _is_state(event: ReceivedEvent) -> bool:
    """Whether an event is a state of a task run that its client decided on, of which Prefect's recorder makes rows."""
    return event.event.startswith(TASK_RUN) and event.resource.get("prefect.orchestration") == "client"


async def _each(some: list[T], write: Callable[[list[T]], Awaitable[None]], id_of: Callable[[T], UUID]) -> list[UUID]:
    """Write all at once, or one by one where one of them is bad; returns the ids of the bad ones."""
    if not some:
        return []
    try:
        await write(some)
    except (ValueError, DBAPIError) as error:
        if isinstance(error, DBAPIError) and not str(getattr(error.orig, "sqlstate", "")).startswith(BAD_VALUES):
            raise  # a failure of the server: the request is sent again
        if len(some) == 1:
            log.error("%s cannot be recorded: %r", id_of(some[0]), error)
            return [id_of(some[0])]
        return [id for one in some for id in await _each([one], write, id_of)]
    return []


async def _record_runs(runs: list[RunRecord]) -> None:
    db = provide_database_interface()
    async with db.session_context(begin_transaction=True) as session:
        known = await session.scalars(sa.select(db.FlowRun.id).where(db.FlowRun.id.in_([run.id for run in runs])))
        is_known = set(known)
        new = [run for run in runs if run.id not in is_known]
        if not new:
            return
        deployments = await _deployments(db, session, {run.deployment for run in new})
        ends = [State.model_validate(run.state) for run in new]
        states = [_inserted(run, end) for run, end in zip(new, ends, strict=True)]
        rows = [_row(run, state, deployments) for run, state in zip(new, states, strict=True)]
        await session.execute(
            INSERT,
            {"runs": to_json(rows).decode(), "states": to_json([_state_row(state) for state in states]).decode()},
        )
        for run, end, state in zip(new, ends, states, strict=True):
            if end is not state:
                await models.flow_runs.set_flow_run_state(session=session, flow_run_id=run.id, state=end, force=True)


async def _deployments(db: PrefectDBInterface, session: AsyncSession, names: set[str]) -> dict[str, Any]:
    """The columns of deployments that their runs take over, by `flow/name`."""
    of = db.Deployment
    columns = (of.id, of.flow_id, of.version, of.work_queue_id, of.work_queue_name, of.parameters, of.tags, of.labels)
    name = db.Flow.name + "/" + of.name
    found = await session.execute(
        sa.select(name.label("path"), db.Flow.labels.label("flow_labels"), *columns)
        .join(db.Flow, db.Flow.id == of.flow_id)
        .where(name.in_(names))
    )
    return {row.path: row for row in found}


def _inserted(run: RunRecord, end: State) -> State:
    """The state with which a run is inserted: an end that Prefect's services must hear of comes after it."""
    state = end
    if end.is_final() and not end.is_completed():
        state = State(type=StateType.RUNNING, name="Running", timestamp=run.began)
    state.state_details.flow_run_id = run.id
    return state


def _row(run: RunRecord, state: State, deployments: dict[str, Any]) -> dict[str, Any]:
    if run.deployment not in deployments:
        raise ValueError(f"there is no deployment {run.deployment}; register it with python -m deployments.bootstrap")
    of = deployments[run.deployment]
    system = {"prefect.flow.id": str(of.flow_id), "prefect.deployment.id": str(of.id)}
    return {
        "id": run.id,
        "created": run.began,
        "updated": datetime.now(UTC),
        "flow_id": of.flow_id,
        "deployment_id": of.id,
        "deployment_version": of.version,
        "work_queue_id": of.work_queue_id,
        "work_queue_name": of.work_queue_name,
        "name": run.name,
        "parameters": {**of.parameters, **run.parameters},
        "tags": sorted({*of.tags, *run.tags}),
        "labels": {**(of.flow_labels or {}), **(of.labels or {}), **system},
        "idempotency_key": run.idempotency_key,
        "run_count": 1,
        "expected_start_time": run.began,
        "start_time": run.began,
        "end_time": state.timestamp if state.is_final() else None,
        "total_run_time": datetime.fromisoformat(str(state.timestamp)) - run.began
        if state.is_final()
        else timedelta(0),
        "state_id": state.id,
        "state_type": state.type,
        "state_name": state.name,
        "state_timestamp": state.timestamp,
    }


def _state_row(state: State) -> dict[str, Any]:
    return {
        "flow_run_id": state.state_details.flow_run_id,
        **{name: getattr(state, name) for name in STATE_COLUMNS if name != "flow_run_id"},
    }


async def _record_artifacts(artifacts: Sequence[Artifact]) -> None:
    """Insert artifacts; the last of each key becomes its latest, as if they had come one after another."""
    db = provide_database_interface()
    async with db.session_context(begin_transaction=True) as session:
        known = await session.scalars(
            sa.select(db.Artifact.id).where(db.Artifact.id.in_([one.id for one in artifacts]))
        )
        is_known = set(known)
        new = [one for one in artifacts if one.id not in is_known]
        latest = {one.key: one for one in new}
        passed = [one.model_dump_for_orm(exclude={"created", "updated"}) for one in new if latest[one.key] is not one]
        if passed:
            await session.execute(INSERT_ARTIFACTS, {"artifacts": to_json(passed).decode()})
        for one in latest.values():
            await models.artifacts.create_artifact(session=session, artifact=one)

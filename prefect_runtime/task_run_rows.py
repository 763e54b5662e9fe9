"""Rows of task runs that ended well, inserted in one statement of constant text.

Prefect's recorder makes a statement with a parameter per column of each row. SQLAlchemy compiles that anew for every number of rows, which
took a third of the server's processor time of a call. The last event of a task run carries all of it, so the row of a run that the
database does not know is complete; every other event goes to Prefect's recorder, which knows what to do about the row that is there.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final
from uuid import UUID

import sqlalchemy as sa
from prefect.server.database import provide_database_interface
from prefect.server.events.schemas.events import ReceivedEvent
from prefect.server.schemas.core import TaskRun
from prefect.server.schemas.states import StateDetails, StateType
from prefect.server.services.task_run_recorder import db_recordable_task_run_from_event, record_bulk_task_run_events
from pydantic_core import to_json

from prefect_runtime.records import StageRecord

COMPLETED: Final = "prefect.task-run.Completed"

RUN_COLUMNS: Final = (
    "id", "name", "flow_run_id", "task_key", "dynamic_key", "empirical_policy", "tags", "labels", "task_inputs", "run_count",
    "flow_run_run_count", "expected_start_time", "start_time", "end_time", "total_run_time", "state_id", "state_type", "state_name",
    "state_timestamp",
)  # fmt: skip
"""What the last event of a task run says of it. One that says something else goes to Prefect's recorder."""

STATE_COLUMNS: Final = ("id", "task_run_id", "type", "timestamp", "name", "message", "state_details", "data")

INSERT: Final = sa.text(
    f"""
    WITH inserted AS (
        INSERT INTO task_run ({", ".join(RUN_COLUMNS)})
        SELECT {", ".join(RUN_COLUMNS)} FROM json_populate_recordset(NULL::task_run, CAST(:runs AS json))
        ON CONFLICT DO NOTHING
        RETURNING id
    ), states AS (
        INSERT INTO task_run_state ({", ".join(STATE_COLUMNS)})
        SELECT {", ".join(STATE_COLUMNS)} FROM json_populate_recordset(NULL::task_run_state, CAST(:states AS json))
        WHERE task_run_id IN (SELECT id FROM inserted)
        ON CONFLICT DO NOTHING
    )
    SELECT id FROM inserted
    """  # noqa: S608  # the names stand above
)
"""Inserts task runs that are not known, and their states; returns the ids of those runs."""

Row = dict[str, Any]


async def record_stages(stages: list[StageRecord]) -> None:
    """Make rows of stages; those that are known stay as they are. Raises: DBAPIError for what cannot be recorded."""
    await _insert([(_stage_row(stage), _end_row(stage)) for stage in stages])


def _stage_row(stage: StageRecord) -> Row:
    inputs = {name: [{"id": id, "input_type": "task_run"} for id in ids] for name, ids in stage.inputs.items()}
    return {
        **stage.constants,
        "id": stage.id,
        "name": stage.name,
        "flow_run_id": stage.flow_run_id,
        "dynamic_key": str(stage.id),
        "task_inputs": inputs,
        "run_count": 1,
        "flow_run_run_count": 1,
        "expected_start_time": stage.began,
        "start_time": stage.began,
        "end_time": stage.ended,
        "total_run_time": stage.ended - stage.began,
        "state_id": stage.state_id,
        "state_type": StateType.COMPLETED,
        "state_name": "Completed",
        "state_timestamp": stage.ended,
    }


def _end_row(stage: StageRecord) -> Row:
    details = StateDetails(flow_run_id=stage.flow_run_id, task_run_id=stage.id)
    return {
        "id": stage.state_id,
        "task_run_id": stage.id,
        "type": StateType.COMPLETED,
        "timestamp": stage.ended,
        "name": "Completed",
        "message": "",
        "state_details": details,
    }


async def record_task_runs(events: list[ReceivedEvent]) -> None:
    """Make rows of events of task runs. Raises: ValueError and DBAPIError for what cannot be recorded."""
    rows = _complete_rows(events)
    inserted = await _insert(list(rows.values())) if rows else frozenset()
    await record_bulk_task_run_events(
        [event for event in events if event.id not in rows or rows[event.id][0]["id"] not in inserted]
    )


def _complete_rows(events: list[ReceivedEvent]) -> dict[UUID, tuple[Row, Row]]:
    """By the id of its event: the row of each task run of which there is only this event, and the row of its state."""
    count = Counter(event.resource.id for event in events)
    alone = [event for event in events if event.event == COMPLETED and count[event.resource.id] == 1]
    found = ((event.id, db_recordable_task_run_from_event(event)) for event in alone)
    return {id: (row, _state_row(run)) for id, (run, row) in found if row.keys() == set(RUN_COLUMNS)}


def _state_row(run: TaskRun) -> Row:
    return {"task_run_id": run.id, **run.state.model_dump(include=set(STATE_COLUMNS))} if run.state is not None else {}


async def _insert(rows: list[tuple[Row, Row]]) -> frozenset[UUID]:
    """Insert task runs with their states; returns the ids of those that were not known."""
    runs, states = zip(*rows, strict=True)
    async with provide_database_interface().session_context(begin_transaction=True) as session:
        found = await session.scalars(INSERT, {"runs": to_json(runs).decode(), "states": to_json(states).decode()})
        return frozenset(found)

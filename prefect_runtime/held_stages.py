"""A stage of a held run: what is recorded of it where it ends well, and how it is shown where its run is recorded before that.

Prefect's engine makes three states, two contexts, a transaction and three events of every task run, 2 ms of processor time, of which one
row is left that says when the stage began and ended. A held run is seen once it has ended, so of its stages only that row is kept here.
"""

from __future__ import annotations

from contextvars import Context
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID

from prefect._internal.uuid7 import uuid7
from prefect.client.schemas.objects import State, TaskRun
from prefect.events.schemas.events import Event
from prefect.states import Completed, Running
from prefect.utilities.engine import emit_task_run_state_change_event

from prefect_runtime.records import StageRecord


@dataclass
class HeldStage:
    """A stage that began in a held run. context: where it runs. constants, inputs: as `StageRecord` has them."""

    flow_run_id: UUID
    name: str
    constants: dict[str, Any]
    inputs: dict[str, list[UUID]]
    context: Context
    id: UUID = field(default_factory=uuid7)
    state_id: UUID = field(default_factory=uuid7)
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    ended: datetime | None = None
    result: object = None
    """What it returned."""
    _run: TaskRun | None = None
    _event: Event | None = None

    def end(self, result: object) -> None:
        """It ended well. One that was shown says so by an event."""
        self.ended, self.result = datetime.now(UTC), result
        if self._run is not None:
            self._emit(Completed(id=self.state_id, timestamp=self.ended))

    def show(self) -> None:
        """Have it be seen running, if it has not ended: its end is then an event."""
        if self.ended is not None or self._run is not None:
            return
        inputs = {name: [{"input_type": "task_run", "id": id} for id in ids] for name, ids in self.inputs.items()}
        self._run = TaskRun.model_validate(
            {
                **self.constants,
                "id": self.id,
                "name": self.name,
                "flow_run_id": self.flow_run_id,
                "dynamic_key": str(self.id),
                "task_inputs": inputs,
                "run_count": 1,
                "flow_run_run_count": 1,
                "expected_start_time": self.began,
                "start_time": self.began,
            }
        )
        self.context.copy().run(self._emit, Running(timestamp=self.began))

    def record(self) -> StageRecord | None:
        """The complete task run; None of a stage that has not ended, or whose end is an event."""
        if self.ended is None or self._run is not None:
            return None
        return StageRecord(
            id=self.id,
            flow_run_id=self.flow_run_id,
            name=self.name,
            constants=self.constants,
            inputs=self.inputs,
            began=self.began,
            ended=self.ended,
            state_id=self.state_id,
        )

    def _emit(self, state: State[Any]) -> None:
        run = self._run
        assert run is not None  # a stage that is shown
        before, run.state = run.state, state
        run.state_id, run.state_type, run.state_name = state.id, state.type, state.name
        state.state_details.task_run_id, state.state_details.flow_run_id = run.id, run.flow_run_id
        if self.ended is not None:
            run.end_time = cast(Any, state.timestamp)  # pendulum's own type, as Prefect annotates it
            run.total_run_time = self.ended - self.began
        self._event = emit_task_run_state_change_event(run, before, state, follows=self._event)

"""Flow runs, their stages, events of task runs and artifacts as one request carries them to the Prefect server (`record_route`).

Both sides import this module, so it imports nothing of Prefect.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from pydantic import AwareDatetime, BaseModel

ROUTE: Final = "run_records_with_stages"
"""Path of the route below the server's API; it has another name than the one that took no stages, as a server without it gets events."""

GATHER_SECONDS: Final = 0.5
"""How long records are gathered into one request; a state that lasts longer is seen in the Prefect UI."""

HOLD_SECONDS: Final = 2.0
"""How long a run is held; one that lasts longer is seen in the Prefect UI while it runs."""

HOLD_SECONDS_EACH: Final = 0.25
"""What each other held run adds to that: where many are under way, most of a run is waiting for its turn."""

MOST_HOLD_SECONDS: Final = 10.0
"""How long a run is held at most."""

RECORDED_SECONDS: Final = GATHER_SECONDS + HOLD_SECONDS + 1.0
"""How long after its end a run may be unknown to a server that answers."""


PLAIN: Final = frozenset({"prefect.task-run.Pending", "prefect.task-run.Running", "prefect.task-run.Completed"})
"""Events that the server makes rows of and does nothing else with; all others are published."""


class RunRecord(BaseModel):
    """A flow run of a deployment, as it stands when it is recorded.

    deployment: `flow/name`. began: when it was created and started. state: JSON of Prefect's State, with id and timestamp; Running, or a
    final one.
    """

    id: UUID
    deployment: str
    name: str
    parameters: dict[str, Any]
    tags: list[str]
    idempotency_key: str
    began: AwareDatetime
    state: dict[str, Any]


class StageRecord(BaseModel):
    """A stage of a held run that ended well: a complete task run.

    constants: what all runs of its task have in common, as Prefect's TaskRun has it. inputs: ids of the stages whose results it took, by
    parameter. state_id: of its Completed.
    """

    id: UUID
    flow_run_id: UUID
    name: str
    constants: dict[str, Any]
    inputs: dict[str, list[UUID]]
    began: AwareDatetime
    ended: AwareDatetime
    state_id: UUID


class Records(BaseModel):
    """What happened in a process in the last half second.

    events: JSON of Prefect's Event. artifacts: JSON of Prefect's Artifact, with id.
    """

    runs: list[RunRecord] = []
    stages: list[StageRecord] = []
    events: list[dict[str, Any]] = []
    artifacts: list[dict[str, Any]] = []


class Refused(BaseModel):
    """Ids of the runs, stages, events and artifacts that the server cannot record; its log says why."""

    refused: list[UUID] = []

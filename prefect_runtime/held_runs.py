"""Prefect's client for a process that executes flow runs which the Prefect server does not know yet.

Such a run is held: its states, its artifacts and the events of its stages stay here until it has ended, or until it has lasted
HOLD_SECONDS (longer where many are held), and go to the server together with those of the other runs (`recorder`). The engine and the tasks
use this client as they use Prefect's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import ArtifactCreate
from prefect.client.schemas.objects import Artifact, FlowRun, State
from prefect.client.schemas.responses import OrchestrationResult, SetStateStatus, StateAcceptDetails
from prefect.settings import get_current_settings
from prefect.states import to_state_create

from prefect_runtime.held_stages import HeldStage
from prefect_runtime.records import RunRecord


@dataclass
class HeldRun:
    """A run that the server does not know yet. since: the event loop's clock."""

    run: FlowRun
    record: RunRecord
    since: float
    artifacts: list[Artifact] = field(default_factory=list)
    stages: list[HeldStage] = field(default_factory=list)
    """Those that began, in that order, without those that did not end well."""
    has_ended: bool = False
    is_wanted: bool = False
    """Whether something waits for it to be recorded."""
    recorded: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the server has it."""
    sent: asyncio.Event | None = None
    """While it is being sent: set when that is over."""


class HeldRuns(PrefectClient):
    """Prefect's client, with the runs that are held in this process. Use it inside one event loop."""

    def __init__(self) -> None:
        settings = get_current_settings().api
        if settings.url is None:
            raise ValueError("PREFECT_API_URL is not set; set it to the address of the Prefect server")
        auth, key = settings.auth_string, settings.key
        super().__init__(
            settings.url,
            auth_string=auth.get_secret_value() if auth is not None else None,
            api_key=key.get_secret_value() if key is not None else None,
        )
        self.held: dict[UUID, HeldRun] = {}
        self.changed = asyncio.Event()
        """Set when a run has ended, or is wanted."""

    async def read_flow_run(self, flow_run_id: UUID) -> FlowRun:
        """A flow run, held here or on the server."""
        held = self.held.get(flow_run_id)
        return held.run if held is not None else await super().read_flow_run(flow_run_id)

    async def set_flow_run_state(
        self, flow_run_id: UUID | str, state: State[Any], force: bool = False
    ) -> OrchestrationResult[Any]:
        """Set the state of a run. Of a held one, an end is accepted here; before any other state it is recorded."""
        held = await self._settled(UUID(str(flow_run_id)), is_wanted=not state.is_final())
        if held is None:
            return await super().set_flow_run_state(flow_run_id, state, force=force)
        held.record.state = json_of(state, held.run.id)
        held.has_ended = True
        self.changed.set()
        return OrchestrationResult(state=state, status=SetStateStatus.ACCEPT, details=StateAcceptDetails())

    async def create_artifact(self, artifact: ArtifactCreate) -> Artifact:
        """Create an artifact, with its run if that is held."""
        held = self.held.get(artifact.flow_run_id) if artifact.flow_run_id is not None else None
        if held is None:
            return await super().create_artifact(artifact)
        created = Artifact.model_validate(artifact.model_dump())
        held.artifacts.append(created)
        return created

    def unsent(self, flow_run_id: UUID) -> HeldRun | None:
        """A run of which the server has been told nothing yet, and is not being told now."""
        held = self.held.get(flow_run_id)
        return held if held is not None and held.sent is None else None

    @contextmanager
    def sending(self, due: list[HeldRun]) -> Iterator[None]:
        """For the length of a block these runs are being sent: a new state of one of them waits for the end of the block."""
        over = asyncio.Event()
        for held in due:
            held.sent = over
        try:
            yield
        finally:
            for held in due:
                held.sent = None
            over.set()

    def forget(self, recorded: list[HeldRun]) -> None:
        """Hold these runs no longer, because the server has them."""
        for held in recorded:
            del self.held[held.run.id]
            held.recorded.set()

    async def _settled(self, flow_run_id: UUID, *, is_wanted: bool) -> HeldRun | None:
        """A held run that is not being sent; None once the server has it, which a wanted run waits for."""
        held = self.held.get(flow_run_id)
        if held is not None and is_wanted:
            held.is_wanted = True
            self.changed.set()
            await held.recorded.wait()
        while held is not None and held.sent is not None:
            await held.sent.wait()
        return self.held.get(flow_run_id)


def json_of(state: State[Any], flow_run_id: UUID) -> dict[str, Any]:
    """A state as the server takes it."""
    sent = to_state_create(state)
    sent.state_details.flow_run_id = flow_run_id
    body: dict[str, Any] = sent.model_dump(mode="json", serialize_as_any=True)
    return {**body, "id": str(state.id), "timestamp": state.timestamp.isoformat()}

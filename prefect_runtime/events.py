"""Events that Prefect emits, handed to the recorder in the thread that emits them.

Prefect's own worker passes each event through a queue to a thread, from there to an event loop in another one, and reads there what the
event is related to. A small call has thirty events, and two thirds of them are never sent (`recorder.last_states`): that took a fifth of
the processor time of the API. Here an event is appended to a list, and related to its run when it is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, copy_context
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from prefect.client.orchestration import PrefectClient
from prefect.context import FlowRunContext, TaskRunContext
from prefect.events.related import related_resources_from_run_context
from prefect.events.schemas.events import Event, RelatedResource
from prefect.events.worker import EventsWorker, ProcessPoolForwardingEventsClient
from prefect.exceptions import ObjectNotFound
from prefect.settings import get_current_settings

RUN_PREFIX: Final = "prefect.flow-run."

LINEAGE: Final = "prefect.resource.lineage-group"
"""Key of a resource whose event is related to what its emitter says, and to nothing else."""


@dataclass
class EmittedEvent:
    """An event, and where it was emitted. flow_run_id: the flow run that it is of."""

    event: Event
    context: Context
    flow_run_id: UUID | None
    is_related: bool = False

    async def relate(self, client: PrefectClient) -> None:
        """Add the run, its flow, its deployment and their tags to what the event is related to, as Prefect's worker does.

        Raises: httpx.HTTPError if they are not known yet, and the server does not say.
        """
        if self.is_related or LINEAGE in self.event.resource:
            return
        known = {resource.id for resource in self.event.involved_resources}
        reading = asyncio.create_task(related_resources_from_run_context(client, known), context=self.context)
        try:
            related = await reading
        except ObjectNotFound:  # its flow or its deployment was deleted meanwhile
            related = self._only_its_run()
        room = get_current_settings().server.events.maximum_related_resources - len(self.event.related)
        self.event.related += related[: max(room, 0)]
        self.is_related = True

    def relate_to_run(self) -> None:
        """Add the run alone."""
        if not any(one.role == "flow-run" for one in self.event.related):
            self.event.related += self._only_its_run()

    def _only_its_run(self) -> list[RelatedResource]:
        if self.flow_run_id is None:
            return []
        resource = {"prefect.resource.id": f"{RUN_PREFIX}{self.flow_run_id}", "prefect.resource.role": "flow-run"}
        return [RelatedResource(resource)]


class _DirectWorker:
    """What Prefect takes for its worker of events."""

    client_type = ProcessPoolForwardingEventsClient
    """A kind of client from which Prefect concludes that events are sent."""

    def __init__(self, take: Callable[[EmittedEvent], None]) -> None:
        self._take = take

    def send(self, event: Event) -> None:
        """Hand over an event, from any thread."""
        self._take(EmittedEvent(event, copy_context(), _current_flow_run() or flow_run_of(event)))


def hand_over_to(take: Callable[[EmittedEvent], None]) -> Callable[[], None]:
    """Have Prefect hand over its events to a function, from any thread; returns what ends that. Call it before any is emitted."""
    worker, own = _DirectWorker(take), EventsWorker.instance
    EventsWorker.instance = classmethod(lambda *_: worker)  # type: ignore[assignment,method-assign]  # as prefect.testing does

    def end() -> None:
        EventsWorker.instance = own  # type: ignore[method-assign]

    return end


def flow_run_of(event: Event) -> UUID | None:
    """The flow run of an event of one of its task runs, or of itself."""
    for resource in (event.resource, *(one for one in event.related if one.role == "flow-run")):
        if resource.id.startswith(RUN_PREFIX):
            return UUID(resource.id.removeprefix(RUN_PREFIX))
    return None


def _current_flow_run() -> UUID | None:
    flow_run: Any = getattr(FlowRunContext.get(), "flow_run", None)
    if flow_run is not None:
        return UUID(str(flow_run.id))
    task_run: Any = getattr(TaskRunContext.get(), "task_run", None)
    return getattr(task_run, "flow_run_id", None)

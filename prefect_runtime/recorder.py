"""What a process tells the Prefect server of its runs, sent together: held runs, events of flow and task runs, artifacts.

Prefect's own client makes a request for each state and each artifact of a run, and sends each event by itself, through a websocket whose
first message is the server's password. That costs the server more processor time than the extraction of a small file, and a desktop
worker does not have the password. Here what happened in half a second goes in one request. A run that ended within HOLD_SECONDS,
or later where many are under way, is one row with its start and its end (`held_runs`); a stage that began and ended is one event instead of
three: the last one carries the whole task run, with its start, its end and its tries, and the server makes the same row of it.

A server without the route (`record_route`) gets the events by Prefect's own, and runs are created there before they begin.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import httpx
from prefect.client.schemas.objects import FlowRun, State
from prefect.events.schemas.events import Event
from prefect.states import Running

from prefect_runtime import events
from prefect_runtime.client import PrefectApi
from prefect_runtime.events import EmittedEvent
from prefect_runtime.held_runs import HeldRun, HeldRuns, json_of
from prefect_runtime.records import (
    GATHER_SECONDS,
    HOLD_SECONDS,
    HOLD_SECONDS_EACH,
    MOST_HOLD_SECONDS,
    PLAIN,
    Records,
    RunRecord,
)

REACH_SECONDS: Final = 5.0
"""How long the server counts as within reach after it has answered."""

RETRY_SECONDS: Final = 5.0
"""Pause before records that the server did not take are sent again, unless new ones come before."""

LAST_SECONDS: Final = 5.0
"""How long the last request may take when the process ends."""

MOST_WAITING: Final = 10_000
"""Maximum number of unsent events and of unsent runs; older ones are dropped."""

MOST_SENT: Final = 100
"""Maximum number of runs per request."""

CREATIONS: Final = 4
"""Runs at a time that a server without the route creates: it creates five to ten a second, so more would only wait there, until the time
limit of a request ends all of them."""

PASSING: Final = frozenset({"prefect.task-run.Pending", "prefect.task-run.Running"})
"""Events of states that tell nothing once the run has a later one."""

log = logging.getLogger(__name__)


class Recorder:
    """The records of this process on their way to the server. Create it inside the event loop that sends them."""

    def __init__(self, client: HeldRuns) -> None:
        self._client = client
        self._api = PrefectApi.sharing(client)
        self._loop = asyncio.get_running_loop()
        self._arrived: deque[EmittedEvent] = deque()
        self._events: list[EmittedEvent] = []
        self._reached: float | None = None
        self._asking = asyncio.Lock()
        self._creating = asyncio.Semaphore(CREATIONS)
        self._takes_runs = False
        self._end_handing_over: Callable[[], None] = lambda: None

    def install(self) -> None:
        """Make Prefect hand over its events. Call it before any is emitted."""
        self._end_handing_over = events.hand_over_to(self.put)

    def put(self, emitted: EmittedEvent) -> None:
        """Take one event, from any thread. The event loop is woken once for all that come before it runs."""
        self._arrived.append(emitted)
        if len(self._arrived) == 1:
            self._loop.call_soon_threadsafe(self._take)

    async def create_run(
        self, deployment: str, *, name: str, parameters: dict[str, Any], tags: list[str], idempotency_key: str, why: str
    ) -> FlowRun:
        """A run of a deployment (`flow/name`) in state Running, which this process executes and no worker takes.

        why: message of the state. Raises: httpx.HTTPError or TimeoutError if the server is out of reach; NotRegistered.
        """
        if not await self._ask():
            running = {"type": "RUNNING", "name": "Running", "message": why}
            body = {"parameters": parameters, "state": running, "name": name, "tags": tags}
            async with self._creating:
                created = await self._api.create_run(deployment, idempotency_key=idempotency_key, **body)
            return FlowRun.model_validate(created)
        of = await self._api.deployment(deployment)
        began = datetime.now(UTC)
        state: State[Any] = Running(message=why, timestamp=began)
        run = FlowRun(
            created=began,
            flow_id=of.flow_id,
            deployment_id=of.id,
            name=name,
            parameters=parameters,
            tags=tags,
            idempotency_key=idempotency_key,
            run_count=1,
            expected_start_time=began,
            start_time=began,
            state=state,
            state_id=state.id,
            state_type=state.type,
            state_name=state.name,
        )
        same = run.model_dump(include={"id", "name", "parameters", "tags", "idempotency_key"})
        record = RunRecord(deployment=deployment, began=began, state=json_of(state, run.id), **same)
        held = self._client.held[run.id] = HeldRun(run, record, self._loop.time())
        self._loop.call_later(HOLD_SECONDS, self._look_at, held)
        return run

    async def run(self) -> None:
        """Send records until cancelled; then those that are left, once."""
        try:
            while True:
                await self._client.changed.wait()
                if not any(held.is_wanted for held in self._client.held.values()):
                    await asyncio.sleep(GATHER_SECONDS)
                await self._send(self._due())
        except asyncio.CancelledError:
            self._end_handing_over()
            self._take()
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._send(list(self._client.held.values()))
            raise

    async def _ask(self) -> bool:
        """Whether the server takes records of runs. Raises: httpx.HTTPError; TimeoutError."""
        async with self._asking:
            if self._reached is None or self._loop.time() - self._reached > REACH_SECONDS:
                self._takes_runs = await self._api.takes_records()
                self._reached = self._loop.time()
        return self._takes_runs

    def _look_at(self, held: HeldRun) -> None:
        """Have a run recorded if it has lasted, or look at it again: the others may have ended by then."""
        left = held.since + self._hold_seconds() - self._loop.time()
        if left <= 0.0:
            self._client.changed.set()
        elif not held.recorded.is_set():
            self._loop.call_later(min(left, HOLD_SECONDS), self._look_at, held)

    def _hold_seconds(self) -> float:
        """How long runs are held now."""
        return min(MOST_HOLD_SECONDS, HOLD_SECONDS + HOLD_SECONDS_EACH * max(0, len(self._client.held) - 1))

    def _due(self) -> list[HeldRun]:
        """The held runs that are to be recorded now."""
        oldest = self._loop.time() - self._hold_seconds()
        return [held for held in self._client.held.values() if held.has_ended or held.is_wanted or held.since <= oldest]

    async def _send(self, due: list[HeldRun]) -> None:
        self._client.changed.clear()
        due, later = due[:MOST_SENT], due[MOST_SENT:]
        for held in due:
            self._show_stages(held)
        kept = self._client.held.keys() - {held.run.id for held in due}
        sending = [one for one in self._events if one.flow_run_id not in kept]
        self._events = [one for one in self._events if one.flow_run_id in kept]
        if not sending and not due:
            return
        with self._client.sending(due):
            try:
                await self._deliver(due, sending)
            except (httpx.HTTPError, TimeoutError) as error:
                log.warning("%d runs and %d events cannot be sent now: %r", len(due), len(sending), error)
                self._reached = None
                self._events = [*sending, *self._events][-MOST_WAITING:]
                self._loop.call_later(RETRY_SECONDS, self._client.changed.set)
                return
            self._reached = self._loop.time()
            self._client.forget(due)
        if later:
            self._client.changed.set()

    async def _deliver(self, due: list[HeldRun], sending: list[EmittedEvent]) -> None:
        """Raises: httpx.HTTPError; TimeoutError."""
        takes_runs = await self._ask()
        records = Records(
            runs=[held.record for held in due],
            stages=[record for held in due for stage in held.stages if (record := stage.record()) is not None],
            events=[event.model_dump(mode="json") for event in await self._related(sending, takes_runs=takes_runs)],
            artifacts=[artifact.model_dump(mode="json") for held in due for artifact in held.artifacts],
        )
        if not takes_runs:
            await self._api.send_events(records.events)
            return
        for id in await self._api.send_records(records):
            log.error("the Prefect server cannot record %s; its log says why", id)

    async def _related(self, sending: list[EmittedEvent], *, takes_runs: bool) -> list[Event]:
        """The events that tell something, related to their runs. Raises: httpx.HTTPError.

        takes_runs: the server makes a row of the event of a stage that ran well, and nothing else, so its run is all it needs to know.
        """
        last = {event.id: event for event in last_states([one.event for one in sending])}
        for one in sending:
            if (event := last.get(one.event.id)) is not None:
                one.event = event
                if takes_runs and event.event in PLAIN:
                    one.relate_to_run()
                else:
                    await one.relate(self._client)
        return [one.event for one in sending if one.event.id in last]

    def _show_stages(self, held: HeldRun) -> None:
        """Have the stages be seen running that go on after their run is recorded, and make their ends events."""
        for stage in held.stages:
            stage.show()
        self._take_arrived()

    def _take(self) -> None:
        self._take_arrived()
        self._client.changed.set()

    def _take_arrived(self) -> None:
        while self._arrived:
            self._events.append(self._arrived.popleft())


def last_states(events: Sequence[Event]) -> list[Event]:
    """The same events without passing states of task runs that have a later event; what followed such an event follows its predecessor."""
    last = {event.resource.id: place for place, event in enumerate(events)}
    dropped: dict[UUID, UUID | None] = {}
    kept: list[Event] = []
    for place, event in enumerate(events):
        follows: Any = event.follows
        while follows in dropped:
            follows = dropped[follows]
        if event.event in PASSING and last[event.resource.id] != place:
            dropped[event.id] = follows
        else:
            kept.append(event if follows == event.follows else event.model_copy(update={"follows": follows}))
    return kept

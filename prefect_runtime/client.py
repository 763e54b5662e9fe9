"""Client of a Prefect server's HTTP API for flow runs, used by the command line and by all code that starts flow runs.

It imports only httpx, because the import of Prefect's own client would cost the command line 2 s per call. In a process with an open
Prefect client, it shares the connections of that client (`PrefectApi.sharing`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import quote
from uuid import UUID

import httpx

from prefect_runtime import polls
from prefect_runtime.records import ROUTE, Records, Refused

if TYPE_CHECKING:
    from prefect.client.orchestration import PrefectClient

ANSWER_SECONDS: Final = 30.0
"""Timeout of the requests of clients that `connected` creates."""

CREATE_SECONDS: Final = 10.0
"""How long the server may take to accept a flow run before it counts as unreachable."""

DELETED_AT_ONCE: Final = 50
"""Maximum number of flow runs per deletion request."""

JSON: Final = {"Content-Type": "application/json"}

FINAL: Final = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


class NotRegistered(Exception):
    """The Prefect server answers, but has no deployment of this name."""


def is_out_of_reach(error: Exception) -> bool:
    """Whether the server did not answer or failed (5xx). A request that was refused (4xx) would be refused again."""
    is_refused = isinstance(error, httpx.HTTPStatusError) and error.response.is_client_error
    return isinstance(error, httpx.HTTPError) and not is_refused


@dataclass(frozen=True)
class DeploymentIds:
    """A deployment and its flow."""

    id: str
    flow_id: str


@dataclass(frozen=True)
class RunState:
    """State of a flow run."""

    type: str
    name: str
    message: str

    @property
    def is_final(self) -> bool:
        """Whether the run has ended."""
        return self.type in FINAL


@dataclass(frozen=True)
class RunProgress:
    """How far a flow run is, as it reported it last."""

    percent: float
    description: str


class PrefectApi:
    """A Prefect server. Every method raises httpx.HTTPError if the server is unreachable or refuses the request."""

    def __init__(self, http: httpx.AsyncClient, *, create_seconds: float = CREATE_SECONDS) -> None:
        self._http = http
        self._create_seconds = create_seconds
        self._deployments: dict[str, DeploymentIds] = {}

    @classmethod
    def sharing(cls, client: PrefectClient) -> Self:
        """A client that uses the connections and retries of Prefect's own client, for as long as that is open."""
        return cls(client._client)

    async def create_run(self, deployment: str, **body: Any) -> dict[str, Any]:
        """Create a flow run of a deployment (`flow/name`), or get the one with the same idempotency_key; returns the server's JSON.

        If the deployment was registered again, its id is looked up again. Raises: NotRegistered; TimeoutError.
        """
        async with asyncio.timeout(self._create_seconds):
            is_remembered = deployment in self._deployments
            try:
                return await self._create_run((await self.deployment(deployment)).id, body)
            except httpx.HTTPStatusError as error:
                if not is_remembered or error.response.status_code != httpx.codes.NOT_FOUND:
                    raise
            del self._deployments[deployment]
            return await self._create_run((await self.deployment(deployment)).id, body)

    async def deployment(self, name: str) -> DeploymentIds:
        """The ids of a deployment (`flow/name`), cached after the first request. Raises: NotRegistered."""
        if name not in self._deployments:
            self._deployments[name] = await self.find_deployment(name)
        return self._deployments[name]

    async def find_deployment(self, name: str) -> DeploymentIds:
        """The current ids of a deployment (`flow/name`), without the cache. Raises: NotRegistered."""
        try:
            found = await self._request("GET", f"deployments/name/{quote(name)}")
            return DeploymentIds(str(found["id"]), str(found["flow_id"]))
        except httpx.HTTPStatusError as error:
            if error.response.status_code != httpx.codes.NOT_FOUND:
                raise
            raise NotRegistered(
                f"the Prefect server has no deployment {name}; register it with python -m deployments.bootstrap"
            ) from error

    async def read_clock(self) -> datetime:
        """The server's clock, in whole seconds (RFC 9110 §6.6.1, Date)."""
        answer = (await self._http.get("health")).raise_for_status()
        return parsedate_to_datetime(answer.headers["Date"])

    async def find_run(self, tag: str) -> str | None:
        """The id of the latest flow run with this tag; None if there is none."""
        tagged = {"flow_runs": {"tags": {"all_": [tag]}}, "sort": "START_TIME_DESC", "limit": 1}
        found = await self._request("POST", "flow_runs/filter", tagged)
        return str(found[0]["id"]) if found else None

    async def count_runs(self, *, tag: str, states: Sequence[str], before: datetime) -> int:
        """Number of flow runs with this tag in one of these states that were to start before a time."""
        in_states = {"type": {"any_": list(states)}}
        due = {"before_": before.isoformat()}
        chosen = {"tags": {"all_": [tag]}, "state": in_states, "expected_start_time": due}
        return int(await self._request("POST", "flow_runs/count", {"flow_runs": chosen}))

    async def run_state(self, flow_run_id: str) -> RunState:
        """The state of a flow run."""
        state = (await self._request("GET", f"flow_runs/{flow_run_id}"))["state"] or {}
        return RunState(str(state.get("type")), str(state.get("name")), str(state.get("message") or ""))

    async def read_artifact(self, flow_run_id: str, key: str) -> str:
        """The Markdown of the artifact that a run published under a key; empty if there is none."""
        chosen = {"flow_run_id": {"any_": [flow_run_id]}, "key": {"any_": [key]}}
        found = await self._request("POST", "artifacts/filter", {"artifacts": chosen})
        return str(found[0]["data"]) if found else ""

    async def read_progress(self, flow_run_id: str, key: str) -> RunProgress | None:
        """The progress artifact that a run keeps under a key; None if there is none."""
        chosen = {"flow_run_id": {"any_": [flow_run_id]}, "key": {"any_": [key]}, "type": {"any_": ["progress"]}}
        found = await self._request("POST", "artifacts/filter", {"artifacts": chosen})
        return RunProgress(float(found[0]["data"]), str(found[0]["description"] or "")) if found else None

    async def remove_worker(self, pool: str, name: str) -> None:
        """Remove a worker from the list of its pool."""
        await self._request("DELETE", f"work_pools/{quote(pool)}/workers/{quote(name)}")

    async def send_events(self, events: list[dict[str, Any]]) -> None:
        """Record events, as the JSON of Prefect's `Event`."""
        (await self._http.post("events", json=events)).raise_for_status()

    async def takes_records(self) -> bool:
        """Whether the server has the route for records of runs (`records.ROUTE`), and its database answers. Raises: TimeoutError."""
        async with asyncio.timeout(self._create_seconds):
            try:
                (await self._http.get(ROUTE)).raise_for_status()
            except httpx.HTTPStatusError as error:
                if error.response.status_code != httpx.codes.NOT_FOUND:
                    raise
                return False
        return True

    async def send_records(self, records: Records) -> list[UUID]:
        """Record runs, events and artifacts; returns the ids of those that the server cannot record."""
        body = records.model_dump_json().encode()
        answer = (await self._http.post(ROUTE, content=body, headers=JSON)).raise_for_status()
        return Refused.model_validate_json(answer.content).refused

    async def ask_for_runs(self, pool: str, poll: polls.Poll) -> polls.Answer | None:
        """Whether a run is due for a worker of a pool, whose heartbeat this is; None from a server without the route (`polls.ROUTE`)."""
        answer = await self._http.post(
            f"{polls.ROUTE}/{quote(pool)}", content=poll.model_dump_json().encode(), headers=JSON
        )
        if answer.status_code == httpx.codes.NOT_FOUND:
            return None
        return polls.Answer.model_validate_json(answer.raise_for_status().content)

    async def forward(self, method: str, path: str, query: str, body: bytes) -> tuple[int, bytes]:
        """Send a request of another process to the server as it is; returns status and body of the answer, whatever they are."""
        headers = JSON if body else {}
        request = self._http.build_request(method, f"{path}?{query}" if query else path, content=body, headers=headers)
        answer = await httpx.AsyncClient.send(self._http, request)
        return answer.status_code, answer.content

    async def delete_runs(self, tags: Sequence[str]) -> int:
        """Delete the flow runs that have one of these tags, with their artifacts, task runs and logs; returns how many."""
        deleted = 0
        for start in range(0, len(tags), DELETED_AT_ONCE):
            tagged = {"flow_runs": {"tags": {"any_": tags[start : start + DELETED_AT_ONCE]}}, "limit": DELETED_AT_ONCE}
            while runs := await self._request("POST", "flow_runs/filter", tagged):
                await self._delete([str(run["id"]) for run in runs])
                deleted += len(runs)
        return deleted

    async def _delete(self, flow_run_ids: list[str]) -> None:
        """Delete flow runs, and their artifacts first: with a run the server deletes its task runs and logs, but not its artifacts."""
        of_runs = {"flow_run_id": {"any_": flow_run_ids}}
        for artifact in await self._request("POST", "artifacts/filter", {"artifacts": of_runs}):
            await self._request("DELETE", f"artifacts/{artifact['id']}")
        chosen = {"flow_runs": {"id": {"any_": flow_run_ids}}, "limit": DELETED_AT_ONCE}
        await self._request("POST", "flow_runs/bulk_delete", chosen)

    async def _create_run(self, deployment_id: str, body: dict[str, Any]) -> dict[str, Any]:
        created: dict[str, Any] = await self._request("POST", f"deployments/{deployment_id}/create_flow_run", body)
        return created

    async def _request(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        answer = (await self._http.request(method, path, json=body)).raise_for_status()
        return answer.json() if answer.content else None


@asynccontextmanager
async def connected(url: str, auth: str | None) -> AsyncIterator[PrefectApi]:
    """A client of the server's API at `url`, with its auth string (`user:password`), for the length of a block."""
    user, _, password = (auth or "").partition(":")
    basic = (user, password) if user else None
    async with httpx.AsyncClient(base_url=f"{url}/", auth=basic, timeout=ANSWER_SECONDS, trust_env=False) as http:
        yield PrefectApi(http, create_seconds=ANSWER_SECONDS)

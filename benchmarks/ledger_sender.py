"""Sends the calls of the ledger proof as a careful client does: an answer that was lost is asked for again under its Idempotency-Key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

import httpx

from benchmarks.ledger_calls import MCP, Call
from benchmarks.starvation import Starvation
from spatial.contract.routes import BATCH_ROUTE

PATIENCE_SECONDS: Final = 300.0
"""How long a call is repeated, and a batch or run followed, before the proof fails; longer on a busy machine (benchmarks/starvation.py)."""

LOOK_SECONDS: Final = 0.5
"""How often a flow run is looked for."""

RECORDED_LOOKS: Final = 60
"""A run that Prefect's server, while it answered, has not shown so often is never recorded: a live recorder tries every few seconds."""

UNRECORDED: Final = "UNRECORDED"
"""What becomes of the flow run of a call whose process was killed before it recorded the run."""

PAUSE_SECONDS: Final = 5.0
"""Longest pause before a call is repeated."""

RETRYABLE: Final = frozenset({"rate_limit_exceeded", "idempotency_in_progress"})
"""Error types after which the same call is sent again, besides every 503."""

TERMINAL: Final = frozenset({"COMPLETED", "FAILED", "CRASHED", "CANCELLED"})
"""Types of states in which a flow run has ended."""


@dataclass(frozen=True)
class Outcome:
    """How a call ended for its caller."""

    status: int
    body: Any
    request_id: str
    is_replay: bool
    attempts: tuple[str, ...]
    """What came of earlier attempts, which ended without an answer or with one that asks to try again."""


class Sender:
    """Sends calls that may refer to each other; each is sent once, by whichever caller comes to it."""

    def __init__(self, calls: Sequence[Call], api: httpx.AsyncClient, keys: Mapping[str, str]) -> None:
        """api: a client without a key. keys: by the names of `Call.caller`."""
        self.calls = calls
        self._api, self._keys = api, keys
        self._idempotency = [str(uuid4()) for _ in calls]
        self._ended = [asyncio.get_running_loop().create_future() for _ in calls]

    async def send(self, place: int) -> Outcome:
        """Send the call at that place; a call that needs an earlier one waits for its end.

        Raises: TimeoutError after PATIENCE_SECONDS, later on a busy machine.
        """
        outcome = await self._send(place)
        self._ended[place].set_result(outcome)
        return outcome

    async def ended(self, place: int) -> Outcome:
        """The outcome of the call at that place, once it is there."""
        return await asyncio.shield(self._ended[place])

    async def follow(self, batch_id: str) -> dict[str, Any]:
        """A batch once it has ended. Raises: TimeoutError."""
        began, busy = time.monotonic(), Starvation()
        while time.monotonic() - began < PATIENCE_SECONDS * busy.factor():
            found = await self._get(f"{BATCH_ROUTE}/{batch_id}")
            if found is not None and found["status"] in ("done", "failed"):
                return found
            await asyncio.sleep(0.5)
        raise TimeoutError(f"{batch_id} has not ended")

    async def _send(self, place: int) -> Outcome:
        call = self.calls[place]
        before = None if call.earlier is None else await self.ended(call.earlier)
        route = call.route
        if call.kind == "repeat_failed":
            assert before is not None and call.earlier is not None  # it names a batch
            route = f"{BATCH_ROUTE}/{before.body['id']}/rerun"
            await self.follow(before.body["id"])
        repeats = call.earlier if call.kind in ("replay", "conflict") else None
        return await self._until_answered(call, route, self._idempotency[place if repeats is None else repeats])

    async def _until_answered(self, call: Call, route: str, key: str) -> Outcome:
        began, busy, attempts = time.monotonic(), Starvation(), list[str]()
        last: object = None
        while time.monotonic() - began < PATIENCE_SECONDS * busy.factor():
            try:
                answer = await self._api.post(route, **self._request(call, key))
                status, body = _unwrap(call, answer)
            except httpx.TransportError as error:
                last = error
                attempts.append("no answer")
                await asyncio.sleep(0.5)
            else:
                last = (status, body.get("error"))
                if status != 503 and (body.get("error") or {}).get("type") not in RETRYABLE:
                    request_id = str(body.get("request_id") or answer.headers["X-Request-ID"])
                    return Outcome(status, body, request_id, "Idempotency-Replayed" in answer.headers, tuple(attempts))
                attempts.append(f"{status} {(body.get('error') or {}).get('type')}")
                await asyncio.sleep(min(float(answer.headers.get("Retry-After", 1)), PAUSE_SECONDS))
        raise TimeoutError(f"{call.kind} was not answered within {time.monotonic() - began:.0f} s; last: {last}")

    def _request(self, call: Call, key: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._keys[call.caller]}", "Idempotency-Key": key}
        if call.route == MCP:
            arguments = {**call.body["arguments"], "idempotency_key": key}
            params = {"name": call.body["name"], "arguments": arguments}
            return {
                "json": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
                "headers": {"Authorization": headers["Authorization"], "Accept": "application/json"},
            }
        if call.file is not None:
            return {"files": {"file": call.file}, "headers": headers}
        return {"json": call.body, "headers": headers}

    async def _get(self, path: str) -> dict[str, Any] | None:
        """The answer's body; None while the service is away."""
        try:
            answer = await self._api.get(path, headers={"Authorization": f"Bearer {self._keys['paying']}"})
        except httpx.TransportError:
            return None
        return dict(answer.json()) if answer.is_success else None


def _unwrap(call: Call, answer: httpx.Response) -> tuple[int, dict[str, Any]]:
    """Status and body of an answer; of a tool the ones of the route that it mirrors, where it was refused 503 for what is away."""
    body: dict[str, Any] = answer.json()
    if call.route != MCP or "result" not in body:
        return answer.status_code, body
    result = body["result"]
    content: dict[str, Any] = result["structuredContent"]
    if not result["isError"]:
        return 200, content
    return 503 if str(content["error"]["type"]).endswith("_unavailable") else 500, content


async def run_again(prefect: httpx.AsyncClient, request_id: str) -> str:
    """Run the flow run of a request again, as "Custom run" or "Retry" in the Prefect UI do; the type of the state that it ends in.

    UNRECORDED if the process was killed that was about to record the run: runs of single calls are recorded once they have ended
    (docs/decisions/0052).

    Raises: TimeoutError.
    """
    began, busy, missed = time.monotonic(), Starvation(), 0
    again: str | None = None
    while time.monotonic() - began < PATIENCE_SECONDS * busy.factor():
        try:
            if again is None:
                again = await _begin_again(prefect, request_id)
                missed += again is None
                if missed > RECORDED_LOOKS:
                    return UNRECORDED
            else:
                found = (await prefect.get(f"flow_runs/{again}")).raise_for_status().json()
                if found["state_type"] in TERMINAL:
                    return str(found["state_type"])
        except (httpx.TransportError, httpx.HTTPStatusError):
            pass  # Prefect's server is away: it is among the processes that are killed
        await asyncio.sleep(LOOK_SECONDS)
    if again is None:
        return UNRECORDED
    raise TimeoutError(f"the run of {request_id} did not run again; {again}")


async def _begin_again(prefect: httpx.AsyncClient, request_id: str) -> str | None:
    """Id of the run that now runs again; None while the first one is not seen to have ended."""
    found = await prefect.post("flow_runs/filter", json={"flow_runs": {"tags": {"all_": [request_id]}}})
    ended = [run for run in found.raise_for_status().json() if run["state_type"] in TERMINAL]
    if not ended:
        return None
    run = ended[0]
    if run["state_type"] == "COMPLETED":
        asked = {"parameters": run["parameters"], "tags": ["re-run"]}
        made = await prefect.post(f"deployments/{run['deployment_id']}/create_flow_run", json=asked)
        return str(made.raise_for_status().json()["id"])
    state = {"type": "SCHEDULED", "name": "AwaitingRetry"}
    (await prefect.post(f"flow_runs/{run['id']}/set_state", json={"state": state})).raise_for_status()
    return str(run["id"])

"""The API's side of desktop workers where the flow engine is away, and the flow of a task that crashes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings
from pydantic import SecretStr

from flows import respond as respond_module
from flows.dispatch import RespondJob, open_dispatch
from spatial.errors import DesktopInferenceUnavailable, InternalError
from storage import settings

JOB = RespondJob(operation_id="op_1", request_id="req_1", account_id="a", key_id="k", task="understand")
CLOUD = {"object_id": "a", "points": [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 1, "z": 1}]}
QUESTION = json.dumps({"task_type": "understand", "point_cloud_scene": {"point_clouds": [CLOUD]}}).encode()


@pytest.mark.usefixtures("patient")
@pytest.mark.requirement("desktop.fallback")
async def test_with_the_setting_this_machine_answers_from_geometry_and_says_so(
    tmp_path: Path, fresh_postgres_url: str
) -> None:
    for local_fallback in (True, False):
        chosen = settings.load(
            home=tmp_path,
            database_url=fresh_postgres_url,
            desktop_token=SecretStr("token"),
            local_fallback=local_fallback,
        )
        with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}):
            async with open_dispatch(chosen) as dispatch:
                status = await dispatch.runtime_status()
                assert (status.configured, status.available) == (True, False)
                deadline = asyncio.get_running_loop().time() + 18
                if local_fallback:
                    solution = await dispatch.respond(JOB, QUESTION, deadline)
                    assert (solution.router["worker"], solution.router["fallback"]) == ("local", True)
                    assert solution.router["runtime"] == "geometric" and solution.output[0]["type"] == "understand"
                else:
                    with pytest.raises(DesktopInferenceUnavailable):
                        await dispatch.respond(JOB, QUESTION, deadline)


@pytest.mark.usefixtures("patient")
@pytest.mark.requirement("error.503.desktop")
async def test_a_flow_engine_that_accepts_and_never_answers_counts_as_out_of_reach_in_seconds(
    tmp_path: Path, fresh_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.desktop.REACH_SECONDS", 0.2)
    chosen = settings.load(home=tmp_path, database_url=fresh_postgres_url, desktop_token=SecretStr("token"))
    asked, over = asyncio.Event(), asyncio.Event()

    async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        asked.set()
        await over.wait()
        writer.close()

    async with await asyncio.start_server(be_silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with temporary_settings({PREFECT_API_URL: f"http://127.0.0.1:{port}/api"}):
            async with open_dispatch(chosen) as dispatch:
                status = await dispatch.runtime_status()
                assert asked.is_set()
                assert (status.available, status.status) == (False, "unknown")
                with pytest.raises(DesktopInferenceUnavailable) as refused:
                    await dispatch.respond(JOB, QUESTION, asyncio.get_running_loop().time() + 18)
        over.set()
    assert refused.value.retry_after


@pytest.mark.requirement("desktop.crash")
async def test_a_task_that_crashes_tells_its_caller_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    delivered: list[object] = []

    async def fetch_scene(job: RespondJob) -> tuple[bytes, float]:
        return QUESTION, 17.0

    async def solve(job: RespondJob, content: bytes, seconds: float) -> None:
        raise RuntimeError("a defect")

    async def deliver(job: RespondJob, outcome: Any) -> None:
        delivered.append(outcome.value)

    for function in (fetch_scene, solve, deliver):
        monkeypatch.setattr(respond_module, function.__name__, function)
    state = await respond_module.respond.fn(JOB)
    assert state.is_failed()
    (told,) = delivered
    assert isinstance(told, InternalError) and "send the request again" in told.message

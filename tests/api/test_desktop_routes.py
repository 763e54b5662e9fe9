"""The routes of desktop workers: their token, what they may send to Prefect, and the life of a task."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from pydantic import SecretStr

from pipelines.desktop import DEADLINE_HEADER, DESKTOP_ROUTE, TaskResult
from prefect_runtime.lost_connections import ROUTE as CALLS_ROUTE
from prefect_runtime.records import ROUTE as RECORDS_ROUTE
from reasoner.pool import SolvedTask
from storage.postgres import desktop_tasks
from tests.api.house import House, open_house
from tests.api.test_server import served

TOKEN = {"Authorization": "Bearer a token of workers"}
RESULT = TaskResult(
    worker="w", solved=SolvedTask(output=[{"type": "fit"}], runtime="geometric", solver="fit-1", solve_ms=1.0)
)


@pytest.fixture
async def desktop(postgres_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(postgres_url, tmp_path, desktop_token=SecretStr("a token of workers")) as opened:
        yield opened


async def task_of(house: House, seconds: float = 18.0) -> str:
    key, task_id = await house.key(), desktop_tasks.new_id()
    async with house.dispatch.database.transaction() as connection:
        await desktop_tasks.create(
            connection,
            task_id=task_id,
            account_id=house.accounts[key],
            operation_id=f"op_{uuid4().hex}",
            task="fit",
            content=b'{"task_type":"fit"}',
            seconds=seconds,
        )
    return task_id


@pytest.mark.requirement("desktop.token")
@pytest.mark.parametrize("path", ["/wait", "/tasks/dt_1/input", "/prefect/health"])
async def test_the_routes_need_the_token_and_refuse_everyone_without_the_setting(
    desktop: House, house: House, path: str
) -> None:
    for sent in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic YTpi"}):
        assert (await desktop.client.get(DESKTOP_ROUTE + path, headers=sent)).status_code == 401
    assert (await house.client.get(DESKTOP_ROUTE + path, headers=TOKEN)).status_code == 401
    assert (await house.client.get(DESKTOP_ROUTE + path, headers={"Authorization": "Bearer "})).status_code == 401
    key = await desktop.key()
    assert (
        await desktop.client.get(DESKTOP_ROUTE + path, headers={"Authorization": f"Bearer {key}"})
    ).status_code == 401


@pytest.mark.requirement("desktop.prefect-allowed")
async def test_only_the_requests_of_a_worker_reach_the_prefect_server(desktop: House) -> None:
    run = uuid4()
    allowed = [
        ("POST", f"flow_runs/{run}/set_state"),
        ("GET", "health"),
        ("POST", "events"),
        ("GET", f"deployments/{run}"),
    ]
    for method, path in allowed:
        answer = await desktop.client.request(method, f"{DESKTOP_ROUTE}/prefect/{path}", headers=TOKEN)
        assert answer.status_code == 200 and answer.json()["path"] == path
    refused = [
        ("POST", "deployments/filter"),
        ("POST", f"deployments/{run}/create_flow_run"),
        ("DELETE", f"flow_runs/{run}"),
        ("GET", "block_documents/filter"),
        ("POST", "work_pools/extraction/get_scheduled_flow_runs"),
        ("GET", f"flow_runs/{run}/../../admin/settings"),
        ("GET", f"flow_runs/{run}%2F..%2F..%2Fadmin%2Fsettings"),
    ]
    for method, path in refused:
        answer = await desktop.client.request(method, f"{DESKTOP_ROUTE}/prefect/{path}", headers=TOKEN)
        assert answer.status_code == 404, path


@pytest.mark.requirement("desktop.prefect-allowed")
@pytest.mark.parametrize(
    ("method", "path", "warnings"),
    [
        ("GET", RECORDS_ROUTE, 0),
        ("GET", f"{CALLS_ROUTE}/onIaQiTbo_vs153z", 0),
        ("POST", RECORDS_ROUTE, 1),
        ("GET", f"{RECORDS_ROUTE}/all", 1),
        ("GET", f"{CALLS_ROUTE}/a/b", 1),
        ("GET", "flows", 1),
    ],
)
async def test_what_a_worker_asks_of_the_server_s_routes_is_refused_without_a_warning_and_nothing_else_is(
    desktop: House, caplog: pytest.LogCaptureFixture, method: str, path: str, warnings: int
) -> None:
    with caplog.at_level(logging.WARNING, "api.routes.desktop"):
        answer = await desktop.client.request(method, f"{DESKTOP_ROUTE}/prefect/{path}", headers=TOKEN)
    assert answer.status_code == 404
    refused = [record for record in caplog.records if record.name == "api.routes.desktop"]
    assert len(refused) == warnings


@pytest.mark.requirement("desktop.task-once")
async def test_a_task_is_read_and_ended_once_and_then_gone(desktop: House) -> None:
    task_id = await task_of(desktop)
    url = f"{DESKTOP_ROUTE}/tasks/{task_id}"
    given = await desktop.client.get(f"{url}/input", headers=TOKEN)
    assert given.content == b'{"task_type":"fit"}' and 0 < float(given.headers[DEADLINE_HEADER]) <= 18
    malformed = await desktop.client.put(f"{url}/result", content=b'{"output": 1}', headers=TOKEN)
    assert malformed.status_code == 400
    for status in (204, 404):
        put = await desktop.client.put(f"{url}/result", content=RESULT.model_dump_json(), headers=TOKEN)
        assert put.status_code == status
    assert (await desktop.client.get(f"{url}/input", headers=TOKEN)).status_code == 404
    async with desktop.dispatch.database.transaction() as connection:
        outcome = await desktop_tasks.remove(connection, task_id)
    assert outcome is not None and outcome.outcome["router"]["worker"] == "w" and outcome.output == b'[{"type": "fit"}]'


@pytest.mark.requirement("desktop.task-once")
async def test_an_expired_task_cannot_be_read_or_ended(desktop: House) -> None:
    task_id = await task_of(desktop, seconds=0.0)
    await asyncio.sleep(0)
    url = f"{DESKTOP_ROUTE}/tasks/{task_id}"
    assert (await desktop.client.get(f"{url}/input", headers=TOKEN)).status_code == 404
    put = await desktop.client.put(f"{url}/result", content=RESULT.model_dump_json(), headers=TOKEN)
    assert put.status_code == 404


@pytest.mark.requirement("desktop.wakes")
async def test_a_waiting_worker_gets_an_answer(desktop: House) -> None:
    answer = await desktop.client.get(f"{DESKTOP_ROUTE}/wait", params={"seconds": 1}, headers=TOKEN)
    assert answer.status_code == 204
    assert (
        await desktop.client.get(f"{DESKTOP_ROUTE}/wait", params={"seconds": 3600}, headers=TOKEN)
    ).status_code == 400


@pytest.mark.requirement("desktop.wakes", "run.ctrl-c")
async def test_a_waiting_worker_does_not_hold_up_a_server_that_stops(
    desktop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = asyncio.Event()

    async def without_end(_: float) -> None:
        waits.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(desktop.dispatch, "wait_for_desktop_task", without_end)
    async with asyncio.timeout(15), httpx.AsyncClient(trust_env=False, timeout=60) as client:
        async with served(desktop) as port:
            url = f"http://127.0.0.1:{port}{DESKTOP_ROUTE}/wait"
            asking = asyncio.create_task(client.get(url, headers=TOKEN))
            await waits.wait()
        assert (await asking).status_code == 204

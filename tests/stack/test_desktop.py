"""Desktop workers of a running stack: answers, losses, and a worker that reaches nothing but the service."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx
import psutil
import pytest

from spatial.contract import limits
from tests.support.stack import SAMPLE, RunningStack, eventually

FORWARD = [sys.executable, "-m", "tests.support.forward"]
RESPONSES = "/api/v1/responses"
MODELS = "/api/v1/models"
CLOUD = {
    "point_clouds": [
        {
            "object_id": "crate",
            "kind": "box",
            "points": [{"x": x, "y": y, "z": z} for x in (0, 1) for y in (0, 1) for z in (0, 2)],
        }
    ]
}
QUESTION = {"input": {"task_type": "understand", "point_cloud_scene": CLOUD}}


def is_available(stack: RunningStack) -> bool:
    with stack.client() as client:
        return bool(client.get(MODELS).json()["runtime_available"])


def ask(stack: RunningStack, **options: Any) -> httpx.Response:
    with stack.client() as client:
        return client.post(RESPONSES, json=QUESTION, **options)


def worker_of(stack: RunningStack) -> psutil.Process:
    return stack.child("deployments.desktop_worker")


@pytest.fixture
def reasoning(stack: RunningStack) -> Iterator[RunningStack]:
    """The stack with its desktop worker live, before and after the test, and with its solvers loaded, which takes a busy machine long."""
    eventually(lambda: is_available(stack) and ask(stack).is_success, what="a live desktop worker that answers")
    yield stack
    eventually(lambda: is_available(stack), what="a live desktop worker")


@pytest.mark.requirement("service.reasoning-on-desktop", "responses.200", "reasoning.router")
def test_a_task_over_an_extraction_is_answered_by_the_desktop_worker_and_billed_once(reasoning: RunningStack) -> None:
    with reasoning.client() as client, SAMPLE.open("rb") as file:
        scene = client.post("/api/v1/cad/extract", files={"file": file}, data={"target_contract": "both"}).json()
        answer = client.post(RESPONSES, json={"input": {"task_type": "understand", "cad_scene": scene}})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["request_id"] == answer.headers["X-Request-ID"]
    assert body["output"][0]["data"]["cad_scene"]["objects"][0]["id"] == "solid-1"
    assert {"runtime", "solver", "worker", "queue_ms", "solve_ms"} <= body["router"].keys()
    assert body["router"]["runtime"] == "geometric" and "fallback" not in body["router"]
    usage = body.pop("usage")
    assert usage["output_tokens"] == -(-len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()) // 4)
    with reasoning.prefect() as prefect:
        runs = prefect.post("flow_runs/filter", json={"flow_runs": {"tags": {"all_": [body["request_id"]]}}}).json()
        assert [run["work_pool_name"] for run in runs] == ["desktop-inference"]
        chosen = {"flow_runs": {"id": {"any_": [runs[0]["id"]]}}}
        eventually(
            lambda: (
                {row["name"].split()[0] for row in prefect.post("task_runs/filter", json=chosen).json()}
                == {"fetch", "solve", "deliver"}
            ),
            what="the stages of the run",
        )


@pytest.mark.requirement("responses-batch.runs", "responses-batch.207", "responses-batch.items-alone")
def test_the_items_of_a_batch_share_a_few_runs_and_each_has_its_own_outcome(reasoning: RunningStack) -> None:
    refused = {"input": {"task_type": "stability", "point_cloud_scene": CLOUD, "object_id": "nothing"}}
    requests = [refused if place == 5 else QUESTION for place in range(20)]
    with reasoning.client() as client:
        answer = client.post(f"{RESPONSES}/batch", json={"requests": requests})
    assert answer.status_code == 207, answer.text
    assert [item["status"] for item in answer.json()["data"]] == [422 if place == 5 else 200 for place in range(20)]
    request_id = answer.headers["X-Request-ID"]
    with reasoning.prefect() as prefect:
        runs = prefect.post("flow_runs/filter", json={"flow_runs": {"tags": {"all_": [request_id]}}}).json()
        expected = {f"{request_id} items {places}" for places in ("0 to 7", "8 to 15", "16 to 19")}
        assert {run["name"] for run in runs} == expected
        chosen = {"flow_runs": {"id": {"any_": [run["id"] for run in runs]}}}
        eventually(
            lambda: len(prefect.post("task_runs/filter", json=chosen).json()) == 20, what="a task run for each item"
        )


@pytest.mark.requirement("desktop.lost", "responses.wait-18s", "error.503.desktop")
def test_a_worker_that_stands_still_is_503_at_18_s_and_its_run_is_cancelled(reasoning: RunningStack) -> None:
    worker = worker_of(reasoning)
    worker.suspend()
    try:
        began = time.monotonic()
        answer = ask(reasoning)
        waited = time.monotonic() - began
    finally:
        worker.resume()
    assert answer.status_code == 503 and answer.json()["error"]["type"] == "desktop_inference_unavailable"
    assert int(answer.headers["Retry-After"]) > 0
    assert waited > limits.DESKTOP_WAIT_SECONDS - 1  # no upper bound: a test asserts no time
    request_id = answer.headers["X-Request-ID"]
    with reasoning.prefect() as prefect:

        def state() -> str:
            runs = prefect.post("flow_runs/filter", json={"flow_runs": {"tags": {"all_": [request_id]}}}).json()
            return str(runs[0]["state"]["type"])

        eventually(lambda: state() in {"CANCELLED", "CANCELLING", "FAILED"}, what="the end of the abandoned run")

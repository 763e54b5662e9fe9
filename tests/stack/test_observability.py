"""One request, followed by its id through the whole stack: metrics move, and every process says what it did."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.test_metrics import Series, of, series
from tests.stack.batch_client import follow, inline, submit
from tests.support.stack import SAMPLE, RunningStack, eventually

EXTRACT = "/api/v1/cad/extract"


def scrape(stack: RunningStack) -> Series:
    return scraped(f"{stack.url}/metrics")


def scraped(url: str) -> Series:
    return series(httpx.get(url, trust_env=False, timeout=30).raise_for_status().text)


def lines(log: Path) -> list[dict[str, Any]]:
    """A part's log lines; each is JSON, but what was printed before logging was set up."""
    return [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]


def stages(found: Series, ended: str) -> dict[str, float]:
    return {
        stage: of(found, "spatial_stage_seconds_count", stage=stage, ended=ended) or 0
        for stage in ("fetch", "convert", "interpret", "sample", "assemble", "meter")
    }


@pytest.mark.requirement("metrics.stages")
def test_the_stages_of_a_batch_are_counted_by_the_worker_that_ran_them(stack: RunningStack) -> None:
    where = str(stack.addresses["worker_metrics"])
    before = scraped(where)
    batch = follow(stack, submit(stack, [inline("one.step"), inline("two.step"), inline("bad.pdf", b"no pdf")])["id"])
    assert batch["counts"] == {"queued": 0, "running": 0, "done": 2, "failed": 1}
    after = scraped(where)
    for stage, well in {"fetch": 3, "convert": 2, "interpret": 2, "assemble": 2, "meter": 2}.items():
        assert _moved(before, after, "spatial_stage_seconds_count", stage=stage, ended="ok") == well, stage
    assert _moved(before, after, "spatial_stage_seconds_count", stage="convert", ended="refused") == 1


@pytest.mark.requirement("metrics.stages", "metrics.requests", "metrics.heartbeats", "metrics.runs")
def test_after_an_extraction_the_counters_have_moved(stack: RunningStack) -> None:
    before = scrape(stack)
    with stack.client() as client:
        file = {"file": (SAMPLE.name, SAMPLE.read_bytes())}
        assert client.post(EXTRACT, files=file, data={"target_contract": "both"}).status_code == 200
        assert client.post(EXTRACT, files={"file": (SAMPLE.name, b"%PDF-1.7 not a model")}).status_code == 422
    after = eventually(lambda: _settled(stack, before), what="both runs counted")
    well, refused = (
        {stage: stages(after, end)[stage] - stages(before, end)[stage] for stage in stages(after, end)}
        for end in ("ok", "refused")
    )
    assert well == {"fetch": 2, "convert": 1, "interpret": 1, "sample": 1, "assemble": 1, "meter": 1}
    assert refused == {"fetch": 0, "convert": 1, "interpret": 0, "sample": 0, "assemble": 0, "meter": 0}
    labels = {"route": EXTRACT, "method": "POST"}
    for status in ("200", "422"):
        assert _moved(before, after, "spatial_http_requests_total", **labels, status=status) == 1
    assert _moved(before, after, "spatial_http_request_seconds_count", **labels) == 2
    assert _moved(before, after, "spatial_flow_runs_total", flow="extract", state="failed") == 1
    assert {of(after, "spatial_up", part=part) for part in ("converter", "database", "prefect", "storage")} == {1.0}
    beating = eventually(
        lambda: of(scrape(stack), "spatial_pool_heartbeat_seconds", pool="extraction"), what="heartbeat"
    )
    assert beating < 60


def _moved(before: Series, after: Series, name: str, **labels: str) -> float:
    return (of(after, name, **labels) or 0) - (of(before, name, **labels) or 0)


def _settled(stack: RunningStack, before: Series) -> Series | None:
    found = scrape(stack)
    ended = [_moved(before, found, "spatial_flow_runs_total", flow="extract", state=s) for s in ("completed", "failed")]
    return found if ended == [1, 1] else None


@pytest.mark.requirement("logs.names", "logs.all-loggers")
def test_a_request_is_found_by_its_id_in_api_worker_and_prefect(stack: RunningStack) -> None:
    with stack.client() as client:
        answer = client.post(EXTRACT, files={"file": (SAMPLE.name, SAMPLE.read_bytes())})
    asked = answer.headers["x-request-id"]
    logs = stack.home / "logs"

    def of_request(part: str) -> list[dict[str, Any]]:
        return [line for line in lines(logs / f"{part}.log") if line.get("request_id") == asked]

    answered = eventually(
        lambda: [line for line in of_request("api") if line["logger"] == "api.access"], what="its line"
    )
    assert (answered[0]["route"], answered[0]["status"]) == (EXTRACT, 200)
    [ended] = eventually(
        lambda: [line for line in of_request("api") if line["logger"] == "flows.engine"], what="its run"
    )
    assert (ended["flow"], ended["state"]) == ("extract", "completed") and ended["ms"] > 0
    with stack.prefect() as prefect:
        seen = eventually(
            lambda: (found := prefect.get(f"flow_runs/{ended['flow_run_id']}")).is_success and found,
            what="its run in Prefect",
        )
        run = seen.json()
        assert asked in run["tags"]
        again = prefect.post(
            f"deployments/{run['deployment_id']}/create_flow_run", json={"parameters": run["parameters"]}
        ).raise_for_status()
    [redone] = eventually(
        lambda: [line for line in of_request("worker") if line["logger"] == "flows.engine"], what="the worker's line"
    )
    assert redone["flow_run_id"] == again.json()["id"] and redone["state"] == "completed"


@pytest.mark.requirement("logs.one-line", "logs.no-secrets")
def test_the_logs_of_the_stack_are_json_and_hold_no_secret(stack: RunningStack) -> None:
    with stack.client() as client:
        client.post(EXTRACT, files={"file": (SAMPLE.name, SAMPLE.read_bytes())})
        client.get("/api/v1/models?api_key=" + stack.key)
    _, _, auth = stack.addresses["prefect_auth"].partition(":")
    database = re.search(r":([^:@/]+)@", stack.addresses["database_url"])
    assert database is not None
    for part in ("api", "worker", "converter"):
        said = (stack.home / "logs" / f"{part}.log").read_text()
        plain = [line for line in said.splitlines() if not line.startswith("{")]
        assert plain == [], part
        assert all(
            {"time", "level", "logger", "message"} <= line.keys() for line in lines(stack.home / "logs" / f"{part}.log")
        )
        for secret in (stack.key, auth, database[1], "ISO-10303", "SVNPLTEwMzAz"):
            assert secret not in said, part

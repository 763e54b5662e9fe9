"""The warm worker as a process of its own, on a work pool of its own of the stack's Prefect server; and registering again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.stack import ROOT, RunningStack, eventually

POOL = f"drill-{os.getpid()}"
"""Of this run alone: what an earlier one handed back must not take its place."""

FINAL = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


def environment(stack: RunningStack, **more: str) -> dict[str, str]:
    """What a process needs to take part in the stack."""
    known = stack.addresses
    names = ("database_url", "prefect_api_url", "prefect_auth", "converter_url")
    ours = {f"SPATIAL_{name.upper()}": str(known[name]) for name in names}
    return {**os.environ, **ours, "SPATIAL_HOME": str(stack.home), **more}


@pytest.fixture(scope="module")
def worker(stack: RunningStack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with one place, and the drill flows."""
    command = [sys.executable, "-m", "tests.deployments.drill", "--pool", POOL, "--limit", "1"]
    log = tmp_path_factory.mktemp("drill") / "worker.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(stack, SPATIAL_WORKER_DRAIN_SECONDS="0.1"), stdout=out, stderr=out
        )
        with stack.prefect() as prefect:
            eventually(lambda: prefect.get(f"work_pools/{POOL}").status_code == 200, what=f"its pool\n{tail(log)}")
        yield process
        process.terminate()
        assert process.wait(timeout=60) == 0, tail(log)


def tail(log: Path) -> str:
    """The end of a log."""
    return log.read_text()[-3000:]


def begin(prefect: httpx.Client, flow: str, queue: str = "default") -> str:
    """A new run of a drill flow; its id."""
    flow_id = prefect.post("flows/", json={"name": flow}).json()["id"]
    prefect.post(f"work_pools/{POOL}/queues", json={"name": queue})  # 409 where it is there
    body = {"name": flow, "flow_id": flow_id, "work_pool_name": POOL, "work_queue_name": queue, "entrypoint": "drill"}
    deployment = prefect.post("deployments/", json=body).json()["id"]
    return str(prefect.post(f"deployments/{deployment}/create_flow_run", json={}).json()["id"])


def state(prefect: httpx.Client, run: str) -> str:
    """Its state's type."""
    return str(prefect.get(f"flow_runs/{run}").json()["state_type"])


def ended(prefect: httpx.Client, run: str) -> str:
    """Its state's type, once it has ended."""
    return eventually(lambda: (found := state(prefect, run)) in FINAL and found, what=f"the end of {run}")


def cancel(prefect: httpx.Client, run: str) -> None:
    """As the Prefect UI does."""
    prefect.post(f"flow_runs/{run}/set_state", json={"state": {"type": "CANCELLING"}})


@pytest.mark.requirement("worker.crash-alone", "worker.cancel")
def test_flows_that_fail_or_exit_leave_the_worker_alone(stack: RunningStack, worker: subprocess.Popen[bytes]) -> None:
    with stack.prefect() as prefect:
        assert ended(prefect, begin(prefect, "drill-fails")) == "FAILED"
        assert ended(prefect, begin(prefect, "drill-exits")) in ("FAILED", "CRASHED")
        assert ended(prefect, begin(prefect, "drill-ends")) == "COMPLETED"
    assert worker.poll() is None


@pytest.mark.requirement("worker.housekeeping-queue", "worker.heartbeat", "worker.cancel")
def test_a_worker_full_of_long_runs_keeps_the_house_and_shows_their_heartbeats(
    stack: RunningStack, worker: subprocess.Popen[bytes]
) -> None:
    with stack.prefect() as prefect:
        long = begin(prefect, "drill-waits")
        eventually(lambda: state(prefect, long) == "RUNNING", what="the long run")
        waiting = begin(prefect, "drill-ends")
        assert ended(prefect, begin(prefect, "drill-keeps-house", "housekeeping")) == "COMPLETED"
        assert state(prefect, waiting) == "SCHEDULED" and state(prefect, long) == "RUNNING"
        beats = {"event": {"name": ["prefect.flow-run.heartbeat"]}, "resource": {"id": [f"prefect.flow-run.{long}"]}}
        eventually(lambda: prefect.post("events/filter", json={"filter": beats}).json()["events"], what="a heartbeat")
        cancel(prefect, long)
        assert (ended(prefect, long), ended(prefect, waiting)) == ("CANCELLED", "COMPLETED")
    assert worker.poll() is None


def register(stack: RunningStack, **settings: str) -> None:
    """python -m deployments.bootstrap."""
    done = subprocess.run(
        [sys.executable, "-m", "deployments.bootstrap"],
        cwd=ROOT,
        env=environment(stack, **settings),
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert done.returncode == 0, done.stderr
    assert "automation crash zombie runs" in done.stdout and "work pool desktop-inference" in done.stdout


def deployment(prefect: httpx.Client, flow: str) -> dict[str, Any]:
    """A deployment as Prefect knows it."""
    found: dict[str, Any] = prefect.get(f"deployments/name/{flow}/{flow}").json()
    return found


@pytest.mark.requirement("bootstrap.operators-keep", "bootstrap.follows-code")
def test_registering_again_keeps_what_operators_changed_and_brings_the_rest_up_to_date(stack: RunningStack) -> None:
    with stack.prefect() as prefect:
        trim, reconcile = deployment(prefect, "trim-prefect"), deployment(prefect, "reconcile")
        theirs, ours = trim["schedules"][0], reconcile["schedules"][0]
        slower = {"schedule": {"interval": 40_000}, "active": False}
        prefect.patch(f"deployments/{trim['id']}/schedules/{theirs['id']}", json=slower).raise_for_status()
        prefect.patch(f"deployments/{trim['id']}", json={"entrypoint": "gone.py:gone"}).raise_for_status()
        paused = {"active": False}
        prefect.patch(f"deployments/{reconcile['id']}/schedules/{ours['id']}", json=paused).raise_for_status()
        prefect.patch("work_pools/desktop-inference", json={"concurrency_limit": 3}).raise_for_status()
        automations = prefect.post("automations/count").json()
        try:
            register(stack, SPATIAL_RECONCILE_SECONDS="45")
            after = deployment(prefect, "trim-prefect")
            assert after["entrypoint"] == "flows/housekeeping.py:trim_prefect"
            assert [(each["schedule"]["interval"], each["active"]) for each in after["schedules"]] == [(40_000, False)]
            after = deployment(prefect, "reconcile")
            assert [(each["schedule"]["interval"], each["active"]) for each in after["schedules"]] == [(15 * 45, False)]
            assert prefect.get("work_pools/desktop-inference").json()["concurrency_limit"] == 3
            assert prefect.post("automations/count").json() == automations
        finally:
            for each in (trim, reconcile):
                was = each["schedules"][0]
                path = f"deployments/{each['id']}/schedules/{was['id']}"
                back = {"schedule": was["schedule"], "active": True, "slug": was["slug"]}
                prefect.patch(path, json=back).raise_for_status()

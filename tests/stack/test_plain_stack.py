"""What the second stack of a run is for: no worker for reasoning, the stages of failed items alone, files that lie in a bucket.

These tests and test_worker_loss.py are a group of their own (tests/support/processes.py).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import s3fs

from tests.stack import test_batches as batches
from tests.stack import test_desktop as desktop
from tests.stack import test_ingest as ingested
from tests.stack.batch_client import follow, inline, run_in_state, submit
from tests.stack.test_flow import task_runs_of
from tests.support.stack import ROOT, SAMPLE, RunningStack, eventually, free_port


@pytest.mark.requirement("batch.stages-of-failed")
def test_with_stages_of_failed_items_only_the_others_have_none(plain_stack: RunningStack) -> None:
    sent = submit(plain_stack, [inline("good.step"), inline("bad.step", b"no STEP file")])
    batch = follow(plain_stack, sent["id"])
    run = run_in_state(plain_stack, sent["id"], "Completed")
    with plain_stack.prefect() as prefect:
        tasks = task_runs_of(prefect, run["id"], 4)
    assert batch["counts"]["done"] == batch["counts"]["failed"] == 1
    assert batches.stages_of(tasks, "good.step") == {}
    assert batches.stages_of(tasks, "bad.step") == {"fetch": "COMPLETED", "convert": "FAILED"}


@pytest.mark.requirement("ingest.source", "ingest.run", "ingest.twice")
def test_a_prefix_of_a_bucket_becomes_tables(s3_server: str, plain_stack: RunningStack) -> None:
    """Walked, read and settled by a whole stack that knows the S3 server from its settings."""
    bucket = s3fs.S3FileSystem(endpoint_url=s3_server, use_listings_cache=False)
    bucket.mkdir("archive")
    bucket.pipe(
        {
            "archive/2026/part.step": SAMPLE.read_bytes(),
            "archive/2026/sheets/größe #1.dxf": ingested.dxf("M10"),
            "archive/2026/none.pdf": b"no pdf at all",
            "archive/2026-old/beside.dxf": ingested.dxf("M3"),
        }
    )
    said = [ingested.spatial(plain_stack, "ingest", "s3://archive/2026").stdout.strip() for _ in range(2)]
    assert said == [
        "3 files: 2 done, 1 failed, 0 unchanged",
        "3 files: 0 done, 0 failed, 3 unchanged, 1 of them in quarantine: see failures",
    ]
    settled = "(SELECT source_uri FROM documents UNION ALL SELECT source_uri FROM failures)"
    rows = ingested.ask(
        plain_stack, f"SELECT source_uri FROM {settled} WHERE source_uri LIKE 's3://archive/%' ORDER BY 1"
    )
    below = ("none.pdf", "part.step", "sheets/größe #1.dxf")
    assert [row["source_uri"] for row in rows] == [f"s3://archive/2026/{name}" for name in below]


@pytest.mark.requirement("reasoning.no-worker-503")
def test_without_a_worker_every_task_is_503_at_once_and_the_models_say_so(plain_stack: RunningStack) -> None:
    answer = desktop.ask(plain_stack)
    assert answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0
    assert answer.json()["error"]["type"] == "desktop_inference_unavailable"
    with plain_stack.client() as client:
        models, health = client.get(desktop.MODELS).json(), client.get("/api/health").json()
    assert (models["runtime_configured"], models["runtime_available"]) == (True, False)
    assert health["services"]["rowe_availability"] != "healthy"
    with outbound_only_worker(plain_stack):
        eventually(lambda: desktop.is_available(plain_stack), what="the worker in its namespace")
        assert desktop.ask(plain_stack).json()["router"]["runtime"] == "geometric"
    eventually(lambda: not desktop.is_available(plain_stack), what="the worker gone")


@contextmanager
def outbound_only_worker(plain_stack: RunningStack) -> Iterator[None]:
    """A desktop worker in a network namespace whose only way out is a socket that leads to the API."""
    token = json.loads((plain_stack.home / "secrets.json").read_text())["desktop"]
    with tempfile.TemporaryDirectory() as folder:
        path, port = Path(folder) / "service.sock", free_port()
        outside = subprocess.Popen([*desktop.FORWARD, "outside", str(path), str(plain_stack.port)], cwd=ROOT)
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("SPATIAL_", "PREFECT_", "AWS_"))
        }
        settings = {
            "SPATIAL_HOME": f"{folder}/home",
            "SPATIAL_DESKTOP_URL": f"http://127.0.0.1:{port}",
            "SPATIAL_DESKTOP_TOKEN": token,
        }
        worker = [sys.executable, "-m", "deployments.desktop_worker"]
        inside = [*desktop.FORWARD, "inside", str(port), str(path), *worker]
        process = subprocess.Popen(
            ["unshare", "--user", "--map-root-user", "--net", *inside],
            cwd=ROOT,
            env=kept | settings,
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
            outside.terminate()
            outside.wait(60)


@pytest.mark.requirement("desktop.outbound-only")
@pytest.mark.skipif(
    subprocess.call(["unshare", "--user", "--map-root-user", "--net", "true"]) != 0, reason="no network namespaces here"
)
def test_the_namespace_of_that_worker_reaches_nothing_else(plain_stack: RunningStack) -> None:
    probe = f"import socket; socket.create_connection(('127.0.0.1', {plain_stack.port}), 2)"
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--net", sys.executable, "-c", probe],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode != 0 and "unreachable" in done.stderr

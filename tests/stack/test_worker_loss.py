"""A worker that is killed in the middle of an ingest, on a stack whose schedule of `reconcile` is too rare to help."""

from __future__ import annotations

import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from tests.stack.test_ingest import dxf, run_of, spatial
from tests.support.stack import NO_DESKTOP, RunningStack, eventually, start_stack


@pytest.mark.requirement("reconcile.at-once", "reconcile.lost-bulk", "ingest.killed")
def test_a_killed_worker_is_seen_at_once_and_a_retry_continues_its_ingest() -> None:
    with tempfile.TemporaryDirectory(prefix="spatial-stack-", ignore_cleanup_errors=True) as folder:
        files = Path(folder) / "files"
        files.mkdir()
        for number in range(40):
            (files / f"{number:02}.dxf").write_bytes(dxf(f"M{number + 3}x{100 + number}"))
        stack = start_stack(Path(folder) / "home", "--no-sample", NO_DESKTOP, SPATIAL_RECONCILE_SECONDS="3600")
        try:
            crashed = killed_in_its_middle(stack, files)
            assert "what is committed is kept: retry this run" in crashed["state"]["message"]
            eventually(
                lambda: (run := run_of(stack, crashed["id"])) and run.state == "lost", what="the end of its record"
            )
            retried(stack, crashed["id"])
        finally:
            stack.stop()


def killed_in_its_middle(stack: RunningStack, files: Path) -> dict[str, Any]:
    """The flow run of an ingest, Crashed, after its worker was killed."""
    flags = ("--chunk-files", "2", "--parallel", "1")
    begun = spatial(stack, "ingest", files, *flags, "--no-wait").stdout.strip()
    eventually(lambda: (run := run_of(stack, begun)) and 2 <= run.done < 40, what="a run in its middle")
    stack.child("deployments.worker").send_signal(signal.SIGKILL)
    killed = time.monotonic()
    with stack.prefect() as prefect:
        crashed = eventually(
            lambda: (run := prefect.get(f"flow_runs/{begun}").json())["state_type"] == "CRASHED" and run,
            what="the end of the run, in Prefect",
        )
    print(f"seen {time.monotonic() - killed:.1f} s after kill -9")
    return dict(crashed)


def retried(stack: RunningStack, flow_run_id: str) -> None:
    """Retry the run as the Prefect UI does; it settles the rest."""
    with stack.prefect() as prefect:
        again = {"state": {"type": "SCHEDULED", "name": "AwaitingRetry"}}
        prefect.post(f"flow_runs/{flow_run_id}/set_state", json=again).raise_for_status()
        ended = eventually(
            lambda: (run := prefect.get(f"flow_runs/{flow_run_id}").json())["state_type"] == "COMPLETED" and run,
            what="the end of the run that was retried",
        )
    record = run_of(stack, flow_run_id)
    assert record is not None and (record.state, record.done, record.failed) == ("done", 40, 0), ended["state"]

"""A worker that is killed in the middle of an ingest, on a stack whose schedule of `reconcile` is too rare to help."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.stack.test_ingest import dxf, run_of, spatial
from tests.support.stack import RunningStack, eventually


@pytest.mark.requirement("reconcile.at-once", "reconcile.lost-bulk", "ingest.killed")
def test_a_killed_worker_is_seen_at_once_and_a_retry_continues_its_ingest(
    plain_stack: RunningStack, tmp_path: Path
) -> None:
    for number in range(40):
        (tmp_path / f"{number:02}.dxf").write_bytes(dxf(f"M{number + 3}x{100 + number}"))
    crashed = killed_in_its_middle(plain_stack, tmp_path)
    assert "what is committed is kept: retry this run" in crashed["state"]["message"]
    eventually(
        lambda: (run := run_of(plain_stack, crashed["id"])) and run.state == "lost", what="the end of its record"
    )
    retried(plain_stack, crashed["id"])


def killed_in_its_middle(plain_stack: RunningStack, files: Path) -> dict[str, Any]:
    """The flow run of an ingest, Crashed, after its worker was killed."""
    flags = ("--chunk-files", "2", "--parallel", "1")
    begun = spatial(plain_stack, "ingest", files, *flags, "--no-wait").stdout.strip()
    eventually(lambda: (run := run_of(plain_stack, begun)) and 2 <= run.done < 40, what="a run in its middle")
    plain_stack.child("deployments.worker").send_signal(signal.SIGKILL)
    killed = time.monotonic()
    with plain_stack.prefect() as prefect:
        crashed = eventually(
            lambda: (run := prefect.get(f"flow_runs/{begun}").json())["state_type"] == "CRASHED" and run,
            what="the end of the run, in Prefect",
        )
    print(f"seen {time.monotonic() - killed:.1f} s after kill -9")
    return dict(crashed)


def retried(plain_stack: RunningStack, flow_run_id: str) -> None:
    """Retry the run as the Prefect UI does; it settles the rest."""
    with plain_stack.prefect() as prefect:
        again = {"state": {"type": "SCHEDULED", "name": "AwaitingRetry"}}
        prefect.post(f"flow_runs/{flow_run_id}/set_state", json=again).raise_for_status()
        ended = eventually(
            lambda: (run := prefect.get(f"flow_runs/{flow_run_id}").json())["state_type"] == "COMPLETED" and run,
            what="the end of the run that was retried",
        )
    record = run_of(plain_stack, flow_run_id)
    assert record is not None and (record.state, record.done, record.failed) == ("done", 40, 0), ended["state"]

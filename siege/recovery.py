"""How long a service takes to be whole again after one of its processes was killed."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import httpx

from benchmarks.parts import kill
from benchmarks.report import Table
from benchmarks.stack import Stack
from deployments.embedded import OPTIONAL_CHECKS
from siege import settled
from spatial.contract.routes import BATCH_ROUTE, EXTRACT_ROUTE

RECOVERY_SECONDS: Final = 30.0
"""How long the service may need to be whole again after one process was killed alone."""

ITEMS: Final = 12
"""Files of the batch that a kill interrupts."""

LOOK_SECONDS: Final = 0.2
FILE: Final = Path(__file__).resolve().parents[1] / "examples" / "plate.dxf"


@dataclass(frozen=True)
class Recovery:
    """What one kill of one process alone took to be mended, in seconds."""

    whole: float
    """Until a call succeeded and every check was healthy."""
    batch: float
    """Until the batch had ended that was submitted before the kill."""


def recover(stack: Stack, name: str, marker: str) -> Recovery:
    """Kill one process just after a batch was submitted. Raises: TimeoutError where the service does not come back."""
    until(lambda: is_whole(stack), f"health before {name} is killed")
    batch = _Batch(stack)
    until(batch.is_submitted, "the submission of a batch")
    kill(stack.pid, name, marker, within=RECOVERY_SECONDS)
    began = time.monotonic()
    until(lambda: is_whole(stack), f"health after {name} was killed")
    whole = time.monotonic() - began
    until(batch.is_done, f"the end of a batch that the kill of {name} interrupted")
    return Recovery(whole, time.monotonic() - began)


def is_whole(stack: Stack) -> bool:
    """Whether a call succeeds, a desktop worker is there, and every other check is healthy."""
    with _client(stack) as client:
        if not client.post(EXTRACT_ROUTE, json=_item()).is_success:
            return False
        checks: dict[str, Any] = client.get("/api/health").json()["checks"]
        required = {check["status"] for name, check in checks.items() if name not in OPTIONAL_CHECKS}
        return required == {"healthy"} and bool(client.get("/api/v1/models").json()["runtime_available"])


class _Batch:
    """A batch of some files, which is submitted once."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._status_url: str | None = None

    def is_submitted(self) -> bool:
        """Whether the service has taken it."""
        with _client(self._stack) as client:
            answer = client.post(BATCH_ROUTE, json={"items": [_item()] * ITEMS})
            if not answer.is_success:
                time.sleep(float(answer.headers.get("Retry-After", 0)))
                return False
            self._status_url = str(answer.json()["status_url"])
            return True

    def is_done(self) -> bool:
        """Whether all of its files were read."""
        assert self._status_url is not None  # it was submitted
        with _client(self._stack) as client:
            waited = client.get(self._status_url, params={"wait": 10})
            return waited.is_success and waited.json()["status"] == "done"


def _client(stack: Stack) -> httpx.Client:
    said = {"Authorization": f"Bearer {stack.key}"}
    return httpx.Client(base_url=stack.url, headers=said, timeout=30, trust_env=False)


def _item() -> dict[str, str]:
    return {"file_name": FILE.name, "content_base64": base64.b64encode(FILE.read_bytes()).decode()}


def until(condition: Callable[[], bool], what: str) -> None:
    """Ask until it is true, as long as what was interrupted may take. Raises: TimeoutError."""
    deadline = time.monotonic() + settled.PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError):
            if condition():
                return
        time.sleep(LOOK_SECONDS)
    raise TimeoutError(f"{what} did not come about")


def table(taken: Mapping[str, Sequence[Recovery]]) -> Table:
    """Raises: RuntimeError where one took too long."""
    rows: list[tuple[str, ...]] = []
    for name, each in taken.items():
        whole, batch = [one.whole for one in each], [one.batch for one in each]
        rows.append((name, str(len(each)), *(f"{pick(some):.1f}" for some in (whole, batch) for pick in (median, max))))
    note = (
        "Whole: a call succeeds and every check is healthy. Batch: the end of the one that was submitted just before the kill. "
        f"Aim: {RECOVERY_SECONDS:.0f} s at most."
    )
    headings = ("killed", "times", "whole, median s", "longest", "batch, median s", "longest")
    found = Table("Recovery of one process alone", headings, rows, note)
    if max(one.batch for each in taken.values() for one in each) > RECOVERY_SECONDS:
        raise RuntimeError(f"too slow:\n{found.text()}")
    return found

"""A batch as its caller sends it and follows it, and a file server that lets nothing through until it is told."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from tests.stack.test_flow import run_now, usage_rows
from tests.support.stack import SAMPLE, RunningStack, eventually

BATCHES = "/api/v1/cad/extract/batch"
CEILING = "batches_per_minute"
ENDED = ("done", "failed", "expired")


def submit(stack: RunningStack, items: list[dict[str, str]]) -> dict[str, Any]:
    """The 202 of a batch of JSON items, with its request id; other tests may have used up the minute's batches of the key."""
    with stack.client() as client:

        def answered() -> httpx.Response | None:
            answer = client.post(BATCHES, json={"items": items})
            return None if answer.status_code == 429 and CEILING in answer.text else answer

        answer = eventually(answered, what="a place among the minute's batches")
    assert answer.status_code == 202, answer.text
    return {**answer.json(), "request_id": answer.headers["X-Request-ID"]}


def inline(name: str, data: bytes = SAMPLE.read_bytes()) -> dict[str, str]:
    """An item that carries its file."""
    return {"file_name": name, "content_base64": base64.b64encode(data).decode()}


def ask(stack: RunningStack, batch_id: str, wait: int = 0) -> dict[str, Any]:
    """The batch as it stands, or as it stands after a change."""
    with stack.client() as client:
        answer = client.get(f"{BATCHES}/{batch_id}", params={"wait": wait})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    assert sum(body["counts"].values()) == len(body["items"])
    return body


def follow(stack: RunningStack, batch_id: str, within: float = 180) -> dict[str, Any]:
    """Ask until the batch has ended; an API that is away for a while is asked again."""

    def ended() -> dict[str, Any] | None:
        try:
            batch = ask(stack, batch_id, wait=5)
        except AssertionError:
            return None  # 503 while Postgres is away
        return batch if batch["status"] in ENDED else None

    return eventually(ended, within=within, what=f"the end of {batch_id}")


def until_ended(stack: RunningStack, batch_id: str, items: int) -> dict[str, Any]:
    """The running batch once so many of its items have ended."""

    def some() -> dict[str, Any] | None:
        batch = ask(stack, batch_id, wait=1)
        return batch if batch["counts"]["done"] + batch["counts"]["failed"] >= items else None

    return eventually(some, what=f"{items} ended items")


class Gate:
    """A file server on the one loopback port that content_url may name; its answers wait until it is opened."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked = 0
        self._open: set[str] = set()
        self._provided: set[str] = set()
        self._changed = threading.Condition()

    def item(self, name: str) -> dict[str, str]:
        """An item whose file is behind the gate."""
        return {"file_name": name, "content_url": f"http://127.0.0.1:{self.port}/{name}"}

    def open(self, *names: str) -> None:
        """Let these files through, or all."""
        with self._changed:
            self._open |= set(names or "*")
            self._changed.notify_all()

    def provide(self, name: str) -> None:
        """Have a file that was missing."""
        self._provided.add(name)

    def has(self, name: str) -> bool:
        """Whether the file is there."""
        return not name.startswith("missing") or name in self._provided

    def pass_through(self, name: str) -> None:
        """Wait before the gate."""
        with self._changed:
            self.asked += 1
            self._changed.wait_for(lambda: self._open & {name, "*"}, timeout=300)

    def waits_for(self, requests: int) -> None:
        """Return when so many downloads stand before the gate."""
        eventually(lambda: self.asked >= requests, what=f"{requests} downloads")


@contextmanager
def gate(stack: RunningStack) -> Iterator[Gate]:
    """A closed gate for the length of a block; a file named missing.* is not there until it is provided."""
    made = Gate(stack.files_port)

    class Handler(BaseHTTPRequestHandler):
        """Serves the sample under any name."""

        def do_GET(self) -> None:
            made.pass_through(self.path.strip("/"))
            found = made.has(self.path.strip("/"))
            data = SAMPLE.read_bytes() if found else b""
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                return  # the process that asked was killed

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", stack.files_port), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield made
        finally:
            made.open()
            server.shutdown()


def flow_runs(prefect: httpx.Client, batch_id: str) -> list[dict[str, Any]]:
    """Every flow run that was made for the batch, the oldest first."""
    named = {"flow_runs": {"name": {"any_": [batch_id]}}, "sort": "EXPECTED_START_TIME_ASC"}
    found: list[dict[str, Any]] = prefect.post("flow_runs/filter", json=named).json()
    return found


def run_in_state(stack: RunningStack, batch_id: str, *states: str) -> dict[str, Any]:
    """The batch's one flow run, once it is in one of the states."""

    def there() -> dict[str, Any] | None:
        with stack.prefect() as prefect:
            runs = flow_runs(prefect, batch_id)
        assert len(runs) <= 1, "one flow run carries a batch"
        return runs[0] if runs and runs[0]["state_name"] in states else None

    return eventually(there, what=f"a flow run {' or '.join(states)}")


def half_done(stack: RunningStack, files: Gate) -> dict[str, Any]:
    """A batch of four of which two have ended, one of them badly, and two stand before the gate."""
    before = files.asked
    items = [inline("a.step"), inline("bad.step", b"broken"), files.item("c.step"), files.item("d.step")]
    sent = submit(stack, items)
    files.waits_for(before + 2)
    return {**until_ended(stack, sent["id"], 2), "request_id": sent["request_id"]}


def ended_once(stack: RunningStack, before: dict[str, Any]) -> None:
    """The batch has come to its end, what had ended before untouched, and each success is billed once."""
    after = follow(stack, before["id"])
    assert after["status"] == "done" and after["counts"] == {"queued": 0, "running": 0, "done": 3, "failed": 1}
    assert moments(before).items() <= moments(after).items(), "a finished item was done again"
    assert usage_rows(stack, before["request_id"]) == 3


def taken_up(stack: RunningStack, batch_id: str) -> None:
    """Let the reconciler run until the batch's lease has lapsed and its run was scheduled again."""

    def again() -> bool:
        run_now(stack, "reconcile")
        with stack.prefect() as prefect:
            (run,) = flow_runs(prefect, batch_id)
        return run["state_name"] in ("AwaitingRetry", "Completed") or run["run_count"] > 1

    eventually(again, what="a second begin of the batch")


def moments(batch: dict[str, Any]) -> dict[int, tuple[str, str]]:
    """When each ended item was begun and ended: it is the same for ever, unless somebody did it again."""
    return {item["index"]: (item["started_at"], item["ended_at"]) for item in batch["items"] if item.get("ended_at")}

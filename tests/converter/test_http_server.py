"""uvicorn that wakes once a second: it answers, says the time, and ends by a signal."""

from __future__ import annotations

import signal
import subprocess
import sys
from email.utils import parsedate_to_datetime

import httpx
import pytest

PROGRAM = """
import socket, uvicorn
from converter import http_server

async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
http_server.Server(uvicorn.Config(app, lifespan="off", log_config=None)).run([listener])
"""


@pytest.mark.requirement("runtime.private-names")
def test_a_server_answers_with_the_time_of_now_and_ends_by_sigterm() -> None:
    server = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    with server:
        assert server.stdout is not None  # a pipe, as asked for
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        with httpx.Client(trust_env=False) as client:
            dates = {parsedate_to_datetime(client.get(url).headers["date"])}
            while len(dates) < 2:
                dates.add(parsedate_to_datetime(client.get(url).headers["date"]))
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=60) == -signal.SIGTERM

"""`spatial notifications` against a running stack: added, tested, told of a batch, rotated, shown and removed."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from standardwebhooks.webhooks import Webhook

from storage import ids
from tests.cli.conftest import Spatial, one_sentence
from tests.stack.batch_client import follow, inline, submit
from tests.support.receiver import Post
from tests.support.stack import RunningStack, eventually

SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=\n")


@pytest.fixture
def posts(stack: RunningStack) -> Iterator[list[Post]]:
    """What arrives at the port that the stack may notify."""
    arrived: list[Post] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            arrived.append(Post(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(500 if self.path.startswith("/broken") else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", stack.hooks_port), Handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield arrived
        server.shutdown()
        serving.join()


@pytest.mark.requirement("notifications.cli", "notifications.prompt", "notifications.batch-ended")
def test_an_endpoint_is_told_of_a_batch_and_managed(spatial: Spatial, stack: RunningStack, posts: list[Post]) -> None:
    home = ("--home", stack.home)
    allow = {"SPATIAL_NOTIFICATIONS_ALLOW": f"127.0.0.1:{stack.hooks_port}"}
    path = f"/{ids.new('hook')}"
    url = f"http://127.0.0.1:{stack.hooks_port}{path}"
    added = spatial("notifications", "add", url, "--account", "demo", *home, **allow)
    assert added.returncode == 0, added.stderr
    assert SECRET.fullmatch(added.stdout)
    shown = spatial("notifications", "list", *home).stdout
    line = next(line for line in shown.splitlines() if url in line)
    endpoint_id = line.split()[0]
    assert "demo" in line and "enabled" in line and added.stdout.strip() not in shown
    tested = spatial("notifications", "test", endpoint_id, *home)
    assert tested.returncode == 0 and "is delivered: the endpoint answered 204" in tested.stderr, tested.stderr
    batch = submit(stack, [inline("one.step")])
    follow(stack, batch["id"])

    def arrived() -> Post | None:
        return next((post for post in posts if post.path == path and batch["id"].encode() in post.body), None)

    message = Webhook(added.stdout.strip()).verify(
        (post := eventually(arrived, what="the notification")).body, post.headers
    )
    assert message["type"] == "batch.ended" and message["data"]["items"] == {"done": 1, "failed": 0}
    with stack.client() as client:
        assert client.get(message["data"]["path"]).json()["status"] == message["data"]["status"] == "done"
    rotated = spatial("notifications", "rotate", endpoint_id, *home)
    assert SECRET.fullmatch(rotated.stdout) and rotated.stdout != added.stdout
    listed = spatial("notifications", "deliveries", "--state", "delivered", *home)
    assert post.message_id in listed.stdout and "batch.ended" in listed.stdout
    assert spatial("notifications", "remove", endpoint_id, *home).returncode == 0
    for command in ("remove", "rotate", "test"):
        again = spatial("notifications", command, endpoint_id, *home)
        assert again.returncode == 1 and "no endpoint has the id" in one_sentence(again)


@pytest.mark.requirement("notifications.cli")
def test_a_test_says_why_it_failed(spatial: Spatial, stack: RunningStack, posts: list[Post]) -> None:
    home = ("--home", stack.home)
    url = f"http://127.0.0.1:{stack.hooks_port}/broken/{ids.new('hook')}"
    allow = {"SPATIAL_NOTIFICATIONS_ALLOW": f"127.0.0.1:{stack.hooks_port}"}
    assert spatial("notifications", "add", url, "--operator", *home, **allow).returncode == 0
    shown = spatial("notifications", "list", *home).stdout
    line = next(line for line in shown.splitlines() if url in line)
    assert "(operator)" in line
    tested = spatial("notifications", "test", line.split()[0], *home)
    assert tested.returncode == 1 and "pending: the endpoint answered 500" in one_sentence(tested)
    assert posts
    waiting = spatial("notifications", "deliveries", "--state", "pending", *home).stdout
    assert "the endpoint answered 500" in waiting
    assert spatial("notifications", "remove", line.split()[0], *home).returncode == 0


@pytest.mark.requirement("notifications.cli", "notifications.addresses")
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("http://hooks.example.com/", "--account", "demo"), "is not an https URL; use a public https URL"),
        (("https://127.0.0.1/", "--account", "demo"), "a loopback address; use a public https URL"),
        (("https://hooks.example.com/", "--account", "nobody at all"), "there is no account named nobody at all"),
        (("https://hooks.example.com/",), "give --account NAME or --operator"),
        (("https://hooks.example.com/", "--account", "demo", "--operator"), "give --account NAME or --operator"),
    ],
)
def test_an_endpoint_that_cannot_be_is_refused(
    spatial: Spatial, stack: RunningStack, arguments: tuple[str, ...], reason: str
) -> None:
    refused = spatial("notifications", "add", *arguments, "--home", stack.home)
    assert refused.returncode == 1 and reason in one_sentence(refused)

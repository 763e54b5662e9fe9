"""A file of 20 MB, announced, streamed and extracted through the whole stack."""

from __future__ import annotations

import hashlib
import math
import socket
from collections.abc import Iterator

import pytest

from tests.support.stack import SAMPLE, RunningStack, eventually

UPLOADS = "/api/v1/uploads"


def padded() -> bytes:
    """The sample part with a comment of 20 MB in it."""
    head, mark, tail = SAMPLE.read_bytes().partition(b"DATA;")
    return head + mark + b"\n/*" + (b"x" * 78 + b"\n") * 253_000 + b"*/\n" + tail


def pieces(data: bytes) -> Iterator[bytes]:
    """As curl -T - sends them."""
    yield from (data[start : start + 65_536] for start in range(0, len(data), 65_536))


@pytest.mark.requirement("upload.stack", "upload.put", "upload.extract", "upload.delete")
def test_a_large_file_is_sent_ahead_and_extracted(stack: RunningStack) -> None:
    file = padded()
    with stack.client() as client:
        made = client.post(UPLOADS, json={"file_name": "padded.step", "size": len(file)})
        assert made.status_code == 201, made.text
        upload = made.json()
        sent = client.put(upload["upload_url"], content=pieces(file))
        assert sent.status_code == 200, sent.text
        assert sent.json()["sha256"] == hashlib.sha256(file).hexdigest()
        request = {"file_name": "padded.step", "upload_id": upload["id"]}
        answer = client.post("/api/v1/cad/extract", json=request)
        assert answer.status_code == 200, answer.text
        plain = client.post("/api/v1/cad/extract", files={"file": (SAMPLE.name, SAMPLE.read_bytes())})
        assert answer.json()["structure"] == plain.json()["structure"]
        assert answer.json()["usage"]["input_tokens"] == math.ceil(len(file) / 4)
        assert client.delete(f"{UPLOADS}/{upload['id']}").status_code == 204
    assert not (stack.home / "lake" / "staged" / upload["id"]).exists()


@pytest.mark.requirement("upload.whole-or-not")
def test_a_connection_that_breaks_leaves_nothing(stack: RunningStack) -> None:
    with stack.client() as client:
        upload = client.post(UPLOADS, json={"file_name": "padded.step"}).json()
        head = f"PUT {upload['upload_url']} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {stack.key}\r\n"
        folder = stack.home / "lake" / "staged" / upload["id"]
        with socket.create_connection(("127.0.0.1", stack.port)) as caller:
            caller.sendall(f"{head}Content-Length: 9000000\r\n\r\n".encode() + bytes(3_000_000))
            eventually(lambda: [*folder.rglob(".*.new")], what="a file on its way in")
        eventually(lambda: not [*folder.rglob("*.new")], what="the end of it")
        assert client.get(upload["upload_url"]).json()["status"] == "waiting"
        assert client.put(upload["upload_url"], content=SAMPLE.read_bytes()).status_code == 200

"""Large files against exact HTTP answers: the pieces, a connection that breaks, a bucket's own address."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spatial_geometry
from spatial_geometry._files import INLINE_BYTES, PIECE_BYTES, open_content
from spatial_geometry.models import Upload
from tests.client.both import KINDS, Kind, call
from tests.client.loopback import DOCUMENT, KEY, Cut, Reply, Sent, error, loopback, now

FILE = b"ISO-10303-21;" + bytes(INLINE_BYTES)
ONE = "/api/v1/uploads/up_1"


def upload(status: str = "waiting", **members: Any) -> Reply:
    """An upload as the service shows it."""
    where = (
        {}
        if status == "used"
        else {"upload_url": ONE, "method": "PUT", "headers": {"Authorization": "Bearer <API_KEY>"}}
    )
    body = {
        "id": "up_1", "object": "upload", "status": status, "file_name": "large.step", "max_bytes": len(FILE),
        "expires_at": "2026-11-24T12:00:00Z", "request_id": "req_2", **where, **members,
    }  # fmt: skip
    return Reply(201 if status == "waiting" else 200, body)


RECEIVED = upload("received", size=len(FILE), sha256=hashlib.sha256(FILE).hexdigest())
DELETED = Reply(204)


def sent_to(sent: list[Sent]) -> list[tuple[str, str]]:
    return [(one.method, one.path) for one in sent]


@pytest.mark.requirement("client.uploads")
@pytest.mark.parametrize("kind", KINDS)
def test_a_large_file_is_uploaded_without_being_asked_and_deleted(kind: Kind) -> None:
    with loopback(upload(), RECEIVED, Reply(body=DOCUMENT), DELETED) as server:
        call(kind, server.url, "extract", FILE, file_name="large.step", target="both")
    assert sent_to(server.sent) == [
        ("POST", "/api/v1/uploads"),
        ("PUT", ONE),
        ("POST", "/api/v1/cad/extract"),
        ("DELETE", ONE),
    ]
    assert server.sent[0].json == {"file_name": "large.step", "size": len(FILE)}
    assert server.sent[1].body == FILE and server.sent[1].headers["authorization"] == f"Bearer {KEY}"
    assert server.sent[2].json == {"file_name": "large.step", "upload_id": "up_1", "target_contract": "both"}


@pytest.mark.requirement("client.uploads")
@pytest.mark.parametrize("kind", KINDS)
def test_a_connection_that_breaks_in_the_file_is_followed_by_the_whole_file_under_the_same_upload(kind: Kind) -> None:
    steps = (upload(), Cut(after=1_000_000), upload(), RECEIVED, Reply(body=DOCUMENT), DELETED)
    with loopback(*steps) as server:
        call(kind, server.url, "extract", FILE, file_name="large.step")
    assert sent_to(server.sent)[1:4] == [("PUT", ONE), ("GET", ONE), ("PUT", ONE)]
    assert server.sent[3].body == FILE


@pytest.mark.requirement("client.uploads")
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_whose_answer_was_lost_is_not_sent_again(kind: Kind) -> None:
    with loopback(upload(), Cut(), RECEIVED, Reply(body=DOCUMENT), DELETED) as server:
        call(kind, server.url, "extract", FILE, file_name="large.step")
    assert sent_to(server.sent)[1:4] == [("PUT", ONE), ("GET", ONE), ("POST", "/api/v1/cad/extract")]


@pytest.mark.requirement("client.uploads")
def test_a_file_that_arrived_damaged_is_sent_again() -> None:
    damaged = upload("received", size=len(FILE), sha256="0" * 64)
    with loopback(
        upload(), now(503, "converter_unavailable"), damaged, RECEIVED, Reply(body=DOCUMENT), DELETED
    ) as server:
        call("blocking", server.url, "extract", FILE, file_name="large.step")
    assert sent_to(server.sent)[1:4] == [("PUT", ONE), ("GET", ONE), ("PUT", ONE)]


@pytest.mark.requirement("client.uploads", "client.key-secret")
def test_a_bucket_gets_the_file_without_the_key() -> None:
    with loopback(Reply(body=b"")) as bucket:
        announced = upload(upload_url=f"{bucket.url}/lake/up_1?X-Amz-Signature=abc", headers={})
        with loopback(announced, RECEIVED, Reply(body=DOCUMENT), DELETED) as server:
            call("blocking", server.url, "extract", FILE, file_name="large.step")
    (put,) = bucket.sent
    assert put.path == "/lake/up_1?X-Amz-Signature=abc" and put.body == FILE
    assert "authorization" not in put.headers and put.headers["content-length"] == str(len(FILE))
    assert sent_to(server.sent)[1] == ("GET", ONE)


@pytest.mark.requirement("client.uploads")
def test_an_upload_is_deleted_where_the_extraction_fails_and_its_own_failure_costs_no_result(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with (
        loopback(upload(), RECEIVED, error(422, "parse_error"), DELETED) as server,
        pytest.raises(spatial_geometry.ParseError),
    ):
        call("blocking", server.url, "extract", FILE, file_name="large.step")
    assert sent_to(server.sent)[-1] == ("DELETE", ONE)
    with loopback(upload(), RECEIVED, Reply(body=DOCUMENT), error(503, "converter_unavailable")) as server:
        assert call("blocking", server.url, "extract", FILE, file_name="large.step").units == "millimeter"
    assert "up_1 was not deleted" in caplog.text


@pytest.mark.requirement("client.uploads")
def test_an_upload_of_ones_own_serves_several_requests() -> None:
    with loopback(upload(), RECEIVED, Reply(body=DOCUMENT), Reply(body=DOCUMENT), DELETED) as server:
        made = call("blocking", server.url, "upload", b"ISO-10303-21;", file_name="a.step")
        assert isinstance(made, Upload)
        for key in ("one", "two"):
            call("blocking", server.url, "extract", made, idempotency_key=key)
        call("blocking", server.url, "delete_upload", made)
    assert [sent.headers.get("idempotency-key") for sent in server.sent[2:4]] == ["one", "two"]
    assert sent_to(server.sent)[-1] == ("DELETE", ONE)


@pytest.mark.requirement("client.uploads")
def test_the_file_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "large.step"
    path.write_bytes(FILE)
    largest: list[int] = []

    class Counted(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            piece = super().read(size)
            largest.append(len(piece))
            return piece

    with loopback(upload(), RECEIVED, Reply(body=DOCUMENT), DELETED) as server, Counted(path) as file:
        call("blocking", server.url, "extract", file, file_name="large.step")
    assert max(largest) == PIECE_BYTES and sum(largest) == len(FILE)
    assert server.sent[1].body == FILE


@pytest.mark.requirement("client.sources")
def test_a_file_that_shrinks_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.step"
    path.write_bytes(b"ISO-10303-21;")
    content = open_content(path)
    path.write_bytes(b"ISO")
    with pytest.raises(OSError, match="has become shorter"):
        content.read()


@pytest.mark.requirement("client.respond")
@pytest.mark.parametrize("kind", KINDS)
def test_a_document_that_is_too_large_for_a_body_is_sent_ahead(kind: Kind) -> None:
    def upload_any(sent: Sent) -> Reply:
        return upload(file_name=sent.json["file_name"])

    response = {"id": "resp_1", "model": "reasoner-1.0", "output": [], "request_id": "req_1", "router": {}}
    large = {**DOCUMENT, "padding": "x" * 7_000_000}
    steps: list[Callable[[Sent], Reply] | Reply] = [upload_any, upload("received"), Reply(body=response), DELETED]
    with loopback(*steps) as server:
        call(kind, server.url, "respond", "understand", cad_scene=large, previous_cad_scene=None)
    assert server.sent[2].json["input"] == {"task_type": "understand", "cad_scene": {"upload_id": "up_1"}}
    assert server.sent[0].json["file_name"] == "cad_scene.json"

"""The client against exact HTTP answers: what is sent again and with which key, what is not, and which exception says so."""

from __future__ import annotations

import io
import logging
import pickle
import ssl
from pathlib import Path
from typing import Any

import httpx
import pytest

import spatial_geometry
from spatial import errors as service_errors
from spatial_geometry import Client
from spatial_geometry._connection import failure_of
from spatial_geometry._effects import Clock
from spatial_geometry._retries import FIRST_SECONDS, LEAST_SECONDS, LONGEST_SECONDS, RetryPolicy
from spatial_geometry.error_types import ERROR_TYPES
from tests.client.both import KINDS, Kind, call
from tests.client.loopback import DOCUMENT, KEY, Cut, Reply, error, loopback, now

FILE: dict[str, Any] = {"file": b"ISO-10303-21;", "file_name": "a.step"}


@pytest.mark.requirement("client.retries", "client.idempotency-key", "client.same-methods")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "first",
    [
        now(429, "rate_limit_exceeded"),
        now(503, "converter_unavailable"),
        now(409, "idempotency_in_progress"),
        Reply(502, b"<html>Bad Gateway</html>", {"Content-Type": "text/html", "Retry-After": "0"}),
        Cut(),
        Cut(after=5),
    ],
    ids=["429", "503", "409", "502", "cut", "cut-midway"],
)
def test_what_may_succeed_later_is_sent_again_with_the_key_of_the_first_attempt(kind: Kind, first: Any) -> None:
    with loopback(first, first, Reply(body=DOCUMENT)) as server:
        document = call(kind, server.url, "extract", **FILE)
    assert document.units == "millimeter"
    keys = {sent.headers["idempotency-key"] for sent in server.sent}
    assert len(server.sent) == 3 and len(keys) == 1
    assert len({sent.body for sent in server.sent if sent.body.endswith(b"}")}) == 1


@pytest.mark.requirement("client.retries")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("status", "type", "expected"),
    [
        (400, "invalid_request_error", spatial_geometry.InvalidRequest),
        (402, "payment_required", spatial_geometry.PaymentRequired),
        (409, "idempotency_conflict", spatial_geometry.IdempotencyConflict),
        (422, "parse_error", spatial_geometry.ParseError),
        (422, "invalid_request_error", spatial_geometry.InputRejected),
        (500, "internal_error", spatial_geometry.InternalError),
    ],
)
def test_what_would_be_refused_again_is_sent_once(
    kind: Kind, status: int, type: str, expected: type[Exception]
) -> None:
    with loopback(error(status, type)) as server, pytest.raises(expected) as caught:
        call(kind, server.url, "extract", **FILE)
    assert len(server.sent) == 1
    refused = caught.value
    assert isinstance(refused, spatial_geometry.SpatialError)
    assert (refused.status, refused.type, refused.request_id) == (status, type, "req_9")
    assert refused.details == {"field": "file"} and refused.message == "it was refused; correct it"
    assert str(pickle.loads(pickle.dumps(refused))) == str(refused)


@pytest.mark.requirement("client.idempotency-key")
def test_two_calls_have_two_keys_and_a_caller_may_give_one() -> None:
    with loopback(Reply(body=DOCUMENT)) as server:
        for _ in range(2):
            call("blocking", server.url, "extract", **FILE)
        call("blocking", server.url, "extract", **FILE, idempotency_key="order-4711")
    first, second, own = (sent.headers["idempotency-key"] for sent in server.sent)
    assert first != second and own == "order-4711"


@pytest.mark.requirement("client.retries")
def test_a_wait_beyond_the_bound_ends_the_attempts_and_says_how_long() -> None:
    refusal = error(429, "rate_limit_exceeded", Retry_After="3600")
    with loopback(refusal) as server, pytest.raises(spatial_geometry.RateLimitExceeded) as caught:
        call("blocking", server.url, "extract", **FILE)
    assert len(server.sent) == 1 and caught.value.retry_after == 3600


@pytest.mark.requirement("client.retries")
def test_the_delay_is_random_below_a_bound_that_grows_and_ends_with_the_time() -> None:
    refused = spatial_geometry.Unavailable("it is away; try again")
    policy = RetryPolicy(60, Clock(lambda: 100.0), jitter=lambda: 1.0)
    assert [policy.wait_before(attempt, 100.0, refused) for attempt in range(8)] == [
        FIRST_SECONDS, 1.0, 2.0, 4.0, 8.0, 16.0, LONGEST_SECONDS, LONGEST_SECONDS,
    ]  # fmt: skip
    assert RetryPolicy(60, Clock(lambda: 100.0), jitter=lambda: 0.25).wait_before(2, 100.0, refused) == 0.5
    assert policy.wait_before(0, 39.0, refused) is None
    for stated, wait in ((0, LEAST_SECONDS), (7, 7)):
        assert (
            policy.wait_before(0, 100.0, spatial_geometry.Unavailable("it is away; try again", retry_after=stated))
            == wait
        )
    assert RetryPolicy(0).wait_before(0, 0.0, refused) is None
    assert policy.wait_before(0, 100.0, spatial_geometry.NotFound("there is none; check the id")) is None


@pytest.mark.requirement("client.errors")
def test_every_error_of_the_service_has_its_class() -> None:
    wanted = {
        kind.__name__: (kind.status, kind.type) for kind in tree(service_errors.SpatialError) if "type" in vars(kind)
    }
    assert {kind.__name__: (kind.status, kind.type) for kind in ERROR_TYPES} == wanted
    for kind in ERROR_TYPES:
        assert getattr(spatial_geometry, kind.__name__) is kind, "add it to spatial_geometry/__init__.py"


def tree(kind: type[Any]) -> list[type[Any]]:
    return [
        child
        for found in kind.__subclasses__()
        if found.__module__ == kind.__module__
        for child in (found, *tree(found))
    ]


@pytest.mark.requirement("client.errors")
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, spatial_geometry.InvalidRequest),
        (404, spatial_geometry.NotFound),
        (409, spatial_geometry.Conflict),
        (418, spatial_geometry.RequestRefused),
        (422, spatial_geometry.Unprocessable),
        (503, spatial_geometry.Unavailable),
        (507, spatial_geometry.ServerError),
    ],
)
def test_an_unknown_type_has_the_class_of_its_status(status: int, expected: type[Exception]) -> None:
    with loopback(error(status, "from_the_future")) as server, pytest.raises(expected) as caught:
        call("blocking", server.url, "extract", **FILE, retry_seconds=0)
    assert type(caught.value) is expected
    assert isinstance(caught.value, spatial_geometry.SpatialError) and caught.value.type == "from_the_future"


@pytest.mark.requirement("client.errors")
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_a_proxy_is_an_error_that_says_so_and_does_not_quote_it(kind: Kind) -> None:
    page = Reply(502, b"<html>Authorization: Bearer sk_secret</html>", {"Content-Type": "text/html; charset=utf-8"})
    with loopback(page) as server, pytest.raises(spatial_geometry.GatewayError, match="502 with text/html") as caught:
        call(kind, server.url, "extract", **FILE, retry_seconds=0)
    assert caught.value.status == 502 and "sk_secret" not in str(caught.value)


@pytest.mark.requirement("client.errors")
@pytest.mark.parametrize("body", [b"<html>welcome</html>", {"hello": "world"}], ids=["html", "json"])
def test_an_answer_of_another_program_is_not_taken_for_a_document(body: Any) -> None:
    with (
        loopback(Reply(body=body)) as server,
        pytest.raises(spatial_geometry.UnexpectedAnswer, match="check that base_url"),
    ):
        call("blocking", server.url, "extract", **FILE)


@pytest.mark.requirement("client.errors")
@pytest.mark.parametrize("kind", KINDS)
def test_a_service_that_does_not_run_is_a_failed_connection(kind: Kind) -> None:
    with loopback(Reply()) as server:
        pass
    with pytest.raises(spatial_geometry.ConnectionFailed, match="check base_url") as caught:
        call(kind, server.url, "models", retry_seconds=0)
    assert caught.value.status is None


@pytest.mark.requirement("client.retries")
def test_a_certificate_that_is_not_trusted_is_not_tried_again() -> None:
    untrusted = httpx.ConnectError("certificate verify failed")
    untrusted.__cause__ = ssl.SSLCertVerificationError("self-signed")
    assert failure_of(untrusted).is_final
    assert not failure_of(httpx.ConnectError("refused")).is_final


@pytest.mark.requirement("client.key-secret")
def test_the_key_is_in_no_repr_error_or_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with loopback(now(503, "converter_unavailable"), error(401, "authentication_error")) as server:
        client = Client(KEY, server.url)
        with client, pytest.raises(spatial_geometry.AuthenticationFailed) as caught:
            client.extract(b"ISO-10303-21;", file_name="a.step")
        shown = [repr(client), str(caught.value), repr(caught.value), *(str(value) for value in vars(client).values())]
    assert server.sent[0].headers["authorization"] == f"Bearer {KEY}"
    assert "POST /api/v1/cad/extract is sent again" in caplog.text
    assert KEY not in " ".join([*shown, caplog.text])
    for wrong in ("sk_x\n", "sk_ü", "sk x"):
        with pytest.raises(ValueError, match="as it was issued") as refused:
            Client(wrong, server.url)
        assert wrong not in str(refused.value)


@pytest.mark.requirement("client.key-secret")
def test_the_key_and_the_address_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with loopback(Reply(body=DOCUMENT)) as server:
        monkeypatch.setenv("SPATIAL_API_KEY", KEY)
        monkeypatch.setenv("SPATIAL_BASE_URL", f"{server.url}/")
        with Client() as client:
            client.extract(b"ISO-10303-21;", file_name="a.step")
    assert server.sent[0].headers["authorization"] == f"Bearer {KEY}"
    for wrong in ("localhost:8000", "http://user:secret@host", "http://host?key=1", "http://[::1", "ftp://host"):
        with pytest.raises(ValueError, match="http://") as refused:
            Client(base_url=wrong)
        assert "secret" not in str(refused.value)


@pytest.mark.requirement("client.sources")
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_a_path_bytes_or_an_open_file(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "a.step"
    path.write_bytes(b"ISO-10303-21;")
    with loopback(Reply(body=DOCUMENT)) as server, path.open("rb") as opened:
        sources: list[tuple[Any, str | None]] = [
            (path, None),
            (str(path), None),
            (path.read_bytes(), "a.step"),
            (opened, None),
            (Pipe(path.read_bytes()), "a.step"),
        ]
        for source, name in sources:
            call(kind, server.url, "extract", source, file_name=name)
    assert {sent.json["file_name"] for sent in server.sent} == {"a.step"}
    assert {sent.json["content_base64"] for sent in server.sent} == {"SVNPLTEwMzAzLTIxOw=="}
    with pytest.raises(ValueError, match="pass file_name"):
        call(kind, server.url, "extract", b"ISO-10303-21;")
    with path.open() as text, pytest.raises(TypeError, match="mode 'rb'"):
        call(kind, server.url, "extract", text)


class Pipe(io.BytesIO):
    """A file that can be read once."""

    def seekable(self) -> bool:
        return False


@pytest.mark.requirement("client.newer-service")
def test_what_a_newer_service_adds_does_no_harm() -> None:
    newer = {
        **DOCUMENT,
        "tolerance_stack": [1, 2],
        "structure": {"kind": "mesh3d", "solids": [{"id": "s", "representation": "voxels", "density": 7.85}]},
    }
    with loopback(Reply(body=newer)) as server:
        document = call("blocking", server.url, "extract", **FILE)
    assert document.structure.kind == "mesh3d" and document.structure.solids[0].density == 7.85
    assert document.model_dump(by_alias=True, exclude_unset=True) == newer


@pytest.mark.requirement("client.respond")
@pytest.mark.parametrize("kind", KINDS)
def test_items_of_a_batch_of_tasks_are_sent_again_alone_while_that_may_help(kind: Kind) -> None:
    response = {"id": "resp_1", "model": "reasoner-1.0", "output": [], "request_id": "req_1", "router": {}}
    busy = {
        "status": 503,
        "error": {"message": "no worker; wait", "type": "desktop_inference_unavailable"},
        "retry_after": 1,
    }
    wrong = {"status": 422, "error": {"message": "no such object; name one", "type": "invalid_request_error"}}
    first = Reply(
        207,
        {"request_id": "req_1", "data": [{"status": 200, "response": response}, {**busy, "retry_after": None}, wrong]},
    )
    second = Reply(200, {"request_id": "req_2", "data": [{"status": 200, "response": {**response, "id": "resp_2"}}]})
    tasks = [{"task_type": "classify", "n": number} for number in range(3)]
    with loopback(first, second) as server:
        found = call(kind, server.url, "respond_batch", tasks)
    assert [len(sent.json["requests"]) for sent in server.sent] == [3, 1]
    assert server.sent[1].json["requests"][0]["input"]["n"] == 1
    assert [one.response and one.response.id for one in found] == ["resp_1", "resp_2", None]
    with pytest.raises(spatial_geometry.InputRejected):
        found[2].result()

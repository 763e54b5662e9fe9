"""Posts to URLs from outside: what is refused, and what of the answer counts. Nothing leaves the machine, guard or no guard."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from spatial.errors import InvalidRequest
from storage.net.guard import Network
from storage.net.post import Answer, NotPosted, check_shape, post
from tests.storage.net.test_public_url import NOT_PUBLIC
from tests.support.receiver import PUBLIC, Names, Receiver, Wire, answer, network_to, receiving

ALLOWED = ("hooks.example.com:80",)
URL = "http://hooks.example.com/hook"


@pytest.fixture(autouse=True)
def _no_system_resolver(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(host: object, *_: object, **__: object) -> None:
        raise AssertionError(f"the test asked the system to resolve {host!r}")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", refused)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A receiver of the test's own."""
    async with receiving() as opened:
        yield opened


async def posted(receiver: Receiver, url: str = URL, *, seconds: float = 30.0, at: float = 0.0) -> Answer:
    """To an endpoint that may do without TLS, at a time."""
    network = network_to(receiver)
    return await post(
        url, {"webhook-id": "msg_1"}, b"{}", allow=ALLOWED, network=network, seconds=seconds, clock=lambda: at
    )


@pytest.mark.requirement("notifications.addresses")
@pytest.mark.parametrize("address", [address for address in NOT_PUBLIC if address])
async def test_a_name_with_an_address_that_is_not_public_is_refused_before_any_connection(address: str) -> None:
    for found in ([address], [PUBLIC, address]):
        wire = Wire(0)
        network = Network(resolver=Names({"inside.example.com": found}), connector=wire)
        with pytest.raises(NotPosted, match="resolves to"):
            await post("https://inside.example.com/x", {}, b"{}", network=network, seconds=30)
        assert wire.asked == []


@pytest.mark.requirement("notifications.addresses")
@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",
        "https://localhost/",
        "https://metadata.google.internal/",
        "https://hooks.example.com:22/",
        "https://me:secret@hooks.example.com/",
        "ftp://hooks.example.com/",
        "hooks.example.com",
    ],
)
async def test_a_url_that_is_not_public_or_without_tls_is_refused_without_the_network(url: str) -> None:
    with pytest.raises(InvalidRequest, match="use a public https URL"):
        check_shape(url)
    wire = Wire(0)
    with pytest.raises(NotPosted, match="the URL "):
        await post(url, {}, b"{}", network=Network(resolver=Names(), connector=wire), seconds=30)
    assert wire.asked == []


@pytest.mark.requirement("notifications.addresses")
async def test_an_allowed_host_and_port_is_posted_to_without_tls_and_no_other_one(receiver: Receiver) -> None:
    check_shape(URL, allow=ALLOWED)
    assert (await posted(receiver)).status == 204
    [arrived] = receiver.posts
    assert (arrived.body, arrived.message_id) == (b"{}", "msg_1")
    assert arrived.headers["host"] == "hooks.example.com"
    for url in ("http://hooks.example.com:8080/", "http://other.example.com/"):
        with pytest.raises(NotPosted, match="not an https URL"):
            await posted(receiver, url)


@pytest.mark.requirement("notifications.redirects")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_the_answer(receiver: Receiver, status: int) -> None:
    receiver.answers["/hook"] = answer(status, "Location: http://hooks.example.com/other")
    assert (await posted(receiver)).status == status
    assert len(receiver.posts) == 1


@pytest.mark.requirement("notifications.retry-after")
@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("99999999999999999999", 999999999.0),
        ("-5", None),
        ("soon", None),
        ("٣", None),
    ],
)
async def test_a_retry_after_is_seconds_or_a_date(receiver: Receiver, header: str, seconds: float | None) -> None:
    line = f"Retry-After: {header}".encode()
    receiver.answers["/hook"] = b"HTTP/1.1 429 No\r\n" + line + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    assert await posted(receiver, at=100.0) == Answer(429, seconds)


@pytest.mark.requirement("notifications.answer")
@pytest.mark.parametrize(
    "body",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + bytes(2_000_000),
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nends too early",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno chunk",
    ],
)
async def test_only_the_status_of_an_answer_counts(receiver: Receiver, body: bytes) -> None:
    receiver.answers["/hook"] = body
    assert await posted(receiver) == Answer(200)


@pytest.mark.requirement("notifications.answer")
async def test_an_endpoint_without_an_answer_in_time_or_at_all_is_no_answer(receiver: Receiver) -> None:
    receiver.hanging.add("/hook")
    with pytest.raises(NotPosted, match=r"no answer within 0\.2 s"):
        await posted(receiver, seconds=0.2)
    receiver.answers["/other"] = b"SSH-2.0-OpenSSH_9.2\r\n"
    with pytest.raises(NotPosted, match="does not speak HTTP"):
        await posted(receiver, "http://hooks.example.com/other")
    nobody = Network(resolver=Names({"hooks.example.com": []}), connector=Wire(0))
    with pytest.raises(NotPosted, match="does not resolve"):
        await post(URL, {}, b"{}", allow=ALLOWED, network=nobody, seconds=30)

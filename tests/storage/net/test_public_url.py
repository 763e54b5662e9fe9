"""content_url: what is refused, what is fetched, and from where.

Nothing here can leave the machine, guard or no guard: names are resolved by a table of the test, connections are made by a connector
that only ever opens sockets to 127.0.0.1, and the system's own resolver is switched off.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import socket
import ssl
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpcore
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from spatial.errors import InvalidRequest, RequestTooLarge
from storage.net import addresses, public_url

PUBLIC = "93.184.215.14"
"""Stands for a public host; the connector takes it to the test's own server."""

NAME = "files.example.com"


@pytest.fixture(autouse=True)
def _no_system_resolver(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(host: object, *_: object, **__: object) -> None:
        raise AssertionError(f"the test asked the system to resolve {host!r}")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", refused)


@dataclass
class Names:
    """A resolver that is a table: host to addresses, or one list of addresses after the other."""

    table: dict[str, list[str] | list[list[str]]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        answers: Any = self.table.get(host)
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        if answers and isinstance(answers[0], list):
            return list(answers.pop(0) if len(answers) > 1 else answers[0])
        return list(answers)


@dataclass
class Wire(httpcore.AsyncNetworkBackend):
    """Opens connections to the test's server on 127.0.0.1 in the name of addresses that the test expects; to nothing else."""

    port: int = 0
    expected: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.asked.append(f"{host}:{port}")
        if host in self.down:
            raise httpcore.ConnectError("no route")
        assert host in self.expected, f"the guard let a connection to {host}:{port} through"
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self.port, timeout=timeout)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass
class Server:
    """An HTTP server that answers with the very bytes it is told to."""

    port: int
    requests: list[tuple[str, dict[str, str]]]


@asynccontextmanager
async def _serving(answers: dict[str, Any], tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    """Path to the bytes of the whole answer, or to an asynchronous iterator of them."""
    requests: list[tuple[str, dict[str, str]]] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            path = head[0].split()[1]
            requests.append((path, {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:-2])}))
            answer = answers[path]
            async for chunk in answer() if callable(answer) else _once(answer):
                writer.write(chunk)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield Server(server.sockets[0].getsockname()[1], requests)


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data


def _ok(body: bytes, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers, "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _redirect(location: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()


async def _fetch(server: Server, url: str = f"http://{NAME}/part.step", **options: Any) -> public_url.Download:
    """Through a name that is public, to the server."""
    options.setdefault("resolver", Names({NAME: [PUBLIC]}))
    options.setdefault("connector", Wire(server.port, (PUBLIC,)))
    return await public_url.download(url, **options)


NOT_PUBLIC = [
    "0.0.0.0", "0.1.2.3", "10.0.0.5", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.254", "127.0.0.1",
    "127.255.255.254", "168.63.129.16", "169.254.169.254", "169.254.0.1", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
    "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.5", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "::127.0.0.1", "::8.8.8.8",
    "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::a00:5", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:808:808::1", "3fff::1", "4000::1", "5f00::1", "fc00::1",
    "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "2606:4700::5efe:a00:5", "2606:4700::200:5efe:7f00:1",
    "", "localhost", "1.2.3", "2606:4700::1%eth0",
]  # fmt: skip


@pytest.mark.requirement("content-url.addresses", "limit.content-url-hosts")
@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_known_as_what_it_is(address: str) -> None:
    assert addresses.why_not_public(address)


@pytest.mark.requirement("content-url.addresses")
@pytest.mark.parametrize(
    "address", ["1.1.1.1", "8.8.8.8", "93.184.215.14", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1",
                "198.17.255.255", "223.255.255.255", "2606:4700::6810:84e5", "2a00:1450:4001:830::200e", "2001:4860:4860::8888"]
)  # fmt: skip
def test_a_public_address_is_public(address: str) -> None:
    assert addresses.why_not_public(address) is None


@pytest.mark.requirement("content-url.addresses", "limit.content-url-hosts", "error.400.content-url-refused")
@pytest.mark.parametrize("address", [address for address in NOT_PUBLIC if address])
@pytest.mark.parametrize("order", ["alone", "first", "last"])
async def test_a_name_with_one_address_that_is_not_public_is_refused_before_any_connection(
    address: str, order: str
) -> None:
    found = {"alone": [address], "first": [address, PUBLIC], "last": [PUBLIC, address]}[order]
    wire = Wire()
    with pytest.raises(InvalidRequest, match="use a public http") as refusal:
        await public_url.download(f"http://{NAME}/x", resolver=Names({NAME: found}), connector=wire)
    assert wire.asked == []
    assert refusal.value.details == {"field": "content_url", "address": address}


@pytest.mark.requirement("content-url.addresses")
async def test_the_refusal_says_what_was_wrong_and_what_to_do() -> None:
    with pytest.raises(InvalidRequest) as refusal:
        await public_url.download(f"http://{NAME}/x", resolver=Names({NAME: ["10.0.0.5"]}), connector=Wire())
    expected = "content_url resolves to 10.0.0.5, a private address; use a public http(s) URL or send content_base64"
    assert refusal.value.message == expected


SPELLINGS = [
    "127.0.0.1", "127.1", "127.0.1", "0", "0.0.0.0", "2130706433", "0x7f000001", "0x7f.1", "0x7f.0.0.0x1", "017700000001",
    "0177.0.0.1", "0177.0.1", "00000177.1", "3232235521", "0xa.0.0.5", "0xa9fea9fe", "169.254.169.254", "2852039166",
    "0251.0376.0251.0376", "127.0.0.1.", "127。0。0。1", "①②⑦.⓪.⓪.①", "１２７.0.0.1", "127%2e0%2e0%2e1", "%31%32%37.0.0.1",
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:7f00:1]", "[::127.0.0.1]",
    "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fe80::1%25eth0]",
    "[fe80::1%eth0]", "[fd00::1]", "[fec0::1]", "[ff02::1]", "[v1.fe80::a]", "[::1", "::1",
    "localhost", "LOCALHOST", "localhost.", "x.localhost", "localhost.localdomain", "printer.local", "metadata.google.internal",
    "router.home.arpa", "ⓛocalhost", "loc\u00adalhost",
]  # fmt: skip


@pytest.mark.requirement("content-url.spellings", "limit.content-url-hosts", "error.400.content-url-refused")
@pytest.mark.parametrize("host", SPELLINGS)
@pytest.mark.parametrize("form", ["http://{}/x", "https://{}:443/x", "http://{}:8080/x"])
async def test_every_spelling_of_a_host_that_is_not_public_is_refused_without_the_network(host: str, form: str) -> None:
    names, wire = Names({}), Wire()
    with pytest.raises(InvalidRequest):
        public_url.check_shape(form.format(host))
    with pytest.raises(InvalidRequest):
        await public_url.download(form.format(host), resolver=names, connector=wire)
    assert (names.asked, wire.asked) == ([], [])


SHAPES = [
    "", " ", "x", "//files.example.com/x", "files.example.com/x", "file:///etc/passwd", "ftp://files.example.com/x",
    "gopher://files.example.com/", "data:,x", "javascript:1", "http:", "http://", "http:///x", "http:files.example.com",
    "http://user@files.example.com/", "http://user:password@files.example.com/", "http://:@files.example.com/",
    "http://a@b@files.example.com/", "http://files.example.com\\@127.0.0.1/", "http:\\\\files.example.com\\x",
    "http://files.example.com:0/", "http://files.example.com:65536/", "http://files.example.com:-1/", "http://files.example.com:x/",
    "http://files.example.com:22/", "http://files.example.com:25/", "http://files.example.com:6667/", "https://files.example.com:6000/",
    "http://files..example.com/", "http://.files.example.com/", f"http://{'a' * 64}.com/", f"http://{'a.' * 130}com/",
    "http://files.exa mple.com/", "http://files.example.com/\r\nX: y", "http://files.exam\tple.com/", "http://files.example.com/\0",
    "http://xn--a/", "http://files.example.com/" + "x" * 4096, "http://ﬁles%00.example.com/", "unix:///run/x.sock", "http+unix://%2frun/",
]  # fmt: skip


@pytest.mark.requirement("content-url.shape", "error.400.content-url-refused")
@pytest.mark.parametrize("url", SHAPES)
async def test_a_url_of_another_shape_is_refused_without_the_network(url: str) -> None:
    names, wire = Names({}), Wire()
    with pytest.raises(InvalidRequest) as refusal:
        public_url.check_shape(url)
    assert refusal.value.details == {"field": "content_url"}
    with pytest.raises(InvalidRequest):
        await public_url.download(url, resolver=names, connector=wire)
    assert (names.asked, wire.asked) == ([], [])


@pytest.mark.requirement("content-url.shape")
@pytest.mark.parametrize(
    "url", ["http://files.example.com", "HTTPS://Files.Example.Com:443/a b?c=d#e", "http://files.example.com:8080/x", "http://münchen.de/",
            "https://my_files.example.com./x", "http://[2606:4700::6810:84e5]:8080/x", "http://93.184.215.14/x", "https://1.example/"]
)  # fmt: skip
def test_a_public_shape_is_accepted(url: str) -> None:
    public_url.check_shape(url)


@pytest.mark.requirement("content-url.download")
async def test_a_file_is_fetched_from_the_address_that_was_judged() -> None:
    names = Names({NAME: [[PUBLIC], ["127.0.0.1"]]})  # the second answer comes too late to matter
    async with _serving({"/dir/a%20part.step?v=1": _ok(b"ISO-10303-21;", "Content-Type: model/step")}) as server:
        wire = Wire(server.port, (PUBLIC,))
        url = f"http://{NAME}/dir/a part.step?v=1#fragment"
        got = await public_url.download(url, resolver=names, connector=wire)
    assert got == public_url.Download(b"ISO-10303-21;", "a part.step", "model/step")
    assert (names.asked, wire.asked) == ([NAME], [f"{PUBLIC}:80"])
    [(_, headers)] = server.requests
    assert headers["host"] == NAME
    assert headers["accept-encoding"] == "identity"
    assert not {"authorization", "cookie", "referer", "proxy-authorization"} & headers.keys()


@pytest.mark.requirement("content-url.download")
async def test_an_address_that_does_not_answer_is_followed_by_the_next_one() -> None:
    other = "2606:4700::6810:84e5"
    async with _serving({"/part.step": _ok(b"x")}) as server:
        wire = Wire(server.port, (PUBLIC,), down=(other,))
        got = await _fetch(server, resolver=Names({NAME: [other, PUBLIC]}), connector=wire)
    assert got.data == b"x"
    assert wire.asked == [f"{other}:80", f"{PUBLIC}:80"]


@pytest.mark.requirement("content-url.environment")
async def test_nothing_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine {NAME} login me password secret")
    monkeypatch.setenv("NETRC", str(netrc))
    async with _serving({"/part.step": _ok(b"x")}) as server:
        assert (await _fetch(server)).data == b"x"
    assert "authorization" not in server.requests[0][1]


REDIRECT_TARGETS = [
    "http://127.0.0.1/x", "http://[::1]/x", "http://2130706433/", "//127.0.0.1/x", "http://localhost/", "file:///etc/passwd",
    "ftp://files.example.com/", "http://user:password@files.example.com/", "http://files.example.com:22/", "http://[bad",
]  # fmt: skip


@pytest.mark.requirement("content-url.redirects", "limit.content-url-hosts")
@pytest.mark.parametrize("target", REDIRECT_TARGETS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_what_would_be_refused_is_refused(target: str, status: int) -> None:
    async with _serving({"/part.step": _redirect(target, status)}) as server:
        wire = Wire(server.port, (PUBLIC,))
        with pytest.raises(InvalidRequest, match="redirects to"):
            await _fetch(server, connector=wire)
    assert wire.asked == [f"{PUBLIC}:80"]


@pytest.mark.requirement("content-url.redirects")
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.5", "::ffff:169.254.169.254"])
async def test_a_redirect_to_a_name_that_is_not_public_is_refused(address: str) -> None:
    async with _serving({"/part.step": _redirect("http://inside.example.com/x")}) as server:
        wire = Wire(server.port, (PUBLIC,))
        with pytest.raises(InvalidRequest, match="resolves to"):
            await _fetch(server, resolver=Names({NAME: [PUBLIC], "inside.example.com": [address]}), connector=wire)
    assert wire.asked == [f"{PUBLIC}:80"]


@pytest.mark.requirement("content-url.redirects")
async def test_a_name_that_moves_inside_between_two_hops_is_refused() -> None:
    names = Names({NAME: [[PUBLIC], ["127.0.0.1"]]})
    async with _serving({"/part.step": _redirect("/moved"), "/moved": _ok(b"x")}) as server:
        wire = Wire(server.port, (PUBLIC,))
        with pytest.raises(InvalidRequest, match="loopback"):
            await _fetch(server, resolver=names, connector=wire)
    assert wire.asked == [f"{PUBLIC}:80"]


@pytest.mark.requirement("content-url.redirects")
async def test_redirects_to_public_hosts_are_followed_five_times() -> None:
    hops = {f"/{n}": _redirect(f"/{n + 1}") for n in range(4)} | {"/4": _redirect("http://other.example.com:8080/5")}
    names = Names({NAME: [PUBLIC], "other.example.com": ["8.8.4.4"]})
    async with _serving(hops | {"/5": _ok(b"there")}) as server:
        wire = Wire(server.port, (PUBLIC, "8.8.4.4"))
        assert (await _fetch(server, f"http://{NAME}/0", resolver=names, connector=wire)).data == b"there"
        assert wire.asked[-1] == "8.8.4.4:8080"
        assert server.requests[-1][1]["host"] == "other.example.com:8080"


@pytest.mark.requirement("content-url.redirects")
async def test_a_sixth_redirect_is_not_followed() -> None:
    async with _serving({"/part.step": _redirect("/part.step")}) as server:
        with pytest.raises(InvalidRequest, match="more than 5 times"):
            await _fetch(server)
    assert len(server.requests) == 6


@pytest.mark.requirement("content-url.too-large-413")
async def test_a_file_over_the_limit_is_413_whatever_its_server_says() -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        while True:
            yield b"1000\r\n" + bytes(0x1000) + b"\r\n"

    async def unannounced() -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + bytes(1001)

    announced = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n"
    async with _serving({"/endless": endless, "/unannounced": unannounced, "/announced": announced}) as server:
        for path in ("endless", "unannounced", "announced"):
            with pytest.raises(RequestTooLarge) as refusal:
                await _fetch(server, f"http://{NAME}/{path}", limit=1000)
            assert refusal.value.details == {"limit_bytes": 1000}


@pytest.mark.requirement("content-url.download")
async def test_a_file_of_exactly_the_limit_is_fetched() -> None:
    async with _serving({"/part.step": _ok(bytes(1000)), "/empty": _ok(b"")}) as server:
        assert len((await _fetch(server, limit=1000)).data) == 1000
        assert (await _fetch(server, f"http://{NAME}/empty")).data == b""


@pytest.mark.requirement("content-url.encoding")
@pytest.mark.parametrize("encoding", ["gzip", "br", "GZIP, identity", "x-anything"])
async def test_an_encoding_that_was_not_asked_for_is_refused(encoding: str) -> None:
    async with _serving({"/part.step": _ok(b"x", f"Content-Encoding: {encoding}")}) as server:
        with pytest.raises(InvalidRequest, match="Content-Encoding"):
            await _fetch(server)


BROKEN = {
    "/404": b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "/500": b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
    "/206": b"HTTP/1.1 206 Partial\r\nContent-Length: 1\r\n\r\nx",
    "/204": b"HTTP/1.1 204 No Content\r\n\r\n",
    "/304": b"HTTP/1.1 304 Not Modified\r\n\r\n",
    "/nowhere": b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    "/garbage": b"SSH-2.0-OpenSSH_9.2\r\n",
    "/nothing": b"",
    "/half": b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
    "/header": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    "/two": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
}


@pytest.mark.requirement("content-url.unfetchable-400")
@pytest.mark.parametrize("path", sorted(BROKEN))
async def test_what_cannot_be_fetched_is_400(path: str) -> None:
    async with _serving(BROKEN) as server:
        with pytest.raises(InvalidRequest, match="content_url") as refusal:
            await _fetch(server, f"http://{NAME}{path}")
    assert refusal.value.details == {"field": "content_url"}


@pytest.mark.requirement("content-url.unfetchable-400")
async def test_a_name_that_does_not_resolve_and_a_host_that_is_down_are_400() -> None:
    with pytest.raises(InvalidRequest, match="does not resolve"):
        await public_url.download("http://nobody.example.com/", resolver=Names({}), connector=Wire())
    with pytest.raises(InvalidRequest, match="cannot be reached"):
        await public_url.download(f"http://{NAME}/", resolver=Names({NAME: [PUBLIC]}), connector=Wire(down=(PUBLIC,)))
    with pytest.raises(InvalidRequest, match="cannot be reached"):
        await public_url.download(f"http://{NAME}/", resolver=Names({NAME: []}), connector=Wire())


@pytest.mark.requirement("content-url.unfetchable-400", "limit.content-url-seconds")
@pytest.mark.parametrize("slow", ["resolver", "connector", "head", "body", "redirects"])
async def test_the_time_covers_names_connections_redirects_and_the_last_byte(slow: str) -> None:
    forever = asyncio.Event()

    async def trickle() -> AsyncIterator[bytes]:
        if slow != "head":
            yield b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
        await forever.wait()
        yield b""

    async def resolver(host: str, port: int) -> list[str]:
        if slow == "resolver":
            await forever.wait()
        return [PUBLIC]

    class Slow(Wire):
        async def connect_tcp(self, *arguments: Any, **options: Any) -> httpcore.AsyncNetworkStream:
            if slow == "connector":
                await forever.wait()
            return await super().connect_tcp(*arguments, **options)

    answers = {"/part.step": _redirect("/on") if slow == "redirects" else trickle, "/on": trickle}
    async with _serving(answers) as server:
        with pytest.raises(InvalidRequest, match=r"within 0\.2 s"):
            await _fetch(server, resolver=resolver, connector=Slow(server.port, (PUBLIC,)), seconds=0.2)
        forever.set()


@pytest.mark.requirement("content-url.allow")
async def test_an_allowed_host_and_port_is_fetched_although_it_is_not_public() -> None:
    async with _serving({"/part.step": _ok(b"x")}) as server:
        allow = (f"127.0.0.1:{server.port}", f"files.internal:{server.port}")
        names = Names({"127.0.0.1": ["127.0.0.1"], "files.internal": ["127.0.0.1"]})
        for host in ("127.0.0.1", "files.internal", "FILES.internal."):
            url = f"http://{host}:{server.port}/part.step"
            public_url.check_shape(url, allow=allow)
            wire = Wire(server.port, ("127.0.0.1",))
            names.table.setdefault("files.internal.", ["127.0.0.1"])
            assert (await public_url.download(url, allow=allow, resolver=names, connector=wire)).data == b"x"


@pytest.mark.requirement("content-url.allow")
async def test_allowing_one_port_allows_no_other_port_host_or_redirect() -> None:
    answers = {"/part.step": _redirect("http://127.0.0.1:1/x"), "/name": _redirect(f"http://{NAME}/x")}
    async with _serving(answers) as server:
        allow = (f"127.0.0.1:{server.port}",)
        names = Names({"127.0.0.1": ["127.0.0.1"], NAME: ["127.0.0.1"]})
        for url in ("http://127.0.0.1:1/", f"http://localhost:{server.port}/", f"http://127.1:{server.port}/"):
            with pytest.raises(InvalidRequest):
                public_url.check_shape(url, allow=allow)
        for path in ("/part.step", "/name"):
            wire = Wire(server.port, ("127.0.0.1",))
            with pytest.raises(InvalidRequest):
                await public_url.download(
                    f"http://127.0.0.1:{server.port}{path}", allow=allow, resolver=names, connector=wire
                )
            assert wire.asked == [f"127.0.0.1:{server.port}"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and self-made certificate of NAME, valid for a day."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder(subject_name=subject, issuer_name=subject, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.mark.requirement("content-url.tls")
async def test_over_tls_the_name_is_asked_for_and_proven_whatever_the_address(certificate: Path) -> None:
    asked: list[str | None] = []
    serving, trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    serving.load_cert_chain(certificate)
    serving.sni_callback = lambda _socket, name, _context: asked.append(name)
    trust.load_verify_locations(certificate)
    async with _serving({"/part.step": _ok(b"x")}, tls=serving) as server:
        got = await _fetch(server, f"https://{NAME}/part.step", trust=trust)
        assert (got.data, asked) == (b"x", [NAME])
        with pytest.raises(InvalidRequest, match="certificate"):  # another name
            await _fetch(server, "https://x.example.com/", trust=trust, resolver=Names({"x.example.com": [PUBLIC]}))
        with pytest.raises(InvalidRequest, match="certificate"):  # an unknown authority
            await _fetch(server, f"https://{NAME}/part.step")

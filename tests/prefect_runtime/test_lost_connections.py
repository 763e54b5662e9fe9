"""Requests over connections that died: they are repeated once the server says that it does not know them, and only then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from benchmarks.stack import free_port
from converter.calls import CallsMiddleware, CallStatus
from prefect_runtime.lost_connections import ROUTE, WatchedTransport
from siege.proxy import proxied

pytestmark = pytest.mark.requirement("runtime.lost-connection")


class Server:
    """A server over HTTP that works on `/slow` until it is told to end, keeps the bodies, and counts the questions."""

    def __init__(self, name: str) -> None:
        self.end = asyncio.Event()
        self.questions = 0
        self.bodies = list[bytes]()
        under_way = set[str]()

        async def slow(request: Request) -> Response:
            self.bodies.append(await request.body())
            await self.end.wait()
            return JSONResponse({"from": name})

        async def ask(request: Request) -> Response:
            self.questions += 1
            return JSONResponse(CallStatus(under_way=request.path_params["id"] in under_way).model_dump())

        app = Starlette(routes=[Route("/slow", slow, methods=["GET", "POST"]), Route(f"/{ROUTE}/{{id}}", ask)])
        self.app = CallsMiddleware(app, under_way, name)


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[int]:
    """The port of the loopback where an application is served."""
    server = uvicorn.Server(uvicorn.Config(app, port=(port := free_port()), log_level="error", lifespan="off"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield port
    finally:
        server.should_exit = True
        await running


def client(port: int) -> httpx.AsyncClient:
    """A client that notices lost connections."""
    base = httpx.URL(f"http://127.0.0.1:{port}/")
    return httpx.AsyncClient(
        transport=WatchedTransport(lambda: httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=1)), base),
        base_url=base,
        timeout=120,
    )


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prefect_runtime.lost_connections.LOOK_SECONDS", 0.05)
    monkeypatch.setattr("converter.under_way.LAST_SECONDS", 0.05)


async def test_a_request_over_a_connection_that_died_is_sent_again_over_a_new_one() -> None:
    server = Server("one")
    server.end.set()
    async with serving(server.app) as port:
        with proxied(free_port(), ("127.0.0.1", port)) as proxy:
            async with client(proxy.port) as http:
                assert (await http.get("slow")).json() == {"from": "one"}
                proxy.fault = "half-open"
                lost = asyncio.create_task(http.post("slow", json={"repeated": "body"}))
                while not proxy.struck:
                    await asyncio.sleep(0.01)
                proxy.fault = "none"
                assert (await asyncio.wait_for(lost, 60)).json() == {"from": "one"}
    assert server.bodies == [b"", b'{"repeated":"body"}'], "the lost one never came"


async def test_a_server_that_works_on_a_request_is_waited_for_and_so_is_a_request_that_has_no_connection_yet() -> None:
    server = Server("one")
    async with serving(server.app) as port, client(port) as http:
        both = [asyncio.create_task(http.get("slow")) for _ in range(2)]
        while server.questions < 5:
            await asyncio.sleep(0.01)
        assert len(server.bodies) == 1, "the second one waits for the connection of the first"
        server.end.set()
        assert [(await one).json() for one in both] == [{"from": "one"}] * 2


async def test_a_request_that_another_server_behind_the_address_works_on_is_waited_for() -> None:
    one, two = Server("one"), Server("two")

    async def balanced(scope: Scope, receive: Receive, send: Send) -> None:
        app = one.app if scope["path"] == "/slow" else two.app
        await app(scope, receive, send)

    one.end.set()
    async with serving(balanced) as port, client(port) as http:
        await http.get("slow")
        one.end.clear()
        waiting = asyncio.create_task(http.get("slow"))
        while two.questions < 3:
            await asyncio.sleep(0.01)
        one.end.set()
        assert (await waiting).json() == {"from": "one"}
    assert len(one.bodies) == 2


async def test_a_server_that_does_not_know_the_question_is_waited_for() -> None:
    asked, end = asyncio.Event(), asyncio.Event()

    async def plain(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/slow":
            await end.wait()
            await JSONResponse({})(scope, receive, send)
        else:
            asked.set()
            await Response(status_code=404)(scope, receive, send)

    async with serving(plain) as port, client(port) as http:
        waiting = asyncio.create_task(http.get("slow"))
        await asked.wait()
        end.set()
        assert (await waiting).status_code == 200

"""Connections that are slow, cut, half-open or refused, between our clients and a real Postgres, S3 server and converter.

`make siege ARGS=faults` does the same to a whole stack under load, and fills its disks.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import get_args
from urllib.parse import urlsplit, urlunsplit

import pytest
import sqlalchemy as sa

from benchmarks.stack import free_port
from converter.client import ConverterClient, InputFile
from siege import namespace
from siege.proxy import Fault, Proxy, proxied
from siege.read_only import reading_only
from spatial.errors import Unavailable
from storage.objects import bucket, s3
from storage.objects.lake import Lake, LakeUnavailable
from storage.postgres.database import ANSWER_SECONDS, CONNECT_SECONDS, Database
from storage.settings import Settings
from tests.support.stack import ROOT, SAMPLE

FAULTS = [fault for fault in get_args(Fault) if fault != "none"]
NETWORK = [fault for fault in FAULTS if fault not in ("busy", "short")]
PATIENCE_SECONDS = 300.0
"""Deadline of a right result on any machine: what a call takes is measured elsewhere, and no test is about it."""

CONTENT = b"content of an object " * 4_000

Call = Callable[[], Awaitable[object]]


async def outcome(call: Call) -> object:
    """What a call returns, or the error that says that a part is unavailable; every other error fails the test."""
    try:
        return await call()
    except Unavailable as error:
        return error


async def endured(proxy: Proxy, fault: Fault, call: Call, right: object) -> None:
    """Under a fault each call ends, with its right result or an error that says so; once it is healed all is right again."""
    await answered(call, right)
    proxy.fault = fault
    try:
        found = [await outcome(call) for _ in range(2)]
    finally:
        proxy.fault = "none"
    assert proxy.struck > 0, "the fault was met"
    assert all(isinstance(one, Unavailable) or one == right for one in found), found
    if fault == "slow":
        assert right in found, "what is only slow is waited for"
    await answered(call, right)


async def answered(call: Call, right: object) -> None:
    """Ask until the answer is right, however busy the machine is."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await outcome(call) != right:
            await asyncio.sleep(0.05)


def limit(fault: Fault, usual: float) -> float:
    """Seconds of a limit of the client: where nobody answers, each call takes as long as its limits, whatever they are."""
    return 1.0 if fault == "half-open" else usual


@pytest.mark.requirement("siege.faults")
@pytest.mark.parametrize("fault", NETWORK)
async def test_postgres_behind_a_bad_connection(
    postgres_url: str, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.postgres.database.CONNECT_SECONDS", limit(fault, CONNECT_SECONDS))
    parts = urlsplit(postgres_url)
    with proxied(free_port(), (str(parts.hostname), int(parts.port or 0))) as proxy:
        netloc = parts.netloc.rpartition(":")[0] + f":{proxy.port}"
        database = Database(urlunsplit(parts._replace(netloc=netloc)), answer_seconds=limit(fault, ANSWER_SECONDS))

        async def ask() -> object:
            async with database.transaction() as connection:
                return (await connection.execute(sa.text("SELECT repeat('x', 2000)"))).scalar_one()

        try:
            await endured(proxy, fault, ask, "x" * 2_000)
        finally:
            await database.close()


def as_duckdb_reads(lake: Lake) -> bytes:
    """An object as queries read it, in a thread of DuckDB; every error is an OSError."""
    try:
        return bytes(lake.filesystem.cat_file(lake.path("results/op_1.json"), start=0, end=len(CONTENT)))
    except OSError as error:
        raise LakeUnavailable("the tables cannot be read now") from error


@pytest.fixture
async def kept(s3_settings: Settings) -> AsyncIterator[Settings]:
    """Settings of a bucket with one object."""
    await bucket.ensure_bucket(s3_settings)
    lake = Lake(s3_settings.storage_url, s3_settings.s3_endpoint)
    await lake.put("results/op_1.json", CONTENT)
    yield s3_settings
    await lake.close()


@pytest.mark.requirement("siege.faults")
@pytest.mark.parametrize("fault", FAULTS)
async def test_an_s3_server_behind_a_bad_connection(
    kept: Settings, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short read is never taken for the object."""
    for name in ("CONNECT_SECONDS", "READ_SECONDS"):
        monkeypatch.setattr(s3, name, limit(fault, getattr(s3, name)))
    server = urlsplit(str(kept.s3_endpoint))
    with proxied(free_port(), (str(server.hostname), int(server.port or 0))) as proxy:
        lake = Lake(kept.storage_url, f"http://127.0.0.1:{proxy.port}")
        try:
            await endured(proxy, fault, lambda: lake.get("results/op_1.json"), CONTENT)
            await endured(proxy, fault, lambda: asyncio.to_thread(as_duckdb_reads, lake), CONTENT)
        finally:
            await lake.close()


@pytest.fixture(scope="module")
def converter_port() -> Iterator[int]:
    """A converter that listens on TCP."""
    port = free_port()
    command = [sys.executable, "-m", "converter.service", "--port", str(port), "--workers", "1"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield port
    process.terminate()
    process.wait(timeout=60)


@pytest.mark.requirement("siege.faults")
@pytest.mark.parametrize("fault", NETWORK)
async def test_a_converter_behind_a_bad_connection(converter_port: int, fault: Fault) -> None:
    source = InputFile(file_name=SAMPLE.name, format="step")
    with proxied(free_port(), ("127.0.0.1", converter_port)) as proxy:
        client = ConverterClient(f"http://127.0.0.1:{proxy.port}", timeout=limit(fault, 5))

        async def counts() -> object:
            return (await client.read(source, SAMPLE.read_bytes())).reading.entity_counts

        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while isinstance(right := await outcome(counts), Unavailable):
                    await asyncio.sleep(0.1)
            await endured(proxy, fault, counts, right)
        finally:
            await client.close()


@pytest.mark.requirement("siege.faults", "converter.lost-connection")
async def test_a_call_over_a_connection_that_died_is_seen_while_its_time_limit_is_far(
    converter_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("converter.under_way.LOOK_SECONDS", 0.2)
    monkeypatch.setattr("converter.under_way.LAST_SECONDS", 0.2)
    source = InputFile(file_name=SAMPLE.name, format="step")
    with proxied(free_port(), ("127.0.0.1", converter_port)) as proxy:
        client = ConverterClient(f"http://127.0.0.1:{proxy.port}")
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while isinstance(await outcome(client.health), Unavailable):
                    await asyncio.sleep(0.1)
            proxy.fault = "half-open"
            dead = asyncio.create_task(outcome(lambda: client.read(source, SAMPLE.read_bytes())))
            while not proxy.struck:
                await asyncio.sleep(0.01)
            proxy.fault = "none"
            assert isinstance(await asyncio.wait_for(dead, PATIENCE_SECONDS), Unavailable)
            assert (await client.read(source, SAMPLE.read_bytes())).reading.entity_counts
        finally:
            await client.close()


@pytest.mark.requirement("siege.faults")
async def test_a_database_that_only_reads_is_unavailable_for_writes_and_comes_back(fresh_postgres_url: str) -> None:
    database = Database(fresh_postgres_url)

    async def write() -> object:
        async with database.transaction() as connection:
            await connection.execute(sa.text("CREATE TABLE IF NOT EXISTS written (n int)"))
            return "written"

    try:
        assert await write() == "written"
        async with _reading_only(fresh_postgres_url):
            refused = await outcome(write)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await outcome(write) != "written":
                await asyncio.sleep(0.05)
    finally:
        await database.close()
    assert isinstance(refused, Unavailable), refused


@asynccontextmanager
async def _reading_only(url: str) -> AsyncIterator[None]:
    """`reading_only`, which has an event loop of its own, beside ours."""
    block = reading_only(url)
    await asyncio.to_thread(block.__enter__)
    yield
    await asyncio.to_thread(block.__exit__, None, None, None)


@pytest.mark.requirement("siege.namespace")
@pytest.mark.skipif(not namespace.is_possible(), reason="this machine makes no namespaces")
def test_a_siege_reaches_its_own_loopback_and_nothing_else() -> None:
    probe = (
        "import socket; from siege import namespace; assert namespace.is_isolated(); namespace.raise_loopback()\n"
        "server = socket.create_server(('127.0.0.1', 0)); socket.create_connection(server.getsockname()).close()\n"
        "for place in ('192.0.2.1', '198.51.100.1'):\n"
        "    outside = socket.socket(); error = outside.connect_ex((place, 80)); outside.close(); assert error == 101, error\n"
    )
    inside = subprocess.run(namespace.command([sys.executable, "-c", probe]), cwd=ROOT, capture_output=True, text=True)
    assert inside.returncode == 0, inside.stderr

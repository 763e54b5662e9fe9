"""The fork server's two layers: children that read drawings are forked without the geometry kernel."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from converter.fork_server import ReaderForkServer, create_fork_server
from converter.format_table import formats
from converter.pool import Pool, PoolSettings
from spatial.contract.limits import CONVERT_MEMORY_BYTES
from tests.converter.conftest import MEMORY, is_alive, until

pytestmark = pytest.mark.asyncio(loop_scope="function")

LAYERED = "tests.converter.layered_formats"
NAMES = ("drawing", "trial")
"""A format of each layer."""


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ReaderForkServer]:
    made = create_fork_server(memory_bytes=MEMORY, table=LAYERED)
    await made.start()
    yield made
    await made.close()


@pytest.mark.requirement("converter.layers")
async def test_children_of_the_service_s_readers_have_the_kernel_where_they_read_solids_alone() -> None:
    pool = Pool(PoolSettings(workers=1), create_fork_server(memory_bytes=CONVERT_MEMORY_BYTES))
    await pool.start()
    try:
        loaded = {}
        for name, row in formats("spatial.contract.formats").items():
            child = await pool.server.child(pool.server.layer_of(name))
            loaded[name] = "/OCP" in _said(child.pid, "maps"), row.kind == "brep"
            child.kill()
        assert [name for name, (has, reads) in loaded.items() if has != reads] == []
        assert {reads for _, reads in loaded.values()} == {True, False}
    finally:
        await pool.close()


@pytest.mark.requirement("converter.layers")
async def test_a_killed_child_of_either_layer_ends_alone(server: ReaderForkServer) -> None:
    for name in NAMES:
        killed, other = [await server.child(server.layer_of(name)) for _ in range(2)]
        killed.kill()
        assert (await killed.wait_for_exit()).signal == "SIGKILL"
        assert is_alive(other.pid)
    assert server.restarts == 0


@pytest.mark.requirement("converter.layers", "converter.fork-server-death")
async def test_a_fork_server_whose_upper_layer_dies_is_started_again_with_both(server: ReaderForkServer) -> None:
    drawing, solid = [await server.child(server.layer_of(name)) for name in NAMES]
    upper, dead = psutil.Process(solid.pid).ppid(), server.pid
    assert psutil.Process(drawing.pid).ppid() == dead != upper
    os.kill(upper, signal.SIGKILL)
    await until(lambda: server.pid != dead and server.ready)
    await until(lambda: not is_alive(drawing.pid) and not is_alive(solid.pid))
    again = [await server.child(server.layer_of(name)) for name in NAMES]
    assert [is_alive(child.pid) for child in again] == [True, True]


@pytest.mark.requirement("converter.layers")
async def test_nothing_of_either_layer_is_left_when_the_fork_server_is_closed() -> None:
    server = create_fork_server(memory_bytes=MEMORY, table=LAYERED)
    await server.start()
    children = [await server.child(server.layer_of(name)) for name in NAMES]
    upper = psutil.Process(children[1].pid).ppid()
    await server.close()
    assert [pid for pid in (upper, *(child.pid for child in children)) if is_alive(pid)] == []


@pytest.mark.requirement("converter.layers", "converter.no-network", "converter.no-descriptors")
async def test_children_of_the_upper_layer_have_the_same_measures(server: ReaderForkServer) -> None:
    found = []
    for name in NAMES:
        child = await server.child(server.layer_of(name))
        await until(lambda pid=child.pid: _filtered(pid))  # type: ignore[misc]
        held = [line for line in _said(child.pid, "status").splitlines() if line.startswith(("CapEff:", "NoNewPrivs:"))]
        found.append((_network(child.pid), held, psutil.Process(child.pid).num_fds()))
    assert found[0] == found[1]
    assert found[0][0] != _network(os.getpid())


def _said(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text()


def _filtered(pid: int) -> bool:
    """Whether the last of the measures, the filter of system calls, is in effect."""
    return "Seccomp:\t2" in _said(pid, "status")


def _network(pid: int) -> str:
    return str(Path(f"/proc/{pid}/ns/net").readlink())

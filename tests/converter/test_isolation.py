"""What a child can see and reach: measured from inside, by readers that try."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import shutil
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from converter.client import ConverterClient
from converter.fork_server import create_fork_server
from converter.pool import Pool, PoolSettings
from sandbox import isolation, seccomp
from sandbox.forkserver_client import ForkServerClient
from spatial.errors import ConversionTimeout
from tests.converter.conftest import MEMORY, TABLE, TRIAL, Service, Trials, is_alive, script, until

pytestmark = pytest.mark.asyncio(loop_scope="package")

HANDLE = "handle-of-the-file"
HAS_LANDLOCK = ctypes.CDLL(None).syscall(444, None, 0, 1) >= 4
"""Landlock refuses TCP from its fourth version on."""


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """Port of a server on loopback, and whoever connected to it."""
    connections: list[object] = []

    def accept() -> None:
        while True:
            try:
                connection, address = server.accept()
            except OSError:
                return
            connection.close()
            connections.append(address)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1], connections
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def exists(path: Path) -> bool:
    return path.exists()


def threads_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


@asynccontextmanager
async def held_by(*measures: str, deadline: float = 30.0) -> AsyncIterator[Trials]:
    """A pool whose children are held by these measures only; the test is skipped where the kernel has them not."""
    server = create_fork_server(memory_bytes=MEMORY, table=TABLE, measures=measures)
    pool = Pool(PoolSettings(memory=MEMORY, workers=2, deadline=deadline), server, TABLE)
    await pool.start()
    try:
        if server.isolation != list(measures):
            pytest.skip(f"this machine has {server.isolation} of {measures}")
        yield Trials(pool)
    finally:
        await pool.close()


@pytest.mark.requirement("converter.no-environment")
async def test_no_environment(trials: Trials, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPATIAL_WEBHOOK_SECRET", "the secret")
    environment, initial = await trials.read(read=["environment"])
    assert json.loads(environment) == isolation.ONE_THREAD
    assert {line.partition("=")[0] for line in initial.split("\0") if line} == {"PYTHONPATH", "OPENBLAS_NUM_THREADS"}


@pytest.mark.requirement("converter.no-environment")
async def test_a_fork_server_started_amid_secrets_hands_none_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPATIAL_WEBHOOK_SECRET", "the secret")
    async with held_by() as trials:
        assert "the secret" not in "".join(await trials.read(read=["environment"]))


@pytest.mark.requirement("converter.no-descriptors")
async def test_no_descriptor_but_its_own(trials: Trials) -> None:
    descriptor = os.open(__file__, os.O_RDONLY)
    try:
        found = dict(line.split(" ") for line in await trials.read(read=["descriptors"]))
    finally:
        os.close(descriptor)
    assert found.pop("2").startswith("pipe:")
    assert found.pop("3").startswith("socket:")
    assert set(found.values()) == {"/dev/null"}


@pytest.mark.requirement("converter.no-network")
async def test_no_socket_of_any_kind(
    trials: Trials, listener: tuple[int, list[object]], tmp_path: Path, fork_server: ForkServerClient
) -> None:
    port, connections = listener
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        outcomes = await trials.read(read=["network", port, path])
    assert connections == []
    if isolation.SECCOMP in fork_server.isolation:
        assert outcomes == ["PermissionError"] * 4


@pytest.mark.parametrize("measure", [isolation.NETWORK_NAMESPACE, isolation.SECCOMP, isolation.LANDLOCK])
@pytest.mark.requirement("converter.no-network")
async def test_each_measure_alone_keeps_a_child_off_the_network(
    measure: str, listener: tuple[int, list[object]]
) -> None:
    if measure == isolation.LANDLOCK and not HAS_LANDLOCK:
        pytest.skip("this kernel's Landlock knows no network")
    port, connections = listener
    async with held_by(measure) as trials:
        (outcome,) = await trials.read(read=["connect", port])
    assert outcome != "allowed"
    assert connections == []


@pytest.mark.requirement("converter.no-network")
async def test_without_measures_the_network_is_there(listener: tuple[int, list[object]]) -> None:
    """Else the tests above would prove nothing."""
    async with held_by() as trials:
        assert await trials.read(read=["connect", listener[0]]) == ["allowed"]


@pytest.mark.requirement("converter.no-processes")
async def test_no_process_is_started_and_no_program_run(trials: Trials, fork_server: ForkServerClient) -> None:
    if isolation.SECCOMP not in fork_server.isolation:
        pytest.skip("no system-call filter here")
    assert await trials.read(read=["fork"]) == ["PermissionError"]
    assert await trials.read(read=["programs"]) == ["PermissionError"] * 2


@pytest.mark.requirement("converter.no-processes")
async def test_no_other_process_is_reached(trials: Trials, fork_server: ForkServerClient) -> None:
    if isolation.SECCOMP not in fork_server.isolation:
        pytest.skip("no system-call filter here")
    assert await trials.read(read=["signal", os.getpid()]) == ["PermissionError", "allowed"]


@pytest.mark.requirement("converter.no-processes")
async def test_no_other_process_is_traced_or_read(trials: Trials, fork_server: ForkServerClient) -> None:
    if isolation.SECCOMP not in fork_server.isolation:
        pytest.skip("no system-call filter here")
    for process in (os.getpid(), os.getppid(), fork_server.pid):
        assert await trials.read(read=["ptrace", process]) == ["refused"] * 2
    if isolation.LANDLOCK in fork_server.isolation:
        for member in ("environ", "mem", "maps", "cmdline", "fd/0"):
            assert await trials.read(read=["open", f"/proc/{fork_server.pid}/{member}", "rb"]) == ["PermissionError"]


@pytest.mark.requirement("converter.no-processes")
async def test_where_forking_is_possible_a_grandchild_ends_with_its_file() -> None:
    async with held_by(isolation.PROCESS_GROUP, deadline=20.0) as trials:
        (grandchild,) = await trials.read(HANDLE, read=["fork"])
        assert is_alive(int(grandchild))
        trials.pool.release(HANDLE)
        await until(lambda: not is_alive(int(grandchild)))


@pytest.mark.requirement("converter.no-processes")
async def test_where_forking_is_possible_a_grandchild_ends_at_the_deadline() -> None:
    async with held_by(isolation.PROCESS_GROUP, deadline=2.0) as trials:
        (grandchild,) = await trials.read(HANDLE, read=["fork"], interpret=["hang"])
        with pytest.raises(ConversionTimeout):
            await trials.interpret(HANDLE)
        await until(lambda: not is_alive(int(grandchild)))


@pytest.mark.requirement("converter.no-files")
async def test_no_file_of_ours_is_read_or_written(
    trials: Trials, tmp_path: Path, fork_server: ForkServerClient
) -> None:
    if isolation.LANDLOCK not in fork_server.isolation:
        pytest.skip("no Landlock here")
    secret = tmp_path / "secret"
    secret.write_text("a key")
    for path in (secret, Path("/etc/passwd"), Path(f"/proc/{os.getpid()}/environ")):
        assert await trials.read(read=["open", str(path), "rb"]) == ["PermissionError"]
    for path in (tmp_path / "new", secret, Path(sys.prefix, "planted.py")):
        assert await trials.read(read=["open", str(path), "ab"]) == ["PermissionError"]


@pytest.mark.requirement("converter.no-files")
async def test_its_own_folder_is_there_and_goes_with_it(trials: Trials) -> None:
    kept, folder = await trials.read(HANDLE, read=["temporary"])
    assert Path(kept).parent == Path(folder)
    assert exists(Path(kept))
    trials.pool.release(HANDLE)
    await until(lambda: not exists(Path(folder)))


@pytest.mark.requirement("converter.threads")
async def test_a_child_may_start_threads(trials: Trials) -> None:
    assert await trials.read(read=["thread"]) == ["True"]


@pytest.mark.requirement("converter.threads")
async def test_the_fork_server_has_one_thread(fork_server: ForkServerClient) -> None:
    assert threads_of(fork_server.pid) == 1


@pytest.mark.requirement("lines.child")
async def test_lines_of_lettering_are_read_under_all_measures(trials: Trials) -> None:
    lines = ["M8x1.25 - 6H", "2x 45", "BREAK ALL SHARP EDGES"]
    assert await trials.read(read=["read lines", lines]) == [*lines, "0 more threads"]


@pytest.mark.requirement("converter.health")
async def test_the_measures_told_are_those_of_this_machine(fork_server: ForkServerClient) -> None:
    expected = {isolation.CAPABILITIES, isolation.PROCESS_GROUP, isolation.RESOURCE_LIMITS}
    if exists(Path("/proc/sys/kernel/seccomp")) and platform.machine() in seccomp.ARCHITECTURES:
        expected.add(isolation.SECCOMP)
    if ctypes.CDLL(None).syscall(444, None, 0, 1) > 0:
        expected.add(isolation.LANDLOCK)
    assert expected <= set(fork_server.isolation)


@pytest.mark.requirement("converter.unprivileged")
async def test_a_service_without_privileges_holds_its_children_as_well(
    start_service: Callable[..., Service],
    connect: Callable[[str], ConverterClient],
    listener: tuple[int, list[object]],
) -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("nothing here takes root's privileges away")
    without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    service = start_service(prefix=without)
    client = connect(service.url)
    health = await service.ready(client)
    assert {isolation.CAPABILITIES, isolation.PROCESS_GROUP, isolation.RESOURCE_LIMITS} <= set(health.isolation)
    port, connections = listener
    handle = await client.read(TRIAL, script(read=["connect", port]))
    assert handle.reading.warnings != ["allowed"]
    assert connections == []

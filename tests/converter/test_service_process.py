"""A service that a test starts for itself: with settings of its own, killed, told to end, where others listen.

What one service for all tests answers is in test_service.py.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from converter.wire import START_SECONDS, ReadingHandle
from spatial.errors import ConversionTimeout, ConverterUnavailable, ParseError
from spatial.restarts import crowding
from tests.converter.conftest import (
    PATIENCE,
    STRUCTURED,
    TRIAL,
    is_alive,
    script,
    until,
)
from tests.converter.test_service import Connect, StartService, data_of, large, no_data, when_running

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.mark.requirement("converter.deadline")
async def test_a_deadline_keeps_its_class_over_the_wire(start_service: StartService, connect: Connect) -> None:
    service = start_service("--deadline", "2")
    client = connect(service.url)
    await service.ready(client)
    with pytest.raises(ConversionTimeout) as failure:
        await client.read(TRIAL, script(read=["hang"]))
    assert failure.value.details == {"phase": "read", "seconds": 2.0}


@pytest.mark.requirement("converter.turns", "converter.begun")
@pytest.mark.parametrize("bulk", [False, True])
async def test_a_small_file_is_answered_after_at_most_one_of_another_account_on_each_worker(
    start_service: StartService, connect: Connect, bulk: bool
) -> None:
    service = start_service("--workers", "2")
    client = connect(service.url)
    await service.ready(client)
    hostile = TRIAL.model_copy(update={"account": "acct_hostile", "bulk": bulk})
    small = TRIAL.model_copy(update={"account": "acct_small"})
    slow = large(script(read=["spend", 2], interpret=["spend", 1]))
    burst = [asyncio.create_task(client.extract(hostile, slow, STRUCTURED)) for _ in range(16)]
    await when_running(client, 2, waiting=14)
    handle = await client.read(small, large(script()))
    await client.interpret(handle, no_data)
    await client.assemble(handle, STRUCTURED, no_data)
    assert sum(call.done() for call in burst) <= 2
    for call in burst:
        call.cancel()
    await asyncio.wait(burst)
    await when_running(client, 0)


@pytest.mark.requirement("converter.others-unaffected")
async def test_eight_clients_at_once_of_which_one_crashes(start_service: StartService, connect: Connect) -> None:
    service = start_service("--workers", "8")
    client = connect(service.url)
    await service.ready(client)
    scripts = [script(read=["say", "well"])] * 7 + [script(read=["segfault"])]
    outcomes = await asyncio.gather(*(client.read(TRIAL, content) for content in scripts), return_exceptions=True)
    readings = [outcome.reading.warnings for outcome in outcomes if isinstance(outcome, ReadingHandle)]
    assert readings == [["well"]] * 7
    assert isinstance(outcomes[-1], ParseError)


@pytest.mark.requirement("converter.fork-server-death")
async def test_a_fork_server_killed_in_mid_call(start_service: StartService, connect: Connect) -> None:
    service = start_service()
    client = connect(service.url)
    await service.ready(client)
    handle = await client.read(TRIAL, script(interpret=["hang"]))
    call = asyncio.create_task(client.interpret(handle, data_of(script(interpret=["say", "in the next one"]))))
    await when_running(client, 1)
    os.kill(service.fork_server(), signal.SIGKILL)
    assert (await call).warnings == ["in the next one"]
    assert (await client.read(TRIAL, script(read=["say", "again"]))).reading.warnings == ["again"]
    assert (await service.ready(client)).restarts == 1


@pytest.mark.requirement("converter.service-death")
async def test_a_service_killed_in_mid_call_leaves_nothing_behind(
    start_service: StartService, connect: Connect
) -> None:
    service = start_service()
    client = connect(service.url)
    await service.ready(client)
    content = script(read=["pid"], interpret=["hang deaf"])
    handle = await client.read(TRIAL, content)
    (pid,) = handle.reading.warnings
    fork_server = service.fork_server()
    call = asyncio.create_task(client.interpret(handle, no_data))
    await when_running(client, 1)
    service.kill()
    with pytest.raises(ConverterUnavailable):
        await call
    await until(lambda: not is_alive(int(pid)) and not is_alive(fork_server))


@pytest.mark.requirement("converter.service-death", "converter.socket")
async def test_a_service_started_again_is_met_by_the_next_call(start_service: StartService, connect: Connect) -> None:
    service = start_service()
    client = connect(service.url)
    await service.ready(client)
    content = script(interpret=["say", "meant"])
    handle = await client.read(TRIAL, content)
    service.kill()
    assert service.socket.is_socket()
    with pytest.raises(ConverterUnavailable):
        await client.health()
    service.start()
    await service.ready(client)
    assert (await client.interpret(handle, data_of(content))).warnings == ["meant"]


@pytest.mark.requirement("converter.retry-holds")
async def test_each_answer_says_what_a_start_of_the_service_would_take(
    start_service: StartService, connect: Connect
) -> None:
    began = time.monotonic()
    service = start_service()
    await service.ready(connect(service.url))
    most = time.monotonic() - began
    async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(uds=str(service.socket))) as http:
        answers = [await http.get(f"http://converter/{path}") for path in ("health", "calls/none", "nothing")]
    for answer in answers:
        assert 0 < float(answer.headers[START_SECONDS]) / crowding() < most + 1


@pytest.mark.requirement("converter.start-is-awaited")
async def test_a_call_waits_for_a_service_that_is_expected_soon(
    start_service: StartService, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("converter.client.AWAITED_SECONDS", PATIENCE)
    service = start_service()
    client = connect(service.url)
    await service.ready(client)
    service.kill()
    waiting = [asyncio.create_task(client.read(TRIAL, script())) for _ in range(3)]
    await until(lambda: client.seconds_away > 0)
    with pytest.raises(ConverterUnavailable):
        await client.health()
    assert not any(call.done() for call in waiting)
    service.start()
    assert len(await asyncio.gather(*waiting)) == 3
    assert client.seconds_away == 0


@pytest.mark.requirement("converter.retry-holds")
async def test_a_service_that_loads_its_readers_anew_says_for_how_long(
    start_service: StartService, connect: Connect
) -> None:
    service = start_service()
    client = connect(service.url)
    await service.ready(client)
    assert client.seconds_away == 0
    os.kill(service.fork_server(), signal.SIGKILL)
    async with asyncio.timeout(PATIENCE):
        while client.seconds_away == 0:
            with suppress(ConverterUnavailable):
                await client.health()
    await service.ready(client)
    assert client.seconds_away == 0


@pytest.mark.requirement("converter.start-is-awaited")
async def test_a_service_that_stays_away_is_not_waited_for_long(
    start_service: StartService, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = start_service()
    client = connect(service.url)
    await service.ready(client)
    service.kill()
    monkeypatch.setattr("converter.client.AWAITED_SECONDS", 0.5)
    with pytest.raises(ConverterUnavailable, match=r"unreachable .* try again in"):
        await asyncio.wait_for(client.read(TRIAL, script()), PATIENCE)


@pytest.mark.requirement("converter.stop")
async def test_sigterm_lets_running_calls_finish_and_sends_waiting_ones_away(
    start_service: StartService, connect: Connect
) -> None:
    service = start_service("--workers", "1")
    client = connect(service.url)
    await service.ready(client)
    handle = await client.read(TRIAL, script(read=["pid for signal"], interpret=["await signal"]))
    running = asyncio.create_task(client.interpret(handle, no_data))
    await when_running(client, 1)
    waiting = asyncio.create_task(client.read(TRIAL, large(script())))
    await when_running(client, 1, waiting=1)
    fork_server = service.fork_server()
    service.process.terminate()
    with pytest.raises(ConverterUnavailable, match="stopping"):
        await waiting
    os.kill(int(handle.reading.warnings[0]), signal.SIGUSR1)
    assert (await running).warnings == ["SIGUSR1"]
    assert await asyncio.to_thread(service.process.wait, PATIENCE) == 0
    assert not service.socket.exists()
    assert not is_alive(fork_server)
    assert "Traceback" not in service.log()


@pytest.mark.requirement("converter.socket")
async def test_a_group_may_share_the_socket(start_service: StartService, connect: Connect) -> None:
    service = start_service("--socket-mode", "660")
    await service.ready(connect(service.url))
    assert stat.S_IMODE(service.socket.stat().st_mode) == 0o660


@pytest.mark.requirement("converter.socket")
async def test_the_socket_of_another_program_is_respected(start_service: StartService, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(tmp_path / "converter.sock"))
        other.listen()
        service = start_service()
        assert service.process.wait(PATIENCE) == 1
    assert service.log().startswith("converter: another program listens on")
    assert service.log().count("\n") == 1


@pytest.mark.requirement("converter.socket")
async def test_a_file_in_the_sockets_place_is_respected(start_service: StartService, tmp_path: Path) -> None:
    (tmp_path / "converter.sock").write_text("precious")
    service = start_service()
    assert service.process.wait(PATIENCE) == 1
    assert "is not a socket" in service.log() and service.log().count("\n") == 1
    assert (tmp_path / "converter.sock").read_text() == "precious"


@pytest.mark.requirement("converter.socket")
async def test_a_path_too_long_for_a_socket_is_one_sentence(start_service: StartService, tmp_path: Path) -> None:
    service = start_service(at=["--socket", str(tmp_path / ("x" * 100) / "converter.sock")])
    assert service.process.wait(PATIENCE) == 1
    assert "choose a shorter folder" in service.log() and service.log().count("\n") == 1


@pytest.mark.requirement("converter.tcp")
async def test_the_service_over_tcp(start_service: StartService, connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    service = start_service(at=["--host", "127.0.0.1", "--port", str(port)])
    client = connect(f"http://127.0.0.1:{port}")
    await service.ready(client)
    assert (await client.read(TRIAL, script(read=["say", "well"]))).reading.warnings == ["well"]


@pytest.mark.requirement("converter.tcp")
async def test_a_port_in_use_is_one_sentence(start_service: StartService) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        service = start_service(at=["--port", str(other.getsockname()[1])])
        assert service.process.wait(PATIENCE) == 1
    assert "choose another --port" in service.log() and service.log().count("\n") == 1


@pytest.mark.requirement("converter.health")
async def test_readers_that_cannot_be_loaded_are_one_sentence(start_service: StartService) -> None:
    service = start_service("--formats", "tests.converter.broken_formats")
    assert service.process.wait(PATIENCE) == 1
    assert "converter: ImportError: libMissing.so.1: cannot open shared object file" in service.log()
    assert "Traceback" not in service.log()

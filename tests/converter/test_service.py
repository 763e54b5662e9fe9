"""The service over its socket: real processes, killed for real."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
import pytest_asyncio

from converter.client import ConverterClient, PhaseAnswer
from converter.documents import parsed
from converter.pool import SMALL_BYTES, Pool
from converter.service import create_app
from converter.wire import ConverterHealth, MeaningFacts, PointFacts, ReadingHandle
from spatial import logs
from spatial.errors import ConverterUnavailable, InvalidRequest, ParseError, RequestTooLarge
from spatial.models.sampling_plan import SamplingPlan
from tests.converter.conftest import (
    MEMORY,
    PATIENCE,
    STRUCTURED,
    TABLE,
    TRIAL,
    WITH_POINTS,
    Service,
    Trials,
    is_alive,
    script,
    until,
)

pytestmark = pytest.mark.asyncio(loop_scope="package")

FILE_BYTES = 1_000_000
Connect = Callable[[str], ConverterClient]
StartService = Callable[..., Service]


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service for the tests that leave it alive."""
    sizes = ["--memory", str(MEMORY), "--file-bytes", str(FILE_BYTES), "--workers", "2", "--queue", "2", "--keep", "4"]
    service = Service(tmp_path_factory.mktemp("service"), *sizes, "--deadline", "20")
    client = ConverterClient(service.url)
    await service.ready(client)
    yield service
    await client.close()
    assert service.stop() == 0, service.log()


@pytest_asyncio.fixture(loop_scope="package")
async def client(shared: Service, connect: Connect) -> ConverterClient:
    return connect(shared.url)


@pytest_asyncio.fixture(loop_scope="package")
async def http(shared: Service) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.AsyncHTTPTransport(uds=str(shared.socket))
    async with httpx.AsyncClient(transport=transport, base_url="http://converter", timeout=PATIENCE) as http:
        yield http


async def no_data() -> bytes:
    raise AssertionError("the file is kept and must not be read again")


def large(content: bytes) -> bytes:
    """The same script as a file that waits for a worker."""
    return content.ljust(SMALL_BYTES + 1)


def data_of(content: bytes) -> Callable[[], Awaitable[bytes]]:
    async def data() -> bytes:
        return content

    return data


async def when_running(client: ConverterClient, count: int, waiting: int = 0) -> None:
    """Wait until so many calls run and wait."""

    async def met() -> bool:
        health = await client.health()
        return (health.running, health.waiting) == (count, waiting)

    await until(met)


@pytest.mark.requirement("converter.round-trip")
async def test_read_interpret_sample_release(client: ConverterClient) -> None:
    handle = await client.read(TRIAL, script(read=["say", "read"], interpret=["say", "meant"]))
    meaning = await client.interpret(handle, no_data)
    points = await client.sample(handle, SamplingPlan(points_per_object=2, seed=3), no_data)
    document = await client.assemble(handle, WITH_POINTS, no_data)
    await client.release(handle)
    assert handle.reading.warnings == ["read"]
    assert meaning.warnings == ["meant"]
    assert points == PointFacts(objects=1, points=2)
    scene = parsed(document, TRIAL.file_name).point_cloud_scene
    assert scene is not None and scene.point_clouds[0].points == [{"x": 3.0, "y": 0.5, "z": 0.25}] * 2


@pytest.mark.requirement("converter.round-trip")
async def test_all_of_a_file_in_one_call_and_nothing_is_kept(client: ConverterClient) -> None:
    content = script(read=["say", "read"], interpret=["say", "meant"])
    kept = (await client.health()).kept
    whole = await client.extract(TRIAL, content, WITH_POINTS)
    seconds = whole.facts.seconds
    assert list(seconds) == ["read", "interpret", "sample", "assemble"] and min(seconds.values()) > 0
    without = await client.extract(TRIAL, content, STRUCTURED)
    assert list(without.facts.seconds) == ["read", "interpret", "assemble"]
    assert (await client.health()).kept == kept
    handle = await client.read(TRIAL, content)
    assert (await client.assemble(handle, WITH_POINTS, no_data)).body == whole.body
    assert (await client.assemble(handle, STRUCTURED, no_data)).body == without.body
    await client.release(handle)


@pytest.mark.requirement("converter.phases")
async def test_what_each_phase_found_is_told_before_the_document_is_there(client: ConverterClient) -> None:
    content = script(read=["say", "read"], interpret=["say", "meant"])
    told: list[PhaseAnswer] = []
    await client.extract(TRIAL, content, WITH_POINTS, told.append)
    reading, meaning, points = told
    assert isinstance(reading, ReadingHandle) and reading.reading.warnings == ["read"]
    assert isinstance(meaning, MeaningFacts) and meaning.warnings == ["meant"]
    assert points == PointFacts(objects=1, points=2)
    again = await client.interpret(reading, data_of(content))
    assert again == meaning, "a call about it reads the file again"
    await client.release(reading)


@pytest.mark.requirement("converter.phases")
@pytest.mark.parametrize(("failing", "told_before"), [("read", 0), ("interpret", 1), ("sample", 2)])
async def test_an_error_of_a_phase_comes_after_what_was_told_before_it(
    client: ConverterClient, failing: str, told_before: int
) -> None:
    told: list[PhaseAnswer] = []
    with pytest.raises(ParseError) as failure:
        await client.extract(TRIAL, script(**{failing: ["raise", "unexpected"]}), WITH_POINTS, told.append)
    assert (failure.value.details or {})["phase"] == failing and len(told) == told_before


@pytest.mark.requirement("converter.phases", "converter.client-gone")
async def test_a_call_that_is_given_up_after_its_first_phase_ends_its_child(client: ConverterClient) -> None:
    told: asyncio.Queue[PhaseAnswer] = asyncio.Queue()
    content = script(read=["pid"], interpret=["hang"])
    calling = asyncio.create_task(client.extract(TRIAL, content, STRUCTURED, told.put_nowait))
    reading = await told.get()
    assert isinstance(reading, ReadingHandle)
    (pid,) = reading.reading.warnings
    assert is_alive(int(pid))
    calling.cancel()
    await until(lambda: not is_alive(int(pid)))
    assert calling.cancelled()


@pytest.mark.requirement("converter.round-trip")
async def test_any_file_name_arrives_as_it_is(client: ConverterClient) -> None:
    name = "Bügel & Söhne #1/2 100%?.trial"
    handle = await client.read(TRIAL.model_copy(update={"file_name": name}), script())
    assert handle.reading.entity_counts == {"characters": len(name)}


@pytest.mark.requirement("converter.handle-gone")
async def test_a_file_no_longer_kept_is_read_again_under_its_handle(client: ConverterClient) -> None:
    content = script(interpret=["say", "meant"])
    handle = await client.read(TRIAL, content)
    await client.release(handle)
    meaning = await client.interpret(handle, data_of(content))
    await client.sample(handle, SamplingPlan(points_per_object=1), no_data)
    assert meaning.warnings == ["meant"]
    made = await client.assemble(handle, WITH_POINTS, no_data)
    await client.release(handle)
    again = await client.assemble(handle, WITH_POINTS, data_of(content))
    assert again.body == made.body and again.warnings == ["meant"]


@pytest.mark.requirement("converter.handle-gone")
async def test_a_file_is_gone_with_its_child_once_its_last_document_is_made(client: ConverterClient) -> None:
    content = script(read=["pid"])
    handle = await client.read(TRIAL, content)
    (pid,) = handle.reading.warnings
    assert (await client.assemble(handle, STRUCTURED, no_data, is_last=True)).warnings == [pid]
    await until(lambda: not is_alive(int(pid)))
    again = await client.assemble(handle, STRUCTURED, data_of(content), is_last=True)
    assert again.warnings != [pid], "it was read again"


@pytest.mark.requirement("converter.handle-gone")
async def test_a_handle_that_went_through_json_still_works(client: ConverterClient) -> None:
    handle = await client.read(TRIAL, script(interpret=["say", "meant"]))
    stored = ReadingHandle.model_validate_json(handle.model_dump_json())
    assert (await client.interpret(stored, no_data)).warnings == ["meant"]


@pytest.mark.requirement("converter.crash", "converter.memory", "converter.reader-errors")
@pytest.mark.parametrize(
    ("action", "details"),
    [
        (["segfault"], {"phase": "interpret", "signal": "SIGSEGV"}),
        (["allocate", 1 << 40], {"phase": "interpret", "limit_bytes": MEMORY}),
        (["raise", "typed"], {"line": 3}),
        (["raise", "unexpected"], {"phase": "interpret"}),
    ],
)
async def test_a_failure_keeps_class_and_details_over_the_wire(
    client: ConverterClient, action: list[Any], details: dict[str, Any]
) -> None:
    handle = await client.read(TRIAL, script(interpret=action))
    with pytest.raises(ParseError) as failure:
        await client.interpret(handle, no_data)
    with pytest.raises(ParseError) as at_once:
        await client.extract(TRIAL, script(interpret=action), STRUCTURED)
    assert at_once.value.to_wire() == failure.value.to_wire()
    assert failure.value.details == details


@pytest.mark.requirement("logs.names", "logs.one-line")
async def test_its_log_lines_carry_the_request_of_the_call(shared: Service, client: ConverterClient) -> None:
    with logs.about(request_id="req_of_the_crash"), pytest.raises(ParseError):
        await client.read(TRIAL, script(read=["segfault"]))
    lines = [json.loads(line) for line in shared.log().splitlines()]
    [line] = [line for line in lines if line.get("request_id") == "req_of_the_crash"]
    assert line["level"] == "error" and "SIGSEGV" in line["message"]


@pytest.mark.requirement("converter.lying-child")
async def test_a_result_that_is_no_reading_is_a_parse_error(client: ConverterClient) -> None:
    with pytest.raises(ParseError, match="cannot be used"):
        await client.read(TRIAL, script(read=["pretend"]))


@pytest.mark.requirement("converter.file-limit")
async def test_a_file_over_the_limit_is_refused_and_the_next_is_taken(client: ConverterClient) -> None:
    with pytest.raises(RequestTooLarge) as failure:
        await client.read(TRIAL, b" " * (20 * FILE_BYTES))
    assert failure.value.details == {"limit_bytes": FILE_BYTES}
    padded = script(read=["say", "well"]).ljust(FILE_BYTES)
    assert (await client.read(TRIAL, padded)).reading.warnings == ["well"]


@pytest.mark.requirement("converter.file-limit")
async def test_a_body_of_unknown_length_is_counted_on_the_stream(http: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 65_536

    params = {"handle": "a-handle-of-a-stream", "file_name": "a.trial", "format": "trial"}
    answer = await http.post("/read", params=params, content=endless())
    assert answer.status_code == 413


@pytest.mark.requirement("converter.queue")
async def test_a_full_queue_refuses_at_once_and_the_others_are_served(client: ConverterClient) -> None:
    calls = [asyncio.create_task(client.read(TRIAL, large(script(read=["hang"])))) for _ in range(4)]
    await when_running(client, 2, waiting=2)
    with pytest.raises(ConverterUnavailable) as refusal:
        await client.read(TRIAL, large(script()))
    assert refusal.value.retry_after == 5
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    await when_running(client, 0)


@pytest.mark.requirement("converter.small")
async def test_a_small_file_is_answered_while_an_account_has_all_workers_and_the_queue(client: ConverterClient) -> None:
    calls = [asyncio.create_task(client.read(TRIAL, large(script(read=["hang"])))) for _ in range(4)]
    await when_running(client, 2, waiting=2)
    assert (await client.read(TRIAL, script(read=["say", "at once"]))).reading.warnings == ["at once"]
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    await when_running(client, 0)


@pytest.mark.requirement("converter.client-gone")
async def test_a_client_that_goes_away_ends_its_call(client: ConverterClient) -> None:
    handle = await client.read(TRIAL, script(read=["pid"], interpret=["hang deaf"]))
    (pid,) = handle.reading.warnings
    call = asyncio.create_task(client.interpret(handle, no_data))
    await when_running(client, 1)
    call.cancel()
    await asyncio.wait({call})
    await until(lambda: not is_alive(int(pid)))
    await when_running(client, 0)


@pytest.mark.requirement("converter.client-gone")
async def test_a_client_that_goes_away_while_it_waits_leaves_the_queue(client: ConverterClient) -> None:
    calls = [asyncio.create_task(client.read(TRIAL, large(script(read=["hang"])))) for _ in range(3)]
    await when_running(client, 2, waiting=1)
    calls[-1].cancel()
    await when_running(client, 2)
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    await when_running(client, 0)


@pytest.mark.requirement("converter.socket")
async def test_the_socket_is_ours_alone(shared: Service) -> None:
    assert stat.S_IMODE(shared.socket.stat().st_mode) == 0o600


@pytest.mark.requirement("converter.socket")
async def test_a_living_service_keeps_its_socket(shared: Service, client: ConverterClient) -> None:
    rival = Service(shared.socket.parent)
    assert rival.process.wait(PATIENCE) == 1
    assert "a converter is already running on" in shared.log()
    assert (await client.read(TRIAL, script(read=["say", "served"]))).reading.warnings == ["served"]


@pytest.mark.requirement("converter.health")
async def test_health_tells_the_settings(client: ConverterClient) -> None:
    health = await client.health()
    assert (health.status, health.deadline_seconds, health.memory_bytes) == ("ready", 20.0, MEMORY)
    assert (health.workers, health.queue, health.restarts) == (2, 2, 0)
    assert "resource_limits" in health.isolation


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/read", {"file_name": "a.trial", "format": "trial"}),
        ("/read", {"handle": "short", "file_name": "a.trial", "format": "trial"}),
        ("/read", {"handle": "a-handle/../../of-files", "file_name": "a.trial", "format": "trial"}),
        ("/read", {"handle": "a-handle-of-a-file"}),
        ("/interpret", {}),
        ("/sample", {"handle": ""}),
    ],
)
@pytest.mark.requirement("converter.requests")
async def test_a_request_without_its_words_is_refused(
    http: httpx.AsyncClient, path: str, params: dict[str, str]
) -> None:
    answer = await http.post(path, params=params, content=script())
    assert (answer.status_code, answer.json()["class"]) == (400, InvalidRequest.__name__)


@pytest.mark.requirement("converter.requests")
async def test_a_malformed_plan_is_refused(http: httpx.AsyncClient) -> None:
    at_once = await http.post("/phases", params={**TRIAL.model_dump(), "plan": "{"}, content=script())
    assert at_once.status_code == 400 and "plan" in at_once.json()["message"]
    answer = await http.post(
        "/sample", params={"handle": "a-handle-of-a-file"}, content=b'{"points_per_object": "many"}'
    )
    assert answer.status_code == 400


@pytest.mark.requirement("converter.requests")
async def test_unknown_routes_and_methods_are_refused(http: httpx.AsyncClient) -> None:
    assert (await http.get("/nowhere")).status_code == 404
    assert (await http.get("/read")).status_code == 405


@pytest.mark.requirement("converter.requests")
async def test_a_failure_of_our_own_shows_no_internals(make_trials: Callable[..., Trials]) -> None:
    class Broken(Pool):
        def health(self) -> ConverterHealth:
            raise RuntimeError("an internal matter")

    pool = make_trials().pool
    transport = httpx.ASGITransport(create_app(Broken(pool.settings, pool.server, TABLE)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://converter") as http:
        answer = await http.get("/health")
    assert (answer.status_code, answer.json()) == (
        500,
        {"class": "InternalError", "message": "the converter failed; see its log"},
    )


@pytest.mark.requirement("converter.requests")
async def test_a_handle_nobody_has_is_gone(http: httpx.AsyncClient) -> None:
    assert (await http.post("/interpret", params={"handle": "a-handle-of-a-file"})).status_code == 410
    assert (await http.post("/release", params={"handle": "a-handle-of-a-file"})).status_code == 204


@pytest.mark.requirement("converter.lost-connection")
async def test_a_call_that_takes_long_is_asked_about_and_answered(
    client: ConverterClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ask = list[bool | None](), client._is_under_way

    async def counted(call_id: str) -> bool | None:
        asked.append(await ask(call_id))
        return asked[-1]

    monkeypatch.setattr("converter.under_way.LOOK_SECONDS", 0.05)
    monkeypatch.setattr(client, "_is_under_way", counted)
    handle = await client.read(TRIAL, script(read=["spend", 1.0]))
    assert handle.reading.source_format and asked and set(asked) <= {True, False} and asked[0] is True
    assert await ask("no-such-call") is False

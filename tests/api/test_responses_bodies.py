"""Bodies of the reasoning routes within the size limit that are expensive to read: bounded, and parsed apart from the event loop."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api import parser_process
from api.parser_process import THREAD_BYTES, run_in_parser_process
from flows.dispatch import RespondJob, Solution
from spatial.contract import limits, validation
from spatial.contract.validation import MOST_LISTED
from spatial.errors import ConverterUnavailable, InvalidRequest
from tests.api.house import House, assert_fault, headers
from tests.api.reasoning_house import BATCH, DOCUMENT, RESPONSES, SCENE, question, respond, small_solvers

SIZE = 6_200_000
"""Bytes; just below the limit of a body."""

ANSWER_BYTES = 20_000
"""Above any answer to an invalid body, whatever was sent."""

POINTS = b'{"input":{"task_type":"fit","point_cloud_scene":{"point_clouds":[{"object_id":"a","points":['
INPUT = b'{"input":{"task_type":"fit",'
STRUCTURE = INPUT + b'"cad_scene":' + json.dumps({**DOCUMENT, "structure": {"kind": "drawing2d"}}).encode()[:-1]


def filled(start: bytes, unit: bytes, end: bytes) -> bytes:
    return start + b",".join([unit] * ((SIZE - len(start) - len(end)) // (len(unit) + 1))) + end


def members(count: int) -> bytes:
    return b",".join(b'"m%d":0' % place for place in range(count))


HOSTILE: dict[str, bytes] = {
    "empty points": filled(POINTS, b"{}", b"]}]}}}"),
    "points with another member": filled(POINTS, b'{"x":1,"y":2,"w":3}', b"]}]}}}"),
    "points without z": filled(POINTS, b'{"x":1,"y":2}', b"]}]}}}"),
    "clouds without points": filled(INPUT + b'"point_cloud_scene":{"point_clouds":[', b'{"object_id":"a"}', b"]}}}"),
    "members of the request": INPUT[:-1] + b"}," + members(400_000) + b"}",
    "members of the input": INPUT + members(400_000) + b"}}",
    "members of a point": POINTS + b'{"x":1,"y":2,"z":3,' + members(400_000) + b"}]}]}}}",
    "numbers in the goal": filled(INPUT + b'"goal":{"a":[', b"0", b"]}}}"),
    "readings": filled(INPUT + b'"sensor_readings":[', b"{}", b"]}}"),
    "levels": b"[" * SIZE,
    "levels in the goal": INPUT + b'"goal":{"a":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}}}",
    "entities": filled(STRUCTURE[:-2] + b',"entities":[', b'{"id":7}', b"]}}}}"),
    "a name": INPUT + b'"' + b"a" * SIZE + b'":1, "detail":7}}',
}


@pytest.fixture(autouse=True)
def _solvers() -> Iterator[None]:
    with small_solvers():
        yield


@pytest.mark.requirement("responses.body-bounded", "responses.free-values", "error.400.body")
@pytest.mark.parametrize("hostile", HOSTILE)
async def test_a_hostile_body_is_refused_in_few_words(house: House, key: str, hostile: str) -> None:
    answer = await respond(house, key, HOSTILE[hostile])
    details = assert_fault(answer, 400, "invalid_request_error")
    assert len(answer.content) < ANSWER_BYTES and len(details.get("errors", [])) <= MOST_LISTED
    assert not house.dispatch.asked


@pytest.mark.requirement("responses.body-apart", "api.body-off-the-loop")
@pytest.mark.parametrize("route", [RESPONSES, BATCH])
async def test_the_largest_scene_is_parsed_in_another_process(
    house: House, key: str, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parser holds the interpreter's lock, so that a thread would stop the event loop for up to a second (docs/decisions/0032)."""
    sizes: list[int] = []

    async def measure(job: RespondJob, content: bytes, deadline: float) -> Solution:
        sizes.append(len(content))
        return Solution([], {"runtime": "geometric"})

    def parse_here(*_: Any, **__: Any) -> Any:
        raise AssertionError("a large body is parsed in the process that serves requests")

    monkeypatch.setattr(house.dispatch, "respond", measure)
    monkeypatch.setattr(validation, "json_value", parse_here)
    body = filled(POINTS, b'{"x":1,"y":2,"z":3}', b"]}]}}}")
    content = b'{"requests":[' + body + b"]}" if route == BATCH else body
    said = headers(key, "one") | {"Content-Type": "application/json"}
    answer = await house.client.post(route, content=content, headers=said)
    assert answer.status_code == 200, answer.text
    assert sizes[0] > len(body)


@pytest.mark.requirement("responses.body-apart", "responses.200")
async def test_a_scene_that_is_parsed_apart_arrives_whole(house: House, key: str) -> None:
    points = [{"x": place, "y": 0.5, "z": -1e-9} for place in range(5_000)]
    scene = {"point_clouds": [{"object_id": "a", "points": points}]}
    body = json.dumps(question(point_cloud_scene=scene)).encode()
    assert len(body) > THREAD_BYTES
    answer = await respond(house, key, body)
    assert answer.status_code == 200, answer.text
    [(_, asked, _)] = house.dispatch.asked
    assert asked.point_cloud_scene is not None and asked.point_cloud_scene.point_clouds[0].points == points
    bad = body.replace(b'"y": 0.5', b'"y": NaN', 1)
    path = "input.point_cloud_scene.point_clouds.0.points.0.y"
    assert assert_fault(await respond(house, key, bad), 422, "invalid_request_error")["field"] == path


@pytest.mark.requirement("responses.free-values")
async def test_as_many_free_values_as_the_limit_pass(house: House, key: str) -> None:
    readings = [{"t": 0}] * ((limits.FREE_VALUES - 10) // 2)
    assert (await respond(house, key, question(sensor_readings=readings))).status_code == 200
    details = assert_fault(
        await respond(house, key, question(sensor_readings=[*readings, *readings[:6]])), 400, "invalid_request_error"
    )
    assert details == {"field": "input", "values_limit": limits.FREE_VALUES}


@pytest.mark.requirement("responses.body-bounded")
async def test_a_parser_that_computes_too_long_is_stopped_and_another_one_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parser_process, "PARSE_SECONDS", 0.2)
    with pytest.raises(InvalidRequest, match="takes too long"):
        await run_in_parser_process(pow, 3, 10**12)
    monkeypatch.undo()
    assert await run_in_parser_process(len, b"abc") == 3


@pytest.mark.requirement("responses.body-bounded")
async def test_a_parser_that_has_no_turn_is_no_fault_of_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_process, "PARSE_SECONDS", 0.2)
    await run_in_parser_process(time.sleep, 0.5)
    monkeypatch.setattr(parser_process, "WAIT_SECONDS", 0.3)
    with pytest.raises(ConverterUnavailable, match="busy"):
        await run_in_parser_process(time.sleep, 3_600.0)
    monkeypatch.undo()
    assert await run_in_parser_process(len, b"abc") == 3


@pytest.mark.requirement("responses.body-bounded")
async def test_a_parser_that_needs_too_much_memory_refuses() -> None:
    with pytest.raises(InvalidRequest, match="too much memory"):
        await run_in_parser_process(bytes, parser_process.MEMORY_BYTES)


@pytest.mark.requirement("responses.body-apart")
async def test_errors_of_the_parser_are_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        await run_in_parser_process(divmod, 1, 0)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "points", "upload_id"]), inner),
    max_leaves=6,
)


@pytest.mark.requirement("responses.body-apart", "logs.one-line")
def test_a_parser_whose_api_process_was_killed_ends_without_a_word() -> None:
    command = [sys.executable, "-P", "-m", "api.parser_process"]
    ours: dict[str, Any] = {"cwd": parser_process.ROOT, "env": {"PYTHONPATH": str(parser_process.ROOT)}}
    message = pickle.dumps((5.0, bytes, (1_000_000,), {}))
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **ours
    ) as started:
        assert started.stdin is not None and started.stdout is not None and started.stderr is not None
        started.stdout.close()
        started.stdin.write(parser_process.LENGTH.pack(len(message)) + message)
        started.stdin.flush()
        assert (started.stderr.read(), started.wait()) == (b"", 0)


INPUTS = st.fixed_dictionaries(
    {"task_type": st.sampled_from(["fit", "compare"]) | VALUES},
    optional={
        "point_cloud_scene": st.just(SCENE) | VALUES,
        "cad_scene": st.just(DOCUMENT) | st.just({"upload_id": "up_1"}) | VALUES,
        "scene_id": VALUES,
        "goal": st.dictionaries(st.text(max_size=3), VALUES, max_size=2) | VALUES,
        "object_id": st.just("box") | VALUES,
        "further": VALUES,
    },
)
REQUESTS = st.fixed_dictionaries({"input": INPUTS | VALUES}, optional={"request_id": VALUES, "model": VALUES}) | VALUES


@pytest.mark.requirement("api.fuzz")
@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=st.lists(REQUESTS, min_size=1, max_size=3), retry=st.none() | st.sampled_from(["one", "two"]))
async def test_any_requests_have_a_known_status(house: House, key: str, items: list[Any], retry: str | None) -> None:
    said = headers(key, retry) | {"Content-Type": "application/json"}
    for route, body in ((RESPONSES, items[0]), (BATCH, {"requests": items})):
        answer = await house.client.post(route, content=json.dumps(body).encode(), headers=said)
        assert answer.status_code in {200, 207, 400, 409, 422}, answer.text
        assert json.loads(answer.content)["request_id"] == answer.headers["x-request-id"]
        if answer.status_code in {200, 207} and route == BATCH:
            assert {entry["status"] for entry in answer.json()["data"]} <= {200, 400, 422}

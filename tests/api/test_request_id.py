"""X-Request-ID and the Error shape on everything, and one log line a request."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from spatial import logs
from tests.api.house import EXTRACT, STEP, House, assert_fault, headers


@pytest.mark.requirement("error.404.unknown-route", "request-id.on-404", "error.shape", "api.no-slash-redirects")
async def test_an_unknown_route_is_404_in_the_error_shape(house: House) -> None:
    for path in ("/nothing", "/api", "/api/v1/models/", "/api/health/", EXTRACT + "/", "/%00", "/ø"):
        for method in ("GET", "POST", "DELETE"):
            assert_fault(await house.client.request(method, path), 404, "not_found")
    assert_fault(await house.client.get("/docs/assets/nothing.js"), 404, "not_found")


@pytest.mark.requirement("error.405.method", "request-id.on-405", "api.allow")
async def test_a_wrong_method_is_405_and_says_which_there_are(house: House) -> None:
    for method, path, allow in (
        ("GET", EXTRACT, "POST"),
        ("HEAD", EXTRACT, "POST"),
        ("OPTIONS", EXTRACT, "POST"),
        ("POST", "/api/v1/models", "GET, HEAD"),
        ("DELETE", "/api/health", "GET, HEAD"),
        ("PROPFIND", "/docs", "GET, HEAD"),
    ):
        answer = await house.client.request(method, path)
        assert answer.headers["allow"] == allow and answer.headers["x-request-id"]
        if method != "HEAD":
            assert_fault(answer, 405, "method_not_allowed")


@pytest.mark.requirement("request-id.on-static", "api.head-like-get")
async def test_pages_files_and_redirects_carry_it_and_head_is_get_without_its_body(house: House) -> None:
    for path in (
        "/",
        "/docs",
        "/redoc",
        "/docs/assets/swagger-ui.css",
        "/openapi.json",
        "/api/v1/models",
        "/api/health",
    ):
        get, head = await house.client.get(path), await house.client.head(path)
        assert get.headers["x-request-id"].startswith("req_") and head.headers["x-request-id"].startswith("req_")
        assert (head.status_code, head.content) == (get.status_code, b"")
        assert head.headers["content-type" if path != "/" else "location"]
    assert (await house.client.get("/")).headers["location"] == "/docs"


@pytest.mark.requirement("request-id.inbound-untrusted")
async def test_an_inbound_id_is_not_taken(house: House) -> None:
    seen = [(await house.client.get("/api/v1/models", headers={"X-Request-ID": "mine"})).headers for _ in range(2)]
    assert seen[0].get_list("x-request-id") != seen[1].get_list("x-request-id")
    assert all(len(headers.get_list("x-request-id")) == 1 and headers["x-request-id"] != "mine" for headers in seen)


@pytest.mark.requirement("error.500.no-internals")
async def test_a_failure_of_ours_is_500_and_tells_the_log_only(
    house: House, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    house.dispatch.failure = ZeroDivisionError("secret detail of /etc/passwd")
    answer = await house.extract(key)
    assert_fault(answer, 500, "internal_error")
    assert "secret" not in answer.text and "ZeroDivision" not in answer.text
    [record] = [record for record in caplog.records if record.exc_info]
    assert "secret detail" in logs.JsonLines().format(record)


@pytest.mark.requirement("api.log-lines")
async def test_each_request_is_one_json_line_without_its_key_or_its_file(
    house: House, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    logs.configure("json", "debug")
    root.handlers[0].setStream(sys.stderr)  # type: ignore[attr-defined]  # the one that capsys reads
    try:
        answer = await house.extract(key, retry="one")
        replay = await house.extract(key, retry="one")
        await house.client.get("/nothing")
    finally:
        root.handlers[:], root.level = before
    said = capsys.readouterr().err
    assert key not in said and "ISO-10303" not in said and "SVNP" not in said
    first, second, third = (line for line in map(json.loads, said.splitlines()) if line["logger"] == "api.access")
    assert first["request_id"] == answer.headers["x-request-id"]
    assert (first["method"], first["route"], first["status"]) == ("POST", EXTRACT, 200) and first["ms"] > 0
    assert second["answered_request_id"] == replay.headers["x-request-id"] != second["request_id"]
    assert (third["route"], third["status"]) == (None, 404)


@pytest.mark.requirement("api.log-lines")
def test_a_log_line_is_json_whatever_is_in_it() -> None:
    record = logging.makeLogRecord({"msg": "broken \ud800 %s", "args": ("name",), logs.FIELDS: {"object": object()}})
    line = json.loads(logs.JsonLines().format(record))
    assert line["message"].endswith("name") and line["object"].startswith("<object")


@pytest.mark.requirement("error.413.body", "request-id.on-413", "limit.every-route")
async def test_a_body_over_the_limit_is_413_on_every_route(house: House) -> None:
    for method, path in (("POST", EXTRACT), ("GET", "/api/v1/models"), ("POST", "/nothing"), ("PUT", "/api/health")):
        answer = await house.client.request(method, path, content=b"x" * 6_291_457)
        assert assert_fault(answer, 413, "request_too_large") == {"limit_bytes": 6_291_456}


@pytest.mark.requirement("limit.settings", "limit.body")
async def test_the_body_limit_is_a_setting_and_the_last_byte_still_fits(house: House, key: str) -> None:
    exactly = STEP.ljust(6_291_456)
    answer = await house.client.post(EXTRACT, content=exactly, headers=headers(key))
    assert_fault(answer, 400, "invalid_request_error")

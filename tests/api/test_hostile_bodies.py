"""Bodies within the size limit that are expensive to read: counted before they are built, read off the event loop, refused in few words."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from spatial.contract import validation
from spatial.contract.validation import MOST_LISTED, MOST_TOKENS
from tests.api.house import EXTRACT, House, assert_fault, headers

ROUTES = [EXTRACT, f"{EXTRACT}/batch", "/api/v1/uploads"]
SIZE = 5_000_000
"""Bytes; below the limit of a body."""

ANSWER_BYTES = 20_000
"""Above any answer to an invalid body, whatever was sent."""

MANY: dict[str, bytes] = {
    "members": b"{" + b",".join(b'"member-%d":0' % place for place in range(SIZE // 16)) + b"}",
    "the same member": b"{" + b",".join([b'"a":0'] * (SIZE // 6)) + b"}",
    "items": b'{"items":[' + b",".join([b"{}"] * (SIZE // 3)) + b"]}",
    "numbers": b'{"file_name":[' + b",".join([b"0"] * (SIZE // 2)) + b"]}",
    "levels": b"[" * SIZE,
    "strings without commas": b'""' * (SIZE // 2),
}
LONG: dict[str, bytes] = {
    "a member's name": b'{"' + b"a" * SIZE + b'":0}',
    "a member's name in an item": b'{"items":[{"' + b"a" * SIZE + b'":0}]}',
    "a URL": b'{"file_name":"a.step","content_url":"http://a' + b"," * SIZE + b'"}',
    "a name": b'{"file_name":"' + b",[{" * (SIZE // 3) + b'.step"}',
    "escapes": b'{"file_name":"' + rb"\"" * (SIZE // 2) + b'.step"}',
    "no closing quote": b'{"file_name":"' + rb"\"" * (SIZE // 2),
    "base64": b'{"file_name":"a.step","content_base64":"' + b"A" * SIZE + b'?"}',
}


async def refused(house: House, key: str, route: str, body: bytes) -> dict[str, Any]:
    """POST a body that must be 400 in few words; returns the details."""
    said = headers(key) | {"Content-Type": "application/json"}
    answer = await house.client.post(route, content=body, headers=said)
    details = assert_fault(answer, 400, "invalid_request_error")
    assert len(answer.content) < ANSWER_BYTES
    return details


@pytest.mark.requirement("api.body-bounded", "error.400.body")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("many", MANY)
async def test_a_body_of_very_many_values_is_refused_before_they_are_built(
    house: House, key: str, route: str, many: str
) -> None:
    assert await refused(house, key, route, MANY[many]) == {"field": "body", "tokens_limit": MOST_TOKENS}


@pytest.mark.requirement("api.body-bounded", "error.400.body")
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("long", LONG)
async def test_a_body_of_a_very_long_text_is_refused_in_few_words(
    house: House, key: str, route: str, long: str
) -> None:
    details = await refused(house, key, route, LONG[long])
    assert len(details.get("errors", [])) <= MOST_LISTED


@pytest.mark.requirement("api.body-bounded", "validation.400-with-path")
async def test_marks_inside_of_texts_do_not_count(house: House, key: str) -> None:
    name = ",[{" * 80 + ".step"
    item = {"file_name": name, "content_url": "https://files.example.com/a.step?" + "," * 4_000}
    answer = await house.client.post(f"{EXTRACT}/batch", json={"items": [item] * 32}, headers=headers(key))
    assert answer.status_code == 202, answer.text


@pytest.mark.requirement("api.body-bounded", "validation.400-with-path")
async def test_a_body_at_the_limit_lists_the_first_errors_and_counts_the_rest(house: House, key: str) -> None:
    members = (MOST_TOKENS - 1) // 2
    body = b"{" + b",".join(b'"m%d":0' % place for place in range(members)) + b"}"
    details = await refused(house, key, EXTRACT, body)
    assert len(details["errors"]) == MOST_LISTED
    assert details["further_errors"] == members + len(("file_name", "content_url")) - MOST_LISTED


@pytest.mark.requirement("api.body-off-the-loop")
@pytest.mark.parametrize("route", ROUTES)
async def test_a_body_is_validated_in_the_thread_of_the_parser(
    house: House, key: str, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def noted(work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            threads.append(threading.current_thread().name)
            return work(*arguments)

        return call

    monkeypatch.setattr(validation, "json_value", noted(validation.json_value))
    monkeypatch.setattr(validation, "check", noted(validation.check))
    await refused(house, key, route, b'{"file_name": 7}')
    assert len(threads) == 2 and set(threads) == {"body-parser_0"}


@pytest.mark.requirement("api.file-name-visible", "error.400.body")
@pytest.mark.parametrize(
    "mark",
    ["\x00", "\n", "\x7f", "\x85", "\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202e", "\u2066", "\u2069"],
)
async def test_a_name_that_does_not_read_as_it_is_shown_is_refused_on_every_route(
    house: House, key: str, mark: str
) -> None:
    name = f"a{mark}b.step"
    file = {"file_name": name, "content_base64": "AAAA"}
    for route, body in ((EXTRACT, file), (f"{EXTRACT}/batch", {"items": [file]}), (ROUTES[2], {"file_name": name})):
        answer = await house.client.post(route, json=body, headers=headers(key))
        assert_fault(answer, 400, "invalid_request_error")
    if mark.isprintable() or mark > "\u0100":
        for route, part in ((EXTRACT, "file"), (f"{EXTRACT}/batch", "files")):
            form = f'--x\r\nContent-Disposition: form-data; name="{part}"; filename="{name}"\r\n\r\nA\r\n--x--\r\n'
            said = headers(key) | {"Content-Type": "multipart/form-data; boundary=x"}
            assert_fault(
                await house.client.post(route, content=form.encode(), headers=said), 400, "invalid_request_error"
            )


@pytest.mark.requirement("api.file-name-bare")
async def test_an_upload_drops_the_path_of_a_name_as_an_extraction_does(house: House, key: str) -> None:
    for sent in ("C:\\parts\\Bracket.STP", "/tmp/Bracket.STP", "../Bracket.STP"):
        answer = await house.client.post(ROUTES[2], json={"file_name": sent}, headers=headers(key))
        assert answer.json()["file_name"] == "Bracket.STP"
    for sent in ("parts/", "\\"):
        answer = await house.client.post(ROUTES[2], json={"file_name": sent}, headers=headers(key))
        assert_fault(answer, 400, "invalid_request_error")

"""What a body may be: JSON and forms, and how each bad one is refused. Nothing here begins to execute."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.api.house import EXTRACT, NAME, STEP, House, assert_fault, headers

B64 = base64.b64encode(STEP).decode()


def paths(details: dict[str, Any]) -> list[str]:
    return [error["path"] for error in details["errors"]]


async def refused(house: House, key: str, body: bytes, content_type: str = "application/json") -> dict[str, Any]:
    """POST a body that must be 400; returns the details."""
    answer = await house.client.post(EXTRACT, content=body, headers={**headers(key), "Content-Type": content_type})
    details = assert_fault(answer, 400, "invalid_request_error")
    assert not house.dispatch.jobs
    return details


def say(**members: Any) -> bytes:
    said = {"file_name": NAME, "content_base64": B64} | members
    return json.dumps({name: value for name, value in said.items() if value is not ...}).encode()


@pytest.mark.requirement(
    "error.400.body",
    "error.400.missing-file-name",
    "error.400.base64",
    "error.400.content-url-refused",
    "error.400.target-contract",
    "validation.400-with-path",
    "validation.never-framework-422",
    "content.empty-400",
)
async def test_a_member_that_is_wrong_is_named_by_its_path(house: House, key: str) -> None:
    wrong: list[tuple[bytes, str]] = [
        (say(file_name=...), "file_name"),
        (say(file_name=""), "file_name"),
        (say(file_name="x" * 251 + ".step"), "file_name"),
        (say(file_name="bracket\x00.step"), "file_name"),
        (say(file_name=7), "file_name"),
        (say(file_name="parts/"), "file_name"),
        (say(content_base64="data:model/step;base64," + B64), "content_base64"),
        (say(content_base64="_-_-"), "content_base64"),
        (say(content_base64="QUJ"), "content_base64"),
        (say(content_base64="QU\nJD"), "content_base64"),
        (say(content_base64="ø"), "content_base64"),
        (say(content_base64=""), "content_base64"),
        (say(content_base64=...), "content_url"),
        (say(content_url="https://files.example.com/a.step"), "content_url"),
        (say(content_base64=..., content_url="ftp://files.example.com/a.step"), "content_url"),
        (say(target_contract="everything"), "target_contract"),
        (say(target_contract=None), "target_contract"),
        (say(target_contrakt="both"), "target_contrakt"),
    ]
    for body, path in wrong:
        assert paths(await refused(house, key, body)) == [path], body


@pytest.mark.requirement("error.400.content-url-refused")
async def test_a_content_url_that_is_plainly_not_public_is_refused_at_submission(house: House, key: str) -> None:
    for url in (
        "http://127.0.0.1/a.step",
        "http://localhost/a.step",
        "http://[::1]/a.step",
        "http://2130706433/a.step",
    ):
        await refused(house, key, say(content_base64=..., content_url=url))


@pytest.mark.requirement("api.json-strict", "error.400.body")
async def test_json_is_strict(house: House, key: str) -> None:
    for body in (
        b"",
        b"null",
        b"[]",
        b'"text"',
        b"{",
        say()[:-1],
        say() + b"{}",
        b'{"file_name": NaN}',
        b'{"file_name": "\xff.step"}',
        b'{"file_name": "\\ud800.step"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"file_name": 1' + b"0" * 10_000 + b"}",
        say().decode().encode("utf-16"),
    ):
        await refused(house, key, body)


@pytest.mark.requirement("api.content-types", "error.400.body")
async def test_other_content_types_and_encodings_are_refused(house: House, key: str) -> None:
    for content_type in (
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/octet-stream",
        "nonsense;;",
    ):
        await refused(house, key, say(), content_type)
    await refused(house, key, say(), "application/json; charset=latin-1")
    packed = {**headers(key), "Content-Type": "application/json", "Content-Encoding": "gzip"}
    assert_fault(await house.client.post(EXTRACT, content=say(), headers=packed), 400, "invalid_request_error")


@pytest.mark.requirement("api.content-types", "extract.json.200")
async def test_json_with_a_charset_and_in_capitals_is_json(house: House, key: str) -> None:
    for content_type in ("application/json; charset=utf-8", 'Application/JSON; charset="UTF-8"'):
        answer = await house.client.post(EXTRACT, content=say(), headers={**headers(key), "Content-Type": content_type})
        assert answer.status_code == 200, answer.text


@pytest.mark.requirement("extract.multipart.file-required", "api.multipart-closed", "content.empty-400")
async def test_a_form_that_is_not_one_file_and_a_target_is_refused(house: House, key: str) -> None:
    file = ("file", (NAME, STEP))
    forms: list[tuple[list[tuple[str, Any]], str]] = [
        ([("files", (NAME, STEP))], "files"),
        ([("target_contract", (None, "both"))], "file"),
        ([file, file], "file"),
        ([file, ("target_contract", (None, "both")), ("target_contract", (None, "both"))], "target_contract"),
        ([file, ("target_contract", (None, "everything"))], "target_contract"),
        ([file, ("edges", (None, "yes"))], "edges"),
        ([file, ("target_contrakt", (None, "both"))], "target_contrakt"),
        ([("file", (NAME, b""))], "file"),
        ([("file", (None, STEP))], "file"),
        ([("file", ("", STEP))], "file"),
        ([("file", ("x" * 251 + ".step", STEP))], "file.filename"),
        ([("file", ("folder/", STEP))], "file.filename"),
    ]
    for files, path in forms:
        answer = await house.client.post(EXTRACT, files=files, headers=headers(key))
        assert paths(assert_fault(answer, 400, "invalid_request_error")) == [path], files
    await refused(house, key, b"--x\r\nno end", "multipart/form-data; boundary=x")


@pytest.mark.requirement("api.file-name-bare", "extraction.file-name", "extract-request.extension-selects-parser")
async def test_a_path_in_a_file_name_is_dropped(house: House, key: str) -> None:
    for sent in ("C:\\parts\\Bracket.STP", "/tmp/Bracket.STP", "../Bracket.STP", "Bracket.STP"):
        by_json = await house.extract(key, file_name=sent)
        by_form = await house.client.post(EXTRACT, files={"file": (sent, STEP)}, headers=headers(key))
        assert by_json.json()["file_name"] == by_form.json()["file_name"] == "Bracket.STP"
    assert {job.format for job in house.dispatch.jobs} == {"step"}


@pytest.mark.requirement("error.413.file", "limit.settings")
async def test_a_file_over_the_file_limit_is_413_in_every_way_it_can_come(house: House, key: str) -> None:
    house.app.state.dispatcher.settings = house.dispatch.settings.model_copy(update={"file_limit_bytes": len(STEP) - 1})
    by_form = await house.client.post(EXTRACT, files={"file": (NAME, STEP)}, headers=headers(key))
    for answer in (await house.extract(key), by_form):
        assert assert_fault(answer, 413, "request_too_large") == {"limit_bytes": len(STEP) - 1}


@pytest.mark.requirement(
    "extension.unknown-415", "extension.missing-415", "extension.native-415", "error.415.unsupported"
)
async def test_an_extension_without_a_reader_is_415(house: House, key: str) -> None:
    for name, says in (
        ("part.sldprt", "STEP"),
        ("part.xyz", "not supported"),
        ("part", "extension"),
        (".step", "extension"),
    ):
        answer = await house.extract(key, file_name=name)
        assert_fault(answer, 415, "unsupported_file_type")
        assert says in answer.json()["error"]["message"]

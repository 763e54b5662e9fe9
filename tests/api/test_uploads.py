"""Uploads from the announcement to the extraction that names them."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from spatial.contract.upload import Upload
from storage.objects import bucket
from storage.postgres import upload_files
from storage.settings import Settings
from tests.api.house import EXTRACT, NAME, STEP, House, assert_fault, headers, open_house

UPLOADS = "/api/v1/uploads"
BIG = STEP + b" " * (7 * 1024 * 1024)
"""Over the body limit of every other route."""


async def announced(house: House, key: str, **members: Any) -> dict[str, Any]:
    """A new upload."""
    answer = await house.client.post(UPLOADS, json={"file_name": NAME, **members}, headers=headers(key))
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def put(
    house: House, key: str | None, upload: dict[str, Any], content: Any = STEP, **extra: str
) -> httpx.Response:
    """PUT a file to an upload."""
    return await house.client.put(upload["upload_url"], content=content, headers=headers(key) | extra)


async def extracted(house: House, key: str, upload_id: str, **members: Any) -> httpx.Response:
    """An extraction that names an upload."""
    return await house.extract(key, content_base64=None, upload_id=upload_id, **members)


async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
    """A body of undeclared length."""
    for part in parts:
        yield part


async def lying(house: House) -> list[str]:
    """What lies in the lake under staged/, scratch files included."""
    folder = Path(house.dispatch.lake.root) / "staged"
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.requirement("upload.create")
async def test_an_announcement_answers_a_handle(house: House, key: str) -> None:
    answer = await house.client.post(UPLOADS, json={"file_name": NAME, "size": 1000}, headers=headers(key))
    assert answer.status_code == 201
    said = answer.json()
    Upload.model_validate_json(answer.content)
    assert said["id"].startswith("up_") and (said["object"], said["status"]) == ("upload", "waiting")
    assert said["upload_url"] == f"{UPLOADS}/{said['id']}" and said["method"] == "PUT"
    assert said["headers"] == {"Authorization": "Bearer <API_KEY>"} and said["max_bytes"] == 1000
    assert said["request_id"] == answer.headers["x-request-id"] and "sha256" not in said
    assert (await announced(house, key))["max_bytes"] == 26_214_400
    assert await house.usage(key) == []


@pytest.mark.requirement("upload.refusals")
async def test_an_announcement_is_refused_for_the_first_thing_wrong(house: House, key: str) -> None:
    async def said(body: Any, secret: str | None = key) -> httpx.Response:
        return await house.client.post(UPLOADS, json=body, headers=headers(secret))

    assert_fault(await said({"file_name": NAME}, None), 401, "authentication_error")
    bodies: tuple[Any, ...] = (
        {},
        {"file_name": ""},
        {"file_name": NAME, "size": 0},
        {"file_name": NAME, "size": "9"},
        [],
    )
    for wrong in bodies:
        assert_fault(await said(wrong), 400, "invalid_request_error")
    form = await house.client.post(UPLOADS, files={"file": (NAME, STEP)}, headers=headers(key))
    assert_fault(form, 400, "invalid_request_error")
    assert_fault(await said({"file_name": "part.sldprt"}), 415, "unsupported_file_type")
    details = assert_fault(await said({"file_name": NAME, "size": 26_214_401}), 413, "request_too_large")
    assert details == {"limit_bytes": 26_214_400}
    unpaid = await house.key("canceled")
    assert_fault(await said({"file_name": NAME}, unpaid), 402, "payment_required")


@pytest.mark.requirement("upload.put")
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_file_over_the_body_limit_is_received(house: House, key: str, chunked: bool) -> None:
    upload = await announced(house, key)
    answer = await put(
        house, key, upload, pieces(*(BIG[i : i + 65_536] for i in range(0, len(BIG), 65_536))) if chunked else BIG
    )
    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert (said["status"], said["size"]) == ("received", len(BIG))
    assert said["sha256"] == hashlib.sha256(BIG).hexdigest()
    asked = (await house.client.get(upload["upload_url"], headers=headers(key))).json()
    assert {**asked, "request_id": said["request_id"]} == said
    assert len(await lying(house)) == 1


@pytest.mark.requirement("upload.put")
async def test_only_the_put_takes_more_than_the_body_limit(house: House, key: str) -> None:
    upload = await announced(house, key)
    for method, path in (
        ("POST", upload["upload_url"]),
        ("PUT", UPLOADS),
        ("PUT", f"{upload['upload_url']}/x"),
        ("PUT", EXTRACT),
    ):
        answer = await house.client.request(method, path, content=BIG, headers=headers(key))
        assert_fault(answer, 413, "request_too_large")
    over = await put(house, key, upload, b" " * 26_214_401)
    assert_fault(over, 413, "request_too_large")


@pytest.mark.requirement("upload.whole-or-not")
async def test_what_is_not_whole_leaves_nothing(house: House, key: str) -> None:
    upload = await announced(house, key, size=100_000)
    assert_fault(await put(house, key, upload, b"x" * 100_001), 413, "request_too_large")
    assert_fault(await put(house, key, upload, pieces(b"x" * 60_000, b"x" * 60_000)), 413, "request_too_large")
    assert_fault(await put(house, key, upload, b""), 400, "invalid_request_error")
    assert_fault(await put(house, key, upload, pieces()), 400, "invalid_request_error")
    assert_fault(await put(house, key, upload, STEP, **{"Content-Encoding": "gzip"}), 400, "invalid_request_error")
    short = await put(house, key, upload, pieces(b"x" * 500), **{"Content-Length": "1000"})
    assert_fault(short, 400, "invalid_request_error")
    assert_fault(await put(house, None, upload), 401, "authentication_error")
    assert await lying(house) == []
    asked = await house.client.get(upload["upload_url"], headers=headers(key))
    assert asked.json()["status"] == "waiting"
    assert (await put(house, key, upload, b"x" * 100_000)).status_code == 200


@pytest.mark.requirement("upload.whole-or-not")
async def test_a_caller_who_hangs_up_leaves_nothing(house: House, key: str) -> None:
    upload = await announced(house, key)
    said = [
        {"type": "http.request", "body": b"x" * 200_000, "more_body": True},
        {"type": "http.disconnect"},
    ]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "PUT",
        "path": upload["upload_url"],
        "raw_path": upload["upload_url"].encode(),
        "query_string": b"",
        "headers": [(b"authorization", f"Bearer {key}".encode()), (b"content-length", b"1000000")],
        "scheme": "http",
        "server": ("api.test", 80),
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> Any:
        return said.pop(0)

    async def send(message: Any) -> None:
        raise AssertionError(f"nobody is there to be told {message}")

    await house.app(scope, receive, send)
    assert said == [] and await lying(house) == []


@pytest.mark.requirement("upload.extract", "upload.replaced-until-used")
async def test_an_upload_is_extracted_several_times_and_billed(house: House, key: str) -> None:
    upload = await announced(house, key)
    await put(house, key, upload, b"first")
    assert (await put(house, key, upload, BIG)).json()["size"] == len(BIG)
    for target in ("structured", "both"):
        answer = await extracted(house, key, upload["id"], target_contract=target)
        assert answer.status_code == 200, answer.text
    first, second = house.dispatch.jobs
    assert first.content_key == second.content_key and first.operation_id != second.operation_id
    assert first.content_key is not None and first.content_key.startswith(f"staged/{upload['id']}/")
    assert await house.dispatch.lake.get(first.content_key) == BIG
    assert_fault(await put(house, key, upload, b"third"), 400, "invalid_request_error")
    used = (await house.client.get(upload["upload_url"], headers=headers(key))).json()
    assert used["status"] == "used" and "upload_url" not in used
    assert await lying(house) == [first.content_key.removeprefix("staged/")]


@pytest.mark.requirement("upload.extract")
async def test_a_failed_extraction_reports_the_upload_s_bytes(house: House, key: str) -> None:
    from spatial.errors import ParseError

    upload = await announced(house, key)
    await put(house, key, upload, BIG)
    house.dispatch.failure = ParseError("not a STEP file")
    details = assert_fault(await extracted(house, key, upload["id"]), 422, "parse_error")
    assert details["usage"]["input_tokens"] == math.ceil(len(BIG) / 4)


@pytest.mark.requirement("upload.unusable-400", "upload.account-scoped")
async def test_an_upload_that_cannot_be_used_is_400_that_says_what_to_do(house: House, key: str) -> None:
    stranger = await house.key()
    theirs = await announced(house, stranger)
    await put(house, stranger, theirs)
    waiting, expired = await announced(house, key), await announced(house, key)
    await put(house, key, expired)
    await house_expires(house, expired["id"])
    for upload_id, words in (
        ("up_nothing", "POST /api/v1/uploads"),
        (theirs["id"], "POST /api/v1/uploads"),
        (expired["id"], "expired"),
        (waiting["id"], "has not arrived"),
    ):
        answer = await extracted(house, key, upload_id)
        details = assert_fault(answer, 400, "invalid_request_error")
        assert details["field"] == "upload_id" and words in answer.json()["error"]["message"]
    for url in (theirs["upload_url"], expired["upload_url"], f"{UPLOADS}/nonsense"):
        for call in (house.client.get(url, headers=headers(key)), house.client.delete(url, headers=headers(key))):
            assert_fault(await call, 404, "not_found")
        assert_fault(await house.client.put(url, content=STEP, headers=headers(key)), 404, "not_found")
    assert not house.dispatch.jobs
    bad = await house.extract(key, content_base64=None, upload_id="../x")
    assert_fault(bad, 400, "invalid_request_error")


async def house_expires(house: House, upload_id: str) -> None:
    """Let an upload's time be over."""
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql(
            f"UPDATE uploads SET expires_at = now() - interval '1 s' WHERE id = '{upload_id}'"
        )


@pytest.mark.requirement("upload.idempotency")
async def test_the_id_stands_for_the_bytes_and_a_replay_needs_no_upload(house: House, key: str) -> None:
    upload, other = await announced(house, key), await announced(house, key)
    await put(house, key, upload)
    await put(house, key, other)
    first = await extracted(house, key, upload["id"], retry="one")
    assert first.status_code == 200
    assert_fault(await extracted(house, key, other["id"], retry="one"), 409, "idempotency_conflict")
    assert (await house.client.delete(upload["upload_url"], headers=headers(key))).status_code == 204
    again = await extracted(house, key, upload["id"], retry="one")
    assert again.status_code == 200 and again.headers["idempotency-replayed"] == "true"
    assert again.content == first.content
    assert_fault(await extracted(house, key, upload["id"], retry="two"), 400, "invalid_request_error")


@pytest.mark.requirement("upload.delete")
async def test_a_deleted_upload_leaves_nothing(house: House, key: str) -> None:
    upload = await announced(house, key)
    await put(house, key, upload)
    answer = await house.client.delete(upload["upload_url"], headers=headers(key))
    assert (answer.status_code, answer.content) == (204, b"") and answer.headers["x-request-id"]
    assert await lying(house) == []
    assert_fault(await house.client.delete(upload["upload_url"], headers=headers(key)), 404, "not_found")


@pytest.mark.requirement("upload.ceilings")
async def test_an_account_holds_so_much_and_no_more(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, uploads_open=3, upload_bytes_open=1000) as house:
        key, other = await house.key(), await house.key()

        async def asked(size: int) -> httpx.Response:
            return await house.client.post(UPLOADS, json={"file_name": NAME, "size": size}, headers=headers(key))

        answers = await asyncio.gather(*(asked(10) for _ in range(6)))
        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 3
        refused = next(answer for answer in answers if answer.status_code == 429)
        details = assert_fault(refused, 429, "rate_limit_exceeded")
        assert details == {"open": 3, "open_limit": 3, "bytes": 30, "bytes_limit": 1000}
        assert 86_000 < int(refused.headers["retry-after"]) <= 86_400
        assert (await announced(house, other, size=10))["status"] == "waiting"
        held = [answer.json() for answer in answers if answer.status_code == 201]
        await house.client.delete(held[0]["upload_url"], headers=headers(key))
        assert (await asked(981)).status_code == 429
        assert (await asked(980)).status_code == 201
        await put(house, key, held[1], b"12345")
        await house.client.delete(held[2]["upload_url"], headers=headers(key))
        assert (await asked(15)).status_code == 201


@pytest.mark.requirement("upload.expires")
async def test_what_expired_is_deleted_with_its_files(house: House, key: str) -> None:
    stays, goes = await announced(house, key), await announced(house, key)
    for upload in (stays, goes):
        await put(house, key, upload)
    await house_expires(house, goes["id"])
    assert await upload_files.expire(house.dispatch.database, house.dispatch.lake) >= 1  # other tests' too
    assert [path.split("/")[0] for path in await lying(house)] == [stays["id"]]
    assert [row.id for row in await house.query("SELECT id FROM uploads WHERE expires_at > now()")].count(
        goes["id"]
    ) == 0
    assert await upload_files.expire(house.dispatch.database, house.dispatch.lake) == 0


@pytest.mark.requirement("upload.presigned")
async def test_with_a_public_endpoint_the_way_leads_past_us(
    postgres_url: str, tmp_path: Path, s3_settings: Settings
) -> None:
    await bucket.ensure_bucket(s3_settings)
    lake = {"storage_url": s3_settings.storage_url, "s3_endpoint": s3_settings.s3_endpoint}
    async with open_house(postgres_url, tmp_path, **lake, s3_public_endpoint=s3_settings.s3_endpoint) as house:
        key = await house.key()
        upload = await announced(house, key, size=len(BIG))
        assert upload["headers"] == {} and upload["upload_url"].startswith(f"{s3_settings.s3_endpoint}/lake-")
        async with httpx.AsyncClient(trust_env=False) as anybody:
            assert (await anybody.put(upload["upload_url"], content=BIG)).status_code == 200
        answer = await extracted(house, key, upload["id"])
        assert answer.status_code == 200, answer.text
        read = await house.client.get(f"{UPLOADS}/{upload['id']}", headers=headers(key))
        assert (read.json()["status"], read.json()["size"]) == ("used", len(BIG))
        other = await announced(house, key, size=10)
        async with httpx.AsyncClient(trust_env=False) as anybody:
            await anybody.put(other["upload_url"], content=b"x" * 11)
        assert_fault(await extracted(house, key, other["id"]), 413, "request_too_large")
        by_us = await house.client.put(f"{UPLOADS}/{other['id']}", content=STEP[:10], headers=headers(key))
        assert by_us.json()["status"] == "received"


@pytest.mark.requirement("upload.openapi")
async def test_the_routes_are_described(house: House) -> None:
    described = (await house.client.get("/openapi.json")).json()
    found = {path: set(operations) for path, operations in described["paths"].items() if path.startswith(UPLOADS)}
    assert found == {UPLOADS: {"post"}, f"{UPLOADS}/{{upload_id}}": {"put", "get", "delete"}}
    for path in found:
        for operation in described["paths"][path].values():
            assert operation["security"] == [{"apiKey": []}] and operation["summary"] and operation["description"]
            for answer in operation["responses"].values():
                assert answer["headers"]["X-Request-ID"] and answer["description"]
    made = described["paths"][UPLOADS]["post"]["responses"]
    assert set(made) == {"201", "400", "401", "402", "413", "415", "429", "500", "503"}
    assert {"Upload", "UploadRequest"} <= set(described["components"]["schemas"])


@pytest.mark.requirement("upload.account-scoped", "api.fuzz")
@pytest.mark.parametrize("id", ["up_%00", "%00", "up_a%00b", "up_" + "a" * 2_000, "up_%ff", "cb_1", "up_"])
async def test_an_id_that_no_upload_can_have_is_404_for_every_method(house: House, key: str, id: str) -> None:
    for method in ("GET", "PUT", "DELETE"):
        answer = await house.client.request(method, f"{UPLOADS}/{id}", content=STEP, headers=headers(key))
        assert_fault(answer, 404, "not_found")

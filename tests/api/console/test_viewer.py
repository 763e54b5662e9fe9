"""What the viewer asks of the service: files, documents, pictures, meshes and answers, each for one account."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest

from api.console.pictures import draw
from converter.local import convert
from spatial.contract.drawing import LOW_CONFIDENCE
from spatial.errors import InvalidRequest, ParseError
from tests.api.console.desk import Desk
from tests.api.house import STEP, House, assert_fault
from tests.support.stack import ROOT


async def caller(desk: Desk, key: str) -> tuple[str, dict[str, str]]:
    """The address of the viewer of the key's account, and what its scripts send."""
    return f"/console/viewer/{desk.house.accounts[key]}", {"X-Console-Token": await desk.token()}


async def extracted(desk: Desk, key: str, file_name: str = "part.step") -> dict[str, Any]:
    """A file sent and extracted as the page does it."""
    base, own = await caller(desk, key)
    upload = await desk.client.post(f"{base}/uploads", json={"file_name": file_name, "size": len(STEP)}, headers=own)
    assert upload.status_code == 201, upload.text
    sent = await desk.client.put(f"{base}/uploads/{upload.json()['id']}", content=STEP, headers=own)
    assert sent.status_code == 200, sent.text
    asked = {"file_name": file_name, "upload_id": upload.json()["id"], "target_contract": "both"}
    answer = await desk.client.post(f"{base}/extract", json=asked, headers=own)
    assert answer.status_code == 200, answer.text
    name, done = events_of(answer)[-1]
    assert name == "done", answer.text
    return {"request_id": done["extraction"], "upload": upload.json()["id"]}


def events_of(answer: httpx.Response) -> list[tuple[str, dict[str, Any]]]:
    """Name and data of every server-sent event."""
    assert answer.headers["content-type"].startswith("text/event-stream")
    pairs = (block.split("\n") for block in answer.text.strip().split("\n\n"))
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


@pytest.mark.requirement("console.viewer.extract")
async def test_a_file_is_sent_extracted_and_charged_under_a_key_that_nobody_holds(desk: Desk, key: str) -> None:
    first, second = await extracted(desk, key), await extracted(desk, key)
    rows = await desk.house.usage(key)
    assert len(rows) == 2 and len({row.key_id for row in rows}) == 1
    ((label, last_used),) = await desk.house.query(
        f"SELECT label, last_used_at FROM keys WHERE id = '{rows[0].key_id}'"
    )
    assert label == "console viewer" and last_used is not None, "its use is recorded like that of any key"
    base, _ = await caller(desk, key)
    page = await desk.get(f"{base}/{second['request_id']}")
    assert "part.step" in page and first["request_id"] in page
    listed = await desk.get(f"/console/viewer?account={desk.house.accounts[key]}")
    assert first["request_id"] in listed and second["request_id"] in listed
    document = await desk.client.get(f"{base}/{first['request_id']}/document")
    assert document.json()["request_id"] == first["request_id"] and document.json()["usage"]["input_tokens"] > 0


@pytest.mark.requirement("console.viewer.stages")
async def test_the_stages_of_an_extraction_are_told_as_they_begin_and_end(house: House, desk: Desk, key: str) -> None:
    base, own = await caller(desk, key)
    answer = await desk.client.post(f"{base}/extract", files={"file": ("part.step", STEP)}, headers=own)
    events = events_of(answer)
    assert [(data["stage"], data["event"]) for name, data in events[:-1]] == [("meter", "began"), ("meter", "ok")]
    assert events[-1] == ("done", {"extraction": answer.headers["x-request-id"]})


@pytest.mark.requirement("console.viewer.stages")
async def test_an_extraction_that_fails_before_or_within_its_stages_says_why(
    house: House, desk: Desk, key: str
) -> None:
    base, own = await caller(desk, key)
    refused = await desk.client.post(f"{base}/extract", files={"file": ("part.sldprt", STEP)}, headers=own)
    assert_fault(refused, 415, "unsupported_file_type")
    house.dispatch.failure = ParseError("the file ends in the middle of an entity; export it again")
    answer = await desk.client.post(f"{base}/extract", files={"file": ("part.step", STEP)}, headers=own)
    (began, ended, (name, body)) = events_of(answer)
    assert (began[1]["event"], ended[1]["event"], name) == ("began", "refused", "error")
    assert body["error"]["type"] == "parse_error" and body["request_id"] == answer.headers["x-request-id"]


@pytest.mark.requirement("console.viewer.extract")
async def test_what_the_api_refuses_the_viewer_refuses_in_its_words(desk: Desk) -> None:
    unpaid = await desk.house.key("canceled")
    base, own = await caller(desk, unpaid)
    answer = await desk.client.post(f"{base}/uploads", json={"file_name": "a.step", "size": 1}, headers=own)
    assert_fault(answer, 402, "payment_required")
    paid = await desk.house.key()
    base, own = await caller(desk, paid)
    answer = await desk.client.post(f"{base}/uploads", json={"file_name": "a.sldprt", "size": 1}, headers=own)
    assert_fault(answer, 415, "unsupported_file_type")


@pytest.mark.requirement("console.forged")
async def test_calls_of_scripts_need_the_token_of_the_session(desk: Desk, key: str) -> None:
    base, own = await caller(desk, key)
    for sent in ({}, {"X-Console-Token": "0" * 64}, {**own, "Sec-Fetch-Site": "same-site"}):
        answer = await desk.client.post(f"{base}/uploads", json={"file_name": "a.step", "size": 1}, headers=sent)
        assert_fault(answer, 400, "invalid_request_error")
    desk.client.cookies.clear()
    answer = await desk.client.post(f"{base}/uploads", json={"file_name": "a.step", "size": 1}, headers=own)
    assert_fault(answer, 401, "authentication_error")


@pytest.mark.requirement("console.viewer.mesh")
async def test_a_mesh_is_made_once_and_kept_with_the_document(house: House, desk: Desk, key: str) -> None:
    document = await extracted(desk, key)
    base, _ = await caller(desk, key)
    path = f"{base}/{document['request_id']}/mesh"
    made = await desk.client.get(path)
    assert (made.status_code, made.headers["content-type"]) == (200, "model/gltf-binary")
    assert house.dispatch.meshed == [("part.step", "step", STEP)]
    assert (await desk.client.get(path)).content == made.content and len(house.dispatch.meshed) == 1
    assert [one for one in await house.dispatch.lake.list("results") if one.endswith("/0.glb")]


@pytest.mark.requirement("console.viewer.mesh")
async def test_where_the_upload_is_deleted_the_viewer_says_so(house: House, desk: Desk, key: str) -> None:
    document = await extracted(desk, key)
    base, _ = await caller(desk, key)
    deleted = await house.client.delete(
        f"/api/v1/uploads/{document['upload']}", headers={"Authorization": f"Bearer {key}"}
    )
    assert deleted.status_code == 204
    answer = await desk.client.get(f"{base}/{document['request_id']}/mesh")
    assert_fault(answer, 404, "not_found")
    assert "its upload was deleted" in answer.json()["error"]["message"]


@pytest.mark.requirement("console.viewer.mesh")
async def test_the_mesh_of_an_inline_extraction_comes_from_its_staged_file(house: House, desk: Desk, key: str) -> None:
    answer = await house.extract(key)
    base, _ = await caller(desk, key)
    made = await desk.client.get(f"{base}/{answer.json()['request_id']}/mesh")
    assert made.status_code == 200 and house.dispatch.meshed == [("bracket.step", "step", STEP)]
    house.dispatch.unwell = {
        "converter": InvalidRequest("the file has no surfaces to make a mesh of; name a STEP file")
    }
    again = await house.extract(key)
    assert_fault(await desk.client.get(f"{base}/{again.json()['request_id']}/mesh"), 400, "invalid_request_error")


@pytest.mark.requirement("console.viewer.account")
async def test_an_extraction_is_shown_under_its_own_account_only(desk: Desk, key: str) -> None:
    document = await extracted(desk, key)
    other, _ = await caller(desk, await desk.house.key())
    path = f"{other}/{document['request_id']}"
    assert (await desk.client.get(path)).status_code == 404
    for part in ("document", "mesh", "pages/1"):
        assert_fault(await desk.client.get(f"{path}/{part}"), 404, "not_found")
    own = {"X-Console-Token": await desk.token()}
    nobodys = await desk.client.post("/console/viewer/acct_0/uploads", json={}, headers=own)
    assert_fault(nobodys, 404, "not_found")


def sheet() -> bytes:
    """The document of the example sheet."""
    file = ROOT / "examples" / "sheet.pdf"
    return convert(file.read_bytes(), file.name).body


@pytest.mark.requirement("console.viewer.picture")
def test_a_page_is_drawn_with_the_sources_of_what_was_understood() -> None:
    body = sheet()
    picture = ET.fromstring(draw(body, 1) or "")
    marks = {mark.get("data-source") for mark in picture.iter() if mark.get("data-source")}
    assert marks and not any(mark.get("style") for mark in picture.iter())
    callouts = json.loads(body)["structure"]["callouts"]
    assert {source for callout in callouts for source in callout.get("sources") or [callout["source"]]} <= marks
    assert draw(body, 2) is None


@pytest.mark.requirement("console.viewer.picture")
def test_what_was_read_with_low_confidence_is_outlined_with_dashes() -> None:
    document = json.loads(sheet())
    sure, unsure = document["structure"]["callouts"][:2]
    sure["confidence"], unsure["confidence"] = LOW_CONFIDENCE, LOW_CONFIDENCE - 0.1
    picture = ET.fromstring(draw(json.dumps(document).encode(), 1) or "")
    outlined = [mark for mark in picture.iter() if mark.get("data-confidence") == "low"]
    assert {mark.get("data-source") for mark in outlined} == {*(unsure.get("sources") or [unsure["source"]])}
    assert all(mark.get("stroke-dasharray") and mark.get("data-kind") == unsure["type"] for mark in outlined)
    assert all("(low confidence, 0.70)" in (mark[0].text or "") for mark in outlined)


@pytest.mark.requirement("console.viewer.picture")
async def test_a_document_without_that_page_is_404(desk: Desk, key: str) -> None:
    document = await extracted(desk, key)
    base, _ = await caller(desk, key)
    assert_fault(await desk.client.get(f"{base}/{document['request_id']}/pages/1"), 404, "not_found")
    assert_fault(await desk.client.get(f"{base}/{document['request_id']}/pages/x"), 400, "invalid_request_error")


@pytest.mark.requirement("console.viewer.reasoning")
async def test_a_question_about_an_extraction_is_answered(house: House, desk: Desk, key: str) -> None:
    document = await extracted(desk, key)
    base, own = await caller(desk, key)
    asked = {"input": {"task_type": "understand", "cad_scene": {"extraction_id": document["request_id"]}}}
    answer = await desk.client.post(f"{base}/responses", json=asked, headers=own)
    assert answer.status_code == 200 and answer.json()["output"][0]["type"] == "understand"

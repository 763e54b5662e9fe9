"""Whatever is sent to the routes of batches, the answer is one that the spec knows, and nothing is left lying about."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.api.batch_house import BATCH, item
from tests.api.house import House, headers
from tests.api.test_fuzz import FILE_NAME, MEMBERS, MODEST, TEXT, VALUE, assert_known

pytestmark = pytest.mark.requirement("batch.fuzz")

ITEM = MEMBERS | VALUE | st.just(item())
BODY = st.fixed_dictionaries({}, optional={"items": st.lists(ITEM, max_size=4) | VALUE, "further": VALUE})
PART = st.tuples(st.sampled_from(["files", "file", "target_contract"]) | TEXT, FILE_NAME, st.binary(max_size=30))
ID = st.sampled_from(["cb_", "cb_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f", "cb_../x", "cb_\0", "op_1"]) | TEXT
QUERY = st.lists(st.tuples(st.sampled_from(["wait", "results", "further"]), TEXT), max_size=3)


@MODEST
@given(body=(BODY | VALUE).map(lambda said: json.dumps(said).encode()) | st.binary(max_size=60))
async def test_any_json_batch(house: House, key: str, body: bytes) -> None:
    answer = await house.client.post(BATCH, content=body, headers=headers(key) | {"Content-Type": "application/json"})
    assert_known(answer)
    _names_items(answer, body)


@MODEST
@given(parts=st.lists(PART, max_size=4))
async def test_any_form_batch(house: House, key: str, parts: list[tuple[str, str, bytes]]) -> None:
    said = [
        f'--x\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'.encode(
            "utf-8", "surrogatepass"
        )
        + content
        for field, name, content in parts
    ]
    form = headers(key) | {"Content-Type": "multipart/form-data; boundary=x"}
    assert_known(await house.client.post(BATCH, content=b"\r\n".join([*said, b"--x--\r\n"]), headers=form))


@MODEST
@given(batch_id=ID, query=QUERY, method=st.sampled_from(["GET", "HEAD", "DELETE", "PUT"]))
async def test_any_question(house: House, key: str, batch_id: str, query: list[tuple[str, str]], method: str) -> None:
    path = f"{BATCH}/{quote(batch_id, safe='', errors='surrogatepass')}"
    asked = urlencode(query, errors="surrogatepass")
    assert_known(await house.client.request(method, f"{path}?{asked}", headers=headers(key)), method)


def _names_items(answer: Any, body: bytes) -> None:
    """An index in the details is one of the items that were sent."""
    if answer.status_code in (400, 415) and "index" in (details := answer.json()["error"].get("details") or {}):
        assert 0 <= details["index"] < len(json.loads(body)["items"])
        assert isinstance(details["file_name"], str)

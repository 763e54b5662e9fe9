"""Whatever is sent, the answer is one that the spec knows: never a 500, never an error of another shape."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.house import EXTRACT, NAME, STEP, House, headers

pytestmark = pytest.mark.requirement("api.fuzz")

TEXT = st.text(max_size=40) | st.text(alphabet=st.characters(categories=["Cs", "Cc", "Lu"]), max_size=10)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)
FILE_NAME = st.sampled_from([NAME, "A.IGS", "x.pdf", "x.sldprt", "..", "/", "a/b.step", "\u202e.step"]) | TEXT
CONTENT = st.sampled_from([base64.b64encode(STEP).decode(), "", "====", "data:,"]) | TEXT
URL = st.sampled_from(["https://files.example.com/a.step", "http://[::1", "http://user@host:99999/", "//x"]) | TEXT
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "file_name": FILE_NAME | VALUE,
        "content_base64": CONTENT | VALUE,
        "content_url": URL | VALUE,
        "target_contract": st.sampled_from(["structured", "both"]) | VALUE,
        "further": VALUE,
    },
)
JSON_BODY = (MEMBERS | VALUE).map(lambda said: json.dumps(said).encode()) | st.binary(max_size=60)
HEADER = st.binary(max_size=30).filter(lambda value: not set(value) & set(b"\r\n\0"))
PATH = st.sampled_from(
    ["/", "/docs", "/openapi.json", "/api/v1/models", "/api/health", EXTRACT, "/docs/assets/.."]
) | TEXT.map(lambda text: "/" + quote(text, errors="surrogatepass"))
METHOD = st.sampled_from(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "BREW"])
MODEST = settings(
    max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def assert_known(answer: Any, method: str = "POST") -> None:
    assert answer.status_code < 500, answer.text
    assert answer.headers["x-request-id"].startswith("req_")
    if answer.status_code >= 400 and method != "HEAD":
        body = answer.json()
        assert set(body) == {"error", "request_id"} and body["request_id"] == answer.headers["x-request-id"]
        assert {"message", "type"} <= set(body["error"]) <= {"message", "type", "details"}


@MODEST
@given(
    body=JSON_BODY, retry=st.none() | st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), max_size=8)
)
async def test_any_json_body(house: House, key: str, body: bytes, retry: str | None) -> None:
    said = headers(key, retry) | {"Content-Type": "application/json"}
    assert_known(await house.client.post(EXTRACT, content=body, headers=said))


@MODEST
@given(
    name=st.text(max_size=20) | FILE_NAME,
    field=st.sampled_from(["file", "target_contract"]) | TEXT,
    content=st.binary(max_size=50),
    target=st.none() | st.binary(max_size=12),
)
async def test_any_form(house: House, key: str, name: str, field: str, content: bytes, target: bytes | None) -> None:
    part = f'--x\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'.encode(
        "utf-8", "surrogatepass"
    )
    more = (
        b"" if target is None else b'\r\n--x\r\nContent-Disposition: form-data; name="target_contract"\r\n\r\n' + target
    )
    said = headers(key) | {"Content-Type": "multipart/form-data; boundary=x"}
    assert_known(await house.client.post(EXTRACT, content=part + content + more + b"\r\n--x--\r\n", headers=said))


@MODEST
@given(
    method=METHOD,
    path=PATH,
    names=st.lists(
        st.tuples(
            st.sampled_from(["Authorization", "Idempotency-Key", "Content-Type", "Content-Encoding", "Content-Length"]),
            HEADER,
        ),
        max_size=4,
    ),
    body=st.binary(max_size=40),
)
async def test_any_method_path_and_headers(
    house: House, method: str, path: str, names: list[tuple[str, bytes]], body: bytes
) -> None:
    said = [(name.encode(), value) for name, value in names]
    assert_known(await house.client.request(method, path, content=body, headers=said), method)

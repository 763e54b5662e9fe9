"""CadExtractRequest: what is accepted, and what each refusal names."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.contract import limits
from spatial.contract.extraction import CadExtractRequest
from spatial.contract.field_errors import begin_lower
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract
from spatial.contract.validation import check
from spatial.errors import InvalidRequest, SpatialError

INLINE: dict[str, Any] = {"file_name": "part.step", "content_base64": "SVNP"}
REMOTE: dict[str, Any] = {"file_name": "part.step", "content_url": "https://files.example.com/part.step"}

UPLOADED: dict[str, Any] = {"file_name": "part.step", "upload_id": "up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"}


def refusal(value: Any) -> tuple[str, str]:
    """The path and the message of the first thing wrong with a request."""
    with pytest.raises(InvalidRequest) as caught:
        check(CadExtractRequest, value)
    assert caught.value.details is not None
    first = caught.value.details["errors"][0]
    return first["path"], first["message"]


@pytest.mark.requirement("extract-request.content-base64", "target.default", "extract-request.target-optional")
def test_an_inline_request_without_target_asks_for_structured() -> None:
    request = check(CadExtractRequest, INLINE)
    assert request.target_contract is TargetContract.structured
    assert request.content() == b"ISO"


@pytest.mark.requirement("extract-request.content-url")
def test_a_remote_request_has_no_content_of_its_own() -> None:
    request = check(CadExtractRequest, REMOTE)
    assert request.content() is None
    assert request.content_url == REMOTE["content_url"]


@pytest.mark.requirement("extract-request.content-base64", "base64.padding")
@given(st.binary(min_size=1, max_size=400))
def test_standard_base64_of_any_bytes_gives_them_back(data: bytes) -> None:
    request = check(CadExtractRequest, {**INLINE, "content_base64": base64.b64encode(data).decode()})
    assert request.content() == data


@pytest.mark.requirement("base64.padding", "error.400.base64")
@given(st.binary(min_size=1, max_size=50).filter(lambda data: len(data) % 3))
def test_base64_without_its_padding_is_refused(data: bytes) -> None:
    path, message = refusal({**INLINE, "content_base64": base64.b64encode(data).decode().rstrip("=")})
    assert path == "content_base64"
    assert "add the padding with =" in message


@pytest.mark.requirement("base64.no-url-safe", "error.400.base64")
def test_the_url_safe_alphabet_is_refused_by_name() -> None:
    path, message = refusal({**INLINE, "content_base64": base64.urlsafe_b64encode(b"\xfb\xff\xfe").decode()})
    assert path == "content_base64"
    assert "URL-safe alphabet" in message


@pytest.mark.requirement("base64.no-data-url", "error.400.base64")
@pytest.mark.parametrize("prefix", ["data:application/step;base64,", "DATA:;base64,", "data:,"])
def test_a_data_url_is_refused_by_name(prefix: str) -> None:
    path, message = refusal({**INLINE, "content_base64": f"{prefix}SVNP"})
    assert path == "content_base64"
    assert "data URL" in message


@pytest.mark.requirement("error.400.base64")
@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("SVNP\nSVNP", "white space"),
        ("SVNP\r\n", "white space"),
        (" SVNP", "white space"),
        ("SVNPé", "not ASCII"),
        ("SVN", "multiple of 4"),
        ("S", "multiple of 4"),
        ("SVNP=", "multiple of 4"),
        ("====", "wrong place"),
        ("SV==SVNP", "wrong place"),
        ("SVNP====", "wrong place"),
        ("A===", "wrong place"),
        ("SV!P", "outside"),
        ("@@", "outside"),
        ("SVNP=", "encode the bytes again"),
    ],
)
def test_what_is_not_base64_is_refused_with_the_reason(text: str, because: str) -> None:
    path, message = refusal({**INLINE, "content_base64": text})
    assert path == "content_base64"
    assert because in message


@pytest.mark.requirement("content.empty-400")
def test_an_empty_file_is_refused() -> None:
    assert refusal({**INLINE, "content_base64": ""}) == (
        "content_base64",
        "the file is empty; send one that has content",
    )


@pytest.mark.requirement("extract-request.exactly-one-content")
def test_neither_content_is_refused() -> None:
    path, message = refusal({"file_name": "part.step"})
    assert path == "content_url"
    assert "is there; give one of them" in message


@pytest.mark.requirement("extract-request.exactly-one-content")
def test_both_contents_are_refused() -> None:
    for both in ({**INLINE, **REMOTE}, {**INLINE, **UPLOADED}, {**REMOTE, **UPLOADED}):
        path, message = refusal(both)
        assert path == "content_url"
        assert "exactly one" in message


@pytest.mark.requirement("extract-request.exactly-one-content")
def test_a_bad_content_is_named_and_not_called_missing() -> None:
    with pytest.raises(InvalidRequest) as caught:
        check(CadExtractRequest, {"file_name": "part.step", "content_base64": 5})
    assert caught.value.details is not None
    assert [error["path"] for error in caught.value.details["errors"]] == ["content_base64"]


@pytest.mark.requirement("extract-request.file-name-required", "error.400.missing-file-name")
def test_a_missing_file_name_is_named() -> None:
    assert refusal({"content_base64": "SVNP"})[0] == "file_name"


@pytest.mark.requirement("extract-request.file-name-required")
@pytest.mark.parametrize("name", [None, 5, ["part.step"], {"name": "part.step"}, True])
def test_a_file_name_is_a_string(name: Any) -> None:
    assert refusal({**INLINE, "file_name": name}) == ("file_name", "give a string")


@pytest.mark.requirement("extract-request.file-name-255", "extract-request.file-name-not-empty", "limit.file-name")
def test_a_file_name_has_1_to_255_characters() -> None:
    longest = "é" * 250 + ".step"
    assert len(longest) == limits.FILE_NAME_CHARACTERS
    assert check(CadExtractRequest, {**INLINE, "file_name": longest}).file_name == longest
    assert refusal({**INLINE, "file_name": longest + "p"})[0] == "file_name"
    assert refusal({**INLINE, "file_name": ""})[0] == "file_name"


@pytest.mark.requirement("error.400.body", "api.file-name-visible")
@pytest.mark.parametrize(
    ("name", "which"),
    [
        ("part\x00.step", "(U+0000) at place 5"),
        ("drawings/part\n.step", "(U+000A) at place 5"),
        ("\x7f.step", "(U+007F) at place 1"),
        ("pets\u202egpj.step", "(U+202E) at place 5"),
    ],
)
def test_a_control_character_in_a_file_name_is_named_with_its_place(name: str, which: str) -> None:
    assert refusal({**INLINE, "file_name": name}) == (
        "file_name",
        f"has a control character or a mark of text direction {which}; send the name without it",
    )


@pytest.mark.requirement("error.400.body", "error.415.unsupported", "messages.rules")
@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("", "; give 1 or more characters"),
        (" ", "; send the file's name with its extension"),
        ("part.step" * 30, "; give 255 or fewer characters"),
        ("part\u0085.step", "; send the name without it"),
        ("drawings/", "; send the file's name with its extension"),
        ("part", "; add it, because it selects the parser"),
        (".step", "; put a name before it"),
        ("part.sldprt", "; export STEP"),
        ("part.xyz", "; send the file in one of these formats"),
        (None, "give a string"),
    ],
)
def test_what_is_wrong_with_a_file_name_says_what_to_send(name: str | None, advice: str) -> None:
    with pytest.raises(SpatialError) as refused:
        format_of(check(CadExtractRequest, {**INLINE, "file_name": name}).file_name)
    assert advice in refused.value.message and refused.value.status in (400, 415)


@pytest.mark.requirement("extract-request.content-url")
@pytest.mark.parametrize(
    "url",
    [
        "https://files.example.com/part.step",
        "http://files.example.com:8080/a%20b.step?version=2#top",
        "HTTPS://EXAMPLE.COM/part.step",
        "https://[2001:db8::1]/part.step",
        "https://müller.example/teil.step",
    ],
)
def test_the_form_of_a_public_url(url: str) -> None:
    assert check(CadExtractRequest, {**REMOTE, "content_url": url}).content_url == url


@pytest.mark.requirement("extract-request.content-url", "error.400.content-url-refused")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "part.step",
        "/etc/passwd",
        "//example.com/part.step",
        "ftp://example.com/part.step",
        "file:///etc/passwd",
        "data:application/step;base64,SVNP",
        "s3://bucket/part.step",
        "https://",
        "https:///part.step",
        "https://:8080/part.step",
        "https://example.com:port/part.step",
        "https://example.com:99999/part.step",
        "https://[::1/part.step",
        "https://example.com/a b.step",
        "https://example.com/\npart.step",
        "https://exam\x00ple.com/part.step",
        "https://example.com/\u202epart.step",
    ],
)
def test_what_is_not_a_public_url_is_refused(url: str) -> None:
    assert refusal({**REMOTE, "content_url": url})[0] == "content_url"


@pytest.mark.requirement("target.values", "error.400.target-contract")
@pytest.mark.parametrize("target", ["Structured", "points", "", None, 1, ["both"]])
def test_an_invalid_target_contract_is_named(target: Any) -> None:
    assert refusal({**INLINE, "target_contract": target})[0] == "target_contract"


@pytest.mark.requirement("target.values")
@pytest.mark.parametrize(
    ("name", "structure", "points"),
    [("structured", True, False), ("point_cloud_scene", False, True), ("both", True, True)],
)
def test_what_each_target_contract_asks_for(name: str, structure: bool, points: bool) -> None:
    target = check(CadExtractRequest, {**INLINE, "target_contract": name}).target_contract
    assert (target.value, target.has_structure, target.has_points) == (name, structure, points)


@pytest.mark.requirement("extract-request.closed")
def test_a_misspelt_property_is_refused_by_name() -> None:
    assert refusal({**INLINE, "target_contracts": "both"})[0] == "target_contracts"


@pytest.mark.requirement("messages.pydantic")
def test_messages_about_fields_are_ours_and_say_what_to_do() -> None:
    assert refusal({**INLINE, "file_name": ""}) == ("file_name", "is too short; give 1 or more characters")
    assert begin_lower("JSON is expected") == "JSON is expected"

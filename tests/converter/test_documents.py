"""Documents that pass from a child to its caller as bytes: what a child that its file controls may put into them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from converter.documents import Packed, packed, parsed, received, unpacked
from converter.local import convert
from spatial.document.lines import OUTLINE_LINES
from spatial.errors import ParseError
from tests.converter.conftest import STRUCTURED, TABLE, TRIAL, script

SOUND: dict[str, Any] = {
    "schema": "cad.extraction.v1",
    "source_format": "trial",
    "units": "millimeter",
    "statistics": {"entity_counts": {}, "total_points": 0},
    "warnings": ["of the file"],
    "file_name": TRIAL.file_name,
    "target_contract": "structured",
    "request_id": STRUCTURED.request_id,
}
FACTS: dict[str, Any] = {"outline": ["a line"]}
DEPTH = 100_000


def text(**members: Any) -> bytes:
    """The sound document with these members."""
    return json.dumps({**SOUND, **members}).encode()


def with_raw(value: bytes) -> bytes:
    """The sound document with one more member, whose value is written as it is."""
    return text()[:-1] + b', "further": ' + value + b"}"


@pytest.mark.requirement("converter.document")
def test_a_sound_document_passes_byte_for_byte_with_what_its_head_says() -> None:
    document = unpacked(packed(FACTS, text()), TRIAL, STRUCTURED)
    assert document.body == text()
    assert (document.source_format, document.warnings) == ("trial", ["of the file"])
    assert document.facts.outline == ["a line"] and document.facts.seconds == {}


@pytest.mark.requirement("converter.document", "converter.lying-child")
@pytest.mark.parametrize(
    "value",
    [
        b"NaN",
        b"-Infinity",
        b"01",
        b"1.",
        b"tru",
        b"[1,]",
        b'{"a": 1,}',
        b"'a'",
        b'"\x01"',
        b'"\\q"',
        b'"\\ud800"',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b"1 /* a comment */",
        b'1}}, {"a": 1',
        b"",
        b"[" * DEPTH + b"]" * DEPTH,
    ],
)
def test_what_is_no_json_is_refused_wherever_it_stands(value: bytes) -> None:
    for body in (with_raw(value), with_raw(b'[{"deep": ' + value + b"}]")):
        with pytest.raises(ParseError, match="cannot be used"):
            unpacked(packed(FACTS, body), TRIAL, STRUCTURED)


@pytest.mark.requirement("converter.document", "converter.lying-child")
@pytest.mark.parametrize(
    "members",
    [
        {"schema": "cad.extraction.v2"},
        {"source_format": "x" * 10_000},
        {"source_format": "step\x00"},
        {"warnings": "none"},
        {"warnings": [1]},
        {"request_id": "req_of_somebody_else"},
        {"file_name": "another.trial"},
        {"target_contract": "both"},
        {"usage": {"input_tokens": 0}},
        {"usage": None},
    ],
)
def test_a_head_that_is_not_of_this_request_is_refused(members: dict[str, Any]) -> None:
    with pytest.raises(ParseError, match="cannot be used"):
        unpacked(packed(FACTS, text(**members)), TRIAL, STRUCTURED)


@pytest.mark.requirement("converter.document", "converter.lying-child")
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\0\0",
        b"\xff\xff\xff\xff" + text(),
        packed({}, text()),
        packed({"outline": ["line"] * (OUTLINE_LINES + 1)}, text()),
        packed({"outline": [1]}, text()),
        packed(FACTS, b""),
        packed(FACTS, b"[]"),
        packed(FACTS, text() + b"{}"),
        packed(FACTS, b"\xef\xbb\xbf" + text()),
    ],
)
def test_what_is_no_document_behind_facts_is_refused(answer: bytes | Packed) -> None:
    sent = answer if isinstance(answer, bytes) else b"".join(answer.parts)
    with pytest.raises(ParseError, match="cannot be used"):
        unpacked(received(sent), TRIAL, STRUCTURED)


@pytest.mark.requirement("converter.document", "converter.lying-child")
def test_an_outline_cannot_write_to_a_terminal() -> None:
    document = unpacked(packed({"outline": ["a\x1b[2Jline\n"]}, text()), TRIAL, STRUCTURED)
    assert document.facts.outline == ["a [2Jline "]


@pytest.mark.requirement("converter.document", "converter.lying-child")
def test_a_document_of_another_form_is_refused_where_a_model_is_made_of_it() -> None:
    document = unpacked(packed(FACTS, text(statistics=[])), TRIAL, STRUCTURED)
    with pytest.raises(ParseError, match="1 fault"):
        parsed(document, TRIAL.file_name)


@pytest.mark.requirement("converter.document", "converter.lying-child")
def test_a_child_that_forges_its_document_is_found_out() -> None:
    meaning = ('{"outcome": "done"}', '{"callouts": null, "warnings": []}')
    forged = ('{"outcome": "done", "outline": []}', text(file_name="part.step", request_id="req_other").decode())
    with pytest.raises(ParseError, match="another request"):
        convert(script(interpret=["forge", meaning, forged]), "part.step", table=TABLE)
    sound = ('{"outcome": "done", "outline": []}', text(file_name="part.step", request_id="local").decode())
    assert convert(script(interpret=["forge", meaning, sound]), "part.step", table=TABLE).body == sound[1].encode()

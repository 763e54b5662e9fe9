"""Documents as they come from the converter: bytes that nobody parses on the way, behind the few facts that callers need.

    length of the facts (u32, big-endian) | the facts, as JSON of DocumentFacts | cad.extraction.v1 as JSON, without its usage

A child made them, which a malicious file may control: that they are JSON is checked, the rest by who makes a model of them.
"""

from __future__ import annotations

import json
import struct
from typing import Any, Final, NamedTuple

import msgspec
from pydantic import BaseModel, ValidationError

from converter.wire import Phase
from spatial.contract.extraction import CadExtraction
from spatial.counting import count_of
from spatial.errors import ParseError

_LENGTH: Final = struct.Struct("!I")


class DocumentFacts(BaseModel):
    """What a caller is told of a document, so that it need not be parsed."""

    source_format: str
    outline: list[str]
    """The document in a few lines (`spatial.document.summary`)."""
    warnings: list[str]
    seconds: dict[Phase, float] = {}
    """Duration of each phase of `/whole`."""


class Document(NamedTuple):
    """A document as it came from the converter."""

    facts: DocumentFacts
    body: bytes
    """cad.extraction.v1 as JSON, without its usage."""


def packed(facts: dict[str, Any], body: bytes) -> bytes:
    """A document behind its facts."""
    head = json.dumps(facts).encode()
    return b"".join((_LENGTH.pack(len(head)), head, body))


def unpacked(answer: bytes, file_name: str) -> Document:
    """The parts of a document behind its facts. Raises: ParseError where they are none."""
    end = _LENGTH.size + (_LENGTH.unpack_from(answer)[0] if len(answer) >= _LENGTH.size else 0)
    body = answer[end:]
    try:
        facts = DocumentFacts.model_validate_json(answer[_LENGTH.size : end])
        str(body, "utf-8")
        msgspec.json.decode(body, type=dict[str, msgspec.Raw])  # passes over the values without making them
    except (ValueError, msgspec.DecodeError) as error:
        raise unusable(file_name, "no document") from error
    return Document(facts, body)


def parsed(document: Document, file_name: str) -> CadExtraction:
    """A document as its model. Raises: ParseError."""
    try:
        return CadExtraction.model_validate_json(document.body)
    except ValidationError as error:
        raise unusable(file_name, count_of(error.error_count(), "fault")) from error


def unusable(file_name: str, why: str) -> ParseError:
    """The error of an answer of a child that is not what it should be."""
    return ParseError(
        f"{file_name}: the parser gave a result that cannot be used ({why}); the file may be damaged: export it again"
    )

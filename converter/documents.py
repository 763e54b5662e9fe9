"""Documents as they come from the converter: bytes that nobody parses on the way, behind the few facts that callers need.

    length of the facts (u32, big-endian) | the facts, as JSON of DocumentFacts | cad.extraction.v1 as JSON, without its usage

A child made them, which a malicious file may control. So `unpacked` passes over every byte of the document without making values of
it: it is JSON, and its head names the file and the request that were asked for and no usage. Whoever makes a model of it
validates the rest (`parsed`).
"""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

import msgspec
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from converter.wire import DocumentPlan, InputFile, Phase
from sandbox.frames import Payload
from spatial.counting import count_of
from spatial.document.lines import OUTLINE_LINES, printable
from spatial.errors import ParseError

if TYPE_CHECKING:
    from spatial.contract.extraction import CadExtraction

_LENGTH: Final = struct.Struct("!I")


class DocumentFacts(BaseModel):
    """What stands before a document."""

    outline: Annotated[list[Annotated[str, AfterValidator(printable)]], Field(max_length=OUTLINE_LINES)]
    """The document in a few lines (`spatial.document.summary`)."""
    seconds: dict[Phase, float] = {}
    """Duration of each phase of `/phases`."""


class Document(NamedTuple):
    """A document as it came from the converter."""

    body: bytes
    """cad.extraction.v1 as JSON, without its usage."""
    source_format: str
    warnings: list[str]
    facts: DocumentFacts


class _Head(msgspec.Struct):
    """The members of a document that are looked at; of the others nothing but their syntax."""

    schema: Literal["cad.extraction.v1"]
    source_format: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]{1,32}\Z")]
    warnings: list[str]
    file_name: str
    target_contract: str
    request_id: str
    usage: msgspec.UnsetType = msgspec.UNSET


_DECODER: Final = msgspec.json.Decoder(_Head)


class Packed(NamedTuple):
    """A document behind its facts, apart from each other: a document of megabytes is copied as seldom as can be."""

    facts: bytes
    """JSON of DocumentFacts."""
    body: Payload

    @property
    def parts(self) -> tuple[bytes, Payload]:
        """What is sent, one after the other."""
        return _LENGTH.pack(len(self.facts)) + self.facts, self.body


def packed(facts: dict[str, Any], body: Payload) -> Packed:
    """A document behind its facts."""
    return Packed(json.dumps(facts).encode(), body)


def received(answer: bytes | memoryview) -> Packed:
    """What was sent, whatever it is."""
    end = _LENGTH.size + (_LENGTH.unpack_from(answer)[0] if len(answer) >= _LENGTH.size else 0)
    return Packed(bytes(answer[_LENGTH.size : end]), bytes(answer[end:]))


def unpacked(answer: Packed, source: InputFile, plan: DocumentPlan) -> Document:
    """The document of this file and plan behind its facts. Raises: ParseError where it is none."""
    body = bytes(answer.body)  # the same bytes, but for what comes of a pool in this process
    try:
        facts = DocumentFacts.model_validate_json(answer.facts)
        if not body.isascii():
            str(body, "utf-8")  # the decoder looks at no byte above 127 in what it passes over
        head = _DECODER.decode(body)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise unusable(source.file_name, "no document") from error
    if (head.file_name, head.target_contract, head.request_id) != (source.file_name, plan.target, plan.request_id):
        raise unusable(source.file_name, "the document of another request")
    return Document(body, head.source_format, head.warnings, facts)


def parsed(document: Document, file_name: str) -> CadExtraction:
    """A document as its model. Raises: ParseError."""
    # The models of documents take as long to import as a small drawing to read; whoever passes documents on needs none.
    from spatial.contract.extraction import CadExtraction

    try:
        return CadExtraction.model_validate_json(document.body)
    except ValidationError as error:
        raise unusable(file_name, count_of(error.error_count(), "fault")) from error


def unusable(file_name: str, why: str) -> ParseError:
    """The error of an answer of a child that is not what it should be."""
    return ParseError(
        f"{file_name}: the parser gave a result that cannot be used ({why}); the file may be damaged: export it again"
    )

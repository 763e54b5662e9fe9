"""Reads a request's body into a submission: one file as bytes, as a URL or as an upload_id, its name, and the target contract.

JSON and multipart/form-data have the same fields, which the same contract model validates. Only their syntax is checked here: the next
gate checks whether the name's extension has a reader, and the converter checks whether the content matches it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter, ValidationError
from python_multipart.multipart import parse_options_header
from starlette.requests import Request

from api.multipart import Form, Part
from api.parser_thread import run_in_parser
from api.request_bodies import EDGES_PART, JSON, MULTIPART, TARGET_PART
from spatial.contract import validation
from spatial.contract.content import FileName
from spatial.contract.extraction import CadExtractRequest
from spatial.contract.field_errors import sentence
from spatial.contract.target import TargetContract
from spatial.contract.validation import invalid_field
from spatial.counting import count_of
from spatial.errors import SMALLER, InvalidRequest, RequestTooLarge
from storage.net import public_url
from storage.settings import Settings

FILE_PART: Final = "file"
CHARSET_PART: Final = "_charset_"
"""Names the form's encoding (RFC 7578 section 4.6); it is ignored, because forms are read as UTF-8."""

FILE_NAME: Final = TypeAdapter[str](FileName)


@dataclass(frozen=True)
class Submission:
    """One file to extract. Exactly one of data, content_url and upload_id is given."""

    file_name: str
    """Without any path, 1 to 255 characters."""
    target_contract: TargetContract
    data: bytes | None = None
    content_url: str | None = None
    edges: bool = False
    """Whether the document lists edges."""
    upload_id: str | None = None
    """Resolved by `storage.postgres.uploads.resolve`, after the lookup of a stored response."""

    def fingerprint(self) -> str:
        """SHA-256 over the content: requests with the same file, name and target have the same fingerprint, in any encoding.

        The id of an upload represents its bytes, which cannot change after a request has named it, so a replay needs no upload.
        """
        content = hashlib.sha256(self.data).hexdigest() if self.data is not None else self.content_url or self.upload_id
        fields = [self.file_name, self.target_contract.value, self.data is not None, content]
        fields += ["edges"] if self.edges else []
        return hashlib.sha256(json.dumps(fields).encode()).hexdigest()


async def read_submission(request: Request, settings: Settings) -> Submission:
    """The submission in the request's body.

    Raises: InvalidRequest with the fields' paths in details; RequestTooLarge for a file over the file limit.
    """
    if media_type_of(request) == JSON:
        made = await run_in_parser(_from_body, await read_json(request), settings.content_url_allow)
    else:
        made = _from_form(await read_form(request, FILE_PART))
    require_size(made, settings.file_limit_bytes)
    return made


def require_json(request: Request) -> None:
    """Raises: InvalidRequest for a request whose body is not JSON by its headers."""
    media_type_of(request, (JSON,))


def media_type_of(request: Request, accepted: Sequence[str] = (JSON, MULTIPART)) -> str:
    """The media type of the body, one of those that are accepted.

    Raises: InvalidRequest for any other media type, and for a compressed body.
    """
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise InvalidRequest("a body with Content-Encoding is not accepted; send it uncompressed")
    kind = _content_type(request).partition(";")[0].strip().lower()
    if kind not in accepted:
        given = f"Content-Type {kind}" if kind else "a body without Content-Type"
        raise InvalidRequest(f"{given} is not accepted; send {' or '.join(accepted)}", details={"content_type": kind})
    return kind


async def read_json(request: Request) -> bytes:
    """The body of a JSON request. Raises: InvalidRequest for a charset other than UTF-8."""
    charset = parse_options_header(_content_type(request))[1].get(b"charset", b"utf-8").lower()
    if charset not in (b"utf-8", b"utf8"):
        raise InvalidRequest("the body's charset is not UTF-8; send JSON in UTF-8 (RFC 8259 section 8.1)")
    return await request.body()


async def read_form(request: Request, files: str) -> list[Part]:
    """The parts of a form. files: name of its file parts; the only others may be a target_contract and edges.

    Raises: InvalidRequest.
    """
    parts = await Form(_content_type(request), (files, TARGET_PART, EDGES_PART)).read(request.stream())
    for unknown in (part for part in parts if part.name not in (files, TARGET_PART, EDGES_PART, CHARSET_PART)):
        wanted = f"{files} and, if wanted, {TARGET_PART} and {EDGES_PART}"
        raise invalid_field(unknown.name, f"is not a part of this form; send {wanted}")
    return parts


def from_json(body: CadExtractRequest, allow: Collection[str]) -> Submission:
    """The submission of a JSON body. allow: as `storage.net.public_url` takes it. Raises: InvalidRequest."""
    if body.content_url is not None:
        public_url.check_shape(body.content_url, allow=allow)
    return Submission(
        body.file_name,
        body.target_contract,
        data=body.content(),
        content_url=body.content_url,
        edges=body.edges,
        upload_id=body.upload_id,
    )


def from_file_part(file: Part, target: TargetContract, *, edges: bool) -> Submission:
    """The submission of one file part. Raises: InvalidRequest."""
    if not file.file_name:
        raise invalid_field(file.name, "has no filename; send the file's name, whose extension selects the parser")
    name = _file_name(file.name, file.file_name)
    if not file.data:
        raise invalid_field(file.name, "the file is empty; send one that has content")
    return Submission(name, target, data=bytes(file.data), edges=edges)


def target_of(parts: list[Part]) -> TargetContract:
    """The target_contract of a form. An HTML form sends an empty text field if nothing was chosen. Raises: InvalidRequest."""
    part = _single(parts, TARGET_PART)
    text = part.data.decode("utf-8", "replace").strip() if part else ""
    if not text:
        return TargetContract.structured
    try:
        return TargetContract(text)
    except ValueError:
        raise invalid_field(TARGET_PART, f"is unknown; use one of {', '.join(TargetContract)}") from None


def edges_of(parts: list[Part]) -> bool:
    """Whether a form asks for edges. Raises: InvalidRequest."""
    part = _single(parts, EDGES_PART)
    text = part.data.decode("utf-8", "replace").strip().lower() if part else ""
    if text not in ("", "true", "false"):
        raise invalid_field(EDGES_PART, "is neither true nor false; send one of these, or leave it out")
    return text == "true"


def require_size(made: Submission, limit: int) -> None:
    """Check the size of an inline file against `limit` (bytes). Raises: RequestTooLarge."""
    if made.data is not None and len(made.data) > limit:
        raise RequestTooLarge(
            f"the file is larger than {limit} bytes; {SMALLER}",
            details={"limit_bytes": limit},
        )


def _from_body(body: bytes, allow: Collection[str]) -> Submission:
    return from_json(validation.read(CadExtractRequest, body), allow)


def _from_form(parts: list[Part]) -> Submission:
    file = _single(parts, FILE_PART)
    if file is None:
        raise invalid_field(FILE_PART, "is missing; send one part with the file's bytes and name")
    return from_file_part(file, target_of(parts), edges=edges_of(parts))


def _single(parts: list[Part], name: str) -> Part | None:
    found = [part for part in parts if part.name == name]
    if len(found) > 1:
        raise invalid_field(name, f"is given {count_of(len(found), 'time')}; send it once")
    return found[0] if found else None


def _file_name(part: str, sent: str) -> str:
    """A form's file name, by the contract's rule."""
    try:
        return FILE_NAME.validate_python(sent)
    except ValidationError as error:
        raise invalid_field(f"{part}.filename", sentence(error.errors()[0])) from error


def _content_type(request: Request) -> str:
    return request.headers.get("content-type", "")

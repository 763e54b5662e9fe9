"""A request's body to a submission: one file by value or by address, its name, and what the caller wants of it.

JSON and multipart/form-data say the same things; what they say is judged by the same contract model. Only form is judged
here: whether the name's extension has a reader is the next gate's question, whether the content fits it the converter's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter, ValidationError
from python_multipart.multipart import parse_options_header
from starlette.requests import Request

from api.multipart import Form, Part
from spatial.contract import validation
from spatial.contract._content import FileName
from spatial.contract.extraction import CadExtractRequest, TargetContract
from spatial.errors import InvalidRequest, RequestTooLarge
from storage.net import public_url
from storage.settings import Settings

JSON: Final = "application/json"
MULTIPART: Final = "multipart/form-data"

FILE_PART: Final = "file"
TARGET_PART: Final = "target_contract"
CHARSET_PART: Final = "_charset_"
"""Names the form's encoding (RFC 7578 section 4.6); forms are read as UTF-8 whatever it says."""

FILE_NAME: Final = TypeAdapter[str](FileName)


@dataclass(frozen=True)
class Submission:
    """What the caller hands in. Exactly one of data, content_url and upload_id is given."""

    file_name: str
    """Without any path, 1 to 255 characters."""
    target_contract: TargetContract
    data: bytes | None = None
    content_url: str | None = None
    upload_id: str | None = None
    """For `storage.postgres.uploads.resolve`, once no stored answer was found."""

    def fingerprint(self) -> str:
        """SHA-256 over the content: the same file, name and target are the same payload, in whatever encoding.

        An upload's id stands for its bytes, which nobody can change once a request has named it; so a replay needs no upload.
        """
        content = hashlib.sha256(self.data).hexdigest() if self.data is not None else self.content_url or self.upload_id
        said = [self.file_name, self.target_contract.value, self.data is not None, content]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


async def submission(request: Request, settings: Settings) -> Submission:
    """The submission that the request's body makes.

    Raises: InvalidRequest with the fields' paths in details; RequestTooLarge for a file over the file limit.
    """
    if kind_of(request) == JSON:
        made = judged(validation.read(CadExtractRequest, await json_body(request)), settings.content_url_allow)
    else:
        made = _from_form(await form(request, FILE_PART))
    return sized(made, settings.file_limit_bytes)


def kind_of(request: Request) -> str:
    """JSON or MULTIPART.

    Raises: InvalidRequest for a body of any other kind, or a compressed one.
    """
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise InvalidRequest("a body with Content-Encoding is not accepted; send it uncompressed")
    kind = _content_type(request).partition(";")[0].strip().lower()
    if kind not in (JSON, MULTIPART):
        said = f"Content-Type {kind}" if kind else "a body without Content-Type"
        raise InvalidRequest(f"{said} is not accepted; send {JSON} or {MULTIPART}", details={"content_type": kind})
    return kind


async def json_body(request: Request) -> bytes:
    """The body of a JSON request. Raises: InvalidRequest for a charset other than UTF-8."""
    charset = parse_options_header(_content_type(request))[1].get(b"charset", b"utf-8").lower()
    if charset not in (b"utf-8", b"utf8"):
        raise InvalidRequest("the body's charset is not UTF-8; JSON is UTF-8 (RFC 8259 section 8.1)")
    return await request.body()


async def form(request: Request, files: str) -> list[Part]:
    """The parts of a form. files: name of its file parts; beside them it may have a target_contract, and nothing else.

    Raises: InvalidRequest.
    """
    parts = await Form(_content_type(request), (files, TARGET_PART)).read(request.stream())
    for stranger in (part for part in parts if part.name not in (files, TARGET_PART, CHARSET_PART)):
        raise refusal(stranger.name, f"not a part of this form; it has {files} and, if wanted, {TARGET_PART}")
    return parts


def judged(said: CadExtractRequest, allow: Collection[str]) -> Submission:
    """What a JSON request hands in. allow: as `storage.net.public_url` takes it. Raises: InvalidRequest."""
    if said.content_url is not None:
        public_url.check_shape(said.content_url, allow=allow)
    name = _bare(said.file_name)
    if not name:
        raise refusal("file_name", "a path without a name; send the file's name with its extension")
    return Submission(name, said.target_contract, said.content(), said.content_url, said.upload_id)


def judged_file(file: Part, target: TargetContract) -> Submission:
    """What a form's file part hands in. Raises: InvalidRequest."""
    if not file.file_name:
        raise refusal(file.name, "no filename; the extension of the file's name selects the parser")
    name = _file_name(file.name, file.file_name)
    if not file.data:
        raise refusal(file.name, "the file is empty")
    return Submission(name, target, data=bytes(file.data))


def target_of(parts: list[Part]) -> TargetContract:
    """A form's target_contract. An empty text field is what an HTML form sends for a choice not made. Raises: InvalidRequest."""
    part = _single(parts, TARGET_PART)
    said = part.data.decode("utf-8", "replace").strip() if part else ""
    if not said:
        return TargetContract.structured
    try:
        return TargetContract(said)
    except ValueError:
        raise refusal(TARGET_PART, f"should be one of {', '.join(TargetContract)}") from None


def sized(made: Submission, limit: int) -> Submission:
    """The same submission. limit: in bytes. Raises: RequestTooLarge for a file over it."""
    if made.data is not None and len(made.data) > limit:
        raise RequestTooLarge(f"the file is larger than {limit} bytes", details={"limit_bytes": limit})
    return made


def refusal(path: str, message: str) -> InvalidRequest:
    """What is wrong with one field."""
    return InvalidRequest(f"{path}: {message}", details={"field": path, "errors": [{"path": path, "message": message}]})


def _from_form(parts: list[Part]) -> Submission:
    file = _single(parts, FILE_PART)
    if file is None:
        raise refusal(FILE_PART, "missing; send one part with the file's bytes and name")
    return judged_file(file, target_of(parts))


def _single(parts: list[Part], name: str) -> Part | None:
    found = [part for part in parts if part.name == name]
    if len(found) > 1:
        raise refusal(name, f"given {len(found)} times; send it once")
    return found[0] if found else None


def _file_name(part: str, sent: str) -> str:
    """A form's file name, held to the contract's rules. Old browsers send the whole path; the name is what follows it."""
    name = _bare(sent)
    try:
        return FILE_NAME.validate_python(name)
    except ValidationError as error:
        raise refusal(f"{part}.filename", error.errors()[0]["msg"]) from error


def _bare(sent: str) -> str:
    """A name, not a path."""
    return re.split(r"[/\\]", sent)[-1]


def _content_type(request: Request) -> str:
    return request.headers.get("content-type", "")

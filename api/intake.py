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
from storage import public_url
from storage.settings import Settings

JSON: Final = "application/json"
MULTIPART: Final = "multipart/form-data"

FILE_PART: Final = "file"
TARGET_PART: Final = "target_contract"
KNOWN_PARTS: Final = (FILE_PART, TARGET_PART, "_charset_")
"""`_charset_` names the form's encoding (RFC 7578 section 4.6); forms are read as UTF-8 whatever it says."""

FILE_NAME: Final = TypeAdapter[str](FileName)


@dataclass(frozen=True)
class Submission:
    """What the caller hands in. Exactly one of data and content_url is given."""

    file_name: str
    """Without any path, 1 to 255 characters."""
    target_contract: TargetContract
    data: bytes | None = None
    content_url: str | None = None

    def fingerprint(self) -> str:
        """SHA-256 over the content: the same file, name and target are the same payload, in whatever encoding."""
        content = hashlib.sha256(self.data).hexdigest() if self.data is not None else self.content_url
        said = [self.file_name, self.target_contract.value, self.data is not None, content]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


async def submission(request: Request, settings: Settings) -> Submission:
    """The submission that the request's body makes.

    Raises: InvalidRequest with the fields' paths in details; RequestTooLarge for a file over the file limit.
    """
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise InvalidRequest("a body with Content-Encoding is not accepted; send it uncompressed")
    content_type = request.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind == JSON:
        made = await _from_json(request, content_type, settings.content_url_allow)
    elif kind == MULTIPART:
        made = _from_form(await Form(content_type, (FILE_PART, TARGET_PART)).read(request.stream()))
    else:
        said = f"Content-Type {kind}" if kind else "a body without Content-Type"
        raise InvalidRequest(f"{said} is not accepted; send {JSON} or {MULTIPART}", details={"content_type": kind})
    limit = settings.file_limit_bytes
    if made.data is not None and len(made.data) > limit:
        raise RequestTooLarge(f"the file is larger than {limit} bytes", details={"limit_bytes": limit})
    return made


async def _from_json(request: Request, content_type: str, allow: Collection[str]) -> Submission:
    charset = parse_options_header(content_type)[1].get(b"charset", b"utf-8").lower()
    if charset not in (b"utf-8", b"utf8"):
        raise InvalidRequest("the body's charset is not UTF-8; JSON is UTF-8 (RFC 8259 section 8.1)")
    said = validation.read(CadExtractRequest, await request.body())
    if said.content_url is not None:
        public_url.check_shape(said.content_url, allow=allow)
    name = _bare(said.file_name)
    if not name:
        raise _refusal("file_name", "a path without a name; send the file's name with its extension")
    return Submission(name, said.target_contract, said.content(), said.content_url)


def _from_form(parts: list[Part]) -> Submission:
    for stranger in (part for part in parts if part.name not in KNOWN_PARTS):
        raise _refusal(stranger.name, f"not a part of this form; it has {FILE_PART} and, if wanted, {TARGET_PART}")
    file = _single(parts, FILE_PART)
    if file is None:
        raise _refusal(FILE_PART, "missing; send one part with the file's bytes and name")
    if not file.file_name:
        raise _refusal(FILE_PART, "no filename; the extension of the file's name selects the parser")
    name = _file_name(file.file_name)
    target = _target(_single(parts, TARGET_PART))
    if not file.data:
        raise _refusal(FILE_PART, "the file is empty")
    return Submission(name, target, data=bytes(file.data))


def _single(parts: list[Part], name: str) -> Part | None:
    found = [part for part in parts if part.name == name]
    if len(found) > 1:
        raise _refusal(name, f"given {len(found)} times; send it once")
    return found[0] if found else None


def _target(part: Part | None) -> TargetContract:
    """An empty text field is what an HTML form sends for a choice not made."""
    said = part.data.decode("utf-8", "replace").strip() if part else ""
    if not said:
        return TargetContract.structured
    try:
        return TargetContract(said)
    except ValueError:
        raise _refusal(TARGET_PART, f"should be one of {', '.join(TargetContract)}") from None


def _file_name(sent: str) -> str:
    """A form's file name, held to the contract's rules. Old browsers send the whole path; the name is what follows it."""
    name = _bare(sent)
    try:
        return FILE_NAME.validate_python(name)
    except ValidationError as error:
        raise _refusal(f"{FILE_PART}.filename", error.errors()[0]["msg"]) from error


def _bare(sent: str) -> str:
    """A name, not a path."""
    return re.split(r"[/\\]", sent)[-1]


def _refusal(path: str, message: str) -> InvalidRequest:
    return InvalidRequest(f"{path}: {message}", details={"field": path, "errors": [{"path": path, "message": message}]})

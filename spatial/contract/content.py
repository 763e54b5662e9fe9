"""How a request carries a file: standard base64, a public URL or the id of an upload. Only the form is checked here; nothing is fetched."""

from __future__ import annotations

import binascii
import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from spatial.contract import limits

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a file name cannot show: controls (C0, C1), line and paragraph separators, surrogates, and the characters with the
property Bidi_Control (UAX 9), which show a name in another order, so that `gpj.step` reads as `pets.jpg`."""

_URL_SAFE = re.compile(r"[A-Za-z0-9_-]+={0,2}")
_FOREIGN = re.compile(r"[^A-Za-z0-9+/=]")


def decoded(text: str) -> bytes:
    """The bytes behind standard base64 with its padding (RFC 4648 §4, no line breaks).

    Raises: ValueError: the text has another form; the message names it.
    """
    try:
        # Python 3.11's strict mode lets padding after a whole quadruple pass.
        if len(text) % 4 == 0 and not text.endswith("==="):
            return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        pass
    reason, advice = _fault(text)
    raise ValueError(f"is not standard base64: {reason}; {advice}")


def _fault(text: str) -> tuple[str, str]:
    """Why a text is not standard base64, and what to do."""
    if text[:5].lower() == "data:":
        return "it is a data URL", "send only what follows its comma"
    if any(mark in text for mark in "\r\n\t "):
        return "it holds white space", "send it unbroken"
    if not text.isascii():
        return "it holds characters that are not ASCII", "use A-Z a-z 0-9 + /"
    if ("-" in text or "_" in text) and _URL_SAFE.fullmatch(text):
        return "it is in the URL-safe alphabet", "use + and /"
    if _FOREIGN.search(text):
        return "it holds characters outside A-Z a-z 0-9 + /", "encode the bytes again"
    if len(text) % 4 and "=" in text:
        return "its length with its padding is not a multiple of 4", "encode the bytes again"
    if len(text) % 4:
        return "its length is not a multiple of 4", "add the padding with ="
    return "padding stands in the wrong place", "encode the bytes again"


def _standard_base64(text: str) -> str:
    if not text:
        raise PydanticCustomError("empty_file", "the file is empty; send one that has content")
    try:
        decoded(text)
    except ValueError:
        reason, advice = _fault(text)
        raise PydanticCustomError(
            "base64", "is not standard base64: {reason}; {advice}", {"reason": reason, "advice": advice}
        ) from None
    return text


def _public_url_form(text: str) -> str:
    if any(character.isspace() or not character.isprintable() for character in text):
        raise PydanticCustomError(
            "url_form", "is not a URL: it holds white space or control characters; write them percent-encoded"
        )
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as problem:
        raise PydanticCustomError(
            "url_form", "is not a URL: {problem}; correct it", {"problem": str(problem)}
        ) from None
    if parts.scheme not in ("http", "https") or not host:
        raise PydanticCustomError(
            "url_form", "is not a public URL; give one that starts with http:// or https:// and names a host"
        )
    return text


def _bare_name(text: str) -> str:
    """The last component of a path: some clients send the whole path."""
    name = re.split(r"[/\\]", text)[-1]
    if not name:
        raise PydanticCustomError("file_name_form", "is a path without a name; send the file's name with its extension")
    if found := _CONTROL.search(name):
        raise PydanticCustomError(
            "file_name_form",
            "has a control character or a mark of text direction ({code}) at place {place}; send the name without it",
            {"code": f"U+{ord(found[0]):04X}", "place": found.start() + 1},
        )
    return name


FileName = Annotated[
    str,
    Field(min_length=1, max_length=limits.FILE_NAME_CHARACTERS, examples=["bracket.step"]),
    AfterValidator(_bare_name),
]
"""A file's name with its extension, 1 to 255 characters; a path before it is dropped. The rule of every route that takes a file."""

ContentBase64 = Annotated[
    str,
    AfterValidator(_standard_base64),
    WithJsonSchema({"type": "string", "contentEncoding": "base64", "minLength": 4}),
]
"""Standard base64 of a file that is not empty."""

ContentUrl = Annotated[
    str,
    Field(max_length=limits.CONTENT_URL_CHARACTERS),
    AfterValidator(_public_url_form),
    WithJsonSchema(
        {
            "type": "string",
            "format": "uri",
            "maxLength": limits.CONTENT_URL_CHARACTERS,
            "examples": ["https://files.example.com/bracket.step"],
        }
    ),
]
"""A public http(s) URL; the download checks that its host is public."""

UploadId = Annotated[str, Field(pattern=r"^up_[A-Za-z0-9]{1,64}$", examples=["up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"])]
"""Id of an upload."""

"""multipart/form-data (RFC 7578), read from the stream into memory.

No part is written to disk, because the body limit bounds the size of a form. The content of parts that were not requested is
discarded.

Glossary
  part         one field of the form: a file if its Content-Disposition has a file name, else text.
  disposition  `form-data; name="file"; filename="bracket.step"`: names the part.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Collection
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote_to_bytes

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from api.parser_thread import run_in_parser
from spatial.errors import InvalidRequest

MAX_PARTS: Final = 64
"""Maximum number of parts of a form; twice the number that the largest batch needs."""

IDENTITY: Final = ("", "7bit", "8bit", "binary")
"""Values of Content-Transfer-Encoding that leave a part's bytes as they are; RFC 7578 deprecates the rest."""

EXTENDED_NAME: Final = re.compile(rb";\s*filename\*\s*=\s*\"?([\w-]+)'[^']*'([^;\"\s]*)", re.IGNORECASE)
"""RFC 5987 file name, `filename*=UTF-8''na%C3%AFve.step`; RFC 7578 forbids it in forms, older clients send it."""


@dataclass
class Part:
    """One field of a form."""

    name: str
    file_name: str | None = None
    """As the client sent it, path included; None for a text field."""
    data: bytearray = field(default_factory=bytearray)


class Form:
    """Collects the parts of one form, in their order in the body."""

    def __init__(self, content_type: str, wanted: Collection[str]) -> None:
        _, options = parse_options_header(content_type)
        boundary = options.get(b"boundary", b"")
        if not boundary:
            raise InvalidRequest("multipart/form-data has no boundary in Content-Type; send it as a parameter")
        self.parts: list[Part] = []
        self._wanted = wanted
        self._header_name, self._header_value = bytearray(), bytearray()
        self._headers: dict[str, bytes] = {}
        self._ended = False
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._headers.clear,
                    "on_header_field": self._on_header_field,
                    "on_header_value": self._on_header_value,
                    "on_header_end": self._on_header_end,
                    "on_headers_finished": self._on_headers_finished,
                    "on_part_data": self._on_part_data,
                    "on_end": self._on_end,
                },
            )
        except FormParserError as error:
            raise _broken(str(error)) from error

    async def read(self, chunks: AsyncIterable[bytes]) -> list[Part]:
        """Read all parts. Raises: InvalidRequest for a form that is malformed, truncated or has too many parts."""
        try:
            async for chunk in chunks:
                await run_in_parser(self._parser.write, chunk)
        except FormParserError as error:
            raise _broken(str(error)) from error
        if not self._ended:
            raise _broken("the body ends before its closing boundary")
        return self.parts

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header_name += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _on_header_end(self) -> None:
        self._headers[self._header_name.decode("ascii", "replace").lower()] = bytes(self._header_value)
        self._header_name.clear()
        self._header_value.clear()

    def _on_headers_finished(self) -> None:
        if len(self.parts) == MAX_PARTS:
            raise InvalidRequest(f"the form has more than {MAX_PARTS} parts; send fewer")
        disposition = self._headers.get("content-disposition", b"")
        _, options = parse_options_header(disposition)
        if b"name" not in options:
            raise InvalidRequest(
                'multipart/form-data is broken: a part has no name; send Content-Disposition: form-data; name="…"'
            )
        part = Part(_text(options[b"name"]), _file_name(disposition, options))
        encoding = self._headers.get("content-transfer-encoding", b"").decode("ascii", "replace").strip().lower()
        if encoding not in IDENTITY:
            raise InvalidRequest(
                f"{part.name}: Content-Transfer-Encoding {encoding} is not accepted in a form; send the bytes as they are",
                details={"errors": [{"path": part.name, "message": "unsupported Content-Transfer-Encoding"}]},
            )
        self.parts.append(part)

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self.parts[-1].name in self._wanted:
            self.parts[-1].data += memoryview(data)[start:end]

    def _on_end(self) -> None:
        self._ended = True


def _file_name(disposition: bytes, options: dict[bytes, bytes]) -> str | None:
    """The file name; if a client sends both forms, the RFC 5987 one, which RFC 6266 section 4.3 prefers."""
    extended = EXTENDED_NAME.search(disposition)
    if extended:
        raw = unquote_to_bytes(extended[2])
        return raw.decode("latin-1") if extended[1].lower() == b"iso-8859-1" else _text(raw)
    if b"filename" not in options:
        return None
    # The WHATWG form encoding, which browsers and httpx follow, writes a quote in a name as %22.
    return _text(options[b"filename"]).replace("%22", '"')


def _text(raw: bytes) -> str:
    """UTF-8, as RFC 7578 section 5.1 recommends; other bytes come from old Windows clients and are read as cp1252."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _broken(why: str) -> InvalidRequest:
    return InvalidRequest(f"multipart/form-data is broken: {why}; send it again with a client that writes forms")

"""Checks that the content of a file is of the format that its name says."""

from __future__ import annotations

from typing import Final

from spatial.contract.formats import Format, sniff
from spatial.errors import ParseError

BOM: Final = b"\xef\xbb\xbf"
"""The byte order mark that some editors write before UTF-8 text."""

_OTHERS: Final = (
    (b"PK\x03\x04", "a ZIP archive; unpack it and send the file inside"),
    (b"\x1f\x8b", "a gzip archive; unpack it and send the file inside"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it and send the file inside"),
    (b"Rar!", "a RAR archive; unpack it and send the file inside"),
    (b"\xd0\xcf\x11\xe0", "a native CAD or Office file (OLE container); export STEP and send that"),
    (b"glTF", "a glTF mesh"),
    (b"solid ", "an STL mesh"),
    (b"ply\n", "a PLY mesh"),
    (b"AC10", "an AutoCAD DWG drawing; export STEP or DXF and send that"),
    (b"V_CFV2", "a CATIA V5 file; export STEP and send that"),
    (b"Kaydara FBX", "an FBX scene"),
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"**ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a Parasolid file; export STEP and send that"),
)
"""Leading bytes of formats that are sent by mistake."""


def require(expected: Format, data: bytes, file_name: str, *also: Format) -> bytes:
    """The content without a byte order mark.

    also: further formats that the content may be of.
    Raises: ParseError where it is empty, or of another format than the file name says.
    """
    content = data.removeprefix(BOM)
    if not content.strip():
        raise ParseError(f"{file_name}: the file is empty; export it again", details={"phase": "detect"})
    found = sniff(content)
    if found is expected or (found is not None and found in also):
        return content
    looks = f"{found.title} ({', '.join('.' + e for e in found.extensions)})" if found else _other(content)
    raise ParseError(
        f"{file_name}: the name says {expected.title}, but the content looks like {looks}; correct the extension, or export the file again",
        details={"phase": "detect", "expected": expected.name, **({"found": found.name} if found else {})},
    )


def _other(content: bytes) -> str:
    head = content[:64].lstrip().lower()
    for signature, name in _OTHERS:
        if head.startswith(signature.lower()):
            return name
    return "no format that is known"

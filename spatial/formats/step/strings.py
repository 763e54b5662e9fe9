"""Strings of ISO 10303-21 as text: quotes and the control directives of its section 6.4.3.

''          an apostrophe
\\\\          a backslash
\\S\\x        the character x + 128 of the page that \\P selects (ISO 8859; the first page is assumed)
\\X\\hh       one character of ISO 8859-1 by its code
\\X2\\…\\X0\\  characters by four hexadecimal digits each (UTF-16), \\X4\\ by eight
"""

from __future__ import annotations

import re
from typing import Final

_CODECS: Final = {"UTF8": "utf-8", "CP1251": "cp1251", "CP1252": "cp1252", "SJIS": "cp932", "GB": "gb2312"}
"""Python's codecs by the kernel's names of code pages (`names.py`)."""

_DIRECTIVE: Final = re.compile(
    r"''|\\\\|\\P[A-I]\\|\\S\\(?P<high>.)|\\X\\(?P<byte>[0-9A-Fa-f]{2})|\\X(?P<width>[24])\\(?P<codes>[0-9A-Fa-f]*)\\X0\\"
)


def decoded(raw: bytes, page: str) -> str:
    """The text of a string without its outer quotes. page: the code page of the file, by the kernel's name."""
    text = raw.decode(_CODECS[page], "replace")
    return _DIRECTIVE.sub(_character, text).strip() if "'" in text or "\\" in text else text.strip()


_WIDE_CODES: Final = re.compile(rb"(?P<pair>\\\\)|\\X(?P<width>[24])\\(?P<codes>(?:[0-9A-Fa-f]{4})+)\\X0\\|\\X\\00")
_REPLACEMENT: Final = b"\\X2\\FFFD\\X0\\"


def without_noncharacters(raw: bytes) -> tuple[bytes, int]:
    """A file with U+FFFD in place of each U+0000 and half surrogate that its strings write, which the kernel drops; and how many."""
    if b"\\X" not in raw:
        return raw, 0
    replaced = 0

    def resolve(found: re.Match[bytes]) -> bytes:
        nonlocal replaced
        if found["pair"]:
            return found.group()
        if not found["codes"]:
            replaced += 1
            return _REPLACEMENT
        codec = "utf-16-be" if found["width"] == b"2" else "utf-32-be"
        written = bytes.fromhex(found["codes"].decode())
        text = written.decode(codec, "replace").replace("\0", "\ufffd")
        if text.encode(codec) == written:
            return found.group()
        replaced += text.count("\ufffd") - written.decode(codec, "ignore").count("\ufffd")
        return b"\\X" + found["width"] + b"\\" + text.encode(codec).hex().upper().encode() + b"\\X0\\"

    return _WIDE_CODES.sub(resolve, raw), replaced


def _character(found: re.Match[str]) -> str:
    if found["high"]:
        return chr(ord(found["high"]) + 128)
    if found["byte"]:
        return chr(int(found["byte"], 16))
    if found["width"]:
        codec = "utf-16-be" if found["width"] == "2" else "utf-32-be"
        codes = found["codes"]
        return bytes.fromhex(codes[: len(codes) // 4 * 4]).decode(codec, "replace")
    return found.group()[0] if found.group() in ("''", "\\\\") else ""

"""What a content stream of a PDF draws that has content of its own, and what that is.

Glossary
  part      content that another one draws: a form, the tile of a pattern, the group of a soft mask, a glyph of a Type 3 font.
  paint     an operator that paints: with a pattern its tile is interpreted again for each, through a mask its group.

Source: ISO 32000-2 §7.8.3 (resources), 8.5.3 (painting), 8.7.3 (tiling patterns), 8.10 (forms), 9.6.4 (Type 3 fonts), 11.6.5 (soft masks).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from pymupdf import mupdf

CHUNK: Final = 1 << 20
"""Bytes of content that are looked through at a time."""

EXACT: Final = 64 << 20
"""Bytes of one content beyond which its operators are not gone through, and the bound is taken; it takes 0.1 s to go through a million."""

_NAME: Final = rb"/([^\0\t\n\f\r ()<>\[\]{}/%]*+)"
_STRING: Final = rb"\((?:[^()\\]|\\.)*+\)"
_USE: Final = re.compile(
    _NAME + rb"(?:[^A-Za-z/(%]|" + _STRING + rb"|%[^\r\n]*+)*+(Do|gs|sh|scn|SCN|Tf)(?![A-Za-z0-9*])", re.DOTALL
)
"""A name, and the operator that takes it; operands that it does not take may stand between."""
_DRAWING: Final = re.compile(rb"(?<![A-Za-z0-9*/])Do(?![A-Za-z0-9*])")
_ESCAPE: Final = re.compile(rb"#([0-9A-Fa-f]{2})")

_REGULAR: Final = np.ones(256, bool)
_REGULAR[list(b"\0\t\n\f\r ()<>[]{}/%*")] = False
_PAINTING: Final = np.zeros(256, bool)
_PAINTING[list(b"SsfFBb'\"")] = True
_LONGER: Final = (b"Do", b"sh", b"Tj", b"TJ")

Uses = Counter[tuple[bytes, str]]
"""Operator and name to how often it takes it."""


def chunks(stream: Any, most: int) -> Iterator[bytes]:
    """The unpacked content of a stream of MuPDF until it has more than so many bytes, cut before names."""
    buffer, rest, size = mupdf.fz_new_buffer(CHUNK), b"", 0
    while size <= most:
        count = mupdf.fz_read(stream, buffer.m_internal.data, CHUNK)
        if not count:
            break
        size += count
        buffer.m_internal.len = count
        data = rest + bytes(mupdf.fz_buffer_storage_memoryview(buffer))
        cut = data.rfind(b"/", len(data) // 2)
        rest = data[cut:] if cut >= 0 else b""
        yield data[: len(data) - len(rest)]
    if rest:
        yield rest


class Seen:
    """What was seen of one content."""

    def __init__(self) -> None:
        self.size = self.unclear = 0
        """`unclear`: operators that draw an external object, or words of a text that look so, of which it is not clear which they draw."""
        self.uses: Uses = Counter()
        self.kept: list[bytes] | None = []
        """The content, where it is short enough to go through its operators."""
        self._painted = 0
        """Operators that paint in what is not kept."""

    def add(self, chunk: bytes) -> None:
        """See what follows."""
        named = _USE.findall(chunk)
        self.size += len(chunk)
        self.uses.update((operator, decoded(name)) for name, operator in named)
        if (count := chunk.count(b"Do")) and count > sum(operator == b"Do" for _, operator in named):
            drawing = sum(1 for _ in _DRAWING.finditer(chunk))
            self.unclear += max(drawing - sum(operator == b"Do" for _, operator in named), 0)
        if self.kept is not None:
            self.kept.append(chunk)
        else:
            self._painted += _paints(chunk)
        if self.size > EXACT and self.kept is not None:
            self._painted, self.kept = self.paints(), None

    def paints(self) -> int:
        """How many operators paint, or more."""
        return self._painted + sum(map(_paints, self.kept or ()))


def _paints(content: bytes) -> int:
    signs = np.frombuffer(b" " + content + b" ", np.uint8)
    places = np.flatnonzero(_PAINTING[signs])
    alone = ~_REGULAR[signs[places - 1]] & ~_REGULAR[signs[places + 1]]
    return int(alone.sum()) + sum(map(content.count, _LONGER))


def decoded(name: bytes) -> str:
    """A name as MuPDF is asked for it."""
    if b"#" in name:
        name = _ESCAPE.sub(lambda code: bytes([int(code[1], 16)]), name)
    return name.decode("utf-8", "replace")


_TOKEN: Final = re.compile(
    rb"(?:[^A-Za-z/(%'\"<]|<(?![^<>]*+>))*+"
    rb"(?:" + _NAME + rb"|(\()|<([^<>]*+)>|%[^\r\n]*+|([A-Za-z'\"][A-Za-z0-9*'\"]*+))",
    re.DOTALL,
)
_PARENTHESIS: Final = re.compile(rb"\\.|[()]", re.DOTALL)
_END_OF_IMAGE: Final = re.compile(rb"[\0\t\n\f\r ]EI(?![A-Za-z0-9*])")


def operations(content: bytes) -> Iterator[tuple[bytes, str, int]]:
    """Each operator with the last name before it and the bytes of the strings before it, in order."""
    at, name, strings = 0, "", 0
    while (token := _TOKEN.match(content, at)) is not None:
        at = token.end()
        if token[1] is not None:
            name = decoded(token[1])
        elif token[2] is not None:
            end = _end_of_string(content, at)
            strings, at = strings + end - at, end
        elif token[3] is not None:
            strings += len(token[3]) // 2
        elif (operator := token[4]) == b"ID":
            end_of_image = _END_OF_IMAGE.search(content, at)
            at = end_of_image.end() if end_of_image else len(content)
            name, strings = "", 0
        elif operator is not None:
            yield operator, name, strings
            name, strings = "", 0


def _end_of_string(content: bytes, at: int) -> int:
    depth = 1
    for sign in _PARENTHESIS.finditer(content, at):
        depth += {b"(": 1, b")": -1}.get(sign[0], 0)
        if not depth:
            return sign.end()
    return len(content)

"""What a content stream of a PDF draws that has content of its own, and what that is.

Glossary
  part      content that another one draws: a form, the tile of a pattern, the group of a soft mask, a glyph of a Type 3 font.
  paint     an operator that paints: with a pattern its tile is interpreted again for each, through a mask its group.

Source: ISO 32000-2 §7.8.3 (resources), 8.5.3 (painting), 8.7.3 (tiling patterns), 8.10 (forms), 9.6.4 (Type 3 fonts), 11.6.5 (soft masks).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from pymupdf import mupdf

CHUNK: Final = 1 << 20
"""Bytes of content that are looked through at a time."""

EXACT: Final = 64 << 20
"""Bytes of one content beyond which its operators are not gone through, and the bound is taken; it takes 0.1 s to go through a million."""

_REST: Final = rb"[^\0\t\n\f\r ()<>\[\]{}/%]"
"""A character that a name or a keyword goes on with."""
_NAME: Final = rb"/(" + _REST + rb"*+)"
_STRING: Final = rb"\((?:[^()\\]|\\.)*+\)"
_TAKEN: Final = rb"(Do|gs|sh|scn?|SCN?|Tf)(?!" + _REST + rb")"
_USE: Final = re.compile(
    _NAME
    + rb"((?:[^A-Za-z/(%<]|<(?:[0-9A-Fa-f\s]*+>)?+|/" + _REST + rb"*+|" + _STRING + rb"|%[^\r\n]*+)*+)"
    + rb"(?:(?<!" + _REST + rb")" + _TAKEN + rb")?+",
    re.DOTALL,
)  # fmt: skip
"""A name, further operands, and the operator that takes them, where it is one that takes names of parts."""
_NAMES: Final = re.compile(_NAME)
_NUMBERS: Final = re.compile(rb"[\s0-9.+-]*+[A-Za-z*'\"]")
"""Operands, backwards from their operator, that are nothing but numbers."""
LONGEST_COLOR: Final = 96
"""Bytes of the numbers of a colour."""
_ESCAPE: Final = re.compile(rb"#(?!00)([0-9A-Fa-f]{2})")
_LETTER: Final = re.compile(rb"#[4-7][0-9A-Fa-f]")
_IN_WORD: Final = re.compile(rb"(?:\A|[\0\t\n\f\r )>\]}])(?:[A-Za-z]|#[4-7][0-9A-Fa-f])*+\Z")
"""What stands before an escape that is of a keyword, in which MuPDF reads them too."""
LONGEST_WORD: Final = 12
"""Bytes of a keyword before the escape that is its last letter, and of what is before it."""
MOST_NAMES: Final = 64
"""Names before one operator beyond which it is not clear which it takes."""
LONGEST_NAME: Final = 255
"""Bytes after which MuPDF cuts a name of a content."""

_REGULAR: Final = np.ones(256, bool)
_REGULAR[list(b"\0\t\n\f\r ()<>[]{}/%*")] = False
_PAINTING: Final = np.zeros(256, bool)
_PAINTING[list(b"SsfFBb'\"")] = True
_LONGER: Final = (b"Do", b"sh", b"Tj", b"TJ")

_SIGNS: Final = {b"Do": b"Do", b"gs": b"gs", b"sh": b"sh", b"scn": b"sc", b"SCN": b"SC", b"Tf": b"Tf"}
"""Operators that take names of parts, and what stands in a content that has them."""
OPERATORS: Final = frozenset(_SIGNS)
_WORDS: Final = {
    operator: re.compile(sign + rb"(?<!" + _REST + sign + rb")(?<!/" + sign + rb")" + end + rb"(?!" + _REST + rb")")
    for operator, sign in _SIGNS.items()
    for end in (operator[2:] + b"?" if operator[2:] else b"",)
}
"""Begun with what is searched for fastest."""

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

    def __init__(self, operators: Collection[bytes] = OPERATORS) -> None:
        """operators: those whose parts there are."""
        self.size = 0
        self.uses: Uses = Counter()
        """With all names before an operator, of which it takes one."""
        self.unclear: Counter[bytes] = Counter()
        """Operators, or words of a text that look so, of which it is not clear what they take."""
        self.named = 0
        """Operators whose names are seen."""
        self.kept: list[bytes] | None = []
        """The content, where it is short enough to go through its operators."""
        self._operators = frozenset(operators)
        self._painted = 0
        """Operators that paint in what is not kept."""
        self._open: set[bytes] = set()
        """Names at the ends of chunks, which an operator of a later one may take."""

    def add(self, chunk: bytes) -> None:
        """See what follows."""
        self.size += len(chunk)
        plain = _LETTER.sub(_letter, chunk) if b"#" in chunk else chunk
        self.uses.update((operator, decoded(name)) for operator in self._operators for name in self._open)
        named = self._named(plain)
        self.named += named.total()
        for operator in self._operators:
            if plain.count(_SIGNS[operator]) > named[operator]:
                self.unclear[operator] += max(_words(plain, operator) - named[operator], 0)
        self._keep(chunk)

    @property
    def words(self) -> int:
        """Operators that take parts, or words of a text that look so."""
        return self.named + self.unclear.total()

    def _named(self, chunk: bytes) -> Counter[bytes]:
        """How often each operator takes a name."""
        found = _USE.findall(chunk)
        if found and not found[-1][2]:
            self._open.update(_names(found[-1][0], found[-1][1], CHUNK))
        if len(self._open) > MOST_NAMES:
            self.unclear.update(self._operators)
            self._open.clear()
        named: Counter[bytes] = Counter()
        for (name, operands, word), count in Counter([use for use in found if use[2]]).items():
            operator = general(word)
            names = _names(name, operands) if operator in self._operators else ()
            named[operator] += count if names else 0
            for each in names:
                self.uses[operator, decoded(each)] += count
        return named

    def _keep(self, chunk: bytes) -> None:
        if self.kept is not None:
            self.kept.append(chunk)
        else:
            self._painted += paints(chunk)
        if self.size > EXACT and self.kept is not None:
            self._painted, self.kept = self.paints(), None

    def paints(self) -> int:
        """How many operators paint, or more."""
        return self._painted + sum(map(paints, self.kept or ()))


def general(word: bytes) -> bytes:
    """The operator that does what another one does, and more."""
    return word + b"N" if word == b"SC" else word + b"n" if word == b"sc" else word


def _names(name: bytes, operands: bytes, most: int = MOST_NAMES) -> list[bytes]:
    """All names before an operator; none where they are too many."""
    if b"/" not in operands:
        return [name]
    return [name, *_NAMES.findall(operands)] if operands.count(b"/") < most else []


def _letter(escape: re.Match[bytes]) -> bytes:
    """The letter of a keyword that is escaped; other escapes as they are."""
    before = escape.string[max(escape.start() - LONGEST_WORD, 0) : escape.start()]
    return _unescaped(escape[0]) if _IN_WORD.search(before) else escape[0]


def _words(content: bytes, operator: bytes) -> int:
    """How many words of a content look like an operator with a part: not those that set a colour by nothing but numbers."""
    places = [word.start() for word in _WORDS[operator].finditer(content)]
    if operator not in (b"scn", b"SCN"):
        return len(places)
    before = Counter(
        content[place - LONGEST_COLOR : place] if place >= LONGEST_COLOR else b"q" + content[:place] for place in places
    )
    return sum(count for operands, count in before.items() if not _NUMBERS.match(operands[::-1]))


def paints(content: bytes) -> int:
    """How many words of a content look like operators that paint."""
    signs = np.frombuffer(b" " + content + b" ", np.uint8)
    places = np.flatnonzero(_PAINTING[signs])
    alone = ~_REGULAR[signs[places - 1]] & ~_REGULAR[signs[places + 1]]
    return int(alone.sum()) + sum(map(content.count, _LONGER))


def decoded(name: bytes) -> str:
    """A name as MuPDF is asked for it, with surrogates where it is not UTF-8."""
    return _unescaped(name)[:LONGEST_NAME].decode("utf-8", "surrogateescape")


def _unescaped(name: bytes) -> bytes:
    return _ESCAPE.sub(lambda code: bytes([int(code[1], 16)]), name) if b"#" in name else name


_TOKEN: Final = re.compile(
    rb"(?:[\0\t\n\f\r {})]|[0-9+\-.]" + _REST + rb"*+|%[^\r\n]*+)*+"
    rb"(?:" + _NAME + rb"|(\()|<(?!<)([^>]*+)>?+|(\[|<<)|(\]|>>?+)|(" + _REST + rb"++))",
    re.DOTALL,
)  # fmt: skip
_PARENTHESIS: Final = re.compile(rb"\\.|[()]", re.DOTALL)
_END_OF_IMAGE: Final = re.compile(rb"[\0\t\n\f\r ]EI(?![A-Za-z0-9*])")
_VALUES: Final = frozenset((b"true", b"false", b"null", b"R", b"Tw", b"Tc"))
"""Words that draw nothing, and may stand in brackets."""


class Operation(NamedTuple):
    """An operator and what is before it."""

    operator: bytes
    names: list[bytes]
    strings: int
    """Bytes of the strings."""
    image: bytes = b""
    """After `ID`: the data of an inline image."""


class UnclearContentError(ValueError):
    """It is not clear what is an operator."""


def operations(content: bytes) -> Iterator[Operation]:
    """Each operator, in order. Raises: UnclearContentError for operators in brackets, which MuPDF skips or not."""
    at = depth = strings = 0
    names: list[bytes] = []
    in_image = False
    while (token := _TOKEN.match(content, at)) is not None:
        at = token.end()
        if token[1] is not None:
            names.append(token[1])
        elif token[2] is not None:
            end = _end_of_string(content, at)
            strings, at = strings + end - at, end
        elif token[3] is not None:
            strings += len(token[3]) // 2
        elif token[4] is not None:
            depth += 1
        elif token[5] is not None:
            depth = max(depth - 1, 0)
        elif token[6] in _VALUES:
            continue
        elif depth:
            raise UnclearContentError
        else:
            operator, image = _unescaped(token[6]), b""
            if operator == b"ID" and in_image:
                end_of_image = _END_OF_IMAGE.search(content, at)
                end = end_of_image.end() if end_of_image else len(content)
                image, at = content[at:end], end
            in_image = operator == b"BI"
            yield Operation(operator, names, strings, image)
            names, strings = [], 0


def _end_of_string(content: bytes, at: int) -> int:
    depth = 1
    for sign in _PARENTHESIS.finditer(content, at):
        depth += {b"(": 1, b")": -1}.get(sign[0], 0)
        if not depth:
            return sign.end()
    return len(content)

"""PDF files with objects and operators that are changed, dropped, repeated or moved (ISO 32000-1); readers repair the references."""

from __future__ import annotations

import random
import re
import zlib
from typing import Final

from siege.mutate.values import NUMBERS, edit_sequence, edits, some

OBJECT: Final = re.compile(rb"\d+ \d+ obj.*?endobj", re.DOTALL)
STREAM: Final = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
TOKEN: Final = re.compile(rb"\d+ \d+ R|/[A-Za-z0-9]+|[-+]?\d*\.?\d+|\[|\]|<<|>>|\((?:[^()\\]|\\.)*\)")
OPERATORS: Final = tuple(
    b"q Q cm w J j M d ri i gs m l c v y h re S s f F f* B B* b b* n W W* BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* Tj TJ Do sh BI EI".split()
)
NAMES: Final = (b"/Type", b"/Page", b"/Kids", b"/Parent", b"/Contents", b"/Resources", b"/Font", b"/XObject", b"/Length", b"/Filter",
                b"/FlateDecode", b"/MediaBox", b"/Rotate", b"/ToUnicode", b"/Encoding", b"/Identity-H", b"/Widths", b"/W")  # fmt: skip


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The file with some objects changed, or operators of their streams."""
    places = [match.span() for match in OBJECT.finditer(data)]
    if not places:
        return data
    objects = [data[begin:end] for begin, end in places]
    for _ in edits(chance):
        edit_sequence(objects, chance, lambda each: _changed(each, objects, chance))
    return data[: places[0][0]] + b"\n".join(objects) + data[places[-1][1] :]


def _changed(each: bytes, objects: list[bytes], chance: random.Random) -> bytes:
    found = STREAM.search(each)
    if found is None or chance.random() < 0.3:
        return _token_changed(each, objects, chance)
    try:
        content = zlib.decompress(found.group(1))
    except zlib.error:
        return _token_changed(each, objects, chance)
    packed = zlib.compress(_operators_changed(content, chance))
    head = re.sub(rb"/Length \d+", b"/Length %d" % len(packed), each[: found.start()])
    return head + b"stream\n" + packed + b"\nendstream" + each[found.end() :]


def _operators_changed(content: bytes, chance: random.Random) -> bytes:
    words = content.split(b" ")
    for _ in edits(chance):
        edit_sequence(words, chance, lambda _: some(chance, OPERATORS) if chance.random() < 0.4 else _number(chance))
    return b" ".join(words)


def _token_changed(each: bytes, objects: list[bytes], chance: random.Random) -> bytes:
    tokens = list(TOKEN.finditer(each[:20_000]))
    if not tokens:
        return each
    token = tokens[chance.randrange(len(tokens))]
    return each[: token.start()] + _other(token.group(), objects, chance) + each[token.end() :]


def _other(token: bytes, objects: list[bytes], chance: random.Random) -> bytes:
    if chance.random() < 0.1:
        return some(chance, (b"null", b"[", b"<<", b"]", b"()", b"<D800>", b"true", b"[" * 40))
    if token.endswith(b" R"):
        number = objects[chance.randrange(len(objects))].split(b" ", 1)[0]
        return number + b" 0 R"
    if token.startswith(b"/"):
        return some(chance, NAMES)
    return _number(chance)


def _number(chance: random.Random) -> bytes:
    return some(chance, NUMBERS).encode()

"""Part 21 files with instances that are changed, dropped, repeated, or refer to others (ISO 10303-21)."""

from __future__ import annotations

import random
import re
from typing import Final

from siege.mutate.values import NUMBERS, TEXTS, edit_sequence, edits, some

INSTANCE: Final = re.compile(rb"#\d+\s*=[^;']*(?:'[^']*'[^;']*)*;")
TOKEN: Final = re.compile(
    rb"'(?:[^']|'')*'|#\d+|\.[A-Z_0-9]+\.|[A-Z][A-Z_0-9]*|[-+]?\d+(?:\.\d*)?(?:E[-+]?\d+)?|[(),$*]"
)

KEYWORDS: Final = (
    *(
        b"CARTESIAN_POINT",
        b"DIRECTION",
        b"VECTOR",
        b"PLANE",
        b"CYLINDRICAL_SURFACE",
        b"B_SPLINE_CURVE_WITH_KNOTS",
        b"FACE_BOUND",
    ),
    *(
        b"EDGE_CURVE",
        b"ORIENTED_EDGE",
        b"EDGE_LOOP",
        b"ADVANCED_FACE",
        b"CLOSED_SHELL",
        b"OPEN_SHELL",
        b"MAPPED_ITEM",
        b"CIRCLE",
    ),
    *(
        b"TOROIDAL_SURFACE",
        b"CONICAL_SURFACE",
        b"SPHERICAL_SURFACE",
        b"ELLIPSE",
        b"MANIFOLD_SOLID_BREP",
        b"VERTEX_POINT",
        b"LINE",
    ),
)


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The file with some instances changed."""
    places = [match.span() for match in INSTANCE.finditer(data)]
    if not places:
        return data
    head, tail = data[: places[0][0]], data[places[-1][1] :]
    instances = [data[begin:end] for begin, end in places]
    names = re.findall(rb"#\d+", b" ".join(instance[:12] for instance in instances))
    for _ in edits(chance):
        edit_sequence(instances, chance, lambda instance: _changed(instance, names, chance))
    return head + b"\n".join(instances) + tail


def _changed(instance: bytes, names: list[bytes], chance: random.Random) -> bytes:
    """One token of an instance as another of its kind, or of none."""
    tokens = list(TOKEN.finditer(instance))
    if not tokens:
        return instance
    token = tokens[chance.randrange(len(tokens))]
    return instance[: token.start()] + _other(token.group(), names, chance) + instance[token.end() :]


def _other(token: bytes, names: list[bytes], chance: random.Random) -> bytes:
    if chance.random() < 0.1:
        return some(chance, (b"$", b"*", b"()", b"", b"(" * 50, b"#0", b"'", b".T.", b".U."))
    if token.startswith(b"#"):
        return names[chance.randrange(len(names))]
    if token.startswith(b"'"):
        return b"'" + some(chance, TEXTS).encode("utf-8", "replace") + b"'"
    if token.startswith(b"."):
        return some(chance, (b".T.", b".F.", b".U.", b".UNSPECIFIED.", b".MILLI.", b".X."))
    if token[:1].isalpha():
        return some(chance, KEYWORDS)
    return some(chance, NUMBERS).encode()

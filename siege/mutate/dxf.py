"""DXF files with pairs of group code and value that are changed, dropped, repeated or moved (Autodesk, DXF reference)."""

from __future__ import annotations

import random
from typing import Final

from siege.mutate.values import NUMBERS, TEXTS, edit_sequence, edits, some

Pair = tuple[bytes, bytes]

KINDS: Final = (
    *(
        "LINE",
        "LWPOLYLINE",
        "POLYLINE",
        "VERTEX",
        "SEQEND",
        "INSERT",
        "ATTRIB",
        "MTEXT",
        "TEXT",
        "DIMENSION",
        "HATCH",
        "SPLINE",
    ),
    *(
        "ELLIPSE",
        "ARC",
        "CIRCLE",
        "LEADER",
        "MULTILEADER",
        "TOLERANCE",
        "ACAD_TABLE",
        "VIEWPORT",
        "BLOCK",
        "ENDBLK",
        "SECTION",
    ),
    *(
        "ENDSEC",
        "EOF",
        "LAYER",
        "STYLE",
        "DIMSTYLE",
        "LTYPE",
        "3DFACE",
        "SOLID",
        "MESH",
        "IMAGE",
        "MLINE",
        "REGION",
        "BODY",
        "X",
    ),
)

CODES: Final = (0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 20, 21, 30, 40, 41, 42, 48, 50, 51, 60, 62, 66, 67, 70, 71, 72, 73, 74, 75, 76, 78, 90,
                91, 92, 93, 97, 100, 102, 210, 220, 230, 280, 310, 330, 340, 360, 1000, 1001, 1070, 99999, -1)  # fmt: skip


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The file with some pairs changed."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    pairs = list(zip(lines[::2], lines[1::2], strict=False))
    for _ in edits(chance):
        edit_sequence(pairs, chance, lambda pair: _changed(pair, pairs, chance))
    return b"\n".join(line for pair in pairs for line in pair) + b"\n"


def _changed(pair: Pair, pairs: list[Pair], chance: random.Random) -> Pair:
    code, value = pair
    kind = chance.random()
    if kind < 0.15:
        return str(some(chance, CODES)).encode(), value
    if kind < 0.3:
        return code, pairs[chance.randrange(len(pairs))][1]
    if code.strip() == b"0":
        return code, some(chance, KINDS).encode()
    texts = NUMBERS if kind < 0.8 else TEXTS
    return code, some(chance, texts).encode("utf-8", "replace")

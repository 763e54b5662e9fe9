"""Values that parsers seldom expect, and edits of sequences that keep their structure."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

NUMBERS: Final = (
    *(
        "0",
        "-0",
        "1",
        "-1",
        "2",
        "255",
        "256",
        "32767",
        "65536",
        "2147483647",
        "-2147483648",
        "4294967296",
        "1e308",
        "-1e308",
    ),
    *(
        "1e-308",
        "1e999",
        "nan",
        "inf",
        "0.1e",
        ".",
        "-",
        "1.E+38",
        "99999999999999999999",
        "1e16",
        "1e-16",
        "3.4e38",
        "360",
        "1e6",
    ),
)
"""As texts; some are no numbers."""

TEXTS: Final = (
    *(
        "",
        " ",
        "\t",
        "x",
        "x" * 4_000,
        "%s",
        "M8x1.25",
        "Ø10 H7",
        "10±0.1",
        "1:0",
        "<b>",
        "&amp;",
        "\ufffd",
        "\u202e",
        "9" * 99,
    ),
    *(
        r"\X2\D800\X0\ ",
        r"\U+D800",
        "%%c",
        r"{\fArial|b0;x}",
        r"\S1#2;",
        "(",
        ")",
        "'",
        '"',
        ";",
        "#",
        "$",
        "*",
        "^",
        "°",
        "—",
    ),
)


def some(chance: random.Random, values: tuple[T, ...]) -> T:
    """One of them."""
    return values[chance.randrange(len(values))]


def edits(chance: random.Random) -> range:
    """How many edits a file gets: mostly few, now and then many."""
    return range(1 + int(chance.expovariate(0.4)))


def edit_sequence(items: list[T], chance: random.Random, change: Callable[[T], T]) -> None:
    """Change, drop, repeat, swap or move one item in place."""
    if not items:
        return
    at, other = chance.randrange(len(items)), chance.randrange(len(items))
    kind = chance.random()
    if kind < 0.5:
        items[at] = change(items[at])
    elif kind < 0.65:
        del items[at]
    elif kind < 0.8:
        items.insert(other, items[at])
    elif kind < 0.9:
        items[at], items[other] = items[other], items[at]
    else:
        begin, end = sorted((at, other))
        items[begin:end] = items[begin:end] * 2 if end - begin < 200 else []


def flip_bytes(data: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, dropped or repeated, for what no structure sees."""
    changed = bytearray(data)
    for _ in edits(chance):
        if not changed:
            break
        at = chance.randrange(len(changed))
        kind = chance.random()
        if kind < 0.6:
            changed[at] = chance.randrange(256)
        elif kind < 0.8:
            del changed[at : at + chance.randrange(1, 64)]
        else:
            changed[at:at] = changed[at : at + chance.randrange(1, 64)]
    return bytes(changed)

"""Which code page a file's names are in, where they are neither ASCII nor UTF-8.

Part 21 allows ASCII with escapes (edition 2) or UTF-8 (edition 3). Programs write their machine's code page all the same,
and nothing in the file says which. The bytes do, mostly: Cyrillic words are runs of bytes from 0xC0 on, Chinese and Japanese
ones are pairs, Western accents stand alone between ASCII letters.
"""

from __future__ import annotations

import re
from typing import Final

UTF_8: Final = "UTF8"
CYRILLIC: Final = "CP1251"
WESTERN: Final = "CP1252"
JAPANESE: Final = "SJIS"
CHINESE: Final = "GB"

TITLES: Final = {
    CYRILLIC: "Windows-1251 (Cyrillic)",
    WESTERN: "Windows-1252 (Western European)",
    JAPANESE: "Shift JIS (Japanese)",
    CHINESE: "GB 2312 (Chinese)",
}
"""The code pages, by the names under which the kernel knows them."""

_SAMPLE: Final = 4096
"""Runs of bytes beyond ASCII that decide."""

_JAPANESE_LEADS: Final = 0.2
"""Least part of the bytes beyond ASCII that are lead bytes of Shift JIS; of Western and Cyrillic names hardly any are."""
_CHINESE_LEADS: Final = 0.9
"""Least part of the lead bytes that are of common characters; names hold few rare ones."""
_CYRILLIC_LETTERS: Final = 0.7
"""Least part of the bytes beyond ASCII that are letters of Windows-1251; the others are signs such as № and «."""
_CYRILLIC_RUN: Final = 1.8
"""Least bytes of an average run: Cyrillic words have several letters, Western accents stand alone."""


def code_page(data: bytes) -> str:
    """The kernel's name for the code page of a file's strings."""
    if data.isascii() or _is_utf_8(data):
        return UTF_8
    runs = [match.group() for _, match in zip(range(_SAMPLE), re.finditer(rb"[\x80-\xff]+", data), strict=False)]
    if _is_japanese(data, runs):
        return JAPANESE
    if _is_chinese(runs):
        return CHINESE
    return CYRILLIC if _is_cyrillic(runs) else WESTERN


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_japanese(data: bytes, runs: list[bytes]) -> bool:
    """Lead bytes 0x81 to 0x9F, which Western and Cyrillic names hardly use, and everything decodes."""
    high = b"".join(runs)
    leads = sum(0x81 <= byte <= 0x9F for byte in high)
    if leads < _JAPANESE_LEADS * len(high):
        return False
    try:
        data.decode("cp932")
    except UnicodeDecodeError:
        return False
    return True


def _is_chinese(runs: list[bytes]) -> bool:
    """Pairs throughout, led by the bytes of the 3,755 common characters (0xB0 to 0xD7) or of punctuation (0xA1 to 0xA9)."""
    if any(len(run) % 2 for run in runs):
        return False
    leads = [byte for run in runs for byte in run[::2]]
    return sum(0xA1 <= byte <= 0xA9 or 0xB0 <= byte <= 0xD7 for byte in leads) > _CHINESE_LEADS * len(leads)


def _is_cyrillic(runs: list[bytes]) -> bool:
    """Letters (0xC0 to 0xFF, 0xA8, 0xB8) in runs, where Western accents stand alone."""
    high = b"".join(runs)
    letters = sum(byte >= 0xC0 or byte in (0xA8, 0xB8) for byte in high)
    return letters > _CYRILLIC_LETTERS * len(high) and len(high) > _CYRILLIC_RUN * len(runs)

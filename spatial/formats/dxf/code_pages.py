"""The code page that the letters of a DXF are in, where the header names another one or none.

Programs without Unicode wrote the bytes of their system's code page and left $DWGCODEPAGE out, or at the ANSI_1252 of a template.

Glossary
  high byte   one from 0x80: ASCII is the same in every code page.
  plausible   letters as words have them: Latin words have few letters with accents, a Cyrillic word is Cyrillic and in one case.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from spatial.knowledge import vocabulary
from spatial.knowledge.code_pages import CYRILLIC, EAST_ASIAN, FREQUENT

LINES: Final = 2_000
"""Lines with high bytes that are looked at."""
FEWEST: Final = 6
"""High bytes that no Latin text has, from which a code page is doubted."""
IMPLAUSIBLE: Final = 0.5
"""Part of the high bytes that no Latin text has, from which it is none."""
PLAUSIBLE: Final = 0.8
"""Part of the characters that must be usual ones of a code page."""
FREQUENT_SHARE: Final = 0.6
"""Part of Cyrillic letters that frequent ones have at least, but for short texts."""
UTF8, LATIN = "utf-8", "cp1252"

CODECS: Final = {
    "874": "cp874",
    "932": "cp932",
    "936": "gbk",
    "949": "cp949",
    "950": "cp950",
    "1250": "cp1250",
    "1251": "cp1251",
    "1252": "cp1252",
    "1253": "cp1253",
    "1254": "cp1254",
    "1255": "cp1255",
    "1256": "cp1256",
    "1257": "cp1257",
    "1258": "cp1258",
}
"""End of a value of $DWGCODEPAGE (ANSI_1252) to the codec. Source: AutoCAD DXF reference, "HEADER section"."""

LONGEST: Final = 500
"""Bytes of a line on each side of its first high byte."""

_HIGH: Final = re.compile(rb"[\x80-\xff]")
_RUN: Final = re.compile(rb"[\x80-\xff]{3,}")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def codec_of(page: str) -> str:
    """The codec of a value of $DWGCODEPAGE; the Latin one where it is not known."""
    return next((codec for number, codec in CODECS.items() if page.endswith(number)), LATIN)


def true_encoding(data: bytes, declared: str) -> tuple[str, bool]:
    """The encoding of an ASCII file's texts, and whether it is sure: where no code page is plausible, it is the declared one.

    declared: a codec's name.
    """
    lines = [] if data.isascii() else _lines(data)
    if not lines or _is_plausible(lines, declared):
        return declared, True
    if declared != UTF8 and _is_utf8(lines):
        return UTF8, True
    if declared == UTF8 and _is_plausible(lines, LATIN):
        return LATIN, True
    scores = {page: score for page in (*EAST_ASIAN, *CYRILLIC) if (score := _score(lines, page)) is not None}
    ranked = sorted(scores, key=lambda page: scores[page], reverse=True)
    if not ranked or (len(ranked) > 1 and scores[ranked[0]] == scores[ranked[1]]):
        return declared, False
    return ranked[0], True


def _lines(data: bytes) -> list[bytes]:
    """The different lines with high bytes."""
    found: dict[bytes, None] = {}
    place = 0
    for _ in range(LINES):
        match = _HIGH.search(data, place)
        if match is None:
            break
        begin = max(data.rfind(b"\n", place, match.start()) + 1, match.start() - LONGEST, place)
        end = data.find(b"\n", match.start(), match.start() + LONGEST)
        place = end if end >= 0 else match.start() + LONGEST
        found[data[begin:place]] = None
    return list(found)


def _is_utf8(lines: list[bytes]) -> bool:
    """Whether lines are UTF-8 beyond doubt: letters of a code page are not by chance."""
    text = b"\n".join(lines)
    return _is_in(text, UTF8) and len(text) - len(text.decode(UTF8)) >= FEWEST // 2


def _is_in(text: bytes, encoding: str) -> bool:
    try:
        text.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _is_plausible(lines: list[bytes], declared: str) -> bool:
    """Whether lines may be what their header says."""
    joined = b"\n".join(lines)
    if declared == UTF8:
        # A few damaged bytes do not make a file one of another code page.
        return sum(_is_in(line, UTF8) for line in lines) >= IMPLAUSIBLE * len(lines)
    if not _is_in(joined, declared):
        return False
    if _is_utf8(lines):
        return False
    if declared in EAST_ASIAN:
        return True
    text = joined.decode(declared)
    if declared in CYRILLIC:
        return _cyrillic(text) > IMPLAUSIBLE or len(_WORD.findall(text)) < FEWEST
    # C1 codes and the quotes beside them in code page 1252 are first bytes of Japanese.
    odd = sum(map(len, _RUN.findall(joined))) + sum(0x80 <= byte < 0xA0 for byte in _RUN.sub(b"", joined))
    high = sum(byte >= 0x80 for byte in joined)
    return odd < FEWEST or odd < IMPLAUSIBLE * high or not declared.startswith(("cp1252", "latin", "iso8859", "ascii"))


def _score(lines: list[bytes], page: str) -> tuple[int, float] | None:
    """Known words of drawings, and how usual the characters are, if a file were in a code page; None where it is not in it."""
    if not _is_in(b"\n".join(lines), page):
        return None
    text = b"\n".join(lines).decode(page)
    if page in EAST_ASIAN:
        words, share = _known(text, EAST_ASIAN[page][0]), _usual(text, page)
    else:
        words, share = _known(text, "ru"), _cyrillic(text)
    return (words, round(share, 1)) if share >= PLAUSIBLE else None


def _known(text: str, language: str) -> int:
    """How many labels of title blocks in a language a text has."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    labels = {
        word for words in vocabulary.LANGUAGES[language]["title_block"].values() for word in words if len(word) > 1
    }
    return sum(label.casefold() in plain for label in labels)


def _usual(text: str, page: str) -> float:
    """Part of the characters of two bytes that are usual ones."""
    _, leads, least = EAST_ASIAN[page]
    codes = [sign.encode(page) for sign in text if sign > "\x7f"]
    usual = sum(
        len(code) == 2 and code[1] >= least and any(first <= code[0] <= last for first, last in leads) for code in codes
    )
    return usual / max(len(codes), 1)


def _cyrillic(text: str) -> float:
    """Part of the words with letters beyond ASCII that are Cyrillic and in one case; less where their letters are rare ones."""
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    good = [word for word in words if all("\u0400" <= sign <= "\u052f" for sign in word) and _in_one_case(word)]
    letters = "".join(good).casefold()
    frequent = sum(sign in FREQUENT for sign in letters) / max(len(letters), 1)
    return len(good) / max(len(words), 1) * min(frequent / FREQUENT_SHARE, 1.0)


def _in_one_case(word: str) -> bool:
    return word.islower() or word.isupper() or word[1:].islower()

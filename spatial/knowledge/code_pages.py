"""The code pages in which programs without Unicode wrote letters that are not Latin.

Source: the tables of the Unicode Consortium, as Python's codecs have them.
"""

from __future__ import annotations

from typing import Final

CYRILLIC: Final = ("cp1251", "cp866", "koi8_r", "iso8859_5", "mac_cyrillic")
"""Of one byte a letter."""
READ_AS: Final = ("cp1252", "latin_1")
"""What their bytes are taken for."""

FREQUENT: Final = frozenset("оеаинтсрвлкм")
"""The dozen letters that make seven tenths of Russian text, and as much of its neighbours."""

EAST_ASIAN: Final = {
    "cp949": ("ko", ((0xA1, 0xA3), (0xB0, 0xC8)), 0xA1),
    "big5": ("zh", ((0xA1, 0xA3), (0xA4, 0xC6)), 0x40),
    "gbk": ("zh", ((0xA1, 0xA3), (0xB0, 0xD7)), 0xA1),
    "cp932": ("ja", ((0x81, 0x83), (0x88, 0x97)), 0x40),
}
"""Of two bytes a character: language, first bytes of punctuation, kana and the characters of daily use (GB 2312 and JIS X 0208 level 1,
KS X 1001 hangul, Big5 level 1), least second byte of these. Those with fewer such characters come first."""

"""The characters that drawn lettering is read as.

Glossary
  look-alikes   characters whose glyphs are the same in many fonts, or differ by nothing but their size: their neighbours decide.
"""

from __future__ import annotations

from typing import Final

NO_LETTER: Final = "\x00"
"""A drawn thing that is no character: an arrowhead, hatching, a part of a view."""

DIGITS: Final = "0123456789"
LATIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ACCENTED: Final = (
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝĄĆČĎĘĚĞİŁŃŇŐŒŘŚŞŠŤŮŰŹŻŽàáâãäåæçèéêëìíîïñòóôõöøùúûüýąćčďęěğıłńňőœřśşšťůűźżžß"
)
CYRILLIC: Final = "БГДЖЗИЙЛПФЦЧШЩЪЫЬЭЮЯбвгджзийклмнптфцчшщъыьэюяЁё"
"""Those that no Latin letter looks like."""
DRAWN_CYRILLIC: Final = "Уу"
"""Those that lettering of GOST 2.304 draws unlike any Latin letter, and other fonts like Y and y."""
PUNCTUATION: Final = ".,:;-_=+/\\()[]{}<>#%&@*\"'!?|~"
SIGNS: Final = "±°×²³µΩ√Δ≤≥⌀⌴⌵↧⊥∥∠⌖⏥◎⌭⌒⌓□"
"""Signs of drawings; `⌀` is drawn as a circle with a bar, `Ø` as a letter."""
CHARACTERISTICS: Final = "⌖⏥◎⌭⌒⌓"
"""Those of geometric characteristics (ISO 1101) that no part of a letter looks like."""

DIAMETER_SIGNS: Final = "Øø⌀"
"""The characters that a diameter sign is drawn like."""
PHI: Final = "φΦϕ"
"""How East Asian sheets write a diameter, as the reader of lines sees it; no zero looks so, as one with a stroke looks like Ø."""

CLASSES: Final = NO_LETTER + DIGITS + LATIN + ACCENTED + CYRILLIC + DRAWN_CYRILLIC + PUNCTUATION + SIGNS

LIKE_NUMBERS: Final = {
    "0": "OoDQ", "1": "IlıLi", "2": "Zz", "3": "ЗзЭэB", "4": "AЧч", "5": "Ss", "6": "GбБb", "7": "TГг", "8": "BЗ", "9": "gqЭэ",
    "±": "t",
}  # fmt: skip
"""Letters that fonts of straight strokes draw figures and the sign of numbers like: none stands within a number."""

LOOK_ALIKES: Final = ("0OoОо", "Il1|ı", "cC", "sS", "vV", "wW", "xX×", "zZ", "uU", "pP", "kK", "jJ", "Ø⌀ø", "-_", "',", "µu", "yYуУ",
                      "бб", "вB", "гг", "жЖ", "зЗ3", "иИ", "йЙ", "лЛ", "мM", "нH", "пП", "тT", "фФ", "цЦ", "чЧ", "шШ", "щЩ", "ъЪ",
                      "ыЫ", "ьЬ", "эЭ", "юЮ", "яЯ", "кk", "öÖ", "üÜ")  # fmt: skip

"""How drawings say that a hole goes through, by language.

ASME Y14.5-2018 §4.6 has THRU; hole callouts of CAD programs translate `THRU ALL`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

THROUGH_BY_LANGUAGE: Final = MappingProxyType({
    "en": ("THRU", "THRU ALL", "THROUGH", "THROUGH ALL", "THRU-ALL", "THROUGH-ALL"),
    "de": ("DURCH", "DURCHGEHEND", "DURCHGÄNGIG", "DURCHBOHRT", "DURCHGANG", "DURCH ALLES"),
    "fr": ("DÉBOUCHANT", "DÉBOUCHANTE", "DEBOUCHANT", "DEBOUCHANTE", "TRAVERSANT", "TRAVERSANTE", "À TRAVERS TOUT", "A TRAVERS TOUT"),
    "it": ("PASSANTE", "PASSANT"),
    "es": ("PASANTE", "POR TODO"),
    "pl": ("NA WYLOT", "PRZELOTOWY"),
    "cs": ("PRŮCHOZÍ",),
    "hu": ("ÁTMENŐ",),
    "nl": ("DOORLOPEND",),
    "sv": ("GENOMGÅENDE",),
    "ru": ("СКВ.", "СКВ", "НАСКВОЗЬ"),
    "ja": ("通し", "全貫通", "貫通"),
    "zh": ("通孔", "完全贯穿", "贯穿", "贯通", "通"),
})  # fmt: skip

STEMS: Final = ("СКВОЗН",)
"""Beginnings of words that inflect."""


def _alternatives(languages: dict[str, tuple[str, ...]]) -> str:
    """A pattern of all words, the longest first; a blank or dash within one may be any or none."""
    words = sorted({word for held in languages.values() for word in held}, key=len, reverse=True)
    return "|".join(re.sub(r"\\?[ -]", r"\\s?-?", re.escape(word)) for word in words)


_CJK: Final = ("ja", "zh")
THROUGH_WORDS: Final = (
    rf"(?:(?i:(?:{'|'.join(STEMS)})\w*|{_alternatives({name: held for name, held in THROUGH_BY_LANGUAGE.items() if name not in _CJK})})"
    rf"(?![^\W\d_])|{_alternatives({name: THROUGH_BY_LANGUAGE[name] for name in _CJK})})"
)
"""Words that say so, as a pattern."""

"""The code pages in which programs without Unicode wrote letters that are not Latin.

Source: the tables of the Unicode Consortium, as Python's codecs have them.
"""

from __future__ import annotations

from typing import Final

CYRILLIC: Final = ("cp1251", "cp866", "koi8_r", "iso8859_5", "mac_cyrillic")
"""Of one byte a letter."""
READ_AS: Final = ("cp1252", "latin_1")
"""What their bytes are taken for."""

"""A size that stands again in round brackets behind it, in the other unit: `Ø0.032 (Ø0,81)`, `.008 ± .002 (0,20 ±0,05)`.

ASME Y14.5-2018 §4.2 has square brackets for that; what round ones hold is the same only where both numbers say so.
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.inches import decimals_of, is_in_inches
from spatial.understanding.sheet.callouts.feature import Place, Size
from spatial.understanding.sheet.callouts.scanner import DECIMAL, decimal_value

_DEVIATIONS: Final = rf"(?:\s?±\s?{DECIMAL}|\s?[+-]\s?{DECIMAL}\s?/?\s?[+-]\s?{DECIMAL})?"
_AGAIN: Final = re.compile(rf"\(\s?(?:S?Ø|S?R)?\s?({DECIMAL})\s?(?:mm|in\.?|\")?{_DEVIATIONS}\s?\)")


def take_size_again(place: Place, size: Size) -> None:
    """Pass over brackets that give a size in the other unit."""
    found = place.scan.sees(_AGAIN)
    if found is None or size.is_angular:
        return
    within, decimals = decimal_value(found[1]), decimals_of(found[1])
    own, own_decimals = size.number.value, size.number.decimals
    in_inches = decimals > 0 and is_in_inches(own, own_decimals, within, decimals)
    in_millimeters = own_decimals > 0 and is_in_inches(within, decimals, own, own_decimals)
    if in_inches or in_millimeters:
        place.scan.take(_AGAIN)

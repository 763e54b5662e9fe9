"""Sizes with their count before a dash, on a sheet that counts so: `2-0.30` beside `2-Ø0.70` is 0.30 twice, and 2 has no deviation.

JIS and GB sheets write counts so. GOST 2.307 writes one deviation behind its size, `40-0,2`: where the sheet does not show which of both is
meant, a text is read as that. A deviation that stands apart from its size, `10 -0.012`, is no count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from spatial.contract.drawing import Callout

_COUNT: Final = re.compile(r"\(?\d{1,2}-(?:S?[Øø⌀∅φΦ]|S?R|M|C)\s?\d")
"""A count whose size has its sign."""
_COUNTED: Final = re.compile(r"\d{1,2}-\d{0,3}[.,]\d{1,3}")


def without_counted_sizes(callouts: Sequence[Callout], texts: Iterable[str]) -> list[Callout]:
    """The callouts of a sheet without the tolerances that are plain sizes with a count; texts: all of the sheet."""
    counted = {each.id for each in callouts if each.type == "tolerance" and _COUNTED.fullmatch(each.text)}
    if not counted:
        return list(callouts)
    shows_counts = any(map(_COUNT.match, texts)) or any(_COUNT.match(each.text) for each in callouts)
    return [each for each in callouts if not (shows_counts and each.id in counted)]

"""Basic (theoretically exact) dimensions: a size in a box. ASME Y14.5-2018 §5.3.4, ISO 1101 §10."""

from __future__ import annotations

from typing import Final

from spatial.understanding.sheet.callouts.feature import Feature, Size, SizeRule


def _is_basic(feature: Feature, size: Size) -> bool:
    return bool(feature.members.get("boxed")) and size.other is None


BASIC: Final = SizeRule("basic", _is_basic, stands_alone=True)

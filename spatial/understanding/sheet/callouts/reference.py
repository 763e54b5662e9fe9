"""Reference (auxiliary) dimensions: in brackets, with REF, or with a mark that a note explains. ISO 129-1 §9.8, ASME Y14.5-2018 §4.3."""

from __future__ import annotations

from typing import Final

from spatial.understanding.sheet.callouts.feature import Feature, Size, SizeRule


def _is_reference(feature: Feature, size: Size) -> bool:
    return bool(feature.members.get("reference"))


REFERENCE: Final = SizeRule("reference_dimension", _is_reference, stands_alone=True)

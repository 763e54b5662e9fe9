"""The scale that the dimensions of a sheet agree on, and which of them it speaks against.

Glossary
  scale      printed over measured: how much one unit of the sheet stands for.
  witness    another dimension, of another size, of the same scale: both are of a view that is drawn larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Dimensioning, Flags

AGREE: Final = 0.02
"""Relative difference within which dimensions share a scale."""
FEWEST: Final = 3
"""Dimensions that must agree before a scale is reported."""
LEAST_PART: Final = 3
"""One in so many dimensions at least must agree: sheets have views to several scales."""
ENLARGED: Final = (2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, 50.0)
"""How many times larger than most views others are drawn: quotients of the scales of ISO 5455, and of those of practice."""
MM_PER_INCH: Final = (25.4, 1 / 25.4)
"""How many times longer a size is whose unit is not that of most: screws and drills in millimetres on a sheet in inches."""
ROUNDED: Final = 0.05
"""Relative difference from a scale within which a size may be rounded, or a limit: more speaks against it."""
ALONE: Final = 0.6
"""What is left of the confidence of a length whose scale no other of the sheet has."""
LEAST_LONGER: Final = 1.6
"""Measured by printed length, to the scale of the sheet: less is rounding, a limit for the size, or a view a little larger."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How long, in the printed unit, one unit of the sheet is."""

    printed_per_unit: float
    """Median over the dimensions that agree."""
    spread: float
    """Median relative difference from it."""
    count: int
    """Dimensions that agree."""
    of: int
    """Dimensions that were compared."""


def common_scale(dimensions: Sequence[Dimensioning]) -> Scale | None:
    """What most lengths agree on; None where too few do. Several views to different scales leave the commonest one."""
    ratios = [
        d.further["printed"] / d.value
        for d in dimensions
        if d.value and d.further.get("printed") and d.type not in {"angular", "radius"} and "through" not in d.further
    ]
    if len(ratios) < FEWEST:
        return None
    logs = np.sort(np.log(ratios))
    first = np.searchsorted(logs, logs - AGREE)
    last = np.searchsorted(logs, logs + AGREE, side="right")
    best = int(np.argmax(last - first))
    agreed = np.exp(logs[first[best] : last[best]])
    if len(agreed) < FEWEST or LEAST_PART * len(agreed) < len(ratios):
        return None
    middle = float(np.median(agreed))
    return Scale(middle, float(np.median(np.abs(agreed / middle - 1))), len(agreed), len(ratios))


def beliefs(sizes: Sequence[tuple[float, float]], agreed: Scale) -> list[float]:
    """Of each printed and measured length, what is left of its confidence beside the scale of the sheet: 1 where that does not speak.

    It speaks against a length that is alone: whose scale is neither the sheet's, nor a usual factor of it, nor that of a witness. So are
    sizes of broken views, and sizes that were misread or taken between the heads of others. A broken view is drawn shorter: what is
    longer, and alone where half of the lengths agree, was taken so, and nothing is left of it. Where most lengths are alone, the sheet is
    not drawn to scale.
    """
    longer, witnessed = _longer(sizes, agreed)
    usual = _are_near(longer, (*ENLARGED, *(1 / factor for factor in ENLARGED)))
    compared = np.isfinite(longer)
    alone = compared & (np.abs(longer - 1) > ROUNDED) & ~usual & ~witnessed
    if 2 * alone.sum() > compared.sum():
        return [1.0] * len(sizes)
    is_wrong = alone & (longer > LEAST_LONGER) & (2 * agreed.count >= agreed.of)
    left: list[float] = np.where(is_wrong, 0.0, np.where(alone, ALONE, 1.0)).tolist()
    return left


def is_explained(size: tuple[float, float], others: Sequence[tuple[float, float]], agreed: Scale) -> bool:
    """Whether a printed and measured length is a usual factor larger than to scale, or to the scale of a witness."""
    longer, witnessed = _longer([size, *others], agreed)
    usual = _are_near(longer[:1], (*ENLARGED, *(1 / factor for factor in ENLARGED), *MM_PER_INCH))
    return bool(usual[0] or witnessed[0])


def _longer(sizes: Sequence[tuple[float, float]], agreed: Scale) -> tuple[Array, Flags]:
    """(n,) how many times longer each length is than its size is by the scale, and whether it has a witness."""
    printed, measured = np.array(sizes, float).reshape(-1, 2).T
    longer = agreed.printed_per_unit * measured / printed
    alike = np.abs(longer[:, None] / longer - 1) <= AGREE
    return longer, (alike & (printed[:, None] != printed)).any(axis=1)


def _are_near(longer: Array, factors: Sequence[float]) -> Flags:
    """(n,) whether each is one of some factors."""
    near: Flags = (np.abs(longer[:, None] / np.array(factors) - 1) <= AGREE).any(axis=1)
    return near

"""What the search for one objective found, before it is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from spatial.reasoning.optimization.subjects import Move
from spatial.reasoning.packing.bounds import Bound

SAME = 1e-6
"""Relative difference of two values that are the same: coordinates are rounded to a millionth of their size."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """An arrangement and its measure.

    quantity: what is measured, in `unit`. best: whether it is minimised or maximised.
    before: None where the present arrangement is none; before_faults say why. after: None where nothing was found.
    bound: what no arrangement can beat; None where none is known.
    refusal: "infeasible" or "unknown" where there is no arrangement, and why.
    """

    quantity: str
    unit: str
    best: Literal["least", "most"]
    before: float | None
    before_faults: tuple[str, ...]
    after: float | None
    moves: tuple[Move, ...]
    bound: Bound | None
    tried: int
    left_out: tuple[tuple[str, str], ...] = ()
    refusal: tuple[str, str] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_better(self) -> bool:
        """Whether the arrangement beats the present one."""
        if self.after is None or self.before is None:
            return self.after is not None
        gain = self.before - self.after if self.best == "least" else self.after - self.before
        return gain > SAME * max(abs(self.before), abs(self.after))

    @property
    def optimality_gap(self) -> float | None:
        """How far the value may be from the optimum, as a share of the bound; 0 is proven optimal."""
        value = self.after if self.is_better else self.before
        if self.bound is None or value is None or self.bound.value <= 0:
            return None
        return abs(value - self.bound.value) / self.bound.value

"""What a link found: pairs, and where the drawing and the model contradict each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spatial.reasoning.link.asked import Asked


@dataclass(frozen=True)
class Difference:
    """One contradiction between a request and what it is bound to.

    what: diameter, depth, through, quantity, counterbore, …  asked, measured: lengths in millimetres, angles in degrees, numbers
    of holes, or words; measured is None where the model has none. features: those that differ.
    """

    what: str
    asked: float | str
    measured: float | str | None
    features: tuple[str, ...]
    position: tuple[float, ...] | None = None
    remark: str | None = None


@dataclass(frozen=True)
class Binding:
    """A request and the features that it means.

    measured: what the model has, by the names of Difference. score: 1 where all agrees. terms: what the score lost, by reason.
    """

    asked: Asked
    features: tuple[str, ...]
    faces: tuple[str, ...] = ()
    measured: Mapping[str, Any] = field(default_factory=dict)
    deviation: float | None = None
    score: float = 1.0
    terms: Mapping[str, float] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()
    word: str | None = None
    """What was bound, where it is not the feature as a whole."""


@dataclass(frozen=True)
class Unbound:
    """A request without a feature, and why."""

    asked: Asked
    reason: str


@dataclass(frozen=True)
class Undrawn:
    """A feature that no request explains."""

    feature: str
    type: str
    measured: Mapping[str, Any]
    position: tuple[float, ...] | None = None


@dataclass
class Findings:
    """Everything that was found; `not_compared` are requests about which the model says nothing for sure."""

    bound: list[Binding] = field(default_factory=list)
    missing: list[Unbound] = field(default_factory=list)
    undrawn: list[Undrawn] = field(default_factory=list)
    not_compared: list[Unbound] = field(default_factory=list)

    def compared_in(self, unit: str | None) -> int:
        """Number of requests in a unit, or in any, that the model meets, in one way or another, or lacks."""
        rows: list[Binding | Unbound] = [*self.bound, *self.missing]
        return sum(unit in (None, each.asked.unit) for each in rows)

    @property
    def contradictions(self) -> int:
        """Number of differences and of requests that the model lacks."""
        return sum(len(each.differences) for each in self.bound) + len(self.missing)

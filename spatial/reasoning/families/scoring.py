"""From features to probabilities.

Every family has criteria, each a number from 0 (speaks against it) to 1 (as expected). Its score is their geometric mean, so that one
criterion that fails cannot be made up for by the others. Probabilities are the softmax of the scores with the weight SHARPNESS, in which
OTHER, none of the families, has the score FITTING: where no family fits, it is the most probable. They
are calibrated only as far as docs/reasoning/classify.md reports it: they order the families, and a family without a rival is near 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from spatial.reasoning.answer import UNKNOWN
from spatial.reasoning.log import log_step

SHARPNESS: Final = 10.0
"""Weight of scores in the softmax: a family that fits entirely beats one that half fits by e^5, 150 to 1."""

LEAST_CRITERION: Final = 0.02
"""What a failed criterion counts as, so that families that fail differ still."""

FITTING: Final = 0.5
"""Least score of a verdict: below it no family fits."""

CERTAIN: Final = 0.5
"""Least probability of a verdict among the families: below it two or more fit about as well."""


OTHER: Final = "other"
"""None of the families."""


@dataclass(frozen=True)
class Criterion:
    """One condition: what was measured, and how well it is met."""

    feature: str
    value: float
    met: float


@dataclass(frozen=True)
class Judgement:
    """What something is. features: all measured ones, by name. criteria: of every family, in the order of its rules."""

    verdict: str
    reason: str | None
    probabilities: Mapping[str, float]
    scores: Mapping[str, float]
    criteria: Mapping[str, Sequence[Criterion]]
    features: Mapping[str, Any]


def ramp(value: float, none: float, full: float) -> float:
    """0 at `none`, 1 at `full`, straight between; full may be below none."""
    return min(max((value - none) / (full - none), 0.0), 1.0)


def judge(criteria: Mapping[str, Sequence[Criterion]], features: Mapping[str, Any]) -> Judgement:
    """The verdict by the scores."""
    scores = {family: _score(each) for family, each in criteria.items()}
    named, probabilities = _softmax(scores), _softmax({**scores, OTHER: FITTING})
    best = max(scores, key=lambda family: scores[family])
    log_step(
        f"{len(features)} features measured, {len(scores)} families scored; the best is {best} with {scores[best]:.2f}"
    )
    if scores[best] < FITTING:
        reason = f"no family fits the measured features; the nearest is {best}, with a score of {scores[best]:.2f} of 1"
        return Judgement(UNKNOWN, reason, probabilities, scores, criteria, features)
    if named[best] < CERTAIN:
        rivals = sorted(named, key=lambda family: -named[family])[:2]
        reason = f"the measured features fit {rivals[0]} and {rivals[1]} about as well"
        return Judgement(UNKNOWN, reason, probabilities, scores, criteria, features)
    return Judgement(best, None, probabilities, scores, criteria, features)


def insufficient(reason: str, features: Mapping[str, Any]) -> Judgement:
    """The judgement of what cannot be measured."""
    return Judgement(UNKNOWN, reason, {}, {}, {}, features)


def _score(criteria: Sequence[Criterion]) -> float:
    logs = [math.log(max(each.met, LEAST_CRITERION)) for each in criteria]
    return math.exp(sum(logs) / len(logs))


def _softmax(scores: Mapping[str, float]) -> dict[str, float]:
    highest = max(scores.values())
    weights = {family: math.exp(SHARPNESS * (score - highest)) for family, score in scores.items()}
    total = sum(weights.values())
    return {family: weight / total for family, weight in weights.items()}

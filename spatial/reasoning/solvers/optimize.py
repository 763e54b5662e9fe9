"""optimize: a better arrangement or orientation of objects, for the objective that the goal names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from spatial.counting import count_of, listed
from spatial.reasoning.answer import Answer
from spatial.reasoning.log import log_step
from spatial.reasoning.optimization import arrange
from spatial.reasoning.optimization.check import Check, Rules, check
from spatial.reasoning.optimization.orientation import orient
from spatial.reasoning.optimization.outcome import Outcome
from spatial.reasoning.optimization.setting import OBJECTIVES, Objective, Setting, Undecided, read_setting
from spatial.reasoning.optimization.subjects import Move
from spatial.reasoning.question import Question

ARRANGEMENTS: Final[Mapping[Objective, Callable[[Setting], Outcome]]] = {
    "pack": arrange.pack,
    "height": arrange.height,
    "footprint": arrange.footprint,
    "shelf": arrange.shelf,
}


def solve(question: Question) -> Answer:
    """Arrange the objects of a scene, or turn one for printing.

    Raises: InputRejected for a goal that is wrong or names no objective.
    """
    goal = question.goal
    if "objective" not in goal:
        raise goal.rejected("objective", f"is missing; use one of {', '.join(OBJECTIVES)}")
    objective: Objective = goal.choice("objective", OBJECTIVES, "pack")
    if objective == "print":
        return orient(question)
    try:
        setting = read_setting(question, objective)
        outcome = ARRANGEMENTS[objective](setting)
    except Undecided as undecided:
        return Answer.unknown(str(undecided), data={"objective": objective})
    log_step(
        f"{count_of(outcome.tried, 'arrangement')} tried for {objective}; from {outcome.before} to {outcome.after}"
    )
    return _answer(setting, outcome)


def _answer(setting: Setting, outcome: Outcome) -> Answer:
    found = _checked(setting, outcome)
    refusal = outcome.refusal
    if refusal is None and found is not None and not found.is_valid:
        refusal = "unknown", f"the arrangement that was found failed its check: {found.faults[0]}"
    moves = outcome.moves
    if refusal is not None:
        moves = ()
    elif not outcome.is_better:
        moves = tuple(Move(subject.id, np.eye(3), np.zeros(3)) for subject in setting.subjects)
    better = "improved" if outcome.is_better else "no_better"
    return Answer(
        _data(setting, outcome, moves, refused=refusal is not None),
        proof=_proof(setting, outcome, found),
        verdict=refusal[0] if refusal else better,
        reason=refusal[1] if refusal else None,
        warnings=(*setting.warnings, *_doubts(setting)),
        debug={"tried": outcome.tried, "boxes": {each.id: each.size for each in setting.subjects}},
    )


def _checked(setting: Setting, outcome: Outcome) -> Check | None:
    if not outcome.moves:
        return None
    size = np.full(3, np.inf)
    if setting.objective in ("pack", "shelf"):
        size[: len(setting.container.size)] = setting.container.size
    elif setting.objective == "height":
        size[:2] = setting.container.size[:2]
    elif setting.width is not None:
        size[0] = setting.width
    if setting.flat:
        size[2] = np.inf
    corner = setting.container.corner
    rules = Rules(
        setting.container.frame, corner, corner + size, setting.rotations, setting.gap, setting.supported,
        10 * setting.reach,
    )  # fmt: skip
    return check(outcome.moves, {subject.id: subject.body for subject in setting.subjects}, rules)


def _data(setting: Setting, outcome: Outcome, moves: tuple[Move, ...], *, refused: bool) -> dict[str, Any]:
    container = setting.container
    return {
        "objective": setting.objective,
        "quantity": outcome.quantity,
        "unit": outcome.unit,
        "before": {"value": outcome.before, "is_valid": not outcome.before_faults, "faults": outcome.before_faults},
        "after": None if refused else {"value": outcome.after, **outcome.extra},
        "container": {
            "size": container.size,
            "source": container.source,
            "corner": container.frame.T @ container.corner,
        },
        "placements": [_placement(setting, move) for move in moves],
        "left_out": [{"object_id": name, "reason": why} for name, why in (*setting.left_out, *outcome.left_out)],
    }


def _placement(setting: Setting, move: Move) -> dict[str, Any]:
    body = next(subject.body for subject in setting.subjects if subject.id == move.id)
    bounds = body.moved(move.rotation, move.translation).outer.bounds
    found: dict[str, Any] = {
        "object_id": move.id,
        "transform": move.rows,
        "bounds": {"min": bounds[0], "max": bounds[1]},
    }
    if setting.objective == "shelf":
        found["shelf"] = move.bin
    return found


def _proof(setting: Setting, outcome: Outcome, found: Check | None) -> dict[str, Any]:
    return {
        "bound": None if outcome.bound is None else {"value": outcome.bound.value, "reason": outcome.bound.reason},
        "optimality_gap": outcome.optimality_gap,
        "check": None
        if found is None
        else {
            "is_valid": found.is_valid,
            "faults": found.faults,
            "pairs": found.pairs,
            "largest_overlap": found.largest_overlap,
            "least_gap": found.least_gap,
            "largest_excess": found.largest_excess,
            "support": found.support,
        },
        "rotations": setting.rotations,
    }


def _doubts(setting: Setting) -> list[str]:
    """Warnings about objects whose extent is known with an error only."""
    named = [subject.id for subject in setting.subjects if subject.body.error and subject.body.basis == "sample"]
    if not named:
        return []
    return [
        f"{listed(named, 5)}: the box of a sampled surface is enlarged by the error of the sample; send the exact model"
    ]

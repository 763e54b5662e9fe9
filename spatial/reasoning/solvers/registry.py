"""The solver of every task type, and the routes by which it can be answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from spatial.contract.responses import TaskType
from spatial.reasoning.answer import Answer
from spatial.reasoning.question import Question
from spatial.reasoning.solvers import (
    act,
    classify,
    compare,
    describe,
    fit,
    optimize,
    placement,
    predict,
    stability,
    understand,
)


@dataclass(frozen=True)
class Solver:
    """One solver.

    version: raised when an answer to some question changes.
    takes_depth: whether the task may take its geometry from a depth map with intrinsics.
    """

    task: TaskType
    solve: Callable[[Question], Answer]
    version: int = 1
    takes_depth: bool = False


_ROWS: tuple[Solver, ...] = (
    Solver("fit", fit.solve, takes_depth=True),
    Solver("stability", stability.solve, takes_depth=True),
    Solver("placement", placement.solve, takes_depth=True),
    Solver("describe", describe.solve),
    Solver("classify", classify.solve),
    Solver("compare", compare.solve),
    Solver("understand", understand.solve),
    Solver("predict", predict.solve),
    Solver("act", act.solve),
    Solver("optimize", optimize.solve),
)

SOLVERS: Final = {row.task: row for row in _ROWS}

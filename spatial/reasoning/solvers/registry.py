"""The solver of every task type."""

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
    embed,
    fit,
    optimize,
    placement,
    predict,
    reconstruct,
    stability,
    understand,
)


@dataclass(frozen=True)
class Solver:
    """One solver.

    version: raised when an answer to some question changes.
    """

    task: TaskType
    solve: Callable[[Question], Answer]
    version: int = 1


_ROWS: tuple[Solver, ...] = (
    Solver("fit", fit.solve),
    Solver("stability", stability.solve),
    Solver("placement", placement.solve),
    Solver("describe", describe.solve),
    Solver("classify", classify.solve),
    Solver("compare", compare.solve),
    Solver("understand", understand.solve),
    Solver("predict", predict.solve),
    Solver("act", act.solve),
    Solver("optimize", optimize.solve),
    Solver("embed", embed.solve),
    Solver("reconstruct", reconstruct.solve),
)

SOLVERS: Final = {row.task: row for row in _ROWS}

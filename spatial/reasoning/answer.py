"""The answer of a solver, and how it is written: one item of a response's `output`.

     "data": {...}, "proof": {...}, "warnings": [...], "debug": {...}}

`compact` has no proof, `debug` has timings and intermediate geometry in addition. A verdict that cannot be decided is "unknown", and
`reason` says why and what would decide it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.contract.responses import Detail, TaskType

UNKNOWN: Final = "unknown"
"""Verdict of what the input does not decide."""

DIGITS: Final = 12
"""Significant digits of the numbers that are written: a volume of a small part in metres keeps them, the noise of the last bits goes."""

NOISE: Final = 1e-15
"""Magnitude below which a number is written as 0: the rest of a difference that cancels."""


@dataclass(frozen=True)
class Answer:
    """What a solver found.

    verdict: one word where the task has a verdict; None where `data` is the whole answer.
    reason: a sentence, with the verdict `unknown`.
    data: the answer proper, which every level of detail carries.
    proof: what an engineer needs to check it without trusting the solver.
    debug: intermediate geometry and the solver's log.
    """

    data: Mapping[str, Any]
    proof: Mapping[str, Any] = field(default_factory=dict)
    verdict: str | None = None
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    debug: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def unknown(cls, reason: str, *, data: Mapping[str, Any] | None = None, **rest: Any) -> Answer:
        """An answer without a verdict, and why."""
        return cls(data or {}, verdict=UNKNOWN, reason=reason, **rest)


def express(answer: Answer, task: TaskType, detail: Detail, ids: Mapping[str, str | None]) -> dict[str, Any]:
    """One item of `output`, as plain JSON values. ids: object_id and secondary_id of the request."""
    item: dict[str, Any] = {"type": task}
    item |= {name: value for name, value in ids.items() if value is not None}
    if answer.verdict is not None:
        item["verdict"] = answer.verdict
    if answer.reason is not None:
        item["reason"] = answer.reason
    item["data"] = plain(answer.data)
    if detail != "compact":
        item["proof"] = plain(answer.proof)
    item["warnings"] = list(answer.warnings)
    if detail == "debug":
        item["debug"] = plain(answer.debug)
    return item


def plain(value: Any) -> Any:
    """The same as JSON values: arrays as lists, numbers rounded to DIGITS. Raises: ValueError for a number that is not finite."""
    if isinstance(value, Mapping):
        return {str(name): plain(member) for name, member in value.items() if member is not None}
    if isinstance(value, np.ndarray):
        return _plain_array(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(member) for member in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain({each.name: getattr(value, each.name) for each in dataclasses.fields(value)})
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a solver answered with a number that is not finite")
        return _rounded(value)
    return value


def _plain_array(value: np.ndarray[Any, Any]) -> Any:
    """The same for an array, whose numbers are checked at once: a mesh has thousands."""
    if value.dtype.kind != "f":
        return value.tolist()
    if not np.isfinite(value).all():
        raise ValueError("a solver answered with a number that is not finite")
    rows = [_rounded(number) for number in value.astype(np.float64).ravel().tolist()]
    return np.array(rows).reshape(value.shape).tolist()


def _rounded(value: float) -> float:
    return 0.0 if abs(value) < NOISE else float(f"{value:.{DIGITS}g}")

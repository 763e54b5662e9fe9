"""Typed reading of `input.goal` and of other free-form objects: what is of the wrong kind is refused, what is not read is named."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from spatial.errors import InputRejected

Array = NDArray[np.float64]

Word = TypeVar("Word", bound=str)

EVERYWHERE = frozenset({"seed"})
"""Members of a goal that are read before the task is known."""


class Goal:
    """A free-form object that a task reads member by member.

    values: the object. path: where it is in the request, for errors.
    """

    def __init__(self, values: Mapping[str, Any], path: str = "input.goal") -> None:
        self._values = values
        self._path = path
        self._read: set[str] = set(EVERYWHERE)
        self._groups: list[Goal] = []

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def rejected(self, name: str, problem: str) -> InputRejected:
        """The error for a member: `problem` goes on after its path and says what to do."""
        return InputRejected(f"{self._path}.{name} {problem}", details={"field": f"{self._path}.{name}"})

    def number(
        self, name: str, default: float, *, at_least: float = -math.inf, above: float = -math.inf, at_most: float = math.inf
    ) -> float:  # fmt: skip
        """A finite number within limits."""
        value = self._get(name)
        if value is None:
            return default
        if not _is_number(value):
            raise self.rejected(name, "is not a number; correct it")
        if not (value >= at_least and value > above and value <= at_most):
            raise self.rejected(name, f"is {value:g}; use a number {_range(at_least, above, at_most)}")
        return float(value)

    def vector(self, name: str, lengths: Sequence[int] = (3,), *, above: float = -math.inf) -> Array | None:
        """A list of finite numbers; None where there is none."""
        value = self._get(name)
        if value is None:
            return None
        form = " or ".join("[x, y, z]"[: 3 * length - 1] + "]" for length in lengths)
        if not isinstance(value, list) or len(value) not in lengths or not all(map(_is_number, value)):
            raise self.rejected(name, f"is not of the form {form}, in numbers; correct it")
        if not all(number > above for number in value):
            raise self.rejected(name, f"has a number that is not above {above:g}; correct it")
        return np.array(value, dtype=np.float64)

    def choice(self, name: str, choices: Sequence[Word], default: Word) -> Word:
        """One of several words."""
        value = self._get(name)
        if value is None:
            return default
        if value not in choices:
            raise self.rejected(name, f"is {value!r}; use one of {', '.join(choices)}")
        return choices[list(choices).index(value)]

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.rejected(name, "is neither true nor false; correct it")
        return value

    def text(self, name: str) -> str | None:
        """A text; None where there is none."""
        value = self._get(name)
        if value is not None and not isinstance(value, str):
            raise self.rejected(name, "is not a text; correct it")
        return value

    def texts(self, name: str) -> list[str] | None:
        """A list of texts; None where there is none."""
        value = self._get(name)
        if value is not None and not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
            raise self.rejected(name, "is not a list of texts; correct it")
        return value

    def group(self, name: str) -> Goal | None:
        """An object inside; None where there is none."""
        value = self._get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.rejected(name, "is not an object; correct it")
        found = Goal(value, f"{self._path}.{name}")
        self._groups.append(found)
        return found

    def used(self, name: str) -> None:
        """Note that a member is read elsewhere."""
        self._read.add(name)

    def unread(self) -> tuple[str, ...]:
        """A warning for every member that the task does not use."""
        return tuple(self._unread())

    def _unread(self) -> Iterator[str]:
        for name, value in self._values.items():
            if name not in self._read and value is not None:
                yield f"{self._path}.{name} is not used by this task"
        for group in self._groups:
            yield from group.unread()

    def _get(self, name: str) -> Any:
        self._read.add(name)
        return self._values.get(name)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _range(at_least: float, above: float, at_most: float) -> str:
    words = [
        f"from {at_least:g}" if at_least > -math.inf else "",
        f"above {above:g}" if above > -math.inf else "",
        f"up to {at_most:g}" if at_most < math.inf else "",
    ]
    return " ".join(word for word in words if word)

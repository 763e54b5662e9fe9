"""Typed reading of free-form objects, as `input.goal`: what is of the wrong kind is refused, what is not known is named."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from spatial.counting import count_of
from spatial.errors import InputRejected

Array = NDArray[np.float64]

Word = TypeVar("Word", bound=str)

NAMED: Final = 20
"""Maximum number of unknown members that a warning lists."""

NAME_CHARACTERS: Final = 80
"""Characters of each."""


class Members:
    """A free-form object of which a task reads some members.

    values: the object. path: where it is in the request, for errors. known: the members that the task may read.
    """

    def __init__(self, values: Mapping[str, Any], path: str, known: Collection[str]) -> None:
        self._values = values
        self._path = path
        self._known = known
        self._groups: list[Members] = []

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def rejected(self, name: str, problem: str) -> InputRejected:
        """The error for a member: `problem` goes on after its path and says what to do."""
        return InputRejected(f"{self._path}.{name} {problem}", details={"field": f"{self._path}.{name}"})

    def number(
        self, name: str, default: float, *, at_least: float = -math.inf, above: float = -math.inf, at_most: float = math.inf
    ) -> float:  # fmt: skip
        """A finite number within limits."""
        value = self.number_or_none(name, at_least=at_least, above=above, at_most=at_most)
        return default if value is None else value

    def number_or_none(
        self, name: str, *, at_least: float = -math.inf, above: float = -math.inf, at_most: float = math.inf
    ) -> float | None:
        """A finite number within limits; None where there is none."""
        value = self._get(name)
        if value is None:
            return None
        if not _is_number(value):
            raise self.rejected(name, "is not a number; correct it")
        if not (value >= at_least and value > above and value <= at_most):
            raise self.rejected(name, f"is {value:g}; use a number {_range(at_least, above, at_most)}")
        return float(value)

    def whole(self, name: str, default: int, *, at_least: int, at_most: int | None = None) -> int:
        """A whole number within limits."""
        value = self._get(name)
        if value is None:
            return default
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or value < at_least or (at_most is not None and value > at_most):
            limits = f"from {at_least}" if at_most is None else f"from {at_least} to {at_most}"
            raise self.rejected(name, f"is not a whole number {limits}; correct it")
        return int(value)

    def numbers(self, name: str, *, at_least: float = -math.inf) -> dict[str, float]:
        """An object of finite numbers; empty where there is none."""
        inner = self._inside(name, None)
        return {} if inner is None else {each: inner.number(each, 0.0, at_least=at_least) for each in inner._values}

    def direction(self, name: str) -> Array | None:
        """(3,) the unit vector of [x, y, z] or of an object with x, y and z; None where there is none."""
        value = self._get(name)
        if isinstance(value, Mapping):
            value = [value.get(axis) for axis in "xyz"]
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != 3 or not all(map(_is_number, value)):
            raise self.rejected(name, "is not a vector of three finite numbers; correct it")
        length = math.hypot(*value)
        if length == 0:
            raise self.rejected(name, "has no length; correct it")
        return np.array(value, dtype=np.float64) / length

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
            raise self.rejected(name, f"is {_shown(value)}; use one of {', '.join(choices)}")
        return choices[list(choices).index(value)]

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value = self._get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.rejected(name, "is neither true nor false; correct it")
        return value

    def flag_or_choice(self, name: str, choices: Sequence[Word], default: bool) -> bool | Word:
        """True, false, or one of several words."""
        return self.choice(name, choices, choices[0]) if isinstance(self._get(name), str) else self.flag(name, default)

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

    def group(self, name: str, known: Collection[str]) -> Members | None:
        """An object inside; None where there is none."""
        found = self._inside(name, known)
        if found is not None:
            self._groups.append(found)
        return found

    def unused(self) -> Iterator[str]:
        """Warnings that name the members that the task does not know, of the object and of the groups that were read."""
        unknown = sorted(name for name, value in self._values.items() if name not in self._known and value is not None)
        if unknown:
            named = ", ".join(name[:NAME_CHARACTERS] for name in unknown[:NAMED])
            count = count_of(len(unknown), "member that the task does", "members that the task does")
            yield f"{self._path} has {count} not use: {named}"
        for group in self._groups:
            yield from group.unused()

    def _inside(self, name: str, known: Collection[str] | None) -> Members | None:
        """An object inside; known: None for all of its members."""
        value = self._get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.rejected(name, "is not an object; correct it")
        return Members(value, f"{self._path}.{name}", value if known is None else known)

    def _get(self, name: str) -> Any:
        assert name in self._known, f"{self._path}.{name} is read, but is not listed as known"
        return self._values.get(name)


def _shown(value: Any) -> str:
    """What a caller sent, as JSON and short."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= NAME_CHARACTERS else f"{text[: NAME_CHARACTERS - 1]}…"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _range(at_least: float, above: float, at_most: float) -> str:
    words = [
        f"from {at_least:g}" if at_least > -math.inf else "",
        f"above {above:g}" if above > -math.inf else "",
        f"up to {at_most:g}" if at_most < math.inf else "",
    ]
    return " ".join(word for word in words if word)

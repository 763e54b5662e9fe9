"""Parameters of a feature, read strictly: a value that is missing or malformed is a reason, never a guess."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec

SHORTEST: Final = 1e-9
"""Length of a direction below which it has none."""

MOST_COPIES: Final = 1_000
"""Maximum number of copies of a pattern."""


class NotBuildable(Exception):
    """A feature that cannot be built; the message is the reason, and follows the feature's id."""


class Parameters:
    """The members of one feature."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members

    def has(self, *names: str) -> bool:
        """Whether any of the members is given."""
        return any(self._members.get(name) is not None for name in names)

    def positive(self, *names: str) -> float:
        """The first of the members that is given, a positive number."""
        value = self._number(next((name for name in names if self.has(name)), names[0]))
        if value <= 0:
            raise NotBuildable(f"its {names[0]} is not positive")
        return value

    def radius(self) -> float:
        """`radius`, or half of `diameter`."""
        return self.positive("radius") if self.has("radius") else self.positive("diameter") / 2

    def count(self) -> int:
        """`count`, the number of copies of a pattern with the original."""
        value = self._number("count")
        if value != int(value) or not 1 <= value <= MOST_COPIES:
            raise NotBuildable(f"its count is not a whole number from 1 to {MOST_COPIES}")
        return int(value)

    def number(self, name: str, default: float) -> float:
        """A number, with the value that its absence means."""
        return self._number(name) if self.has(name) else default

    def text(self, *names: str) -> str | None:
        """The first of the members that is a text."""
        return next((value for name in names if isinstance(value := self._members.get(name), str)), None)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        value = self._members.get(name)
        if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
            raise NotBuildable(f"its {name} is not a list of ids")
        return value

    def member(self, name: str) -> Any:
        """The member as it is; None if it is absent."""
        return self._members.get(name)

    def flag(self, name: str) -> bool:
        """Whether the member is true."""
        return self._members.get(name) is True

    def point(self, name: str, default: Sequence[float] | None = None) -> gp_Pnt:
        """Three coordinates."""
        return gp_Pnt(*self._three(name, default))

    def direction(self, name: str, default: Sequence[float]) -> gp_Dir:
        """A direction of any length but zero."""
        x, y, z = self._three(name, default)
        if math.hypot(x, y, z) < SHORTEST:
            raise NotBuildable(f"its {name} has no length")
        return gp_Dir(x, y, z)

    def frame(self) -> gp_Ax2:
        """`origin` and `axis`, by default the origin of the document and z; `x_axis` turns it about the axis."""
        origin, axis = self.point("origin", (0, 0, 0)), self.direction("axis", (0, 0, 1))
        if not self.has("x_axis"):
            return gp_Ax2(origin, axis)
        across = self.direction("x_axis", (1, 0, 0))
        if axis.IsParallel(across, SHORTEST):
            raise NotBuildable("its x_axis is parallel to its axis")
        return gp_Ax2(origin, axis, across)

    def transform(self) -> gp_Trsf:
        """`transform`, 12 numbers of a 3 x 4 matrix row by row (or 16 of a 4 x 4); a rigid motion, perhaps scaled evenly."""
        values = self._members.get("transform")
        if not isinstance(values, list) or len(values) not in (12, 16) or not all(map(_is_number, values)):
            raise NotBuildable("its transform is not a list of 12 or 16 numbers")
        made = gp_Trsf()
        try:
            made.SetValues(*(float(value) for value in values[:12]))
        except Exception as error:  # the kernel's exceptions have no common base in Python
            raise NotBuildable("its transform is no motion, because its matrix is singular") from error
        if any(
            abs(made.Value(row, column) - values[4 * row + column - 5]) > 1e-6
            for row in (1, 2, 3)
            for column in (1, 2, 3)
        ):
            raise NotBuildable("its transform is no motion, because its axes are not perpendicular and of one length")
        return made

    def points2(self, name: str) -> list[tuple[float, float]]:
        """At least three points in a plane."""
        value = self._members.get(name)
        if not isinstance(value, list) or len(value) < 3 or not all(_is_pair(each) for each in value):
            raise NotBuildable(f"its {name} is not a list of three or more points [x, y]")
        return [(float(x), float(y)) for x, y in value]

    def _three(self, name: str, default: Sequence[float] | None) -> tuple[float, float, float]:
        value = self._members.get(name, default)
        if not isinstance(value, list | tuple) or len(value) != 3 or not all(map(_is_number, value)):
            raise NotBuildable(f"its {name} is not given as [x, y, z]")
        x, y, z = (float(each) for each in value)
        return x, y, z

    def _number(self, name: str) -> float:
        value: Any = self._members.get(name)
        if not _is_number(value):
            raise NotBuildable(f"its {name} is missing or is no number")
        return float(value)


def vector(along: gp_Dir, length: float) -> gp_Vec:
    """A vector of this direction and length."""
    return gp_Vec(along).Multiplied(length)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))

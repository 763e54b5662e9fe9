"""The plan of a sampling; by itself, so that a caller that only sends it does not import the models of readings."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel

from spatial.contract import limits


class SamplingPlan(BaseModel):
    """How many points to sample, and from which seed: the same file and plan give the same points."""

    points_per_object: int = limits.POINTS_PER_OBJECT
    points_total: int = limits.POINTS_TOTAL
    seed: int = 0

    @classmethod
    def of_file(cls, sha256: str, *, points_per_object: int, points_total: int) -> Self:
        """The plan of a file, seeded by its hash (hexadecimal); 52 bits, which every JSON reader holds exactly."""
        return cls(points_per_object=points_per_object, points_total=points_total, seed=int(sha256[:13], 16))

"""Signed deviation of a body from what it was, by the parameters of its analytic faces.

A plane deviates by how far it moved along its normal, which points out of the material. A cylinder or sphere deviates
by the change of its radius; the document does not say on which side its material is, so its sign holds for a boss and is
reversed for a hole, and `roles` corrects it where the role is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial.reasoning.diff.model.body import Body
from spatial.reasoning.diff.model.congruence import Fit
from spatial.reasoning.diff.model.edits import Edits, find_edits
from spatial.reasoning.diff.model.roles import Role, roles_of
from spatial.reasoning.diff.model.surfaces import CYLINDER, PLANE, SPHERE
from spatial.reasoning.scene.model import Array


def deviation(previous: Body, current: Body, fit: Fit) -> dict[str, Any]:
    """method, min, mean (by area) and max in the scene's units, positive where material was added.

    Surfaces that were added or removed, or whose side is not known, do not count; `not_measured` is their number. Without min, mean and max
    where those that count did not change and others did.
    """
    if fit.is_same:
        return {"method": "analytic_faces", "min": 0.0, "mean": 0.0, "max": 0.0, "surfaces": len(current.surfaces)}
    edits = find_edits(previous, current, fit)
    roles = {
        (row.previous, row.current): role
        for place, role in roles_of(edits, previous, current).items()
        for row in (edits.rows[place],)
    }
    rows = [(_signed(edits, pair, roles.get(pair)), edits.after.areas[pair[1]]) for pair in edits.pairs]
    known = [(value, area) for value, area in rows if value is not None]
    lonely = sum(row.action in ("added", "removed") for row in edits.rows)
    left_out = len(rows) - len(known) + lonely + sum(map(len, edits.freeform))
    found: dict[str, Any] = {"method": "analytic_faces", "surfaces": len(known), "not_measured": left_out}
    values = np.array(known).reshape(-1, 2)
    # Where all that was measured stayed, what was not measured is the whole change.
    if known and (values[:, 0].any() or not left_out):
        weights = np.maximum(values[:, 1], 1e-300)
        mean = float(np.average(values[:, 0], weights=weights))
        found |= {"min": float(values[:, 0].min()), "mean": mean, "max": float(values[:, 0].max())}
    return found


def _signed(edits: Edits, pair: tuple[int, int], role: Role | None) -> float | None:
    row, column = pair
    before, after = edits.before, edits.after
    gap: Array = after.origins[column] - before.origins[row]
    kind = after.types[column]
    if kind == PLANE:
        return float(gap @ after.directions[column])
    growth = float(after.sizes[column, 0] - before.sizes[row, 0])
    if kind in (CYLINDER, SPHERE):
        if abs(growth) <= 1e-9 * float(after.sizes[column, 0]):
            return 0.0
        return None if role is None else growth if role == "boss" else -growth
    return 0.0 if np.allclose(after.sizes[column], before.sizes[row], rtol=1e-9) else None

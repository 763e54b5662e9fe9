"""Edits of surfaces in words and as JSON: "hole Ø6.6 to Ø7 at (20, 15, 0) along z"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from spatial.counting import count_of
from spatial.reasoning.diff.model.body import Body
from spatial.reasoning.diff.model.edits import Edit, Edits
from spatial.reasoning.diff.model.roles import Role
from spatial.reasoning.diff.model.surfaces import CONE, CYLINDER, PLANE, TORUS, TYPES, Surfaces
from spatial.reasoning.scene.model import Array

SMALL: Final = 1e-2
"""Part of a body's area below which a surface is small: sides of engraved letters are, sides of a part mostly are not."""

FEW: Final = 6
"""Number of small surfaces up to which each is named; more of them are lettering or texture, and are counted."""

AXES: Final = (("x", (1.0, 0.0, 0.0)), ("y", (0.0, 1.0, 0.0)), ("z", (0.0, 0.0, 1.0)))


def name_edits(edits: Edits, roles: Mapping[int, Role], body: Body) -> dict[str, Any]:
    """`features` of a changed body: named edits with their sentences, and counts of what is not named."""
    small = _small(edits, roles, body)
    named = [
        _named(edits, row, roles.get(place))
        for place, row in enumerate(edits.rows)
        if row.action != "trimmed" and place not in small
    ]
    # Round surfaces first: they are what a drawing dimensions.
    named.sort(key=lambda each: (each["type"] == "plane", each["action"], each["text"]))
    found: dict[str, Any] = {"named": named} if named else {}
    trimmed = [row for row in edits.rows if row.action == "trimmed"]
    if trimmed:
        found["trimmed"] = len(trimmed)
    counts = {
        action: sum(edits.rows[place].action == action for place in small)
        for action in ("added", "removed", "moved", "changed")
    }
    if small:
        found["small_surfaces"] = {action: number for action, number in counts.items() if number}
    if any(map(len, edits.freeform)):
        before, after = edits.freeform
        found["freeform"] = {
            "added": len(after),
            "removed": len(before),
            "area_delta": float(after.sum() - before.sum()),
        }
    return found


def edit_sentences(features: Mapping[str, Any], body: Body) -> Iterator[str]:
    """A sentence per named edit, and one for all small faces."""
    for each in features.get("named", ()):
        yield f"{each['text']} in {body.label}"
    small = sum(features.get("small_surfaces", {}).values())
    freeform = features.get("freeform", {})
    lettering = small + max(freeform.get("added", 0), freeform.get("removed", 0))
    if lettering:
        yield f"{count_of(lettering, 'small or freeform face')} changed in {body.label}"


def _small(edits: Edits, roles: Mapping[int, Role], body: Body) -> set[int]:
    """Places of the edits of small surfaces other than holes and bosses, if there are many."""
    limit = SMALL * (body.area or float(edits.after.areas.sum()))
    found = {
        place
        for place, row in enumerate(edits.rows)
        if place not in roles and row.action != "trimmed" and _largest(edits, row) < limit
    }
    return found if len(found) > FEW else set()


def _largest(edits: Edits, row: Edit) -> float:
    before = 0.0 if row.previous is None else float(edits.before.areas[row.previous])
    return max(before, 0.0 if row.current is None else float(edits.after.areas[row.current]))


def _named(edits: Edits, row: Edit, role: Role | None) -> dict[str, Any]:
    kind = TYPES[row.type]
    found: dict[str, Any] = {"action": row.action, "type": kind, "role": role}
    if row.previous is not None:
        found["previous"] = _parameters(edits.before, row.previous)
    if row.current is not None:
        found["current"] = _parameters(edits.after, row.current)
    shift = _shift(edits, row)
    if shift is not None:
        found["shift"] = shift
    found["text"] = _text(edits, row, role or kind, shift)
    return found


def _parameters(surfaces: Surfaces, place: int) -> dict[str, Any]:
    kind, (first, second) = surfaces.types[place], surfaces.sizes[place]
    found: dict[str, Any] = {"faces": surfaces.faces[place], "origin": surfaces.origins[place]}
    if surfaces.directions[place].any():
        found["normal" if kind == PLANE else "axis"] = surfaces.directions[place]
    if kind == TORUS:
        found |= {"major_radius": first, "minor_radius": second}
    elif kind == CONE:
        found |= {"radius": first, "half_angle": float(np.degrees(second))}
    elif kind != PLANE:
        found |= {"diameter": 2.0 * first}
    return found | {"area": surfaces.areas[place]}


def _shift(edits: Edits, row: Edit) -> Array | None:
    """How far the surface moved, across its axis or along its normal; None where it did not."""
    if row.previous is None or row.current is None or row.action == "trimmed":
        return None
    before, after = edits.before, edits.after
    gap = _place(after, row.current) - _place(before, row.previous)
    direction = after.directions[row.current]
    along = (gap @ direction) * direction
    shift: Array = along if row.type == PLANE else gap - along if row.type == CYLINDER else gap
    return shift if float(np.linalg.norm(shift)) > 1e-6 * (1.0 + float(np.linalg.norm(gap))) else None


def _place(surfaces: Surfaces, place: int) -> Array:
    """The origin of a surface; of a cone its apex, which does not depend on where the document puts its origin."""
    origin: Array = surfaces.origins[place]
    if surfaces.types[place] != CONE:
        return origin
    radius, angle = surfaces.sizes[place]
    apex: Array = origin - surfaces.directions[place] * radius / np.tan(angle)
    return apex


def _text(edits: Edits, row: Edit, noun: str, shift: Array | None) -> str:
    before = None if row.previous is None else _size(edits.before, row.previous)
    after = None if row.current is None else _size(edits.after, row.current)
    where = _where(edits, row)
    if row.action in ("added", "removed"):
        return " ".join(filter(None, (noun, before or after, where, "was", row.action)))
    moved = f" was moved by {_vector(shift)}" if shift is not None else ""
    if before != after:
        return f"{noun} {before} to {after} {where}{' and' if moved else ''}{moved}"
    turned = "" if moved else " was turned"
    return " ".join(filter(None, (noun, after, where))) + moved + turned


def _size(surfaces: Surfaces, place: int) -> str:
    kind, (first, second) = surfaces.types[place], surfaces.sizes[place]
    if kind == PLANE:
        return ""
    if kind == CONE:
        return f"{2 * np.degrees(second):.6g}°"
    if kind == TORUS:
        return f"R{first:.6g}/{second:.6g}"
    return f"Ø{2 * first:.6g}"


def _where(edits: Edits, row: Edit) -> str:
    surfaces, place = (edits.after, row.current) if row.current is not None else (edits.before, row.previous)
    found = f"at {_vector(surfaces.origins[place])}"
    direction = surfaces.directions[place]
    if not direction.any():
        return found
    word = "facing" if row.type == PLANE else "along"
    for name, axis in AXES:
        cosine = float(direction @ np.array(axis))
        if abs(cosine) > 1 - 1e-9:
            sign = "" if row.type != PLANE else "+" if cosine > 0 else "-"
            return f"{found} {word} {sign}{name}"
    return f"{found} {word} {_vector(direction)}"


def _vector(values: Array) -> str:
    return "(" + ", ".join(f"{value + 0.0:.6g}" for value in np.round(values, 6)) + ")"

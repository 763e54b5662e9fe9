"""Features of every definition of a file, as the document lists them."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import Any, Final

import numpy as np

from spatial.contract.features import Feature
from spatial.counting import count_of
from spatial.geometry import rounding
from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, perpendicular
from spatial.models.brep.definition import Definition
from spatial.models.brep.model import BrepModel
from spatial.models.guard import attempt
from spatial.models.reading import Meaning
from spatial.understanding.brep.features.bands import RoundFaces
from spatial.understanding.brep.features.blends import chamfers, fillets
from spatial.understanding.brep.features.bosses import bosses
from spatial.understanding.brep.features.channels import islands
from spatial.understanding.brep.features.depressions import depressions
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.grooves import grooves
from spatial.understanding.brep.features.holes import holes, walls
from spatial.understanding.brep.features.patterns import patterns
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.sheets import sheets
from spatial.understanding.brep.features.threads import outer_threads
from spatial.understanding.brep.features.turned import turned

FACES: Final = 10_000
"""Faces of one definition up to which features are looked for."""

FEATURES_LISTED: Final = 10_000
"""Most features that one document lists."""

RESOLUTION: Final = 1e-7
"""Millimetres up to which two points of a model are one (the kernel's Precision::Confusion): a length below it is 0."""

_LENGTHS: Final = frozenset(
    {
        "diameter", "end_diameter", "depth", "begin", "end", "radius", "radius_max", "length", "width", "height", "legs", "thickness",
        "inner_radius", "floor_radius", "floor_width", "inner_diameter", "minor_diameter", "outer_diameter", "pitch", "pitches", "position",
    }
)  # fmt: skip
_AREAS: Final = frozenset({"flat_area"})
_FACES: Final = "faces"


def features(source: BrepModel) -> Meaning:
    """The `features` member of `structure`: those of each definition of a solid once."""
    solids: dict[str, list[str]] = {}
    for solid in source.solids:
        solids.setdefault(solid.definition, []).append(solid.id)
    found: list[Feature] = []
    warnings: list[str] = []
    none: list[Feature] = []
    for name, ids in solids.items():
        definition = source.definitions.get(name)
        if definition is None or definition.tessellated or not definition.closed:
            continue
        if len(definition.body.faces) > FACES:
            warnings.append(f"{ids[0]}: features are looked for in bodies of up to {FACES:,} faces")
            continue
        if not isfinite(definition.mass.size * source.scale):
            warnings.append(
                f"{ids[0]}: features are left out: the body reaches beyond the numbers that a document can hold"
            )
            continue
        rows = partial(_features, definition, ids, source.scale, len(found))
        found += attempt(f"features of {ids[0]}", rows, none, warnings)
    if len(found) > FEATURES_LISTED:
        warnings.append(
            f"a document lists {FEATURES_LISTED:,} features at most: {count_of(len(found) - FEATURES_LISTED, 'feature')} left out"
        )
        found = found[:FEATURES_LISTED]
    rows_ = [each.model_dump(exclude_none=True) for each in found]
    return Meaning(structure={"features": rows_} if rows_ else {}, warnings=warnings)


def find(shape: FeatureShape) -> list[Found]:
    """All features of one body, patterns apart."""
    rounds = RoundFaces(shape)
    rings = grooves(shape)
    ringed = {face for each in rings for face in each.faces}
    drilled = holes(shape, rounds, ringed)
    cut_outside = outer_threads(rounds.threads)
    taken = walls(drilled) | ringed | {face for each in cut_outside for face in each.faces}
    bent = sheets(shape, rounds)
    lathed = turned(shape, rounds)
    folded = {face for each in bent for face in each.faces}
    rounded, broken = fillets(shape, rounds, taken | folded), chamfers(shape, taken)
    shape.rims = {face for each in (*rounded, *broken) if each.members.get("side") != "concave" for face in each.faces}
    cut = depressions(shape, taken, channels=not bent)
    raised = (
        [] if bent else bosses(shape, ringed | islands(shape, cut), {face for each in lathed for face in each.faces})
    )
    _round_studs(raised, cut_outside)
    for each in (*rings, *cut, *raised):
        each.members.setdefault("position", _position(shape, each))
    return [
        *drilled,
        *rings,
        *cut_outside,
        *lathed,
        *bent,
        *cut,
        *raised,
        *rounded,
        *broken,
    ]


def _round_studs(raised: list[Found], cut_outside: list[Found]) -> None:
    """A boss that is nothing but a thread is as wide as it."""
    for boss in raised:
        stud = next((each for each in cut_outside if set(boss.faces) <= set(each.faces)), None)
        if stud is not None:
            boss.type = "boss"
            boss.members = {
                "height": boss.members["height"],
                "axis": boss.members["axis"],
                "diameter": stud.members["diameter"],
            }


def _position(shape: FeatureShape, found: Found) -> Array:
    """The middle of a mouth or foot: where the feature begins along its axis."""
    axis = found.members["axis"]
    x = perpendicular(axis)
    across, along = (sum(shape.extent(found.faces, way)) / 2.0 for way in (x, cross(axis, x)))
    height = found.members.pop(MOUTH, shape.extent(found.faces, axis)[0])
    return np.asarray(across * x + along * cross(axis, x) + height * axis)


def _features(definition: Definition, solids: list[str], scale: float, before: int) -> list[Feature]:
    shape = FeatureShape(definition)
    found = find(shape)
    places = rounding.decimals(shape.size * scale)
    rows = [_feature(each, before + place, solids, scale, places) for place, each in enumerate(found, start=1)]
    for pattern, members in patterns(shape, found):
        number = before + len(rows) + 1
        ids = [f"feature-{before + place + 1}" for place in members]
        rows.append(_feature(pattern, number, solids, scale, places, members=ids))
    return rows


def _feature(found: Found, number: int, solids: list[str], scale: float, places: int, **further: Any) -> Feature:
    members = {name: _written(name, value, scale, places) for name, value in found.members.items()}
    return Feature(
        id=f"feature-{number}",
        type=found.type,
        solids=solids,
        faces=[f"face-{face + 1}" for face in found.faces],
        **members,
        **further,
    )


def _written(name: str, value: Any, scale: float, places: int) -> Any:
    """A member in the document's units, rounded; lengths below the resolution of a model are 0."""
    if isinstance(value, dict):
        return {inner: _written(inner, each, scale, places) for inner, each in value.items()}
    if name == _FACES:
        return [f"face-{face + 1}" for face in value]
    if isinstance(value, np.ndarray):
        if name not in _LENGTHS:
            return rounding.position(value, rounding.DIGITS)
        return rounding.position(np.where(np.abs(value) <= RESOLUTION, 0.0, value) * scale, places)
    if isinstance(value, list):
        return [_written(name, each, scale, places) for each in value]
    if isinstance(value, float):
        if name in _AREAS:
            return rounding.significant(value * scale**2)
        if name in _LENGTHS and abs(value) <= RESOLUTION:
            return 0.0
        return rounding.significant(value * scale) + 0.0 if name in _LENGTHS else rounding.angle(value)
    return value

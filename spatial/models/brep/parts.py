"""The products of a file as the document lists them: names, numbers, material, mass, and what the file states of their measures."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial.contract.extraction import Part, Stated
from spatial.geometry import rounding
from spatial.geometry.quadrature import Array
from spatial.models.brep.definition import placement
from spatial.models.brep.instances import FlattenedAssembly, Instance, PlacedProduct
from spatial.models.brep.product import Product, StatedMeasures

DEVIATION: Final = 2e-3
"""Relative difference from which a stated measure is said to contradict ours: programs integrate triangles to 1e-4, and as1-oc-214.stp
states an area of its rod that is 1.3e-3 off the formula."""

_CUBIC_METRE: Final = 1e9
"""Cubic millimetres."""


@dataclass(frozen=True)
class _Total:
    """Measures of the solids in one placement of a product, in millimetres, in the product's own coordinates."""

    volume: float
    area: float
    moment: Array
    size: float
    """Of its largest solid."""

    @property
    def center(self) -> Array:
        return np.asarray(self.moment / self.volume)


def listed(flattened: FlattenedAssembly, scale: float, warnings: list[str]) -> list[Part]:
    """The products that a file places, each once. scale: document units per millimetre."""
    bodies = {body.id: body for body in flattened.instances}
    solids: dict[str | None, list[Instance]] = defaultdict(list)
    for body in flattened.of_kind("solid"):
        solids[body.part].append(body)
    masses: dict[int, float | None] = {}
    return [
        _part(each, bodies, solids[each.id], _mass(each.product, flattened, bodies, masses), scale, warnings)
        for each in flattened.products.values()
    ]


def _part(
    placed: PlacedProduct,
    bodies: dict[str, Instance],
    solids: list[Instance],
    mass: float | None,
    scale: float,
    warnings: list[str],
) -> Part:
    product = placed.product
    facts, shown = product.facts, product.appearance
    definitions = list(dict.fromkeys(body.definition.name for body in solids))
    return Part(
        id=placed.id,
        name=placed.name,
        number=facts.number,
        description=facts.description,
        color=shown.color or _only({body.color for body in solids}),
        layers=list(shown.layers) or None,
        hidden=shown.hidden or None,
        material=facts.material,
        density=None if facts.density is None else rounding.significant(facts.density),
        mass=None if mass is None else rounding.significant(mass),
        count=placed.count,
        solids=[body.id for body in solids] or None,
        definitions=definitions or None,
        stated=_stated(placed, bodies, scale, warnings),
    )


def _only(colors: set[str | None]) -> str | None:
    return next(iter(colors)) if len(colors) == 1 else None


def _mass(
    product: Product, flattened: FlattenedAssembly, bodies: dict[str, Instance], known: dict[int, float | None]
) -> float | None:
    """Kilograms; None where a density or a volume is missing."""
    if id(product) not in known:
        known[id(product)] = None  # of an assembly that holds itself
        placed = flattened.products.get(id(product))
        if product.facts.density is not None and placed is not None:
            total = _total(placed, bodies)
            known[id(product)] = None if total is None else product.facts.density * total.volume / _CUBIC_METRE
        elif product.nodes and placed is not None and not any(bodies[b].part == placed.id for b in placed.bodies):
            masses = [_mass(node.product, flattened, bodies, known) for node in product.nodes]
            whole = [mass for mass in masses if mass is not None]
            known[id(product)] = sum(whole) if len(whole) == len(masses) else None
    return known[id(product)]


def _total(placed: PlacedProduct, bodies: dict[str, Instance]) -> _Total | None:
    """None where a body has no volume, or has faces and is no solid; curves and points beside a solid measure nothing."""
    volume, area, moment, size = 0.0, 0.0, np.zeros(3), 0.0
    back = placed.transform.Inverted()
    inside = [bodies[name] for name in placed.bodies if name in bodies and bodies[name].kind not in ("edge", "vertex")]
    for body in inside:
        mass = body.definition.mass
        if body.kind != "solid" or not (body.definition.closed and mass.complete and mass.encloses):
            return None
        place = placement(back.Multiplied(body.transform), 1.0)
        own = abs(mass.volume) * place.factor**3
        volume, area = volume + own, area + mass.area * place.factor**2
        moment = moment + own * place.points(np.array([mass.center]))[0]
        size = max(size, mass.size * place.factor)
    return _Total(volume, area, moment, size) if inside else None


def _stated(placed: PlacedProduct, bodies: dict[str, Instance], scale: float, warnings: list[str]) -> Stated | None:
    """What the file states of a product's measures, beside how far ours are from that."""
    stated = placed.product.facts.stated
    solids = [name for name in placed.bodies if name in bodies and bodies[name].kind == "solid"]
    if stated == StatedMeasures() or (stated.of_one_solid and len(solids) != 1):
        return None
    found: dict[str, Any] = {}
    if stated.volume is not None:
        found["volume"] = rounding.significant(stated.volume * scale**3)
    if stated.area is not None:
        found["surface_area"] = rounding.significant(stated.area * scale**2)
    if stated.center is not None:
        found["center_of_mass"] = tuple(rounding.significant(value * scale) for value in stated.center)
    total = _total(placed, {solids[0]: bodies[solids[0]]} if stated.of_one_solid else bodies)
    if total is not None:
        found |= _deviations(placed, stated, total, scale, warnings)
    return Stated(**found)


def _fitting_unit(total: _Total, stated: StatedMeasures) -> str | None:
    """The unit that our geometry would have to be in, instead of millimetres, to agree with what is stated."""
    for unit, factor in _UNITS.items():
        ratios = [
            theirs / (ours * factor**power)
            for ours, theirs, power in ((total.volume, stated.volume, 3), (total.area, stated.area, 2))
            if theirs
        ]
        if ratios and all(abs(ratio - 1.0) <= DEVIATION for ratio in ratios):
            return unit
    return None


_UNITS: Final = {"inches": 25.4, "centimeters": 10.0, "meters": 1000.0, "inches taken for millimeters": 1 / 25.4,
                 "millimeters taken for meters": 1e-3}  # fmt: skip
"""Factors of length by which units are mistaken."""


def _deviations(
    placed: PlacedProduct, stated: StatedMeasures, total: _Total, scale: float, warnings: list[str]
) -> dict[str, float]:
    found, contradicted = {}, []
    for name, ours, theirs in (("volume", total.volume, stated.volume), ("surface_area", total.area, stated.area)):
        if theirs:
            found[f"{name}_deviation"] = deviation = rounding.significant((ours - theirs) / theirs)
            contradicted += [f"{name.replace('_', ' ')} (by {deviation:.2%})"] if abs(deviation) > DEVIATION else []
    if stated.center is not None:
        distance = float(np.linalg.norm(total.center - np.array(stated.center)))
        found["center_of_mass_deviation"] = rounding.significant(distance * scale)
        contradicted += ["centre of mass"] if distance > DEVIATION * total.size else []
    unit = _fitting_unit(total, stated) if contradicted else None
    if unit:
        warnings.append(
            f"{placed.id} ({placed.name}): the measures that the file states fit a geometry in {unit}; the unit of one of them is wrong"
        )
    elif contradicted:
        warnings.append(
            f"{placed.id} ({placed.name}): the file states another {' and '.join(contradicted)} than its geometry has"
        )
    return found

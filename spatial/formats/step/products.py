"""What a STEP file says of its products beside their shape: number, description, material, density, and validation properties.

Glossary
  product definition    the instance that shape and properties are attached to (ISO 10303-41).
  validation property   volume, area or centroid as the writing program computed it, stated so that a reader can compare
                        (CAx-IF Recommended Practices for Geometric and Assembly Validation Properties, 4.4).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from spatial.counting import count_of
from spatial.formats.step import names
from spatial.formats.step.measures import measure
from spatial.formats.step.part21 import Part21
from spatial.formats.step.strings import decoded
from spatial.formats.step.units import length_unit
from spatial.models.brep.product import Node, PartFacts, Product, StatedMeasures

_TEXT: Final = rb"(?:'((?:[^']|'')*)'|\$|\*)"
_ATTACHED: Final = re.compile(rb"\w+\s*\(\s*" + _TEXT + rb"\s*,\s*" + _TEXT + rb"\s*,\s*#\s*(\d+)")
"""Name, description and reference: of a product definition its formation, of a property or a shape what has it."""
_REPRESENTED: Final = re.compile(rb"PROPERTY_DEFINITION_REPRESENTATION\s*\(\s*#\s*(\d+)\s*,\s*#\s*(\d+)")
_PRODUCT: Final = re.compile(rb"PRODUCT\s*\(\s*" + _TEXT + rb"\s*,\s*" + _TEXT + rb"\s*,\s*" + _TEXT)
_REPRESENTATION: Final = re.compile(rb"\w*REPRESENTATION\s*\(\s*" + _TEXT + rb"\s*,\s*\(([^()]*)\)\s*,\s*#\s*(\d+)")
_POINT: Final = re.compile(rb"CARTESIAN_POINT\s*\(\s*" + _TEXT + rb"\s*,\s*\(([^()]*)\)")
_DESCRIBED: Final = re.compile(rb"DESCRIPTIVE_REPRESENTATION_ITEM\s*\(\s*" + _TEXT + rb"\s*,\s*" + _TEXT)
_REFERENCE: Final = re.compile(rb"#\s*(\d+)")
_ASSIGNED: Final = re.compile(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)")

_VALIDATION: Final = re.compile(rb"geometric[ _]validation[ _]property", re.IGNORECASE)
_CENTRE: Final = re.compile(rb"$|.*(?:cent|gravity)", re.IGNORECASE)
"""What the name of a stated centroid may be; beside it NX states two points named `bounding box corner point`."""

_MATERIAL: Final = re.compile(rb"material[ _]property|density", re.IGNORECASE)
_KILOGRAMS_PER_CUBIC_METRE: Final = 1e9
"""Of one kilogram per cubic millimetre."""


def describe(text: Part21, roots: list[Node], warnings: list[str]) -> None:
    """Give each product of a tree what the text says of it; products are known by their names.

    Two products with one name are not told apart: what the text says of them is left out, with a warning.
    """
    facts = _facts(text, warnings)
    count = Counter(title for title, _ in facts)
    known = {title: found for title, found in facts if count[title] == 1}
    shared = []
    for product in _products(roots):
        if product.name in known:
            product.facts = known[product.name]
        elif count[product.name or ""] > 1:
            shared.append(product.name)
    if shared:
        listed = ", ".join(str(name) for name in dict.fromkeys(shared[:3]))
        warnings.append(f"several products have the same name ({listed}), so their numbers and properties are left out")


def _products(nodes: list[Node]) -> Iterator[Product]:
    """Every product once, parents before children."""
    waiting, seen = list(nodes), set()
    while waiting:
        product = waiting.pop(0).product
        if id(product) not in seen:
            seen.add(id(product))
            yield product
            waiting += product.nodes


def _facts(text: Part21, warnings: list[str]) -> list[tuple[str, PartFacts]]:
    """The name of each product that has a definition, and what is said of it."""
    page = names.code_page(text.raw)
    stated = _properties(text, page, warnings)
    found: dict[int, tuple[str, PartFacts]] = {}
    for definition, _, formation in _attached(text, "PRODUCT_DEFINITION"):
        product = _product_of(text, formation)
        row = _PRODUCT.search(text.instance(product)) if product is not None else None
        if row is None or product is None:
            continue
        number, name, description = (decoded(part or b"", page) for part in row.groups())
        before = found[product][1] if product in found else PartFacts(number or None, description or None)
        found[product] = name or number, _merged(before, stated.get(definition, PartFacts()))
    return list(found.values())


def _attached(text: Part21, keyword: str) -> Iterator[tuple[int, bytes, int]]:
    """Number, name and reference of each instance of an entity that is attached to another."""
    for number, instance in text.instances(keyword):
        if row := _ATTACHED.match(instance):
            yield number, row.group(1) or b"", int(row.group(3))


def _product_of(text: Part21, formation: int) -> int | None:
    """The product of a formation: PRODUCT_DEFINITION_FORMATION('','',#product)."""
    references = _REFERENCE.findall(text.instance(formation))
    return int(references[0]) if references else None


def _merged(first: PartFacts, second: PartFacts) -> PartFacts:
    measures = StatedMeasures(
        first.stated.volume or second.stated.volume,
        first.stated.area or second.stated.area,
        first.stated.center or second.stated.center,
        first.stated.of_one_solid or second.stated.of_one_solid,
    )
    return replace(
        first, material=first.material or second.material, density=first.density or second.density, stated=measures
    )


def _properties(text: Part21, page: str, warnings: list[str]) -> dict[int, PartFacts]:
    """Material and validation properties by the number of the product definition that they belong to."""
    if b"PROPERTY_DEFINITION" not in text.text:
        return {}
    targets = {
        number: target
        for number, name, target in _attached(text, "PROPERTY_DEFINITION")
        if _VALIDATION.match(name) or _MATERIAL.match(name)
    }
    if not targets:
        return {}
    shapes = {number: target for number, _, target in _attached(text, "PRODUCT_DEFINITION_SHAPE")}
    aspects = {number: target for number, _, target in _attached(text, "SHAPE_ASPECT")}
    text.find_instances()
    represented = [(int(match.group(1)), int(match.group(2))) for match in _REPRESENTED.finditer(text.text)]
    densities = 0
    found: dict[int, PartFacts] = {}
    several = _holding_several(targets.values(), aspects)
    for number, representation in represented:
        if number not in targets or aspects.get(targets[number]) in several:
            continue
        shape = aspects.get(targets[number], targets[number])
        target = shapes.get(shape, shape)
        stated = _property(text, representation, page)
        if shape != targets[number]:
            stated = replace(stated, stated=replace(stated.stated, of_one_solid=True))
        found[target] = _merged(found.get(target, PartFacts()), stated)
        densities += stated == PartFacts() and b"density" in text.instance(representation).lower()
    if densities:
        warnings.append(
            f"{count_of(densities, 'density', 'densities')} left out: the unit is not one of mass per volume"
        )
    return found


def _holding_several(targets: Iterable[int], aspects: dict[int, int]) -> set[int]:
    """Shapes of which several aspects state measures: which solid each of them means is not told apart."""
    stating: dict[int, set[int]] = defaultdict(set)
    for target in targets:
        if target in aspects:
            stating[aspects[target]].add(target)
    return {shape for shape, those in stating.items() if len(those) > 1}


def _property(text: Part21, number: int, page: str) -> PartFacts:
    """What the items of a representation state."""
    row = _REPRESENTATION.match(text.instance(number))
    if row is None:
        return PartFacts()
    found = PartFacts()
    for reference in _REFERENCE.findall(row.group(2)):
        item = text.instance(int(reference))
        if point := _POINT.match(item):
            if not _CENTRE.match(point.group(1) or b""):
                continue
            found = _merged(found, PartFacts(stated=StatedMeasures(center=_center(text, point, int(row.group(3))))))
        elif described := _DESCRIBED.match(item):
            found = _merged(
                found, PartFacts(material=decoded(described.group(2) or described.group(1) or b"", page) or None)
            )
        else:
            found = _merged(found, _measured(text, item))
    return found


def _measured(text: Part21, item: bytes) -> PartFacts:
    """A measure tells by its dimensions what it is."""
    found = measure(text, item)
    if found is None or found[0] <= 0.0:
        return PartFacts()
    value = found[0] * found[1].factor
    dimensions = found[1].length, found[1].mass
    if dimensions == (-3, 1):
        return PartFacts(density=value * _KILOGRAMS_PER_CUBIC_METRE)
    if dimensions == (3, 0):
        return PartFacts(stated=StatedMeasures(volume=value))
    return PartFacts(stated=StatedMeasures(area=value)) if dimensions == (2, 0) else PartFacts()


def _center(text: Part21, point: re.Match[bytes], context: int) -> tuple[float, float, float] | None:
    """A point in millimetres; None where its context has no unit."""
    assigned = _ASSIGNED.search(text.instance(context))
    units = [length_unit(text, int(number)) for number in _REFERENCE.findall(assigned.group(1))] if assigned else []
    unit = next((unit for unit in units if unit is not None), None)
    values = [float(value) for value in point.group(2).split(b",")] if unit else []
    if unit is None or len(values) != 3:
        return None
    x, y, z = (value * float(unit.millimetres) for value in values)
    return x, y, z

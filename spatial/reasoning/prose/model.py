"""A model in sentences: parts or one part, size, volume, holes and pins, other faces, what is open or unread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from spatial.contract.extraction import Solid, Structure
from spatial.counting import count_of
from spatial.reasoning.features.cylinders import Cylinder, find_cylinders
from spatial.reasoning.prose.cloud import standing
from spatial.reasoning.prose.sentence import (
    Fact,
    Sentence,
    direction_of,
    figure,
    listing,
    measure,
    quoted,
    sentence,
    size_of,
    symbol_of,
)
from spatial.reasoning.scene.items.item import Item, Source, union
from spatial.reasoning.scene.model import Scene, SceneObject
from spatial.reasoning.scene.report import SceneReport

DETAILED: Final = 3
"""Most different solids that are described one by one."""

PLURALS: Final = {"torus": "tori", "bspline": "B-splines", "bezier": "Béziers", "other": "of no analytic type"}


def model_sentences(structure: Structure, scene: Scene, report: SceneReport) -> Iterator[Sentence]:
    """The whole first, then its solids by kind; instances of one definition are described once."""
    solids = structure.solids or []
    distinct = _distinct(solids)
    assemblies = [item for item in report.items if item.type == "assembly"]
    if len(solids) != 1:
        yield from _whole(structure, scene.units, report, assemblies)
    if len(distinct) > 1:
        yield _parts(distinct)
    if len(distinct) <= DETAILED:
        for solid, _ in distinct:
            yield from _part(solid, scene)
    if len(solids) > 1:
        yield from standing(report)


def _distinct(solids: Sequence[Solid]) -> list[tuple[Solid, int]]:
    """One solid per definition, and how often it is placed."""
    keys = [solid.instance_of or solid.id for solid in solids]
    counts = Counter(keys)
    first = dict(zip(reversed(keys), reversed(solids), strict=True))
    return [(first[key], counts[key]) for key in dict.fromkeys(keys)]


def _whole(structure: Structure, units: str, report: SceneReport, assemblies: list[Item]) -> Iterator[Sentence]:
    counts = {
        "solid": sum(not _is_bare(solid) for solid in structure.solids or ()),
        "stated extent": sum(map(_is_bare, structure.solids or ())),
        "closed shell": sum(shell.is_closed is True for shell in structure.shells or ()),
        "open shell": sum(shell.is_closed is not True for shell in structure.shells or ()),
        "free face": len(structure.free_faces or ()),
        "curve": len(structure.curves or ()),
    }
    parts = [count_of(number, name) for name, number in counts.items() if number]
    roots = [item for item in assemblies if item.parent is None]
    subject = f"the assembly {quoted(roots[0].name)}" if len(roots) == 1 and roots[0].name else "the model"
    around = union(item.bounds for item in report.items)
    text = f"{subject} has {listing(parts) or 'no geometry'}"
    facts = [Fact(f"{name} count", number, "structure", "objects") for name, number in counts.items() if number]
    if len(assemblies) > 1:
        text += f" in {count_of(len(assemblies) - len(roots), 'subassembly', 'subassemblies')}"
        facts.append(Fact("assemblies", [item.id for item in assemblies], "structure", "objects of the type assembly"))
    if around is not None:
        size = around[1] - around[0]
        text += f" and measures {size_of(size, units)}"
        facts.append(Fact("size", size.tolist(), "geometry", "objects[].bounds"))
    yield sentence(text, *facts)


def _parts(distinct: list[tuple[Solid, int]]) -> Sentence:
    ordered = sorted(distinct, key=lambda each: -each[1])
    named = [f"{number} × {quoted(solid.name or solid.id)}" for solid, number in ordered]
    kinds = count_of(len(distinct), "different part")
    return sentence(
        f"there {'is' if len(distinct) == 1 else 'are'} {kinds}: {listing(named)}",
        Fact(
            "placements",
            {solid.name or solid.id: number for solid, number in ordered},
            "structure",
            "objects[].instance_of",
        ),
    )


def _part(solid: Solid, scene: Scene) -> Iterator[Sentence]:
    body = scene.objects[solid.id]
    yield from _measures(solid, body, scene.units)
    cylinders = find_cylinders(body)
    yield from _holes(cylinders, solid.id, scene.units)
    yield from _pins(cylinders, solid.id, scene.units)
    yield from _fillets(cylinders, solid.id, scene.units)
    yield from _faces(body, cylinders, scene.units)


def _is_bare(solid: Solid) -> bool:
    """Whether nothing but an extent is known: a feature that could not be built."""
    return not solid.faces and solid.volume is None and solid.representation is None


def _measures(solid: Solid, body: SceneObject, units: str) -> Iterator[Sentence]:
    where = f"objects: {solid.id}"
    form = {"tessellated": "a body of triangles", "exact": "an exact solid"}.get(solid.representation or "", "a solid")
    if _is_bare(solid):
        form = "an object known by its extent alone"
    name = quoted(solid.name) if solid.name else f"the solid {solid.id}"
    facts = []
    text = f"{name} is {form}"
    if body.size is not None:
        source: Source = "structure" if solid.bbox else "geometry"
        text += f" of {size_of(body.size, units)}"
        facts.append(Fact("size", body.size.tolist(), source, f"{where}.bounds"))
    further: dict[str, Any] = solid.model_extra or {}
    if isinstance(further.get("material"), str):
        text += f", of the material {quoted(further['material'])}"
        facts.append(Fact("material", further["material"], "structure", f"{where}.material"))
    yield sentence(text, *facts)
    parts = []
    measured = []
    if solid.volume is not None:
        parts.append(f"a volume of {measure(solid.volume, units, 3)}")
        measured.append(Fact("volume", solid.volume, "structure", f"{where}.volume"))
    if solid.surface_area is not None:
        parts.append(f"a surface of {measure(solid.surface_area, units, 2)}")
        measured.append(Fact("surface_area", solid.surface_area, "structure", f"{where}.surface_area"))
    if solid.center_of_mass is not None:
        parts.append(
            f"its centre of mass at ({', '.join(figure(value) for value in settled(solid.center_of_mass, body))})"
        )
        measured.append(Fact("center_of_mass", list(solid.center_of_mass), "structure", f"{where}.center_of_mass"))
    if parts:
        yield sentence(f"it has {listing(parts)}", *measured)
    elif solid.is_closed is False:
        yield sentence(
            "it is not closed, so it has no volume", Fact("is_closed", False, "structure", f"{where}.is_closed")
        )


def settled(point: Sequence[float], body: SceneObject) -> list[float]:
    """A point rounded to a hundred-thousandth of the body, so that a zero of the last bits reads as one."""
    step = 0.0 if body.size is None else float(max(body.size)) * 1e-6
    return [0.0 if abs(value) <= step else value for value in point]


def _holes(cylinders: list[Cylinder], solid_id: str, units: str) -> Iterator[Sentence]:
    """By diameter, depth and direction."""
    groups: Counter[tuple[float, float | None, bool, str]] = Counter()
    faces: list[str] = []
    for each in cylinders:
        if each.side == "hole":
            depth = None if each.through or each.length is None else round(each.length, 9)
            groups[round(2 * each.radius, 9), depth, bool(each.through), direction_of(each.axis)] += 1
            faces += each.faces
    if not groups:
        return
    parts = [
        _hole(number, *key, units) for key, number in sorted(groups.items(), key=lambda each: (-each[1], each[0][0]))
    ]
    facts = [
        Fact(
            "hole",
            {"diameter": key[0], "depth": key[1], "through": key[2], "along": key[3], "count": number},
            "geometry",
            f"faces of {solid_id}",
        )
        for key, number in groups.items()
    ]
    yield sentence(
        f"it has {listing(parts, 'further kind of hole')}",
        *facts,
        Fact("faces", faces, "structure", f"faces of {solid_id}"),
    )


def _hole(number: int, diameter: float, depth: float | None, through: bool, along: str, units: str) -> str:
    kind = "through hole" if through else "blind hole"
    deep = "" if depth is None else f", {measure(depth, units)} deep,"
    return f"{count_of(number, kind)} of Ø{measure(diameter, units)}{deep} along {along}"


def _pins(cylinders: list[Cylinder], solid_id: str, units: str) -> Iterator[Sentence]:
    groups = Counter((round(2 * each.radius, 9), direction_of(each.axis)) for each in cylinders if each.side == "pin")
    if not groups:
        return
    parts = [
        f"{'' if number == 1 else f'{number} × '}Ø{measure(diameter, units)} along {along}"
        for (diameter, along), number in sorted(groups.items(), key=lambda each: (-each[0][0], each[0][1]))
    ]
    total = sum(groups.values())
    facts = [
        Fact(
            "outer cylinder",
            {"diameter": diameter, "along": along, "count": number},
            "geometry",
            f"faces of {solid_id}",
        )
        for (diameter, along), number in groups.items()
    ]
    yield sentence(f"it has {count_of(total, 'outer cylinder')}: {listing(parts)}", *facts)


def _fillets(cylinders: list[Cylinder], solid_id: str, units: str) -> Iterator[Sentence]:
    """By radius; a fillet is a face."""
    groups: Counter[float] = Counter()
    for each in cylinders:
        if each.side == "fillet":
            groups[round(each.radius, 9)] += len(each.faces)
    if not groups:
        return
    parts = [
        f"{count_of(number, 'fillet')} of the radius {measure(radius, units)}"
        for radius, number in sorted(groups.items())
    ]
    facts = [
        Fact("fillet", {"radius": radius, "count": number}, "geometry", f"faces of {solid_id}")
        for radius, number in sorted(groups.items())
    ]
    yield sentence(f"it has {listing(parts)}", *facts)


def _faces(body: SceneObject, cylinders: list[Cylinder], units: str) -> Iterator[Sentence]:
    kinds = Counter(face.type or "other" for face in body.faces)
    if not kinds:
        return
    parts = [_kind(kind, number) for kind, number in kinds.most_common()]
    text = f"of its {count_of(len(body.faces), 'face')}, {listing(parts)}"
    if len(kinds) == 1 and len(body.faces) > 1:
        only = next(iter(kinds))
        text = f"its {len(body.faces):,} faces are {'of no analytic type' if only == 'other' else 'all ' + PLURALS.get(only, only + 's')}"
    elif len(body.faces) == 1:
        text = f"its only face is {_kind(next(iter(kinds)), 1).partition(' is ')[2]}"
    facts = [Fact("faces by type", dict(kinds), "structure", f"faces of {body.id}")]
    open_ones = [each for each in cylinders if each.side == "unknown"]
    if open_ones:
        radii = sorted({round(each.radius, 9) for each in open_ones})
        number = sum(len(each.faces) for each in open_ones)
        shown = ", ".join(figure(value) for value in radii[:5]) + (", …" if len(radii) > 5 else "")
        symbol = symbol_of(units)
        text += f"; {count_of(number, 'cylinder face')} of the {'radius' if len(radii) == 1 else 'radii'} {shown}{symbol and f' {symbol}'}"
        text += " may be a rounding or part of a hole" if number == 1 else " may be roundings or parts of holes"
        facts.append(
            Fact(
                "cylinder faces of unknown side",
                [name for each in open_ones for name in each.faces],
                "geometry",
                f"faces of {body.id}",
            )
        )
    yield sentence(text, *facts)


def _kind(kind: str, number: int) -> str:
    if number == 1 and kind == "other":
        return "1 is of no analytic type"
    if number == 1:
        return f"1 is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    return f"{number:,} are {PLURALS.get(kind, kind + 's')}"

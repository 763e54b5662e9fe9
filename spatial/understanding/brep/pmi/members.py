"""PMI in the words of callouts: the members of an item per kind."""

from __future__ import annotations

from typing import Any, Final

from spatial.geometry.rounding import significant
from spatial.knowledge import pmi as words
from spatial.models.brep.pmi import (
    DatumReference,
    DatumTarget,
    Dimension,
    Feature,
    Measure,
    Segment,
    SurfaceTexture,
    Tolerance,
)
from spatial.understanding.brep.pmi.writing import in_unit_of, name_of
from spatial.understanding.sheet.callouts import iso286

Members = dict[str, Any]

_SAID: Final = frozenset((words.BASIC, words.REFERENCE, *words.STATISTICAL))
"""Words about a dimension that have members of their own."""


def dimension(item: Dimension) -> Members:
    """`type` and values: `tolerance`, `limit`, `fit`, `basic`, `reference_dimension`, or `dimension`."""
    members: Members = {"type": _type(item), "of": item.type}
    if item.nominal is not None:
        members |= {"nominal": item.nominal.value, "unit": item.nominal.unit}
        if item.nominal.decimals is not None:
            members["decimals"] = item.nominal.decimals
    members |= _deviations(item) | _limits(item)
    if item.fit is not None:
        members |= _fit(item)
    if words.STATISTICAL.intersection(item.modifiers):
        members["statistical"] = True
    modifiers = [word for word in item.modifiers if word not in _SAID]
    if modifiers:
        members["modifiers"] = modifiers
    if item.qualifiers:
        members["qualifiers"] = list(item.qualifiers)
    if item.angle_selection and item.angle_selection != "equal":
        members["angle_selection"] = str(item.angle_selection)
    return members


def _type(item: Dimension) -> str:
    if words.BASIC in item.modifiers:
        return "basic"
    if words.REFERENCE in item.modifiers:
        return "reference_dimension"
    if item.fit is not None:
        return "fit"
    if item.upper_deviation is not None and item.lower_deviation is not None:
        return "tolerance"
    is_bound = {"maximum", "minimum"}.intersection(item.qualifiers)
    return "limit" if is_bound or item.upper_limit is not None or item.lower_limit is not None else "dimension"


def _deviations(item: Dimension) -> Members:
    upper, lower = item.upper_deviation, item.lower_deviation
    if item.nominal is None:
        return {}
    found: Members = {}
    if upper is not None:
        found["upper_deviation"] = in_unit_of(upper, item.nominal)
    if lower is not None:
        found["lower_deviation"] = in_unit_of(lower, item.nominal)
    if upper is not None and lower is not None:
        found["min"] = significant(item.nominal.value + found["lower_deviation"])
        found["max"] = significant(item.nominal.value + found["upper_deviation"])
    return found


def _limits(item: Dimension) -> Members:
    """Of explicit limits, and of a value that is the greatest or the least allowed."""
    found: Members = {}
    for name, limit in (("min", item.lower_limit), ("max", item.upper_limit)):
        if limit is not None:
            found |= {name: limit.value, "unit": limit.unit}
    if item.nominal is not None and not found:
        for qualifier, name in (("maximum", "max"), ("minimum", "min")):
            if qualifier in item.qualifiers:
                found[name] = item.nominal.value
    return found


def _fit(item: Dimension) -> Members:
    """The class, and the deviations that ISO 286-1 has for it at this size."""
    assert item.fit is not None
    form, zone, grade, source = item.fit.written
    written = {"form_variance": form, "zone_variance": zone, "grade": grade, "source": source}
    found: Members = {"written": {name: value for name, value in written.items() if value}}
    if item.fit.tolerance_class is None:
        return found
    letters = item.fit.tolerance_class.rstrip("0123456789")
    number = item.fit.tolerance_class[len(letters) :]
    found |= {
        "class": item.fit.tolerance_class,
        "hole_class" if letters[0].isupper() else "shaft_class": item.fit.tolerance_class,
        "grade": f"IT{number}",
    }
    if item.nominal is not None and not item.nominal.is_angle:
        limits = iso286.limits(significant(item.nominal.base), letters, number)
        if limits is not None:
            factor = item.nominal.factor
            found["upper_deviation"], found["lower_deviation"] = (
                significant(limits.upper / factor),
                significant(limits.lower / factor),
            )
            found["deviations_from"] = iso286.STANDARD
    return found


def tolerance(item: Tolerance) -> Members:
    """A feature control frame; of several rows the members are those of the first, and `segments` has all."""
    rows = [segment(row) for row in item.segments]
    members: Members = {"type": "gdt", **{name: value for name, value in rows[0].items() if name != "source"}}
    if len(rows) > 1:
        members |= {"segments": rows, "composite": True}
    if item.all_around:
        members["all_around"] = True
    if item.between:
        members["between"] = True
    return members


def segment(row: Segment) -> Members:
    """One row of a frame; all its lengths are in `unit`."""
    members: Members = {"characteristic": row.characteristic}
    if row.zone is not None:
        members["zone"] = row.zone
    if row.magnitude is not None:
        members |= {"tolerance": row.magnitude.value, "unit": row.magnitude.unit}
        members |= _lengths(row, row.magnitude)
    if row.modifiers:
        members["modifiers"] = [name_of(modifier) for modifier in row.modifiers]
    if row.datums:
        members["datums"] = [_datum(reference) for reference in row.datums]
    return {**members, "source": f"#{row.number}"}


def _lengths(row: Segment, unit: Measure) -> Members:
    named = {
        "projected_zone": row.projected_length,
        "unequally_disposed": row.displacement,
        "maximum": row.maximum,
    }
    found: Members = {name: in_unit_of(value, unit) for name, value in named.items() if value is not None}
    if row.runout_angle is not None:
        found["runout_angle"] = significant(row.runout_angle.base)
    if row.unit_size is not None and row.area_type is None:
        found["per_length"] = in_unit_of(row.unit_size, unit)
    elif row.unit_size is not None:
        found["per_area"] = {"shape": row.area_type, "size": in_unit_of(row.unit_size, unit)}
        if row.second_unit_size is not None:
            found["per_area"]["second_size"] = in_unit_of(row.second_unit_size, unit)
    return found


def _datum(reference: DatumReference) -> Members:
    found: Members = {"datum": "-".join(reference.letters)}
    if reference.modifiers:
        found["modifiers"] = [name_of(modifier) for modifier in reference.modifiers]
    if any(reference.letter_modifiers):
        found["common"] = [
            {"datum": letter, **({"modifiers": [name_of(each) for each in modifiers]} if modifiers else {})}
            for letter, modifiers in zip(reference.letters, reference.letter_modifiers, strict=False)
        ]
    for name, value in reference.values:
        found[name] = {"value": value.value, "unit": value.unit}
    return found


def target(item: DatumTarget, scale: float, *, is_placed: bool) -> Members:
    """A datum target; its position is in the document's frame only where the file places no part."""
    members: Members = {"type": "datum_target", "target": item.target}
    if item.letters:
        members["datum"] = "-".join(item.letters)
    if item.shape:
        members["shape"] = item.shape
    if item.position is not None:
        name = "position_in_part" if is_placed else "position"
        members[name] = [significant(value * scale) + 0.0 for value in item.position]
    if item.sizes:
        members["sizes"] = {
            name.replace(" ", "_"): {"value": measure.value, "unit": measure.unit} for name, measure in item.sizes
        }
    return members


def texture(item: SurfaceTexture) -> Members:
    """A surface texture: the parameter and its value, further ones in `values`."""
    members: Members = {"type": "surface_finish"}
    values = [{"parameter": name, "value": measure.value, "unit": measure.unit} for name, measure in item.values]
    if values:
        members |= values[0]
    if len(values) > 1:
        members["values"] = values
    if item.method:
        members["method"] = item.method
    return members


def feature(item: Feature, prefix: str = "") -> Members:
    """`faces` of an item, and what else it is about."""
    found: Members = {}
    if item.faces:
        found[f"{prefix}faces"] = [{"bodies": list(each.bodies), "faces": list(each.faces)} for each in item.faces]
    if item.others:
        found[f"{prefix}elements"] = item.others
    if item.whole_part:
        found[f"{prefix}whole_part"] = True
    return found

"""A link as `data.link` and proof: every length in the unit of its request, and a sentence for each contradiction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from spatial.counting import listed
from spatial.reasoning.link.asked import Asked
from spatial.reasoning.link.finding import Binding, Difference, Unbound, Undrawn
from spatial.reasoning.link.link import Link
from spatial.reasoning.units import METRES

LISTED: Final = 200
"""Most rows of one list; `omitted` counts the others."""

STATEMENTS: Final = 100

NAMED: Final = 5
"""Features that a sentence names."""

ANGLES: Final = ("angle", "countersink angle")
PURE: Final = ("quantity", "through")

SHORT: Final[Mapping[str, str]] = {
    "millimeter": "mm", "inch": "in", "centimeter": "cm", "meter": "m", "micrometer": "µm", "foot": "ft", "mil": "mil",
    "decimeter": "dm", "kilometer": "km", "yard": "yd",
}  # fmt: skip

DIAMETERS: Final = (
    "diameter",
    "counterbore",
    "countersink",
    "spotface",
    "counterbore diameter",
    "countersink diameter",
    "spotface diameter",
)


def data_of(link: Link, drawing: str) -> dict[str, Any]:
    """The member `link`. drawing: the member of the request that has the drawing."""
    findings = link.findings
    found: dict[str, Any] = {"verdict": link.verdict, "drawing": drawing}
    if link.unit is not None:
        stated = {} if link.unit_stated is None else {"stated": link.unit_stated}
        found["unit"] = {"name": link.unit, "found": link.unit_found, **stated}
    if link.part is not None:
        found["solids"] = list(link.part.solids)
    found["summary"] = {
        "requests": len(link.requests),
        "bound": len(findings.bound),
        "contradictions": findings.contradictions + (link.unit_stated is not None),
        "missing": len(findings.missing),
        "undrawn": len(findings.undrawn),
        "not_compared": len(findings.not_compared),
    }
    sentences = statements(link)
    found["statements"] = sentences[:STATEMENTS]
    if len(sentences) > STATEMENTS:
        found["statements_omitted"] = len(sentences) - STATEMENTS
    if link.is_model_governing:
        found["model_governs"] = True
    lists = {
        "bound": [_bound(each) for each in sorted(findings.bound, key=lambda each: (not each.differences, each.score))],
        "missing": [_unbound(each) for each in findings.missing],
        "undrawn": [_undrawn(each, link) for each in findings.undrawn],
        "not_compared": [_unbound(each) for each in findings.not_compared],
    }
    omitted = {name: len(rows) - LISTED for name, rows in lists.items() if len(rows) > LISTED}
    found |= {name: rows[:LISTED] for name, rows in lists.items() if rows}
    return found | ({"omitted": omitted} if omitted else {})


def proof_of(link: Link) -> dict[str, Any]:
    """What each score lost, the lowest first, and the general tolerance that was read."""
    rows = sorted(link.findings.bound, key=lambda each: each.score)
    matching = {
        "pairs": len(rows),
        "lowest": [
            {"callouts": each.asked.ids, "features": each.features, "score": each.score, "terms": each.terms}
            for each in rows[:LISTED]
        ],
    }
    tolerances = {} if link.general is None else {"general_tolerance": link.general}
    return {"matching": matching, **tolerances}


def debug_of(link: Link) -> dict[str, Any]:
    """Every request with its limits and every size of the model, in millimetres."""
    part = link.part
    if part is None:
        return {}
    return {
        "requests": [
            {"callouts": each.ids, "kind": each.kind, "limits": _limits(each), "quantity": each.quantity}
            for each in link.requests
        ],
        "holes": [{"feature": each.feature, "diameter": each.diameter, "walls": each.walls} for each in part.holes],
        "extents": part.extents,
        "radii": sorted({round(each.value, 6) for each in part.radii}),
    }


def statements(link: Link) -> list[str]:
    """One sentence per contradiction, then one per undrawn feature."""
    findings = link.findings
    lines = []
    if link.unit_stated is not None:
        lines.append(
            f"the drawing says that its unit is the {link.unit_stated}, but its sizes are those of the model in {link.unit}s"
        )
    lines += [_difference(each, row) for each in findings.bound for row in each.differences]
    lines += [f"{_label(each.asked)} asks {_wanted(each.asked)}, but {each.reason}" for each in findings.missing]
    groups: dict[str, list[Undrawn]] = {}
    for each in findings.undrawn:
        size = _figure(each.measured["diameter"] / _factor(link))
        groups.setdefault(f"{each.type} of Ø{size} {_short(link)}", []).append(each)
    for name, rows in groups.items():
        where = f" at {_point(rows[0].position)}" if rows[0].position else ""
        lines.append(f"the drawing does not say the {name} of {_names([each.feature for each in rows])}{where}")
    return lines


def _difference(binding: Binding, row: Difference) -> str:
    asked = binding.asked
    where = f" at {_point(row.position)}" if row.position else ""
    has = "have" if len(row.features) > 1 else "has"
    subject = f"{_names(row.features)}{where} {has}" if row.features else "the model has"
    remark = f", {row.remark}" if row.remark and row.what != "quantity" else ""
    if row.what == "quantity":
        more = f" ({_names(row.features)})" if row.features else ""
        return (
            f"{_label(asked)} asks a quantity of {_figure(row.asked)}, but the model has {_figure(row.measured)}{more}"
        )
    end = "none" if row.measured is None else _value(asked, row.what, row.measured)
    change = _change(asked, row)
    return (
        f"{_label(asked)} asks {_noun(row)} {_value(asked, row.what, row.asked)}, but {subject} {end}{change}{remark}"
    )


def _noun(row: Difference) -> str:
    return {"through": "a hole that goes", "thread": "a thread"}.get(
        row.what, f"a {row.what} of" if row.what[0] not in "aeiou" else f"an {row.what} of"
    )


def _change(asked: Asked, row: Difference) -> str:
    if row.what in PURE or not isinstance(row.asked, int | float) or not isinstance(row.measured, int | float):
        return ""
    by = row.measured - row.asked
    size = (
        f"{_figure(abs(by))}°"
        if row.what in ANGLES
        else f"{_figure(abs(by) / asked.factor)} {SHORT.get(asked.unit, asked.unit)}"
    )
    return f", {size} {'more' if by > 0.0 else 'less'}"


def _value(asked: Asked, what: str, value: float | str) -> str:
    if isinstance(value, str):
        return value
    if what in ANGLES:
        return f"{_figure(value)}°"
    sign = "Ø" if what in DIAMETERS or what == "thread" else ""
    deep = " deep" if what == "through" else ""
    return f"{sign}{_figure(value / asked.factor)} {SHORT.get(asked.unit, asked.unit)}{deep}"


def _wanted(asked: Asked) -> str:
    if asked.thread is not None and asked.size is None:
        return f"a thread {asked.thread.designation}"
    size = _figure(asked.size.nominal / asked.factor) if asked.size else ""
    sign = "Ø" if asked.kind in ("hole", "diameter") else "R" if asked.kind == "radius" else ""
    return f"a {asked.kind} of {sign}{size} {SHORT.get(asked.unit, asked.unit)}"


def _label(asked: Asked) -> str:
    page = f" on sheet {asked.place.page}" if asked.place.page is not None else ""
    at = f" at {_point(asked.place.position)}" if asked.place.position else ""
    text = " ".join(asked.text.split())
    return f"'{text}' ({asked.ids[0]}{page}{at})"


def _bound(each: Binding) -> dict[str, Any]:
    asked = each.asked
    row = _head(asked)
    row |= {
        "features": list(each.features),
        "asked": _asked(asked),
        "measured": _converted(asked, each.measured),
        "score": each.score,
    }
    if not each.features and each.faces:
        row["faces"] = list(each.faces)
    if each.word is not None:
        row["bound_to"] = each.word
    if each.deviation is not None:
        row["deviation"] = each.deviation / asked.factor
    if each.differences:
        row["differences"] = [_row(asked, one) for one in each.differences]
    return row


def _head(asked: Asked) -> dict[str, Any]:
    row: dict[str, Any] = {"callouts": list(asked.ids), "type": asked.kind, "text": asked.text, "unit": asked.unit}
    if asked.place.page is not None:
        row["page"] = asked.place.page
    if asked.place.position is not None:
        row["position"] = list(asked.place.position)
    return row | ({"general": True} if asked.is_general else {})


def _asked(asked: Asked) -> dict[str, Any]:
    """What a request asks, in its unit, with limits that are its own."""
    names = {"radius": "radius", "chamfer": "leg", "slot": "width", "length": "length", "overall": "length"}
    found: dict[str, Any] = {}
    size = asked.size
    if size is not None:
        found[names.get(asked.kind, "diameter")] = size.nominal / asked.factor
        if size.basis in ("stated", "general"):
            found |= {"min": size.lower / asked.factor, "max": size.upper / asked.factor, "tolerance": size.basis}
    further = {
        "thread": asked.thread.designation if asked.thread else None,
        "quantity": asked.quantity,
        "through": asked.through,
        "depth": None if asked.depth is None else asked.depth.nominal / asked.factor,
        "angle": asked.angle,
    }
    found |= {name: value for name, value in further.items() if value is not None}
    for each in asked.treatments:
        found[each.kind] = {
            "diameter": None if each.diameter is None else each.diameter.nominal / asked.factor,
            "depth": None if each.depth is None else each.depth.nominal / asked.factor,
            "angle": each.angle,
        }
    return found


def _converted(asked: Asked, measured: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value / asked.factor if isinstance(value, float) and name not in ANGLES else value
        for name, value in measured.items()
        if value is not None
    }


def _row(asked: Asked, one: Difference) -> dict[str, Any]:
    is_length = one.what not in (*ANGLES, *PURE)
    row: dict[str, Any] = {"what": one.what}
    for name, value in (("asked", one.asked), ("measured", one.measured)):
        scaled = is_length or (one.what == "through" and name == "measured")
        row[name] = value / asked.factor if isinstance(value, float) and scaled else value
    if isinstance(row["asked"], float) and isinstance(row["measured"], float) and one.what != "through":
        row["deviation"] = row["measured"] - row["asked"]
    if is_length or one.what in ANGLES:
        row["unit"] = "degree" if one.what in ANGLES else asked.unit
    row["features"] = list(one.features)
    if one.position is not None:
        row["position"] = list(one.position)
    return row | ({"remark": one.remark} if one.remark and one.what != "quantity" else {})


def _unbound(each: Unbound) -> dict[str, Any]:
    return {**_head(each.asked), "asked": _asked(each.asked), "reason": each.reason}


def _undrawn(each: Undrawn, link: Link) -> dict[str, Any]:
    measured = {
        name: value / _factor(link) if isinstance(value, float) else value
        for name, value in each.measured.items()
        if value is not None
    }
    row = {"feature": each.feature, "type": each.type, "measured": measured, "unit": link.unit}
    return row | ({"position": list(each.position)} if each.position else {})


def _limits(asked: Asked) -> list[float | None] | None:
    if asked.size is None:
        return None
    upper = asked.size.upper
    return [asked.size.lower, None if upper == float("inf") else upper]


def _factor(link: Link) -> float:
    return METRES[link.unit] * 1e3 if link.unit else 1.0


def _short(link: Link) -> str:
    return SHORT.get(link.unit or "", link.unit or "")


def _names(features: Sequence[str]) -> str:
    return listed(list(dict.fromkeys(features)), NAMED)


def _point(values: Sequence[float]) -> str:
    return f"({', '.join(_figure(each) for each in values)})"


def _figure(value: float | str | None) -> str:
    return str(value) if not isinstance(value, int | float) else f"{round(value, 4) + 0.0:.10g}"

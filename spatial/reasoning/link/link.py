"""The link of a drawing and its solid, as a pure function of two documents.

Every request of the drawing is bound to the features that it means, or is missing in the model, or cannot be compared; holes of
the model that no writing on the drawing explains are undrawn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from spatial.contract.extraction import CadExtraction, Structure
from spatial.knowledge.screw_holes import thread_bores
from spatial.knowledge.threads import METRIC_COARSE
from spatial.reasoning.link.asked import Asked, requests
from spatial.reasoning.link.finding import Binding, Findings, Unbound, Undrawn
from spatial.reasoning.link.fitting import is_bored_for
from spatial.reasoning.link.holes import link_holes
from spatial.reasoning.link.measures import chamfers, diameters, exact, near_diameter, outer_thread, radii
from spatial.reasoning.link.notes import (
    general_requests,
    is_model_governing,
    slot_requests,
    written_diameters,
    written_threads,
)
from spatial.reasoning.link.offered import Measure, Part, parts_of
from spatial.reasoning.link.overall import link_lengths, link_overall, outside_diameters, overall
from spatial.reasoning.link.paper import unit_of_paper
from spatial.reasoning.link.scope import is_named, joined, shown, shows_several
from spatial.reasoning.link.size import Size, SizeReader, reader
from spatial.reasoning.link.slots import link_slots
from spatial.reasoning.link.views import leave_out, leave_to_others, set_aside
from spatial.reasoning.units import METRES

Verdict = Literal["agrees", "contradicts", "incomplete", "unknown"]
"""incomplete: nothing contradicts, and the model has holes that the drawing does not say."""

TRIED: Final = ("millimeter", "inch")
"""Units that are tried where a drawing names none; the one in which more sizes are in the model is taken."""

SAID: Final = 0.06
"""Millimetres between a hole and a number on the sheet that may be its size: sheets round to a tenth."""

LEAST_MET: Final = 2
"""Requests that the model must meet in a unit that nothing states."""

LEAST_TOLD: Final = 3
"""The same in a unit that is not the stated one."""

HARDLY: Final = 0.25
NEARLY: Final = 0.75
"""Parts of the requests up to which the stated unit is none, and from which another one is: by chance a third of whole millimetres fits."""

COMMON: Final = 0.5
"""Part of the requests that the model must meet for the two to be of one part, where no name says so."""

RELIEF: Final = 2.0
"""Diameter of a hole in thicknesses of the sheet, up to which it may relieve a bend."""

_RELIEF: Final = (
    "the part is bent, and the hole may be one at the end of a bend in its flat pattern; compare it with that"
)

_LABEL: Final = (
    "the text has further words, and no quantity, depth or pitch: it may be a label that reads like a thread"
)

OF_SIZE: Final = ("diameter", "thread", "radius", "chamfer", "overall size", "width", "length")
"""Differences by which a request is not met at all."""

_DECIMALS: Final = re.compile(r"\d*[.,](\d+)")


@dataclass(frozen=True)
class Link:
    """What was found. unit: of the drawing's lengths; found: stated, document, scale of the views, or bound, where the model decided it."""

    verdict: Verdict
    findings: Findings = field(default_factory=Findings)
    part: Part | None = None
    unit: str | None = None
    unit_found: str = "stated"
    general: str | None = None
    reason: str | None = None
    is_model_governing: bool = False
    requests: tuple[Asked, ...] = ()
    unit_stated: str | None = None
    """What the sheet says, where the sizes of the model tell another unit."""


def link(drawing: CadExtraction, model: CadExtraction) -> Link:
    """The link of a `drawing2d` and a `brep` document. The units of both must be lengths, or the model must tell the drawing's."""
    sheet, body = drawing.structure, model.structure
    factor = METRES.get(model.units)
    if sheet is None or body is None or not body.solids:
        return Link("unknown", reason="the model has no solid; send a model with solids")
    if factor is None:
        return Link("unknown", reason=f"the unit of the model is {model.units}; export it with a unit of length")
    parts = parts_of(body, factor * 1e3)
    unit, found = _unit(drawing, sheet)
    if unit is not None:
        stated = _linked(sheet, body, parts, (unit, found), model.units)
        return _in_another_unit(stated, sheet, body, parts, model.units) or stated
    tried = [_linked(sheet, body, parts, (name, "bound"), model.units) for name in TRIED]
    met = list(map(_met, tried))
    if met[0] != met[1] and max(met) >= LEAST_MET:
        return tried[met.index(max(met))]
    drawn = unit_of_paper(sheet)
    if drawn is not None:
        return replace(tried[TRIED.index(drawn)], unit_found="scale")
    return Link(
        "unknown",
        reason="the drawing names no unit of length, and the model does not tell it; state the unit on the sheet",
    )


def _in_another_unit(
    stated: Link, sheet: Structure, body: Structure, parts: Sequence[Part], modelled: str
) -> Link | None:
    """The link in the unit that the model tells, where hardly anything fits in the stated one: the words of a form that nobody changed."""
    for unit in dict.fromkeys(each.unit for each in stated.requests if each.size is not None):
        if _met(stated, unit) >= HARDLY * stated.findings.compared_in(unit):
            continue
        for name in (each for each in TRIED if each != unit):
            other = _linked(sheet, body, parts, (name, "bound"), modelled, unit)
            if _met(other) >= max(LEAST_TOLD, NEARLY * other.findings.compared_in(None)):
                return replace(other, verdict="contradicts", reason=None, unit_stated=unit)
    return None


def _met(link: Link, unit: str | None = None) -> int:
    """How many requests the model meets; with a unit only those in it: a metric thread says nothing about the unit of a sheet."""
    return sum(not each.differences and unit in (None, each.asked.unit) for each in link.findings.bound)


def _unit(drawing: CadExtraction, sheet: Structure) -> tuple[str | None, str]:
    """The unit of the drawing's dimensions, and what says so."""
    stated = Counter(
        str(unit["name"])
        for each in sheet.sheets or ()
        if isinstance(unit := (each.model_extra or {}).get("dimension_unit"), dict) and unit.get("name") in METRES
    )
    if stated:
        return stated.most_common(1)[0][0], "stated"
    if drawing.units in METRES:
        return drawing.units, "document"
    return None, "bound"


def _linked(
    sheet: Structure,
    body: Structure,
    parts: Sequence[Part],
    units: tuple[str, str],
    modelled: str,
    stated: str | None = None,
) -> Link:
    """The link in one unit.

    units: that of the drawing's lengths, and what says so; modelled: that of the model; stated: a unit in whose place the first stands.
    """
    unit, found = units
    resolution = _resolution(sheet)
    readers = {
        name: reader(sheet, name, metres * 1e3, resolution, is_converted=name != modelled)
        for name, metres in METRES.items()
    }
    if stated is not None:
        readers[stated] = readers[unit]
    asked = _requests(sheet, readers, unit)
    scope = shown(parts, asked, sheet)
    if not asked:
        return Link("unknown", unit=unit, unit_found=found, reason=_NOTHING)
    part = joined(scope, body)
    findings = _bind(asked, part)
    set_aside(findings, sheet)
    if not any(is_named(each, sheet) for each in scope):
        leave_to_others(findings, [each for each in parts if not any(each is one for one in scope)])
    if shows_several(scope, sheet):
        leave_out(findings)
    findings.undrawn = _undrawn(findings, part, asked, sheet, readers[unit].factor)
    governs = is_model_governing(sheet)
    verdict, reason = _verdict(findings, is_same=any(is_named(each, sheet) for each in scope), governs=governs)
    general = readers[unit].general
    return Link(
        verdict,
        findings,
        part,
        unit,
        found,
        general.by_size or ("by decimals" if general.by_decimals else None),
        reason,
        governs,
        tuple(asked),
    )


_NOTHING: Final = "the drawing has no callout or overall dimension that could be read, so there is nothing to bind"


def _resolution(sheet: Structure) -> float | None:
    """The finest step of the sizes on the sheet; None where all are whole."""
    written = [
        max((len(found) for found in _DECIMALS.findall(each.text or "")), default=0)
        for each in (*(sheet.callouts or ()), *(sheet.dimensions or ()))
    ]
    finest = max(written, default=0)
    return 10.0**-finest if finest else None


def _requests(sheet: Structure, readers: dict[str, SizeReader], unit: str) -> list[Asked]:
    asked = list(requests(sheet, readers, unit))
    spanning = list(overall(sheet, readers, unit, asked))
    replaced = {name for each in spanning for name in each.ids}
    asked = [each for each in asked if each.kind != "length" or not replaced.intersection(each.ids)]
    plain = outside_diameters(sheet, readers, unit)
    return [*asked, *plain, *slot_requests(sheet, readers[unit]), *general_requests(sheet, readers[unit]), *spanning]


def _bind(asked: Sequence[Asked], part: Part) -> Findings:
    found = Findings()
    of = {
        kind: [each for each in asked if each.kind == kind]
        for kind in ("radius", "chamfer", "slot", "length", "overall")
    }
    _bind_round([each for each in asked if each.kind in ("hole", "thread", "diameter")], part, found)
    radii(of["radius"], part, found)
    chamfers(of["chamfer"], part, found)
    link_slots(of["slot"], part, found)
    link_lengths(of["length"], part, found)
    link_overall(of["overall"], part, found)
    return found


def _bind_round(asked: Sequence[Asked], part: Part, found: Findings) -> None:
    """Holes, threads and other diameters."""
    bores = [Measure(hole.diameter, "hole", (hole.feature,), side="inner") for hole in part.holes]
    pool: list[Asked] = []
    for each in asked:
        elsewhere = None
        if each.thread is not None and each.size is None:
            is_bored = any(is_bored_for(each.thread, hole) for hole in part.holes)
            elsewhere = None if is_bored else outer_thread(each, part)
        elif not exact(each, bores):
            elsewhere = diameters(each, part)
        if elsewhere is None:
            pool.append(each)
        else:
            found.bound.append(elsewhere)
    shafts = [each for each in pool if each.side == "outer"]
    linked = link_holes([each for each in pool if each.side != "outer"], part.holes)
    found.bound += linked.bound
    explained = {name for each in found.bound for name in each.features}
    for lost in (*linked.missing, *(Unbound(each, "the model has no shaft of this size") for each in shafts)):
        near = None if lost.asked.is_certain else near_diameter(lost.asked, part, explained)
        if near is None and _is_relief(lost.asked, part):
            found.not_compared.append(Unbound(lost.asked, _RELIEF))
        elif near is None and lost.asked.kind == "thread" and not lost.asked.is_certain:
            found.not_compared.append(Unbound(lost.asked, _LABEL))
        elif near is None:
            found.missing.append(lost)
        else:
            explained.update(near.features)
            found.bound.append(near)
    found.undrawn += [
        Undrawn(
            hole.feature,
            "hole",
            {"diameter": hole.diameter, "through": hole.through, "depth": hole.depth},
            hole.position,
        )
        for hole in linked.rest
        if not hole.is_interrupted
    ]


def _is_relief(asked: Asked, part: Part) -> bool:
    """Whether a hole may be one that the flat pattern has at the ends of its bends, and that bending closes."""
    return part.is_bent and asked.size is not None and asked.size.nominal <= RELIEF * part.thickness


def _undrawn(findings: Findings, part: Part, asked: Sequence[Asked], sheet: Structure, factor: float) -> list[Undrawn]:
    """Holes that no request explains and whose size is written nowhere, and such counterbores of holes that are bound."""
    said = [*written_diameters(sheet, factor), *(size.nominal for each in asked for size in _diameters(each))]
    threads = written_threads(sheet)
    bound = {name for each in findings.bound for name in each.features}
    holes = [
        each
        for each in findings.undrawn
        if not _is_said(each.measured["diameter"], said)
        and not _is_tapped(each.measured["diameter"], threads)
        and each.feature not in bound
    ]
    return holes + [
        Undrawn(hole.feature, "counterbore", {"diameter": each.diameter, "depth": each.depth}, hole.position)
        for hole in part.holes
        if hole.feature in bound
        for each in hole.widenings
        if not each.is_cone
        and not _is_said(each.diameter, said)
        and not _is_near_asked(hole.feature, each.diameter, findings.bound)
    ]


def _diameters(asked: Asked) -> list[Size]:
    found = [asked.size] if asked.size is not None and asked.kind in ("hole", "diameter", "overall", "length") else []
    return [*found, *(each.diameter for each in asked.treatments if each.diameter is not None)]


def _is_said(diameter: float, said: Sequence[float]) -> bool:
    return any(abs(diameter - each) <= SAID for each in said)


def _is_tapped(diameter: float, threads: Sequence[float]) -> bool:
    """Whether a hole is the bore of a thread that is written somewhere, as in a table of holes."""
    return any(
        low <= diameter <= high for low, high in (thread_bores(each, METRIC_COARSE.get(each)) for each in threads)
    )


def _is_near_asked(feature: str, diameter: float, bound: Sequence[Binding]) -> bool:
    """Whether a difference reports the widening already."""
    return any(
        feature in difference.features and difference.measured == diameter
        for each in bound
        for difference in each.differences
    )


def _verdict(findings: Findings, *, is_same: bool, governs: bool) -> tuple[Verdict, str | None]:
    compared = [*findings.bound, *findings.missing]
    if not compared:
        return "unknown", "no request of the drawing can be compared with the model; `not_compared` says why"
    met = sum(not any(each.what in OF_SIZE for each in one.differences) for one in findings.bound)
    if not is_same and met < COMMON * len(compared):
        return "unknown", (
            f"the model meets {met} of {len(compared)} requests of the drawing, too few for one part; send the model that the drawing shows"
        )
    if findings.contradictions:
        return "contradicts", None
    return ("incomplete" if findings.undrawn and not governs else "agrees"), None

"""The differences of two models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial.contract.extraction import CadExtraction
from spatial.reasoning.diff.alignment import Alignment
from spatial.reasoning.diff.assignment import Match, rest
from spatial.reasoning.diff.fields import amounts, changed_fields, delta, fields_text
from spatial.reasoning.diff.model.body import Body, bodies_of
from spatial.reasoning.diff.model.congruence import Fit, Fits, register
from spatial.reasoning.diff.model.deviation import deviation
from spatial.reasoning.diff.model.edits import find_edits
from spatial.reasoning.diff.model.mass import totals
from spatial.reasoning.diff.model.match import match_bodies
from spatial.reasoning.diff.model.naming import edit_sentences, name_edits
from spatial.reasoning.diff.model.roles import roles_of
from spatial.reasoning.diff.model.surfaces import LENGTH
from spatial.reasoning.diff.outcome import Outcome
from spatial.reasoning.diff.rigid import Rigid
from spatial.reasoning.diff.section import Change, Lone, PairScore, Section
from spatial.reasoning.members import Members


@dataclass(frozen=True, eq=False)
class _Pair:
    """A pair of bodies under its own transform."""

    previous: Body
    current: Body
    fit: Fit
    motion: Rigid
    """What moved the body beyond the alignment of the scene."""


def compare_models(
    previous: CadExtraction, current: CadExtraction, factor: float, goal: Members, *, is_fixed: bool = False
) -> Outcome:
    """Every difference of two models. factor: current units per previous unit; is_fixed: the alignment is the identity."""
    first, second = bodies_of(previous, factor), bodies_of(current, 1.0)
    fits = Fits()
    matches, alignment = match_bodies(first, second, fits, is_fixed=is_fixed)
    pairs = [_pair(first[match.previous], second[match.current], alignment, fits) for match in matches]
    changes = [list(_changes(pair)) for pair in pairs]
    section = Section(
        "objects",
        "object",
        added=[_lone(second[place]) for place in rest(len(second), [match.current for match in matches])],
        removed=[_lone(first[place]) for place in rest(len(first), [match.previous for match in matches])],
        changes=[change for found in changes for change in found],
        unchanged=sum(not found for found in changes),
        pairs=[_score(pair, match) for pair, match in zip(pairs, matches, strict=True)],
    )
    return Outcome(
        "brep",
        (section,),
        {"scene": alignment},
        totals=totals(first, second, current.units, goal),
        deviations={pair.current.id: deviation(pair.previous, pair.current, pair.fit) for pair in pairs},
        headlines=_headlines(alignment),
    )


def _headlines(alignment: Alignment) -> list[str]:
    if alignment.is_identity:
        return []
    shift = ", ".join(f"{value:.6g}" for value in np.round(alignment.transform.translation, 6) + 0.0)
    turned = (
        f" after a rotation of {np.degrees(alignment.transform.angle):.6g}°"
        if alignment.transform.axis is not None
        else ""
    )
    return [f"the whole scene was placed elsewhere, by ({shift}){turned}; what follows is relative to that"]


def _pair(previous: Body, current: Body, alignment: Alignment, fits: Fits) -> _Pair:
    found = fits.of(previous, current, alignment.transform)
    if not found.is_same:
        found = register(previous, current, alignment.transform)
    return _Pair(previous, current, found, found.transform.after(alignment.transform.inverse()))


def _score(pair: _Pair, match: Match) -> PairScore:
    """1 for the same shape; otherwise the part of the area that coincides, or what the assignment found."""
    score = 1.0 if pair.fit.is_same else max(pair.fit.share, 1.0 - match.cost) * 0.999
    return PairScore(pair.previous.id, pair.current.id, score)


def _lone(body: Body) -> Lone:
    details = {
        "id": body.id,
        "name": body.name,
        "type": body.type,
        "path": list(body.path) or None,
        "volume": body.volume,
        "surface_area": body.area,
        "center": body.center,
        "size": None if body.bounds is None else body.bounds[1] - body.bounds[0],
    }
    return Lone(details, body.label)


def _ids(pair: _Pair) -> dict[str, Any]:
    return {"id": pair.current.id, "previous_id": pair.previous.id, "name": pair.current.name}


def _changes(pair: _Pair) -> Iterator[Change]:
    yield from _moved(pair)
    yield from _named(pair)
    yield from _shaped(pair)


def _moved(pair: _Pair) -> Iterator[Change]:
    where = pair.current.center
    back = pair.motion.inverse().points(where)
    if pair.fit.is_mirrored or not pair.motion.moves(back, pair.current.size, 10 * LENGTH * pair.current.size):
        return
    shift = where - back
    motion = pair.motion.as_json()
    turn = {name: motion[name] for name in ("angle_degrees", "axis") if name in motion}
    details = _ids(pair) | {"by": shift} | turn
    turned = f" and turned by {motion['angle_degrees']:.6g}°" if "axis" in motion else ""
    by = ", ".join(f"{value:.6g}" for value in np.round(shift, 6) + 0.0)
    yield Change("moved", details, f"{pair.current.label} was moved by ({by}){turned}")


def _named(pair: _Pair) -> Iterator[Change]:
    before, after = pair.previous, pair.current
    if before.name != after.name:
        details = _ids(pair) | delta(before.name, after.name)
        yield Change("renamed", details, _renaming(before, after))
    if before.assembly != after.assembly:
        details = _ids(pair) | {"path": delta(list(before.assembly), list(after.assembly))}
        text = f"{after.label} was moved from {_assembly(before)} to {_assembly(after)}"
        yield Change("reparented", details, text)
    fields = changed_fields(before.properties, after.properties)
    if fields:
        details = _ids(pair) | {"fields": fields}
        yield Change("changed", details, f"{after.label} changed: {fields_text(fields)}")


def _renaming(before: Body, after: Body) -> str:
    if after.name is None:
        return f"{before.label} has no name any more"
    return (
        f"{before.label} was renamed to {after.name!r}" if before.name else f"{before.id} got the name {after.name!r}"
    )


def _assembly(body: Body) -> str:
    return f"assembly {'/'.join(body.assembly)!r}" if body.assembly else "the top of the model"


def _shaped(pair: _Pair) -> Iterator[Change]:
    before, after = pair.previous, pair.current
    if pair.fit.is_same and not pair.fit.is_mirrored:
        return
    sizes: dict[str, Any] = {
        "volume": amounts(before.volume, after.volume),
        "surface_area": amounts(before.area, after.area),
    }
    if before.bounds is not None and after.bounds is not None:
        sizes["size"] = delta(before.bounds[1] - before.bounds[0], after.bounds[1] - after.bounds[0])
    details = _ids(pair) | {name: value for name, value in sizes.items() if value is not None}
    if pair.fit.is_mirrored:
        yield Change("changed", details | {"mirrored": True}, f"{after.label} is the mirror image of what it was")
        return
    edits = find_edits(before, after, pair.fit)
    features = name_edits(edits, roles_of(edits, before, after), after)
    first, *further = list(edit_sentences(features, after)) or [_measures(pair)]
    yield Change("changed", details | {"features": features}, first, tuple(further))


def _measures(pair: _Pair) -> str:
    volume = amounts(pair.previous.volume, pair.current.volume)
    if volume is None or "relative" not in volume:
        return f"{pair.current.label} changed its shape"
    return f"{pair.current.label} changed its volume by {volume['relative'] * 100:.3g} %"

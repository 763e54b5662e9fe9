"""Slots that a text calls by name: width and length, over all or between the centres of the round ends."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.contract.features import Feature
from spatial.reasoning.link.asked import Asked
from spatial.reasoning.link.finding import Binding, Difference, Findings, Unbound
from spatial.reasoning.link.fitting import NEAR
from spatial.reasoning.link.offered import Part


def link_slots(asked: Sequence[Asked], part: Part, found: Findings) -> None:
    """Binds every slot to those of its width, or else to the nearest width."""
    for each in asked:
        size = each.size
        offered = [slot for slot in part.slots if slot.width]
        if size is None or not offered:
            found.missing.append(Unbound(each, "the model has no slot"))
            continue
        fitting = [slot for slot in offered if _is_fitting(each, slot, part.factor)]
        if fitting:
            found.bound.append(_bound(each, fitting, part.factor))
            continue
        nearest = min(offered, key=lambda slot: _off(each, slot, part.factor))
        if _off(each, nearest, part.factor) > NEAR:
            found.missing.append(Unbound(each, "the model has no slot near this size"))
        else:
            found.bound.append(_bound(each, [nearest], part.factor))


def _is_fitting(asked: Asked, slot: Feature, factor: float) -> bool:
    is_wide = asked.size is not None and asked.size.accepts((slot.width or 0.0) * factor)
    return is_wide and (asked.second is None or any(asked.second.accepts(each) for each in _lengths(slot, factor)))


def _lengths(slot: Feature, factor: float) -> list[float]:
    length, width = (slot.length or 0.0) * factor, (slot.width or 0.0) * factor
    return [length, length - width, length + width] if length else []


def _off(asked: Asked, slot: Feature, factor: float) -> float:
    off = asked.size.relative((slot.width or 0.0) * factor) if asked.size else 1.0
    lengths = _lengths(slot, factor)
    if asked.second is not None and lengths:
        off = max(off, min(asked.second.relative(each) for each in lengths))
    return off


def _bound(asked: Asked, slots: Sequence[Feature], factor: float) -> Binding:
    first = slots[0]
    width = (first.width or 0.0) * factor
    names = tuple(each.id for each in slots)
    differences = []
    if asked.size is not None and not asked.size.accepts(width):
        differences.append(Difference("width", asked.size.nominal, width, names))
    lengths = _lengths(first, factor)
    if asked.second is not None and lengths and not any(asked.second.accepts(each) for each in lengths):
        differences.append(Difference("length", asked.second.nominal, lengths[0], names))
    if asked.quantity is not None and not differences and len(slots) != asked.quantity:
        differences.append(Difference("quantity", float(asked.quantity), float(len(slots)), names))
    off = _off(asked, first, factor)
    terms = {"size": min(off / NEAR, 1.0)} if differences else {}
    measured = {"width": width, "length": lengths[0] if lengths else None, "quantity": len(slots)}
    deviation = width - asked.size.nominal if asked.size else None
    return Binding(
        asked, names, tuple(face for each in slots for face in each.faces), measured, deviation, 1.0 - sum(terms.values()), terms,
        tuple(differences), "slot",
    )  # fmt: skip

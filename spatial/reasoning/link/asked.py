"""What a drawing asks of a part: its callouts as sizes in millimetres, those that stand in one label as one request.

Glossary
  request    one callout, or a hole with what stands in its label: counterbore, countersink, spotface, thread.
  treatment  what widens a hole at one of its ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from spatial.contract.drawing import Callout
from spatial.contract.extraction import Structure
from spatial.reasoning.link.size import Size, SizeReader
from spatial.reasoning.units import METRES

Kind = Literal["hole", "thread", "diameter", "radius", "chamfer", "slot", "length", "overall"]

TWO_DEPTHS: Final = re.compile(r"↧\s*(\d+(?:[.,]\d+)?)\s*[-–/]\s*(\d+(?:[.,]\d+)?)")  # a dash as drawings have it
"""Two depths behind one sign."""

TREATMENTS: Final = ("counterbore", "countersink", "spotface")

SIZED: Final = ("hole", "tolerance", "fit", "limit", "reference_dimension", "basic")
"""Types of callouts that are a diameter, or a length, by their members."""

REFERENCE: Final = "reference_dimension"

INSERTS: Final = re.compile(
    r"\bINSERT(?:S|I|O|OS)?\b|\bHELI-?COIL|GEWINDEEINS[AÄ]TZ|\bDOUILLES? TARAUD|резьбов\w+ встав|螺纹嵌件|インサート",
    re.IGNORECASE,
)
"""`2x M1.4 threaded brass insert`: what is put into the hole has the thread."""

LABEL: Final = 4
"""Letters beside a designation without quantity, depth and pitch, beyond which the text may be a label: `M1 VERTEX`."""

LONE_HOLE: Final = 0.8
"""Confidence below which a Ø may be that of a shaft (docs/callouts.md: a lone Ø has 0.7)."""


@dataclass(frozen=True)
class Treatment:
    """A counterbore, countersink or spotface; diameter and depth in millimetres, the whole angle of its cone in degrees."""

    kind: str
    diameter: Size | None = None
    depth: Size | None = None
    angle: float | None = None


@dataclass(frozen=True)
class Thread:
    """A thread; millimetres."""

    designation: str
    diameter: float
    pitch: float | None
    is_insert: bool = False
    """Of an insert, whose hole is wider than its thread."""


@dataclass(frozen=True)
class Place:
    """Where a request stands on the drawing, in the drawing's units."""

    page: int | None = None
    position: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Asked:
    """One request.

    size: of a thread None; of a chamfer the first leg. side: whether the size is that of a hole or of a shaft, where its class says so.
    is_certain: whether it can only be a hole. is_general: of a note, which holds for all that have no callout.
    """

    ids: tuple[str, ...]
    kind: Kind
    text: str
    unit: str
    factor: float
    place: Place = Place()
    size: Size | None = None
    quantity: int | None = None
    through: bool | None = None
    depth: Size | None = None
    depth_is: str | None = None
    other_depth: Size | None = None
    """Of a depth written as two, as of a drill and its thread: `M3 ↧6-4`. Which is whose, offices do not agree on."""
    thread: Thread | None = None
    treatments: tuple[Treatment, ...] = ()
    angle: float | None = None
    second: Size | None = None
    side: Literal["inner", "outer"] | None = None
    is_certain: bool = False
    is_general: bool = False
    typical: bool = False


def requests(structure: Structure, readers: dict[str, SizeReader], default: str | None) -> Iterator[Asked]:
    """The requests of the callouts, in their order. default: unit of lengths whose callout names none."""
    for group in _groups(structure.callouts or []):
        found = _request(group, readers, default)
        if found is not None:
            yield found


def _groups(callouts: Sequence[Callout]) -> Iterator[list[Callout]]:
    """Callouts of one label that are about one hole."""
    group: list[Callout] = []
    for each in callouts:
        if _member(each, "struck"):
            continue
        if group and each.source == group[0].source and _joins(group, each):
            group.append(each)
            continue
        if group:
            yield group
        group = [each]
    if group:
        yield group


def _joins(group: Sequence[Callout], each: Callout) -> bool:
    first = group[0]
    if first.type not in (*SIZED, "thread") or (first.type in SIZED and _member(first, "diameter") is None):
        return False
    if each.type in TREATMENTS:
        return True
    if each.type == "thread":
        return first.type != "thread"
    # `Ø10 H7 THRU` is a fit and a hole of one size.
    return each.type == "hole" and first.type in ("fit", "tolerance", "limit") and _same(first, each)


def _same(first: Callout, second: Callout) -> bool:
    return bool(_member(first, "diameter") == _member(second, "diameter"))


def _request(group: Sequence[Callout], readers: dict[str, SizeReader], default: str | None) -> Asked | None:
    first = group[0]
    unit = _member(first, "unit") or default
    lengths = readers.get(default or str(unit))
    reader = readers.get(str(unit))
    if reader is None or lengths is None:
        return None
    whole = _base(group, reader, lengths)
    if first.type == "thread":
        return _thread(first, whole, reader)
    if first.type in TREATMENTS:
        own = _treatment(first, reader, lengths)
        return (
            None
            if own.diameter is None
            else replace(whole, kind="diameter", size=own.diameter, side="inner", depth=None)
        )
    if first.type == "radius":
        return _radius(first, whole, reader)
    if first.type == "chamfer":
        return _chamfer(first, whole, lengths)
    if first.type in SIZED:
        return _sized(group, whole, reader)
    return None


def _base(group: Sequence[Callout], reader: SizeReader, lengths: SizeReader) -> Asked:
    """What all kinds have in common, with treatments and depth."""
    first = group[0]
    bored = [each for each in group if each.type not in TREATMENTS]
    depth = next(
        (_member(each, "hole_depth") or each.depth for each in bored if _member(each, "hole_depth") or each.depth), None
    )
    is_through = next((each.through for each in bored if each.through is not None), None)
    return Asked(
        ids=tuple(each.id for each in group),
        kind="diameter",
        text=first.text,
        unit=reader.unit,
        factor=reader.factor,
        place=Place(first.page, tuple(first.position) if first.position else None),
        quantity=next((each.quantity for each in group if each.quantity is not None), None),
        through=True if is_through else None,
        depth=None if depth is None else lengths.size(float(depth), text=first.text),
        other_depth=_other_depth(first.text, lengths),
        depth_is=next((str(found) for each in bored if (found := _member(each, "depth_is"))), None),
        thread=next((_thread_of(each) for each in group if each.type == "thread"), None),
        treatments=tuple(_treatment(each, reader, lengths) for each in group if each.type in TREATMENTS),
        typical=any(bool(_member(each, "typical")) for each in group),
    )


def _other_depth(text: str, lengths: SizeReader) -> Size | None:
    """The second of two depths; a much smaller number behind a minus sign is a deviation."""
    found = TWO_DEPTHS.search(text)
    if found is None:
        return None
    one, two = (float(each.replace(",", ".")) for each in found.groups())
    return lengths.size(two, text=text) if two >= 0.5 * one else None


def _thread(first: Callout, whole: Asked, reader: SizeReader) -> Asked | None:
    thread = _thread_of(first)
    if thread is None:
        return None
    # A bore may be deeper than its thread, never less deep.
    is_deeper = whole.depth is not None and _member(first, "hole_depth") is None
    is_called = whole.quantity is not None or whole.depth is not None or whole.through is not None
    is_alone = len(first.text) <= len(thread.designation) + LABEL
    return replace(
        whole,
        kind="thread",
        thread=thread,
        is_certain=is_called or is_alone or _member(first, "pitch_is") is None,
        depth_is="min" if is_deeper else whole.depth_is,
        unit=reader.unit,
    )


def _thread_of(callout: Callout) -> Thread | None:
    diameter, unit = _member(callout, "diameter"), _member(callout, "unit")
    if not isinstance(diameter, int | float) or unit not in METRES:
        return None
    factor = METRES[str(unit)] * 1e3
    pitch, per_inch = _member(callout, "pitch"), _member(callout, "tpi")
    step = float(pitch) * factor if pitch else 25.4 / float(per_inch) if per_inch else None
    name = _member(callout, "designation") or _member(callout, "size") or callout.text
    return Thread(str(name), float(diameter) * factor, step, is_insert=bool(INSERTS.search(callout.text)))


def _treatment(callout: Callout, reader: SizeReader, lengths: SizeReader) -> Treatment:
    diameter, angle = _member(callout, "diameter"), _member(callout, "angle")
    return Treatment(
        callout.type,
        None if diameter is None else reader.size(float(diameter), _extra(callout), callout.text),
        None if callout.depth is None else lengths.size(callout.depth, text=callout.text),
        None if angle is None else float(angle),
    )


def _radius(first: Callout, whole: Asked, reader: SizeReader) -> Asked | None:
    value = _member(first, "radius")
    if value is None:
        return None
    return replace(whole, kind="radius", size=reader.size(float(value), _extra(first), first.text, is_edge=True))


def _chamfer(first: Callout, whole: Asked, lengths: SizeReader) -> Asked | None:
    leg, angle, second = (_member(first, name) for name in ("leg", "angle", "second_leg"))
    if leg is None:
        return None
    other = None if second is None else lengths.size(float(second), text=first.text, is_edge=True)
    size = lengths.size(float(leg), _extra(first), first.text, is_edge=True)
    return replace(whole, kind="chamfer", size=size, angle=None if angle is None else float(angle), second=other)


def _sized(group: Sequence[Callout], whole: Asked, reader: SizeReader) -> Asked | None:
    first = group[0]
    diameter = _member(first, "diameter")
    nominal = diameter if diameter is not None else _member(first, "nominal")
    if nominal is None or _member(first, "unit") == "degree" or _member(first, "radius") is not None or nominal <= 0.0:
        return None
    is_reference = first.type == REFERENCE
    size = (
        reader.reference(float(nominal), first.text)
        if is_reference
        else reader.size(float(nominal), _extra(first), first.text)
    )
    if diameter is None:
        return replace(whole, kind="length", size=size, side=_side(first))
    called = [each for each in group if each.type == "hole"]
    is_hole = any((each.confidence or 0.0) >= LONE_HOLE for each in called) or len(group) > 1 or whole.through is True
    side = "inner" if is_hole else _side(first)
    return replace(whole, kind="hole" if is_hole else "diameter", size=size, side=side, is_certain=is_hole)


def _side(callout: Callout) -> Literal["inner", "outer"] | None:
    """Of a fit of one class: capital letters are holes, small ones are shafts (ISO 286-1)."""
    is_hole, is_shaft = _member(callout, "hole_class") is not None, _member(callout, "shaft_class") is not None
    return None if is_hole == is_shaft else "inner" if is_hole else "outer"


def _extra(callout: Callout) -> dict[str, Any]:
    return dict(callout.model_extra or {})


def _member(callout: Callout, name: str) -> Any:
    return (callout.model_extra or {}).get(name)

"""Overall sizes and outside diameters: dimensions against the box of the part and its faces; and lengths that features have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from spatial.contract.drawing import Dimension
from spatial.contract.extraction import Structure
from spatial.reasoning.link.asked import Asked, Place
from spatial.reasoning.link.finding import Binding, Difference, Findings, Unbound
from spatial.reasoning.link.measures import binding, exact
from spatial.reasoning.link.offered import Measure, Part
from spatial.reasoning.link.size import SizeReader

NEAR: Final = 0.2
"""Deviation of an overall size as a part of it, up to which it is that of the box with another value; a partial view is farther off."""

LINEAR: Final = ("linear", "aligned")

_NUMBER: Final = re.compile(r"\d*[.,]\d+|\d+")
_QUANTITY: Final = re.compile(r"^\s*\d{1,3}\s*[xX×]\s*")


def overall(
    structure: Structure, readers: dict[str, SizeReader], default: str | None, asked: Sequence[Asked]
) -> Iterator[Asked]:
    """The dimensions that measure a view from edge to edge, with the limits of their callouts."""
    reader = readers.get(str(default))
    if reader is None:
        return
    spanning = {
        name for sheet in structure.sheets or () for view in _views(sheet) for name in view.get("dimensions", ())
    }
    sources = {callout.id: callout.sources or [callout.source] for callout in structure.callouts or ()}
    for dimension in structure.dimensions or ():
        if dimension.id not in spanning or dimension.type not in LINEAR:
            continue
        extra = dimension.model_extra or {}
        own = {dimension.id, *extra.get("sources", ())}
        called = next(
            (each for each in asked if each.kind == "length" and own.intersection(_sources(each, sources))), None
        )
        value = printed(dimension)
        if value is None or value <= 0.0:
            continue
        size = called.size if called and called.size else reader.size(value, text=dimension.text or "")
        ids = (*(called.ids if called else ()), str(dimension.id))
        yield Asked(ids, "overall", dimension.text or "", reader.unit, reader.factor, _place(dimension), size)


def outside_diameters(structure: Structure, readers: dict[str, SizeReader], default: str | None) -> Iterator[Asked]:
    """The diameters that are dimensions and no callouts: outsides, which a drawing says with a plain Ø (docs/callouts.md)."""
    reader = readers.get(str(default))
    if reader is None:
        return
    called = {
        source
        for callout in structure.callouts or ()
        for source in (*(callout.sources or ()), callout.source)
        if source
    }
    for dimension in structure.dimensions or ():
        extra = dimension.model_extra or {}
        if dimension.type != "diameter" or called.intersection((str(dimension.id), *extra.get("sources", ()))):
            continue
        value = printed(dimension)
        if value is not None and value > 0.0:
            text = dimension.text or ""
            size = reader.size(value, text=text)
            yield Asked((str(dimension.id),), "diameter", text, reader.unit, reader.factor, _place(dimension), size)


def _place(dimension: Dimension) -> Place:
    page = (dimension.model_extra or {}).get("page")
    return Place(page, tuple(dimension.position) if dimension.position else None)


def link_overall(asked: Sequence[Asked], part: Part, found: Findings) -> None:
    """Binds overall sizes to the sides of the box, to lengths of features where they are those, and reports sides of another size."""
    sides = [Measure(each, "side of the box") for each in part.extents]
    free = list(sides)
    open_: list[Asked] = []
    for each in asked:
        matches = exact(each, sides)
        lengths = [] if matches else exact(each, _lengths(part))
        if matches or lengths:
            found.bound.append(binding(each, matches or lengths))
            # A square has two sides of one size, and one dimension says only one of them.
            taken = next((side for side in free if side in matches), None)
            free = [side for side in free if side is not taken]
        else:
            open_.append(each)
    for each in open_:
        nearest = min(free, key=lambda side: _off(each, side), default=None)
        if nearest is not None and _off(each, nearest) <= NEAR and not part.is_bent:
            free.remove(nearest)
            found.bound.append(_other_size(each, nearest))
        else:
            found.not_compared.append(Unbound(each, _reason(part)))


def printed(dimension: Dimension) -> float | None:
    """The number that a dimension shows: the drawn length times the scale, or what the sheet writes in its place."""
    text = _QUANTITY.sub("", dimension.text or "")
    number = _NUMBER.search(text)
    if number:
        return float(number[0].replace(",", "."))
    given = (dimension.model_extra or {}).get("printed", dimension.value)
    return None if given is None else float(given)


def link_lengths(asked: Sequence[Asked], part: Part, found: Findings) -> None:
    """Binds lengths with a tolerance, a fit or a class to the features that have them; a fit of a hole to the nearest slot."""
    explained: set[str] = set()
    open_: list[Asked] = []
    for each in asked:
        matches = exact(each, _lengths(part))
        if matches:
            bound = binding(each, matches)
            explained.update(bound.features)
            found.bound.append(bound)
        else:
            open_.append(each)
    for each in open_:
        nearest = _nearest_slot(each, part, explained) if each.side == "inner" else None
        if nearest is None:
            found.not_compared.append(Unbound(each, "a length that no feature has by itself, such as a distance"))
        else:
            found.bound.append(_other_size(each, nearest, "width"))


def _nearest_slot(asked: Asked, part: Part, explained: set[str]) -> Measure | None:
    widths = [
        Measure(slot.width * part.factor, "width of the slot", (slot.id,), tuple(slot.faces))
        for slot in part.slots
        if slot.width and slot.id not in explained
    ]
    nearest = min(widths, key=lambda each: _off(asked, each), default=None)
    return nearest if nearest is not None and _off(asked, nearest) <= NEAR else None


def _lengths(part: Part) -> list[Measure]:
    """Lengths of features first, then widths of shafts and distances of faces."""
    shafts = [each for each in part.rounds if each.side == "outer"]
    return [*part.lengths, *shafts, *(Measure(each, "distance of two faces") for each in part.gaps)]


def _off(asked: Asked, side: Measure) -> float:
    return asked.size.relative(side.value) if asked.size else 1.0


def _reason(part: Part) -> str:
    if part.is_bent:
        return "the part is bent, and the size may be one of its flat pattern"
    if not part.extents:
        return "the part stands askew in the model, whose box tells no size of it"
    return "no side of the box is near this size; the view may show a part of the body"


def _other_size(asked: Asked, side: Measure, what: str = "overall size") -> Binding:
    nominal = asked.size.nominal if asked.size else 0.0
    off = _off(asked, side)
    return Binding(
        asked,
        side.features,
        side.faces,
        {"length": side.value},
        side.value - nominal,
        1.0 - off / NEAR,
        {"size": off / NEAR},
        (Difference(what, nominal, side.value, side.features),),
        side.word,
    )


def _views(sheet: Any) -> list[dict[str, Any]]:
    views = (sheet.model_extra or {}).get("views")
    return [each for each in views if isinstance(each, dict)] if isinstance(views, list) else []


def _sources(asked: Asked, sources: dict[str, list[str]]) -> set[str]:
    return {name for each in asked.ids for name in sources.get(each, ())}

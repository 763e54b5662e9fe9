"""Which parts of the model a drawing shows: one of an assembly, or several of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from spatial.contract.extraction import Solid, Structure
from spatial.reasoning.link.asked import Asked
from spatial.reasoning.link.fitting import is_bored_for
from spatial.reasoning.link.measures import exact
from spatial.reasoning.link.offered import Measure, Part

NAMED: Final = 3
"""Requests that a name on the drawing is worth: a drawing that is named like a part shows it."""

FURTHER: Final = 2
"""Requests that another part must meet, and the first not, for the drawing to show it, too."""

PARTS: Final = 100
"""Parts that are looked at, the largest."""

_SHORTEST: Final = 4
"""Letters and digits of a name that says something."""

_AND: Final = re.compile(r"[&+]|\b(?:and|und|et)\b", re.IGNORECASE)
"""Between the last names of several parts; a comma alone may stand before a word about one: `Cover, front`."""

_SIGNS: Final = re.compile(r"[\W_]+")


def shown(parts: Sequence[Part], asked: Sequence[Asked], structure: Structure) -> list[Part]:
    """The part that meets most requests, and those that meet others; empty where the model has no part."""
    if not parts:
        return []
    largest = sorted(parts, key=lambda each: -each.volume)[:PARTS]
    met = [{place for place, each in enumerate(asked) if is_met(each, part)} for part in largest]
    named = [NAMED * is_named(part, structure) for part in largest]
    first = max(range(len(largest)), key=lambda place: (len(met[place]) + named[place], -place))
    found, covered = [largest[first]], set(met[first])
    for place in sorted(range(len(largest)), key=lambda each: -len(met[each] - covered)):
        if place != first and len(met[place] - covered) >= FURTHER:
            found.append(largest[place])
            covered |= met[place]
    return found


def is_met(asked: Asked, part: Part) -> bool:
    """Whether a part has anything of the size of a request."""
    if asked.thread is not None and asked.size is None:
        return any(is_bored_for(asked.thread, hole) for hole in part.holes)
    if asked.kind in ("hole", "diameter"):
        holes = [Measure(hole.diameter, "hole", side="inner") for hole in part.holes]
        return bool(exact(asked, [*holes, *part.rounds]))
    if asked.kind == "radius":
        return not asked.is_general and bool(exact(asked, part.radii))
    if asked.kind == "overall":
        return bool(exact(asked, [Measure(each, "side") for each in part.extents]))
    return False


def is_named(part: Part, structure: Structure) -> bool:
    """Whether the title block names the part by its number or title."""
    block = structure.drawing_metadata.title_block if structure.drawing_metadata else None
    fields = block.fields if block else {}
    titles = {_plain(fields.get(name, "")) for name in ("drawing_number", "part_number", "title")}
    names = {_plain(each) for each in (part.name, *part.numbers)}
    return any(
        len(title) >= _SHORTEST and len(name) >= _SHORTEST and (title in name or name in title)
        for title in titles
        for name in names
    )


def shows_several(parts: Sequence[Part], structure: Structure) -> bool:
    """Whether the title names further parts beside those of the model: `Hand, Flange and Pin`."""
    block = structure.drawing_metadata.title_block if structure.drawing_metadata else None
    title = block.fields.get("title", "") if block else ""
    if not _AND.search(title):
        return False
    pieces = [piece for each in _AND.split(title) for name in each.split(",") if (piece := _plain(name))]
    names = [_plain(each) for part in parts for each in (part.name, *part.numbers)]
    named = [any(len(name) >= _SHORTEST and name in (piece, f"{piece}s") for name in names) for piece in pieces]
    return any(named) and not all(named)


def joined(parts: Sequence[Part], structure: Structure) -> Part:
    """Several parts as one, with the box of all; the instances of a single part count once, because a drawing shows one."""
    if len(parts) == 1:
        return replace(parts[0], holes=tuple(replace(each, count=1) for each in parts[0].holes))
    first = parts[0]
    return replace(
        first,
        solids=tuple(name for part in parts for name in part.solids),
        holes=tuple(each for part in parts for each in part.holes),
        rounds=tuple(each for part in parts for each in part.rounds),
        radii=tuple(each for part in parts for each in part.radii),
        bevels=tuple(each for part in parts for each in part.bevels),
        lengths=tuple(each for part in parts for each in part.lengths),
        slots=tuple(each for part in parts for each in part.slots),
        extents=tuple(_extents(parts, structure)),
        gaps=tuple(sorted({each for part in parts for each in part.gaps})),
        flats=tuple(sorted({each for part in parts for each in part.flats})),
        line_lengths=frozenset(each for part in parts for each in part.line_lengths),
        slants=frozenset(each for part in parts for each in part.slants),
        has_freeform=any(part.has_freeform for part in parts),
        is_bent=any(part.is_bent for part in parts),
        thickness=max(part.thickness for part in parts),
    )


def _extents(parts: Sequence[Part], structure: Structure) -> Iterator[float]:
    """The sides of each part's box, and of the box of all of them."""
    for part in parts:
        yield from part.extents
    ids = {name for part in parts for name in part.solids}
    boxes = [solid.bbox for solid in _solids(structure) if solid.id in ids and solid.bbox is not None]
    if boxes and parts[0].extents:
        for axis in range(3):
            yield (max(box.max[axis] for box in boxes) - min(box.min[axis] for box in boxes)) * parts[0].factor


def _solids(structure: Structure) -> Sequence[Solid]:
    return structure.solids or ()


def _plain(text: str) -> str:
    return _SIGNS.sub("", text).casefold()

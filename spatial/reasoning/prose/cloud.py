"""A scene of point clouds in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from spatial.counting import count_of
from spatial.reasoning.prose.sentence import SAMPLED_DIGITS, Fact, Sentence, listing, quoted, sentence, size_of
from spatial.reasoning.scene.items.item import Item, union
from spatial.reasoning.scene.report import SceneReport


def cloud_sentences(items: Sequence[Item], units: str, report: SceneReport) -> Iterator[Sentence]:
    """How many there are, how large, of which kinds, and what stands on what."""
    if not items:
        return
    points = sum(len(item.geometry.points) for item in items if item.geometry)
    around = union(item.bounds for item in items)
    if around is None:
        yield sentence("the point clouds have no points", Fact("points", 0, "structure", "objects[].point_count"))
        return
    size = around[1] - around[0]
    unit = "" if units != "unknown" else ", in a unit that the scene does not state"
    yield sentence(
        f"the scene has {count_of(len(items), 'point cloud')} of {count_of(points, 'point')} in all, "
        f"within {size_of(size, units, SAMPLED_DIGITS)}{unit}",
        Fact("point clouds", len(items), "structure", "objects"),
        Fact("size", size.tolist(), "geometry", "objects[].bounds"),
    )
    yield from _kinds(items)
    yield from _largest(items, units)
    yield from standing(report)


def _kinds(items: Sequence[Item]) -> Iterator[Sentence]:
    kinds: Counter[str] = Counter(str(item.properties.get("kind")) for item in items)
    kinds.pop("unknown", None)
    if kinds:
        parts = [count_of(number, kind) for kind, number in kinds.most_common()]
        verb = "is" if sum(kinds.values()) == 1 else "are"
        yield sentence(
            f"by their stated kinds there {verb} {listing(parts)}",
            Fact("kinds", dict(kinds), "structure", "objects[].kind"),
        )


def _largest(items: Sequence[Item], units: str) -> Iterator[Sentence]:
    sized = [(item, item.bounds[1] - item.bounds[0]) for item in items if item.bounds is not None]
    sized.sort(key=lambda each: -float((each[1] ** 2).sum()))
    if sized:
        named = [f"{quoted(item.id)} of {size_of(size, units, SAMPLED_DIGITS)}" for item, size in sized[:3]]
        verb = "object measures" if len(items) == 1 else "largest is" if len(named) == 1 else "largest are"
        text = (
            f"the {verb} {size_of(sized[0][1], units, SAMPLED_DIGITS)}"
            if len(items) == 1
            else f"the {verb} {listing(named)}"
        )
        yield sentence(
            text, *(Fact(f"{item.id}: size", size.tolist(), "geometry", "objects[].bounds") for item, size in sized[:3])
        )


STANDING: Final = {
    "on": ("{} stands on another", "{} stand on another", " on "),
    "inside": ("{} lies within the hull of another", "{} lie within the hull of another", " within "),
    "adjacent": ("{} of objects touches sideways", "{} of objects touch sideways", " and "),
}
"""Of a relation: what is said of one pair, of several, and the word between the names of a pair."""


def standing(report: SceneReport) -> Iterator[Sentence]:
    """What stands on what, and what touches or lies within what else; pairs of the same names once, with their number."""
    names = {item.id: quoted(item.name or item.id) for item in report.items}
    for kind, (one, many, between) in STANDING.items():
        pairs = [
            (each.subject, each.object) for each in report.relations if each.type == kind and each.source == "geometry"
        ]
        if not pairs:
            continue
        counted = count_of(len(pairs), "pair" if kind == "adjacent" else "object")
        ends = Counter(between.join((names[first], names[second])) for first, second in pairs)
        parts = [ends_ if number == 1 else f"{ends_} ({number} times)" for ends_, number in ends.most_common()]
        fact = Fact(kind, [list(pair) for pair in pairs], "geometry", f"relations of the type {kind}")
        yield sentence(
            f"{(one if len(pairs) == 1 else many).format(counted)}: {listing(parts, 'further combination')}", fact
        )

"""Relations against the rule of docs/diagrams.md read pair by pair; the graph against a naive walk."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.understanding.diagram import relations as module
from spatial.understanding.diagram.graph import graph
from spatial.understanding.diagram.relations import MEET, relations
from tests.spatial.diagrams import edge, page, vertex

Box = tuple[float, float, float, float]
Told = set[tuple[str, str, str]]


def written_rule(placed: Mapping[str, Box], parents: Mapping[str, str | None]) -> Told:
    """docs/diagrams.md, Relations, without edges."""
    told: Told = {("contains", parent, name) for name, parent in parents.items() if parent is not None}
    for parent in set(parents.values()):
        told |= _family({name: placed[name] for name in placed if parents[name] == parent})
    return told


def _family(placed: Mapping[str, Box]) -> Told:
    sides = {name: (x, y, x + w, y + h) for name, (x, y, w, h) in placed.items()}
    area = {name: w * h for name, (_, _, w, h) in placed.items()}
    names, told = list(placed), set[tuple[str, str, str]]()

    def shared(one: str, other: str, axis: int) -> float:
        a, b = sides[one], sides[other]
        return min(a[axis + 2], b[axis + 2]) - max(a[axis], b[axis])

    def meet(one: str, other: str) -> bool:
        return shared(one, other, 0) > MEET and shared(one, other, 1) > MEET

    def within(inner: str, outer: str) -> bool:
        a, b = sides[inner], sides[outer]
        fits = all(b[axis] - MEET <= a[axis] and a[axis + 2] <= b[axis + 2] + MEET for axis in (0, 1))
        return inner != outer and meet(inner, outer) and fits and area[outer] > area[inner]

    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            if meet(one, other) and not within(one, other) and not within(other, one):
                told.add(("overlaps", one, other))
        holders = [other for other in names if within(one, other)]
        if holders:
            told.add(("contains", min(holders, key=area.__getitem__), one))
    solid = [name for name in names if area[name]]
    for axis, forward, backward in ((0, "left_of", "right_of"), (1, "above", "below")):
        apart = {(one, other) for one in solid for other in solid if shared(one, other, 1 - axis) <= MEET}
        told |= _neighbours(solid, sides, axis, (forward, backward), apart)
    return told


def _neighbours(
    names: list[str], sides: Mapping[str, Box], axis: int, words: tuple[str, str], apart: set[tuple[str, str]]
) -> Told:
    after, before = {}, {}
    for one in names:
        others = [other for other in names if other != one and (one, other) not in apart]
        right = [other for other in others if sides[other][axis] >= sides[one][axis + 2] - MEET]
        left = [other for other in others if sides[other][axis + 2] <= sides[one][axis] + MEET]
        if right:
            after[one] = min(right, key=lambda other: sides[other][axis])
        if left:
            before[one] = max(left, key=lambda other: sides[other][axis + 2])
    told = {(words[0], one, other) for one, other in after.items()}
    return told | {(words[1], one, other) for one, other in before.items() if after.get(other) != one}


def layout(seed: int) -> tuple[dict[str, Box], dict[str, str | None]]:
    """Up to 60 shapes, many on common lines, some tall, some empty, some in others."""
    chance = random.Random(seed)
    names = [f"n{place}" for place in range(chance.randrange(1, 60))]

    def length(most: int) -> float:
        return float(chance.randrange(most) * chance.choice((1, 10, 10)))

    placed = {name: (length(80), length(80), length(20), length(chance.choice((3, 20, 200)))) for name in names}
    parents = {
        name: chance.choice(names[:place]) if place and chance.random() < 0.3 else None
        for place, name in enumerate(names)
    }
    return placed, parents


@pytest.mark.requirement("diagram.relations-rule")
@pytest.mark.requirement("diagram.relations-found")
@pytest.mark.parametrize("seed", range(150))
def test_relations_are_those_of_the_written_rule(seed: int) -> None:
    placed, parents = layout(seed)
    found, cut = relations(placed, parents, [])
    triples = [(each["type"], each["subject"], each["object"]) for each in found]
    assert len(triples) == len(set(triples))
    assert set(triples) == written_rule(placed, parents)
    assert not cut


def _edge(id: str, source: str, target: str) -> dict[str, Any]:
    return {"id": id, "source": source, "target": target}


@pytest.mark.requirement("diagram.relations-rule")
def test_edges_are_named_and_relate_what_they_connect() -> None:
    placed = {"a": (0.0, 0.0, 10.0, 10.0), "b": (20.0, 0.0, 10.0, 10.0), "c": (100.0, 50.0, 10.0, 10.0)}
    joined = [_edge("e1", "b", "a"), _edge("e2", "a", "c"), _edge("e3", "c", "a"), _edge("e4", "a", "a")]
    found, _ = relations(placed, dict.fromkeys(placed), joined)
    assert found == [
        {"type": "left_of", "subject": "a", "object": "b", "via_edge": "e1"},
        {"type": "left_of", "subject": "a", "object": "c", "via_edge": "e2"},
    ]


@pytest.mark.requirement("diagram.relations-rule")
def test_containment_is_told_once() -> None:
    found = page(vertex("g", (0, 0, 100, 100)), vertex("a", (10, 10, 10, 10), parent="g"), vertex("b", (30, 50, 9, 9)))
    assert [tuple(each.values()) for each in found["relations"]] == [("contains", "g", "a"), ("contains", "g", "b")]


@pytest.mark.requirement("diagram.relations-rule")
def test_too_many_relations_are_cut_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RELATED", 5)
    found, cut = relations(
        {f"n{x}": (x * 20.0, 0.0, 10.0, 10.0) for x in range(20)}, dict.fromkeys([f"n{x}" for x in range(20)]), []
    )
    assert len(found) == 5 and cut


@pytest.mark.requirement("diagram.relations-rule")
def test_of_shapes_on_one_spot_no_more_pairs_are_named_than_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[module.Relation] = []

    def counted(*family: Any) -> Any:
        for relation in _of_family(*family):
            named.append(relation)
            yield relation

    _of_family = module._of_family
    monkeypatch.setattr(module, "_of_family", counted)
    shapes = {f"s{number}": (10.0, 10.0, 20.0, 20.0) for number in range(500)}
    found, is_cut = relations(shapes, dict.fromkeys(shapes), [])
    assert is_cut and len(found) == module.RELATED
    assert len(named) == module.RELATED + 1


@pytest.mark.requirement("diagram.relations-rule")
def test_piles_and_giants_end() -> None:
    pile = {f"n{place}": (0.0, 0.0, 10.0, 10.0) for place in range(300)} | {"giant": (-1e12, -1e12, 2e12, 2e12)}
    found, _ = relations(pile, dict.fromkeys(pile), [])
    assert sum(each["type"] == "overlaps" for each in found) == 300 * 299 / 2
    assert sum(each["type"] == "contains" for each in found) == 300


ARROWS = st.sampled_from([("none", "none"), ("none", "classic"), ("classic", "none"), ("oval", "classic")])


@pytest.mark.requirement("diagram.graph-rule")
@pytest.mark.requirement("diagram.graph-computed")
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), max_size=7),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), ARROWS), max_size=10),
)
def test_the_graph_is_that_of_a_naive_walk(kinds: list[tuple[bool, bool]], joins: list[Any]) -> None:
    nodes = [{"id": f"n{n}", "is_text": text, "is_container": frame} for n, (text, frame) in enumerate(kinds)]
    edges = [
        {
            "source": f"n{a}" if a < len(nodes) else None,
            "target": f"n{b}" if b < len(nodes) else None,
            "directed": heads != ("none", "none"),
            "bidirectional": "none" not in heads,
            **({"end_arrow": heads[1]} if heads[1] != "none" else {}),
        }
        for a, b, heads in joins
    ]
    assert graph(nodes, edges) == walked(nodes, edges)


def walked(nodes: list[dict[str, Any]], edges: list[dict[str, Any]]) -> dict[str, Any]:
    """docs/diagrams.md, Graph."""
    touched = {each[end] for each in edges for end in ("source", "target")}
    names = [n["id"] for n in nodes if n["id"] in touched or not (n["is_text"] or n["is_container"])]
    joined = [each for each in edges if each["source"] and each["target"]]
    one_way: dict[str, set[str]] = {name: set() for name in names}
    out, into = set(), set()
    near: dict[str, set[str]] = {name: {name} for name in names}
    for each in joined:
        source, target = each["source"], each["target"]
        near[source].add(target)
        near[target].add(source)
        if each["bidirectional"]:
            out |= {source, target}
            into |= {source, target}
        elif each["directed"]:
            first, last = (source, target) if "end_arrow" in each else (target, source)
            out.add(first)
            into.add(last)
            one_way[first].add(last)
    return {
        "node_count": len(names),
        "edge_count": len(edges),
        "components": len({frozenset(reached(name, near)) for name in names}),
        "roots": [name for name in names if name in out and name not in into],
        "sinks": [name for name in names if name in into and name not in out],
        "isolated": [name for name in names if name not in touched],
        "has_cycle": any(name in reached(after, one_way) for name in names for after in one_way[name]),
    }


def reached(start: str, near: Mapping[str, set[str]]) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        for other in near[waiting.pop()] - seen:
            seen.add(other)
            waiting.append(other)
    return seen


@pytest.mark.requirement("diagram.graph-computed")
def test_the_graph_of_a_page() -> None:
    cells = [vertex(name, (place * 100, 0, 40, 20)) for place, name in enumerate("abcd")]
    cells += [
        vertex("caption", (0, 300, 90, 20), "words", "text;"),
        vertex("frame", (0, 400, 90, 90), style="swimlane;"),
    ]
    cells += [edge("1", "a", "b"), edge("2", "b", "c"), edge("3", "c", "b"), edge("4", "c")]
    assert page(*cells)["graph"] == {
        "node_count": 4, "edge_count": 4, "components": 2, "roots": ["a"], "sinks": [], "isolated": ["d"],
        "has_cycle": True,
    }  # fmt: skip

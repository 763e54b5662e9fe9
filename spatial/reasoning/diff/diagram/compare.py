"""The differences of two diagrams: pages, then nodes and edges page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from spatial.contract.diagram import DiagramPage
from spatial.contract.extraction import CadExtraction
from spatial.reasoning.diff.alignment import Alignment
from spatial.reasoning.diff.assignment import Match, assign, placed, rest, unique_matches
from spatial.reasoning.diff.diagram import edges, nodes
from spatial.reasoning.diff.diagram.graph import PageGraph
from spatial.reasoning.diff.diagram.match import match_nodes
from spatial.reasoning.diff.outcome import Outcome
from spatial.reasoning.diff.section import Change, Lone, PairScore, Section
from spatial.reasoning.diff.similarity import normal_text

PAGE_LIMIT = 0.7
"""Cost above which two pages are different ones: fewer than about a third of their labels agree."""


@dataclass
class _Found:
    """What was found so far, over all pages."""

    added: list[Lone] = field(default_factory=list)
    removed: list[Lone] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    unchanged: int = 0
    pairs: list[PairScore] = field(default_factory=list)

    def take(self, changes: Sequence[Change]) -> None:
        """The changes of one pair."""
        self.changes += changes
        self.unchanged += not changes

    def section(self, name: str, noun: str) -> Section:
        """All of it."""
        return Section(name, noun, self.added, self.removed, self.changes, self.unchanged, self.pairs)


def compare_diagrams(previous: CadExtraction, current: CadExtraction) -> Outcome:
    """Every difference of two diagrams, with the shift of every page."""
    first, second = _pages(previous), _pages(current)
    matches = _match_pages(first, second)
    pages, node_rows, edge_rows = _Found(), _Found(), _Found()
    alignments: dict[str, Alignment] = {}
    for match in matches:
        before, after = first[match.previous], second[match.current]
        pages.take(_page_changes(before, after))
        alignments[after.id] = _compare_pages(PageGraph(before), PageGraph(after), node_rows, edge_rows)
    for place in rest(len(first), [match.previous for match in matches]):
        _take_lone(first[place], pages.removed, node_rows.removed, edge_rows.removed)
    for place in rest(len(second), [match.current for match in matches]):
        _take_lone(second[place], pages.added, node_rows.added, edge_rows.added)
    sections = (node_rows.section("nodes", "node"), edge_rows.section("edges", "edge"), pages.section("pages", "page"))
    return Outcome("diagram2d", sections, alignments)


def _pages(document: CadExtraction) -> list[DiagramPage]:
    structure = document.structure
    return list(structure.pages or ()) if structure else []


def _match_pages(previous: Sequence[DiagramPage], current: Sequence[DiagramPage]) -> list[Match]:
    """By id with name, by name, by id, then by what their labels share."""
    found: list[Match] = []
    for key in (lambda page: (page.id, page.name), lambda page: page.name, lambda page: page.id):
        before = rest(len(previous), [match.previous for match in found])
        after = rest(len(current), [match.current for match in found])
        keys = [key(previous[place]) for place in before]
        found += placed(unique_matches(keys, [key(current[place]) for place in after]), before, after)
    before = rest(len(previous), [match.previous for match in found])
    after = rest(len(current), [match.current for match in found])
    cost = np.array([[_page_cost(previous[row], current[column]) for column in after] for row in before])
    return found + placed(assign(cost.reshape(len(before), len(after)), PAGE_LIMIT), before, after)


def _page_cost(previous: DiagramPage, current: DiagramPage) -> float:
    first, second = (Counter(normal_text(node.label) for node in page.nodes) for page in (previous, current))
    total = first.total() + second.total()
    return 1.0 - 2.0 * (first & second).total() / total if total else 0.0


def _page_changes(previous: DiagramPage, current: DiagramPage) -> list[Change]:
    found = []
    if previous.name != current.name:
        details = {"id": current.id, "previous": previous.name, "current": current.name}
        found.append(Change("renamed", details, f"page {previous.name!r} was renamed to {current.name!r}"))
    if previous.id != current.id:
        details = {"id": current.id, "previous_id": previous.id, "name": current.name}
        found.append(Change("redrawn", details, f"page {current.name!r} has another id"))
    return found


def _compare_pages(previous: PageGraph, current: PageGraph, node_rows: _Found, edge_rows: _Found) -> Alignment:
    page = current.page.id
    matches, alignment = match_nodes(previous, current)
    for changes in nodes.node_changes(previous, current, matches, alignment.transform, page):
        node_rows.take(changes)
    node_rows.pairs += nodes.scores(previous, current, matches)
    lonely = rest(len(previous.nodes), [match.previous for match in matches])
    node_rows.removed += [nodes.lone(previous.nodes[place], previous.page.id) for place in lonely]
    lonely = rest(len(current.nodes), [match.current for match in matches])
    node_rows.added += [nodes.lone(current.nodes[place], page) for place in lonely]
    partner = {previous.nodes[each.previous].id: current.nodes[each.current].id for each in matches}
    _compare_edges(previous, current, partner, alignment, edge_rows)
    return alignment


def _compare_edges(
    previous: PageGraph, current: PageGraph, partner: dict[str, str], alignment: Alignment, rows: _Found
) -> None:
    page = current.page.id
    matches = edges.match_edges(previous, current, partner)
    for changes in edges.edge_changes(previous, current, matches, partner, alignment.transform, page):
        rows.take(changes)
    for match in matches:
        before, after = previous.edges[match.previous], current.edges[match.current]
        rows.pairs.append(PairScore(before.id, after.id, 1.0 - match.cost))
    lonely = rest(len(previous.edges), [match.previous for match in matches])
    rows.removed += [edges.lone(previous.edges[place], previous, previous.page.id) for place in lonely]
    lonely = rest(len(current.edges), [match.current for match in matches])
    rows.added += [edges.lone(current.edges[place], current, page) for place in lonely]


def _take_lone(page: DiagramPage, pages: list[Lone], node_rows: list[Lone], edge_rows: list[Lone]) -> None:
    """A page of one document only, with all that is on it."""
    graph = PageGraph(page)
    pages.append(Lone({"id": page.id, "name": page.name}, repr(page.name)))
    node_rows += [nodes.lone(node, page.id) for node in graph.nodes]
    edge_rows += [edges.lone(edge, graph, page.id) for edge in graph.edges]

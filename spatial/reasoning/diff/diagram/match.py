"""Which node of the previous page became which node of the current one.

In this order: the same id with the same label; a neighbourhood that is unique on both pages (so repeated labels are told
apart by what they are connected to); then the assignment of least cost over ids, labels, places and matched neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np

from spatial.reasoning.diff.alignment import Alignment, common_shift
from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost, unique_matches
from spatial.reasoning.diff.diagram.graph import ROUNDS, Colours, PageGraph, own_description
from spatial.reasoning.diff.rigid import Rigid
from spatial.reasoning.diff.similarity import LARGE, difference, distances, text_distances
from spatial.reasoning.scene.model import Array

WEIGHTS: Final = {
    "label": Weight(0.30, "what a reader takes the node for"),
    "id": Weight(0.25, "editors keep ids while a node is edited, and give new ones to copies and redrawn nodes"),
    "neighbours": Weight(0.20, "tells repeated labels apart"),
    "place": Weight(0.15, "most nodes stay where they are between revisions"),
    "shape": Weight(0.05, "changes with restyling, too"),
    "parent": Weight(0.05, "nodes move between containers"),
}
"""Terms of the cost of a pair of nodes. id and place together outweigh the label: a node that stays is renamed."""

LIMIT: Final = 0.5
"""Cost above which two nodes are different ones: less than half of what describes them agrees."""

PASSES: Final = 3
"""Assignments: the first finds clear pairs, the next ones know these as neighbours."""

CLEAR: Final = 0.3
"""Cost up to which the pairs of an early pass are kept: the label alone may differ, or the id and a little more."""

SAME_PLACE: Final = 0.5
"""Pixels by which a node may be off and still be in its place: editors snap to whole pixels."""


def match_nodes(previous: PageGraph, current: PageGraph) -> tuple[list[Match], Alignment]:
    """Pairs of places in `nodes`, in the order of the previous page, and the shift of the page as a whole."""
    found = _anchors(previous, current)
    alignment = page_alignment(previous, current, found)
    for number in range(PASSES):
        is_last = number == PASSES - 1
        found += _assigned(previous, current, found, alignment.transform, LIMIT if is_last else CLEAR)
        alignment = page_alignment(previous, current, found)
    return sorted(found, key=lambda match: match.previous), alignment


def page_alignment(previous: PageGraph, current: PageGraph, matches: Sequence[Match]) -> Alignment:
    """The shift that most pairs share; diagrams are not rotated."""
    before = previous.centres[[match.previous for match in matches]]
    after = current.centres[[match.current for match in matches]]
    shifts = after - before
    return common_shift(shifts[~np.isnan(shifts).any(axis=1)], SAME_PLACE)


def _anchors(previous: PageGraph, current: PageGraph) -> list[Match]:
    """Pairs that are certain: by id with label and shape, then by a unique neighbourhood."""
    found = unique_matches(
        [(node.id, own_description(node)) for node in previous.nodes],
        [(node.id, own_description(node)) for node in current.nodes],
    )
    known: Colours = {}
    first, second = previous.colours(known), current.colours(known)
    for number in range(ROUNDS, 0, -1):
        before, after = _open(previous, current, found)
        # A node without connections says nothing of itself but its label, which nodes may exchange.
        keys = [_colour(previous, first[number], place) for place in before]
        others = [_colour(current, second[number], place) for place in after]
        found += placed(unique_matches(keys, others), before, after)
    return found


def _colour(graph: PageGraph, colours: list[int], place: int) -> Hashable:
    return colours[place] if graph.links[place] else None


def _open(previous: PageGraph, current: PageGraph, found: Sequence[Match]) -> tuple[list[int], list[int]]:
    """Places of both pages that have no pair yet."""
    return (
        rest(len(previous.nodes), [match.previous for match in found]),
        rest(len(current.nodes), [match.current for match in found]),
    )


def _assigned(
    previous: PageGraph, current: PageGraph, found: Sequence[Match], shift: Rigid, limit: float
) -> list[Match]:
    before, after = _open(previous, current, found)
    if not before or not after:
        return []
    if len(before) * len(after) > LARGE:
        return _by_label(previous, current, before, after)
    cost = total_cost(WEIGHTS, _terms(previous, current, before, after, found, shift))
    swapped = [previous.nodes[place].label for place in before] > [current.nodes[place].label for place in after]
    return placed(assign(cost, limit, swapped=swapped), before, after)


def _by_label(previous: PageGraph, current: PageGraph, before: Sequence[int], after: Sequence[int]) -> list[Match]:
    """Too many nodes for a table of costs: only labels that are unique among those without a pair."""
    keys = [own_description(previous.nodes[place]) for place in before]
    return placed(unique_matches(keys, [own_description(current.nodes[place]) for place in after]), before, after)


def _terms(
    previous: PageGraph,
    current: PageGraph,
    before: Sequence[int],
    after: Sequence[int],
    found: Sequence[Match],
    shift: Rigid,
) -> dict[str, Array]:
    first, second = [previous.nodes[place] for place in before], [current.nodes[place] for place in after]
    partner = {match.previous: match.current for match in found}
    reach = previous.sizes[before][:, None] + current.sizes[after][None, :]
    parents = [_parent(previous, place, partner) for place in before]
    return {
        "label": text_distances([node.label for node in first], [node.label for node in second]),
        "id": difference([node.id for node in first], [node.id for node in second]),
        "neighbours": _neighbours(previous, current, before, after, partner),
        "place": distances(previous.centres[before] + shift.translation[:2], current.centres[after], reach),
        "shape": difference([node.shape for node in first], [node.shape for node in second]),
        "parent": difference(parents, [current.parents[place] for place in after]),
    }


def _parent(graph: PageGraph, place: int, partner: dict[int, int]) -> int | None:
    """Place of the node's container on the current page; -1 if the container has no pair yet."""
    parent = graph.parents[place]
    return None if parent is None else partner.get(parent, -1)


def _neighbours(
    previous: PageGraph, current: PageGraph, before: Sequence[int], after: Sequence[int], partner: dict[int, int]
) -> Array:
    """(n, m) 1 - Dice coefficient of the connections to matched nodes; 0.5 where neither node has one."""
    first = [Counter((how, partner[other]) for how, other in previous.links[p] if other in partner) for p in before]
    taken = set(partner.values())
    second = [Counter((how, other) for how, other in current.links[p] if other in taken) for p in after]
    found = np.full((len(before), len(after)), 1.0)
    lonely = np.array([not each for each in first])[:, None] & np.array([not each for each in second])[None, :]
    found[lonely] = 0.5
    holders: dict[Hashable, list[int]] = {}
    for column, links in enumerate(second):
        for key in links:
            holders.setdefault(key, []).append(column)
    for row, links in enumerate(first):
        for column in {column for key in links for column in holders.get(key, ())}:
            shared = (links & second[column]).total()
            found[row, column] = 1.0 - 2.0 * shared / (links.total() + second[column].total())
    return found

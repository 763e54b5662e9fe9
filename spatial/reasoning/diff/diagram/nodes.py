"""Changes of the nodes of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from spatial.contract.diagram import DiagramNode
from spatial.reasoning.diff.assignment import Match
from spatial.reasoning.diff.diagram.graph import PageGraph, style_of
from spatial.reasoning.diff.diagram.match import SAME_PLACE
from spatial.reasoning.diff.fields import changed_fields, delta, fields_text
from spatial.reasoning.diff.rigid import Rigid
from spatial.reasoning.diff.section import Change, Lone, PairScore
from spatial.reasoning.scene.model import Array

CONTENT: Final = ("shape", "is_container", "is_text", "link", "attributes")
"""Members whose difference is a change of what the node says."""


def node_changes(
    previous: PageGraph, current: PageGraph, matches: Sequence[Match], shift: Rigid, page: str
) -> Iterator[list[Change]]:
    """The changes of every pair, after the shift of the page."""
    partner = {match.previous: match.current for match in matches}
    moves = _moves(previous, current, matches, shift)
    for match in matches:
        before, after = previous.nodes[match.previous], current.nodes[match.current]
        found = [*_renamed(before, after), *_restyled(before, after), *_redrawn(before, after)]
        found += _resized(before, after)
        found += _changed(before, after)
        found += _reparented(previous, current, match, partner)
        own = moves[match.previous]
        parent = previous.parents[match.previous]
        carried = moves.get(parent) if parent is not None else None
        # A node that moved just as its container did was not moved itself.
        if _differs(own, carried) and own is not None:
            found.append(_moved(before, after, own))
        yield [_on(page, each) for each in found]


def scores(previous: PageGraph, current: PageGraph, matches: Sequence[Match]) -> list[PairScore]:
    """The matching score of every pair."""
    return [
        PairScore(previous.nodes[each.previous].id, current.nodes[each.current].id, 1.0 - each.cost) for each in matches
    ]


def lone(node: DiagramNode, page: str) -> Lone:
    """A node of one page only."""
    details = {"id": node.id, "label": node.label, "shape": node.shape, "page": page}
    return Lone(details, node_name(node))


def node_name(node: DiagramNode) -> str:
    """The node in a sentence."""
    return repr(node.label) if node.label else f"without a label ({node.id})"


def _on(page: str, change: Change) -> Change:
    return Change(change.kind, {**change.details, "page": page}, change.text)


def _ids(previous: DiagramNode, current: DiagramNode) -> dict[str, Any]:
    other = {"previous_id": previous.id} if previous.id != current.id else {}
    return {"id": current.id, **other, "label": current.label}


def _renamed(previous: DiagramNode, current: DiagramNode) -> Iterator[Change]:
    if previous.label != current.label:
        details = _ids(previous, current) | delta(previous.label, current.label)
        yield Change("renamed", details, f"node {node_name(previous)} was renamed to {current.label!r}")


def _restyled(previous: DiagramNode, current: DiagramNode) -> Iterator[Change]:
    fields = changed_fields(style_of(previous), style_of(current))
    if fields:
        details = _ids(previous, current) | {"fields": fields}
        yield Change("restyled", details, f"node {node_name(current)} was restyled: {fields_text(fields)}")


def _redrawn(previous: DiagramNode, current: DiagramNode) -> Iterator[Change]:
    if previous.id != current.id:
        text = f"node {node_name(current)} has the id {current.id!r} instead of {previous.id!r}"
        yield Change("redrawn", _ids(previous, current), text)


def _changed(previous: DiagramNode, current: DiagramNode) -> Iterator[Change]:
    before, after = (each.model_dump(include=set(CONTENT), exclude_none=True) for each in (previous, current))
    fields = changed_fields(before, after)
    if fields:
        details = _ids(previous, current) | {"fields": fields}
        yield Change("changed", details, f"node {node_name(current)} changed: {fields_text(fields)}")


def _resized(previous: DiagramNode, current: DiagramNode) -> Iterator[Change]:
    sizes = [None if each.bbox is None else (each.bbox.width, each.bbox.height) for each in (previous, current)]
    if sizes[0] is None or sizes[1] is None:
        return
    if max(abs(a - b) for a, b in zip(sizes[0], sizes[1], strict=True)) > SAME_PLACE:
        details = _ids(previous, current) | {"size": delta(*sizes)}
        text = f"node {node_name(current)} was resized from {_by(sizes[0])} to {_by(sizes[1])} pixels"
        yield Change("resized", details, text)


def _reparented(previous: PageGraph, current: PageGraph, match: Match, partner: dict[int, int]) -> Iterator[Change]:
    before, after = previous.parents[match.previous], current.parents[match.current]
    if (None if before is None else partner.get(before, -1)) == after:
        return
    node = current.nodes[match.current]
    names = [
        None if place is None else graph.nodes[place].id for graph, place in ((previous, before), (current, after))
    ]
    details = _ids(previous.nodes[match.previous], node) | {"parent": delta(*names)}
    text = f"node {node_name(node)} was moved from {_container(names[0])} to {_container(names[1])}"
    yield Change("reparented", details, text)


def _container(parent: str | None) -> str:
    return "the page" if parent is None else f"container {parent!r}"


def _moved(previous: DiagramNode, current: DiagramNode, shift: Array) -> Change:
    details = _ids(previous, current) | {"by": shift}
    text = f"node {node_name(current)} was moved by ({shift[0]:.6g}, {shift[1]:.6g}) pixels"
    return Change("moved", details, text)


def _moves(previous: PageGraph, current: PageGraph, matches: Sequence[Match], shift: Rigid) -> dict[int, Array | None]:
    """How far every matched node moved beyond the shift of the page: its upper left corner or its centre, whichever moved less."""
    found: dict[int, Array | None] = {}
    for match in matches:
        boxes = previous.nodes[match.previous].bbox, current.nodes[match.current].bbox
        if boxes[0] is None or boxes[1] is None:
            found[match.previous] = None
            continue
        corner = np.array([boxes[1].x - boxes[0].x, boxes[1].y - boxes[0].y])
        centre = corner + np.array([boxes[1].width - boxes[0].width, boxes[1].height - boxes[0].height]) / 2
        offset = shift.translation[:2]
        found[match.previous] = min((corner - offset, centre - offset), key=lambda each: float(np.abs(each).max()))
    return found


def _differs(own: Array | None, carried: Array | None) -> bool:
    if own is None:
        return False
    still = np.abs(own).max() <= SAME_PLACE
    if carried is None or np.abs(carried).max() <= SAME_PLACE:
        return not still
    return bool(np.abs(own - carried).max() > SAME_PLACE)


def _by(size: tuple[float, float]) -> str:
    return f"{size[0]:.6g} x {size[1]:.6g}"

"""How much an assembly unfolds into, from the text alone.

Thirty levels of assemblies that each place the next one twice take a few hundred lines and make a billion parts, and the
kernel unfolds them while it translates. So the product graph is read and counted first.

Glossary
  usage   one line of the graph: a product placed in another (NEXT_ASSEMBLY_USAGE_OCCURRENCE), or a representation mapped into
          another (MAPPED_ITEM).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import Final

from spatial.counting import count_of
from spatial.errors import ParseError
from spatial.formats.occt.assembly import DEPTH, PLACEMENTS, too_many
from spatial.formats.step.part21 import Part21

_TEXT: Final = rb"(?:'(?:[^']|'')*'|\$|\*)\s*,\s*"
_USAGE: Final = re.compile(rb"NEXT_ASSEMBLY_USAGE_OCCURRENCE\s*\(\s*" + _TEXT * 3 + rb"#\s*(\d+)\s*,\s*#\s*(\d+)")
_MAPPED_ITEM: Final = re.compile(rb"#\s*(\d+)\s*=\s*MAPPED_ITEM\s*\(\s*" + _TEXT + rb"#\s*(\d+)")
_REPRESENTATION_MAP: Final = re.compile(rb"#\s*(\d+)\s*=\s*REPRESENTATION_MAP\s*\(\s*#\s*\d+\s*,\s*#\s*(\d+)")
_SHAPE: Final = re.compile(rb"\w+\s*\(\s*" + _TEXT * 2 + rb"#\s*(\d+)")
_SHAPED: Final = re.compile(rb"SHAPE_DEFINITION_REPRESENTATION\s*\(\s*#\s*(\d+)")
_ITEMS: Final = re.compile(rb"#\s*(\d+)\s*=\s*[A-Z_0-9]*REPRESENTATION\s*\(\s*" + _TEXT + rb"\(([^()]*)\)")

Graph = dict[int, Counter[int]]
"""For each parent, how often it places each child."""


def require_bounded(text: Part21, file_name: str) -> None:
    """Raises: ParseError where an assembly holds itself, is too deep, or unfolds into more than PLACEMENTS."""
    for graph, shaped in ((_products(text), _shaped(text)), (_representations(text), frozenset())):
        placements, depth = unfolded(graph, shaped)
        if placements is None:
            raise ParseError(
                f"{file_name}: an assembly contains itself; correct the assembly and export it again",
                details={"phase": "assembly"},
            )
        if depth > DEPTH:
            raise ParseError(
                f"{file_name}: assemblies are nested {count_of(depth, 'level')} deep, and at most {DEPTH} are read; "
                "send the sub-assemblies as files of their own",
                details={"phase": "assembly", "depth": depth, "limit": DEPTH},
            )
        if placements > PLACEMENTS:
            raise too_many(placements, file_name)


def unfolded(graph: Graph, shaped: Collection[int] = ()) -> tuple[int | None, int]:
    """How many placements all roots unfold into, and how deep; None where the graph has a circle.

    shaped: nodes that have a shape; those that place nothing else place it as often as they are placed.
    """
    parents: dict[int, set[int]] = defaultdict(set)
    waiting = {parent: len(children) for parent, children in graph.items()}
    for parent, children in graph.items():
        for child in children:
            parents[child].add(parent)
    ready = [child for child in parents if child not in graph]
    size: dict[int, int] = {}
    level: dict[int, int] = {}
    while ready:
        node = ready.pop()
        children = graph.get(node, Counter())
        size[node] = (node in shaped and node not in graph) + sum(
            count * (1 + size[child]) for child, count in children.items()
        )
        level[node] = max((1 + level[child] for child in children), default=0)
        for parent in parents[node]:
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
    if any(waiting.values()):
        return None, 0
    roots = [node for node in graph if not parents.get(node)]
    return sum(1 + size[root] for root in roots), max((level[root] for root in roots), default=0)


def _graph(usages: Iterable[tuple[int, int]]) -> Graph:
    graph: Graph = defaultdict(Counter)
    for parent, child in usages:
        graph[parent][child] += 1
    return dict(graph)


def _products(text: Part21) -> Graph:
    return _graph((int(match.group(1)), int(match.group(2))) for match in _USAGE.finditer(text.text))


def _shaped(text: Part21) -> frozenset[int]:
    """The product definitions that have a shape."""
    if b"NEXT_ASSEMBLY_USAGE_OCCURRENCE" not in text.text:
        return frozenset()
    instances = text.instances("PRODUCT_DEFINITION_SHAPE")
    shapes = {number: int(found[1]) for number, statement in instances if (found := _SHAPE.match(statement))}
    represented = (int(match.group(1)) for match in _SHAPED.finditer(text.text))
    return frozenset(shapes[number] for number in represented if number in shapes)


def _representations(text: Part21) -> Graph:
    """Older files place parts by mapping one representation into another."""
    if b"MAPPED_ITEM" not in text.text:
        return {}
    mapped = {int(match.group(1)): int(match.group(2)) for match in _REPRESENTATION_MAP.finditer(text.text)}
    items = {
        int(match.group(1)): mapped[int(match.group(2))]
        for match in _MAPPED_ITEM.finditer(text.text)
        if int(match.group(2)) in mapped
    }
    return _graph(
        (int(match.group(1)), items[int(number)])
        for match in _ITEMS.finditer(text.text)
        for number in re.findall(rb"#\s*(\d+)", match.group(2))
        if int(number) in items
    )

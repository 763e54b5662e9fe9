"""The objects of a diagram: its pages, where there are several, and the nodes of each. Pixels, y points down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spatial.contract.diagram import DiagramNode, DiagramPage
from spatial.contract.extraction import Structure
from spatial.counting import count_of
from spatial.reasoning.scene.items.item import Item, flat, union


def diagram_items(structure: Structure) -> Iterator[Item]:
    """Of several pages, each page and then its nodes, whose ids begin with that of the page; of one, the nodes alone."""
    pages = structure.pages or []
    for page in pages:
        nodes = list(_nodes(page, prefix_of(page, pages)))
        if len(pages) > 1:
            yield _page(page, nodes)
        yield from nodes


def prefix_of(page: DiagramPage, pages: list[DiagramPage]) -> str:
    """What the ids of a page's nodes begin with; the same rule as that of `scene.build`."""
    return f"{page.id}/" if len(pages) > 1 else ""


def _page(page: DiagramPage, nodes: list[Item]) -> Item:
    return Item(
        id=page.id,
        type="page",
        name=page.name or None,
        bounds=union(node.bounds for node in nodes),
        bounds_source="geometry",
        bounds_rule=f"the box around {count_of(len(nodes), 'node')}",
        is_flat=True,
        properties={"node_count": len(page.nodes), "edge_count": len(page.edges)},
    )


def _nodes(page: DiagramPage, prefix: str) -> Iterator[Item]:
    known = {node.id for node in page.nodes}
    for node in page.nodes:
        held = node.parent if node.parent in known and node.parent != node.id else None
        hidden = (node.model_extra or {}).get("visible") is False
        box = node.bbox
        parent = f"{prefix}{held}" if held is not None else page.id if prefix else None
        yield Item(
            id=f"{prefix}{node.id}",
            type="container" if node.is_container else "text" if node.is_text else "node",
            name=node.label or None,
            parent=parent,
            bounds=None if box is None else flat((box.x, box.y), (box.x + box.width, box.y + box.height)),
            group=None if hidden else f"{page.id} {held or ''}",
            is_flat=True,
            properties=_properties(node, hidden),
        )


def _properties(node: DiagramNode, hidden: bool) -> dict[str, Any]:
    return {
        "shape": node.shape,
        "link": node.link,
        "attributes": node.attributes or None,
        "visible": False if hidden else None,
    }

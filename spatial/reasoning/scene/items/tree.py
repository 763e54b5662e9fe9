"""The assembly tree of a model: which listed object holds which.

A leaf of the product tree that places exactly one solid is that solid; every other placement is an object of its own, whose id
is its place in the tree: assembly-1 for the first root, assembly-1.2 for its second child.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from spatial.contract.extraction import AssemblyNode


@dataclass
class Branch:
    """One placement that is an object of its own. solids: ids of all solids at or below it."""

    id: str
    node: AssemblyNode
    parent: str | None
    solids: list[str] = field(default_factory=list)

    @property
    def is_assembly(self) -> bool:
        """Whether it places other products; otherwise it is a part of several solids, or of none."""
        return bool(self.node.children)


@dataclass
class Tree:
    """Branches in the order of the tree, parents first; per solid its parent and the name of its placement."""

    branches: list[Branch] = field(default_factory=list)
    parents: dict[str, str | None] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)


def assembly_tree(roots: Iterable[AssemblyNode]) -> Tree:
    """The tree of `structure.assembly`. A model of one part that is no assembly has no branch."""
    tree = Tree()
    for place, root in enumerate(roots, start=1):
        for branch, node in _walk(root, f"assembly-{place}"):
            _add(tree, branch, node)
    _collect(tree)
    return tree


def _walk(root: AssemblyNode, root_id: str) -> Iterator[tuple[Branch, AssemblyNode]]:
    """Every placement, parents before children; a stack, since trees may be deeper than Python's recursion."""
    waiting = [Branch(root_id, root, None)]
    while waiting:
        branch = waiting.pop()
        yield branch, branch.node
        below = [
            Branch(f"{branch.id}.{place}", child, branch.id)
            for place, child in enumerate(branch.node.children or (), start=1)
        ]
        waiting += reversed(below)


def _add(tree: Tree, branch: Branch, node: AssemblyNode) -> None:
    own = node.solids or []
    if len(own) == 1 and not node.children:
        tree.parents[own[0]] = branch.parent
        instance = (node.model_extra or {}).get("instance")
        if isinstance(instance, str) and instance:
            tree.instances[own[0]] = instance
        return
    branch.solids = list(own)
    tree.parents |= dict.fromkeys(own, branch.id)
    tree.branches.append(branch)


def _collect(tree: Tree) -> None:
    """Give every branch the solids of the branches below it, in the order of the tree."""
    by_id = {branch.id: branch for branch in tree.branches}
    for branch in tree.branches:
        branch.solids = []
    for solid, holder in tree.parents.items():
        above = holder
        while above is not None:
            by_id[above].solids.append(solid)
            above = by_id[above].parent

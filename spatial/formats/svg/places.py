"""Which element of an SVG stands in which, told by two numbers each instead of a walk up the tree for every `use`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lxml import etree

from spatial.formats import markup


class Places:
    """The order in which every `use` and every element that one can use begins, and how many have begun where it ends."""

    def __init__(self, root: Any, by_id: dict[str, Any]) -> None:
        self._spans: dict[Any, tuple[int, int]] = {}
        begun, open_ones = 0, list[tuple[Any, int]]()
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                name = element.get("id")
                if (name and by_id.get(name) is element) or markup.local(element) == "use":
                    open_ones.append((element, begun))
                    begun += 1
            elif open_ones and open_ones[-1][0] is element:
                _, first = open_ones.pop()
                self._spans[element] = (first, begun)

    def of(self, use: Any) -> int:
        """The place of a `use`."""
        return self._spans[use][0]

    def is_around(self, used: Any, places: Iterable[int]) -> bool:
        """Whether an element that can be used is, or holds, what stands at one of the places."""
        first, end = self._spans[used]
        return any(first <= place < end for place in places)

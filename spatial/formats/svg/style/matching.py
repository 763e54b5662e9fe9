"""Which elements a selector selects: elements of lxml as cssselect2 asks for them, within a budget of steps.

cssselect2 keeps a wrapper for every element and lists of all its ancestors and siblings; a drawing has a million elements,
and a selector of many steps visits ancestors again and again. These wrappers are made when asked for, and every visit counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from cssselect2 import ElementWrapper, Matcher

STEPS: Final = 5_000_000
"""Most visits of elements while selectors are matched: some seconds."""


class BudgetExceededError(Exception):
    """Selectors visit more elements than the budget allows."""


@dataclass(slots=True)
class Budget:
    """Visits that are left."""

    left: int = STEPS

    def spend(self, visits: int) -> None:
        """Count visits.

        Raises: BudgetExceededError where none are left.
        """
        self.left -= visits
        if self.left < 0:
            raise BudgetExceededError


class StyledElement(ElementWrapper):  # type: ignore[misc]  # cssselect2 has no types
    """An element as selectors see it."""

    in_html_document = False
    transport_content_language = None

    def __init__(self, element: Any, budget: Budget) -> None:
        self.etree_element = element
        self._budget = budget

    @cached_property
    def parent(self) -> StyledElement | None:
        """The element around it."""
        around = self.etree_element.getparent()
        return None if around is None else StyledElement(around, self._budget)

    @property
    def ancestors(self) -> Iterator[StyledElement]:
        """The elements around it, the nearest first."""
        each = self.parent
        while each is not None:
            self._budget.spend(1)
            yield each
            each = each.parent

    @property
    def previous(self) -> StyledElement | None:
        """The sibling before it."""
        before = next(self.etree_element.itersiblings("*", preceding=True), None)
        return None if before is None else StyledElement(before, self._budget)

    @property
    def previous_siblings(self) -> Iterator[StyledElement]:
        """The siblings before it, the nearest first."""
        return self._wrap(self.etree_element.itersiblings("*", preceding=True))

    @cached_property
    def etree_siblings(self) -> list[Any]:
        """Its parent's children."""
        around = self.etree_element.getparent()
        found = [self.etree_element] if around is None else list(around.iterchildren("*"))
        self._budget.spend(len(found))
        return found

    @cached_property
    def etree_children(self) -> list[Any]:
        """Its children."""
        found = list(self.etree_element.iterchildren("*"))
        self._budget.spend(len(found))
        return found

    @cached_property
    def index(self) -> int:
        """Its place among its parent's children, from 0."""
        return sum(1 for _ in self.previous_siblings)

    def iter_siblings(self) -> Iterator[StyledElement]:
        """It and its siblings, in order."""
        return self._wrap(iter(self.etree_siblings))

    def iter_next_siblings(self) -> Iterator[StyledElement]:
        """The siblings after it."""
        return self._wrap(self.etree_element.itersiblings("*"))

    def iter_children(self) -> Iterator[StyledElement]:
        """Its children."""
        return self._wrap(self.etree_element.iterchildren("*"))

    def iter_subtree(self) -> Iterator[StyledElement]:
        """It and everything in it, in document order."""
        return self._wrap(self.etree_element.iter("*"))

    def _wrap(self, elements: Iterator[Any]) -> Iterator[StyledElement]:
        for each in elements:
            self._budget.spend(1)
            yield StyledElement(each, self._budget)


def match(matcher: Matcher, element: Any, budget: Budget) -> list[Any]:
    """What the matcher holds for the selectors that select an element, the most specific last.

    Raises: BudgetExceededError.
    """
    # Selectors without id, class and type are tested on every element.
    budget.spend(1 + len(matcher.other_selectors))
    found = matcher.match(StyledElement(element, budget))
    budget.spend(len(found))
    return [payload for _, _, pseudo, payload in found if pseudo is None]

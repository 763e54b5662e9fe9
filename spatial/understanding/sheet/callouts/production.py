"""Productions of the grammar of callouts: what may stand at a place, by name, with its source and writings that are read by it.

Glossary
  production   a form of writing with a name: where its pattern matches, what it means is put into the members of a callout.
  example      a whole callout in which the production occurs, a member that it gives, and the member's value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Example:
    """A callout that is read by a production."""

    text: str
    member: str
    value: Any


@dataclass(frozen=True)
class Production(Generic[M]):
    """One form of writing; its pattern is compiled when it is first asked for."""

    name: str
    standard: str
    """Where it is prescribed or described; `practice` where sheets write it and no standard does."""
    written: str
    """Its pattern over a label's spelling."""
    meaning: M
    """What is done with a match."""
    examples: tuple[Example, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What matches it."""
        return re.compile(self.written)

    @property
    def documentation(self) -> str:
        """Its row in docs/callouts.md."""
        writings = ", ".join(f"`{example.text}`" for example in self.examples)
        members = ", ".join(dict.fromkeys(f"`{example.member}`" for example in self.examples))
        return f"| `{self.name}` | {self.standard} | {writings} | {members} |"


def production(name: str, standard: str, written: str, meaning: M, *examples: tuple[str, str, Any]) -> Production[M]:
    """A production with its examples as triples."""
    return Production(name, standard, written, meaning, tuple(Example(*each) for each in examples))


P = TypeVar("P", bound=Production[Any])


def named(productions: Iterable[P]) -> tuple[P, ...]:
    """The productions in the order in which they are tried.

    Raises:
        ValueError: two have one name, or one has no example.
    """
    found: dict[str, P] = {}
    for each in productions:
        if each.name in found:
            raise ValueError(f"two productions are called '{each.name}'; rename one of them")
        if not each.examples:
            raise ValueError(f"production '{each.name}' has no example; add a callout that it reads")
        found[each.name] = each
    return tuple(found.values())

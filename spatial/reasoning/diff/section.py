"""What changed in one part of a document: a section of `cad_scene_diff`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Kind = Literal["moved", "resized", "renamed", "restyled", "redrawn", "rewired", "reparented", "changed"]

KINDS: Final[tuple[Kind, ...]] = (
    "moved",
    "resized",
    "renamed",
    "restyled",
    "redrawn",
    "rewired",
    "reparented",
    "changed",
)
"""The kinds of change of a pair, in the order in which a section lists them."""

WITHOUT_EFFECT: Final[frozenset[Kind]] = frozenset({"redrawn"})
"""Kinds that leave the verdict `same`: an id names a thing and is not a part of it."""

LISTED: Final = 200
"""Most things that one list of a section names; `omitted` counts the others. A reader of a longer list looks at the document."""


@dataclass(frozen=True)
class Change:
    """One kind of change of one pair. details: the members of its JSON; text, further: the same as sentences."""

    kind: Kind
    details: Mapping[str, Any]
    text: str
    further: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lone:
    """A thing that only one of the two scenes has. details: how the diff names it; text: a name for sentences."""

    details: Mapping[str, Any]
    text: str


@dataclass(frozen=True)
class PairScore:
    """The matching score of a pair: 1 where everything agrees, 0 where nothing does."""

    previous: str
    current: str
    score: float


@dataclass(frozen=True)
class Section:
    """Changes of one sort of thing.

    name: member of `cad_scene_diff`; noun: what one thing is called in sentences.
    unchanged: number of pairs without any change.
    """

    name: str
    noun: str
    added: Sequence[Lone] = ()
    removed: Sequence[Lone] = ()
    changes: Sequence[Change] = ()
    unchanged: int = 0
    pairs: Sequence[PairScore] = field(default=())
    further: Mapping[str, Any] = field(default_factory=dict)
    """Further members of the section's JSON."""

    @property
    def is_same(self) -> bool:
        """Whether nothing changed that has an effect."""
        return not (self.added or self.removed or any(each.kind not in WITHOUT_EFFECT for each in self.changes))

    def counts(self) -> dict[str, int]:
        """Number of things per kind of change; kinds without any are left out."""
        found = {"added": len(self.added), "removed": len(self.removed)}
        found |= {kind: sum(each.kind == kind for each in self.changes) for kind in KINDS}
        return {kind: number for kind, number in found.items() if number}

    def statements(self) -> list[str]:
        """One sentence per change: what changed first, then what was added and removed."""
        ordered = [change for kind in reversed(KINDS) for change in self.changes if change.kind == kind]
        said = [line for change in ordered for line in (change.text, *change.further)]
        said += [f"{self.noun} {lone.text} was added" for lone in self.added]
        return said + [f"{self.noun} {lone.text} was removed" for lone in self.removed]

    def as_json(self) -> dict[str, Any]:
        """The section: a list per kind of change, and the number of unchanged pairs."""
        lists: dict[str, list[Mapping[str, Any]]] = {
            "added": [lone.details for lone in self.added],
            "removed": [lone.details for lone in self.removed],
        }
        lists |= {kind: [each.details for each in self.changes if each.kind == kind] for kind in KINDS}
        found: dict[str, Any] = {kind: rows[:LISTED] for kind, rows in lists.items() if rows}
        omitted = {kind: len(rows) - LISTED for kind, rows in lists.items() if len(rows) > LISTED}
        return found | ({"omitted": omitted} if omitted else {}) | {"unchanged": self.unchanged} | dict(self.further)

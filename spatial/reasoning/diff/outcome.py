"""What a comparison found, and how it is written as `cad_scene_diff` and as proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from spatial.reasoning.diff.alignment import Alignment
from spatial.reasoning.diff.section import LISTED, Section
from spatial.reasoning.scene.items.listing import Kind

STATEMENTS: Final = 100
"""Most sentences of a diff; `statements_omitted` counts the others, and the sections have them all."""


@dataclass(frozen=True)
class Outcome:
    """Sections and alignments of two scenes.

    alignments: by the page or the whole that they hold for; the one of the whole scene is under "scene".
    totals: sizes and masses of the scenes. deviations: signed distances, by the current object's id.
    """

    kind: Kind
    sections: Sequence[Section]
    alignments: Mapping[str, Alignment]
    totals: Mapping[str, Any] = field(default_factory=dict)
    deviations: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    debug: Mapping[str, Any] = field(default_factory=dict)
    headlines: Sequence[str] = ()
    """Sentences on the scenes as a whole, which come first."""

    @property
    def verdict(self) -> Literal["same", "changed"]:
        """`same` where no section has a change with an effect."""
        return "same" if all(section.is_same for section in self.sections) else "changed"

    def difference(self) -> dict[str, Any]:
        """`cad_scene_diff`."""
        counts: dict[str, int] = {}
        for section in self.sections:
            for kind, number in section.counts().items():
                counts[kind] = counts.get(kind, 0) + number
        statements = [*self.headlines, *(line for section in self.sections for line in section.statements())]
        found: dict[str, Any] = {"kind": self.kind, "verdict": self.verdict, "summary": counts}
        found["statements"] = statements[:STATEMENTS]
        if len(statements) > STATEMENTS:
            found["statements_omitted"] = len(statements) - STATEMENTS
        found["alignment"] = self._alignment_json()
        if self.totals:
            found["totals"] = self.totals
        return found | {section.name: section.as_json() for section in self.sections}

    def proof(self) -> dict[str, Any]:
        """Alignment, matching scores and deviations."""
        matching = {
            section.name: {"pairs": len(section.pairs), "lowest": _lowest(section)} for section in self.sections
        }
        found: dict[str, Any] = {"alignment": self._alignment_json(), "matching": matching}
        return found | ({"deviation": self.deviations} if self.deviations else {})

    def _alignment_json(self) -> dict[str, Any]:
        if set(self.alignments) == {"scene"}:
            return self.alignments["scene"].as_json()
        return {"pages": {page: each.as_json() for page, each in self.alignments.items()}}


def _lowest(section: Section) -> list[dict[str, Any]]:
    """The pairs with the lowest scores, which a reader checks first."""
    ordered = sorted(section.pairs, key=lambda pair: (pair.score, pair.current))
    return [{"previous": each.previous, "current": each.current, "score": each.score} for each in ordered[:LISTED]]

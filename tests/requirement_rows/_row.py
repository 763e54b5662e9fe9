"""One stated fact that a test proves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Part = Literal["drawings", "diagrams", "batches", "reasoning", "partners"]
"""A part of the service that is not built yet."""

PARTS: tuple[Part, ...] = get_args(Part)


@dataclass(frozen=True)
class Row:
    """A test wears the id: `@pytest.mark.requirement("error.404.unknown-route")`."""

    id: str
    fact: str
    """One sentence."""
    source: str
    """Where it is stated: a section of the spec, or a line of INTERPRETATION."""
    pending: Part | None = None
    """The later part that will prove it; a row that is pending has no test."""
    needs: str | None = None
    """What the machine must have for the proof: `chromium`. Without it the tests are skipped, and the run reports the row as unproven."""


def rows(
    source: str, facts: Mapping[str, str], *, pending: Part | None = None, needs: str | None = None
) -> tuple[Row, ...]:
    """One row per fact, all from one source."""
    return tuple(Row(name, fact, source, pending, needs) for name, fact in facts.items())

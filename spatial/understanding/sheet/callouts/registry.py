"""The rules that read callouts, in the order in which they are asked.

A callout type is a record in `spatial/contract/callout_types.py`, a rule in the file of its family here, and the rule's row below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from spatial.contract.callout_types import CALLOUT_NAMES
from spatial.understanding.sheet.callouts import (
    basic,
    chamfer,
    drill,
    fit,
    gdt,
    hole,
    hole_treatment,
    radius,
    reference,
    sizes,
    surface_finish,
    thread,
    tolerance,
)
from spatial.understanding.sheet.callouts.feature import SIZE, Rule

R = TypeVar("R", bound=Rule)


def registered(rules: Iterable[R]) -> tuple[R, ...]:
    """Rules of one stage, in the order in which they are asked.

    Raises:
        ValueError: two rules of the stage read one type, or a rule reads a type without a record.
    """
    known: dict[str, R] = {}
    for rule in rules:
        if rule.type in known:
            raise ValueError(f"two rules of one stage read callout type '{rule.type}'; remove one of their rows")
        if rule.type not in {*CALLOUT_NAMES, SIZE}:
            raise ValueError(
                f"a rule reads callout type '{rule.type}', which has no record; add it to spatial/contract/callout_types.py"
            )
        known[rule.type] = rule
    return tuple(known.values())


def require_rules(names: Iterable[str], rules: Sequence[Rule]) -> None:
    """Check that every callout type has a rule.

    Raises:
        ValueError: a type has none.
    """
    for name in names:
        if not any(rule.type == name for rule in rules):
            raise ValueError(
                f"no rule reads callout type '{name}'; add its rule in a file of its own under "
                "spatial/understanding/sheet/callouts and the rule's row to registry.py there"
            )


LABEL_RULES: Final = registered((gdt.DATUM, gdt.FRAME))
FEATURE_RULES: Final = registered(
    (
        thread.THREAD,
        drill.DRILL,
        surface_finish.SURFACE_FINISH,
        hole_treatment.SPOTFACE,
        hole_treatment.COUNTERBORE,
        hole_treatment.COUNTERSINK,
        chamfer.CHAMFER,
        radius.FULL_RADIUS,
        sizes.SIZES,
    )
)
SIZE_RULES: Final = registered(
    (basic.BASIC, reference.REFERENCE, fit.FIT, tolerance.TOLERANCE, tolerance.LIMIT, radius.RADIUS, hole.HOLE)
)
"""A size has the first type whose rule matches it; a plain length or angle has none."""

require_rules(CALLOUT_NAMES, [*LABEL_RULES, *FEATURE_RULES, *SIZE_RULES])

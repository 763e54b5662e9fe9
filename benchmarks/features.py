"""Features of parts that are made at random, with what is known of them: precision and recall per kind.

    python -m benchmarks features
    python -m benchmarks features --seed 30000 --parts 200

A block divided into cells with one feature each, some cut by others, crossed by a hole or a channel; in any pose, a quarter with round
walls in halves and a quarter with all faces as splines (tests/spatial/made_parts.py). A feature counts as found where its axis and every
size that it was made with agree (a thousandth).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from typing import Final

from OCP.gp import gp_Trsf

from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.contract.features import Feature
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import measure as measured
from spatial.models.brep.product import Node, Product
from spatial.models.reading import Units
from spatial.understanding.brep.features.recognise import features
from tests.spatial.made_parts import Made, made, made_further
from tests.spatial.made_scores import Score, score
from tests.spatial.made_turned import keyed, made_turned

SEED: Final = 20_000
"""The first of the parts' seeds. Rules are mended with those below 10,000."""

PARTS: Final = 60

MAKERS: Final[dict[str, Callable[[int], Made]]] = {
    "blocks": made,
    "further": made_further,
    "turned": made_turned,
    "keyed": keyed,
}
"""Blocks; blocks with slots along arcs, leaning pockets, broken floors and channels that cross; turned parts; shafts with a V-groove."""


def measure(stack: Stack) -> list[Table]:
    """The stack is not used: what is measured is the engine."""
    return [_table(SEED, PARTS, name) for name in MAKERS]


def main(options: list[str]) -> None:
    """Other parts, and what was missed or is false in them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks features")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--parts", type=int, default=PARTS)
    parser.add_argument("--made", choices=tuple(MAKERS), help="Only parts of this kind.")
    parser.add_argument("--list", action="store_true", help="Print each feature that was missed or is false.")
    chosen = parser.parse_args(options)
    for name in [chosen.made] if chosen.made else MAKERS:
        print(_table(chosen.seed, chosen.parts, name, listed=chosen.list).text())


def _table(first: int, count: int, name: str, *, listed: bool = False) -> Table:
    right, missed, false = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(first, first + count):
        part = MAKERS[name](seed)
        result = score(part.truth, _found(part))
        right.update(result.right)
        missed.update(each.kind for each in result.missed)
        false.update(kind for kind, _ in result.false)
        if listed:
            _print(seed, part, result)
    kinds = sorted({*right, *missed, *false})
    rows: list[tuple[str, ...]] = [
        (kind, f"{right[kind]} of {right[kind] + false[kind]}", f"{right[kind]} of {right[kind] + missed[kind]}")
        for kind in kinds
    ]
    note = f"{count} parts, seeds from {first}. Aim: all of all."
    return Table(f"features of random parts: {name}", ("kind", "precision", "recall"), rows, note)


def _found(part: Made) -> list[Feature]:
    """What the engine finds in a part, in millimetres."""
    nodes = [Node(None, Product("part", part.shape.wrapped), gp_Trsf())]
    model = measured(flatten(nodes, 1.0), Units(name="millimeter", found="declared"), 1.0, "step", [])
    return [Feature.model_validate(row) for row in features(model).structure.get("features", [])]


def _print(seed: int, part: Made, result: Score) -> None:
    for truth in result.missed:
        print(f"{seed} ({part.written}): missed {truth.kind} {truth.sizes}")
    for kind, feature in result.false:
        print(
            f"{seed} ({part.written}): false {kind} {feature.model_dump(exclude_none=True, exclude={'faces', 'solids'})}"
        )

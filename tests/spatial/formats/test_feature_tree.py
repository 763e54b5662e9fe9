"""Feature trees: volumes by formula, and what cannot be built."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from spatial.errors import ParseError
from spatial.formats.feature_tree.reader import MOST_FEATURES, read
from spatial.models.reading import Reading

Feature = dict[str, Any]

BLOCK: Feature = {"id": "b", "feature_type": "box", "size": [10, 20, 30], "units": "mm"}


def tree(*features: Feature) -> bytes:
    return json.dumps({"partner": "p", "document_id": "d", "feature_tree": features}).encode()


def reading(*features: Feature) -> Reading:
    return read(tree(*features), "tree.json").reading


def volumes(*features: Feature) -> dict[str, float]:
    """Volumes by id."""
    return {solid.id: solid.volume or math.nan for solid in reading(*features).structure.solids or ()}


def hole(**members: Any) -> Feature:
    return {
        "id": "h", "feature_type": "hole", "parent": "b", "position": [5, 10, 30], "diameter": 4, "through": True, **members,
    }  # fmt: skip


@pytest.mark.requirement("partners.features")
@pytest.mark.parametrize(
    ("feature", "volume"),
    [
        ({"feature_type": "box", "size": [2, 3, 4]}, 24),
        ({"feature_type": "box", "width": 2, "depth": 3, "height": 4}, 24),
        ({"feature_type": "cylinder", "radius": 2, "height": 5}, math.pi * 20),
        ({"feature_type": "cylinder", "diameter": 4, "height": 5, "axis": [1, 1, 0]}, math.pi * 20),
        ({"feature_type": "cone", "radius": 3, "top_radius": 1, "height": 6}, math.pi * 6 / 3 * (9 + 3 + 1)),
        ({"feature_type": "cone", "radius": 3, "height": 6}, math.pi * 18),
        ({"feature_type": "sphere", "radius": 3}, math.pi * 36),
        ({"feature_type": "extrude", "profile": [[0, 0], [4, 0], [0, 3]], "depth": 5}, 30),
        ({"feature_type": "extrude", "rectangle": {"width": 4, "height": 3}, "depth": 5}, 60),
        ({"feature_type": "extrude", "circle": {"radius": 2}, "depth": 5}, math.pi * 20),
        ({"feature_type": "revolve", "profile": [[3, 0], [5, 0], [5, 2], [3, 2]]}, 2 * math.pi * 4 * 4),
        ({"feature_type": "revolve", "profile": [[3, 0], [5, 0], [5, 2], [3, 2]], "angle": 90}, math.pi * 8),
    ],
)
def test_a_first_feature_has_the_volume_of_its_parameters(feature: Feature, volume: float) -> None:
    assert volumes({"id": "a", **feature}) == {"a": pytest.approx(volume, rel=1e-9)}


@pytest.mark.requirement("partners.features")
@pytest.mark.parametrize(
    ("features", "volume"),
    [
        ([hole()], 6000 - math.pi * 4 * 30),
        ([hole(through=False, depth=10)], 6000 - math.pi * 4 * 10),
        ([hole(position=[10, 10, 15], direction=[-1, 0, 0])], 6000 - math.pi * 4 * 10),
        (
            [hole(position=[5, 4, 30]),
             {"id": "r", "feature_type": "pattern", "of": "h", "count": 3, "direction": [0, 1, 0], "spacing": 6}],
            6000 - 3 * math.pi * 4 * 30,
        ),
        (
            [hole(position=[5, 5, 30]),
             {"id": "r", "feature_type": "pattern", "of": "h", "count": 2, "axis": [0, 0, 1], "origin": [5, 10, 0]}],
            6000 - 2 * math.pi * 4 * 30,
        ),
        ([{"id": "c", "feature_type": "box", "size": [10, 20, 10], "parent": "b", "operation": "cut"}], 4000),
        ([{"id": "c", "feature_type": "box", "size": [10, 20, 40], "parent": "b", "operation": "join"}], 8000),
        ([{"id": "c", "feature_type": "box", "size": [4, 5, 6], "parent": "b", "operation": "intersect"}], 120),
        (
            [{"id": "t", "feature_type": "box", "size": [5, 20, 30]},
             {"id": "u", "feature_type": "boolean", "operation": "cut", "target": "b", "tools": ["t"]}],
            3000,
        ),
    ],
)  # fmt: skip
def test_a_body_that_features_change_has_the_volume_of_them_all(features: list[Feature], volume: float) -> None:
    assert volumes(BLOCK, *features) == {"b": pytest.approx(volume, rel=1e-9)}


@pytest.mark.requirement("partners.features")
def test_edges_of_a_cylinder_are_chamfered_and_those_of_a_cube_are_rounded() -> None:
    pin = {"id": "p", "feature_type": "cylinder", "radius": 5, "height": 20}
    ring = math.pi * (25 - 16) * 1 - math.pi / 3 * (25 + 20 + 16) + math.pi * 16  # of 1 x 1 at one end, turned around
    assert volumes(pin, {"id": "c", "feature_type": "chamfer", "parent": "p", "distance": 1}) == {
        "p": pytest.approx(math.pi * 25 * 20 - 2 * ring, rel=1e-9)
    }
    cube, r = {"id": "q", "feature_type": "box", "size": [10, 10, 10]}, 2.0
    inner = 10 - 2 * r
    rounded = inner**3 + 6 * inner**2 * r + 3 * inner * math.pi * r**2 + 4 / 3 * math.pi * r**3
    assert volumes(cube, {"id": "f", "feature_type": "fillet", "parent": "q", "radius": r}) == {
        "q": pytest.approx(rounded, rel=1e-6)
    }


@pytest.mark.requirement("partners.features")
def test_an_instance_has_the_volume_of_its_body_at_another_place() -> None:
    moved = {"id": "i", "feature_type": "instance", "of": "b", "transform": [1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 0]}
    first, second = reading(BLOCK, moved).structure.solids or []
    assert [first.volume, second.volume] == pytest.approx([6000, 6000])
    assert first.center_of_mass is not None and second.center_of_mass is not None
    assert [b - a for a, b in zip(first.center_of_mass, second.center_of_mass, strict=True)] == pytest.approx(
        [100, 0, 0]
    )
    assert first.instance_of is None
    assert second.instance_of == "b"
    assert second.transform == (1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 0)


@pytest.mark.requirement("partners.broken")
def test_parents_that_are_no_features_or_form_a_circle_are_named() -> None:
    ball = {"feature_type": "sphere", "radius": 1}
    circle = [{"id": name, "parent": parent, **ball} for name, parent in (("p", "r"), ("q", "p"), ("r", "q"))]
    into = {"id": "s", "parent": "p", **ball}
    found = reading(BLOCK, *circle, into, {"id": "t", "parent": "nobody", **ball}, {"id": "u", "parent": "b", **ball})
    assert "the parents of p, r, q form a circle, so they count for nothing" in found.warnings
    assert "the parent of t is no feature of the tree, so it counts for nothing" in found.warnings
    assert len(found.structure.solids or []) == 7
    chain = [{"id": f"n{place}", "parent": f"n{place - 1}", **ball} for place in range(1, 40)]
    assert not [warning for warning in reading({"id": "n0", **ball}, *chain).warnings if "parent" in warning]


@pytest.mark.requirement("partners.broken")
@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"feature_type": "loft"}, "'loft' is not one that is built"),
        ({"feature_type": "fillet", "radius": 50}, "fillet"),
        ({"feature_type": "fillet", "radius": 1, "edges": ["e12"]}, "chosen by names"),
        ({"feature_type": "hole", "position": [5, 5, 30], "through": True}, "diameter"),
        ({"feature_type": "pattern", "of": "b", "count": 2, "spacing": 1}, "does not name a feature"),
        ({"feature_type": "box", "size": [1, 1, 1], "operation": "weld"}, "unknown"),
    ],
)
def test_a_feature_that_is_not_built_costs_its_own_body_alone(broken: Feature, reason: str) -> None:
    other = {"id": "o", "feature_type": "sphere", "radius": 1}
    found = reading(BLOCK, other, {"id": "x", "parent": "b", **broken})
    assert [solid.id for solid in found.structure.solids or ()] == ["o"]
    assert any("b has no solid" in warning and reason in warning for warning in found.warnings), found.warnings


@pytest.mark.requirement("partners.broken")
def test_what_is_no_tree_or_too_long_is_refused() -> None:
    with pytest.raises(ParseError, match="no feature tree"):
        read(b"[]", "tree.json")
    many = tree(*({"id": str(number), "feature_type": "note"} for number in range(MOST_FEATURES + 1)))
    with pytest.raises(ParseError, match="more than 5000 features"):
        read(many, "tree.json")


@pytest.mark.requirement("partners.features")
@pytest.mark.parametrize(
    ("units", "name", "found"),
    [("in", "inch", "declared"), (None, "millimeter", "assumed"), ("parsec", "millimeter", "assumed")],
)
def test_the_unit_is_that_of_a_feature_or_is_assumed(units: str | None, name: str, found: str) -> None:
    read_as = reading({**BLOCK, "units": units})
    assert (read_as.units.name, read_as.units.found) == (name, found)
    assert any("parsec" in warning for warning in read_as.warnings) == (units == "parsec")

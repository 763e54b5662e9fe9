"""Which features the faces of a PMI item belong to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

PATTERN: Final = "pattern"
"""Not named: a pattern lists its members, to which its faces belong."""

_SIDES: Final = (("faces", "features"), ("to_faces", "to_features"))


def with_features(items: Iterable[Mapping[str, Any]], features: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The items, each with the ids of the features of its faces as `features`, and of `to_faces` as `to_features`.

    Args:
        items: members of the document's `pmi`; `faces` lists objects with `bodies` and `faces`.
        features: members of `structure.features`, each with `solids` and `faces`.
    """
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for feature in features:
        if feature["type"] != PATTERN:
            for solid in feature["solids"]:
                for face in feature["faces"]:
                    owners[solid, face].append(feature["id"])
    return [_with_features(item, owners) for item in items]


def _with_features(item: Mapping[str, Any], owners: Mapping[tuple[str, str], Sequence[str]]) -> dict[str, Any]:
    found = dict(item)
    for faces, features in _SIDES:
        names = [
            name
            for reference in item.get(faces, ())
            for body in reference["bodies"]
            for face in reference["faces"]
            for name in owners.get((body, face), ())
        ]
        if names:
            found[features] = list(dict.fromkeys(names))
    return found

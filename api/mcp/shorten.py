"""Documents that are too long for a model's context: the first items of every long list, and where the rest is."""

from __future__ import annotations

from typing import Any, Final

from pydantic_core import to_json

from api.mcp.addresses import extraction_uri

ALIKE: Final = (10_000, 3_000, 1_000, 500)
"""Items of any list that are shown, tried from the left before lists are told apart: a large limit is to be used."""

COUNTS: Final = (200, 100, 50, 30, 20, 12, 8, 5, 3, 2, 1, 0)
"""Items of a telling list that are shown after that, tried from the left until the document is short enough."""

TELLING: Final = frozenset({"callouts", "rows", "items", "solids", "nodes", "edges", "output", "warnings"})
"""Lists that a reader of the document asks for first."""

OTHER_SHARE: Final = 4
"""So many items of a telling list are shown for one of another list."""

BULK: Final = frozenset({"entities", "points", "faces", "curves", "layers", "polyline", "vertices", "mesh"})
"""Lists whose single items say little; of them no more than BULK_SHOWN are shown."""

BULK_SHOWN: Final = 3

SHORT: Final = 16
"""Numbers of a list that is never cut, with those of the lists in it: a vector, a box, a matrix, three axes."""

MOST_OMISSIONS: Final = 12
"""Cut lists that are named."""


def shorten(
    document: Any, most_bytes: int, extraction_id: str | None = None, path: str = ""
) -> tuple[Any, list[dict[str, Any]]]:
    """The document with long lists cut so that its JSON has at most so many bytes, and what was cut.

    extraction_id: of the document, for the addresses of the rest. path: of `document` in it. A document whose lists are all empty may
    still be longer than that.
    """
    if size(document) <= most_bytes:
        return document, []
    cut: Any = document
    omitted: list[dict[str, Any]] = []
    # A list that is cut to so many items has two bytes for each at least, and without a cut the document is too long.
    for count in (*(each for each in ALIKE if 2 * each <= most_bytes), *COUNTS):
        omitted = []
        cut = _cut(document, path, count, extraction_id, omitted)
        if size(cut) <= most_bytes:
            break
    return cut, _named(omitted)


def size(value: Any) -> int:
    """Bytes of a value as compact JSON."""
    return len(to_json(value))


def _cut(value: Any, path: str, count: int, extraction_id: str | None, omitted: list[dict[str, Any]]) -> Any:
    if isinstance(value, dict):
        return {
            name: _cut(one, f"{path}.{name}" if path else name, count, extraction_id, omitted)
            for name, one in value.items()
        }
    if not isinstance(value, list):
        return value
    shown = min(len(value), _shown(value, path, count))
    if shown < len(value):
        row = {"member": path, "total": len(value), "shown": shown}
        omitted.append(row if extraction_id is None else {**row, "uri": extraction_uri(extraction_id, path, shown)})
    return [
        _cut(one, f"{path}.{place}" if path else str(place), count, extraction_id, omitted)
        for place, one in enumerate(value[:shown])
    ]


def _shown(value: list[Any], path: str, count: int) -> int:
    if _is_short(value):
        return len(value)
    name = path.rpartition(".")[2]
    if name in TELLING or count in ALIKE:
        return count
    return min(count // OTHER_SHARE, BULK_SHOWN if name in BULK else count)


def _is_short(value: list[Any]) -> bool:
    rows = [one if isinstance(one, list) else [one] for one in value[: SHORT + 1]]
    numbers = [number for row in rows for number in row[: SHORT + 1]]
    return len(rows) <= SHORT and len(numbers) <= SHORT and all(isinstance(one, int | float) for one in numbers)


def _named(omitted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outermost cuts first; many lists inside of lists are only counted."""
    ordered = sorted(omitted, key=lambda row: str(row["member"]).count("."))
    return ordered[:MOST_OMISSIONS]

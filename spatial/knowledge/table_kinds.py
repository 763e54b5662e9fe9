"""The kinds of tables of a drawing: one record per kind, told by the headings of its columns.

Glossary
  concept  what a column holds, whatever the language calls it: item, quantity, name, revision, …
  shape    concepts that make the kind where each has a column of its own.

A new kind is a record here; a new concept is a line of CONCEPTS and its words in the section `table_column` of the files in `labels/`.
Source: ASME Y14.34 (parts lists), ASME Y14.35 (revisions), ISO 7573 (item lists), DIN 6771, GOST 2.106, exporters' templates.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Final, TypeAlias

Shape: TypeAlias = tuple[str, ...]

CONCEPTS: Final = (
    "item", "quantity", "name", "part_number", "material", "remark", "weight", "further", "revision", "change", "description", "date",
    "by", "approved", "ecn", "zone", "sheet", "document", "hole", "x", "y", "bend", "bend_angle",
)  # fmt: skip
"""Each has words in the files of `labels/`; `further` is any other column of a parts list."""

LABELLED: Final = ("title_block", "gear_data", "spring_data")
"""What labels beside one value can belong to."""


@dataclass(frozen=True, slots=True)
class TableKind:
    """What is known of one kind of table."""

    name: str
    shapes: tuple[Shape, ...]
    """The surest first."""
    weak_shapes: tuple[Shape, ...] = ()
    """Shapes that other tables have too; they need rows that bear them out."""
    titled_shapes: tuple[Shape, ...] = ()
    """Shapes that are enough under a title of the kind."""
    key: str = ""
    """The concept whose column numbers the rows; empty where the first column does."""
    own_columns: frozenset[str] | None = None
    """Concepts of the columns that state nothing but what the table states; None where all do."""

    @property
    def all_shapes(self) -> tuple[Shape, ...]:
        """Sure and weak ones."""
        return self.shapes + self.weak_shapes


RECORDS: Final = (
    TableKind(
        "revisions",
        key="revision",
        shapes=(
            ("revision", "change", "date"),
            ("revision", "description", "date"),
            ("revision", "description", "ecn"),
            ("revision", "ecn", "date"),
            ("revision", "zone", "description"),
            ("revision", "description", "approved"),
            ("revision", "date", "by", "approved"),
            ("revision", "ecn", "by"),
            ("revision", "sheet", "by", "date"),
            ("revision", "change", "by"),
            ("change", "date", "by"),
            ("change", "date", "approved"),
            ("item", "change", "date"),
            ("revision", "date", "by"),
            ("ecn", "description", "date"),
        ),
        weak_shapes=(("revision", "date"),),
        titled_shapes=tuple(
            (first, second)
            for first in ("revision", "change", "ecn", "description")
            for second in ("date", "by", "description")
        ),
    ),
    TableKind(
        "hole table",
        shapes=(("hole", "x", "y"), ("item", "x", "y"), ("x", "y", "further")),
        own_columns=frozenset(("hole", "item", "x", "y")),
    ),
    TableKind("document list", shapes=(("document", "revision"), ("document", "date"))),
    TableKind("bend table", shapes=(("bend", "bend_angle", "bend_angle"),)),
    TableKind(
        "bom",
        key="item",
        shapes=(
            ("item", "quantity"),
            ("quantity", "name"),
            ("quantity", "part_number"),
            ("item", "name", "part_number"),
            ("item", "name", "material"),
            ("item", "part_number", "material"),
            ("item", "name", "remark"),
            ("item", "part_number", "remark"),
            ("item", "name", "further"),
        ),
        weak_shapes=(
            ("name", "part_number"),
            ("item", "name"),
            ("item", "part_number"),
            ("name", "material", "remark"),
            ("name", "material", "further"),
        ),
        titled_shapes=tuple(combinations(("item", "quantity", "name", "part_number", "material", "remark"), 2)),
    ),
    TableKind("variants", shapes=(("name", "part_number"),)),
)
"""In the order in which headings are compared."""

BOM_COLUMNS: Final = frozenset({"item", "quantity", "name", "part_number", "material", "remark", "weight", "further"})
"""Concepts of the columns of a parts list."""

CHANGE_COLUMNS: Final = frozenset(
    ("revision", "change", "description", "date", "by", "approved", "ecn", "zone", "sheet")
)
"""What columns of a revision table may hold."""


class TableKindError(Exception):
    """A record of a kind of table is wrong; the message says what to correct."""


def registered(records: tuple[TableKind, ...]) -> MappingProxyType[str, TableKind]:
    """`records` by name.

    Raises:
        TableKindError: a kind is registered twice or names an unknown concept.
    """
    for record in records:
        named = {concept for shape in (*record.all_shapes, *record.titled_shapes) for concept in shape}
        unknown = sorted((named | ({record.key} if record.key else set())) - set(CONCEPTS))
        if unknown:
            raise TableKindError(f"kind {record.name!r} names {unknown[0]!r}; add it to CONCEPTS or correct the record")
        if [each.name for each in records].count(record.name) > 1:
            raise TableKindError(f"kind {record.name!r} is registered twice; remove one record")
    return MappingProxyType({record.name: record for record in records})


KINDS: Final = registered(RECORDS)
"""Name to record."""

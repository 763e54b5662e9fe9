"""Whether what was found says enough to be the table that its headings make it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from spatial.knowledge.title_labels import folded, is_label
from spatial.understanding.sheet.tables.changes import are_revisions, is_lone_mark
from spatial.understanding.sheet.tables.found_table import FoundTable, Row
from spatial.understanding.sheet.tables.parts import are_documents, are_listed, are_variants

_LABELS_OF_FORM: Final = 3
"""Different labels of title-block fields among the rows of what is a form."""
_BODIES: Final[Mapping[str, Callable[[FoundTable], bool]]] = {
    "revisions": are_revisions, "bom": are_listed, "document list": are_documents, "variants": are_variants,
}  # fmt: skip
"""By kind, what its rows must be; those of other kinds may be anything."""


def first_table(kinds: Iterable[str], make: Callable[[str], FoundTable]) -> FoundTable | None:
    """The table of the first of `kinds` whose rows bear it out."""
    return next((found for kind in kinds if is_table(found := make(kind))), None)


def is_table(found: FoundTable) -> bool:
    """Whether what was found says enough to be that table."""
    if is_form(found.rows):
        return False
    if not any(sum(bool(each.text) for each in row) > 1 for row in found.rows):
        return is_lone_mark(found)
    return found.kind not in _BODIES or _BODIES[found.kind](found)


def is_form(rows: Sequence[Row]) -> bool:
    """Whether labels of title-block fields stand among the rows, not over them: a list has labels in its header alone."""
    labelled = [{folded(each.text) for each in row if each.text and is_label(each.text)} for row in rows]
    return sum(map(bool, labelled)) > 1 and len(set().union(*labelled)) >= _LABELS_OF_FORM

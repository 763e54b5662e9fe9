"""Rows of tables, notes, and the fields of the title block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from spatial.contract.drawing import Note, Table
from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost, unique_matches
from spatial.reasoning.diff.drawing.written import is_same_text, squeezed
from spatial.reasoning.diff.fields import delta, fields_text
from spatial.reasoning.diff.section import Change, Lone, PairScore, Section
from spatial.reasoning.diff.similarity import LARGE, difference, text_distances

Cells = Mapping[str, str]

WEIGHTS: Final = {
    "cells": Weight(0.5, "an edit changes few cells of a row"),
    "text": Weight(0.3, "and a part of their text"),
    "first": Weight(0.2, "the first column numbers the rows, and rows are renumbered together"),
}
"""Terms of the cost of two rows."""

LIMIT: Final = 0.65
"""Cost above which two rows are different ones: the item number alone does not make two rows the same."""

NOTE_WEIGHTS: Final = {
    "text": Weight(0.7, "an edit changes a part of a note"),
    "number": Weight(0.3, "notes are renumbered when one is inserted"),
}
"""Terms of the cost of two notes."""

NOTE_LIMIT: Final = 0.6
"""Cost above which two notes are different ones."""


def compare_table(name: str, noun: str, previous: Table | None, current: Table | None) -> Section:
    """The rows of two tables."""
    first, second = _rows(previous), _rows(current)
    matches = unique_matches([_key(row) for row in first], [_key(row) for row in second])
    before, after = _open(len(first), len(second), matches)
    if before and after and len(before) * len(after) <= LARGE:
        matches += _assigned(first, second, before, after)
    changes = [_row_change(noun, first[each.previous], second[each.current]) for each in matches]
    left, right = _open(len(first), len(second), matches)
    columns = delta(previous.columns if previous else None, current.columns if current else None)
    further = {"columns": columns} if columns.get("previous") != columns.get("current") else {}
    return Section(
        name,
        noun,
        added=[_lone(second[place]) for place in right],
        removed=[_lone(first[place]) for place in left],
        changes=[change for change in changes if change],
        unchanged=sum(change is None for change in changes),
        pairs=[PairScore(_name(first[m.previous]), _name(second[m.current]), 1.0 - m.cost) for m in matches],
        further=further,
    )


def compare_fields(previous: Cells, current: Cells) -> Section:
    """The fields of two title blocks."""
    names = sorted({*previous, *current})
    both = [name for name in names if name in previous and name in current]
    changes = [_field(name, previous[name], current[name]) for name in both]
    return Section(
        "title_block",
        "title block field",
        added=[_field_lone(name, current[name]) for name in names if name not in previous],
        removed=[_field_lone(name, previous[name]) for name in names if name not in current],
        changes=[change for change in changes if change],
        unchanged=sum(change is None for change in changes),
    )


def compare_notes(previous: Sequence[Note], current: Sequence[Note]) -> Section:
    """The notes of two sheets."""
    first, second = list(previous), list(current)
    matches = unique_matches(_note_keys(first), _note_keys(second))
    before, after = _open(len(first), len(second), matches)
    texts = [squeezed(first[place].text) or None for place in before]
    matches += placed(unique_matches(texts, [squeezed(second[place].text) for place in after]), before, after)
    before, after = _open(len(first), len(second), matches)
    if before and after and len(before) * len(after) <= LARGE:
        terms = {
            "text": text_distances([first[place].text for place in before], [second[place].text for place in after]),
            "number": difference([_number(first[p]) for p in before], [_number(second[p]) for p in after]),
        }
        found = assign(total_cost(NOTE_WEIGHTS, terms), NOTE_LIMIT, swapped=len(before) > len(after))
        matches += placed(found, before, after)
    changes = [_note_change(first[each.previous], second[each.current]) for each in matches]
    left, right = _open(len(first), len(second), matches)
    return Section(
        "notes",
        "note",
        added=[_note_lone(second[place]) for place in right],
        removed=[_note_lone(first[place]) for place in left],
        changes=[change for change in changes if change],
        unchanged=sum(change is None for change in changes),
        pairs=[PairScore(_number(first[m.previous]), _number(second[m.current]), 1.0 - m.cost) for m in matches],
    )


def _note_keys(notes: Sequence[Note]) -> list[tuple[str, str]]:
    return [(_number(note), squeezed(note.text)) for note in notes]


def _open(first: int, second: int, matches: Sequence[Match]) -> tuple[list[int], list[int]]:
    return rest(first, [match.previous for match in matches]), rest(second, [match.current for match in matches])


def _rows(table: Table | None) -> list[Cells]:
    rows = table.rows if table else []
    columns = table.columns if table else []
    # The cells in the order of the columns, so that the first one is the item number.
    return [{name: row[name] for name in (*columns, *row) if row.get(name)} for row in rows]


def _key(row: Cells) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, squeezed(text)) for name, text in row.items()))


def _name(row: Cells) -> str:
    return " ".join(list(row.values())[:2])


def _assigned(first: Sequence[Cells], second: Sequence[Cells], before: list[int], after: list[int]) -> list[Match]:
    rows, columns = [first[place] for place in before], [second[place] for place in after]
    terms = {
        "cells": np.array([[_cell_distance(row, column) for column in columns] for row in rows]),
        "text": text_distances([" ".join(row.values()) for row in rows], [" ".join(row.values()) for row in columns]),
        "first": difference([_first(row) for row in rows], [_first(row) for row in columns]),
    }
    swapped = [_key(row) for row in rows] > [_key(row) for row in columns]
    return placed(assign(total_cost(WEIGHTS, terms), LIMIT, swapped=swapped), before, after)


def _first(row: Cells) -> str:
    return squeezed(next(iter(row.values()), ""))


def _cell_distance(previous: Cells, current: Cells) -> float:
    names = {*previous, *current}
    same = sum(is_same_text(previous.get(name), current.get(name)) for name in names)
    return 1.0 - same / len(names) if names else 0.0


def _row_change(noun: str, previous: Cells, current: Cells) -> Change | None:
    names = dict.fromkeys([*current, *previous])
    fields = {
        name: delta(previous.get(name), current.get(name))
        for name in names
        if not is_same_text(previous.get(name), current.get(name))
    }
    if not fields:
        return None
    return Change(
        "changed", {"row": current, "fields": fields}, f"{noun} {_name(previous)!r} changed: {fields_text(fields)}"
    )


def _lone(row: Cells) -> Lone:
    return Lone({"row": row}, repr(_name(row)))


def _field(name: str, previous: str, current: str) -> Change | None:
    if is_same_text(previous, current):
        return None
    details = {"field": name, "previous": previous, "current": current}
    return Change("changed", details, f"title block field {name} changed from {previous!r} to {current!r}")


def _field_lone(name: str, value: str) -> Lone:
    return Lone({"field": name, "value": value}, f"{name} {value!r}")


def _number(note: Note) -> str:
    return str((note.model_extra or {}).get("item") or note.number)


def _note_change(previous: Note, current: Note) -> Change | None:
    fields: dict[str, Any] = {}
    if not is_same_text(previous.text, current.text):
        fields["text"] = delta(previous.text, current.text)
    if _number(previous) != _number(current):
        fields["number"] = delta(_number(previous), _number(current))
    if not fields:
        return None
    details = {"number": _number(current), "text": current.text, "fields": fields}
    return Change("changed", details, f"note {_number(previous)} changed: {fields_text(fields)}")


def _note_lone(note: Note) -> Lone:
    return Lone({"number": _number(note), "text": note.text}, f"{_number(note)} {note.text!r}")

"""Notes in the cell of a form that begins with what its tolerances do not hold for: they are no fields, and what forms print is no note."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import find_notes
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import Form, labelled_block

_EXCEPTIONS = ("UNLESS OTHERWISE SPECIFIED,", "WENN NICHT ANDERS ANGEGEBEN:")


def _with_cell(*rows: tuple[float, str], head: str) -> Form:
    """A block with a cell of lines under a head, each set in by so much."""
    form = labelled_block()
    form.box((230, 10, 290, 55))
    form.text(231, 51, head, 2.0)
    for place, (indent, text) in enumerate(rows):
        number, _, said = text.rpartition("|")
        if number:
            form.text(231, 47 - 3.5 * place, number, 2.0)
        form.text(231 + indent, 47 - 3.5 * place, said, 2.0)
    return form


def _read(form: Form) -> tuple[dict[str, str], list[str]]:
    """The named fields of the block, and the notes."""
    sheet = form.sheet()
    grids = {sheet.page: find_grids(sheet)}
    block = find_title_block([sheet], grids, frozenset())
    assert block is not None
    found = find_notes([sheet], grids, block.claimed)
    return dict(block.block.fields), [note.text for note in found.notes.items] if found else []


@pytest.mark.requirement("notes.exempted")
@pytest.mark.parametrize("head", _EXCEPTIONS)
@pytest.mark.parametrize("numbers", [("1", "2", "3"), ("1", "", "")], ids=str)
def test_a_list_whose_first_number_was_read_is_notes_and_states_no_unit_of_the_block(
    head: str, numbers: tuple[str, ...]
) -> None:
    texts = ["DIMENSIONS ARE IN MILLIMETERS", "ALL RADII 3.25", "SURFACE FINISH 3.2Ra"]
    rows = [(6.0, f"{number}|{text}") for number, text in zip(numbers, texts, strict=True)]
    fields, notes = _read(_with_cell(*rows, (2.0, "ANGULAR = ±"), head=head))
    assert notes == texts
    assert "units" not in fields
    assert fields["title"] == "Bearing cover"


@pytest.mark.requirement("notes.exempted")
@pytest.mark.parametrize("head", _EXCEPTIONS)
def test_statements_of_the_part_alone_under_such_a_head_are_notes(head: str) -> None:
    texts = ["SHOULDER RADIUS R = 2 mm.", "ROUGHNESS AT THE SHOULDERS: Ra 1.6", "ROUGHNESS AT THE SEATS: Ra 0.8"]
    assert _read(_with_cell(*((0.0, text) for text in texts), head=head))[1] == texts


@pytest.mark.requirement("notes.exempted")
def test_what_forms_print_under_such_a_head_is_no_note() -> None:
    printed = ["DIMENSIONS ARE IN MILLIMETERS", "SURFACE FINISH:", "TOLERANCES:", "LINEAR: ±0.1", "ANGULAR: ±1°"]
    fields, notes = _read(_with_cell(*((0.0, text) for text in printed), head=_EXCEPTIONS[0]))
    assert notes == []
    assert fields["units"] == "MILLIMETERS"

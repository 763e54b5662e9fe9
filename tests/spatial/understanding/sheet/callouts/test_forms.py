"""Callouts as the standards and national practice write them, and texts of drawings that call for nothing.

The tables are in `tests/sheets/callout_forms`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from spatial.understanding.sheet.callouts.context import context_of
from spatial.understanding.sheet.callouts.extract import extract_callouts
from tests.spatial.understanding.sheet.callouts.test_callouts import label, says

TABLES = Path(__file__).parents[4] / "sheets" / "callout_forms"
NO_CALLOUTS = "no_callouts"
GIVEN = ("at", "sheet_unit", "notes")
"""What a row gives beside the lettering: what ties it to the part, the unit of the sheet, its notes."""


def _rows(family: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((TABLES / f"{family}.toml").read_text("utf-8"))


def _forms() -> list[Any]:
    families = sorted(path.stem for path in TABLES.glob("*.toml") if path.stem != NO_CALLOUTS)
    return [
        pytest.param(text, [meaning] if isinstance(meaning, dict) else meaning, id=f"{source}: {text}")
        for family in families
        for source, rows in _rows(family).items()
        for text, meaning in rows.items()
    ]


@pytest.mark.requirement("callouts.forms")
@pytest.mark.parametrize(("text", "meanings"), _forms())
def test_a_form_means_what_its_source_says(text: str, meanings: list[dict[str, Any]]) -> None:
    given = meanings[0] if meanings else {}
    context = context_of(given.get("notes", []), unit=given.get("sheet_unit"))
    found = extract_callouts(label(text, given.get("at", "leader")), context)
    assert [each.type for each in found] == [meaning["type"] for meaning in meanings]
    for each, meaning in zip(found, meanings, strict=True):
        says(each, {name: value for name, value in meaning.items() if name not in GIVEN})


@pytest.mark.requirement("callouts.forms")
def test_the_tables_hold_hundreds_of_forms_from_many_sources() -> None:
    assert len(_forms()) > 400
    assert len({each.id.partition(":")[0] for each in _forms()}) > 30


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(
    "text",
    [pytest.param(text, id=f"{kind}: {text}") for kind, rows in _rows(NO_CALLOUTS).items() for text in rows["texts"]],
)
def test_what_is_another_thing_calls_for_nothing(text: str) -> None:
    assert extract_callouts(label(text, "free"), context_of([])) == []

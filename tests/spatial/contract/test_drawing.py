"""Callouts and drawing metadata."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.contract import examples
from spatial.contract.callout_types import SPEC_CALLOUT_NAMES
from spatial.contract.drawing import (
    TITLE_BLOCK_FIELDS,
    Callout,
    DrawingMetadata,
    Notes,
    Table,
    TitleBlock,
)
from spatial.contract.validation import check
from spatial.errors import InvalidRequest

LEAST = {"id": "c1", "type": "hole", "text": "Ø6", "source": "d1"}


def wrong_path(model: Any, value: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check(model, value)
    assert caught.value.details is not None
    return str(caught.value.details["field"])


@pytest.mark.requirement("callout.required")
@pytest.mark.parametrize("name", ["id", "type", "text", "source"])
def test_a_callout_requires_four_strings(name: str) -> None:
    assert wrong_path(Callout, {key: value for key, value in LEAST.items() if key != name}) == name
    assert wrong_path(Callout, {**LEAST, name: 7}) == name


@pytest.mark.requirement("callout.optional")
def test_a_callout_may_say_how_many_how_deep_and_where() -> None:
    more = {**LEAST, "quantity": 4, "through": False, "depth": 12.5, "position": [1.0, 2.0]}
    assert check(Callout, more).model_dump(mode="json", exclude_none=True) == more


@pytest.mark.requirement("callout.optional", "contract.strict")
@pytest.mark.parametrize(
    ("name", "value"),
    [("quantity", 1.5), ("quantity", "4"), ("quantity", 0), ("through", "yes"), ("depth", "1"), ("position", [1])],
)
def test_a_callout_refuses_other_types(name: str, value: Any) -> None:
    assert wrong_path(Callout, {**LEAST, name: value}) == name


@pytest.mark.requirement("callout.open")
def test_extra_properties_of_a_callout_are_kept() -> None:
    document = check(Callout, examples.CALLOUT).model_dump(mode="json", exclude_none=True)
    assert document == examples.CALLOUT
    assert document["diameter"] == 6.6


@pytest.mark.requirement("callout.types")
def test_the_twelve_callout_types() -> None:
    assert (
        *("thread", "hole", "counterbore", "countersink", "spotface", "tolerance"),
        *("fit", "radius", "chamfer", "surface_finish", "reference_dimension", "limit"),
    ) == SPEC_CALLOUT_NAMES
    for kind in SPEC_CALLOUT_NAMES:
        assert check(Callout, {**LEAST, "type": kind}).type == kind
    assert wrong_path(Callout, {**LEAST, "type": "no_such_type"}) == "type"


@pytest.mark.requirement("drawing-metadata.title-block-shape")
def test_a_title_block_has_fields_confidence_and_sources() -> None:
    whole: dict[str, Any] = {"fields": {"title": "X"}, "confidence": 0.5, "sources": {"title": ["a1", "a2"]}}
    assert check(TitleBlock, whole).model_dump(mode="json") == whole
    assert wrong_path(TitleBlock, {**whole, "confidence": 1.5}) == "confidence"
    assert wrong_path(TitleBlock, {**whole, "fields": {"title": 5}}) == "fields.title"
    assert wrong_path(TitleBlock, {**whole, "sources": {"title": "a1"}}) == "sources.title"


@pytest.mark.requirement("drawing-metadata.title-block-keys")
def test_the_known_keys_of_a_title_block() -> None:
    assert set(TITLE_BLOCK_FIELDS) == {
        *("title", "drawing_number", "part_number", "revision", "material", "finish", "scale", "sheet", "size"),
        *("drawn_by", "checked_by", "approved_by", "date", "weight", "tolerances", "units", "project", "customer"),
        *("company", "cage_code"),
    }
    assert len(TITLE_BLOCK_FIELDS) == 20


@pytest.mark.requirement("drawing-metadata.table-shape")
def test_a_table_has_columns_rows_and_confidence() -> None:
    whole: dict[str, Any] = {"columns": ["QTY"], "rows": [{"QTY": "4"}], "confidence": 1.0}
    assert check(Table, whole).model_dump(mode="json", exclude_none=True) == whole
    assert wrong_path(Table, {**whole, "rows": [{"QTY": 4}]}) == "rows.0.QTY"
    document = check(DrawingMetadata, {"bom": whole, "revisions": whole})
    assert document.bom == document.revisions


@pytest.mark.requirement("drawing-metadata.notes-shape")
def test_notes_have_numbered_items_and_confidence() -> None:
    whole: dict[str, Any] = {"items": [{"number": 1, "text": "DEBURR"}], "confidence": 0.9}
    assert check(Notes, whole).model_dump(mode="json", exclude_none=True) == whole
    assert wrong_path(Notes, {**whole, "items": [{"number": "1", "text": "DEBURR"}]}) == "items.0.number"

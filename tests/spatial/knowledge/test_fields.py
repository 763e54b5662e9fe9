"""One record per title-block key and per kind of table; a forgotten part is named with what to add."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spatial.contract.drawing import TITLE_BLOCK_FIELDS
from spatial.knowledge import fields, table_kinds
from spatial.knowledge.fields import FIELDS, RECORDS, FieldError, can_be, is_distinctive
from spatial.knowledge.table_kinds import TableKindError

BLANK = fields.Field("lens", bool)


@pytest.mark.requirement("vocabulary.records")
def test_records_are_in_the_order_of_the_contract() -> None:
    assert tuple(name for name, field in FIELDS.items() if field.is_documented) == TITLE_BLOCK_FIELDS


@pytest.mark.requirement("vocabulary.records")
@pytest.mark.parametrize(
    ("records", "documented", "reason"),
    [
        ((*RECORDS, RECORDS[0]), TITLE_BLOCK_FIELDS, "registers 'title' twice; remove one record"),
        (RECORDS, (*TITLE_BLOCK_FIELDS, "lens"), "TITLE_BLOCK_FIELDS names 'lens'; add its record to RECORDS"),
        (
            (*RECORDS, BLANK),
            TITLE_BLOCK_FIELDS,
            "'lens' is not documented; add it to TITLE_BLOCK_FIELDS in spatial/contract",
        ),
        (
            (*RECORDS, replace(BLANK, is_documented=False, part_of="camera")),
            TITLE_BLOCK_FIELDS,
            "'lens' is part of 'camera', which has no record; correct part_of",
        ),
        (RECORDS[::-1], TITLE_BLOCK_FIELDS, "in a different order; write both in the same"),
    ],
)
def test_a_forgotten_part_of_a_key_is_named(
    records: tuple[fields.Field, ...], documented: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(FieldError, match=reason):
        fields.registered(records, documented)


@pytest.mark.requirement("vocabulary.records")
@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (
            table_kinds.TableKind("cables", shapes=(("cable", "name"),)),
            "kind 'cables' names 'cable'; add it to CONCEPTS",
        ),
        (table_kinds.TableKind("cables", shapes=(), key="cable"), "kind 'cables' names 'cable'; add it to CONCEPTS"),
        (table_kinds.RECORDS[0], "kind 'revisions' is registered twice; remove one record"),
    ],
)
def test_a_wrong_kind_of_table_is_named(record: table_kinds.TableKind, reason: str) -> None:
    with pytest.raises(TableKindError, match=reason):
        table_kinds.registered((*table_kinds.RECORDS, record))


@pytest.mark.requirement("vocabulary.records")
@pytest.mark.parametrize(
    ("key", "text", "fits", "distinctive"),
    [
        ("scale", "1:2", True, True),
        ("scale", "2", True, False),
        ("scale", "12.03.2024", False, False),
        ("sheet", "1 von 2 Blatt", True, True),
        ("date", "3 août 2024", True, True),
        ("revision", "-", True, False),
        ("revision", "N/A", False, False),
        ("title", "Cover, 45° left", True, False),
        ("title", "Glass fabric ±45°", False, False),
        ("material", "EN AW-6061", True, True),
        ("material", "DO NOT SCALE DRAWING", False, False),
        ("tolerances", "DO NOT SCALE DRAWING 1", True, False),
        ("company", "Hoist GmbH", True, True),
        ("company", "精密有限公司", True, True),
        ("company", "Müller Maschinen GmbH & Co. KG", True, True),
        ("company", "3M Company", True, True),
        ("company", "12.4 kg", False, False),
        ("company", "KG 12,4", True, False),
        ("company", "Gewicht 12,4 kg", True, False),
        ("company", "1.2 AG", True, False),
        ("customer", "12.4 kg", False, False),
        ("title", "12.4 kg", False, False),
        ("size", "А3", True, True),
        ("title", "<TITLE>", False, False),
        ("title", "Ina Tarnow (tarnow@example.org)", False, False),
        ("title", "Bracket", True, False),
        ("weight", "1,5 кг", True, True),
    ],
)
def test_values_fit_their_keys(key: str, text: str, fits: bool, distinctive: bool) -> None:
    assert (can_be(key, text), is_distinctive(key, text)) == (fits, distinctive)


@pytest.mark.requirement("vocabulary.records")
def test_a_measured_area_is_no_finish() -> None:
    assert not any(can_be("finish", text) for text in ("2.82 dm2", "12,5 m²", "0.4 sq. ft"))
    assert can_be("finish", "Zn 12 c2C")

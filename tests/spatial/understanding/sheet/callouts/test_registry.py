"""A callout type is complete, or an error says what to add."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from spatial.contract.callout_types import CALLOUT_NAMES, CALLOUT_TYPES, CalloutType, registered
from spatial.understanding.sheet.callouts import registry
from spatial.understanding.sheet.callouts.feature import FeatureRule

DOCS = Path(__file__).parents[5] / "docs"
UNKNOWN = replace(CALLOUT_TYPES[0], name="no_such_type")


@pytest.mark.requirement("callouts.registry")
@pytest.mark.parametrize("each", CALLOUT_TYPES, ids=CALLOUT_NAMES)
def test_every_type_is_documented_with_its_record(each: CalloutType) -> None:
    page = (DOCS / "callouts.md").read_text().splitlines()
    row = each.documentation
    assert row in page, f"docs/callouts.md: the table of types lacks this row; add it:\n{row}"


@pytest.mark.requirement("callouts.registry")
def test_the_tables_of_bulk_ingest_name_every_type() -> None:
    row = f"| `type` | VARCHAR | {', '.join(CALLOUT_NAMES)} |"
    assert row in (DOCS / "tables.md").read_text().splitlines(), (
        f"docs/tables.md, view callouts: write this row:\n{row}"
    )


@pytest.mark.requirement("callouts.registry")
def test_a_type_is_registered_once_and_with_all_its_parts() -> None:
    with pytest.raises(ValueError, match="'no_such_type' is registered twice; remove one of its records"):
        registered([UNKNOWN, UNKNOWN])
    with pytest.raises(ValueError, match="'Weld seam' is not a word in snake_case; rename it"):
        registered([replace(UNKNOWN, name="Weld seam")])
    with pytest.raises(ValueError, match="'no_such_type' has no colour for the preview; add one as #rrggbb"):
        registered([replace(UNKNOWN, colour="")])
    with pytest.raises(ValueError, match="'no_such_type' has no documentation; add `writings` and `members`"):
        registered([replace(UNKNOWN, writings="")])


@pytest.mark.requirement("callouts.registry")
def test_a_type_without_a_rule_and_a_rule_without_a_type_are_refused() -> None:
    rule = FeatureRule("no_such_type", lambda place: None)
    with pytest.raises(
        ValueError, match=r"'no_such_type', which has no record; add it to spatial/contract/callout_types.py"
    ):
        registry.registered([rule])
    with pytest.raises(ValueError, match="two rules of one stage read callout type 'thread'"):
        registry.registered([*registry.FEATURE_RULES, registry.FEATURE_RULES[0]])
    with pytest.raises(
        ValueError, match="no rule reads callout type 'no_such_type'; add its rule in a file of its own"
    ):
        registry.require_rules(
            [*CALLOUT_NAMES, "no_such_type"], [*registry.LABEL_RULES, *registry.FEATURE_RULES, *registry.SIZE_RULES]
        )

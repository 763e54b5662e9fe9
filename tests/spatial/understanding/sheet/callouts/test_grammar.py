"""Productions before and behind a feature: each reads its examples, is documented, and holds in any combination."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.drill import DRILLS
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.callouts.gdt import INDICATORS, ZONES
from spatial.understanding.sheet.callouts.modifiers import BEHIND_CLASS, MODIFIERS
from spatial.understanding.sheet.callouts.prefix import QUANTITIES
from spatial.understanding.sheet.callouts.production import Example, Production, named, production
from spatial.understanding.sheet.callouts.thread import STANDARDS
from tests.spatial.understanding.sheet.callouts.test_callouts import label

DOCS = Path(__file__).parents[5] / "docs"
PRODUCTIONS: tuple[Production[Any], ...] = (
    *QUANTITIES,
    *STANDARDS,
    *DRILLS,
    *MODIFIERS,
    *BEHIND_CLASS,
    *ZONES,
    *INDICATORS,
)
EXAMPLES = [(each, example) for each in PRODUCTIONS for example in each.examples]


def _read(text: str) -> dict[str, Any]:
    first = extract_callouts(label(text), Context())[0]
    return first.model_dump(exclude_none=True)


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize(("each", "example"), EXAMPLES, ids=[f"{each.name}: {shown.text}" for each, shown in EXAMPLES])
def test_a_production_matches_its_example_and_gives_its_member(each: Production[Any], example: Example) -> None:
    assert any(each.pattern.match(example.text, at) for at in range(len(example.text)))
    assert _read(example.text)[example.member] == example.value


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize("each", PRODUCTIONS, ids=[each.name for each in PRODUCTIONS])
def test_every_production_is_documented(each: Production[Any]) -> None:
    rows = (DOCS / "callouts.md").read_text("utf-8").splitlines()
    assert each.documentation in rows, (
        f"docs/callouts.md: the table of productions lacks this row; add it:\n{each.documentation}"
    )


@pytest.mark.requirement("callouts.grammar")
def test_a_name_is_given_once_and_a_production_has_an_example() -> None:
    one = production("one", "practice", "a", None, ("Ø8 THRU", "through", True))
    with pytest.raises(ValueError, match="two productions are called 'one'; rename one of them"):
        named([one, one])
    with pytest.raises(ValueError, match="production 'none' has no example; add a callout that it reads"):
        named([production("none", "practice", "a", None)])


_BEFORE = {"": None, "4X ": 4, "4-": 4, "4 HOLES ": 4, "FOUR HOLES ": 4, "(4) ": 4}
_DEPTHS = {"": None, " ↧{}": "{}", " x {} DEEP": "{}", " {} TIEF": "{}", " DEPTH {}": "{}", " ↧{} MIN": "{}"}
_BEHIND: dict[str, dict[str, Any]] = {
    "": {},
    " TYP": {"typical": True},
    " EQ SP": {"equally_spaced": True},
    " ON Ø90 B.C.": {"bolt_circle_diameter": 90.0},
    " BOTH SIDES": {"sides": "both sides"},
}


@pytest.mark.requirement("callouts.grammar")
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(_BEFORE)),
    st.integers(20, 400).map(lambda tenths: tenths / 10),
    st.sampled_from(sorted(_DEPTHS)),
    st.integers(2, 90),
    st.lists(st.sampled_from(sorted(_BEHIND)), unique=True, max_size=3),
    st.booleans(),
)
def test_what_is_written_by_the_grammar_is_read_with_every_member(
    before: str, size: float, deep: str, depth: int, behind: list[str], has_comma: bool
) -> None:
    text = f"{before}Ø{size:g}{deep.format(depth)}{''.join(behind)}"
    found = _read(text.replace(".", ",") if has_comma and "B.C." not in text else text)
    expected: dict[str, Any] = {"type": "hole", "diameter": size, "quantity": _BEFORE[before]}
    expected |= {"depth": float(depth), "through": False} if deep else {"depth": None, "through": None}
    for part in behind:
        expected |= _BEHIND[part]
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.requirement("callouts.grammar")
def test_no_pattern_of_a_production_matches_nothing() -> None:
    assert not [each.name for each in PRODUCTIONS if re.compile(each.pattern).fullmatch("")]

"""The words of callouts of every language, each in the writings that it stands in, in small letters and in capitals."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from spatial.understanding.sheet.callouts.context import context_of
from spatial.understanding.sheet.callouts.extract import extract_callouts
from tests.spatial.understanding.sheet.callouts.test_callouts import label

LABELS: Final = Path(__file__).parents[5] / "spatial" / "knowledge" / "labels"
WRITINGS: Final[dict[str, tuple[tuple[str, ...], str, object]]] = {
    "through": (("Ø8 {}", "4x Ø8 {}", "M6 {}"), "through", True),
    "depth": (("Ø8 {} 12", "M6 {} 12", "4x M6 {} 12", "Ø8 {}: 12", "M6 {}12"), "depth", 12.0),
    "hole": (("4 {} Ø8", "4 {} M6", "Ø8 4 {}", "M6 4 {}"), "quantity", 4),
    "place": (("R5 4 {}", "Ø8 4 {}", "M6 4 {}"), "quantity", 4),
    "typical": (("R5 {}", "Ø8 {}", "M6 {}"), "typical", True),
    "spaced": (("4x Ø8 {}",), "equally_spaced", True),
    "counterbore": (("{} Ø11", "{} Ø11 ↧6"), "type", "counterbore"),
    "countersink": (("{} Ø12 x 90°", "{}\nØ12 X 90°"), "type", "countersink"),
    "spotface": (("{} Ø20",), "type", "spotface"),
    "chamfer": (("{} 1x45°", "1x45° {}", "4x {} 1x45°"), "type", "chamfer"),
    "around": (("R5 {}", "R1 max\n{}", "1,5 ±0,3 {}"), "sides", "all around"),
    "thread": (("{} M6", "M6 {}", "4x {} M6"), "type", "thread"),
}
_PATTERN: Final = re.compile(r"[\\\[\]()*+?^$|.]")
"""What makes a word of a file a pattern of several: these are read by `tests/sheets/callout_forms`."""


def _words() -> list[tuple[str, str, str]]:
    return [
        (path.stem, key, word.removesuffix(r"\w*"))
        for path in sorted(LABELS.glob("*.toml"))
        for key, words in tomllib.loads(path.read_text("utf-8")).get("callout", {}).items()
        if key in WRITINGS
        for word in words
        if not _PATTERN.search(word.removesuffix(r"\w*"))
    ]


@pytest.mark.requirement("callouts.forms")
@pytest.mark.parametrize(("language", "key", "word"), _words())
def test_a_word_says_the_same_in_small_letters_and_capitals(language: str, key: str, word: str) -> None:
    writings, member, value = WRITINGS[key]
    for written in {word, word.upper(), word.title()}:
        for writing in writings:
            text = writing.format(written)
            found = extract_callouts(label(text, "leader"), context_of([]))
            assert any(each.model_dump().get(member) == value for each in found), text

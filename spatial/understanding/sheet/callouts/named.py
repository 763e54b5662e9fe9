"""A callout behind the name of what it is of, where something ties both to the part: `BEARING SEAT Ø8 H7`, `MOUNTING: 4X M3 ↧6`.

Glossary
  name       words without figures before a callout.
  explicit   what can be nothing but a callout whatever stands before it: `Ø8 H7`, `R3.58`, `M3 ↧6`; `R2` may be a resistor, `M3x12` is a
             screw, and whether a lone `Ø8` is a hole or a shaft the name would have to say.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature, Members, Place, Size
from spatial.understanding.sheet.callouts.label_forms import rest_is_read
from spatial.understanding.sheet.callouts.scanner import Scanner
from spatial.understanding.sheet.callouts.spelling import Spelling, spell
from spatial.understanding.sheet.callouts.thread import names_fastener
from spatial.understanding.sheet.callouts.walk import walk
from spatial.understanding.sheet.label import Label

NAMED: Final = 0.85
"""Confidence of a callout behind a name, at most."""
MOST_NAME: Final = 40
"""Characters of a name; more is prose."""
MOST_WORDS: Final = 5
"""Of a name."""
_NO_NAME: Final = re.compile(
    rf"{words('all')}\s|(?i:SEE|VIEW|DETAIL|SECTION|SCALE|NOTE|USE|FOR|REV|ITEM|SHEET|DRAWING|BEND|UP|DOWN|DO|NOT?|NICHT)(?![^\W\d_])"
)
"""What begins an order, the caption of a view, or a statement on all."""
_WORD: Final = re.compile(r"\(?[^\W\d_Ø]{2,20}\.?\)?[\s,:/&-]{1,3}")


def read_named(label: Label, spelling: Spelling, context: Context) -> list[Feature]:
    """The explicit features behind a name, which are all that stands there; places are those of the whole spelling."""
    if label.role not in {"leader", "dimension"} or label.boxed:
        return []
    at = len(spelling.text) - len(spelling.text.lstrip())
    if _NO_NAME.match(spelling.text, at):
        return []
    for _ in range(MOST_WORDS):
        word = _WORD.match(spelling.text, at)
        if word is None or word.end() > MOST_NAME or names_fastener(word[0]):
            return []
        at = word.end()
        if parts := _explicit(spelling.text[at:], label, context):
            return [_behind(part, at) for part in parts]
    return []


def _explicit(rest: str, label: Label, context: Context) -> list[Feature]:
    """The features of what stands behind a name, where each is explicit and nothing else stands there."""
    spelling = spell(rest)
    parts, shared = walk(replace(label, lines=(rest,)), spelling, context)
    if not parts or not all(_is_explicit(part, shared, rest) for part in parts):
        return []
    place = Place(Scanner(spelling), context, label.role, frozenset())
    place.scan.at = parts[-1].end
    parts[0].members = {**shared, **parts[0].members}
    return parts if rest_is_read(place) else []


def _behind(part: Feature, begin: int) -> Feature:
    """A feature at its place in the whole label."""
    part.start, part.end, part.confidence = part.start + begin, part.end + begin, min(part.confidence, NAMED)
    return part


def _is_explicit(part: Feature, shared: Members, text: str) -> bool:
    is_counted = "quantity" in part.members or "quantity" in shared
    if part.size:
        return _is_explicit_size(part, part.size, is_counted=is_counted)
    if part.type == "thread":
        is_cut = part.members.get("pitch_is") != "coarse" or bool(part.members.keys() & {"depth", "through", "class"})
        return is_cut and part.confidence >= STANDARD_WRITING  # behind a name, `M8x30` is a screw of that length
    if part.type == "surface_finish":
        return "parameter" in part.members
    if part.type == "chamfer":
        return "angle" in part.members and not text.startswith("C", part.start)
    return True


def _is_explicit_size(part: Feature, size: Size, *, is_counted: bool) -> bool:
    if size.upper is not None or part.members.keys() & {"through", "depth", "called_hole"}:
        return True
    if size.sign == "Ø":
        return bool(size.classes) or size.other is not None or is_counted
    if size.sign in {"R", "SR", "CR"}:
        return bool(size.number.decimals) or is_counted
    return False

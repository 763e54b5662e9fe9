"""From a label to its callouts.

A stacked label (`Ø6.6 THRU` over `⌴Ø11 ↧6`) has several: the first has the whole text, each further one its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.contract.drawing import Callout
from spatial.knowledge.quantities import AT_ANGLE, HOLES
from spatial.knowledge.symbols import CHARACTERISTICS
from spatial.models.sheet.repairs import FROM_OUTLINES
from spatial.understanding.sheet.callouts import hole_treatment, surface_finish
from spatial.understanding.sheet.callouts.classify import classify_features
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import Feature
from spatial.understanding.sheet.callouts.gdt import without_frames
from spatial.understanding.sheet.callouts.label_forms import (
    is_bracketed_second_unit,
    is_mark_in_box,
    read_bracketed,
    read_extreme,
    read_squared,
)
from spatial.understanding.sheet.callouts.lettered import read_lettered
from spatial.understanding.sheet.callouts.named import read_named
from spatial.understanding.sheet.callouts.registry import LABEL_RULES
from spatial.understanding.sheet.callouts.scanner import decimal_value
from spatial.understanding.sheet.callouts.spelling import LONGEST, Spelling, spell, with_latin_letters
from spatial.understanding.sheet.callouts.walk import walk
from spatial.understanding.sheet.label import Label

FREE: Final = 0.9
"""Factor of the confidence of a label that nothing ties to the part: it may be lettering of another kind."""
CONFIDENCE_DIGITS: Final = 3
"""Decimals of a confidence in the document."""

_NEVER: Final = re.compile(
    r"(?i)\b(?:up|down|bend(?:ing)?|biegung|biegen|abkant\w*|gebogen|piega|pliage|plegado)\b.{0,40}?\d"  # bend notes of sheet metal
    r"|\bR\s?=?\s?[\d.,]{1,6}\s{0,3}K\s?=\s?[\d.,]{1,6}"  # the same by the factor K of the neutral line
    r"|(?<![\d.,])\d{1,4}(?:[.,]\d{1,3})?\s?:\s?\d{1,4}(?!\d)"  # scales
    rf"|https?:|(?!{AT_ANGLE})@|\bwww\.|\$|€|©"
    r"|\b(?:19|20)\d{2}([-./])\d{1,2}\1\d{1,2}\b|\b\d{1,2}([./-])\d{1,2}\2(?:19|20)?\d{2}\b(?!\s?\")"
)
_PLAIN: Final = re.compile(
    r"\s*\d{0,6}[.,]?\d{1,6}°?\s*|\s*\(?\d{1,4}\s?[xX×]\)?\s*|[^\dR▽]*|(?:\s{0,3}[+-]\s?\d{0,3}[.,]?\d{1,4}|\s{1,3}0){1,4}\s*"
)
"""A plain number; a quantity or deviations without a size, as ISO 13715 writes these at edges; a text without digits (but `FULL R`)."""
_RANGE_ROW: Final = re.compile(
    r"\s*(?P<low>\d{1,4}(?:[.,]\d{1,3})?)\s?(?:-|~|÷|\.{2,3}|(?i:to|bis|up\sto)\s)\s?(?P<high>\d{1,4}(?:[.,]\d{1,3})?)\s{0,3}±"
)
"""A row of a scale of general tolerances (ISO 2768-1): a range of sizes and their deviation."""
_CUT_OFF: Final = re.compile(r"(?:\s(?i:to|bis|hasta|jusqu'à)|;)\s*\Z")
"""The end of a line of a cell that goes on below, as in tables of holes."""
_PARTED: Final = re.compile(r"[.,]\d{1,3}\s\d{1,4}\s?±")
"""A number whose last digits stand apart before its deviation: `Ø.1 57±.012` of Ø.157, whose 1 is narrow."""
_OF_DATUMS: Final = frozenset(("gdt", "datum"))
"""Types whose letters name datums, which GOST 2.308 takes from the Russian alphabet."""
_NAME: Final = re.compile(r"[^\W\d_]{2,20}(?:[\s-]{1,2}[^\W\d_]{2,20}){0,3}")
"""Words without digits, no more than a name has."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
"""Behind all that a box says of a size it makes the box one of a diagram: `10-Bit SAR`."""
_COUNTED: Final = re.compile(r"\s*\d{1,2}\s?Ø\s?\d")
"""A number of holes with their diameter in one box is a name plate of steel structures: the count of a basic size stands beside its box."""
_HOLE_WORD: Final = re.compile(rf"(?<![^\W\d_]){HOLES}")
"""It is no name of a hole, but says that what follows is one."""
_TIMES: Final = re.compile(r"\d\s?[xX×]\s?\d")
"""Between the two sizes of a slot."""
_SHARED: Final = frozenset(("quantity", "typical", "equally_spaced", "bolt_circle_diameter"))
"""Members that hold for every feature of a stack when they stand before or behind it."""
_SAID: Final = frozenset(("quantity", "typical"))
"""Members that words behind a size in its box give: TYP, 2 PLC."""
_INTERNAL: Final = ("outside", "named", "bound", "reference", "boxed", "called_hole", "sign")
"""Members that only help to tell what a callout is."""


def extract_callouts(label: Label, context: Context) -> list[Callout]:
    """The callouts of a label; none where it is a plain size or prose."""
    return [_callout(feature, text, label, context) for feature, text in _features(label, context)]


def _features(label: Label, context: Context) -> list[tuple[Feature, str]]:
    """What a label asks for, each with its text."""
    text = label.text
    if not text.strip() or len(text) > LONGEST:
        return []
    if label.role == "frame" and (thread := _thread_in_frame(label, context)):
        return thread
    whole = next((feature for rule in LABEL_RULES if (feature := rule.read(label))), None)
    if whole:
        over = without_frames(label)  # `M3 ↧6` is often written over the frame that locates it
        return [*(_features(over, context) if over else ()), (whole, text)]
    if label.role in {"frame", "datum"}:
        return []
    if FROM_OUTLINES in label.repairs and any(map(_PARTED.search, label.lines)):
        return []
    spelling = spell(text)
    if whole_label := read_lettered(label, spelling) or read_squared(label, spelling, context):
        return whole_label
    is_plain = _PLAIN.fullmatch(spelling.text) and not (label.boxed or label.measured or surface_finish.is_value(label))
    if is_plain or _is_no_callout(label, spelling.text):
        return []
    return (
        read_bracketed(label, spelling, context)
        or read_extreme(label, spelling, context)
        or _stack(label, spelling, context)
    )


def _is_no_callout(label: Label, text: str) -> bool:
    """Whether a text with figures is no callout, or only a part of one."""
    if label.role == "free" and (_CUT_OFF.search(text) or _is_range_row(text)):
        return True
    return is_bracketed_second_unit(text) or is_mark_in_box(label, text) or _NEVER.search(text) is not None


def _thread_in_frame(label: Label, context: Context) -> list[tuple[Feature, str]]:
    """A thread in the place of the tolerance, none of whose numbers is one: `5/8-11 UNC - 3B ↧10` in a frame behind ⌖."""
    behind = label.text[1:].strip(" |")
    if label.text[:1] not in CHARACTERISTICS or not behind:
        return []
    found = _features(replace(label, lines=(behind,), cells=(), role="leader"), context)
    return found if found and found[0][0].type == "thread" else []


def _is_range_row(text: str) -> bool:
    """Whether a text is a row of a scale of general tolerances; `2-0.80±0.05` is a size twice."""
    found = _RANGE_ROW.match(text)
    return found is not None and decimal_value(found["low"]) < decimal_value(found["high"])


def _stack(label: Label, spelling: Spelling, context: Context) -> list[tuple[Feature, str]]:
    if _begins_with_name(label) and (under := _features(replace(label, lines=label.lines[1:]), context)):
        return under
    parts, shared = walk(label, spelling, context)
    parts = parts or read_named(label, spelling, context)
    if _is_slot(label, parts):
        shared |= parts[1].members
        parts = parts[:1]
    for place, part in enumerate(parts):
        for name, value in shared.items():
            if not place or name in _SHARED:
                part.members.setdefault(name, value)
    has_words = parts and _WORD.search(spelling.text, parts[-1].end) and _SAID.isdisjoint(parts[-1].members)
    is_boxed = label.boxed and not has_words and not _COUNTED.match(spelling.text)
    return classify_features(parts, label, spelling, context, boxed=is_boxed)


def _is_slot(label: Label, parts: Sequence[Feature]) -> bool:
    """Whether limits of two sizes with × between them are of one slot: `4.80` over `4.20 X 6.50` over `6.00 THRU`."""
    are_limits = [part.size is not None and part.size.other is not None for part in parts]
    return len(label.lines) == 3 and are_limits == [True, True] and _TIMES.search(label.lines[1]) is not None


def _begins_with_name(label: Label) -> bool:
    """Whether the first line at a leader names what the size under it is of: `BALL END` over `SPHERE R4`."""
    if label.role != "leader" or len(label.lines) != 2:
        return False
    first = label.lines[0].strip()
    is_feature = _HOLE_WORD.search(first) or any(word.match(first) for word in hole_treatment.WORDS)
    return _NAME.fullmatch(first) is not None and not is_feature


def _callout(feature: Feature, text: str, label: Label, context: Context) -> Callout:
    members = {name: value for name, value in feature.members.items() if value is not None and name not in _INTERNAL}
    if feature.members.get("through"):
        if feature.type != "thread":
            members.pop("depth", None)
    elif "through" in members and "depth" not in members:
        members.pop("through")
    if label.struck:
        members["struck"] = True
    if label.repairs:
        members["mended"] = list(label.repairs)
    return Callout.model_validate(
        {
            **members,
            "id": context.number(),
            "type": feature.type,
            "text": text if feature.type in _OF_DATUMS else with_latin_letters(text),
            "source": label.sources[0] if label.sources else "",
            "sources": list(label.sources),
            "position": label.position,
            "page": label.page,
            "role": label.role,
            "confidence": round(feature.confidence * (FREE if label.role == "free" else 1.0), CONFIDENCE_DIGITS),
        }
    )

"""Paragraphs that are no notes, whatever they say: sizes, callouts, places of a template, boxes of tolerances, captions of views."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.phrases import has_placeholder, is_notice
from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import BEGINS, Draft, is_about_whole_part
from spatial.understanding.sheet.notes.feature_lists import heads_features, is_sized_feature
from spatial.understanding.sheet.notes.instructions import is_instruction, permits
from spatial.understanding.sheet.notes.line import word_count
from spatial.understanding.sheet.notes.sentences import is_bracketed_sentence, is_exception, is_note
from spatial.understanding.sheet.notes.wrapping import begins_anew

_FEWEST_STACKED, _STACKED_WORDS = 3, 2
"""Lines of a sentence in a narrow cell, and words of one of them."""
_CENTRED: Final = 0.5
"""Letter heights between the middles of the lines of a caption, and by which their left ends differ."""
_FLUSH: Final = 0.3
"""Letter heights between the left ends of the lines of such a sentence in open space."""
_COLONS: Final = f" {''.join(COLONS)}"
"""What may stand behind the words of a caption."""
_FIGURES: Final = re.compile(r"[\d.,\s]*")
"""What most lettering of a drawing is, and no note: a size."""
_CLASS: Final = re.compile(r"\.?[X0]*(?:[.,][X0]*)?\s*[:=]?\s*(?:±|\+ ?/ ?-)\s?\d", re.IGNORECASE)
"""The tolerance of sizes with so many decimals: `X.X ±0.3`, `0.00: ±0.1`."""


def is_no_note(paragraph: Draft) -> bool:
    """Whether it is a size and nothing else, a place of a template, or a form's: most paragraphs are."""
    if not paragraph.parts and _FIGURES.fullmatch(paragraph.first.text):
        return True
    if _is_bracketed(paragraph) or heads_features(paragraph.first.text) or is_sized_feature(paragraph.text):
        return True
    return (
        has_placeholder(paragraph.text)
        or _is_stack(paragraph)
        or _is_tolerance_box(paragraph)
        or _has_unfilled_tolerances(paragraph)
    )


def _is_bracketed(paragraph: Draft) -> bool:
    """Whether a text in open space stands in brackets as a whole: it explains what stands over or beside it."""
    text = paragraph.text.strip()
    is_whole = text[:1] in "(\uff08" and text[-1:] in ")\uff09" and max(map(text.count, "(\uff08")) == 1
    if not is_whole or paragraph.first.cell >= 0:
        return False
    return not (is_about_whole_part(text) or is_notice(text) or is_bracketed_sentence(text))


def _is_stack(paragraph: Draft) -> bool:
    """Whether it is one or two words over one another, as forms set a sentence into a narrow cell: "DEBURR AND / BREAK SHARP / EDGES".

    In open space a sentence may be as narrow: its further lines begin with small letters, below each other, or it orders something.
    """
    lines = paragraph.lines
    if len(lines) < _FEWEST_STACKED or any(word_count(line.text) > _STACKED_WORDS for line in lines):
        return False
    is_sentence = (
        paragraph.first.cell < 0
        and begins_anew(lines[0])
        and all(
            line.text[:1].islower() and abs(line.box[0] - lines[0].box[0]) < _FLUSH * line.height for line in lines[1:]
        )
    )
    is_sentence |= paragraph.first.cell < 0 and not paragraph.text.isupper() and is_instruction(paragraph.text)
    is_sentence |= paragraph.first.cell < 0 and (BEGINS.match(paragraph.text) is not None or permits(paragraph.text))
    return not is_sentence


def _is_tolerance_box(paragraph: Draft) -> bool:
    """Whether a ruled cell begins with a line that says what its tolerances do not hold for: "UNLESS OTHERWISE SPECIFIED".

    In open space a label stands over them, `TOLERANCES:` over `X.X ±0.3`, and most of the lines are such.
    """
    if paragraph.first.cell >= 0:
        return is_exception(paragraph.first.text)
    wording = title_labels.read(paragraph.first.text) if paragraph.first.text.endswith(COLONS) else None
    classes = sum(_CLASS.match(line.text) is not None for line in paragraph.parts)
    return (
        wording is not None and wording.key == "tolerances" and not wording.value and 2 * classes > len(paragraph.parts)
    )


def _has_unfilled_tolerances(paragraph: Draft) -> bool:
    """Whether it ends in a label of tolerances over labels alone, none of which has a figure: nobody filled the box in."""
    if len(paragraph.lines) <= _FEWEST_STACKED:
        return False
    wordings = [title_labels.read(line.text) for line in paragraph.lines]
    bare = (at for at, said in enumerate(wordings) if said is not None and said.key == "tolerances" and not said.value)
    at = next(bare, None)
    entries = paragraph.lines[at + 1 :] if at is not None else []
    return (
        at is not None
        and len(entries) >= _FEWEST_STACKED
        and all(wordings[at + 1 :])
        and not any(sign.isdigit() for line in entries for sign in line.text)
    )


def is_centred_caption(drafts: Sequence[Draft]) -> bool:
    """Whether lines are centred under a name, as those of the caption of a view are: `PCB LAYOUT` over `GENERAL TOLERANCE ±0.05`.

    Sentences under one another begin below each other.
    """
    first, lines = drafts[0].first, [line for draft in drafts[1:] for line in draft.lines]
    h = max(first.height, 1e-9)
    return (
        first.cell < 0
        and bool(lines)
        and is_caption(drafts[0])
        and not is_about_whole_part(drafts[0].text)
        and all(abs(sum(line.box[::2]) - sum(first.box[::2])) / 2 < _CENTRED * h for line in lines)
        and all(abs(line.box[0] - first.box[0]) > _CENTRED * h for line in lines)
    )


def is_caption(draft: Draft) -> bool:
    """Whether it names what stands under it: no sentence, no figure."""
    text = draft.text
    has_figure = any(sign.isdigit() for sign in text)
    return not is_note(text) and text.rstrip(_COLONS)[-1:].isalpha() and not has_figure

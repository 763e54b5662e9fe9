"""A unit in words under its label alone in its cell, misspelt or with more said: the structure names it, whatever its form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.label_cells import is_ruled, label_count
from spatial.understanding.sheet.title_block.layout import Layout

_WORDS: Final = re.compile(r"[^\W\d_]{4,}(?: [^\W\d_]+){0,2}")


def readings(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """The words under a strong label of the unit, in a cell that holds nothing else."""
    wording = label.wording
    if wording is None or wording.key != "units" or wording.weak or wording.value or not is_ruled(layout, label):
        return []
    if len(given) != 1 or len(layout.inside[label.cell]) != 2 or label_count(layout, label.cell) > 1:
        return []
    value, text = given[0], tidy(given[0].text)
    is_under = value.box[3] < label.box[1] + 0.2 * label.height
    if not is_under or _WORDS.fullmatch(text) is None or is_template_text(text) or is_form_sentence(text):
        return []
    return [FieldReading("units", text, (label.source, value.source), "cell label", order=label.order)]

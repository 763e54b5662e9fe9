"""Compares the text layer of a drawing with what its embedded fonts draw, and repairs texts whose codes are wrong ([decision 50]).

What neither a map of codes nor the outlines say stays U+FFFD, with a warning that names its place.

[decision 50]: docs/decisions/0050-text-layers.md
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from spatial.counting import count_of
from spatial.knowledge.value_forms import UNREAD
from spatial.models.guard import attempt
from spatial.models.sheet.drawing import Drawing, Sheet, Text
from spatial.models.sheet.look_alikes import is_foreign, latinised
from spatial.models.sheet.repairs import FROM_OUTLINES, UNKNOWN
from spatial.understanding.sheet.outlined.classes import CLASSES, CYRILLIC
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import Row
from spatial.understanding.sheet.outlined.spelling import spell
from spatial.understanding.sheet.text_layer.codes import TO_SPELL, meanings
from spatial.understanding.sheet.text_layer.shapes import SeenFont, classes_of, see_fonts

CODES: Final = "wrong codes"
PLACES: Final = 5
"""Places of what was not read that a warning names."""
CYRILLIC_LETTERS: Final = 8
"""Letters that only Cyrillic has from which a drawing is lettered in it."""


def with_true_text(drawing: Drawing) -> Drawing:
    """The drawing with the texts that its fonts draw; warnings are added to those of the drawing, with which it shares the rest."""
    sheets = attempt("text layer", partial(_checked, drawing), drawing.sheets, drawing.warnings)
    for sheet in sheets:
        drawing.warnings += _unread(sheet)
    return drawing if sheets is drawing.sheets else replace(drawing, sheets=sheets)


def _checked(drawing: Drawing) -> list[Sheet]:
    """The sheets, as they are where no code is wrong."""
    meant = _meant(drawing)
    wrong = [[text for text in sheet.texts if _is_wrong(text, meant)] for sheet in drawing.sheets]
    if not any(wrong):
        return drawing.sheets
    repaired: dict[str, Text] = {}
    for sheet, texts in zip(drawing.sheets, wrong, strict=True):
        cyrillic = _is_cyrillic(sheet, meant)
        repaired |= {text.id: _text(text, meant, cyrillic=cyrillic) for text in texts}
    _fill(list(repaired.values()), meant)
    return [
        _repaired(sheet, repaired, drawing.warnings) if texts else sheet
        for sheet, texts in zip(drawing.sheets, wrong, strict=True)
    ]


@dataclass(slots=True)
class _Meaning:
    """What a glyph stands for."""

    sign: str
    """TO_SPELL of one whose outline is read."""
    font: SeenFont
    place: int


def _meant(drawing: Drawing) -> dict[int, _Meaning]:
    """Place in `Drawing.shapes` to what the glyph stands for, of those whose codes are wrong."""
    return {
        font.shapes[place]: _Meaning(sign, font, place)
        for font in see_fonts(drawing.shapes)
        for place, sign in meanings(font).items()
    }


def _repaired(sheet: Sheet, repaired: dict[str, Text], warnings: list[str]) -> Sheet:
    texts = [repaired.get(text.id, text) for text in sheet.texts]
    foreign = is_foreign([sign for text in texts for sign in text.text if not sign.isspace()])
    for text in texts:
        if text.id in repaired:
            text.text = latinised(text.text, foreign=foreign)
    read = sum(one.text != other.text for one, other in zip(texts, sheet.texts, strict=True))
    if read:
        warnings.append(
            f"page {sheet.page}: in {count_of(read, 'text')} the text layer says other characters than its fonts draw; what is drawn "
            "was read"
        )
    return replace(sheet, texts=texts, rule_lines=None)


def _fill(texts: list[Text], meant: dict[int, _Meaning]) -> None:
    """Give glyphs that their neighbours leave open the character that they are elsewhere: one glyph is one character."""
    votes: dict[int, set[str]] = defaultdict(set)
    open_ = {shape for shape, meaning in meant.items() if meaning.sign == TO_SPELL}
    for text in texts:
        for sign, shape in zip(text.text, _shapes(text), strict=True):
            if shape in open_ and sign != UNREAD:
                votes[shape].add(sign)
    for text in texts:
        signs = [
            next(iter(votes[shape])) if sign == UNREAD and len(votes.get(shape, ())) == 1 else sign
            for sign, shape in zip(text.text, _shapes(text), strict=True)
        ]
        text.text = "".join(signs)
        text.repairs = tuple(each for each in text.repairs if each != UNKNOWN or UNREAD in signs)


def _shapes(text: Text) -> list[int]:
    return [-1] * len(text.text) if text.shapes is None else text.shapes.tolist()


def _is_wrong(text: Text, meant: dict[int, _Meaning]) -> bool:
    return not meant.keys().isdisjoint(_shapes(text))


def _is_cyrillic(sheet: Sheet, meant: dict[int, _Meaning]) -> bool:
    """Whether the glyphs of a sheet that are read one by one stand among Cyrillic letters, or are such letters."""
    own = 0
    for text in sheet.texts:
        for sign, shape in zip(text.text, _shapes(text), strict=True):
            meaning = meant.get(shape)
            drawn = (
                sign if meaning is None else meaning.sign or CLASSES[int(meaning.font.chances[meaning.place].argmax())]
            )
            own += drawn in CYRILLIC
    return own >= CYRILLIC_LETTERS


def _text(text: Text, meant: dict[int, _Meaning], *, cyrillic: bool) -> Text:
    """A text with what its glyphs stand for."""
    meanings_ = [meant.get(shape) for shape in _shapes(text)]
    signs = [sign if each is None else each.sign for sign, each in zip(text.text, meanings_, strict=True)]
    repairs = set(text.repairs) - {UNKNOWN}
    if any(each is not None and each.sign != TO_SPELL for each in meanings_):
        repairs.add(CODES)
    if TO_SPELL in signs:
        signs = _spelled(signs, meanings_, cyrillic=cyrillic)
        if any(sign != UNREAD for sign, each in zip(signs, meanings_, strict=True) if each and each.sign == TO_SPELL):
            repairs.add(FROM_OUTLINES)
    if UNREAD in signs:
        repairs.add(UNKNOWN)
    return replace(text, text="".join(signs), repairs=tuple(sorted(repairs)))


def _spelled(signs: list[str], meant: list[_Meaning | None], *, cyrillic: bool) -> list[str]:
    """Characters with the outlines read of those that are open; the others are their neighbours."""
    places = [place for place, sign in enumerate(signs) if not sign.isspace()]
    numbers = {place: number for number, place in enumerate(places)}
    words: list[list[int]] = [[]]
    for place, sign in enumerate(signs):
        if sign.isspace():
            words.append([])
        else:
            words[-1].append(numbers[place])
    read = _row([signs[place] for place in places], [meant[place] for place in places])
    spelled = spell(read, [word for word in words if word], cyrillic=cyrillic)
    return [spelled[numbers[place]].sign if sign == TO_SPELL else sign for place, sign in enumerate(signs)]


def _row(signs: list[str], meant: list[_Meaning | None]) -> ReadRow:
    """A text as a row of drawn lettering whose known characters are beyond doubt."""
    count = len(CLASSES)
    chances, alike = np.zeros((len(signs), count), np.float32), np.zeros((len(signs), count), np.float32)
    boxes = np.tile([0.0, 0.0, 1.0, 1.0], (len(signs), 1))
    framed = True
    for place, (sign, meaning) in enumerate(zip(signs, meant, strict=True)):
        if meaning is not None and sign == TO_SPELL:
            chances[place], alike[place] = meaning.font.chances[meaning.place], meaning.font.alike[meaning.place]
            boxes[place] = meaning.font.boxes[meaning.place]
            framed &= meaning.font.framed
        else:
            known = [*classes_of(sign), 0][0]
            chances[place, known] = alike[place, known] = 1.0
    return ReadRow(Row(0, [], 1.0), 0, boxes, chances, alike, 0.0, 1.0, framed)


def _unread(sheet: Sheet) -> list[str]:
    """Where texts stand that hold characters nothing says."""
    unread = [text for text in sheet.texts if UNKNOWN in text.repairs]
    if not unread:
        return []
    places = "; ".join(" ".join(f"{number:.0f}" for number in text.box) for text in unread[:PLACES])
    more = "; …" if len(unread) > PLACES else ""
    texts = count_of(len(unread), "text holds", "texts hold")
    return [
        f"page {sheet.page}: {texts} what neither codes nor outlines of their font say; it is U+FFFD, at {places}{more}"
    ]

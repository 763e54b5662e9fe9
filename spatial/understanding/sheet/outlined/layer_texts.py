"""Lettering that was read, beside invisible texts over it that say a part of it.

What the layer says is certain, where a glyph may be unsure; what it leaves out only the drawn letters say. Where the two disagree, the
layer's text stays, with U+FFFD for its gaps.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Text
from spatial.models.sheet.repairs import DRAWN, PARTIAL, UNKNOWN
from spatial.understanding.sheet.outlined.classes import LOOK_ALIKES

SAME_ANGLE: Final = 15.0
"""Degrees by which a line that was read at a slant differs from the text of the layer."""
AROUND: Final = 0.3
"""Capital heights around a line that was read in which the texts of the layer are its own."""
RUNS_ON: Final = 1.5
"""Widths of a text that says drawn letters within which these end: they may be drawn wider than its box."""
PIECE: Final = 0.4
"""Part of the height of a text up to which what is read within its box is pieces of its letters."""
BESIDE, LOW, HIGH = 0.5, 0.6, 1.6
"""Capital heights by which the middles of a text and of letters on its line are apart, and least and greatest ratio of their heights."""
_ABBREVIATION: Final = re.compile(r"[^\W\d_]{2}\.$")
WORD: Final = 3
"""Signs of the last word of a text by which letters at its end are its own, whatever stands before them."""


def merge_layer(texts: list[Text], read: list[Text]) -> list[Text]:
    """The texts of a sheet with those that were read: a text of the layer gives way to the line that says it and what it leaves out.

    texts: those of the sheet; read: those of its drawn lettering.
    """
    layer = [text for text in texts if PARTIAL in text.repairs]
    if not layer:
        return [*texts, *read]
    gone: set[int] = set()
    lines = []
    for line in read:
        own = sorted((text for text in layer if _is_over(text, line)), key=lambda text: _along(text, line))
        merged = _merged(line, own) if own else line
        if merged is None:
            continue
        gone.update(id(text) for text in own)
        lines.append(merged)
    return [*(text for text in texts if id(text) not in gone), *lines]


def unsaid(texts: list[Text], read: list[Text]) -> list[Text]:
    """The lines that were read without those that a text says for its drawn letters, whose end stands beyond its box.

    texts: those of the sheet; read: those of its drawn lettering.
    """
    drawn = [text for text in texts if DRAWN in text.repairs]
    return [line for line in read if not any(_says(text, line) or _is_piece(text, line) for text in drawn)]


def _is_piece(text: Text, line: Text) -> bool:
    """Whether a line is pieces of the letters of a text: much lower, within its box."""
    (left, bottom, right, top), (x, y, end, high) = text.box, line.box
    is_within = left <= x and bottom <= y and end <= right and high <= top
    return is_within and line.height <= PIECE * text.height


def _says(text: Text, line: Text) -> bool:
    """Whether drawn letters on the line of a text are a part of what it says; their first may be a rest that was read as another."""
    if not _reads_as(text, line) or not LOW * text.height <= line.height <= HIGH * text.height:
        return False
    (begin, end, middle), (first, last, own) = _extent(text, text.angle), _extent(line, text.angle)
    if abs(middle - own) > BESIDE * line.height or not begin <= first or last > begin + RUNS_ON * (end - begin):
        return False
    signs = line.text if line.text[0].isalnum() and line.text[0] != UNREAD else line.text[1:]
    if signs.strip() and re.search(_form(signs), text.text):
        return True
    word = line.text.rsplit(" ", 1)[-1].lstrip("°" + UNREAD)
    return len(word) >= WORD and re.search(_form(word) + "$", text.text) is not None


def _form(signs: str) -> str:
    return "".join(_alike(sign) for sign in signs)


def _extent(text: Text, angle: float) -> tuple[float, float, float]:
    """Where the box of a text begins and ends along a direction, and its middle across it."""
    cos, sin = float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle)))
    left, bottom, right, top = text.box
    along = [x * cos + y * sin for x in (left, right) for y in (bottom, top)]
    return min(along), max(along), ((bottom + top) * cos - (left + right) * sin) / 2


def _reads_as(text: Text, line: Text) -> bool:
    """Whether both are read in one direction, but for the slant of drawn letters."""
    return abs((text.angle - line.angle + 180.0) % 360.0 - 180.0) <= SAME_ANGLE


def _is_over(text: Text, line: Text) -> bool:
    x, y = (text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2
    left, bottom, right, top = line.box
    slack = AROUND * line.height
    return _reads_as(text, line) and left - slack <= x <= right + slack and bottom - slack <= y <= top + slack


def _along(text: Text, line: Text) -> float:
    angle = np.radians(line.angle)
    return float(text.origin[0] * np.cos(angle) + text.origin[1] * np.sin(angle))


def _merged(line: Text, layer: list[Text]) -> Text | None:
    """A line with the characters that texts of the layer say; None where these do not fit it."""
    found = re.fullmatch("".join(_patterns(layer)), line.text)
    if found is None and _ABBREVIATION.search(line.text) and layer[-1].text.endswith("." + UNREAD):
        # Behind the point of an abbreviation nothing is lacking but a blank.
        return _merged(line, [*layer[:-1], replace(layer[-1], text=layer[-1].text.rstrip(UNREAD))])
    if found is None:
        return None
    signs = list(line.text)
    words = [word for text in layer for word in re.split(f"[{UNREAD} ]+", text.text) if word]
    for number, word in enumerate(words, 1):
        signs[found.start(number) : found.end(number)] = word
    text = "".join(signs)
    repairs = line.repairs if UNREAD in text else tuple(each for each in line.repairs if each != UNKNOWN)
    return replace(line, text=text, repairs=repairs)


def _patterns(layer: list[Text]) -> list[str]:
    """The form of a line that says texts of the layer, from the left, and something in each of their gaps."""
    patterns = []
    for number, text in enumerate(layer):
        parts = re.split(f"([{UNREAD} ]+)", text.text)
        for part in parts:
            if part.strip(UNREAD + " "):
                patterns.append("(" + "".join(_alike(sign) for sign in part) + ")")
            elif UNREAD in part and not (patterns and patterns[-1] == ".+?"):
                patterns.append(".+?")
            elif part and UNREAD not in part:
                patterns.append(" ?")
        if number + 1 < len(layer) and patterns[-1] != ".+?" and not layer[number + 1].text.startswith(UNREAD):
            patterns.append(" ?")
    return patterns


def _alike(sign: str) -> str:
    """What a glyph that is this character may be read as."""
    group = next((each for each in LOOK_ALIKES if sign in each), sign)
    return "[" + re.escape(group + UNREAD) + "]"

"""Sheets whose lettering is printed as outlines: what was printed is the truth."""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pymupdf as _pymupdf

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Text
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering

pymupdf: Any = _pymupdf
UNSURE: Final = "\ufffd"
ALIKE: Final = ("-–—−", "⌀Øø", "'’‘", '"”“', "xX×", "µμ")
"""Characters that are drawn the same."""


def as_outlines(data: bytes, pages: int = 3) -> bytes:
    """A PDF with its lettering as outlines; forms and pictures may be lost, no letter is."""
    source, made = pymupdf.open(stream=data, filetype="pdf"), pymupdf.open()
    for page in list(source)[:pages]:
        drawn = pymupdf.open("svg", page.get_svg_image(text_as_path=True).encode())
        made.insert_pdf(pymupdf.open("pdf", drawn.convert_to_pdf()))
    result: bytes = made.tobytes(deflate=True)
    return result


@dataclass
class Reading:
    """How the characters of sheets were read."""

    printed: int = 0
    right: int = 0
    unsure: int = 0
    digits: int = 0
    digits_right: int = 0
    digits_printed: int = 0
    wrong: list[tuple[str, str, str]] = field(default_factory=list)
    """What was printed, what was read, the text that it is in; what is not printed at all is an empty string."""

    @property
    def precision(self) -> float:
        return self.right / max(self.right + len(self.wrong), 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.printed, 1)

    @property
    def unread(self) -> int:
        """Characters for which no other, and not the right one either, is reported."""
        return max(self.printed - self.right - sum(printed != "" for printed, _, _ in self.wrong), 0)

    @property
    def digits_unread(self) -> int:
        """The same of digits."""
        mistaken = sum(printed.isdigit() for printed, _, _ in self.wrong)
        return max(self.digits_printed - self.digits_right - mistaken, 0)

    @property
    def digit_precision(self) -> float:
        return self.digits_right / max(self.digits, 1)


def compare(printed: list[Text], read: list[Text], into: Reading) -> Reading:
    """Compare what was read with what is printed at the same place."""
    truth = _characters(printed)
    into.printed += len(truth)
    into.digits_printed += sum(each[2].isdigit() for each in truth)
    places = np.array([each[:2] for each in truth]).reshape(-1, 2)
    for x, y, sign, text in _characters(read):
        if sign == UNSURE:
            into.unsure += 1
            continue
        away = np.hypot(*(places - (x, y)).T)
        nearest = int(away.argmin()) if len(away) else -1
        known = nearest >= 0 and away[nearest] <= 0.6 * max(truth[nearest][3].height, 1.0)
        is_right = known and is_same(truth[nearest][2], sign)
        into.right += is_right
        into.digits += sign.isdigit()
        into.digits_right += is_right and sign.isdigit()
        if not is_right:
            into.wrong.append((truth[nearest][2] if known else "", sign, text.text))
    return into


def is_same(printed: str, read: str) -> bool:
    """Whether two characters are the same, or are drawn the same."""
    return printed == read or any(printed in each and read in each for each in ALIKE)


def _characters(texts: list[Text]) -> list[tuple[float, float, str, Text]]:
    """Middle of each visible character, the character, its text."""
    found = []
    for text in texts:
        if not text.visible or text.advances is None:
            continue
        cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
        up = 0.45 * text.height
        for place, sign in enumerate(text.text):
            if not sign.isspace() and place + 1 < len(text.advances):
                along = float(text.advances[place] + text.advances[place + 1]) / 2.0
                x, y = text.origin[0] + along * cos - up * sin, text.origin[1] + along * sin + up * cos
                found.append((x, y, sign, text))
    return found


def texts_of(data: bytes) -> list[Text]:
    """The texts that a PDF has as text, of all pages."""
    return [text for sheet in reader.read(data, "sheet.pdf").sheets for text in sheet.texts]


def main() -> None:
    """Print how PDFs are read whose lettering was printed to outlines: python -m tests.accuracy.outlined FILE.pdf ..."""
    total = Reading()
    for name in sys.argv[1:]:
        data = Path(name).read_bytes()
        drawing = with_drawn_lettering(reader.read(as_outlines(data), name))
        pages = {sheet.page for sheet in drawing.sheets}
        printed = [text for text in texts_of(data) if text.page in pages]
        compare(printed, [text for sheet in drawing.sheets for text in sheet.texts], total)
    print(
        f"{total.printed} characters printed: recall {total.recall:.3f}, precision {total.precision:.4f}, {total.unsure} unsure; "
        f"{total.digits_printed} digits printed, {total.digits} reported, {total.digits_right} right"
    )
    print(Counter(f"{printed} read as {read}" for printed, read, _ in total.wrong).most_common(20))


if __name__ == "__main__":
    main()

"""Sheets with title blocks, made line by line: ruled cells, labels, values; truth comes with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from spatial.models.sheet.drawing import Box, Sheet, Strokes, Text, TextKind
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import FoundNotes, find_notes
from spatial.understanding.sheet.title_block.find_title_block import find_title_block

PAPER: Box = (0.0, 0.0, 420.0, 297.0)


class Form:
    """A sheet of A3 in millimetres that texts and rules are put on; the block is built up from its lower right corner."""

    def __init__(self, page: int = 1, paper: Box = PAPER) -> None:
        self.page, self.paper = page, paper
        self.texts: list[Text] = []
        self.rules: list[tuple[float, float, float, float]] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        height: float = 2.5,
        *,
        angle: float = 0.0,
        kind: TextKind = "text",
        **further: str,
    ) -> str:
        """Put `text` with its baseline at (x, y); answers its id."""
        lines = text.split("\n")
        width = max(len(line) for line in lines) * height * 0.7
        tall = height * (1 + 1.6 * (len(lines) - 1))
        box = {
            0: (x, y + height - tall, x + width, y + height),
            90: (x - height, y, x + tall - height, y + width),
            180: (x - width, y - height, x, y),
        }[int(angle)]
        name = f"annotation-{self.page}-{len(self.texts) + 1}"
        self.texts.append(Text(name, text, self.page, (x, y), angle, height, width, box, kind, **further))  # type: ignore[arg-type]  # tag, prompt, owner
        return name

    def box(self, box: Box) -> None:
        """Rule a rectangle."""
        x1, y1, x2, y2 = box
        self.rules += [(x1, y1, x2, y1), (x2, y1, x2, y2), (x2, y2, x1, y2), (x1, y2, x1, y1)]

    def cell(self, box: Box, label: str = "", value: str = "", *, size: float = 3.5, small: float = 1.8) -> None:
        """A ruled cell with a small label at the top left and its value below."""
        self.box(box)
        if label:
            self.text(box[0] + 1, box[3] - 1 - small, label, small)
        for row, line in enumerate(value.split("\n") if value else ()):
            self.text(box[0] + 2, box[3] - small - 2.4 - size - row * size * 1.5, line, size)

    def row(self, x: float, y: float, height: float, cells: Iterable[tuple[float, str]], size: float = 2.5) -> None:
        """Ruled cells side by side with one text each, from (x, y) at the lower left."""
        for width, text in cells:
            self.box((x, y, x + width, y + height))
            if text:
                self.text(x + 1, y + (height - size) / 2, text, size)
            x += width

    def lines(self, x: float, y: float, lines: Sequence[str], height: float = 3.0, step: float = 1.6) -> None:
        """Lines of text from the top."""
        for row, line in enumerate(lines):
            self.text(x, y - row * height * step, line, height)

    def sheet(self) -> Sheet:
        """All of it."""
        n = len(self.rules)
        flags = np.zeros(n, bool)
        strokes = Strokes(
            np.array(self.rules, float).reshape(-1, 4), np.zeros(n), np.full(n, -1, np.int64), flags, flags.copy()
        )
        return Sheet(
            self.page, f"Sheet {self.page}", "page", self.paper, "millimeter", texts=self.texts, strokes=strokes
        )


def fields_of(form: Form, *pictures: Box) -> dict[str, str]:
    """The named fields of its title block; pictures: boxes of pictures on the sheet."""
    sheet = form.sheet()
    found = find_title_block([sheet], {sheet.page: find_grids(sheet)}, frozenset(), {sheet.page: list(pictures)})
    return dict(found.block.fields) if found else {}


def notes_of(form: Form) -> FoundNotes | None:
    """Its notes, where no text belongs to a table or a title block."""
    sheet = form.sheet()
    return find_notes([sheet], {sheet.page: find_grids(sheet)}, frozenset())


def note_texts(form: Form) -> list[str]:
    """What its notes say, in their order."""
    found = notes_of(form)
    return [note.text for note in found.notes.items] if found else []


def framed_form() -> Form:
    """A form on an A3 sheet with its frame."""
    form = Form()
    form.box((10, 10, 410, 287))
    return form


def small_block() -> Form:
    """Cells over the lower edge of the sheet that make a block: scale, sheet, who drew it."""
    form = framed_form()
    form.cell((290, 40, 320, 55), "SCALE", "1:2")
    form.cell((320, 40, 350, 55), "SHEET", "1 OF 2")
    form.cell((350, 40, 410, 55), "DRAWN BY", "A. Tarnow")
    return form


def labelled_block(*, title: str = "Bearing cover", number: str = "HK-4711-02", sheet: str = "1 OF 2") -> Form:
    """A framed form whose block has title, number, revision, scale, sheet and paper in labelled cells."""
    form = framed_form()
    form.cell((290, 40, 410, 55), "TITLE", title)
    form.cell((290, 25, 370, 40), "DWG NO", number)
    form.cell((370, 25, 410, 40), "REV", "B")
    form.cell((290, 10, 330, 25), "SCALE", "1:2")
    form.cell((330, 10, 370, 25), "SHEET", sheet)
    form.cell((370, 10, 410, 25), "SIZE", "A3")
    return form

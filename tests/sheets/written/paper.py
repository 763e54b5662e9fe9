"""Papers that a written sheet is drawn on, as PDF or DXF: millimeters from the upper left corner, y down."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

import pymupdf as _pymupdf
from ezdxf._options import options as _options
from ezdxf.enums import TextEntityAlignment
from ezdxf.filemanagement import new

pymupdf: Any = _pymupdf
POINTS = 72 / 25.4
"""PDF units in a millimeter."""
CAPITAL = 0.72
"""Height of a capital letter to the size of its font."""
FOLDER = "/usr/share/fonts/truetype/"
FONTS = {
    "osifont": "osifont/osifont.ttf", "dejavu": "dejavu/DejaVuSans.ttf", "bold": "dejavu/DejaVuSans-Bold.ttf",
    "arial": "liberation/LiberationSans-Regular.ttf", "arialb": "liberation/LiberationSans-Bold.ttf",
    "ariali": "liberation/LiberationSans-Italic.ttf", "narrow": "liberation/LiberationSansNarrow-Regular.ttf",
    "times": "liberation/LiberationSerif-Regular.ttf", "courier": "liberation/LiberationMono-Regular.ttf",
    "roboto": "roboto/unhinted/RobotoTTF/Roboto-Regular.ttf", "carlito": "crosextra/Carlito-Regular.ttf",
    "carlitob": "crosextra/Carlito-Bold.ttf", "opensans": "open-sans/OpenSans-Regular.ttf",
    "free": "freefont/FreeSans.ttf", "oblique": "freefont/FreeSansOblique.ttf", "freeserif": "freefont/FreeSerif.ttf",
    "lato": "lato/Lato-Regular.ttf", "condensed": "roboto/unhinted/RobotoTTF/RobotoCondensed-Regular.ttf",
    "mono": "dejavu/DejaVuSansMono.ttf",
}  # fmt: skip
"""Name in a layout to the file of a Debian package; `helv`, `cour`, `tiro` and `cjk` are PyMuPDF's own."""
OTHERS = ("dejavu", "free", "freeserif", "cjk")
"""Fonts asked, in this order, for what the font of a sheet lacks."""
Align = Literal["l", "c", "r"]


@cache
def font(name: str) -> Any:
    if name not in FONTS:
        return pymupdf.Font(name)
    file = FONTS[name]
    return pymupdf.Font(
        fontfile=next(str(p) for p in (Path(FOLDER, file), *Path(FOLDER).rglob(Path(file).name)) if p.exists())
    )


def runs(text: str, name: str) -> list[tuple[str, str]]:
    """Pieces of a text with the font that has their characters."""
    made: list[tuple[str, str]] = []
    for char in text:
        has = next((f for f in (name, *OTHERS) if font(f).has_glyph(ord(char))), name)
        if made and made[-1][1] == has:
            made[-1] = (made[-1][0] + char, has)
        else:
            made.append((char, has))
    return made


def width(text: str, size: float, name: str) -> float:
    return float(sum(font(f).text_length(run, fontsize=size / CAPITAL) for run, f in runs(text, name)))


class Paper(Protocol):
    def line(self, x: float, y: float, u: float, v: float, w: float = 0.25, dash: bool = False) -> None: ...

    def circle(self, x: float, y: float, r: float, w: float = 0.25, dash: bool = False) -> None: ...

    def fill(self, points: list[tuple[float, float]]) -> None: ...

    def text(self, x: float, y: float, size: float, text: str, align: Align, rot: float, name: str) -> None: ...

    def data(self) -> bytes: ...


class PdfPaper:
    """A page; `pieces` says how its program writes a line: whole, word by word, or glyph by glyph."""

    def __init__(self, width: float, height: float, pieces: str) -> None:
        self._document = pymupdf.open()
        self._page = self._document.new_page(width=width * POINTS, height=height * POINTS)
        self._shape = self._page.new_shape()
        self._pieces = pieces
        self._fonts: set[str] = set()

    def line(self, x: float, y: float, u: float, v: float, w: float = 0.25, dash: bool = False) -> None:
        self._shape.draw_line((x * POINTS, y * POINTS), (u * POINTS, v * POINTS))
        self._shape.finish(width=w * POINTS, color=(0, 0, 0), dashes="[8 2 1.5 2] 0" if dash else None)

    def circle(self, x: float, y: float, r: float, w: float = 0.25, dash: bool = False) -> None:
        self._shape.draw_circle((x * POINTS, y * POINTS), r * POINTS)
        self._shape.finish(width=w * POINTS, color=(0, 0, 0), dashes="[8 2 1.5 2] 0" if dash else None)

    def fill(self, points: list[tuple[float, float]]) -> None:
        self._shape.draw_polyline([(x * POINTS, y * POINTS) for x, y in points])
        self._shape.finish(width=0.1, color=(0, 0, 0), fill=(0, 0, 0), closePath=True)

    def text(self, x: float, y: float, size: float, text: str, align: Align, rot: float, name: str) -> None:
        turn = pymupdf.Matrix(rot)
        along = pymupdf.Point(1, 0) * pymupdf.Matrix(-rot)
        at = pymupdf.Point(x, y) - along * (width(text, size, name) * {"l": 0, "c": 0.5, "r": 1}[align])
        for run, its in runs(text, name):
            for piece in self._cut(run):
                if piece.strip():
                    self._write(at * POINTS, piece, size / CAPITAL * POINTS, its, turn)
                at += along * width(piece, size, its)

    def _cut(self, run: str) -> list[str]:
        if self._pieces == "line":
            return [run]
        if self._pieces == "glyph":
            return list(run)
        words = run.split(" ")
        return [word + " " for word in words[:-1]] + [words[-1]]

    def _write(self, at: Any, text: str, size: float, name: str, turn: Any) -> None:
        if name not in self._fonts:
            self._page.insert_font(fontname=name, fontbuffer=font(name).buffer)
            self._fonts.add(name)
        self._shape.insert_text(at, text, fontsize=size, fontname=name, morph=(at, turn))

    def data(self) -> bytes:
        self._shape.commit()
        self._document.subset_fonts()
        made: bytes = self._document.tobytes(garbage=4, deflate=True, deflate_fonts=True, no_new_id=True)
        return made


class DxfPaper:
    """Model space in millimeters, texts as TEXT entities."""

    def __init__(self, width: float, height: float, version: str) -> None:
        del width
        _options.write_fixed_meta_data_for_testing = True
        self._height = height
        self._document = new(version, setup=["linetypes", "styles"])
        if version != "R12":
            self._document.header["$INSUNITS"] = 4
        self._space = self._document.modelspace()

    def line(self, x: float, y: float, u: float, v: float, w: float = 0.25, dash: bool = False) -> None:
        looks = {"layer": "0" if w < 0.4 else "OUTLINE", "linetype": "CENTER" if dash else "CONTINUOUS"}
        self._space.add_line((x, self._height - y), (u, self._height - v), dxfattribs=looks)

    def circle(self, x: float, y: float, r: float, w: float = 0.25, dash: bool = False) -> None:
        looks = {"layer": "0" if w < 0.4 else "OUTLINE", "linetype": "CENTER" if dash else "CONTINUOUS"}
        self._space.add_circle((x, self._height - y), r, dxfattribs=looks)

    def fill(self, points: list[tuple[float, float]]) -> None:
        self._space.add_solid([(x, self._height - y) for x, y in points[:4]])

    def text(self, x: float, y: float, size: float, text: str, align: Align, rot: float, name: str) -> None:
        del name
        for sign, code in (("Ø", "%%c"), ("±", "%%p"), ("°", "%%d")):
            text = text.replace(sign, code)
        place = {"l": TextEntityAlignment.LEFT, "c": TextEntityAlignment.CENTER, "r": TextEntityAlignment.RIGHT}[align]
        self._space.add_text(text, height=size, rotation=rot, dxfattribs={"layer": "TEXT"}).set_placement(
            (x, self._height - y), align=place
        )

    def data(self) -> bytes:
        from io import StringIO

        out = StringIO()
        self._document.write(out)
        return bytes(self._document.encode(out.getvalue()))

"""Sheets as DXF, with the habits of several exporters: real dimensions or exploded ones, attributes or loose texts."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Any

from ezdxf._options import options
from ezdxf.enums import TextEntityAlignment
from ezdxf.filemanagement import new
from ezdxf.layouts.base import BaseLayout
from ezdxf.layouts.blocklayout import BlockLayout
from ezdxf.math import Vec2
from ezdxf.render.mleader import ConnectionSide

from tests.sheets.canvas import Align, Dimensioned, Group, Linear, Point, direction
from tests.sheets.drafting import Drafting, ways
from tests.sheets.marks import Mark
from tests.sheets.pdf_canvas import CAPITAL, _font
from tests.sheets.signs import SIGNS
from tests.sheets.style import Style

GDT = {
    "∠": "a", "⊥": "b", "⏥": "c", "⌓": "d", "○": "e", "∥": "f", "⌭": "g", "↗": "h", "⌯": "i", "⌖": "j", "⌒": "k",
    "◎": "r", "⏤": "u", "⌴": "v", "⌵": "w", "↧": "x",
}  # fmt: skip
"""Sign to its letter in AutoCAD's font gdt.shx."""
PLACES = {
    "left": TextEntityAlignment.LEFT,
    "center": TextEntityAlignment.CENTER,
    "right": TextEntityAlignment.RIGHT,
}


@dataclass(frozen=True)
class Habits:
    """How this exporter writes."""

    version: str
    binary: bool
    exploded: bool
    """Dimensions and leaders are lines and texts."""
    space: str
    """model; layout: all in paper space; split: blocks, tables and notes in paper space, the rest in the model."""
    attributes: bool
    codes: str
    """How Ø ± ° are written: percent (%%c), plain, or escape (\\U+00D8)."""
    gdt: bool
    """Signs by letters of the font gdt."""
    leaders: str
    """text, leader or multileader."""
    measured: bool
    """Dimension text is <> where it can be."""


def habits(rng: random.Random) -> Habits:
    version = rng.choice(["R12", "R2000", "R2010", "R2010", "R2018", "R2018"])
    old = version == "R12"
    return Habits(
        version=version,
        binary=rng.random() < 0.15,
        exploded=rng.random() < 0.2,
        space=rng.choice(["model", "model", "layout", "split"]) if not old else "model",
        attributes=rng.random() < 0.6,
        codes=rng.choice(["percent", "percent", "plain", "escape"]),
        gdt=not old and rng.random() < 0.5,
        leaders="text" if old else rng.choice(["text", "leader", "leader", "multileader"]),
        measured=rng.random() < 0.7,
    )


class DxfCanvas(Drafting):
    """A DXF; each sheet is model space or a layout."""

    def __init__(self, rng: random.Random, style: Style) -> None:
        self._scale = 1 / 25.4 if style.inch else 1.0
        super().__init__(style, ways(rng, style), self._scale)
        self.rng, self.habits = rng, habits(rng)
        with _quiet_and_the_same():
            self._document = new(self.habits.version, setup=["linetypes", "styles"])
        self._pages, self._blocks, self._shift = 0, 0, 0.0
        self._headers()
        self._dimension_style()
        self.next_sheet()

    def _headers(self) -> None:
        if self.habits.version == "R12":
            del self._document.header["$INSUNITS"]
        else:
            self._document.header["$INSUNITS"] = 1 if self.style.inch else 4
            self._document.header["$MEASUREMENT"] = 0 if self.style.inch else 1
        for name, color in (("OUTLINE", 7), ("DIM", 3), ("TEXT", 2), ("FRAME", 1)):
            self._document.layers.add(name, color=color)
        self._document.styles.add("GDT", font="gdt.shx")

    def _dimension_style(self) -> None:
        height, style = self.style.lettering * self._scale, self.style
        values = {
            "dimtxt": height,
            "dimasz": self.ways.arrow * self._scale,
            "dimexe": 1.5 * self._scale,
            "dimexo": 1.0 * self._scale,
            "dimgap": height / 3,
            "dimtad": 0 if self.ways.gap else 1,
            "dimtih": int(style.upright),
            "dimtoh": int(style.upright),
            "dimdec": 3 if style.inch else 2,
            "dimzin": 4 if style.inch else 8,
            "dimtzin": 4 if style.inch else 0,
            "dimtdec": 3 if style.inch else 2,
            "dimdsep": ord("," if style.comma else "."),
            "dimtfac": self.ways.small,
            "dimscale": 1.0,
            "dimtxsty": "OpenSans",
        }
        self._document.dimstyles.new("OFFICE", dxfattribs=values)

    def next_sheet(self) -> None:
        self._pages += 1
        self._model = self._document.modelspace()
        self._paper: BaseLayout = self._model
        if self.habits.space != "model" or self._pages > 1:
            self._paper = self._new_layout()
        self._space: BaseLayout = (
            self._model if self.habits.space in {"model", "split"} and self._pages == 1 else self._paper
        )

    def _new_layout(self) -> BaseLayout:
        names = list(self._document.layout_names_in_taborder())
        name = f"Sheet {self._pages}"
        if self.habits.space != "model" and self._pages == 1:
            self._document.layouts.rename(names[1], name)
            layout: Any = self._document.layout(name)
        elif self.habits.version == "R12":
            return self._shifted()
        else:
            layout = self._document.layouts.new(name)
        size = (self.style.width * self._scale, self.style.height * self._scale)
        layout.page_setup(size=size, margins=(0, 0, 0, 0), units="inch" if self.style.inch else "mm")
        if self.habits.space == "split" and self._pages == 1:
            middle = (size[0] / 2, size[1] / 2)
            layout.add_viewport(center=middle, size=size, view_center_point=middle, view_height=size[1])
        page: BaseLayout = layout
        return page

    def _shifted(self) -> BaseLayout:
        """R12 has one paper space: further sheets stand beside the first."""
        self._shift += self.style.width + 50
        return self._model

    def data(self) -> bytes:
        with _quiet_and_the_same():
            if self.habits.binary:
                out = BytesIO()
                self._document.write(out, fmt="bin")
                return out.getvalue()
            text = StringIO()
            self._document.write(text)
            return self._document.encode(text.getvalue())

    def _at(self, point: Point) -> Vec2:
        return Vec2((point[0] + self._shift) * self._scale, point[1] * self._scale)

    def line(self, start: Point, end: Point, weight: float = 0.25, dashed: bool = False) -> None:
        self._space.add_line(self._at(start), self._at(end), dxfattribs=_looks(weight, dashed))

    def circle(self, center: Point, radius: float, weight: float = 0.5) -> None:
        self._space.add_circle(self._at(center), radius * self._scale, dxfattribs=_looks(weight))

    def arc(self, center: Point, radius: float, start: float, end: float, weight: float = 0.5) -> None:
        self._space.add_arc(self._at(center), radius * self._scale, start, end, dxfattribs=_looks(weight))

    def fill(self, points: Sequence[Point]) -> None:
        self._space.add_solid([self._at(point) for point in points], dxfattribs={"layer": "DIM"})

    def wide(self, text: str, height: float) -> float:
        width: float = _font("sans").text_length(text, fontsize=height / CAPITAL)
        return width * 1.02

    def coded(self, text: str) -> str:
        """With the signs of a TEXT as this exporter writes them."""
        for sign, code in (("Ø", "%%c"), ("±", "%%p"), ("°", "%%d")):
            if self.habits.codes == "percent":
                text = text.replace(sign, code)
            elif self.habits.codes == "escape":
                text = text.replace(sign, f"\\U+{ord(sign):04X}")
        return text

    def formatted(self, text: str) -> str:
        """With the signs of an MTEXT as this exporter writes them."""
        made = ""
        for char in text:
            made += f"{{\\Fgdt|c0;{GDT[char]}}}" if char in GDT and self.habits.gdt else self.coded(char)
        return made

    def text(self, at: Point, text: str, height: float, angle: float = 0, align: Align = "left") -> None:
        if text in SIGNS and text in GDT and not self.habits.gdt and self.habits.exploded:
            self.sign(text, at, height, angle)
        elif self.habits.gdt and align == "left" and any(char in GDT for char in text):
            self._space.add_mtext(
                self.formatted(text),
                dxfattribs={
                    "insert": self._at(at),
                    "char_height": height * self._scale,
                    "rotation": angle,
                    "attachment_point": 7,
                    "layer": "TEXT",
                },
            )
        else:
            self._put(self._space, text, at, height, angle, align)

    def _put(self, space: BaseLayout, text: str, at: Point, height: float, angle: float, align: Align) -> None:
        entity = space.add_text(
            self.coded(text), height=height * self._scale, rotation=angle, dxfattribs={"layer": "TEXT"}
        )
        entity.set_placement(self._at(at), align=PLACES[align])

    def group(self, group: Group) -> None:
        attributes = self.habits.attributes and group.kind == "title"
        as_block = attributes or (group.kind == "table" and self.rng.random() < 0.3)
        if not as_block:
            return self._loose(self._paper, group)
        self._blocks += 1
        name = f"TITLE_{self._blocks}" if group.kind == "title" else f"TABLE_{self._blocks}"
        block = self._document.blocks.new(name)
        shift, self._shift = self._shift, 0.0
        self._loose(block, group, attributes)
        self._shift = shift
        insert = self._paper.add_blockref(name, self._at((0, 0)), dxfattribs={"layer": "FRAME"})
        if attributes:
            insert.add_auto_attribs({each.tag: self.coded(each.text) for each in group.letterings if each.tag})
        return None

    def _loose(self, space: BaseLayout | BlockLayout, group: Group, attributes: bool = False) -> None:
        for rule in group.rules:
            space.add_line(self._at(rule.start), self._at(rule.end), dxfattribs={"layer": "FRAME"})
        for each in group.letterings:
            if attributes and each.tag:
                definition = space.add_attdef(
                    each.tag, text="", height=each.height * self._scale, dxfattribs={"prompt": each.tag.title()}
                )
                definition.set_placement(self._at(each.at), align=PLACES[each.align])
            else:
                self._put(space, each.text, each.at, each.height, 0, each.align)

    def paragraph(self, at: Point, lines: Sequence[str], height: float, pitch: float) -> None:
        if self.habits.version == "R12" or self.habits.exploded:
            for place, line in enumerate(lines):
                self._put(self._paper, line, (at[0], at[1] - place * pitch), height, 0, "left")
            return
        text = "\\P".join(
            [f"{{\\LX{lines[0]}\\l}}".replace("X", "") if self.rng.random() < 0.3 else lines[0], *lines[1:]]
        )
        text = f"{{\\fArial|b0|i0|c0|p34;{text}}}" if self.rng.random() < 0.5 else text
        self._paper.add_mtext(
            text,
            dxfattribs={
                "insert": self._at((at[0], at[1] + height)),
                "char_height": height * self._scale,
                "line_spacing_factor": pitch / height / 5 * 3,
                "attachment_point": 1,
                "layer": "TEXT",
            },
        )

    def linear(self, linear: Linear) -> None:
        if self.habits.exploded:
            return super().linear(linear)
        mark = linear.mark
        self.dimensioned.append(Dimensioned(mark, "linear", linear.length * linear.factor))
        override, text = self._override(mark)
        override["dimlfac"] = linear.factor / self._scale
        dimension = self._space.add_linear_dim(
            base=self._at(linear.base),
            p1=self._at(linear.start),
            p2=self._at(linear.end),
            angle=linear.angle,
            text=text,
            dimstyle="OFFICE",
            override=override,
            dxfattribs={"layer": "DIM"},
        )
        dimension.render()
        return None

    def _override(self, mark: Mark) -> tuple[dict[str, Any], str]:
        """What differs from the dimension style, and the text."""
        if small := mark.further.get("limits"):
            return {"dimlim": 1, "dimtol": 0, "dimtp": small, "dimtm": small}, "<>"
        text = self.coded(mark.lines[0])
        if mark.nominal and self.habits.measured:
            text = text.replace(mark.nominal, "<>", 1)
        override: dict[str, Any] = {}
        if mark.boxed:
            override["dimgap"] = -self.style.lettering * self._scale / 3
        if mark.upper and mark.lower:
            override |= {"dimtol": 1, "dimtp": _number(mark.upper), "dimtm": -_number(mark.lower)}
            if not self.habits.measured:
                text = "<>"
        return override, text

    def angular(self, center: Point, radius: float, start: float, end: float, mark: Mark) -> None:
        if self.habits.exploded:
            return super().angular(center, radius, start, end, mark)
        self.dimensioned.append(Dimensioned(mark, "angular", (end - start) % 360))
        dimension = self._space.add_angular_dim_cra(
            center=self._at(center),
            radius=radius * self._scale,
            start_angle=start,
            end_angle=end,
            distance=0,
            text=self.coded(mark.lines[0]),
            dimstyle="OFFICE",
            dxfattribs={"layer": "DIM"},
        )
        dimension.render()
        return None

    def leader(self, tip: Point, knee: Point, landing: Point, mark: Mark, hole: tuple[Point, float] | None) -> None:
        drawn = self.habits.leaders
        if drawn == "text" or self.habits.exploded or mark.type == "surface_finish":
            return super().leader(tip, knee, landing, mark, hole)
        if mark.cells:
            return self._toleranced(tip, knee, landing, mark)
        if mark.upper:
            return super().leader(tip, knee, landing, mark, hole)
        if hole and len(mark.lines) == 1 and mark.lines[0].count("Ø") == 1 and self.rng.random() < 0.5:
            return self._diameter(knee, landing, mark, hole)
        if drawn == "multileader":
            return self._multileader(tip, landing, mark)
        self._space.add_leader(
            [self._at(point) for point in (tip, knee, landing)], dimstyle="OFFICE", dxfattribs={"layer": "DIM"}
        )
        self._space.add_mtext(
            "\\P".join(self.formatted(line) for line in mark.lines),
            dxfattribs={
                "insert": self._at((landing[0] + 1, landing[1])),
                "char_height": self.style.lettering * self._scale,
                "attachment_point": 4,
                "layer": "DIM",
            },
        )
        return None

    def _toleranced(self, tip: Point, knee: Point, landing: Point, mark: Mark) -> None:
        """A TOLERANCE with its leader; its cells are parted by %%v."""
        cells = [
            self.formatted(cell.replace("Ø", "")) if cell in GDT else cell.replace("Ø", "{\\Fgdt;n}")
            for cell in mark.cells
        ]
        cells[0] = f"{{\\Fgdt;{GDT[mark.cells[0]]}}}"
        self._space.add_leader(
            [self._at(point) for point in (tip, knee, landing)], dimstyle="OFFICE", dxfattribs={"layer": "DIM"}
        )
        self._space.new_entity(
            "TOLERANCE",
            {"dimstyle": "OFFICE", "insert": self._at(landing), "content": "%%v".join(cells), "layer": "DIM"},
        )

    def _diameter(self, knee: Point, landing: Point, mark: Mark, hole: tuple[Point, float]) -> None:
        """A DIMENSION of the hole's diameter, its text at the landing."""
        center, radius = hole
        place = (landing[0] + 1 + self.mark_width(mark) / 2, landing[1])
        text, override = self.coded(mark.lines[0]), dict[str, Any](dimtih=1, dimtoh=1)
        if mark.nominal and mark.value and self.habits.measured:
            # the measured value brings its own Ø; of `8 x Ø8` it is the second 8
            text = text.replace(self.coded("Ø") + mark.nominal, "<>", 1)
            override["dimlfac"] = mark.value / (2 * radius * self._scale)
        dimension = self._space.add_diameter_dim(
            center=self._at(center),
            radius=radius * self._scale,
            angle=direction(center, knee),
            location=self._at(place),
            text=text,
            dimstyle="OFFICE",
            override=override,
            dxfattribs={"layer": "DIM"},
        )
        dimension.render()

    def _multileader(self, tip: Point, landing: Point, mark: Mark) -> None:
        builder = self._space.add_multileader_mtext("Standard")
        builder.set_content(
            "\\P".join(self.formatted(line) for line in mark.lines), char_height=self.style.lettering * self._scale
        )
        builder.set_arrow_properties(size=self.ways.arrow * self._scale)
        builder.set_connection_properties(landing_gap=self._scale, dogleg_length=4 * self._scale)
        builder.add_leader_line(ConnectionSide.left, [self._at(tip)])
        builder.build(insert=self._at((landing[0] + 1, landing[1])))


@contextmanager
def _quiet_and_the_same() -> Iterator[None]:
    """ezdxf writes no dates, and does not warn that R12 has no unit, which is what is wanted here."""
    log = logging.getLogger("ezdxf")
    level, fixed = log.level, options.write_fixed_meta_data_for_testing
    log.setLevel(logging.ERROR)
    options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        log.setLevel(level)
        options.write_fixed_meta_data_for_testing = fixed


def _looks(weight: float, dashed: bool = False) -> dict[str, Any]:
    layer = "OUTLINE" if weight >= 0.5 else "DIM"
    return {"layer": layer, "linetype": "CENTER"} if dashed else {"layer": layer}


def _number(text: str) -> float:
    return float(text.replace(",", "."))

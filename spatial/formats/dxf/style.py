"""What the tables of a DXF say about how things look: layers, linetypes, text and dimension styles, and units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from spatial.formats.dxf.palette import PALETTE
from spatial.formats.dxf.tags import File, Record
from spatial.formats.dxf.text_codes import decoded
from spatial.models.reading import Units

BYBLOCK: Final = 0
BYLAYER: Final = 256

_UNITS: Final = {
    1: "inch", 2: "foot", 3: "mile", 4: "millimeter", 5: "centimeter", 6: "meter", 7: "kilometer", 8: "microinch",
    9: "mil", 10: "yard", 11: "angstrom", 12: "nanometer", 13: "micrometer", 14: "decimeter", 15: "decameter",
    16: "hectometer", 17: "gigameter", 18: "astronomical unit", 19: "light year", 20: "parsec", 21: "us survey foot",
}  # fmt: skip
"""Values of $INSUNITS."""

PAPER_UNITS: Final = {0: "inch", 1: "millimeter", 2: "pixel"}
"""Group 72 of a LAYOUT."""


@dataclass(slots=True)
class Layer:
    """One layer."""

    name: str
    color: str = "#ffffff"
    linetype: str = "Continuous"
    width: float = 0.0
    """Line weight in millimetres; 0 where it is the default."""
    on: bool = True
    frozen: bool = False
    locked: bool = False
    plot: bool = True
    shown: bool = False
    """Whether it is read as if it were seen, because nothing else of the file is."""

    @property
    def visible(self) -> bool:
        """Whether what lies on it is seen, or read as if it were."""
        return self.shown or (self.on and not self.frozen)

    def record(self) -> dict[str, Any]:
        """As the document lists it."""
        further = {"line_weight": self.width} if self.width else {}
        return {
            "name": self.name,
            "color": self.color,
            "linetype": self.linetype,
            "visible": self.on and not self.frozen,
            "on": self.on,
            "frozen": self.frozen,
            "locked": self.locked,
            "plot": self.plot,
        } | further


@dataclass(slots=True)
class Styles:
    """All tables, names in lower case: DXF names have no case."""

    layers: dict[str, Layer] = field(default_factory=dict)
    fonts: dict[str, str] = field(default_factory=dict)
    """Text style to its font."""
    font_of_handle: dict[str, str] = field(default_factory=dict)
    style_of_handle: dict[str, str] = field(default_factory=dict)
    dashed: set[str] = field(default_factory=set)
    """Linetypes with gaps."""
    dimensions: dict[str, Record] = field(default_factory=dict)
    blocks: dict[str, str] = field(default_factory=dict)
    """Handle of a block record to the block's name."""

    def layer(self, name: str) -> Layer:
        """A layer; one that no table names is as AutoCAD would make it."""
        key = name.lower()
        found = self.layers.get(key)
        if found is None:
            found = self.layers[key] = Layer(name)
        return found


def styles(file: File) -> Styles:
    """The tables of a file."""
    found = Styles()
    for record in file.sections.get("TABLES", []):
        name = decoded(record.name(2))
        if record.type == "LAYER":
            found.layers.setdefault(name.lower(), _layer(record, name))
        elif record.type == "STYLE":
            font = _font(record)
            found.fonts[name.lower()] = font
            found.font_of_handle[record.name(5)] = font
            found.style_of_handle[record.name(5)] = name
        elif record.type == "LTYPE" and any(length < 0 for length in record.numbers(49)):
            found.dashed.add(name.lower())
        elif record.type == "DIMSTYLE":
            found.dimensions[name.lower()] = record
        elif record.type == "BLOCK_RECORD":
            found.blocks[record.name(5)] = name
    return found


def _font(record: Record) -> str:
    """The font's file, or the family that TrueType styles keep in extended data."""
    return record.name(3) or record.name(1000)


def _layer(record: Record, name: str) -> Layer:
    flags, color = record.whole(70), record.whole(62, 7)
    width = record.whole(370, -3)
    return Layer(
        name,
        color_of(record, abs(color)) or "#ffffff",
        decoded(record.name(6, "Continuous")),
        width / 100 if width > 0 else 0.0,
        on=color >= 0,
        frozen=bool(flags & 1),
        locked=bool(flags & 4),
        plot=bool(record.whole(290, 1)),
    )


def color_of(record: Record, index: int | None = None) -> str | None:
    """#rrggbb of a true colour or a colour of the palette; None where it is the layer's or the block's."""
    if record.has(420):
        return f"#{record.whole(420) & 0xFFFFFF:06x}"
    aci = record.whole(62, BYLAYER) if index is None else index
    return PALETTE[aci] if 0 < aci < BYLAYER else None


def units(file: File, warnings: list[str]) -> Units:
    """The unit of model space: $INSUNITS, else assumed from $MEASUREMENT."""
    code = file.setting("$INSUNITS")
    name = _UNITS.get(int(code)) if code is not None and abs(code) < 1000 else None
    if name is not None:
        return Units(name=name, found="declared", source=f"$INSUNITS {code:.0f}")
    measurement = file.setting("$MEASUREMENT")
    stated = "no $INSUNITS" if code is None else f"$INSUNITS {code:.0f} (unitless)"
    if measurement in (0, 1):
        name = "millimeter" if measurement else "inch"
        source = f"{stated}; $MEASUREMENT {measurement:.0f} is {'metric' if measurement else 'imperial'}"
    else:
        name, source = "millimeter", f"{stated} and no $MEASUREMENT"
    warnings.append(f"the file declares no unit of length ({source}); {name} is assumed")
    return Units(name=name, found="assumed", source=source)

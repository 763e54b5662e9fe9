"""The content of a drawing sheet: entities, dimensions, callouts, title block, tables, notes.

Glossary
  callout      an instruction in dimension or note text: "4X Ø6.6 THRU", "M8x1.25-6H".
  title block  the framed area of labels and values, usually at the lower right of the sheet.
  bom          bill of materials, the parts list table.
  revisions    the table of changes made to the sheet.

Source: spec, CadExtraction `structure`; members whose inner fields the spec does not show are open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import ConfigDict, Field

from spatial.contract import examples
from spatial.contract.callout_types import CALLOUT_NAMES
from spatial.contract.model import ItemList, Numbers, OpenModel, Position

if TYPE_CHECKING:
    CalloutName = str
else:
    # pydantic checks against the registry's names and OpenAPI lists them; a type checker cannot see a Literal of computed names.
    CalloutName = Literal[CALLOUT_NAMES]

TITLE_BLOCK_FIELDS: Final = (
    "title",
    "drawing_number",
    "part_number",
    "revision",
    "material",
    "finish",
    "scale",
    "sheet",
    "size",
    "drawn_by",
    "checked_by",
    "approved_by",
    "date",
    "weight",
    "tolerances",
    "units",
    "project",
    "customer",
    "company",
    "cage_code",
)
"""The known keys of `title_block.fields`; others may appear."""

Confidence = Annotated[float, Field(ge=0, le=1)]
"""Confidence of the reading: 1 is certain."""

LOW_CONFIDENCE: Final = 0.8
"""Readings below it are marked for a person to check: 23 of the 677 of the labelled real sheets (docs/accuracy.md)."""

Angle = Annotated[float, Field(ge=0, lt=360)]
"""Direction of reading in degrees, counter-clockwise from +x."""


class Callout(OpenModel):
    """One instruction parsed from dimension or note text (spec: Callout item)."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.CALLOUT]})

    id: str
    type: CalloutName
    text: str
    """The text as printed on the sheet."""
    source: str
    """Id of the annotation or dimension that it was read from."""
    quantity: Annotated[int, Field(ge=1)] | None = None
    """How many times it applies: 4 of "4X"."""
    through: bool | None = None
    depth: float | None = None
    """In the document's units."""
    position: Position | None = None
    """In the document's units."""
    page: Annotated[int, Field(ge=1)] | None = None
    """Page of its sheet, from 1."""
    sources: list[str] | None = None
    """Ids of all items that it was read from, `source` first."""
    confidence: Confidence | None = None


class TitleBlock(OpenModel):
    """The title block, read from vector text."""

    fields: dict[str, str]
    """Text per field; the known fields are TITLE_BLOCK_FIELDS."""
    confidence: Confidence
    sources: dict[str, list[str]]
    """Ids of the annotations that a field was read from, per field."""


class Table(OpenModel):
    """A parts list or a revision table."""

    columns: list[str]
    rows: ItemList[dict[str, str]]
    """Each row maps a column to its text."""
    confidence: Confidence
    sources: list[str] | None = None
    """Ids of the annotations that it was read from."""
    meanings: dict[str, list[str]] | None = None
    """What a column holds, whatever its heading calls it: item, quantity, name, part_number, material, weight, remark, revision, change,
    description, date, by, …; absent for a column whose heading is not known."""


class Note(OpenModel):
    """One numbered note."""

    number: int
    text: str
    sources: list[str] | None = None
    """Ids of the annotations that it was read from."""


class Notes(OpenModel):
    """The general notes of the sheet."""

    items: ItemList[Note]
    confidence: Confidence


class NamedTable(Table):
    """Any other table of the sheet: tolerances, holes, gear data, …"""

    name: str | None = None
    """Kind of the table."""
    page: int | None = None


class DrawingMetadata(OpenModel):
    """Metadata printed on the sheet; DXF and PDF only, from vector text, never OCR. Absent if the sheet has none."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.DRAWING_METADATA]})

    title_block: TitleBlock | None = None
    bom: Table | None = None
    revisions: Table | None = None
    notes: Notes | None = None
    tables: ItemList[NamedTable] | None = None
    """Tables that are neither parts list nor revisions."""


class Sheet(OpenModel):
    """One page of a PDF, or one space of a DXF: model space or a layout."""

    page: int
    """Number of the sheet, from 1; `page` of entities, annotations, dimensions and callouts refers to it."""
    name: str | None = None
    kind: Literal["page", "model", "layout"] | None = None
    bbox: Annotated[Numbers | None, Field(min_length=4, max_length=4)] = None
    """Minimum x, minimum y, maximum x, maximum y of the paper; for a space without paper, of the drawn content. y points up."""
    drawn_bbox: Annotated[Numbers | None, Field(min_length=4, max_length=4)] = None
    """The same of what is drawn and seen, without line weights; absent where nothing is."""
    unit: str | None = None
    """Unit of its coordinates."""
    text_layer: Literal["vector", "outlined", "raster", "none"] | None = None
    """Form of its lettering: text, outlines or strokes, pixels, or no lettering."""


class Layer(OpenModel):
    """A layer of a drawing."""

    name: str | None = None


class Entity(OpenModel):
    """One drawn entity with its geometry."""

    id: str | None = None
    type: str | None = None
    layer: str | None = None


class Dimension(OpenModel):
    """A dimension: its measured value and its printed text."""

    id: str | None = None
    type: str | None = None
    text: str | None = None
    """The text as printed on the sheet."""
    value: float | None = None
    """The measured length in the document's units, or an angle in degrees."""
    position: Numbers | None = None


class Annotation(OpenModel):
    """Text on the sheet that is not a dimension."""

    id: str | None = None
    type: str | None = None
    """text, mtext, attrib, attdef, tolerance, leader, table_cell."""
    text: str | None = None
    position: Numbers | None = None
    """Start of its first baseline."""
    page: int | None = None
    angle: Angle | None = None
    height: float | None = None
    """Height of a capital letter, in the document's units."""

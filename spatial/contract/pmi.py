"""Product and manufacturing information of a model: what the designer wrote into it, in the words of callouts.

Values are as written, in the `unit` beside them, which may differ from the document's; `value` of a dimension is in the document's.
An addition to the spec, whose `callouts` are those of drawings.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from spatial.contract import examples
from spatial.contract.model import ItemList, Model, OpenModel

PMI_TYPES = (
    "dimension",
    "tolerance",
    "limit",
    "fit",
    "basic",
    "reference_dimension",
    "gdt",
    "datum",
    "datum_target",
    "surface_finish",
    "note",
)
"""The values of a PMI item's `type`."""


class FaceReference(OpenModel):
    """Faces of one body, or of all instances of one definition."""

    bodies: list[str]
    """Ids of the solids or shells: all placements of the part that the item belongs to."""
    faces: list[str]
    """Ids of faces, the same in each of them."""


class PmiItem(OpenModel):
    """One dimension, tolerance, datum or note of a model, shaped like a callout of a drawing."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.PMI_ITEM]})

    id: str
    type: Annotated[str, Field(examples=list(PMI_TYPES))]
    """In documents of this service one of PMI_TYPES."""
    text: str | None = None
    """As it would be written on a drawing."""
    source: str
    """Id of the dimension or annotation that it is of."""
    faces: ItemList[FaceReference] | None = None
    """What it is about; of a distance, what it leads from."""
    features: ItemList[str] | None = None
    """Ids of the features that its faces belong to; of a pattern those of its members."""
    quantity: Annotated[int, Field(ge=1)] | None = None
    """How many features it applies to, where the file says so."""


class PmiCoverage(Model):
    """How the items of one kind are written."""

    semantic_only: Annotated[int, Field(ge=0)]
    """As values, and not drawn."""
    graphical_only: Annotated[int, Field(ge=0)]
    """Drawn for a person to read, without values: nothing else in the document tells what they say."""
    both: Annotated[int, Field(ge=0)]
    """As values, with an annotation that shows them."""

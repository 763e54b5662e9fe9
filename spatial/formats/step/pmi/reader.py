"""Product and manufacturing information of a STEP file, from its text.

The values come from the text and not from the kernel: OCCT 7.9 reads tolerances of 0 where a file has others, and mixes units within a
file ([decision 43](docs/decisions/0043-pmi-from-the-text.md)).
"""

from __future__ import annotations

import re
from typing import Final

from spatial.formats.step.instances import Instance, Instances
from spatial.formats.step.part21 import Part21
from spatial.formats.step.pmi.datums import Datums
from spatial.formats.step.pmi.dimensions import Dimensions
from spatial.formats.step.pmi.faces import document_faces
from spatial.formats.step.pmi.features import Features
from spatial.formats.step.pmi.presentation import Presentations
from spatial.formats.step.pmi.properties import Properties
from spatial.formats.step.pmi.source import Source
from spatial.formats.step.pmi.tolerances import Tolerances
from spatial.models.brep.instances import FlattenedAssembly
from spatial.models.brep.pmi import Kind, Pmi

_ANY: Final = re.compile(
    rb"\b(?:\w*DIMENSIONAL_(?:SIZE|LOCATION)|ANGULAR_(?:SIZE|LOCATION)|GEOMETRIC_TOLERANCE|\w+_TOLERANCE|DATUM|DATUM_FEATURE|DATUM_TARGET"
    rb"|PLACED_DATUM_TARGET_FEATURE|SURFACE_TEXTURE_REPRESENTATION|DRAUGHTING_CALLOUT|ANNOTATION_\w*OCCURRENCE"
    rb"|TESSELLATED_ANNOTATION_OCCURRENCE)\s*\(|PROPERTY_DEFINITION\s*\(\s*'semantic text'"
)
"""An entity of PMI."""
_HINTS: Final = (
    b"_TOLERANCE",
    b"DIMENSIONAL_",
    b"ANGULAR_",
    b"DATUM",
    b"TEXTURE",
    b"ANNOTATION_",
    b"DRAUGHTING_CALLOUT",
    b"'semantic text'",
)
"""One of them is in every file that has PMI: a plain search is faster than a pattern."""


def read(text: Part21, flattened: FlattenedAssembly, scale: float) -> Pmi | None:
    """The PMI of a file; None where it has none.

    flattened: the bodies as the document lists them. scale: millimetres per unit of the file's geometry.
    """
    if not any(hint in text.text for hint in _HINTS) or _ANY.search(text.text) is None:
        return None
    source = Source(text, Instances(text))
    features = Features(source, document_faces(source.instances, flattened, scale))
    properties = Properties(source, features)
    datums = Datums(source, features, properties)
    found = Pmi(
        dimensions=Dimensions(source, features).read(),
        tolerances=Tolerances(source, features).read(),
        datums=datums.read(),
        targets=datums.targets(),
        textures=properties.textures(),
        notes=properties.notes(),
    )
    items = _items(found, source, features)
    found.presentations = Presentations(source, features).read(items)
    found.texts = properties.texts(set(items) | {each.number for each in found.presentations})
    found.warnings = source.warnings()
    return found or None


def _items(found: Pmi, source: Source, features: Features) -> dict[int, tuple[Kind, set[int]]]:
    """Each semantic item with its kind and the shape aspects that it is about."""
    kinds: dict[int, Kind] = {each.number: "dimension" for each in found.dimensions}
    kinds |= dict.fromkeys((segment.number for each in found.tolerances for segment in each.segments), "tolerance")
    kinds |= dict.fromkeys((each.number for each in found.datums), "datum")
    kinds |= dict.fromkeys((each.number for each in found.targets), "datum_target")
    kinds |= dict.fromkeys((each.number for each in found.textures), "surface_texture")
    kinds |= dict.fromkeys((each.number for each in found.notes), "note")
    return {number: (kind, _aspects(source.instances.get(number), features)) for number, kind in kinds.items()}


_ABOUT: Final = (
    "dimensional_size.applies_to",
    "shape_aspect_relationship.relating_shape_aspect",
    "shape_aspect_relationship.related_shape_aspect",
    "geometric_tolerance.toleranced_shape_aspect",
    "property_definition.definition",
)


def _aspects(item: Instance | None, features: Features) -> set[int]:
    if item is None:
        return set()
    about = [number for name in _ABOUT if (number := item.number_at(name)) is not None]
    return {item.number, *about} if not item.is_a("shape_aspect") else {*features.aspects(item.number), *about}

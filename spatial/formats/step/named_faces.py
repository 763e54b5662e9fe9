"""Names that programs give to faces, or to groups of them, where they may say what thread is meant.

The kernel hands out no names of faces. Some programs write the thread there that they do not model: `ADVANCED_FACE('M8x1.25',…)`, or a
shape aspect of that name with the faces of the hole.
"""

from __future__ import annotations

import re
from typing import Final

from spatial.formats.step.instances import Instances
from spatial.formats.step.part21 import Part21
from spatial.formats.step.pmi.faces import document_faces
from spatial.formats.step.pmi.features import Features
from spatial.formats.step.pmi.source import Source
from spatial.models.brep.instances import FlattenedAssembly
from spatial.models.brep.pmi import FaceReference, NamedFaces

_NAMED: Final = rb"\s*\(\s*'(?=[^']{0,200}(?:\bMJ?\s?\d|UN[CFRJ]|BSP|NPT|\bG\s?\d|\bTr\s?\d|\bRc?\s?\d))"
"""What follows the keyword where the name has the letters of a thread's standard; whether it is one, the rules of callouts tell."""
_FACE: Final = b"ADVANCED_FACE"
_KEYWORDS: Final = (_FACE, b"SHAPE_ASPECT")
"""Each a pattern of its own, because one that begins with a choice takes ten times as long; letters may stand before the second."""
_BEFORE: Final = re.compile(rb"#\s*(\d{1,18})\s*=\s*(\w*)\Z")

_REACH: Final = 80
"""Bytes in which the number of an instance and the first letters of its keyword stand."""

MOST: Final = 10_000
"""Names that are read."""


def named_faces(text: Part21, flattened: FlattenedAssembly, scale: float) -> list[NamedFaces]:
    """Faces with names that may say a thread.

    flattened: the bodies as the document lists them. scale: millimetres per unit of the file's geometry.
    """
    found = _find(text.text)[:MOST]
    if not found:
        return []
    source = Source(text, Instances(text))
    faces = document_faces(source.instances, flattened, scale)
    features = Features(source, faces)
    named = []
    for _, number, keyword in found:
        instance = source.instances.get(number)
        if instance is None:
            continue
        if keyword == _FACE:
            face = faces.get(number)
            name = instance.text("representation_item.name")
            references: tuple[FaceReference, ...] = (FaceReference(face.bodies, (face.id,)),) if face else ()
        else:
            name = instance.text("shape_aspect.name")
            references = features.of(instance).faces
        if name and references:
            named.append(NamedFaces(name, references))
    return named


def _find(text: bytes) -> list[tuple[int, int, bytes]]:
    """Place, number and keyword of each instance whose name may say a thread, in the order of the text."""
    found = []
    for keyword in _KEYWORDS:
        for match in re.finditer(keyword + _NAMED, text):
            before = _BEFORE.search(text, max(0, match.start() - _REACH), match.start())
            if before and (keyword != _FACE or not before[2]):
                found.append((match.start(), int(before[1]), before[2] + keyword))
    return sorted(found)

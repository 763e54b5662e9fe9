"""Faces and solids that an IGES file states and the kernel's translator did not make.

Source: IGES 5.3: types 143 (bounded surface), 144 (trimmed surface), 510 (face), 186 (manifold solid).
"""

from __future__ import annotations

from typing import Final

from OCP.IGESData import IGESData_IGESModel, IGESData_UndefinedEntity

from spatial.formats.iges.text import IgesText
from spatial.formats.occt.losses import Losses, made_faces, made_solids
from spatial.models.brep.instances import FlattenedAssembly

FACES: Final = (143, 144, 510)
SOLIDS: Final = (186,)


def find(model: IGESData_IGESModel, text: IgesText, flattened: FlattenedAssembly) -> Losses:
    """Compare the directory with what was made of it."""
    faces, solids = (sum(text.entity_types[kind] for kind in kinds) for kinds in (FACES, SOLIDS))
    faces_lost = max(0, faces - made_faces(flattened))
    solids_lost = max(0, solids - made_solids(flattened))
    causes = list(dict.fromkeys(_unknown(model))) if faces_lost or solids_lost else []
    return Losses(faces_lost, faces, solids_lost, solids, causes)


def _unknown(model: IGESData_IGESModel) -> list[str]:
    """Directory entries of types that the translator does not know, as the file numbers them: 1, 3, 5, …"""
    found = []
    for place in range(1, model.NbEntities() + 1):
        entity = model.Entity(place)
        if isinstance(entity, IGESData_UndefinedEntity):
            found.append(f"directory entry {2 * place - 1} of type {entity.TypeNumber()}, which is not known")
    return found

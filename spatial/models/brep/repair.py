"""Bodies that close only when their faces are sewn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from OCP.gp import gp_Trsf

from spatial.geometry.placement import AS_MODELLED
from spatial.models.brep.definition import Definition, placement
from spatial.models.brep.instances import FlattenedAssembly, Instance
from spatial.models.brep.sewing import RELATIVE_TOLERANCE, repair_solid, sew


def sew_free_faces(flattened: FlattenedAssembly) -> FlattenedAssembly:
    """The same bodies, with free faces made closed shells where they close without exception; else as they were."""
    faces = flattened.of_kind("face")
    size = _size(faces)
    shells = sew([face.shape for face in faces], size * RELATIVE_TOLERANCE) if size > 0.0 else None
    if not shells:
        return flattened
    names = {face.name for face in faces}
    name = names.pop() if len(names) == 1 else None
    taken = len(flattened.of_kind("shell"))
    made = [
        Instance(f"shell-{taken + n}", "shell", name, Definition(f"sewn-{n}", shell, sewn=True), gp_Trsf())
        for n, shell in enumerate(shells, start=1)
    ]
    kept = [body for body in flattened.instances if body.kind != "face"]
    return replace(flattened, instances=kept + made)


def repair_solids(flattened: FlattenedAssembly) -> FlattenedAssembly:
    """The same bodies, with solids sewn whose faces do not share their edges, where that closes them."""
    made: dict[int, Definition] = {}
    for definition in {id(body.definition): body.definition for body in flattened.of_kind("solid")}.values():
        if definition.tessellated or all(definition.shells_closed):
            continue
        low, high = definition.bounds(AS_MODELLED)
        if not np.isfinite([low, high]).all():
            continue
        repaired = repair_solid(definition.shape, float(np.linalg.norm(high - low)) * RELATIVE_TOLERANCE)
        if repaired is not None:
            made[id(definition)] = Definition(definition.name, repaired, sewn=True)
    instances = [
        replace(body, definition=made.get(id(body.definition), body.definition)) for body in flattened.instances
    ]
    return replace(flattened, instances=instances) if made else flattened


def _size(faces: list[Instance]) -> float:
    """Of all faces together, millimetres."""
    if not faces:
        return 0.0
    bounds = [face.definition.bounds(placement(face.transform, 1.0)) for face in faces]
    low, high = np.min([low for low, _ in bounds], axis=0), np.max([high for _, high in bounds], axis=0)
    return float(np.linalg.norm(high - low)) if np.isfinite([low, high]).all() else 0.0

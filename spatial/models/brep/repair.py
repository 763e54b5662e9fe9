"""Bodies that close only when their faces are sewn."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.gp import gp_Trsf

from spatial.geometry.placement import AS_MODELLED
from spatial.models.brep.definition import Definition
from spatial.models.brep.instances import FlattenedAssembly, Instance
from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.sewing import RELATIVE_TOLERANCE, repair_solid, sew
from spatial.models.brep.topology import loose_box


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
    """Of all faces together, millimetres, at most a little too large: it only sets a tolerance."""
    box = Bnd_Box()
    for face in faces:
        with suppress(*KERNEL_ERRORS):
            box.Add(loose_box(face.shape))
    return 0.0 if box.IsVoid() or box.IsOpen() else math.sqrt(box.SquareExtent())

"""Two revisions of a document, made on purpose, and what compare says of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import cadquery as cq
import numpy as np
from ezdxf.document import Drawing
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace

from spatial.contract.extraction import CadExtraction
from spatial.contract.responses import ResponsesInput
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.pipeline.read import read_file
from spatial.reasoning.scene.model import Array
from spatial.reasoning.solve import solve
from tests.spatial import diagrams

Record = dict[str, Any]


def document(data: bytes, file_name: str) -> CadExtraction:
    """The structured document of a file, as a caller has it."""
    steps = read_file(data, file_name)
    made = assemble(
        steps.reading,
        steps.interpret(),
        None,
        file_name=file_name,
        target=TargetContract.structured,
        request_id="req_1",
    )
    return CadExtraction.model_validate_json(result_bytes(made))


def step(shape: cq.Workplane | cq.Assembly) -> bytes:
    """A shape as STEP."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        if isinstance(shape, cq.Assembly):
            shape.export(str(path))
        else:
            cq.exporters.export(shape, str(path))
        return path.read_bytes()


def part(shape: cq.Workplane | cq.Assembly) -> CadExtraction:
    """The document of a shape."""
    return document(step(shape), "part.step")


def diagram(*cells: str) -> CadExtraction:
    """The document of draw.io cells."""
    return document(diagrams.model(*cells).encode(), "flow.drawio")


def drawing(draw: Callable[[Modelspace, Drawing], None]) -> CadExtraction:
    """The document of a DXF that a function draws on A3, in millimetres."""
    file = new("R2010", setup=True, units=4)
    space = file.modelspace()
    space.add_lwpolyline([(0, 0), (420, 0), (420, 297), (0, 297)], close=True)
    draw(space, file)
    text = StringIO()
    file.write(text)
    return document(text.getvalue().encode(), "sheet.dxf")


def compared(previous: CadExtraction, current: CadExtraction, **members: Any) -> Record:
    """The output item of compare."""
    content = {"task_type": "compare", "cad_scene": current, "previous_cad_scene": previous, **members}
    found: Record = solve(ResponsesInput.model_validate(content)).output[0]
    return found


def difference(previous: CadExtraction, current: CadExtraction, **members: Any) -> Record:
    """`cad_scene_diff`."""
    found: Record = compared(previous, current, **members)["data"]["cad_scene_diff"]
    return found


def clouds(objects: dict[str, Array]) -> Record:
    """A point cloud scene."""
    return {
        "point_clouds": [
            {"object_id": name, "points": [{"x": x, "y": y, "z": z} for x, y, z in rows.tolist()]}
            for name, rows in objects.items()
        ]
    }


def clouds_compared(previous: dict[str, Array], current: dict[str, Array], **members: Any) -> Record:
    """The output item of compare for two point cloud scenes."""
    content = {
        "task_type": "compare",
        "point_cloud_scene": clouds(current),
        "previous_point_cloud_scene": clouds(previous),
        **members,
    }
    found: Record = solve(ResponsesInput.model_validate(content)).output[0]
    return found


def ids(rows: Iterable[Record]) -> set[str]:
    return {row["id"] for row in rows}


def shuffled(found: CadExtraction, seed: int) -> CadExtraction:
    """The same document with its objects in another order."""
    rng = np.random.default_rng(seed)
    data = found.model_dump(by_alias=True, exclude_none=True)
    structure = data["structure"]
    for name in ("solids", "shells", "entities", "dimensions", "annotations", "callouts"):
        if structure.get(name):
            structure[name] = [structure[name][place] for place in rng.permutation(len(structure[name]))]
    for page in structure.get("pages") or ():
        for name in ("nodes", "edges"):
            page[name] = [page[name][place] for place in rng.permutation(len(page[name]))]
    return CadExtraction.model_validate(data)

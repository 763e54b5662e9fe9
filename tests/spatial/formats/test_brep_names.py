"""Names of parts and placements: absent ones do no harm, and a file can be read without any."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import cadquery as cq
import pytest

from spatial.contract.formats import NAMES
from spatial.formats.iges import reader as iges
from spatial.formats.step import reader as step
from spatial.formats.step.strings import without_noncharacters
from spatial.models.brep.model import BrepModel
from tests.spatial import parts
from tests.spatial.models.test_brep_truth import assembly_bytes, step_bytes
from tests.spatial.models.test_brep_units import SOLIDS, iges_bytes

UNNAMED = """
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDocStd import TDocStd_Document
from OCP.XCAFDoc import XCAFDoc_DocumentTool, XCAFDoc_ShapeTool
from spatial.formats.occt import assembly

document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
XCAFDoc_ShapeTool.SetAutoNaming_s(False)
tool = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
tool.AddShape(BRepPrimAPI_MakeBox(1, 2, 3).Shape(), False)
(root,) = assembly.roots(document)
print(root.product.name, root.product.shape is not None)
"""
"""A label without a name attribute, as the translator leaves it of a shape that belongs to no product."""


@pytest.mark.requirement("brep.unnamed")
def test_a_label_without_a_name_is_a_part_without_a_name() -> None:
    # In a process of its own, which the kernel's binding would end.
    done = subprocess.run([sys.executable, "-c", UNNAMED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["None", "True"]), done.stderr


def named_step() -> bytes:
    return assembly_bytes("rack", parts.solid(cq.Workplane().box(1, 2, 3)), {"left": cq.Location((5, 0, 0))})


@pytest.mark.parametrize(
    ("read", "data"),
    [(step.read, named_step), (iges.read, lambda: iges_bytes(parts.block(), mode=SOLIDS))],
    ids=["step", "iges"],
)
@pytest.mark.requirement("converter.optional-parts")
def test_a_file_that_is_read_without_names_says_so(read: Callable[..., BrepModel], data: Callable[[], bytes]) -> None:
    whole, bare = read(data(), "part").reading, read(data(), "part", without=(NAMES,)).reading
    assert bare.entity_counts == whole.entity_counts and bare.bbox == whole.bbox
    assert [solid.name for solid in bare.structure.solids or ()] == [None]
    assert any("names are missing" in warning for warning in bare.warnings)
    assert not any("names are missing" in warning for warning in whole.warnings)


@pytest.mark.requirement("brep.names-without-characters")
@pytest.mark.parametrize("code", [rb"\X2\0000\X0", rb"\X2\D83D\X0", rb"\X4\00000000\X0", rb"\X\00"])
def test_a_code_of_no_character_stands_as_one_that_says_so(code: bytes) -> None:
    name = b"plate" + code + (b"" if code == rb"\X\00" else b"\\") + b"7"
    data = re.sub(
        rb"PRODUCT\('[^']*',\s*'[^']*'", lambda _: b"PRODUCT('%s','%s'" % (name, name), step_bytes(parts.block())
    )
    model = step.read(data, "plate.step")
    (part,) = model.reading.structure.parts or []
    assert (part.name, part.number) == ("plate\ufffd7", "plate\ufffd7")
    assert [solid.name for solid in model.reading.structure.solids or []] == ["plate\ufffd7"]
    assert any("U+FFFD" in warning for warning in model.reading.warnings)


@pytest.mark.requirement("brep.names-without-characters")
def test_an_escaped_backslash_before_an_x_begins_no_code() -> None:
    assert without_noncharacters(rb"'C:\\X2\0000\X0\'") == (rb"'C:\\X2\0000\X0\'", 0)
    assert without_noncharacters(rb"'\X2\00E90000\X0\'") == (rb"'\X2\00E9FFFD\X0\'", 1)

"""IGES 5.3: solids (186), trimmed surfaces (144, 143), wireframe, by the kernel's translator.

Most IGES files are heaps of trimmed surfaces. If they close when they are sewn edge to edge, the document has one closed shell
with an `enclosed_volume` and says so in a warning; if not, they are free faces. Either way the file holds no solid.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from fractions import Fraction
from pathlib import Path
from typing import Final

from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.IGESCAFControl import IGESCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDocStd import TDocStd_Document

from spatial.contract.formats import FORMATS
from spatial.counting import count_of
from spatial.errors import ParseError
from spatial.formats import content
from spatial.formats.iges import losses
from spatial.formats.iges import text as igestext
from spatial.formats.iges.text import IgesText
from spatial.formats.occt import assembly, kernel
from spatial.formats.occt.losses import report
from spatial.formats.occt.units import LengthUnit, is_length, unit_of
from spatial.models.brep.answer_size import refuse_oversized
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import BrepModel, measure
from spatial.models.brep.product import Node
from spatial.models.brep.repair import repair_solids, sew_free_faces
from spatial.models.reading import Units

FORMAT: Final = next(row for row in FORMATS if row.name == "iges")

_EXACT: Final = 10**9
"""Largest denominator of a unit in millimetres: turns the kernel's 25.4 back into 127/5."""


def read(data: bytes, file_name: str, without: Collection[str] = ()) -> BrepModel:
    """Read one file.

    without: optional parts of the format that are left out.
    Raises: ParseError where the content is not a whole IGES file with shapes in it.
    """
    text = IgesText(content.require(FORMAT, data, file_name))
    warnings: list[str] = []
    _require_whole(text, file_name, warnings)
    reader = _parsed(text, file_name, named=assembly.are_named(without, warnings))
    unit, units = _unit(reader, text, file_name, warnings)
    roots = _transferred(reader, text, file_name)
    scale = float(1 / unit.millimetres) / _model_space_scale(text, warnings)
    flattened = refuse_oversized(flatten(roots, scale), file_name)
    lost = losses.find(reader.IGESModel(), text, flattened)
    report(lost, flattened, file_name, warnings)
    repaired = repair_solids(sew_free_faces(flattened))
    return measure(repaired, units, scale, FORMAT.name, warnings, is_partial=bool(lost))


def _require_whole(text: IgesText, file_name: str, warnings: list[str]) -> None:
    """Raises: ParseError where sections are missing, or where it is whole and without an entity."""
    missing = [name for name in "GDPT" if not text.sections[name]]
    if missing == ["D", "P"] and text.promised.get("D") == 0:
        raise _without_shape(text, file_name)
    if missing:
        names = {"G": "global", "D": "directory", "P": "parameter", "T": "terminate"}
        what = " and no ".join(f"{names[name]} section" for name in missing)
        raise ParseError(
            f"{file_name}: the file is truncated: it ends in line {len(text.lines)} and has no {what}; export it again",
            details={"phase": "read", "line": len(text.lines), "missing": missing},
        )
    for name, count in text.promised.items():
        if text.sections[name] != count:
            warnings.append(
                f"the file has {count_of(text.sections[name], f'{name} record')}, but its terminate section says {count}"
            )


def _parsed(text: IgesText, file_name: str, *, named: bool) -> IGESCAFControl_Reader:
    kernel.prepare()
    reader = IGESCAFControl_Reader()
    reader.SetNameMode(named)
    reader.SetColorMode(True)
    reader.SetLayerMode(True)
    # The kernel reads IGES from named files only: streams are STEP's privilege.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.igs"
        path.write_bytes(text.raw)
        status = reader.ReadFile(str(path))
    if status != IFSelect_ReturnStatus.IFSelect_RetDone:
        raise ParseError(f"{file_name}: the file is not valid IGES; export it again", details={"phase": "read"})
    return reader


def _transferred(reader: IGESCAFControl_Reader, text: IgesText, file_name: str) -> list[Node]:
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    is_crowded = text.most_boundaries > kernel.CROWDED
    kernel.transfer(reader, document, file_name, kernel.CROSSINGS if is_crowded else ())
    roots = assembly.roots(document)
    if not roots:
        raise _without_shape(text, file_name)
    assembly.require_bounded(roots, file_name)
    return roots


def _without_shape(text: IgesText, file_name: str) -> ParseError:
    types = ", ".join(f"{kind} x {count}" for kind, count in sorted(text.entity_types.items()))
    return ParseError(
        f"{file_name}: the file has no shape (entities by type: {types or 'none'}); export solids or surfaces",
        details={"phase": "transfer"},
    )


def _unit(
    reader: IGESCAFControl_Reader, text: IgesText, file_name: str, warnings: list[str]
) -> tuple[LengthUnit, Units]:
    """The unit that the kernel converted from, and whether the file states it.

    Raises: ParseError where it is no length.
    """
    millimetres = Fraction(reader.IGESModel().GlobalSection().UnitValue()).limit_denominator(_EXACT)
    if not is_length(millimetres):
        raise ParseError(
            f"{file_name}: the file's unit of length is no length (IGES global parameters 14 and 15); export it again",
            details={"phase": "read"},
        )
    unit = unit_of(millimetres)
    flag = igestext.number(text.parameter(igestext.UNIT_FLAG))
    name = text.parameter(igestext.UNIT_NAME).upper()
    if flag is None and not name:
        warnings.append(f"the file declares no unit of length; {unit.name} is assumed, the default of IGES")
        return unit, Units(name=unit.name, found="assumed")
    known = set(igestext.UNIT_FLAGS.values()) | {"INCH"}
    if int(flag or 0) not in igestext.UNIT_FLAGS and name not in known:
        warnings.append(f"the file's unit {name!r} (flag {int(flag or 0)}) is not known; {unit.name} is assumed")
        return unit, Units(name=unit.name, found="assumed")
    return unit, Units(name=unit.name, found="declared", source="IGES global parameters 14 and 15")


def _model_space_scale(text: IgesText, warnings: list[str]) -> float:
    """Model units per real unit: coordinates of a model drawn 1:10 are a tenth of the real ones."""
    scale = igestext.number(text.parameter(igestext.MODEL_SPACE_SCALE)) or 1.0
    if scale <= 0.0:
        warnings.append(f"the model space scale {scale:g} is not a positive number; 1 is assumed")
        return 1.0
    if scale != 1.0:
        warnings.append(f"the model space scale is {scale:g}; numbers are in real space, 1/{scale:g} of the file's")
    return scale

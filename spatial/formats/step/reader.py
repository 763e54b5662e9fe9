"""STEP (ISO 10303-21): AP203, AP214, AP242 and relatives, by the kernel's XCAF translator."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDocStd import TDocStd_Document
from OCP.TopoDS import TopoDS_Shape

from spatial.contract.formats import FORMATS
from spatial.counting import count_of, listed
from spatial.errors import ParseError
from spatial.formats import content as _content
from spatial.formats.occt import assembly, kernel
from spatial.formats.occt.losses import report
from spatial.formats.occt.pcurves import add_pcurves, order_seams
from spatial.formats.occt.units import MILLIMETER, LengthUnit, is_length
from spatial.formats.step import losses, names, products, usage
from spatial.formats.step.named_faces import named_faces
from spatial.formats.step.part21 import Part21, first_error
from spatial.formats.step.pmi import reader as pmi
from spatial.formats.step.sides import note_turned
from spatial.formats.step.strings import without_noncharacters
from spatial.formats.step.units import FileUnits, geometry_units
from spatial.models.brep.answer_size import refuse_oversized
from spatial.models.brep.definition import Definition, measure_together
from spatial.models.brep.delegated import delegate_check, delegates
from spatial.models.brep.faults import KERNEL_FACES
from spatial.models.brep.instances import FlattenedAssembly, flatten
from spatial.models.brep.model import BrepModel, measure
from spatial.models.brep.pmi import NamedFaces
from spatial.models.brep.product import Node
from spatial.models.brep.repair import repair_solids, sew_free_faces
from spatial.models.guard import attempt
from spatial.models.reading import Units

FORMAT: Final = next(row for row in FORMATS if row.name == "step")

CHECKS_SHOWN: Final = 3
"""How many of the translator's complaints a document repeats."""

_OTHER_BODIES: Final = (b"BREP_WITH_VOIDS", b"SURFACE_MODEL", b"FACETED_BREP", b"GEOMETRIC_SET")
"""Bodies of several shells, of none or of flat faces without surfaces, whose repairs are not left out all together."""

_END: Final = b"\nEND-ISO-10303-21;\n"

_FOREIGN_SCHEMAS: Final = {"IFC": "a building model (IFC)", "CIS": "a steel structure (CIS/2)"}
"""Part 21 files of other worlds, by the beginning of their schema's name."""


def read(data: bytes, file_name: str, without: Collection[str] = ()) -> BrepModel:
    """Read one file.

    without: optional parts of the format that are left out.
    Raises: ParseError where the content is not a whole STEP file with products or shapes in it.
    """
    warnings: list[str] = []
    text = Part21(_with_characters(_content.require(FORMAT, data, file_name), warnings))
    content = _whole(text, file_name, warnings)
    usage.require_bounded(text, file_name)
    found = geometry_units(text)
    _require_length(found, file_name)
    reader = _parsed(content, text, file_name, warnings, named=assembly.are_named(without, warnings))
    missing = _checked(reader, warnings)
    unit = found.unit if found else MILLIMETER
    units = _evidence(found, warnings)
    _note_missing(text, warnings)
    scale = float(1 / unit.millimetres)
    flattened, without = _translated(reader, text, file_name, scale, warnings, crashed=bool(without))
    describe = partial(_model, reader, text, file_name, missing, units, unit)
    model: BrepModel | None = None
    if without in (kernel.SOLIDS, kernel.BOUNDARIES):
        bodies = _checked_bodies(flattened)
        if delegates(
            bodies
        ):  # before they are known to be sound, as the other process finds that out or meshes them meanwhile
            delegate_check(bodies)
            model = describe(flattened, list(warnings))
        if not _is_sound(flattened, whole=without == kernel.SOLIDS):
            kernel.forget(reader)
            flattened, model = _bodies(reader, text, file_name, scale, [], ()), None
    return model or describe(flattened, warnings)


def _require_length(found: FileUnits | None, file_name: str) -> None:
    """Raises: ParseError where the unit of the geometry is no length, so that no number of the file means anything."""
    if found is not None and not is_length(found.unit.millimetres):
        raise ParseError(
            f"{file_name}: the unit of its geometry, {found.unit.name!r}, is defined by a number that no unit of length has; "
            "export it again",
            details={"phase": "read"},
        )


def _model(
    reader: STEPCAFControl_Reader,
    text: Part21,
    file_name: str,
    missing: list[int],
    units: Units,
    unit: LengthUnit,
    flattened: FlattenedAssembly,
    warnings: list[str],
) -> BrepModel:
    """The model of the bodies. missing: instances that are referred to and not there."""
    millimetres = float(unit.millimetres)
    lost = losses.find(reader, text, flattened, missing)
    report(lost, flattened, file_name, warnings)
    repaired = repair_solids(sew_free_faces(flattened))
    found_pmi = attempt("PMI", partial(pmi.read, text, repaired, millimetres), None, warnings)
    none: list[NamedFaces] = []
    faces = attempt("names of faces", partial(named_faces, text, repaired, millimetres), none, warnings)
    attempt("sides of faces", partial(note_turned, text, repaired, millimetres, warnings), None, warnings)
    model = measure(repaired, units, float(1 / unit.millimetres), FORMAT.name, warnings, is_partial=bool(lost))
    model.pmi = found_pmi
    model.named = faces
    return model


def _with_characters(content: bytes, warnings: list[str]) -> bytes:
    """The content, with a warning where its texts hold what is no character."""
    content, replaced = without_noncharacters(content)
    if replaced:
        warnings.append(
            f"texts hold {count_of(replaced, 'code')} of no character (U+0000 or half a surrogate): U+FFFD stands there"
        )
    return content


def _whole(text: Part21, file_name: str, warnings: list[str]) -> bytes:
    """The content, with its end mark.

    Raises: ParseError where the file is cut off, or of a schema that has no geometry for us.
    """
    if not text.has_data:
        raise ParseError(
            f"{file_name}: the file is truncated: it ends before its data section; export it again",
            details={"phase": "read"},
        )
    for schema in text.schemas:
        for beginning, what in _FOREIGN_SCHEMAS.items():
            if schema.startswith(beginning):
                raise ParseError(
                    f"{file_name}: the file follows the schema {schema}: {what}, not a CAD model; export STEP AP242",
                    details={"phase": "read", "schema": schema},
                )
    if text.has_no_numbers and (found := first_error(text.raw)):
        line, what = found
        raise ParseError(
            f"{file_name}: line {line} has a number that no geometry can be computed with: {what}; export it again",
            details={"phase": "read", "line": line},
        )
    if text.is_nowhere:
        raise ParseError(
            f"{file_name}: most of its points stand more than 1E18 from the origin, where no geometry can be computed; "
            "export it again",
            details={"phase": "read"},
        )
    if text.has_end:
        return text.raw
    if text.ends_after_section:
        warnings.append("the file ends without END-ISO-10303-21; its data section is whole")
        return text.raw + _END
    raise ParseError(
        f"{file_name}: the file is truncated: it ends in line {text.line_of(len(text.raw))}, within its data section; export it again",
        details={"phase": "read", "line": text.line_of(len(text.raw))},
    )


def _parsed(content: bytes, text: Part21, file_name: str, warnings: list[str], *, named: bool) -> STEPCAFControl_Reader:
    page = names.code_page(content)
    if page != names.UTF_8:
        warnings.append(
            f"names are neither ASCII nor UTF-8; they are read as {names.TITLES[page]}, as their bytes suggest"
        )
    kernel.prepare(read__step__codepage=page)
    reader = STEPCAFControl_Reader()
    reader.SetNameMode(named)
    for mode in (reader.SetColorMode, reader.SetLayerMode):
        mode(True)
    for mode in (reader.SetPropsMode, reader.SetGDTMode, reader.SetMatMode, reader.SetSHUOMode, reader.SetViewMode):
        mode(False)
    if reader.ReadStream(file_name, io.BytesIO(content)) != IFSelect_ReturnStatus.IFSelect_RetDone:
        raise _syntax_error(text, file_name)
    return reader


def _checked(reader: STEPCAFControl_Reader, warnings: list[str]) -> list[int]:
    """The numbers of instances that are referred to and missing; a warning of what else the translator finds wrong."""
    checks = reader.Reader().StepModel().GlobalCheck(True)
    fails = [str(checks.CFail(i, True)) for i in range(1, checks.NbFails() + 1)]
    missing, others = losses.unresolved(fails)
    if others:
        warnings.append(f"the file has errors: {listed(others, CHECKS_SHOWN, '; ')}")
    return missing


def _syntax_error(text: Part21, file_name: str) -> ParseError:
    found = first_error(text.raw)
    if found is None:
        return ParseError(f"{file_name}: the file is not valid STEP; export it again", details={"phase": "read"})
    line, what = found
    return ParseError(
        f"{file_name}: the syntax is wrong in line {line}: {what}; export it again",
        details={"phase": "read", "line": line},
    )


def _needless(text: Part21, *, crashed: bool) -> Collection[str]:
    """Repairs that the translation is first tried without. crashed: whether the file ended its parser before.

    The kernel's check, which every file goes through up to so many faces, finds the bodies that need them.
    """
    if max(text.bounds, default=0) > kernel.CROWDED:
        return kernel.CROSSINGS
    if len(text.bounds) > KERNEL_FACES:
        return ()
    if crashed or not (text.needs_no_curves or text.lacks_all_curves):
        return kernel.BOUNDARIES
    return kernel.BOUNDARIES if any(each in text.text for each in _OTHER_BODIES) else kernel.SOLIDS


def _is_sound(flattened: FlattenedAssembly, *, whole: bool) -> bool:
    """Whether the kernel's check finds nothing wrong with any body. whole: and every body is a solid that is known to be closed."""
    checked = _checked_bodies(flattened)
    if any(each.kernel_faults for each in checked):
        return False
    if whole:
        measure_together(checked)
    return not whole or (not flattened.of_kind("shell", "face") and all(map(_is_whole, checked)))


def _is_whole(body: Definition) -> bool:
    """Whether a body closes and its faces look outwards, by what is integrated over each of them: nothing of it is left to repair."""
    return body.closed and body.mass.complete and body.mass.encloses and not body.reversed


def _checked_bodies(flattened: FlattenedAssembly) -> list[Definition]:
    """The bodies that the kernel can judge, each once."""
    definitions = {id(body.definition): body.definition for body in flattened.of_kind("solid", "shell")}
    return [each for each in definitions.values() if not each.tessellated]


def _translated(
    reader: STEPCAFControl_Reader,
    text: Part21,
    file_name: str,
    scale: float,
    warnings: list[str],
    *,
    crashed: bool,
) -> tuple[FlattenedAssembly, Collection[str]]:
    """The bodies, and the repairs that they were translated without."""
    without = _needless(text, crashed=crashed)
    flattened = _bodies(reader, text, file_name, scale, warnings, without)
    shapes = [each.shape for each in flattened.definitions.values()]
    if without != kernel.SOLIDS or all(map(_completes_curves(text), shapes)):
        return flattened, without
    kernel.forget(reader)
    return _bodies(reader, text, file_name, scale, [], kernel.BOUNDARIES), kernel.BOUNDARIES


def _completes_curves(text: Part21) -> Callable[[TopoDS_Shape], bool]:
    """What makes the curves of edges on faces of a shape complete; it returns whether boundaries then close on their faces."""
    if not text.needs_no_curves:
        return add_pcurves
    return order_seams if text.has_seams else lambda _: True


def _bodies(
    reader: STEPCAFControl_Reader,
    text: Part21,
    file_name: str,
    scale: float,
    warnings: list[str],
    without: Collection[str],
) -> FlattenedAssembly:
    """The bodies of every placement. without: repairs that are left out."""
    roots = _transferred(reader, text, file_name, without)
    products.describe(text, roots, warnings)
    return refuse_oversized(flatten(roots, scale), file_name)


def _transferred(reader: STEPCAFControl_Reader, text: Part21, file_name: str, without: Collection[str]) -> list[Node]:
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    kernel.transfer(reader, document, file_name, without)
    roots = assembly.roots(document)
    if not roots:
        raise ParseError(
            f"{file_name}: the file has no shape ({count_of(text.instance_count, 'instance')}, "
            f"schema {', '.join(text.schemas) or 'not stated'}); export solids or surfaces",
            details={"phase": "transfer"},
        )
    assembly.require_bounded(roots, file_name)
    return roots


def _evidence(found: FileUnits | None, warnings: list[str]) -> Units:
    if found is None:
        warnings.append("the file declares no unit of length; millimeter is assumed")
        return Units(name=MILLIMETER.name, found="assumed")
    if found.others:
        others = ", ".join(found.others)
        warnings.append(
            f"bodies are modelled in {found.unit.name} and in {others}; all numbers are in {found.unit.name}"
        )
    if found.contradicted:
        warnings.append(
            f"the file's unit of length is called {found.contradicted} and is defined as {found.unit.name}; all numbers are in "
            f"this length: check a known size, and export the file again where the definition is wrong"
        )
    return Units(name=found.unit.name, found="declared", source=found.source)


def _note_missing(text: Part21, warnings: list[str]) -> None:
    """What a reader of the document would look for in vain."""
    if text.external_files:
        names = ", ".join(text.external_files[:20])
        warnings.append(f"parts are in other files, which are not read: {names}")
    nodes = text.occurrences("NODE")
    if nodes:
        warnings.append(f"the file holds a finite element mesh ({count_of(nodes, 'node')}), which is not read")

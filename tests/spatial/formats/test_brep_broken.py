"""What is not a whole STEP or IGES file is a typed error, or a document; never anything else."""

from __future__ import annotations

import asyncio
import io
import random
import re
import secrets
import tempfile
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from functools import cache

import cadquery as cq
import pytest
import pytest_asyncio

from converter.documents import unpacked
from converter.pool import Pool, PoolSettings
from converter.wire import DocumentPlan, InputFile
from spatial.contract.extraction import CadExtraction
from spatial.contract.target import TargetContract
from spatial.errors import ParseError
from spatial.formats.iges import reader as iges
from spatial.formats.step import reader as step
from spatial.models.brep.model import BrepModel
from tests.spatial import parts
from tests.spatial.models.test_brep_truth import step_bytes
from tests.spatial.models.test_brep_units import SOLIDS, iges_bytes

READERS: dict[str, Callable[[bytes, str], BrepModel]] = {"step": step.read, "iges": iges.read}

CUTS = 40
FLIPS = 100
SEED = 20250301
DEADLINE = 60.0
PLAN = DocumentPlan(target=TargetContract.structured, request_id="req_broken")


@cache
def specimen(format: str) -> bytes:
    """A small valid file."""
    part = parts.solid(cq.Workplane().box(10, 20, 30).cut(cq.Workplane().circle(3).extrude(30, both=True)))
    return step_bytes(part) if format == "step" else iges_bytes(part, mode=SOLIDS)


def read(format: str, data: bytes, name: str | None = None) -> BrepModel:
    return READERS[format](data, name or f"part.{format}")


def refusal(format: str, data: bytes, name: str | None = None) -> ParseError:
    """The error, which names the file and the phase."""
    with pytest.raises(ParseError) as raised:
        read(format, data, name)
    assert raised.value.message.startswith(name or f"part.{format}")
    assert (raised.value.details or {})["phase"] in ("detect", "read", "transfer")
    return raised.value


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[Pool]:
    """Where files are read: the kernel dies of some of these files, and only a process of its own survives that."""
    pool = Pool(PoolSettings(deadline=DEADLINE, workers=2, queue=2 * FLIPS))
    await pool.start()
    yield pool
    await pool.close()


async def outcome(pool: Pool, format: str, data: bytes) -> str:
    """What came of a broken file: a `document`, `refused`, or `died` with its reader."""
    handle, source = secrets.token_hex(8), InputFile(file_name=f"part.{format}", format=format)
    try:
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(data)
            await pool.read(handle, source, file)
        answer = await pool.assemble(handle, PLAN)
    except ParseError as error:
        return "died" if "signal" in (error.details or {}) else "refused"
    finally:
        pool.release(handle)
    structure = CadExtraction.model_validate_json(unpacked(answer, source, PLAN).body).structure
    assert structure is not None and structure.kind == "brep"
    for solid in structure.solids or ():
        assert solid.volume is None or solid.volume > 0
    return "document"


async def outcomes(pool: Pool, format: str, files: Iterable[bytes]) -> Counter[str]:
    return Counter(await asyncio.gather(*(outcome(pool, format, data) for data in files)))


def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("part.step", specimen("step"))
    return packed.getvalue()


IFC = b"""ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');
FILE_NAME('house.ifc','2024-01-01T00:00:00',('a'),('b'),'c','d','e');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCPERSON($,$,'',$,$,$,$,$);
#2=IFCORGANIZATION($,'o',$,$,$);
ENDSEC;
END-ISO-10303-21;
"""
PDF = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n"


@pytest.mark.requirement("brep.empty", "brep.broken-file-typed")
@pytest.mark.parametrize("data", [b"", b" \r\n\t\n", b"\xef\xbb\xbf"], ids=["nothing", "blanks", "mark"])
@pytest.mark.parametrize("format", READERS)
def test_an_empty_file_is_called_empty(format: str, data: bytes) -> None:
    assert "empty" in refusal(format, data).message


@pytest.mark.requirement("brep.broken-file-typed")
@pytest.mark.parametrize("format", READERS)
def test_garbage_is_no_format_known(format: str) -> None:
    error = refusal(format, random.Random(SEED).randbytes(5000))
    assert "no format that is known" in error.message
    for data in (b"\0" * 4096, b"hello, world\n" * 50, b"\xff\xfe" + "ISO-10303-21;".encode("utf-16-le")):
        refusal(format, data)


@pytest.mark.requirement("content.fits-extension", "brep.broken-file-typed")
@pytest.mark.parametrize("format", READERS)
def test_an_archive_is_called_an_archive(format: str) -> None:
    assert "ZIP archive" in refusal(format, zipped()).message


@pytest.mark.requirement("content.fits-extension")
@pytest.mark.parametrize("format", READERS)
def test_a_pdf_is_called_a_pdf(format: str) -> None:
    error = refusal(format, PDF)
    assert "PDF" in error.message
    assert (error.details or {}) == {"phase": "detect", "expected": format, "found": "pdf"}


@pytest.mark.requirement("content.fits-extension", "extraction.source-format")
@pytest.mark.parametrize(("format", "found"), [("step", "iges"), ("iges", "step")])
def test_step_and_iges_are_not_taken_for_each_other(format: str, found: str) -> None:
    error = refusal(format, specimen(found))
    assert found.upper() in error.message.split("looks like")[1]
    assert (error.details or {})["found"] == found


@pytest.mark.requirement("brep.foreign-schema")
@pytest.mark.parametrize("schema", ["IFC4", "IFC2X3", "ifc4x3_add2"])
def test_a_building_model_is_named_with_its_schema(schema: str) -> None:
    error = refusal("step", IFC.replace(b"IFC4", schema.encode()), "house.step")
    assert schema.upper() in error.message
    assert "building" in error.message


@pytest.mark.requirement("brep.without-shapes")
def test_step_without_products_says_so() -> None:
    head = specimen("step").split(b"DATA;")[0]
    bare = head + b"DATA;\n#1=CARTESIAN_POINT('',(0.,0.,0.));\nENDSEC;\nEND-ISO-10303-21;\n"
    assert "the file has no shape (" in refusal("step", bare).message
    refusal("step", head + b"DATA;\nENDSEC;\nEND-ISO-10303-21;\n")


@pytest.mark.requirement("brep.truncated", "brep.broken-file-typed")
def test_step_cut_anywhere_is_an_error_that_says_so() -> None:
    data = specimen("step").rstrip()
    for cut in range(1, CUTS + 1):
        part = data[: cut * (len(data) - 40) // CUTS]
        error = refusal("step", part)
        assert "truncated" in error.message or "looks like" in error.message, (len(part), error.message)


@pytest.mark.requirement("brep.truncated")
def test_step_that_lacks_only_its_end_mark_is_read_with_a_warning() -> None:
    whole = specimen("step")
    reading = read("step", re.sub(rb"END-ISO-10303-21;\s*$", b"", whole)).reading
    assert any("END-ISO-10303-21" in warning for warning in reading.warnings)
    assert reading.structure.solids == read("step", whole).reading.structure.solids


@pytest.mark.requirement("brep.truncated", "brep.broken-file-typed")
def test_iges_cut_between_records_is_an_error_that_says_so() -> None:
    lines = specimen("iges").splitlines(keepends=True)
    for kept in range(1, len(lines), max(1, len(lines) // CUTS)):
        assert "truncated" in refusal("iges", b"".join(lines[:kept])).message


@pytest.mark.requirement("brep.truncated", "brep.broken-file-typed")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("format", READERS)
async def test_a_file_cut_at_any_byte_is_an_error_or_a_document(pool: Pool, format: str) -> None:
    data = specimen(format).rstrip()
    cuts = [data[: cut * (len(data) - 1) // CUTS] for cut in range(1, CUTS + 1)]
    found = await outcomes(pool, format, cuts)
    assert set(found) <= {"refused", "document"}
    assert found["refused"] >= CUTS - 2


@pytest.mark.requirement("brep.truncated")
def test_iges_that_lacks_records_in_the_middle_is_warned_of() -> None:
    lines = specimen("iges").splitlines(keepends=True)
    at = max(n for n, line in enumerate(lines) if line[72:73] == b"P")
    try:
        reading = read("iges", b"".join(lines[:at] + lines[at + 1 :])).reading
    except ParseError:
        return
    assert any("terminate section" in warning for warning in reading.warnings)


def flipped(data: bytes, number: int) -> bytes:
    """One to four bytes changed, anywhere behind the first line."""
    chance = random.Random(SEED + number)
    broken = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        broken[chance.randrange(80, len(broken))] = chance.randrange(256)
    return bytes(broken)


@pytest.mark.requirement("brep.broken-file-typed")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("format", READERS)
async def test_changed_bytes_give_a_document_or_a_typed_error(pool: Pool, format: str) -> None:
    found = await outcomes(pool, format, (flipped(specimen(format), number) for number in range(FLIPS)))
    assert found["document"] > FLIPS // 4


@pytest.mark.requirement("brep.broken-file-typed")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("format", READERS)
async def test_lost_and_doubled_lines_give_a_document_or_a_typed_error(pool: Pool, format: str) -> None:
    lines = specimen(format).splitlines(keepends=True)
    places = [random.Random(SEED + number).randrange(1, len(lines) - 1) for number in range(CUTS // 2)]
    files = [b"".join(lines[:at] + lines[more:]) for at in places for more in (at + 1, at - 1)]
    found = await outcomes(pool, format, files)
    assert found["document"] > 0

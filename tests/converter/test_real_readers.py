"""The readers that the service comes with: what a newcomer's first file meets."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from converter import child
from converter.documents import parsed, unpacked
from converter.fork_server import create_fork_server
from converter.format_table import FORMATS, formats
from converter.pool import Pool, PoolSettings
from converter.wire import MESH_HEAD, DocumentPlan, InputFile, MeaningFacts, PointFacts, ReadFacts
from spatial.contract.extraction import CadExtraction, Edge
from spatial.contract.formats import SNIFF_BYTES
from spatial.contract.limits import CONVERT_MEMORY_BYTES
from spatial.errors import InvalidRequest
from spatial.models.picture import Picture, PicturePlan
from tests.accuracy.outlined import as_outlines
from tests.converter.conftest import STRUCTURED, WITH_POINTS, Trials
from tests.sheets.generate import sheet as generated

pytestmark = pytest.mark.asyncio(loop_scope="module")

SAMPLE = Path(__file__).parents[2] / "examples" / "bracket.step"
SOURCE = InputFile(file_name=SAMPLE.name, format="step")
HANDLE = "handle-of-the-sample"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[Pool]:
    pool = Pool(PoolSettings(workers=2), create_fork_server(memory_bytes=CONVERT_MEMORY_BYTES))
    await pool.start()
    yield pool
    await pool.close()


async def document_of(pool: Pool, handle: str, source: InputFile, plan: DocumentPlan) -> CadExtraction:
    return parsed(unpacked(await pool.assemble(handle, plan), source, plan), source.file_name)


@pytest.mark.requirement("converter.round-trip", "converter.prepared")
async def test_a_real_part_is_read_interpreted_and_sampled_under_all_measures(pool: Pool) -> None:
    descriptor = os.open(SAMPLE, os.O_RDONLY)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        body = await pool.read(HANDLE, SOURCE, file)
    assert ReadFacts.model_validate_json(body).entity_counts["solids"] == 1
    MeaningFacts.model_validate_json(await pool.interpret(HANDLE))
    assert await Trials(pool).sample(HANDLE) == PointFacts(objects=1, points=1)
    document = await document_of(pool, HANDLE, SOURCE, WITH_POINTS)
    assert document.structure is not None and document.point_cloud_scene is not None
    assert [solid.is_closed for solid in document.structure.solids or ()] == [True]
    assert [cloud.object_id for cloud in document.point_cloud_scene.point_clouds] == ["solid-1"]


@pytest.mark.requirement("converter.mesh")
async def test_a_mesh_is_binary_gltf_and_nothing_is_kept(pool: Pool) -> None:
    kept = pool.health().kept
    with SAMPLE.open("rb", buffering=0) as file:
        body = await pool.mesh(InputFile(file_name=SAMPLE.name, format="step"), file)
    assert MESH_HEAD.unpack_from(body) == (b"glTF", 2, len(body))
    assert pool.health().kept == kept


@pytest.mark.requirement("lines.child")
async def test_a_sheet_with_drawn_lettering_is_read_under_all_measures(pool: Pool, tmp_path: Path) -> None:
    sheet = tmp_path / "drawn.pdf"
    sheet.write_bytes(as_outlines(generated(11, format="pdf").data, pages=1))
    source = InputFile(file_name=sheet.name, format="pdf")
    with sheet.open("rb", buffering=0) as file:
        read = ReadFacts.model_validate_json(await pool.read(HANDLE, source, file))
    assert any("lines of lettering were read from outlines" in warning for warning in read.warnings)
    assert not any("glyph by glyph" in warning for warning in read.warnings)
    assert (await document_of(pool, HANDLE, source, STRUCTURED)).structure is not None


@pytest.mark.requirement("extract.edges")
async def test_the_edges_of_a_part_are_found_where_its_read_asks_for_them(pool: Pool) -> None:
    found: dict[bool, list[Edge] | None] = {}
    for edges in (False, True):
        source = InputFile(file_name=SAMPLE.name, format="step", edges=edges)
        handle = f"edges-{edges}-0123456789"
        with SAMPLE.open("rb", buffering=0) as file:
            await pool.read(handle, source, file)
        structure = (await document_of(pool, handle, source, STRUCTURED)).structure
        found[edges] = None if structure is None else structure.edges
    assert found[False] is None
    assert len(found[True] or ()) == 131, "four more are points"


@pytest.mark.requirement("converter.picture")
async def test_a_picture_is_drawn_under_all_measures_and_nothing_is_kept(pool: Pool) -> None:
    kept = pool.health().kept
    source = InputFile(file_name=SAMPLE.name, format="step")
    for format, begin in (("png", b"\x89PNG"), ("svg", b"<svg")):
        plan = PicturePlan.model_validate({"format": format, "features": True, "width": 400, "height": 300})
        with SAMPLE.open("rb", buffering=0) as file:
            made = Picture.model_validate_json(await pool.picture(source, file, plan))
        assert made.content.startswith(begin)
    assert pool.health().kept == kept


@pytest.mark.requirement("converter.picture")
async def test_a_file_without_surfaces_has_no_picture(pool: Pool) -> None:
    with (
        (SAMPLE.parent / "sheet.pdf").open("rb", buffering=0) as file,
        pytest.raises(InvalidRequest, match="name a STEP or IGES file"),
    ):
        await pool.picture(InputFile(file_name="sheet.pdf", format="pdf"), file, PicturePlan())


@pytest.mark.requirement("converter.mesh")
async def test_a_file_without_surfaces_has_no_mesh(pool: Pool) -> None:
    with (
        (SAMPLE.parent / "sheet.pdf").open("rb", buffering=0) as file,
        pytest.raises(InvalidRequest, match="no surfaces"),
    ):
        await pool.mesh(InputFile(file_name="sheet.pdf", format="pdf"), file)


SPECIMENS = sorted(child.SPECIMENS.iterdir())
DIAGRAMS = ("png.png", "diagram.xml")
"""Names under which a diagram of draw.io comes too."""
CASES = [
    *(pytest.param(file, file.name, file.stem, id=file.name) for file in SPECIMENS),
    pytest.param(child.SPECIMENS / "drawio.drawio", "diagram.xml", "xml", id="diagram.xml"),
]


@pytest.mark.requirement("converter.round-trip", "converter.prepared")
@pytest.mark.parametrize(("specimen", "name", "row"), CASES)
async def test_every_format_is_read_and_interpreted_under_all_measures(
    pool: Pool, specimen: Path, name: str, row: str
) -> None:
    descriptor = os.open(specimen, os.O_RDONLY)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        body = await pool.read(name, InputFile(file_name=name, format=row), file)
    reading = ReadFacts.model_validate_json(body)
    assert reading.source_format == ("drawio" if name in DIAGRAMS else specimen.stem)
    assert not reading.warnings, "a specimen is read without warnings"
    MeaningFacts.model_validate_json(await pool.interpret(name))


@pytest.mark.requirement("converter.prepared", "converter.threads")
async def test_loading_and_rehearsing_starts_no_thread(pool: Pool) -> None:
    """A process that has threads must not fork: the child inherits their locks and not them."""
    assert _threads_of(pool.server.pid) == 1


def _threads_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


@pytest.mark.requirement("converter.prepared")
async def test_every_reader_has_a_specimen_and_every_specimen_is_of_its_format() -> None:
    specimens = {file.stem: file for file in child.SPECIMENS.iterdir()}
    rows = formats(FORMATS)
    rehearsed = {rows[name].reader for name in specimens}
    missing = [name for name, row in rows.items() if row.reader not in rehearsed]
    assert not missing, f"make converter/specimens/{missing[0]}.* in tests/converter/make_specimens.py"
    for name, file in specimens.items():
        row = rows[name]
        assert row.looks_like(file.read_bytes()[:SNIFF_BYTES]) or not row.extensions, "no content selects the row"

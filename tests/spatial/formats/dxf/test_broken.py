"""Damaged DXF files are documents with warnings or parse errors; never anything else."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spatial.errors import ParseError
from spatial.formats.dxf.reader import read
from spatial.models.sheet.drawing import Drawing
from tests.spatial.formats.dxf.test_dxf import ADDERS, data_of, mixed, nested, new


def specimen(*, binary: bool = False) -> bytes:
    document = nested(mixed(new("R2000")))
    for add in ADDERS.values():
        add(document.modelspace()).render()
    return data_of(document, binary=binary)


TEXT, BINARY = specimen(), specimen(binary=True)
NONSENSE = (b"nan", b"inf", b"-1", b"1e308", b"99999999999999999999", b"", b"x", b"INSERT", b"ENDSEC", b"0")


def outcome(data: bytes) -> Drawing | None:
    try:
        return read(data, "broken.dxf")
    except ParseError as error:
        refused = error
    assert refused.message.startswith("broken.dxf")
    assert (refused.details or {})["phase"] in ("detect", "read")
    return None


@pytest.mark.requirement("dxf.hostile")
@pytest.mark.parametrize("data", [TEXT, BINARY], ids=["text", "binary"])
@pytest.mark.parametrize("tenth", range(10))
def test_cut_files(data: bytes, tenth: int) -> None:
    found = outcome(data[: len(data) * tenth // 10])
    assert found is None or any("damaged" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.hostile")
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(changes=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), max_size=30), binary=st.booleans())
def test_changed_bytes(changes: list[tuple[float, int]], *, binary: bool) -> None:
    data = bytearray(BINARY if binary else TEXT)
    for place, value in changes:
        data[int(place * len(data))] = value
    outcome(bytes(data))


@pytest.mark.requirement("dxf.hostile")
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(changes=st.lists(st.tuples(st.floats(0, 0.999), st.sampled_from(NONSENSE)), max_size=60))
def test_changed_lines(changes: list[tuple[float, bytes]]) -> None:
    lines = TEXT.split(b"\n")
    for place, value in changes:
        lines[int(place * len(lines))] = value
    outcome(b"\n".join(lines))


@pytest.mark.requirement("dxf.hostile")
@pytest.mark.parametrize(
    "data",
    [b"AutoCAD Binary DXF\r\n\x1a\x00" + b"z\x00\x00SECTION\x00\x02\x00HEADER\x00", b"1\nSECTION\n2\nHEADER\n"],
    ids=["binary", "text"],
)
def test_a_file_in_which_no_record_begins(data: bytes) -> None:
    assert outcome(data) is None


@pytest.mark.requirement("dxf.damaged")
def test_sections_out_of_order_are_recovered() -> None:
    data = b"0\nSECTION\n2\nHEADER\n0\nENDSEC\n0\nENDSEC\n" + b"0\nSECTION\n2\nENTITIES\n"
    data += b"0\nLINE\n8\n0\n10\n1\n20\n2\n11\n3\n21\n4\n0\nENDSEC\n0\nEOF\n"
    found = read(data, "broken.dxf")
    assert [entity["end"] for entity in found.entities] == [[3, 4]]
    assert any("recover" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.damaged")
def test_what_follows_the_end_is_not_read() -> None:
    assert read(TEXT + b"\nthis is\nno DXF\nat all", "sheet.dxf").warnings == read(TEXT, "s.dxf").warnings


@pytest.mark.requirement("dxf.damaged")
def test_damaged_coordinates_cost_their_entity_alone() -> None:
    lines = "".join(f"0\nLINE\n8\n0\n10\n{x}\n20\n{x}\n11\n3\n21\n4\n" for x in ("1", "nan", "1e300", "1.7e308", "abc"))
    found = read(f"0\nSECTION\n2\nENTITIES\n{lines}0\nENDSEC\n0\nEOF\n".encode(), "sheet.dxf")
    assert len(found.entities) == 1
    assert any("4 entities were left out" in warning for warning in found.warnings)


def _attributed(value: str) -> str:
    """A reference with an attribute that stands at a value."""
    inserted = "0\nINSERT\n8\n0\n2\nNONE\n66\n1\n10\n0\n20\n0\n"
    return f"{inserted}0\nATTRIB\n8\n0\n10\n{value}\n20\n1\n40\n2.5\n1\nTarnow\n2\nNAME\n0\nSEQEND\n"


@pytest.mark.requirement("dxf.damaged")
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e300", "1.7e308", "-2e15"])
@pytest.mark.parametrize("type", ["TEXT", "MTEXT", "ATTDEF", "ATTRIB"])
def test_texts_that_stand_nowhere_are_counted_among_what_is_left_out(type: str, value: str) -> None:
    def text(at: str, said: str = "Tarnow") -> str:
        if type == "ATTRIB":
            return _attributed(at)
        return f"0\n{type}\n8\n0\n10\n{at}\n20\n1\n40\n2.5\n1\n{said}\n2\n{said}\n"

    texts = text("1") + text(value) * 3
    found = read(f"0\nSECTION\n2\nENTITIES\n{texts}0\nENDSEC\n0\nEOF\n".encode(), "sheet.dxf")
    assert [text.text for sheet in found.sheets for text in sheet.texts] == ["Tarnow"]
    assert any("3 entities were left out" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.damaged")
@pytest.mark.parametrize("type", ["TEXT", "MTEXT"])
def test_a_text_that_says_nothing_is_not_counted_as_left_out(type: str) -> None:
    texts = "".join(f"0\n{type}\n8\n0\n10\n1\n20\n1\n40\n2.5\n1\n{said}\n" for said in ("", "Tarnow"))
    found = read(f"0\nSECTION\n2\nENTITIES\n{texts}0\nENDSEC\n0\nEOF\n".encode(), "sheet.dxf")
    assert [text.text for sheet in found.sheets for text in sheet.texts] == ["Tarnow"]
    assert not any("left out" in warning for warning in found.warnings)

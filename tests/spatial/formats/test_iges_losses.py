"""An IGES file of which the kernel makes less than its directory states: partial, with the entity that is the reason."""

from __future__ import annotations

import pytest

from spatial.errors import ParseError
from spatial.pipeline.read import read_file
from tests.spatial import parts
from tests.spatial.models.test_brep_units import SOLIDS, iges_bytes


@pytest.fixture(scope="module")
def block() -> bytes:
    """A solid (186) of six faces (510) on six planes (190); the directory has two records for each entity."""
    return iges_bytes(parts.block(), mode=SOLIDS)


def retyped(data: bytes, kind: int, count: int) -> bytes:
    """The file whose first entities of a type are of a type that nobody knows."""
    lines = data.split(b"\n")
    for place, line in enumerate(lines):
        if count and line[72:73] == b"D" and line[:8].strip() == str(kind).encode():
            lines[place : place + 2] = [b"    9999" + line[8:], b"    9999" + lines[place + 1][8:]]
            count -= 1
    assert not count
    return b"\n".join(lines)


@pytest.mark.requirement("iges.losses")
def test_the_whole_file_loses_nothing(block: bytes) -> None:
    found = read_file(block, "block.igs").reading
    assert not found.partial
    assert not [warning for warning in found.warnings if "could not be read" in warning]


@pytest.mark.requirement("iges.losses")
def test_faces_that_are_not_made_are_counted_and_named(block: bytes) -> None:
    found = read_file(retyped(block, 190, 2), "block.igs").reading
    assert found.partial
    [loss] = [warning for warning in found.warnings if "could not be read" in warning]
    assert loss.startswith("2 of 6 faces could not be read, because of directory entry ")
    assert "of type 9999, which is not known" in loss


@pytest.mark.requirement("iges.losses")
def test_a_file_of_which_nothing_is_made_is_refused(block: bytes) -> None:
    with pytest.raises(ParseError, match=r"6 of 6 faces could not be read, because of .*; export it again"):
        read_file(retyped(block, 190, 6), "block.igs")

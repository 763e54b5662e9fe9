"""What a process that has just begun imports to read one file."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPECIMENS = ROOT / "converter" / "specimens"

HEAVY = ("OCP", "ezdxf", "pymupdf", "lxml", "scipy")
"""Libraries that take a tenth of a second to a second to import."""

NEEDED = {
    "step.step": "OCP",
    "iges.iges": "OCP",
    "pdf.pdf": "pymupdf",
    "svg.svg": "lxml",
    "drawio.drawio": "lxml",
}
"""Specimen to the one of them that its reader is made with."""

PROGRAM = f"""
import sys
from pathlib import Path
from spatial.pipeline.read import read_file

file = Path(sys.argv[1])
read_file(file.read_bytes(), file.name).interpret()
print(*(name for name in {HEAVY!r} if name in sys.modules))
"""


@pytest.mark.requirement("converter.cold")
@pytest.mark.parametrize("name", NEEDED)
def test_a_file_needs_the_library_of_its_format_alone(name: str) -> None:
    assert imported_for(SPECIMENS / name) == [NEEDED[name]]


@pytest.mark.requirement("converter.cold")
def test_a_sound_dxf_needs_no_library() -> None:
    assert imported_for(SPECIMENS / "dxf.dxf") == []


@pytest.mark.requirement("converter.cold")
def test_a_dxf_whose_lettering_may_be_drawn_needs_no_library(tmp_path: Path) -> None:
    file = tmp_path / "contour.dxf"
    corners = [(0, 0), (90, 0), (90, 60), (0, 60), (0, 0)]
    lines = [f"0\nLINE\n8\n0\n10\n{a}\n20\n{b}\n11\n{c}\n21\n{d}\n" for (a, b), (c, d) in pairwise(corners)]
    letter = "0\nLINE\n8\n0\n10\n40\n20\n30\n11\n41\n21\n33\n0\nLINE\n8\n0\n10\n41\n20\n33\n11\n42\n21\n30\n"
    file.write_text(f"0\nSECTION\n2\nENTITIES\n{''.join(lines)}{letter}0\nENDSEC\n0\nEOF\n")
    assert imported_for(file) == []


def imported_for(file: Path) -> list[str]:
    """Those of HEAVY that a new process imports to read and interpret a file."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM, str(file)], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()

"""What a process that has just begun imports to read one file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPECIMENS = ROOT / "converter" / "specimens"

HEAVY = ("OCP", "ezdxf", "pymupdf", "lxml", "scipy")
"""Libraries that take a tenth of a second to a second to import."""

NEEDED = {
    "step.step": "OCP",
    "iges.iges": "OCP",
    "dxf.dxf": "ezdxf",
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
    command = [sys.executable, "-c", PROGRAM, str(SPECIMENS / name)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.split() == [NEEDED[name]], ran.stderr

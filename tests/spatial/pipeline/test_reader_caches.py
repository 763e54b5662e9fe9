"""What libraries would leave behind in the home of whoever runs the readers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from pathlib import Path
from spatial.pipeline.read import read_file
for file in map(Path, sys.argv[1:]):
    read_file(file.read_bytes(), file.name).interpret()
"""
SPECIMENS = Path(__file__).parents[3] / "converter" / "specimens"


@pytest.mark.requirement("converter.no-files")
def test_libraries_keep_no_caches_in_the_home_directory(tmp_path: Path) -> None:
    """Imported plainly, ezdxf writes one of all fonts of the system."""
    files = [str(SPECIMENS / name) for name in ("dxf.dxf", "pdf.pdf")]
    home = {"HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", SCRIPT, *files], env=home, check=True, timeout=120)
    assert list(tmp_path.iterdir()) == []

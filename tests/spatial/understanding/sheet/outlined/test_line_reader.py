"""Pictures of lines are read as they were drawn, and what runs the network is there only where a line is read."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from spatial.understanding.sheet.outlined.classes import CLASSES, NO_LETTER
from spatial.understanding.sheet.outlined.line_head import HEAD, head
from spatial.understanding.sheet.outlined.line_reader import (
    HEIGHT,
    LONGEST,
    MODEL,
    MOST,
    LineReaderUnavailable,
    read_lettering,
    read_lines,
)
from spatial.understanding.sheet.outlined.read_character import ReadCharacter
from tests.spatial.line_pictures import picture

LINES = [
    "4x Ø6.5 THRU",
    "12.5 ±0.05",
    "M8x1.25 - 6H",
    "R0.3 MAX",
    "2x 45°",
    "DRAWN BY: P. MEIER",
    "1. BREAK ALL SHARP EDGES",
    "7",
    "1:2",
    "H7",
]


def text_of(line: list[ReadCharacter]) -> str:
    return "".join(character.sign for character in line)


@pytest.mark.requirement("lines.read")
def test_lines_are_read_as_they_are_drawn() -> None:
    read = [text_of(line).replace(" ", "") for line in read_lines([picture(line)[0] for line in LINES])]
    assert read == [line.replace(" ", "") for line in LINES]


@pytest.mark.requirement("lines.lettering")
def test_lines_of_lettering_are_read_by_a_head_of_their_own() -> None:
    lines = [*LINES, "Ø12", "Ø0.3", "Ra 3.2"]
    pictures = [picture(line)[0] for line in lines]
    read = [text_of(line).replace(" ", "") for line in read_lettering(pictures)]
    assert read == [line.replace(" ", "") for line in lines]
    for drawn, line in zip(pictures, lines, strict=True):
        (turned,) = read_lettering([drawn[::-1, ::-1].copy()])
        assert len(turned) < len(line) / 2 or line in ("7", "H7", "1:2"), f"{line} upside down is {text_of(turned)}"


@pytest.mark.requirement("lines.head")
def test_the_head_knows_the_characters_of_the_classifier_of_glyphs() -> None:
    signs = head().signs
    assert signs[0] == "" and len(set(signs)) == len(signs)
    assert set(signs[1:]) == (set(CLASSES) | {" "}) - {NO_LETTER, "⌀"}
    assert HEAD.stat().st_size < 2_000_000


@pytest.mark.requirement("lines.read")
@pytest.mark.parametrize("height", [24, 48, 96])
def test_the_size_of_the_picture_does_not_matter(height: int) -> None:
    (line,) = read_lines([picture("120.45", height)[0]])
    assert text_of(line) == "120.45"
    assert all(character.chance > 0.9 for character in line)


@pytest.mark.requirement("lines.read")
def test_a_picture_without_lettering_has_no_characters() -> None:
    assert read_lines([np.full((48, 200), 255, np.uint8)]) == [[]]
    assert read_lines([]) == []


@pytest.mark.requirement("lines.read")
def test_a_line_that_is_too_long_is_not_read() -> None:
    assert read_lines([np.full((48, LONGEST + 1), 255, np.uint8)]) == [[]]


@pytest.mark.requirement("lines.most")
def test_more_lines_than_there_is_time_for_are_refused_before_any_is_read() -> None:
    lines = [np.full((HEIGHT, LONGEST), 255 - number, np.uint8) for number in range(MOST // LONGEST + 1)]
    with pytest.raises(LineReaderUnavailable, match="more lines than are read as lines"):
        read_lines(lines)


@pytest.mark.requirement("lines.most")
def test_lines_that_are_drawn_alike_are_read_once() -> None:
    line = np.full((HEIGHT, LONGEST), 255, np.uint8)
    assert read_lines([line] * (MOST // LONGEST + 1)) == [[]] * (MOST // LONGEST + 1)


@pytest.mark.requirement("lines.places")
@pytest.mark.parametrize("height", [24, 48, 96])
def test_each_character_is_seen_where_it_is_drawn(height: int) -> None:
    drawn, places = picture("NAME 2048-17", height)
    (line,) = read_lines([drawn])
    assert text_of(line) == "NAME 2048-17"
    for character, (left, right) in zip(line, places, strict=True):
        if character.sign != " ":
            assert left <= character.middle <= right
    assert [each.left for each in line] == sorted(each.left for each in line)
    assert all(each.left < each.right <= drawn.shape[1] for each in line)


@pytest.mark.requirement("lines.others")
def test_what_a_character_may_be_instead_comes_with_it() -> None:
    (line,) = read_lines([picture("O0")[0]])
    for character in line:
        signs = [character.sign, *(sign for sign, _ in character.others)]
        assert len(signs) == len(set(signs)) > 1 and "" not in signs
        chances = [character.chance, *(chance for _, chance in character.others)]
        assert chances == sorted(chances, reverse=True)


@pytest.mark.requirement("lines.alone")
def test_a_line_reads_the_same_whatever_is_read_beside_it() -> None:
    pictures = [picture(line)[0] for line in LINES]
    together = read_lines(pictures)
    assert read_lines(pictures) == together
    for drawn, line in zip(pictures, together, strict=True):
        (alone,) = read_lines([drawn])
        assert [(each.sign, each.left, each.right) for each in alone] == [
            (each.sign, each.left, each.right) for each in line
        ]
        np.testing.assert_allclose([each.chance for each in alone], [each.chance for each in line], atol=1e-3)


READS_TEXT = """
import pkgutil, sys
from importlib import import_module
for package in ("spatial.models", "spatial.formats", "spatial.understanding", "spatial.pipeline"):
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        import_module(module.name)
from converter.child import SPECIMENS
from converter.child import _warm_up
from spatial.contract.formats import FORMATS
for row in FORMATS:
    _warm_up(row)
print("onnxruntime" in sys.modules)
"""
"""What the converter's fork server does before it forks."""


@pytest.mark.requirement("lines.lazy")
def test_a_file_without_drawn_lettering_does_not_load_what_runs_the_network() -> None:
    assert output_of(READS_TEXT) == "False"


WITHOUT_RUNTIME = """
import sys
import numpy as np
from spatial.understanding.sheet.outlined.line_reader import LineReaderUnavailable, read_lines
sys.modules["onnxruntime"] = None
try:
    read_lines([np.full((48, 100), 255, np.uint8)])
except LineReaderUnavailable as error:
    print(error)
"""


@pytest.mark.requirement("lines.unavailable")
def test_without_what_runs_the_network_lines_are_refused_with_the_reason() -> None:
    assert output_of(WITHOUT_RUNTIME).startswith("onnxruntime cannot be loaded: ")


WITHOUT_MEMORY = """
import resource
import numpy as np
import onnxruntime
from sandbox.isolation import status_bytes
from spatial.understanding.sheet.outlined.line_reader import LineReaderUnavailable, read_lines
if %r:
    read_lines([np.full((48, 100), 255, np.uint8)])
least = status_bytes("self", "VmData") + 8 * 1024**2
resource.setrlimit(resource.RLIMIT_DATA, (least, least))
try:
    read_lines([np.full((48, 8_000), 255, np.uint8)])
except LineReaderUnavailable as error:
    print(error)
"""


@pytest.mark.requirement("lines.unavailable")
@pytest.mark.parametrize(
    ("loaded", "reason"), [(False, "line_model.onnx cannot be loaded"), (True, "the network of line_model.onnx failed")]
)
def test_where_memory_is_refused_lines_are_refused_with_the_reason(loaded: bool, reason: str) -> None:
    assert output_of(WITHOUT_MEMORY % loaded).startswith(reason)


def output_of(program: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.requirement("lines.model")
def test_the_network_is_the_one_of_its_card_and_comes_with_its_licence() -> None:
    card = MODEL.with_suffix(".md").read_text("utf-8")
    assert hashlib.sha256(MODEL.read_bytes()).hexdigest() in card
    assert all(word in card for word in ("PaddleOCR", "Apache-2.0", "scripts/line_model.py", "8 bits"))
    assert "Apache License" in MODEL.with_suffix(".LICENSE.txt").read_text("utf-8")
    assert MODEL.stat().st_size < 6_000_000


@pytest.mark.requirement("lines.private")
def test_what_runs_the_network_has_no_address_to_report_to() -> None:
    spec = find_spec("onnxruntime")
    assert spec is not None and spec.origin is not None
    libraries = [
        path for path in Path(spec.origin).parent.rglob("*") if ".so" in path.suffixes or path.suffix == ".dll"
    ]
    assert libraries
    for library in libraries:
        assert b"OneCollector" not in library.read_bytes(), library.name

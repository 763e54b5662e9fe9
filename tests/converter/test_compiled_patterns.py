"""Patterns that are not translated again in each process."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

import spatial.knowledge
import spatial.understanding.sheet
from converter.compiled_patterns import CODE, matcher, translation

pytestmark = pytest.mark.requirement("converter.patterns")

PROGRAM = """
import json, re, sys
from pathlib import Path
from converter.compiled_patterns import CompiledPatterns

translated = []
parse = re._parser.parse
re._parser.parse = lambda *of: translated.append(of[0]) or parse(*of)
patterns = CompiledPatterns(["made"], Path(sys.argv[1]))
patterns.install()
found = [re.compile(r"(?P<size>\\d+)\\s*(mm|in)", re.IGNORECASE), re.compile(b"[^a-f]+$")]
before = list(translated)
are_known = patterns.are_known
if not are_known:
    patterns.keep()
print(json.dumps({
    "known": are_known, "translated": len(before), "groups": found[0].groupindex == {"size": 1},
    "matches": [found[0].search("Ø12 MM")[0], found[1].search(b"ab12")[0].decode()],
    "same": found[0] == re._compiler.compile.__self__._compile(found[0].pattern, re.IGNORECASE),
}))
"""
"""Compiles two patterns with those that are kept in a folder."""

MATCHES = ["12 MM", "12"]


def compiled(folder: Path) -> dict[str, object]:
    """What a process that compiles them says."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(folder)], capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_second_process_translates_nothing(tmp_path: Path) -> None:
    first, second = compiled(tmp_path), compiled(tmp_path)
    assert (first["known"], first["translated"]) == (False, 2)
    assert (second["known"], second["translated"]) == (True, 0)
    for found in (first, second):
        assert found["groups"] and found["same"] and found["matches"] == MATCHES


@pytest.mark.parametrize("content", [b"", b"damaged", b"\xf3\0\0\0"])
def test_a_file_that_is_damaged_is_made_again(tmp_path: Path, content: bytes) -> None:
    compiled(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert compiled(tmp_path)["translated"] == 2
    assert compiled(tmp_path)["translated"] == 0


def test_a_file_of_another_state_of_the_code_is_made_again(tmp_path: Path) -> None:
    compiled(tmp_path)
    (file,) = tmp_path.iterdir()
    state, entries = json.loads(file.read_bytes())
    file.write_text(json.dumps([f"{state}\nanother file", entries]))
    assert compiled(tmp_path)["translated"] == 2


def test_a_folder_that_cannot_be_written_to_costs_the_file_alone(tmp_path: Path) -> None:
    found = compiled(tmp_path / "missing")
    assert (found["known"], found["matches"]) == (False, MATCHES)


def test_every_pattern_of_drawings_is_the_same_from_its_translation() -> None:
    patterns = [
        value
        for package in (spatial.knowledge, spatial.understanding.sheet)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        for value in vars(importlib.import_module(module.name)).values()
        if isinstance(value, re.Pattern)
    ]
    assert len(patterns) > 100
    for pattern in patterns:
        # The flags that a pattern states in itself are in `flags` too, and an `re` of text sets UNICODE.
        again = matcher(pattern.pattern, translation(pattern.pattern, pattern.flags & ~re.UNICODE))
        assert again == pattern
        assert (again.groups, again.groupindex) == (pattern.groups, pattern.groupindex)


def test_what_python_does_not_publish_is_there() -> None:
    """The names that `converter.compiled_patterns` uses; a later Python may have others."""
    for module, names in (
        ("re._compiler", ("compile", "_code")),
        ("re._parser", ("parse",)),
        ("_sre", ("compile", "MAGIC")),
    ):
        assert all(hasattr(importlib.import_module(module), name) for name in names)
    assert array(CODE).itemsize == importlib.import_module("_sre").CODESIZE

"""`spatial extract`: a file in, the document out, without a server."""

from __future__ import annotations

import json
import math
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import SIDES, Answer, Spatial, clean_environment, one_sentence, ran
from tests.support.warm_commands import SPATIAL, WarmCommands


@pytest.fixture(scope="module")
def piped(warm_commands: WarmCommands, box: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer, Path]:
    """What `spatial extract` says of the box, and the folder it ran in."""
    folder = tmp_path_factory.mktemp("piped")
    return ran(warm_commands, folder, "extract", box), folder


@pytest.mark.requirement("cli.extract.json")
def test_piped_it_prints_the_document_alone(piped: tuple[Answer, Path], box: Path) -> None:
    answer, _ = piped
    assert answer.returncode == 0, answer.stderr
    document = json.loads(answer.stdout)
    (solid,) = document["structure"]["solids"]
    assert document["schema"] == "cad.extraction.v1"
    assert math.isclose(solid["volume"], math.prod(SIDES), rel_tol=1e-9)
    assert document["file_name"] == box.name
    assert document["request_id"] == "local"


@pytest.mark.requirement("extract.edges")
def test_edges_are_listed_on_request(piped: tuple[Answer, Path], spatial: Spatial, box: Path) -> None:
    assert "edges" not in json.loads(piped[0].stdout)["structure"]
    edges = json.loads(spatial("extract", box, "--edges").stdout)["structure"]["edges"]
    assert len(edges) == 12
    assert {edge["convexity"] for edge in edges} == {"convex"}


@pytest.mark.requirement("cli.extract.unmetered")
def test_it_meters_nothing_and_leaves_nothing_behind(piped: tuple[Answer, Path]) -> None:
    answer, folder = piped
    assert "usage" not in json.loads(answer.stdout)
    assert list(folder.iterdir()) == []


@pytest.mark.requirement("cli.extract.progress")
def test_progress_goes_to_stderr(piped: tuple[Answer, Path], box: Path) -> None:
    assert f"reading {box.name}" in piped[0].stderr


@pytest.mark.requirement("cli.extract.output")
def test_output_to_a_file_leaves_a_summary_for_the_reader(spatial: Spatial, box: Path, tmp_path: Path) -> None:
    answer = spatial("extract", box, "--output", "out.json")
    assert answer.returncode == 0, answer.stderr
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == "cad.extraction.v1"
    assert "6,000 mm³" in answer.stdout
    assert "{" not in answer.stdout


@pytest.mark.requirement("cli.extract.output")
def test_output_that_cannot_be_written_is_one_sentence(spatial: Spatial, box: Path) -> None:
    answer = spatial("extract", box, "--output", "no/such/folder/out.json")
    assert answer.returncode == 1
    assert "no/such/folder/out.json" in one_sentence(answer)


@pytest.mark.requirement("cli.extract.summary")
def test_on_a_terminal_it_prints_a_summary_and_with_a_dash_the_document(box: Path) -> None:
    assert "6,000 mm³" in on_a_terminal("extract", str(box))
    assert '"schema":"cad.extraction.v1"' in on_a_terminal("extract", str(box), "--output", "-")


@pytest.mark.requirement("cli.extract.target")
def test_target_chooses_structure_points_or_both(spatial: Spatial, box: Path) -> None:
    structured, points, both = (
        json.loads(spatial("extract", box, "--target", target).stdout)
        for target in ("structured", "point_cloud_scene", "both")
    )
    assert "structure" in structured and "point_cloud_scene" not in structured
    assert "structure" not in points and "point_cloud_scene" in points
    assert both["structure"] == structured["structure"]
    assert both["point_cloud_scene"] == points["point_cloud_scene"]


@pytest.mark.requirement("cli.settings")
def test_settings_of_the_environment_hold_here_too(spatial: Spatial, box: Path) -> None:
    answer = spatial("extract", box, "--target", "point_cloud_scene", SPATIAL_POINTS_PER_OBJECT="17")
    assert json.loads(answer.stdout)["statistics"]["total_points"] == 17
    refused = spatial("extract", box, SPATIAL_CONVERT_SECONDS="never")
    assert refused.returncode == 1
    assert "SPATIAL_CONVERT_SECONDS=never" in one_sentence(refused)


@pytest.mark.requirement("cli.extract.typed-error")
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("part.sldprt", b"\xd0\xcf\x11\xe0", "export STEP"),
        ("part.dxf", b"%PDF-1.7\n", "AutoCAD DXF"),
        ("part.step", b"", "part.step"),
        ("part.step", b"PK\x03\x04 this is a zip", "part.step"),
        ("part.step", b"ISO-10303-21;\nHEADER;\n", "part.step"),
        ("part.iges", b"ISO-10303-21;\nHEADER;\n", "STEP"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(
    spatial: Spatial, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    answer = spatial("extract", name)
    assert answer.returncode == 1
    assert said in one_sentence(answer)


@pytest.mark.requirement("cli.usage-error")
@pytest.mark.parametrize(
    "arguments",
    [
        ["extract", "missing.step"],
        ["extract"],
        ["extract", ".", "--target", "both"],
        ["bogus"],
        ["keys", "issue"],
        ["run", "--port", "0"],
    ],
)
def test_a_command_that_is_mistyped_exits_with_2(spatial: Spatial, arguments: list[str]) -> None:
    answer = spatial(*arguments)
    assert answer.returncode == 2
    assert "Usage: spatial" in answer.stderr
    assert answer.stdout == ""


@pytest.mark.requirement("cli.extract.broken-pipe")
def test_a_reader_that_goes_away_is_no_crash(box: Path) -> None:
    command = [str(SPATIAL), "extract", str(box), "--target", "both", "--output", "-"]
    environment = clean_environment(SPATIAL_POINTS_PER_OBJECT="20000")
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.read(1) == b"{"
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 1
    assert b"Traceback" not in said and b"Exception" not in said


@pytest.mark.requirement("cli.help")
@pytest.mark.parametrize(
    "command",
    [
        [],
        ["run"],
        ["extract"],
        ["keys"],
        ["keys", "issue"],
        ["keys", "list"],
        ["keys", "revoke"],
        ["usage"],
        ["doctor"],
    ],
)
def test_every_command_explains_itself(spatial: Spatial, command: list[str]) -> None:
    answer = spatial(*command, "--help")
    assert answer.returncode == 0
    assert answer.stdout.startswith(" ".join(["Usage: spatial", *command]))
    if command and command != ["keys"]:
        assert "--home DIR" in answer.stdout


def without_ids(document: dict[str, Any]) -> dict[str, Any]:
    """A document without what differs from one request to the next."""
    return {name: value for name, value in document.items() if name not in ("request_id", "usage")}


def on_a_terminal(*arguments: str) -> str:
    """What a command prints on a terminal."""
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [str(SPATIAL), *arguments], env=clean_environment(), stdout=end, stderr=subprocess.DEVNULL
    )
    os.close(end)
    printed = b""
    try:
        while chunk := os.read(terminal, 65536):
            printed += chunk
    except OSError:
        pass  # Linux answers EIO where the other end of a terminal is closed
    finally:
        os.close(terminal)
    assert process.wait(timeout=60) == 0
    return printed.decode()

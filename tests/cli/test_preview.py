"""`spatial preview`: a file in, its picture out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Spatial, one_sentence
from tests.spatial.diagrams import model, mxfile, vertex

DIAGRAM = mxfile(model(vertex("a", value="first page")), model(vertex("a", value="second page")))


@pytest.fixture
def diagram(tmp_path: Path) -> Path:
    path = tmp_path / "flow.drawio"
    path.write_text(DIAGRAM)
    return path


@pytest.mark.requirement("cli.preview")
def test_it_writes_an_svg_beside_the_caller(spatial: Spatial, diagram: Path, tmp_path: Path) -> None:
    answer = spatial("preview", diagram)
    assert answer.returncode == 0, answer.stderr
    assert "first page" in (tmp_path / "flow.svg").read_text()
    assert "flow.svg: page 1" in answer.stderr and "the file has 2 pages, and --page N draws another" in answer.stderr
    assert answer.stdout == ""


@pytest.mark.requirement("cli.preview")
def test_output_and_page_may_be_chosen(spatial: Spatial, diagram: Path, tmp_path: Path) -> None:
    answer = spatial("preview", diagram, "--page", "2", "-o", "out.svg")
    assert answer.returncode == 0, answer.stderr
    assert "second page" in (tmp_path / "out.svg").read_text()


@pytest.mark.requirement("cli.preview")
def test_a_model_is_drawn_as_a_picture_or_written_as_a_mesh(spatial: Spatial, box: Path, tmp_path: Path) -> None:
    for options, name, begin in (
        ((), "box.png", b"\x89PNG"),
        (("--view", "top", "-o", "top.svg"), "top.svg", b"<svg"),
        (("-o", "box.glb"), "box.glb", b"glTF"),
    ):
        answer = spatial("preview", box, *options)
        assert answer.returncode == 0, answer.stderr
        assert (tmp_path / name).read_bytes().startswith(begin)
        assert f"{name}: " in answer.stderr


@pytest.mark.requirement("cli.preview")
def test_what_cannot_be_drawn_is_said_in_one_sentence(
    spatial: Spatial, diagram: Path, box: Path, tmp_path: Path
) -> None:
    assert "has no page 3; choose 1 or 2" in one_sentence(spatial("preview", diagram, "--page", "3"))
    assert "has no pages; run it without --page" in one_sentence(spatial("preview", box, "--page", "1"))
    assert "is no model; run it without --views and --section" in one_sentence(
        spatial("preview", diagram, "--views", "--section", "x")
    )
    assert "flow.png: a page of a drawing or diagram is drawn as .svg" in one_sentence(
        spatial("preview", diagram, "-o", "flow.png")
    )
    assert "exclude each other" in one_sentence(spatial("preview", box, "--view", "top", "--views"))
    assert "such as z=12.5" in one_sentence(spatial("preview", box, "--section", "q"))
    assert "choose an offset between 0 and 10" in one_sentence(spatial("preview", box, "--section", "x=11"))
    assert "write .png or .svg" in one_sentence(spatial("preview", box, "-o", "box.glb", "--exploded"))
    assert ".png, .svg or .glb" in one_sentence(spatial("preview", box, "-o", "box.jpg"))
    (tmp_path / "own.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>')
    assert "would overwrite it" in one_sentence(spatial("preview", tmp_path / "own.svg"))
    (tmp_path / "none.xml").write_text("<html/>")
    assert "no diagram" in one_sentence(spatial("preview", tmp_path / "none.xml"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["flow.drawio", "none.xml", "own.svg"]

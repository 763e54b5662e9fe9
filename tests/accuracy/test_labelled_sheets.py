"""The labelled sheets themselves: where they come from, that they are the labelled ones, and that the generator knows no reader."""

from __future__ import annotations

import ast
import hashlib
import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf
import pytest

from scripts import fetch_sheets
from tests.accuracy.board import HELD_OUT, REAL, ROOT, sheet_of
from tests.accuracy.score import score

pymupdf: Any = _pymupdf
LABELS = sorted(path for folder in (REAL, HELD_OUT) for path in folder.glob("*.truth.json"))
MOST_COPIED = 600_000
"""Bytes of a sheet that is copied into the repository."""


def _truth(label: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(label.read_text("utf-8"))
    return truth


@pytest.mark.requirement("drawing-accuracy.origin")
@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.name)
def test_a_label_names_the_origin_of_its_sheet(label: Path) -> None:
    truth = _truth(label)
    origin, listed = truth["origin"], (label.parent / "ORIGIN.md").read_text("utf-8")
    assert origin["repository"].count("/") == 2 and len(origin["commit"]) == 40 and origin["licence"]
    assert all(f" {part} |" in listed for part in (origin["repository"], origin["path"], origin["commit"]))
    copied = label.parent / truth["file"]
    assert not copied.exists() or copied.stat().st_size < MOST_COPIED


@pytest.mark.requirement("drawing-accuracy.origin")
@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.name)
def test_a_sheet_is_the_one_that_was_labelled(label: Path) -> None:
    truth = _truth(label)
    sheet = sheet_of(label, truth["file"])
    if sheet is None:
        pytest.skip(f"{truth['file']} is not in the repository; python scripts/fetch_sheets.py fetches it")
    data = sheet.read_bytes()
    if "page" in truth["origin"]:
        with pymupdf.open(stream=data, filetype="pdf") as cut:
            assert len(cut) == 1, "the checksum of a page that was cut out depends on what cut it"
    else:
        assert hashlib.sha256(data).hexdigest() == truth["origin"]["sha256"]


@pytest.mark.requirement("drawing-accuracy.rules")
@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.name)
def test_a_label_can_be_scored_without_its_sheet(label: Path) -> None:
    truth = _truth(label)
    missed = score(truth, {}).missed
    assert {text for name, text in missed if name == "frames"} == {
        each["text"] for each in truth["callouts"] if each["type"] == "gdt"
    }


@pytest.mark.requirement("drawing-accuracy.origin")
@pytest.mark.parametrize("folder", [REAL, HELD_OUT], ids=["real", "held_out"])
def test_every_sheet_has_a_label(folder: Path) -> None:
    labelled = {_truth(label)["file"] for label in folder.glob("*.truth.json")}
    assert {path.name for path in folder.iterdir() if path.suffix.lower() in {".pdf", ".dxf"}} <= labelled


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing: the log of the requests is of no interest."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    """An address that serves the files under `served`."""
    (tmp_path / "served").mkdir()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path / "served")))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """A folder with the label of one sheet, whose file its origin serves."""
    label = REAL / "Elevator_bottom.truth.json"
    origin = _truth(label)["origin"]
    place = tmp_path / "served" / origin["repository"].removeprefix("github.com/") / origin["commit"] / origin["path"]
    (tmp_path / "sheets" / "real").mkdir(parents=True)
    shutil.copy(label, tmp_path / "sheets" / "real" / label.name)
    place.parent.mkdir(parents=True)
    shutil.copy(REAL / "Elevator_bottom.pdf", place)
    return tmp_path / "sheets"


@pytest.mark.requirement("drawing-accuracy.fetch")
def test_a_sheet_that_is_missing_is_fetched_once(host: str, sheets: Path) -> None:
    assert [origin.file for origin in fetch_sheets.missing(sheets)] == ["Elevator_bottom.pdf"]
    assert fetch_sheets.main(["--host", host, "--sheets", str(sheets)]) == 0
    assert (sheets / "fetched" / "Elevator_bottom.pdf").read_bytes() == (REAL / "Elevator_bottom.pdf").read_bytes()
    assert list(fetch_sheets.missing(sheets)) == []


@pytest.mark.requirement("drawing-accuracy.fetch")
def test_another_file_than_the_labelled_one_is_refused(
    host: str, sheets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served = next((tmp_path / "served").rglob("*.pdf"), None) or next((tmp_path / "served").rglob("*.PDF"))
    served.write_bytes(b"%PDF-1.4 another")
    assert fetch_sheets.main(["--host", host, "--sheets", str(sheets)]) == 1
    assert "its checksum is" in capsys.readouterr().out
    assert not (sheets / "fetched").exists()
    served.unlink()
    assert fetch_sheets.main(["--host", host, "--sheets", str(sheets)]) == 1
    assert "404" in capsys.readouterr().out


@pytest.mark.requirement("drawing-accuracy.fetch")
def test_a_labelled_page_is_cut_out_of_its_file(host: str, tmp_path: Path) -> None:
    with pymupdf.open() as made:
        for text in ("FIRST", "SECOND"):
            made.new_page().insert_text((50, 50), text)
        whole = made.tobytes()
    (tmp_path / "served" / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "served" / "a" / "b" / "c" / "all.pdf").write_bytes(whole)
    (tmp_path / "labels").mkdir()
    origin = {
        "repository": "github.com/a/b",
        "commit": "c",
        "path": "all.pdf",
        "licence": "MIT",
        "sha256": "of the page",
        "page": 2,
    }
    origin["sha256_of_whole_file"] = hashlib.sha256(whole).hexdigest()
    (tmp_path / "labels" / "second.truth.json").write_text(json.dumps({"file": "second.pdf", "origin": origin}))
    assert fetch_sheets.main(["--host", host, "--sheets", str(tmp_path / "labels")]) == 0
    with pymupdf.open(tmp_path / "labels" / "fetched" / "second.pdf") as cut:
        assert [page.get_text().strip() for page in cut] == ["SECOND"]


@pytest.mark.requirement("drawing-accuracy.independent")
def test_the_generator_imports_neither_words_nor_shapes_of_the_readers() -> None:
    modules = sorted((ROOT / "tests" / "sheets").glob("*.py"))
    assert len(modules) > 5
    for module in modules:
        imported = {name for node in ast.walk(ast.parse(module.read_text("utf-8"))) for name in _imported(node)}
        forbidden = ("spatial.knowledge", "spatial.understanding")
        assert not any(name.startswith(forbidden) for name in imported), module.name
        assert all(name.startswith("tests.sheets") for name in imported if name.split(".")[0] == "tests"), module.name


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []

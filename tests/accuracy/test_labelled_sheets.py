"""The labelled sheets themselves: where they come from, that they are the labelled ones, and that the generator knows no reader."""

from __future__ import annotations

import ast
import hashlib
import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf
import pytest

from scripts import fetch_sheets
from tests.accuracy.board import HELD_OUT, REAL, ROOT, sheet_of
from tests.accuracy.score import ELEMENTS, elements_of, score

pymupdf: Any = _pymupdf
LABELS = sorted(path for folder in (REAL, HELD_OUT) for path in folder.glob("*.truth.json"))
MOST_COPIED = 600_000
"""Bytes of a sheet that is copied into the repository."""


@cache
def _truth(label: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads(label.read_text("utf-8"))
    return truth


def _faulty(fault: Callable[[Path], str | None]) -> dict[str, str]:
    """What is wrong, by label. One test asks it of all labels: a test for each of a thousand costs more than its question."""
    assert LABELS
    return {label.name: found for label in LABELS if (found := fault(label)) is not None}


@pytest.mark.requirement("drawing-accuracy.origin")
def test_labels_name_the_origins_of_their_sheets() -> None:
    listed = {folder: (folder / "ORIGIN.md").read_text("utf-8") for folder in {label.parent for label in LABELS}}

    def fault(label: Path) -> str | None:
        origin = _truth(label)["origin"]
        if origin["repository"].count("/") != 2 or len(origin["commit"]) != 40 or not origin["licence"]:
            return "its origin is no repository with a commit and a licence"
        if not all(f" {origin[part]} |" in listed[label.parent] for part in ("repository", "path", "commit")):
            return "ORIGIN.md does not list it"
        copied = label.parent / _truth(label)["file"]
        if copied.exists() and copied.stat().st_size >= MOST_COPIED:
            return "its sheet is too large for the repository"
        return None

    assert _faulty(fault) == {}


@pytest.mark.requirement("drawing-accuracy.origin")
def test_sheets_are_those_that_were_labelled() -> None:
    """Those that are here; python scripts/fetch_sheets.py fetches the others."""
    here = {label: sheet for label in LABELS if (sheet := sheet_of(label, _truth(label)["file"])) is not None}
    assert here

    def fault(label: Path) -> str | None:
        data = here[label].read_bytes() if label in here else None
        if data is None:
            return None
        if "page" in _truth(label)["origin"]:  # the checksum of a page that was cut out depends on what cut it
            with pymupdf.open(stream=data, filetype="pdf") as cut:
                return None if len(cut) == 1 else f"{len(cut)} pages"
        found = hashlib.sha256(data).hexdigest()
        return None if found == _truth(label)["origin"]["sha256"] else f"its checksum is {found}"

    assert _faulty(fault) == {}


@pytest.mark.requirement("drawing-accuracy.origin")
def test_every_labelled_sheet_is_here() -> None:
    """Skipped where some are not, and names them: boards without them have fewer sheets."""
    missing = [_truth(label)["file"] for label in LABELS if sheet_of(label, _truth(label)["file"]) is None]
    if missing:
        pytest.skip(
            f"{len(missing)} sheets are not in the repository; python scripts/fetch_sheets.py fetches {', '.join(missing)}"
        )


@pytest.mark.requirement("drawing-accuracy.rules")
def test_labels_can_be_scored_without_their_sheets() -> None:
    def fault(label: Path) -> str | None:
        missed = {text for name, text in score(_truth(label), {}).missed if name == "frames"}
        labelled = {each["text"] for each in _truth(label).get("callouts", ()) if each["type"] == "gdt"}
        return None if missed == labelled else f"frames {missed ^ labelled}"

    assert _faulty(fault) == {}


@pytest.mark.requirement("drawing-accuracy.rules")
def test_labels_that_list_all_sizes_of_their_sheet_say_so_in_one_way() -> None:
    """`"dimensions_complete": true`, never by another word; a sheet without sizes proves nothing."""

    def fault(label: Path) -> str | None:
        truth = _truth(label)
        said = {key for key in truth if key.startswith("dimension")}
        if not said:
            return None
        if said != {"dimensions_complete"} or truth["dimensions_complete"] is not True:
            return f"it says {sorted(said)}; write dimensions_complete: true, or nothing"
        sizes = (each for each in truth.get("callouts", ()) if each["type"] == "dimension")
        return None if any(sizes) else "it lists no size"

    assert _faulty(fault) == {}


def _unlisted(truth: dict[str, Any]) -> str | None:
    """What is wrong with the elements that a label speaks of."""
    asked = elements_of(truth)
    if not asked:
        return "it speaks of no element; name some under labelled, or leave the list out"
    unknown = [name for name in asked if name not in ELEMENTS]
    if unknown:
        return f"nobody knows its elements {unknown}; write some of {list(ELEMENTS)}"
    missing = [name for name in asked if name not in truth]
    return f"it has no {missing}, which it says to be labelled" if missing else None


@pytest.mark.requirement("drawing-accuracy.rules")
def test_labels_have_the_elements_they_speak_of() -> None:
    assert _faulty(lambda label: _unlisted(_truth(label))) == {}


@pytest.mark.requirement("drawing-accuracy.rules")
@pytest.mark.parametrize(
    ("truth", "fault"),
    [
        ({"labelled": ["title_block"], "title_block": {}}, ""),
        ({"labelled": ["notes", "bom"], "notes": [], "bom": []}, ""),
        ({"labelled": "2026-11-28, by hand", **{key: [] for key in ELEMENTS}}, ""),
        ({"labelled": ["title"], "title": {}}, "nobody knows its elements ['title']"),
        ({"labelled": []}, "it speaks of no element"),
        ({"labelled": ["notes", "bom"], "notes": []}, "it has no ['bom']"),
        ({"notes": []}, "it has no ['callouts', 'title_block', 'bom', 'revisions']"),
    ],
)
def test_a_label_of_unknown_or_missing_elements_is_refused(truth: dict[str, Any], fault: str) -> None:
    found = _unlisted(truth)
    assert found is None if not fault else found is not None and found.startswith(fault)


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

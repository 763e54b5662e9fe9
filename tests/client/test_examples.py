"""The examples of the client as their users run them, against the running stack."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cadquery as cq
import ezdxf
import pytest

from tests.support.stack import ROOT, SAMPLE, RunningStack, eventually

EXAMPLES = ROOT / "clients" / "python" / "examples"
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))
Run = Callable[..., subprocess.CompletedProcess[str]]


def run_script(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Python with the client, in the folder of the examples; of the service only what `environment` says."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SPATIAL_")}
    path = str(EXAMPLES.parent / "src")
    return subprocess.run(
        [sys.executable, *command],
        cwd=EXAMPLES,
        env={**plain, "PYTHONPATH": path, "NO_PROXY": "127.0.0.1", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture
def run(stack: RunningStack, own_key: str) -> Run:
    """Run an example with the key and the address of the stack, once a desktop worker is live."""

    def is_available() -> bool:
        with stack.client() as client:
            return bool(client.get("/api/v1/models").json()["runtime_available"])

    eventually(is_available, what="a live desktop worker")
    return lambda *command: run_script(
        [str(part) for part in command], SPATIAL_API_KEY=own_key, SPATIAL_BASE_URL=stack.url
    )


def assembly() -> cq.Assembly:
    """A plate with two equal pins that stand on it."""
    plate = cq.Workplane().box(100, 60, 10)
    pin = cq.Workplane().circle(5).extrude(20)
    made = cq.Assembly(name="fixture").add(plate, name="plate")
    for number, x in enumerate((-30, 30), start=1):
        made.add(pin, name=f"pin-{number}", loc=cq.Location((x, 0, 5)))
    return made


def parts_list(path: Path) -> None:
    """A drawing with a parts list of two rows, as lines and text."""
    document = ezdxf.new()  # type: ignore[attr-defined]  # ezdxf exports it without saying so
    space = document.modelspace()
    columns = (0, 20, 90, 150, 210, 240)
    rows = (
        ("POS", "DESCRIPTION", "MATERIAL", "SIZE", "Q'TY"),
        ("1", "BASE PLATE", "S235JR", "200 X 100 X 10", "2"),
        ("2", "RIB", "", "80 X 40 X 6", "4"),
    )
    for row in range(len(rows) + 1):
        space.add_line((columns[0], -row * 10), (columns[-1], -row * 10))
    for x in columns:
        space.add_line((x, 0), (x, -len(rows) * 10))
    for row, texts in enumerate(rows):
        for x, text in zip(columns, texts, strict=False):
            if text:
                space.add_text(text, height=3, dxfattribs={"insert": (x + 2, -row * 10 - 7)})
    document.saveas(path)


@pytest.mark.requirement("client.examples")
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_example_explains_itself(name: str) -> None:
    shown = run_script([name, "--help"])
    assert shown.returncode == 0 and "SPATIAL_API_KEY" in shown.stdout, shown.stderr
    assert name in shown.stdout


@pytest.mark.requirement("client.examples")
def test_a_cut_list_has_what_the_files_state_and_names_what_they_do_not(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "order"
    (folder / "models").mkdir(parents=True)
    assembly().export(str(folder / "models" / "fixture.step"))
    (folder / "bracket.step").write_bytes(SAMPLE.read_bytes())
    (folder / "sheet.pdf").write_bytes((ROOT / "examples" / "sheet.pdf").read_bytes())
    parts_list(folder / "frame.dxf")
    done = run("cut_list.py", folder, "--output", tmp_path / "cut.csv")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "cut.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shown = [
        (row["file"], row["part"], row["material"], row["size"], row["quantity"], row["not_found"]) for row in rows
    ]
    assert shown == [
        ("bracket.step", "Bearing bracket", "", "110 x 94 x 60", "1", "material"),
        ("frame.dxf", "BASE PLATE", "S235JR", "200 X 100 X 10", "2", ""),
        ("frame.dxf", "RIB", "", "80 X 40 X 6", "4", "material"),
        ("models/fixture.step", "plate", "", "100 x 60 x 10", "1", "material"),
        ("models/fixture.step", "pin-1", "", "20 x 10 x 10", "2", "material"),
        ("sheet.pdf", "0681-040 MOUNTING BRACKET", "", "", "", "material; size; quantity"),
    ]
    assert "4 of 4" in done.stderr
    (folder / "broken.step").write_bytes(b"broken")
    failed = run("cut_list.py", folder)
    assert failed.returncode == 1 and "not read: " in failed.stderr and failed.stdout.count("\n") == len(rows) + 1
    empty = run("cut_list.py", tmp_path / "none")
    assert empty.returncode == 1 and "name another folder" in empty.stderr


@pytest.mark.requirement("client.examples")
def test_an_assembly_is_reported_with_masses_only_for_a_stated_density(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "fixture.step"
    assembly().export(str(path))
    done = run("assembly_report.py", path)
    assert done.returncode == 0, done.stderr
    assert (
        "2 parts in 3 placements" in done.stdout
        and "| plate | 1 | 100 × 60 × 10 | 60000 | unknown | unknown |" in done.stdout
    )
    assert "state one with --density" in done.stdout and "- Stability: **stable**" in done.stdout
    assert "pin-1 stands on plate." in done.stdout
    weighed = run("assembly_report.py", path, "--density", "7850")
    assert "| plate | 1 | 100 × 60 × 10 | 60000 | 0.471 | 0.471 |" in weighed.stdout
    assert "Total mass at 7850 kg/m³: 0.4956" in weighed.stdout


@pytest.mark.requirement("client.examples")
def test_two_revisions_are_compared_and_the_exit_status_says_the_verdict(run: Run, tmp_path: Path) -> None:
    plate = cq.Workplane().box(60, 40, 10)
    for name, diameter in (("a.step", 6.6), ("b.step", 7.0)):
        cq.exporters.export(plate.faces(">Z").workplane().hole(diameter), str(tmp_path / name))
    same = run("revision_check.py", tmp_path / "a.step", tmp_path / "a.step")
    assert (same.returncode, same.stdout) == (0, "same\n"), same.stderr
    changed = run("revision_check.py", tmp_path / "a.step", tmp_path / "b.step")
    assert changed.returncode == 1 and "Ø6.6 to Ø7" in changed.stdout
    whole = run("revision_check.py", "--json", tmp_path / "a.step", tmp_path / "b.step")
    assert json.loads(whole.stdout)["data"]["cad_scene_diff"]["verdict"] == "changed"
    missing = run("revision_check.py", tmp_path / "a.step", tmp_path / "none.step")
    assert missing.returncode == 2 and "none.step" in missing.stderr


@pytest.mark.requirement("client.examples")
def test_every_cell_of_the_notebook_runs(run: Run, tmp_path: Path) -> None:
    notebook = json.loads((EXAMPLES / "getting_started.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(not cell.get("outputs") for cell in notebook["cells"]), "clear the outputs before you commit"
    script = tmp_path / "cells.py"
    script.write_text("\n".join(cells), "utf-8")
    done = run(script)
    assert done.returncode == 0, done.stderr
    assert "Bearing bracket - millimeter" in done.stdout and "MOUNTING BRACKET" in done.stdout
    assert "broken.step -> " in done.stdout and "UnsupportedFileType 415" in done.stdout

"""The real command, run as a person runs it, on files made here."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

from tests.support.warm_commands import BEFORE_START, SECONDS, SPATIAL, WarmCommands

SIDES = (10.0, 20.0, 30.0)
"""Millimeters of the box that the tests extract."""

Answer = subprocess.CompletedProcess[str]
Spatial = Callable[..., Answer]


def clean_environment(**variables: str) -> dict[str, str]:
    """This environment without settings of ours or of Prefect, and with those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPATIAL_", "PREFECT_"))}
    return kept | variables


def one_sentence(answer: Answer) -> str:
    """The one sentence in which a command failed."""
    said = [line for line in answer.stderr.splitlines() if line.startswith("spatial: ")]
    assert len(said) == 1, answer.stderr
    assert "Traceback" not in answer.stderr
    assert answer.stdout == ""
    return said[0]


def ran(commands: WarmCommands, folder: Path, *arguments: str | Path, **variables: str) -> Answer:
    """What `spatial` said in a folder, and its exit status."""
    environment = clean_environment(**variables)
    if not any(name.startswith(BEFORE_START) for name in variables):
        return commands.run(folder, environment, *map(str, arguments))
    command = [str(SPATIAL), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS)


@pytest.fixture
def spatial(warm_commands: WarmCommands, tmp_path: Path) -> Spatial:
    """Run `spatial` somewhere else than in the repository."""
    return partial(ran, warm_commands, tmp_path)


@pytest.fixture(scope="session")
def box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A STEP file with one box."""
    path = tmp_path_factory.mktemp("parts") / "box.step"
    writer = STEPControl_Writer()
    writer.Transfer(BRepPrimAPI_MakeBox(*SIDES).Shape(), STEPControl_AsIs)
    assert writer.Write(str(path)) == IFSelect_ReturnStatus.IFSelect_RetDone
    return path


@pytest.fixture
def home() -> Iterator[Path]:
    """A home for a database of the test's own; not under tmp_path, which a second pytest run closes to Postgres's system user."""
    with TemporaryDirectory(prefix="spatial-cli-") as folder:
        yield Path(folder) / "home"

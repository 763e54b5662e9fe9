"""The package of the client: what is generated, what it installs and imports, and that both clients are the same."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import subprocess
import sys
import tomllib
import venv
from email.parser import Parser
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from spatial_geometry import AsyncBatch, AsyncClient, Batch, Client
from tests.support.stack import ROOT

FOLDER = ROOT / "clients" / "python"
SOURCE = FOLDER / "src" / "spatial_geometry"


def script() -> ModuleType:
    """scripts/client_models.py."""
    spec = importlib.util.spec_from_file_location("client_models", ROOT / "scripts" / "client_models.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.requirement("client.generated")
@pytest.mark.parametrize("name", ["models.py", "error_types.py", "async_client.py", "async_batch.py"])
def test_the_generated_modules_are_what_the_script_makes(name: str) -> None:
    made = script().MODULES[name]()
    assert (SOURCE / name).read_text("utf-8") == made, f"{name} is stale; run: python scripts/client_models.py"


@pytest.mark.requirement("client.same-methods")
@pytest.mark.parametrize(("blocking", "asyncio"), [(Client, AsyncClient), (Batch, AsyncBatch)])
def test_both_clients_have_the_same_methods(blocking: type, asyncio: type) -> None:
    def signatures(kind: type) -> dict[str, list[str]]:
        public = {
            name.replace("aclose", "close"): each for name, each in vars(kind).items() if not name.startswith("_")
        }
        return {name: list(inspect.signature(each).parameters) for name, each in public.items() if callable(each)}

    assert signatures(blocking) == signatures(asyncio)
    for name, method in vars(asyncio).items():
        if callable(method) and not name.startswith("_"):
            assert inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method), name


@pytest.mark.requirement("client.package")
def test_it_imports_nothing_but_what_it_asks_for() -> None:
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
    assert {name.partition(">")[0] for name in project["dependencies"]} == {"httpx", "pydantic"}
    allowed = {
        "httpx",
        "pydantic",
        "typing_extensions",
        "spatial_geometry",
        *sys.stdlib_module_names,
    }  # pydantic brings typing_extensions
    for path in [*SOURCE.glob("*.py"), *(FOLDER / "examples").glob("*.py")]:
        assert imports_of(path) <= allowed, path.name


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.requirement("client.package")
def test_it_installs_into_an_empty_environment(tmp_path: Path) -> None:
    """Its two dependencies come from this environment, since a test reaches no package index."""
    for version, folder in (("standard", tmp_path), ("editable", tmp_path / "editable")):
        command = [sys.executable, "-m", "hatchling", "build", "-t", f"wheel:{version}", "-d", str(folder)]
        built = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("spatial_geometry-*-py3-none-any.whl")
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = Parser().parsestr(archive.read(next(name for name in names if name.endswith("METADATA"))).decode())
    assert {f"spatial_geometry/{path.name}" for path in [*SOURCE.glob("*.py"), SOURCE / "py.typed"]} <= names
    assert metadata["Requires-Python"] == ">=3.10" and metadata.get_all("Requires-Dist") == [
        "httpx>=0.28",
        "pydantic>=2.11",
    ]
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    pip = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-index",
        "--no-deps",
        str(wheel),
    ]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    installed = subprocess.run(pip, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert installed.returncode == 0, installed.stderr
    site = next(path for path in map(Path, sys.path) if (path / "httpx").is_dir())
    code = "import spatial_geometry; print(spatial_geometry.__file__); print(spatial_geometry.Client('sk_1'))"
    ran = subprocess.run(
        [str(python), "-c", code],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    assert ran.stdout.splitlines()[-1] == "Client(base_url='http://127.0.0.1:8000')", ran.stderr

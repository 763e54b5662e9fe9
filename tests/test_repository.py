"""The repository as a newcomer meets it: locks, import contracts, documents and commands agree."""

from __future__ import annotations

import ast
import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from spatial.contract.formats import FORMATS
from storage import environment, settings
from tests.support.stack import ROOT, SAMPLE

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
CLIENT = "spatial_geometry"
"""The package of the Python client, which has its own project."""

CLIENT_FOLDER = Path("clients", "python", "src")
PACKAGES: list[str] = [name for name in PROJECT["tool"]["importlinter"]["root_packages"] if name != CLIENT]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "clients").rglob("*.md")])
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))

AGPL_SHA256 = "57c8ff33c9c0cfc3ef00e650a1cc910d7ee479a8bc509f6c9209a7c2a11399d6"
"""Of the licence's text as the Free Software Foundation published it in 2007."""

IGNORED_SUFFIXES = {".png", ".step", ".stp", ".igs", ".iges"}


def our_files() -> list[Path]:
    """Every file that is, or would be, committed; in a copy without .git every file outside of the folders that git ignores."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
        return [ROOT / name for name in names if (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and not path.relative_to(ROOT).parts[0].startswith(".")]


def locked(path: Path) -> dict[str, tuple[str, int]]:
    """Package to its version and its number of hashes."""
    entries = re.split(r"\n(?=\S)", re.sub(r"^\s*#.*\n", "", path.read_text(), flags=re.MULTILINE))
    found = {}
    for entry in filter(None, entries):
        name, version = re.fullmatch(r"([a-z0-9-]+)(?:\[[a-z0-9,-]+\])?==([^\s;]+).*", entry, flags=re.DOTALL).groups()  # type: ignore[union-attr]
        found[name] = (version, entry.count("--hash=sha256:"))
    return found


def canonical(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", Requirement(requirement).name).lower()


@pytest.mark.requirement("repository.locks-hashed")
@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_locked_package_is_pinned_with_hashes(lock: Path) -> None:
    packages = locked(lock)
    assert packages
    assert [name for name, (_, hashes) in packages.items() if hashes == 0] == []


@pytest.mark.requirement("repository.locks-cover")
def test_the_locks_have_what_the_project_asks_for() -> None:
    main, dev = locked(ROOT / "requirements" / "main.lock"), locked(ROOT / "requirements" / "dev.lock")
    assert {canonical(name) for name in PROJECT["project"]["dependencies"]} <= main.keys()
    assert {canonical(name) for name in PROJECT["dependency-groups"]["dev"]} <= dev.keys()
    assert {name: dev.get(name) for name in main} == main
    for requirement in map(Requirement, PROJECT["project"]["dependencies"]):
        assert requirement.specifier.contains(main[canonical(str(requirement))][0]), f"{requirement}: run make lock"


@pytest.mark.requirement("repository.locks-cover")
@pytest.mark.parametrize(
    ("folders", "groups"),
    [(PACKAGES, []), ([*PACKAGES, "benchmarks", "docs", "examples", "siege", "tests"], ["dev"])],
    ids=["main", "dev"],
)
def test_what_is_imported_is_asked_for(folders: list[str], groups: list[str]) -> None:
    asked = {canonical(name) for name in PROJECT["project"]["dependencies"]}
    asked |= {canonical(name) for group in groups for name in PROJECT["dependency-groups"][group]}
    asked |= {canonical(name) for extra in PROJECT["project"]["optional-dependencies"].values() for name in extra}
    brought_by = packages_distributions()
    known = {*sys.stdlib_module_names, *PACKAGES, CLIENT, "benchmarks", "examples", "scripts", "siege", "tests"}
    imported = {
        name for folder in folders for path in (ROOT / folder).rglob("*.py") for name in imports_of(path)
    } - known
    assert [name for name in imported if not asked & {canonical(found) for found in brought_by.get(name, [name])}] == []


def imports_of(path: Path) -> Iterator[str]:
    """Top-level packages that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


@pytest.mark.requirement("repository.no-hosts")
def test_no_file_names_a_package_index_or_a_path_of_somebodys_machine() -> None:
    index = re.compile(
        "|".join(["pypi" + r"\.org", "python" + "hosted", "--index" + "-url +http", "registry" + r"\.npmjs"])
    )
    home = re.compile(
        "/(?:home|Users)/[a-z]+/|" + re.escape(f"{ROOT.parent}/") if len(ROOT.parts) > 3 else "/(?:home|Users)/[a-z]+/"
    )
    for path in our_files():
        if path.suffix in IGNORED_SUFFIXES:
            continue
        text = path.read_text(errors="replace")
        assert not index.search(text), f"{path.relative_to(ROOT)} names a package index"
        assert not home.search(text), f"{path.relative_to(ROOT)} names a path of a machine"
    assert not (ROOT / "uv.lock").exists()


@pytest.mark.requirement("repository.imports")
def test_the_import_contracts_hold() -> None:
    checked = lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout


VIOLATIONS = {
    "layers": ("storage/settings.py", "import flows.catalog"),
    "spatial-layers": ("spatial/contract/limits.py", "import spatial.models.reading"),
    "storage-layers": ("storage/objects/lake.py", "import storage.postgres.keys"),
    "cycles": ("storage/ids.py", "import storage.postgres.keys"),
    "solvers": ("pipelines/desktop.py", "import spatial.reasoning.solve"),
    "hostile-input": ("tasks/extraction.py", "import spatial.formats.step.reader"),
    "small-converter-service": ("converter/pool.py", "import converter.child"),
    "native-libraries": ("storage/postgres/keys.py", "import OCP"),
    "line-reader": ("spatial/pipeline/read.py", "import onnxruntime"),
    "pure-spatial": ("spatial/errors.py", "import sqlalchemy"),
    "light-contract": ("spatial/contract/limits.py", "import numpy"),
    "prefect": ("api/app.py", "import prefect"),
    "pipelines": ("pipelines/jobs.py", "import prefect"),
    "prefect-runtime": ("prefect_runtime/host.py", "import storage.postgres.keys"),
    "fastapi": ("flows/dispatch.py", "import fastapi"),
    "starlette": ("tasks/extraction.py", "import starlette"),
    "stores": ("api/app.py", "import sqlalchemy"),
    "stripe": ("billing/push.py", "import stripe"),
    "metrics": ("storage/postgres/keys.py", "import prometheus_client"),
    "environment": ("converter/service.py", "import pydantic_settings"),
    "api-imports": ("api/app.py", "import spatial.document.assemble"),
    "cli-imports": ("cli/run.py", "import flows.dispatch"),
    "client": ("spatial_geometry/errors.py", "import spatial.errors"),
    "client-imports": ("storage/settings.py", "import spatial_geometry"),
}
"""Contract to a file and a line that it must not have."""


@pytest.mark.requirement("repository.imports")
def test_every_import_contract_has_a_violation_here() -> None:
    assert set(VIOLATIONS) == {contract["id"] for contract in PROJECT["tool"]["importlinter"]["contracts"]}


@pytest.fixture(scope="module")
def copied_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our packages and their contracts, to be violated."""
    tree = tmp_path_factory.mktemp("imports")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / CLIENT_FOLDER / CLIENT, tree / CLIENT, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


@pytest.mark.requirement("repository.imports")
@pytest.mark.parametrize("contract", VIOLATIONS)
def test_a_violation_fails_its_contract(contract: str, copied_tree: Path) -> None:
    name, line = VIOLATIONS[contract]
    violated = copied_tree / name
    before = violated.read_text()
    try:
        violated.write_text(f"{before}\n{line}\n")
        checked = lint_imports(copied_tree, "--contract", contract)
    finally:
        violated.write_text(before)
    assert checked.returncode == 1, checked.stdout
    assert "BROKEN" in checked.stdout


def lint_imports(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Check the contracts of a tree, of which the modules are taken from there."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo", "--no-cache", *arguments]
    return subprocess.run(
        command,
        cwd=tree,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{tree}:{tree / CLIENT_FOLDER}"},
        capture_output=True,
        text=True,
    )


@pytest.mark.requirement("repository.environment")
def test_settings_are_read_from_the_environment_in_one_place() -> None:
    sources = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    reading = re.compile(r"getenv\(|environ(\.get\(|\[)[\"']SPATIAL_|envvar=")
    assert [str(path.relative_to(ROOT)) for path in sources if reading.search(path.read_text())] == []


@pytest.mark.requirement("repository.ci")
def test_ci_runs_the_test_command_of_the_readme() -> None:
    commands = [
        line
        for line in (ROOT / ".ci" / "run").read_text().splitlines()
        if line and not line.startswith(("#", "set ", "cd "))
    ]
    assert commands == ["exec make test"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    assert re.search(r"^make test\b", (ROOT / "README.md").read_text(), flags=re.MULTILINE)
    assert re.search(r"^make run\b", (ROOT / "README.md").read_text(), flags=re.MULTILINE)


@pytest.mark.requirement("repository.commands")
def test_every_command_that_a_document_names_exists() -> None:
    written = "\n".join(code_of(path.read_text()) for path in DOCUMENTS)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"^make ([a-z-]+)", written, flags=re.MULTILINE)) <= targets
    for module in set(re.findall(r"python -m ([a-z_.]+[a-z_])", written)):
        assert find_spec(module) is not None, module
    for command in set(re.findall(r"\bspatial ((?:keys )?[a-z]+)", written)):
        shown = subprocess.run(
            [sys.executable, "-m", "cli.main", *command.split(), "--help"], cwd=ROOT, capture_output=True
        )
        assert shown.returncode == 0, f"spatial {command}"


def code_of(markdown: str) -> str:
    """The code blocks and inline code of a document, without its diagrams."""
    blocks = re.findall(r"^```(?!mermaid)[a-z]*\n(.*?)^```", markdown, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", prose)])


@pytest.mark.requirement("repository.settings-documented")
def test_the_readme_documents_every_setting_and_no_other() -> None:
    rows = re.findall(r"^\| `(SPATIAL_[A-Z0-9_]+)` \| ([^|]*) \|", (ROOT / "README.md").read_text(), flags=re.MULTILINE)
    documented = {variable: default.strip().strip("`") for variable, default in rows}
    assert documented == {row.variable: row.default for row in settings.describe()}


@pytest.mark.requirement("repository.settings-documented")
def test_no_document_names_a_setting_that_does_not_exist() -> None:
    known = {row.variable for row in settings.describe()} | {"SPATIAL_PUBLISH", *environment.CLIENT_VARIABLES}
    for path in [*DOCUMENTS, ROOT / "docker-compose.yml", *(ROOT / "deployments").glob("Dockerfile.*")]:
        assert set(re.findall(r"\bSPATIAL_[A-Z0-9_]+", path.read_text())) <= known, path.name


@pytest.mark.requirement("repository.readme-answer")
def test_the_readmes_summary_is_the_one_that_the_command_prints(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cli.main", "extract", str(SAMPLE), "--output", str(tmp_path / "bracket.json")]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert f"```\n{printed.stdout}```" in (ROOT / "README.md").read_text(), printed


@pytest.mark.requirement("repository.formats-documented")
def test_the_formats_page_is_the_formats_table() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    rows = re.findall(r"^\| ([^|]+) \| ([a-z0-9, ]+) \| (brep|drawing2d|diagram2d) \|$", page, flags=re.MULTILINE)
    for row in FORMATS:
        line = (row.title, ", ".join(row.extensions), row.kind)
        assert line in rows, f"docs/formats.md lacks this row: | {' | '.join(line)} |"
    assert len(rows) == len(FORMATS), "docs/formats.md has a row for a format that is not in the table"


@pytest.mark.requirement("repository.links")
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_lead_to_files(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", document.read_text()):
        assert (document.parent / target).exists(), f"{document.name} links to {target}"


@pytest.mark.requirement("repository.licence")
def test_the_licence_is_the_agpl() -> None:
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == AGPL_SHA256
    assert PROJECT["project"]["license"] == "AGPL-3.0-or-later"
    assert "AGPL-3.0-or-later" in (ROOT / "README.md").read_text()


@pytest.mark.requirement("repository.prefect-yaml")
def test_prefect_yaml_has_the_deployments_of_the_catalog() -> None:
    from flows.catalog import CATALOG, POOL

    written: dict[str, Any] = yaml.safe_load((ROOT / "prefect.yaml").read_text())
    rows = {row["name"]: row for row in written["deployments"]}
    stock = ("process", "docker", "kubernetes")
    on_stock = {name for name, deployed in CATALOG.items() if deployed.pool == POOL}
    assert rows.keys() == {*CATALOG, *(f"{name}-{kind}" for name in on_stock for kind in stock)}
    assert written["pull"] == []
    for name, deployed in CATALOG.items():
        row = rows[name]
        assert row["entrypoint"] == deployed.entrypoint and "pull" not in row
        assert row["work_pool"] == {"name": deployed.pool, "work_queue_name": deployed.queue}
        rhythms = [schedule.get("interval", schedule.get("cron")) for schedule in row.get("schedules", [])]
        wanted = deployed.cron or (deployed.every.total_seconds() if deployed.every else None)
        assert rhythms == ([] if wanted is None else [wanted])
        for kind in stock if name in on_stock else ():
            other = rows[f"{name}-{kind}"]
            assert other["entrypoint"] == deployed.entrypoint and "schedules" not in other
            assert other["work_pool"]["name"] == f"{POOL}-{kind}" and other["pull"]

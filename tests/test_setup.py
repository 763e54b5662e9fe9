"""`make setup` where something is missing: scripts/setup.* in a folder of their own, with the programs they find on PATH."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from cli import checks
from converter import libraries
from deployments import home
from tests.support.stack import ROOT

Answer = subprocess.CompletedProcess[str]

UV_THAT_RECORDS = """#!/bin/sh
case "$1" in
  --version) echo "uv 99.0.0";;
  venv) mkdir -p .venv/bin && ln -sf "{python}" .venv/bin/python;;
esac
echo "$@" >> calls
"""
"""A uv that makes an environment out of the running Python and installs nothing; it writes down what it was asked."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A clone with nothing but what the set-up reads."""
    for name in ("scripts", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "clients" / "python").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "clients/python/pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "programs").mkdir()
    return tmp_path


def program(tree: Path, name: str, script: str) -> None:
    """Put a program on the tree's PATH."""
    path = tree / "programs" / name
    path.write_text(script)
    path.chmod(0o755)


def uv(tree: Path, failing: str = "") -> None:
    """A uv on the tree's PATH; with `failing`, one that says this and fails when it is to install."""
    script = UV_THAT_RECORDS.format(python=sys.executable)
    if failing:
        script += f"[ \"$2\" = sync ] || exit 0\ncat >&2 <<'EOF'\n{failing}\nEOF\nexit 2\n"
    program(tree, "uv", script)


def make(tree: Path, target: str = "setup", **variables: str) -> Answer:
    """Run a make target with this Python and the tree's programs before the system's."""
    environment = {
        "HOME": str(tree),
        "PATH": f"{tree / 'programs'}:/usr/bin:/bin",
        "PYTHON": sys.executable,
    } | variables
    return subprocess.run(["make", target], cwd=tree, env=environment, capture_output=True, text=True, timeout=120)


def one_sentence(answer: Answer) -> str:
    """The last word of a set-up that failed."""
    assert answer.returncode != 0
    assert "Traceback" not in answer.stderr
    said = [line for line in answer.stderr.splitlines() if line.startswith("setup: ")]
    return said[-1]


def calls(tree: Path) -> list[str]:
    """What uv was asked to do."""
    asked = (tree / "calls").read_text().splitlines()
    return [line for line in asked if line != "--version"]


@pytest.mark.requirement("setup.idempotent", "setup.uv")
def test_the_first_setup_installs_the_lock_and_the_second_does_nothing(tree: Path) -> None:
    uv(tree)
    first = make(tree)
    assert first.returncode == 0, first.stderr
    assert any(
        call.startswith("pip sync --require-hashes") and call.endswith("requirements/dev.lock") for call in calls(tree)
    )
    (tree / "calls").unlink()
    second = make(tree)
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert not (tree / "calls").exists()


@pytest.mark.requirement("setup.uv")
def test_a_setup_that_takes_long_says_that_it_still_works(tree: Path) -> None:
    """uv ends here only when the set-up has said so."""
    uv(tree)
    with (tree / "programs" / "uv").open("a") as script:
        script.write('[ "$2" = sync ] || exit 0\nuntil grep -q "still working" said; do :; done\n')
    setup = tree / "scripts" / "setup.py"
    setup.write_text(setup.read_text().replace("REPORT_SECONDS = 10.0", "REPORT_SECONDS = 0.05"))
    environment = {"HOME": str(tree), "PATH": f"{tree / 'programs'}:/usr/bin:/bin", "PYTHON": sys.executable}
    with (tree / "said").open("wb") as said:
        assert subprocess.run(["make", "setup"], cwd=tree, env=environment, stderr=said, timeout=120).returncode == 0
    assert "still working after" in (tree / "said").read_text()


@pytest.mark.requirement("setup.idempotent")
@pytest.mark.parametrize("name", ["requirements/dev.lock", "pyproject.toml", "clients/python/pyproject.toml"])
def test_a_changed_lock_is_installed(tree: Path, name: str) -> None:
    uv(tree)
    make(tree)
    (tree / "calls").unlink()
    with (tree / name).open("a") as file:
        file.write("\n# changed\n")
    assert make(tree).returncode == 0
    assert calls(tree)


@pytest.mark.requirement("setup.idempotent")
def test_an_interrupted_setup_is_done_again(tree: Path) -> None:
    uv(tree, failing="error: killed")
    assert make(tree).returncode != 0
    uv(tree)
    (tree / "calls").unlink()
    assert make(tree).returncode == 0
    assert calls(tree)


@pytest.mark.requirement("setup.concurrent")
def test_two_makes_take_turns(tree: Path) -> None:
    uv(tree)
    (tree / ".tools").mkdir()
    answers: list[Answer] = []
    with (tree / ".tools" / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = threading.Thread(target=lambda: answers.append(make(tree)))
        waiting.start()
        waiting.join(timeout=1)
        assert waiting.is_alive()
        assert not (tree / "calls").exists()
    waiting.join()
    assert answers[0].returncode == 0
    assert "waiting for it" in answers[0].stderr


@pytest.mark.requirement("setup.python")
def test_a_python_that_is_too_old_is_one_sentence(tree: Path) -> None:
    program(tree, "old", '#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit 0\nexit 1\n')
    said = one_sentence(make(tree, PYTHON="old"))
    assert "Python 3.11, 3.12 or 3.13 is needed" in said and "Python 3.9.2" in said


@pytest.mark.requirement("setup.ensurepip")
def test_a_python_without_ensurepip_is_one_sentence(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = loaded(tree)

    def create(folder: Path, **_: bool) -> None:
        """What venv does on a Debian without python3-venv: half an environment, then this."""
        folder.mkdir(parents=True)
        raise subprocess.CalledProcessError(1, ["python", "-m", "ensurepip"])

    monkeypatch.setattr(setup.venv, "create", create)
    with pytest.raises(setup.SetupError, match="apt-get install python3-venv"):
        setup.make_tools_venv()
    assert not (tree / ".tools" / "uv").exists()


@pytest.mark.requirement("setup.system-libraries")
def test_missing_system_libraries_are_one_sentence(tree: Path) -> None:
    uv(tree)
    script = tree / "scripts" / "setup.py"
    script.write_text(
        script.read_text().replace("libGL.so.1", "libGL.so.none").replace("libX11.so.6", "libX11.so.none")
    )
    said = one_sentence(make(tree))
    assert "libGL.so.none and libX11.so.none" in said and "apt-get install libgl1 libx11-6" in said
    assert not (tree / "calls").exists()


@pytest.mark.requirement("setup.system-libraries", "cli.doctor.broken")
def test_setup_and_doctor_ask_for_the_same(tree: Path) -> None:
    assert loaded(tree).SYSTEM_LIBRARIES == libraries.SYSTEM_LIBRARIES
    assert home.LEAST_FREE_BYTES == checks.LEAST_FREE_BYTES
    for package in libraries.SYSTEM_LIBRARIES.values():
        assert package in (ROOT / "README.md").read_text()
        assert package in (ROOT / "deployments" / "Dockerfile.converter").read_text()


@pytest.mark.requirement("setup.failures")
@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ("error: Failed to extract archive\n  Caused by: No space left on device (os error 28)", "the disk is full"),
        (
            "error: Failed to build `casadi==3.8.2`\n  error: command 'gcc' failed: No such file or directory",
            "needs a C compiler",
        ),
        (
            "error: Failed to download `vtk==9.6.2`\n  Caused by: Hash mismatch for `vtk==9.6.2`",
            "does not match the lock",
        ),
        (
            "error: Failed to fetch: `https://index/simple/vtk/`\n  Caused by: dns error",
            "the package index cannot be reached",
        ),
        ("  × No solution found\n  vtk==9.6.2 has no wheels with a matching platform tag", "has no wheel for"),
        ("error: something new\nhint: try again", "error: something new"),
    ],
)
def test_a_failed_installation_is_one_sentence(tree: Path, failure: str, said: str) -> None:
    uv(tree, failing=failure)
    sentence = one_sentence(make(tree))
    assert said in sentence
    log = re.search(r"\((\S+) has the full output\)", sentence)
    assert log is not None and failure in (tree / log.group(1)).read_text()


@pytest.mark.requirement("setup.failures")
def test_a_full_disk_is_known_before_anything_is_downloaded(tree: Path) -> None:
    uv(tree)
    script = tree / "scripts" / "setup.py"
    script.write_text(re.sub(r"^DISK_BYTES = .*", "DISK_BYTES = 10**18", script.read_text(), flags=re.MULTILINE))
    assert "GB are free" in one_sentence(make(tree))
    assert not (tree / "calls").exists()


@pytest.mark.requirement("setup.stale-lock")
def test_a_lock_that_lacks_a_dependency_is_one_sentence(tree: Path) -> None:
    uv(tree)
    fails = (
        '[ "$2" = check ] || exit 0\necho "Found 1 incompatibility" >&2\necho "The package x requires y" >&2\nexit 1\n'
    )
    with (tree / "programs" / "uv").open("a") as file:
        file.write(fails)
    said = one_sentence(make(tree))
    assert "is stale" in said and "requires y" in said and "make lock" in said


@pytest.mark.requirement("setup.uv")
@pytest.mark.parametrize("found", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\necho 'uv 0.1.0'\n"])
def test_a_uv_that_does_not_run_or_is_too_old_is_not_used(
    tree: Path, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tree, "uv", found)
    monkeypatch.setenv("PATH", f"{tree / 'programs'}{os.pathsep}/usr/bin")
    setup = loaded(tree)
    monkeypatch.setattr(setup, "make_tools_venv", lambda: str(tree / "programs" / "python"))
    program(tree, "python", '#!/bin/sh\necho "$@" > asked\n')
    monkeypatch.chdir(tree)
    assert setup.find_uv() == str(tree / ".tools" / "uv" / "bin" / "uv")
    assert (tree / "asked").read_text().split()[:3] == ["-m", "pip", "install"]
    assert "--require-hashes" in (tree / "asked").read_text()


def loaded(tree: Path) -> ModuleType:
    """The tree's set-up as a module."""
    spec = importlib.util.spec_from_file_location("setup_of_tree", tree / "scripts" / "setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

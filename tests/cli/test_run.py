"""`spatial run`: the command becomes the embedded stack."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from converter import libraries
from deployments import embedded
from tests.cli.conftest import Spatial, one_sentence
from tests.support.stack import free_port


@pytest.mark.requirement("cli.run", "run.port-in-use")
def test_run_hands_its_flags_to_the_stack(spatial: Spatial, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        answer = spatial("run", "--port", port, "--home", tmp_path / "home", "--no-sample", "--no-desktop-worker")
    assert answer.returncode == 1
    assert port in one_sentence(answer)


@pytest.mark.requirement("run.system-libraries")
def test_a_missing_system_library_is_named_once_with_its_package_and_nothing_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(libraries.SYSTEM_LIBRARIES, "libnowhere.so.1", "libnowhere1")
    assert embedded.main(["--home", str(tmp_path / "home"), "--port", str(free_port())]) == 1
    shown = capfd.readouterr().err
    assert [line for line in shown.splitlines() if "libnowhere" in line] == [
        "spatial: libnowhere.so.1 cannot be loaded; on Debian, run apt-get install libnowhere1"
    ]
    assert "Prefect" not in shown and list((tmp_path / "home" / "logs").iterdir()) == []

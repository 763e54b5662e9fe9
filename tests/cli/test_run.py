"""`spatial run`: the command becomes the embedded stack."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Spatial, one_sentence


@pytest.mark.requirement("cli.run", "run.port-in-use")
def test_run_hands_its_flags_to_the_stack(spatial: Spatial, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        answer = spatial("run", "--port", port, "--home", tmp_path / "home", "--no-sample", "--no-desktop-worker")
    assert answer.returncode == 1
    assert port in one_sentence(answer)

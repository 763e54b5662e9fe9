"""`spatial doctor`: what it says of a machine where nothing runs, of a whole stack, and of what is broken."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from storage import settings
from tests.cli.conftest import Spatial
from tests.support.stack import free_port


def verdict_of(shown: str, part: str) -> str:
    """The line of one part."""
    return next(line for line in shown.splitlines() if line[2:].startswith(part))


@pytest.mark.requirement("cli.doctor.idle")
def test_where_nothing_runs_nothing_is_broken(spatial: Spatial, tmp_path: Path) -> None:
    answer = spatial("doctor", SPATIAL_API_PORT=str(free_port()))
    assert answer.returncode == 0, answer.stdout
    for part in ("python", "system libraries", "disk", "extraction"):
        assert verdict_of(answer.stdout, part).startswith("✓")
    for part in ("stack", "database", "converter", "prefect", "api"):
        assert verdict_of(answer.stdout, part).startswith("–")
    assert "`spatial run`" in answer.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("cli.doctor.settings")
def test_it_lists_every_setting_with_its_source_and_no_secret(spatial: Spatial) -> None:
    answer = spatial("doctor", "--home", "here", SPATIAL_POINTS_TOTAL="99", SPATIAL_WEBHOOK_SECRET="do not tell")
    lines = {line.split()[0]: line for line in answer.stdout.splitlines() if line.startswith("SPATIAL_")}
    assert set(lines) == {row.variable for row in settings.describe()}
    assert lines["SPATIAL_POINTS_TOTAL"].split()[1:] == ["99", "environment"]
    assert lines["SPATIAL_HOME"].endswith("flag")
    assert lines["SPATIAL_CONVERT_SECONDS"].endswith("default")
    assert "do not tell" not in answer.stdout


@pytest.mark.requirement("cli.doctor.broken")
@pytest.mark.parametrize(
    ("part", "variables"),
    [
        ("database", {"SPATIAL_DATABASE_URL": "postgresql://a:b@127.0.0.1:9/spatial"}),
        ("prefect", {"SPATIAL_PREFECT_API_URL": "http://127.0.0.1:9/api"}),
        ("converter", {"SPATIAL_CONVERTER_URL": "http://127.0.0.1:9"}),
        ("settings", {"SPATIAL_API_PORT": "eight thousand"}),
        ("settings", {"SPATIAL_DATABSE_URL": "postgresql://a:b@127.0.0.1:5432/spatial"}),
    ],
)
def test_what_is_configured_and_broken_is_said_with_a_remedy(
    spatial: Spatial, part: str, variables: dict[str, str]
) -> None:
    answer = spatial("doctor", **({"SPATIAL_API_PORT": str(free_port())} | variables))
    assert answer.returncode == 1
    lines = answer.stdout.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("✗"))
    assert lines[place][2:].startswith(part)
    assert lines[place + 1].lstrip().startswith("→")
    assert "Traceback" not in answer.stdout + answer.stderr


@pytest.mark.requirement("cli.doctor.broken")
def test_another_program_on_the_port_is_told_apart_from_no_program(spatial: Spatial) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        answer = spatial("doctor", SPATIAL_API_PORT=str(other.getsockname()[1]))
    assert verdict_of(answer.stdout, "api").startswith("✗")


@pytest.mark.requirement("cli.doctor.plain")
def test_without_a_terminal_it_is_plain_text_in_any_encoding(spatial: Spatial) -> None:
    answer = spatial("doctor", SPATIAL_API_PORT=str(free_port()), PYTHONIOENCODING="ascii")
    assert answer.stdout.isascii()
    assert "\x1b" not in answer.stdout
    assert verdict_of(answer.stdout.replace("ok ", "✓ "), "python")

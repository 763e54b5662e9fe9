"""The command line's way: the same isolation, without a server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from converter.deadline import PATIENT_FACTOR
from converter.documents import parsed
from converter.local import convert
from converter.pool import Pool, PoolSettings
from sandbox import isolation
from sandbox.forkserver_settings import ForkServerSettings
from spatial.contract.target import TargetContract
from spatial.errors import ConversionTimeout, ConverterUnavailable, ParseError, UnsupportedFileType
from spatial.models.sampling_plan import SamplingPlan
from tests.converter.conftest import MEMORY, PATIENCE, TABLE, is_alive, script


@pytest.mark.requirement("converter.local")
def test_points_are_sampled_only_where_they_are_wanted() -> None:
    content = script(read=["say", "read"], interpret=["say", "meant"], sample=["segfault"])
    document = parsed(convert(content, "part.step", table=TABLE), "part.step")
    assert (document.warnings, document.point_cloud_scene) == (["read", "meant"], None)
    with pytest.raises(ParseError) as failure:
        convert(content, "part.step", TargetContract.both, table=TABLE)
    assert failure.value.details == {"phase": "sample", "signal": "SIGSEGV"}


@pytest.mark.requirement("converter.local")
def test_the_plan_is_followed() -> None:
    plan = SamplingPlan(points_per_object=3, seed=5)
    made = convert(script(), "part.step", TargetContract.point_cloud_scene, plan, table=TABLE)
    scene = parsed(made, "part.step").point_cloud_scene
    assert scene is not None and scene.point_clouds[0].points == [{"x": 5.0, "y": 0.5, "z": 0.25}] * 3


@pytest.mark.requirement("converter.local")
def test_deadline_and_ceiling_hold() -> None:
    with pytest.raises(ConversionTimeout):
        convert(script(read=["hang"]), "part.step", deadline=2.0, table=TABLE)
    with pytest.raises(ParseError) as failure:
        convert(script(read=["balloon"]), "part.step", memory=MEMORY, table=TABLE)
    assert failure.value.details == {"phase": "read", "limit_bytes": MEMORY}


@pytest.mark.requirement("converter.local", "converter.deadline")
def test_a_busy_machine_is_waited_for_longer_than_by_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Pool] = []

    class Seen(Pool):
        def __init__(self, settings: PoolSettings, *more: Any) -> None:
            super().__init__(settings, *more)
            made.append(self)

    monkeypatch.setattr("converter.pool.Pool", Seen)
    convert(script(), "part.step", table=TABLE)
    assert made[0].settings.clock_factor == PATIENT_FACTOR > PoolSettings().clock_factor


@pytest.mark.requirement("drawing.estimate")
def test_a_reader_knows_the_deadline() -> None:
    empty = "<g/>" * 400_000
    with pytest.raises(ParseError, match=r"take about 6\.1 s to read, and 5 s is the most"):
        convert(f'<svg xmlns="http://www.w3.org/2000/svg">{empty}</svg>'.encode(), "a.svg", deadline=5.0)


@pytest.mark.requirement("converter.local", "converter.no-environment")
def test_isolation_holds_and_nothing_stays_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPATIAL_WEBHOOK_SECRET", "the secret")
    document = convert(script(read=["environment"], interpret=["pid"]), "part.step", table=TABLE)
    *read, pid = document.warnings
    assert read and "the secret" not in "".join(read)
    assert not is_alive(int(pid))


@pytest.mark.requirement("converter.local")
def test_a_fork_server_whose_last_message_nobody_reads_ends_without_a_traceback(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        asked = ForkServerSettings(
            theirs.fileno(),
            os.getpid(),
            "converter.child",
            ({"table": TABLE, "only": ["trial"], "warm": True},),
            str(tmp_path),
            MEMORY,
            tuple(isolation.MEASURES),
        )
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sandbox.forkserver", asked.to_json()],
            env={"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
        )
    ours.recv(1, socket.MSG_PEEK)  # it says that it is ready, and this stays unread
    ours.close()
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, b"")


@pytest.mark.requirement("converter.local")
def test_an_extension_nobody_reads_is_refused() -> None:
    with pytest.raises(UnsupportedFileType):
        convert(b"", "part.sldprt")


@pytest.mark.requirement("converter.local")
def test_readers_that_cannot_be_loaded_are_said() -> None:
    with pytest.raises(ConverterUnavailable, match=r"libMissing\.so\.1"):
        convert(script(), "part.step", table="tests.converter.broken_formats")


@pytest.mark.requirement("converter.local", "converter.round-trip")
def test_a_real_part_is_read() -> None:
    sample = Path(__file__).parents[2] / "examples" / "bracket.step"
    document = parsed(convert(sample.read_bytes(), sample.name, TargetContract.both), sample.name)
    assert document.source_format == "step" and document.structure is not None
    assert len(document.structure.solids or ()) == 1
    assert document.point_cloud_scene is not None and len(document.point_cloud_scene.point_clouds[0].points) > 100

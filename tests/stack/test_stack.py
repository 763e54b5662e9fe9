"""The embedded stack as its operator meets it: one command, clear refusals, nothing left behind."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import psutil
import pytest
import s3fs

from tests.support.stack import NO_DESKTOP, ROOT, SAMPLE, RunningStack, eventually, free_port, start_stack


def refused(home: Path, port: int) -> str:
    """Start a stack that cannot start; returns what it says, which must be one sentence."""
    ended = subprocess.run(
        [sys.executable, "-m", "deployments.embedded", "--home", str(home), "--port", str(port)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 1
    said = [line for line in ended.stderr.splitlines() if line.startswith("spatial: ")]
    assert len(said) == 1 and "Traceback" not in ended.stderr
    return said[0]


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [process for process in processes if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.requirement("run.ready-line", "run.demo-key-once", "run.sample-summary")
def test_the_first_run_greets_with_a_key_a_sample_and_ready(stack: RunningStack) -> None:
    assert f"ready {stack.url}" in stack.stdout
    assert sum(line.strip().startswith("sk_") for line in stack.stdout) == 1
    assert any(SAMPLE.name in line for line in stack.stdout)


@pytest.mark.requirement("console.operators")
def test_the_first_run_prints_a_password_of_the_console_once(stack: RunningStack) -> None:
    (place,) = [number for number, line in enumerate(stack.stdout) if line.startswith("console account admin")]
    password = stack.stdout[place + 2].strip()
    with httpx.Client(trust_env=False, base_url=stack.url) as client:
        answer = client.post("/console/sign-in", data={"name": "admin", "password": password})
        assert (answer.status_code, answer.headers["location"]) == (303, "/console")
        assert "Overview" in client.get("/console").text


@pytest.mark.requirement("run.prefect-loopback-auth")
def test_the_prefect_server_wants_its_auth_string_and_no_foreign_origin(stack: RunningStack) -> None:
    base = stack.addresses["prefect_api_url"]
    with httpx.Client(trust_env=False) as client:
        assert client.post(f"{base}/flows/count", json={}).status_code == 401
    with stack.prefect() as prefect:
        answer = prefect.post("flows/count", json={}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    server = stack.child("prefect_runtime.server")
    listening = {
        c.laddr.ip
        for p in [server, *server.children(recursive=True)]
        for c in p.net_connections()
        if c.status == "LISTEN"
    }
    assert listening <= {"127.0.0.1"}


@pytest.mark.requirement("run.private-addresses")
def test_the_addresses_of_a_running_stack_are_for_its_owner_only(stack: RunningStack) -> None:
    assert stat.S_IMODE((stack.home / "run" / "stack.json").stat().st_mode) == 0o600


@pytest.mark.requirement("run.port-in-use")
def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert str(port) in refused(tmp_path / "home", port)


@pytest.mark.requirement("run.home-in-use")
def test_a_home_in_use_is_one_sentence_that_names_the_process(stack: RunningStack) -> None:
    assert str(stack.process.pid) in refused(stack.home, free_port())


@pytest.mark.skipif(
    shutil.which("mount") is None or os.geteuid() != 0, reason="a small file system needs root to mount"
)
@pytest.mark.requirement("run.full-disk")
def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(tmp_path)], capture_output=True
    ).returncode:
        pytest.skip("this machine does not let root mount a small file system")
    try:
        assert "free disk space" in refused(tmp_path / "home", free_port())
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.requirement(
    "run.side-by-side", "run.ctrl-c", "run.data-stays", "run.restarts-after-kill", "run.on-a-bucket"
)
def test_a_second_stack_runs_on_a_bucket_beside_the_first_survives_kill_9_and_keeps_its_data(
    stack: RunningStack, s3_server: str, tmp_path: Path
) -> None:
    home = tmp_path / "other"
    bucket = {"SPATIAL_STORAGE_URL": "s3://stack-lake/prod", "SPATIAL_S3_ENDPOINT": s3_server}
    second = start_stack(home, "--no-sample", NO_DESKTOP, **bucket)
    bearer = {"Authorization": f"Bearer {second.key}"}
    with httpx.Client(trust_env=False) as client:
        assert client.get(f"{stack.url}/api/health").status_code == 200
        assert client.post(f"{stack.url}/api/v1/cad/extract", headers=bearer).status_code == 401
    answer = extracted(second, bearer)
    killed_but_for_postgres(second)

    third = start_stack(home, NO_DESKTOP, **bucket)
    assert not any(line.strip().startswith("sk_") for line in third.stdout), "the key is shown once"
    assert not any("password" in line for line in third.stdout), "the password is shown once"
    assert not any(SAMPLE.name in line for line in third.stdout), "a later start only greets"
    again = extracted(third, bearer)
    assert (again.content, again.headers["Idempotency-Replayed"]) == (answer.content, "true")
    tree = third.tree()
    assert third.stop() == 0
    assert not alive(tree)
    assert (home / "postgres").is_dir() and not (home / "run" / "stack.json").exists()
    filesystem = s3fs.S3FileSystem(endpoint_url=s3_server, use_listings_cache=False)
    assert {key.split("/")[2] for key in filesystem.find("stack-lake/prod")} >= {"staged", "results"}
    assert not (home / "lake").exists(), "nothing of a file is on this machine's disk"


def extracted(stack: RunningStack, bearer: dict[str, str]) -> httpx.Response:
    """The sample's document; the same request each time."""
    files = {"file": (SAMPLE.name, SAMPLE.read_bytes())}
    with httpx.Client(trust_env=False, timeout=120, headers=bearer | {"Idempotency-Key": "kept"}) as client:
        answer = client.post(f"{stack.url}/api/v1/cad/extract", files=files, data={"target_contract": "both"})
    assert answer.status_code == 200, answer.text
    return answer


def killed_but_for_postgres(stack: RunningStack) -> None:
    """kill -9 the stack; all that it started ends but Postgres, which the next start adopts."""
    tree, server = stack.tree(), stack.child("postgres")
    postgres = {server.pid, *(child.pid for child in server.children(recursive=True))}
    stack.process.kill()
    stack.process.wait()
    ours = [process for process in tree if process.pid not in postgres]
    eventually(lambda: not alive(ours), what="an end of all but Postgres, which the next start adopts")

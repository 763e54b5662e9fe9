"""`spatial extract` and `spatial doctor` beside a running stack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Spatial
from tests.cli.test_doctor import verdict_of
from tests.cli.test_extract import without_ids
from tests.support.stack import RunningStack


@pytest.mark.requirement("cli.extract.same-as-api")
def test_the_document_is_the_one_that_the_api_answers(spatial: Spatial, box: Path, stack: RunningStack) -> None:
    with stack.client() as client:
        answer = client.post(
            "/api/v1/cad/extract", files={"file": (box.name, box.read_bytes())}, data={"target_contract": "both"}
        )
    assert answer.status_code == 200, answer.text
    local = json.loads(spatial("extract", box, "--target", "both").stdout)
    assert without_ids(answer.json()) == without_ids(local)


@pytest.mark.requirement("cli.doctor.stack")
def test_of_a_running_stack_everything_is_in_order(spatial: Spatial, stack: RunningStack) -> None:
    answer = spatial("doctor", "--home", stack.home)
    assert answer.returncode == 0, answer.stdout
    for part in ("database", "storage", "converter", "prefect", "api"):
        assert verdict_of(answer.stdout, part).startswith("✓"), answer.stdout
    assert stack.addresses["prefect_auth"] not in answer.stdout


@pytest.mark.requirement("cli.doctor.running")
def test_settings_that_differ_in_the_running_stack_are_shown_beside(spatial: Spatial, stack: RunningStack) -> None:
    answer = spatial("doctor", "--home", stack.home, SPATIAL_POINTS_TOTAL="99")
    lines = {line.split()[0]: line.split() for line in answer.stdout.splitlines() if line.startswith("SPATIAL_")}
    assert lines["SPATIAL_API_PORT"][1:] == ["8000", "default", str(stack.port)]
    assert lines["SPATIAL_POINTS_TOTAL"][1:] == ["99", "environment", "65536"]
    assert lines["SPATIAL_POINTS_PER_OBJECT"][1:] == ["2048", "default"]
    assert verdict_of(answer.stdout, "stack").startswith("✓")

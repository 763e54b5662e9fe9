"""What a second process finds out about shapes is what this one would have found."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.models import delegation
from spatial.models.brep import delegated
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.brep import BrepSteps
from spatial.pipeline.read import read_file
from tests.support.stack import ROOT

pytestmark = pytest.mark.requirement("converter.delegation")

FILES = sorted((ROOT / "tests" / "data" / "solids").glob("*.gz"))
PLAN = SamplingPlan(points_per_object=8)


class Handed(list[str]):
    """The tasks that were handed over; each is done at once, in this process."""

    def hand(self, task: str, payload: bytes) -> delegation.Result:
        self.append(task)
        found = delegated.perform(task, payload)
        return lambda: found

    def lose(self, task: str, payload: bytes) -> delegation.Result:
        """As where the other process ends without a result."""
        self.append(task)
        return lambda: None


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Handed]:
    monkeypatch.setattr(delegated, "LEAST_FACES", 1)
    handed = Handed()
    yield handed
    delegation.allow(handed.hand, 0, points=False)


def document(data: bytes, name: str) -> bytes:
    steps = read_file(data, name)
    assert isinstance(steps, BrepSteps)
    meaning, points = steps.interpret(), steps.sample(PLAN)
    made = assemble(
        steps.reading, meaning, points, file_name=name, target=TargetContract.both, request_id="test", plan=PLAN
    )
    return result_bytes(made)


def require_same(data: bytes, name: str, handed: Handed) -> None:
    """The same document whoever does the work, and where the other process gives nothing."""
    alone = document(data, name)
    for hand, tasks, points in ((handed.hand, 3, True), (handed.hand, 1, False), (handed.lose, 3, True)):
        delegation.allow(hand, tasks, points=points)
        assert document(data, name) == alone
        delegation.allow(hand, 0, points=False)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_document_is_the_same_whoever_checks_and_meshes(path: Path, handed: Handed) -> None:
    require_same(gzip.decompress(path.read_bytes()), path.stem, handed)


def test_a_file_that_needs_the_repairs_left_out_at_first_is_described_again(handed: Handed) -> None:
    bracket = (ROOT / "examples" / "bracket.step").read_bytes()
    found = re.search(rb"FACE_BOUND\('',#\d+,\.([TF])\.\);", bracket)
    assert found is not None
    other = b"F" if found[1] == b"T" else b"T"
    require_same(bracket[: found.start(1)] + other + bracket[found.end(1) :], "turned.step", handed)


def test_tasks_of_each_kind_are_handed_over(handed: Handed) -> None:
    delegation.allow(handed.hand, 3, points=True)
    document((ROOT / "examples" / "bracket.step").read_bytes(), "bracket.step")
    assert handed == ["faults", "triangles", "masses"]

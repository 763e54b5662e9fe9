"""The client against the real service: every method, with the blocking and the asyncio client."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

import spatial_geometry
from spatial_geometry import CadExtraction, Client, SceneReference
from spatial_geometry._files import INLINE_BYTES
from tests.client.both import KINDS, Kind, call, outcomes
from tests.client.loopback import Reply, loopback
from tests.spatial import diagrams
from tests.stack.batch_client import BATCHES, gate
from tests.support.stack import ROOT, SAMPLE, RunningStack, eventually

SHEET = ROOT / "examples" / "sheet.pdf"
CUBE = {
    "point_clouds": [
        {
            "object_id": "cube",
            "kind": "box",
            "points": [{"x": x, "y": y, "z": z} for x in (0, 1) for y in (0, 1) for z in (0, 1)],
        }
    ]
}


@pytest.fixture
def client(stack: RunningStack, own_key: str) -> Iterator[Client]:
    """A blocking client."""
    with http_client() as http, Client(own_key, stack.url, http_client=http) as made:
        yield made


@pytest.fixture
def reasoning(stack: RunningStack, client: Client) -> Client:
    """The client, once a desktop worker is live."""
    eventually(lambda: client.models().runtime_available, what="a live desktop worker")
    return client


def padded() -> bytes:
    """The sample part with a comment in it that makes it too large for a request."""
    head, mark, tail = SAMPLE.read_bytes().partition(b"DATA;")
    return head + mark + b"\n/*" + (b"x" * 78 + b"\n") * (INLINE_BYTES // 78) + b"*/\n" + tail


@pytest.mark.requirement("client.extract")
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_and_a_drawing_come_back_typed(stack: RunningStack, kind: Kind, own_key: str) -> None:
    document: CadExtraction = call(kind, stack.url, "extract", SAMPLE, key=own_key, target="both")
    assert document.structure is not None and document.structure.solids is not None
    assert document.structure.solids[0].name == "Bearing bracket"
    assert document.point_cloud_scene is not None
    assert len(document.point_cloud_scene.point_clouds[0].points) == document.statistics.total_points
    sheet: CadExtraction = call(kind, stack.url, "extract", SHEET.read_bytes(), key=own_key, file_name="sheet.pdf")
    assert sheet.structure is not None and sheet.structure.drawing_metadata is not None
    assert sheet.structure.drawing_metadata.title_block is not None
    assert sheet.structure.drawing_metadata.title_block.fields["title"] == "MOUNTING BRACKET"


@pytest.mark.requirement("client.extract", "client.uploads")
@pytest.mark.parametrize("kind", KINDS)
def test_a_large_file_arrives_by_upload_and_leaves_none_behind(stack: RunningStack, kind: Kind, own_key: str) -> None:
    file = padded()
    document = call(kind, stack.url, "extract", file, key=own_key, file_name="padded.step")
    assert document.usage.input_tokens == -(-len(file) // 4)
    assert not [path for path in (stack.home / "lake" / "staged").glob("up_*") if any(path.iterdir())]


@pytest.mark.requirement("client.extract")
def test_an_address_is_downloaded_by_the_service(stack: RunningStack, client: Client) -> None:
    with loopback(Reply(body=SAMPLE.read_bytes()), port=stack.files_port):
        document = client.extract_url(
            f"http://127.0.0.1:{stack.files_port}/files/bearing%20bracket.step?token=1", target="structured"
        )
    assert document.file_name == "bearing bracket.step" and document.statistics.entity_counts["solids"] == 1


@pytest.mark.requirement("client.extract", "client.idempotency-key")
def test_a_document_is_read_again_and_a_repeated_key_is_answered_from_store(client: Client) -> None:
    first = client.extract(SAMPLE, idempotency_key="client-test-once")
    assert client.extract(SAMPLE, idempotency_key="client-test-once").request_id == first.request_id
    with pytest.raises(spatial_geometry.IdempotencyConflict):
        client.extract(SHEET, idempotency_key="client-test-once")
    again = client.extraction(first.request_id)
    assert again.model_dump() == first.model_dump()
    assert first.request_id in [one.id for one in client.extractions(limit=5).data]
    with pytest.raises(spatial_geometry.NotFound):
        client.extraction("req_none")


@pytest.mark.requirement("client.errors")
def test_the_service_refuses_in_its_own_words(stack: RunningStack, client: Client) -> None:
    with pytest.raises(spatial_geometry.UnsupportedFileType, match="STEP") as caught:
        client.extract(b"x", file_name="part.sldprt")
    assert caught.value.request_id is not None and caught.value.request_id.startswith("req_")
    with pytest.raises(spatial_geometry.ParseError):
        client.extract(b"this is no STEP file", file_name="part.step")
    with pytest.raises(spatial_geometry.AuthenticationFailed):
        call("blocking", stack.url, "usage", key="sk_wrong")


@pytest.mark.requirement("client.batches", "client.batch-limits")
@pytest.mark.parametrize("kind", KINDS)
def test_each_file_of_a_batch_has_its_document_or_its_error(stack: RunningStack, kind: Kind, own_key: str) -> None:
    files: list[Any] = [SAMPLE, ("part.sldprt", b"x"), ("broken.step", b"broken"), SHEET, ("padded.step", padded())]
    seen: list[int] = []
    ids, found = outcomes(kind, stack.url, files, key=own_key, on_progress=lambda progress: seen.append(progress.ended))
    by_index = {outcome.index: outcome for outcome in found}
    assert sorted(by_index) == [0, 1, 2, 3, 4] and len(found) == 5 and len(ids) == 1
    assert {index: type(outcome.error) for index, outcome in by_index.items() if outcome.error} == {
        1: spatial_geometry.UnsupportedFileType,
        2: spatial_geometry.ParseError,
    }
    assert by_index[0].result().source_format == "step" and by_index[3].result().source_format == "pdf"
    assert (
        by_index[4].result().usage
        == call(kind, stack.url, "extraction", f"{by_index[4].result().request_id}.3", key=own_key).usage
    )
    assert seen[-1] == 5 and seen == sorted(seen)


@pytest.mark.requirement("client.batch-limits")
def test_more_than_32_files_are_one_handle_of_several_batches(client: Client) -> None:
    flow = diagrams.model(diagrams.vertex("a")).encode()
    batch = client.batch([(f"{number}.drawio", flow) for number in range(40)])
    assert len(batch.ids) == 2
    found = batch.wait()
    assert [outcome.index for outcome in found] == list(range(40))
    assert [outcome.result().file_name for outcome in found] == [f"{number}.drawio" for number in range(40)]


@pytest.mark.requirement("client.batches")
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_is_resumed_by_its_id(stack: RunningStack, client: Client, kind: Kind, own_key: str) -> None:
    batch = client.batch([SAMPLE, ("broken.step", b"broken"), SHEET])
    assert batch.id is not None and batch.id.startswith("cb_")
    expected = batch.wait()
    assert batch.wait() == expected and batch.progress.done == 2 and batch.progress.failed == 1
    _, found = outcomes(kind, stack.url, batch.id, key=own_key)
    assert [(one.index, one.file_name, one.document) for one in found] == [
        (one.index, one.file_name, one.document) for one in expected
    ]
    with pytest.raises(spatial_geometry.NotFound):
        client.batch("cb_0")
    with pytest.raises(ValueError, match="list of files"):
        client.batch("bracket.step")


@pytest.mark.requirement("client.batches")
def test_failed_items_are_extracted_again(stack: RunningStack, fresh_key: str) -> None:
    with http_client() as http, gate(stack) as files:
        client = Client(fresh_key, stack.url, http_client=http)
        batch = client.batch(
            submitted(stack, fresh_key, files.item("a.step"), files.item("missing.step"), files.item("b.step"))
        )
        with pytest.raises(TimeoutError, match="0 of 3 files"):
            batch.wait(timeout=0)
        files.open()
        assert [outcome.index for outcome in batch.wait() if outcome.error] == [1]
        files.provide("missing.step")
        (again,) = batch.rerun().wait()
        assert (again.index, again.file_name) == (1, "missing.step") and again.document is not None


@pytest.mark.requirement("client.batches")
def test_a_batch_is_cancelled(stack: RunningStack, fresh_key: str) -> None:
    with http_client() as http, gate(stack) as files:
        batch = Client(fresh_key, stack.url, http_client=http).batch(
            [submitted(stack, fresh_key, files.item("c.step"))]
        )
        batch.cancel()
        (outcome,) = batch.wait()
        with pytest.raises(spatial_geometry.Cancelled):
            outcome.result()


def http_client() -> httpx.Client:
    return httpx.Client(trust_env=False, timeout=60)


def submitted(stack: RunningStack, key: str, *items: dict[str, str]) -> str:
    """The id of a batch of addresses, which the client does not submit."""
    with http_client() as http:
        sent = http.post(f"{stack.url}{BATCHES}", json={"items": items}, headers={"Authorization": f"Bearer {key}"})
    assert sent.status_code == 202, sent.text
    return str(sent.json()["id"])


@pytest.mark.requirement("client.respond")
@pytest.mark.parametrize("kind", KINDS)
def test_tasks_are_answered_alone_and_in_batches(
    stack: RunningStack, reasoning: Client, kind: Kind, own_key: str
) -> None:
    document = reasoning.extract(SAMPLE, target="both")
    for scene in (document, SceneReference(extraction_id=document.request_id)):
        answer = call(kind, stack.url, "respond", "understand", key=own_key, cad_scene=scene, detail="compact")
        assert answer.output[0]["data"]["cad_scene"]["objects"][0]["name"] == "Bearing bracket"
    found = call(
        kind, stack.url, "respond_batch",
        [{"task_type": "stability", "point_cloud_scene": CUBE}, {"task_type": "stability", "point_cloud_scene": CUBE, "object_id": "lid"}],
        key=own_key,
    )  # fmt: skip
    assert found[0].result().output[0]["verdict"] == "stable"
    assert isinstance(found[1].error, spatial_geometry.InputRejected) and found[1].index == 1


@pytest.mark.requirement("client.respond")
@pytest.mark.parametrize("kind", KINDS)
def test_a_feature_tree_becomes_a_scene(stack: RunningStack, reasoning: Client, kind: Kind, own_key: str) -> None:
    tree = [{"id": "base", "feature_type": "box", "size": [10, 20, 30]}]
    made = call(kind, stack.url, "import_feature_tree", "acme-cad", f"doc-{kind}", tree, key=own_key)
    answer = call(kind, stack.url, "respond", "describe", key=own_key, scene_id=made.scene_id)
    assert answer.output[0]["data"]["description"]


@pytest.mark.requirement("client.account")
@pytest.mark.parametrize("kind", KINDS)
def test_models_health_and_usage(stack: RunningStack, client: Client, kind: Kind, own_key: str) -> None:
    assert call(kind, stack.url, "models").data[0].id == "reasoner-1.0"
    assert call(kind, stack.url, "health").services.keys() == client.health().services.keys()
    client.extract(SAMPLE)
    today = datetime.now(UTC).date()
    report = call(kind, stack.url, "usage", today, today, key=own_key)
    assert report.since == today and report.total.estimated_cost_usd > 0
    assert report.total.input_tokens == sum(row.input_tokens for row in report.data)


@pytest.mark.requirement("client.account")
def test_a_service_that_is_down_reports_its_health() -> None:
    down = {"status": "down", "timestamp": "2026-11-23T12:00:00Z", "services": {"datastore": "down"}, "checks": {}}
    with loopback(Reply(503, down)) as server:
        assert call("blocking", server.url, "health").status == "down"
    assert len(server.sent) == 1


@pytest.mark.requirement("client.uploads")
def test_an_upload_serves_several_extractions_until_it_is_deleted(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "part.step"
    path.write_bytes(SAMPLE.read_bytes())
    upload = client.upload(path)
    first = client.extract(upload, idempotency_key="client-test-upload")
    assert client.extract(upload, idempotency_key="client-test-upload").request_id == first.request_id
    client.delete_upload(upload.id)
    with pytest.raises(spatial_geometry.InvalidRequest, match="upload"):
        client.extract(upload)

"""Batches through the whole stack: submitted over HTTP, carried by the warm worker, seen in Prefect."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from storage.postgres.address import sibling_url
from tests.pipelines.test_markdown import Rendered
from tests.stack.batch_client import (
    BATCHES,
    ask,
    flow_runs,
    follow,
    gate,
    inline,
    run_in_state,
    submit,
    until_ended,
)
from tests.stack.test_flow import execute, run_now, task_runs_of, usage_rows
from tests.stack.test_ingest import spatial
from tests.support.stack import SAMPLE, RunningStack, eventually

STAGES = ("fetch", "convert", "interpret", "sample", "assemble", "meter")
SPECIMENS = SAMPLE.parents[1] / "converter" / "specimens"


def stages_of(tasks: list[dict[str, Any]], file_name: str) -> dict[str, str]:
    """Stage to state, of the task runs that are children of the file's item."""
    (item,) = (task for task in tasks if task["name"].startswith("item") and task["name"].endswith(file_name))
    children = [task for task in tasks if {"input_type": "task_run", "id": item["id"]} in parents(task)]
    assert all(task["name"].endswith(file_name) for task in children)
    return {task["name"].split()[0]: task["state_type"] for task in children}


def parents(task: dict[str, Any]) -> list[dict[str, str]]:
    """The task run under which Prefect shows a task run."""
    found: list[dict[str, str]] = task["task_inputs"].get("__parents__", [])
    return found


@pytest.mark.requirement("batch.flow-run", "batch.end-to-end", "batch.done-if-any", "batch.usage-sum", "batch.stages")
def test_a_mixed_batch_runs_from_submission_to_results(stack: RunningStack) -> None:
    files = [SAMPLE, SPECIMENS / "drawio.drawio", SPECIMENS / "dxf.dxf"]
    parts = [("files", (file.name, file.read_bytes())) for file in files]
    parts.insert(1, ("files", ("bad.step", b"no STEP file")))
    with stack.client() as client:
        answer = client.post(BATCHES, files=parts, data={"target_contract": "both"})
    assert answer.status_code == 202, answer.text
    batch = follow(stack, answer.json()["id"])
    assert batch["status"] == "done" and batch["counts"] == {"queued": 0, "running": 0, "done": 3, "failed": 1}
    assert [item["file_name"] for item in batch["items"]] == [name for _, (name, _) in parts]
    assert [item["http_status"] for item in batch["items"]] == [200, 422, 200, 200]
    assert batch["items"][1]["error"]["type"] == "parse_error"
    results = [item["result"] for item in batch["items"] if "result" in item]
    assert {result["schema"] for result in results} == {"cad.extraction.v1"}
    assert batch["usage"]["input_tokens"] == sum(result["usage"]["input_tokens"] for result in results)
    request_id = answer.headers["X-Request-ID"]
    assert usage_rows(stack, request_id) == 3
    run = run_in_state(stack, batch["id"], "Completed")
    assert request_id in run["tags"] and run["deployment_id"]
    with stack.prefect() as prefect:
        tasks = task_runs_of(prefect, run["id"], 4 + 3 * len(STAGES) + 2)
        pages = prefect.post("artifacts/filter", json={"artifacts": {"flow_run_id": {"any_": [run["id"]]}}}).json()
    items = {task["name"]: task["state_type"] for task in tasks if task["name"].startswith("item")}
    assert items == {
        "item 0: bracket.step": "COMPLETED",
        "item 1: bad.step": "FAILED",
        "item 2: drawio.drawio": "COMPLETED",
        "item 3: dxf.dxf": "COMPLETED",
    }
    for name in ("bracket.step", "drawio.drawio", "dxf.dxf"):
        assert stages_of(tasks, name) == dict.fromkeys(STAGES, "COMPLETED")
    assert stages_of(tasks, "bad.step") == {"fetch": "COMPLETED", "convert": "FAILED"}
    assert all(name in Rendered(pages[0]["data"]).text for name in ("bad.step", "bracket.step", "3 done", "1 failed"))
    delay = datetime.fromisoformat(batch["started_at"]) - datetime.fromisoformat(batch["created_at"])
    print(f"batch of 4: begun {delay.total_seconds():.2f} s after its submission")


@pytest.mark.requirement("batch.extract-item")
def test_a_failed_item_is_extracted_again_into_a_result_of_its_own_and_billed_once(stack: RunningStack) -> None:
    with gate(stack) as files:
        files.open()
        sent = submit(stack, [inline("a.step"), files.item("missing.step")])
        before = follow(stack, sent["id"])
        refused = run_now(stack, "extract-item", batch_id=sent["id"], item=0)
        files.provide("missing.step")
        runs = [run_now(stack, "extract-item", batch_id=sent["id"], item=1) for _ in range(2)]
    assert refused["state_type"] == "FAILED" and "item 0 of" in refused["state"]["message"]
    assert [run["state_type"] for run in runs] == ["COMPLETED", "COMPLETED"]
    messages = [run["state"]["message"] for run in runs]
    key = messages[0].split()[3]
    assert messages == [
        f"the document is {key} in the lake; {billed}"
        for billed in ("billed", "not billed, because an earlier run was")
    ]
    document = json.loads((stack.home / "lake" / key).read_text())
    assert document["schema"] == "cad.extraction.v1" and document["request_id"] == sent["request_id"]
    assert usage_rows(stack, sent["request_id"]) == 2, "the item that succeeded in the batch, and the repeated one"
    assert {**ask(stack, sent["id"]), "request_id": ""} == {**before, "request_id": ""}


@pytest.mark.requirement("batch.failed-stays-failed", "batch.rerun")
def test_a_failed_batch_stays_failed_in_prefect_until_its_items_are_extracted_again(stack: RunningStack) -> None:
    with gate(stack) as files:
        files.open()
        sent = submit(stack, [files.item("missing.step"), inline("<b>bad.step", b"no STEP file")])
        before = follow(stack, sent["id"])
        run = run_in_state(stack, sent["id"], "Failed")
        with stack.prefect() as prefect:
            again = {"state": {"type": "SCHEDULED", "name": "AwaitingRetry"}}
            assert prefect.post(f"flow_runs/{run['id']}/set_state", json=again).json()["status"] == "ACCEPT"
            after = eventually(
                lambda: (
                    (found := prefect.get(f"flow_runs/{run['id']}").json())["run_count"] == 2
                    and found["state_type"] in ("COMPLETED", "FAILED")
                    and found
                ),
                what="the end of the run that was retried",
            )
        refused = spatial(stack, "batch", "rerun", sent["id"])
        files.provide("missing.step")
        repeated = [spatial(stack, "batch", "rerun", sent["id"]) for _ in range(2)]
    for message in (run["state"]["message"], after["state"]["message"]):
        assert f"no item of {sent['id']} succeeded: item 0 missing.step: 400 invalid_request_error" in message
        assert "item 1 <b>bad.step: 422 parse_error" in message and "rerun-batch" in message
    assert after["state_type"] == "FAILED" and after["state"]["message"].startswith("nothing was run")
    assert refused.returncode == 1 and "2 of 2 items" in refused.stderr, refused.stderr
    outcomes = [(done.returncode, done.stdout.splitlines()) for done in repeated]
    assert [status for status, _ in outcomes] == [1, 1], "one of the two is still a bad file"
    assert [lines[2].endswith("billed") for _, lines in outcomes] == [True, False]
    assert all(lines[3].startswith("- item 1 `<b>bad.step`: 422 parse_error: ") for _, lines in outcomes)
    document = json.loads((stack.home / "lake" / outcomes[0][1][2].split("`")[3]).read_text())
    assert document["schema"] == "cad.extraction.v1" and document["request_id"] == sent["request_id"]
    assert usage_rows(stack, sent["request_id"]) == 1
    assert {**ask(stack, sent["id"]), "request_id": ""} == {**before, "request_id": ""}


@pytest.mark.requirement("batch.re-run")
def test_re_running_a_batch_from_prefect_changes_and_bills_nothing(stack: RunningStack) -> None:
    sent = submit(stack, [inline("a.step"), inline("b.step", b"broken")])
    before = follow(stack, sent["id"])
    run = run_in_state(stack, sent["id"], "Completed")
    with stack.prefect() as prefect:
        deployment = prefect.get("deployments/name/extract-batch/extract-batch").json()["id"]
        body = {"name": "by hand", "parameters": {"batch_id": sent["id"]}, "tags": [sent["id"]]}
        copy = prefect.post(f"deployments/{deployment}/create_flow_run", json=body).json()
        again = {"state": {"type": "SCHEDULED", "name": "AwaitingRetry"}}
        assert prefect.post(f"flow_runs/{run['id']}/set_state", json=again).json()["status"] == "ACCEPT"

        def ended() -> bool:
            runs = [prefect.get(f"flow_runs/{key}").json() for key in (copy["id"], run["id"])]
            return all(each["state_type"] == "COMPLETED" for each in runs) and runs[1]["run_count"] == 2

        eventually(ended, what="the end of both re-runs")
        said = prefect.get(f"flow_runs/{copy['id']}").json()["state"]["message"]
        assert said == f"nothing left to do: {sent['id']} is done"
    after = ask(stack, sent["id"])
    assert {**after, "request_id": ""} == {**before, "request_id": ""}
    assert usage_rows(stack, sent["request_id"]) == 1


@pytest.mark.requirement("batch.content-url")
def test_an_item_behind_an_address_that_fails_is_that_items_error(stack: RunningStack) -> None:
    with gate(stack) as files:
        files.open()
        sent = submit(stack, [files.item("there.step"), files.item("missing.step")])
        batch = follow(stack, sent["id"])
    there, missing = batch["items"]
    assert batch["status"] == "done" and there["http_status"] == 200
    assert (missing["http_status"], missing["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.requirement("batch.cancelled-in-prefect", "worker.cancel")
def test_a_batch_that_an_operator_cancels_in_prefect_stops_and_says_so(stack: RunningStack) -> None:
    with gate(stack) as files:
        sent = submit(stack, [inline("a.step"), files.item("b.step"), files.item("c.step")])
        until_ended(stack, sent["id"], 1)
        files.waits_for(2)
        with stack.prefect() as prefect:
            (run,) = flow_runs(prefect, sent["id"])
            prefect.post(f"flow_runs/{run['id']}/set_state", json={"state": {"type": "CANCELLING"}})
        batch = follow(stack, sent["id"])
        run_in_state(stack, sent["id"], "Cancelled")
    assert batch["status"] == "done"
    assert [item.get("error", {}).get("type") for item in batch["items"]] == [None, "cancelled", "cancelled"]
    assert usage_rows(stack, sent["request_id"]) == 1


@pytest.mark.requirement("batch.retention", "retention.deletion")
def test_a_batch_whose_24_hours_are_over_loses_its_files_and_is_still_known(stack: RunningStack) -> None:
    sent = submit(stack, [inline("a.step")])
    follow(stack, sent["id"])
    lake = stack.home / "lake"
    before = {*lake.rglob("staged/*/0/a.step"), *lake.rglob("results/op_*/0.json")}
    sql = "UPDATE batches SET expires_at = clock_timestamp() WHERE id = :id"
    execute(stack.addresses["database_url"], sql, id=sent["id"])
    assert run_now(stack, "expire")["state_type"] == "COMPLETED"
    batch = ask(stack, sent["id"])
    assert batch["status"] == "expired" and "result" not in batch["items"][0]
    gone = sorted(path.name for path in before if not path.exists())
    assert gone == ["0.json", "a.step"], "its files are deleted, and no others"


@pytest.mark.requirement("retention.prefect")
def test_flow_runs_that_ended_long_ago_are_trimmed_from_prefect(stack: RunningStack) -> None:
    old, young = run_now(stack, "export-usage"), run_now(stack, "export-usage")
    prefect_database = sibling_url(stack.addresses["database_url"], "prefect")
    execute(prefect_database, "UPDATE flow_run SET end_time = now() - interval '31 days' WHERE id = :id", id=old["id"])
    assert run_now(stack, "trim-prefect")["state_type"] == "COMPLETED"
    with stack.prefect() as prefect:
        assert prefect.get(f"flow_runs/{old['id']}").status_code == 404
        assert prefect.get(f"flow_runs/{young['id']}").status_code == 200

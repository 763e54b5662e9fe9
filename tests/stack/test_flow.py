"""The flow as a data engineer meets it in Prefect: stages, tags, artifact, re-runs."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from storage.objects.lake import Lake
from storage.postgres.address import sibling_url
from storage.postgres.database import Database
from storage.tables import ledger_query
from tests.pipelines.test_markdown import Rendered
from tests.support.stack import SAMPLE, RunningStack, eventually

STAGES = ["fetch", "convert", "interpret", "assemble", "meter"]


def extract(stack: RunningStack, target: str = "structured") -> httpx.Response:
    with stack.client() as client:
        return client.post(
            "/api/v1/cad/extract", files={"file": (SAMPLE.name, SAMPLE.read_bytes())}, data={"target_contract": target}
        )


def flow_run_of(prefect: httpx.Client, request_id: str) -> dict[str, Any]:
    """The one flow run that wears the request id as its tag, once it has ended."""

    def ended() -> dict[str, Any] | None:
        found = prefect.post("flow_runs/filter", json={"flow_runs": {"tags": {"all_": [request_id]}}}).json()
        assert len(found) <= 1
        return found[0] if found and found[0]["state_type"] in ("COMPLETED", "FAILED", "CRASHED") else None

    return eventually(ended, what="a finished flow run")


def task_runs_of(prefect: httpx.Client, flow_run_id: str, expected: int) -> list[dict[str, Any]]:
    """Task runs in the order they started; recorded from events, so they appear a little later."""

    def recorded() -> list[dict[str, Any]] | None:
        body = {"flow_runs": {"id": {"any_": [flow_run_id]}}, "sort": "EXPECTED_START_TIME_ASC"}
        found: list[dict[str, Any]] = prefect.post("task_runs/filter", json=body).json()
        final = [run for run in found if run["state_type"] in ("COMPLETED", "FAILED")]
        return final if len(final) >= expected else None

    return eventually(recorded, what=f"{expected} finished task runs")


def execute(url: str, sql: str, **values: Any) -> None:
    """One statement in one of the stack's databases."""

    async def go() -> None:
        database = Database(url)
        try:
            async with database.transaction() as connection:
                await connection.execute(text(sql), values)
        finally:
            await database.close()

    asyncio.run(go())


def usage_rows(stack: RunningStack, request_id: str) -> int:
    """Rows in the usage table under a request id, asked of Postgres itself."""

    async def count() -> int:
        database = Database(stack.addresses["database_url"])
        try:
            async with database.transaction() as connection:
                found = await connection.execute(
                    text("SELECT count(*) FROM usage WHERE request_id = :id"), {"id": request_id}
                )
                return int(found.scalar_one())
        finally:
            await database.close()

    return asyncio.run(count())


@pytest.mark.requirement("flow.stages", "flow.request-id-tag")
def test_an_extraction_is_a_flow_run_of_the_deployment_with_a_task_a_stage(stack: RunningStack) -> None:
    answer = extract(stack)
    assert answer.status_code == 200
    with stack.prefect() as prefect:
        run = flow_run_of(prefect, answer.headers["X-Request-ID"])
        assert run["state_type"] == "COMPLETED"
        assert run["deployment_id"] is not None
        assert run["name"] == SAMPLE.name
        stages = task_runs_of(prefect, run["id"], len(STAGES))
    assert sorted(stage["name"].split()[0] for stage in stages) == sorted(STAGES), "structured pays for no sampling"
    assert all(stage["start_time"] <= stage["end_time"] and stage["run_count"] == 1 for stage in stages)


@pytest.mark.requirement("flow.stages", "points.only-when-asked")
def test_both_samples_as_a_stage_of_its_own(stack: RunningStack) -> None:
    answer = extract(stack, "both")
    with stack.prefect() as prefect:
        run = flow_run_of(prefect, answer.headers["X-Request-ID"])
        names = [task["name"].split()[0] for task in task_runs_of(prefect, run["id"], len(STAGES) + 1)]
    assert sorted(names) == sorted([*STAGES, "sample"])
    assert answer.json()["statistics"]["total_points"] > 0


@pytest.mark.requirement("flow.artifact")
def test_the_summary_and_warnings_are_an_artifact_of_the_run(stack: RunningStack) -> None:
    answer = extract(stack)
    with stack.prefect() as prefect:
        run = flow_run_of(prefect, answer.headers["X-Request-ID"])
        found = prefect.post("artifacts/filter", json={"artifacts": {"flow_run_id": {"any_": [run["id"]]}}}).json()
    pages = [artifact["data"] for artifact in found if artifact["type"] == "markdown"]
    assert len(pages) == 1
    shown = Rendered(pages[0]).text
    assert SAMPLE.name in shown and "Warnings" in shown and str(answer.json()["usage"]["input_tokens"]) in shown
    assert "warning:" not in shown, "warnings stand under their heading alone"


@pytest.mark.requirement("flow.artifact-optional")
def test_a_prefect_server_that_refuses_artifacts_fails_no_run(stack: RunningStack) -> None:
    prefect_database = sibling_url(stack.addresses["database_url"], "prefect")
    execute(prefect_database, "ALTER TABLE artifact ADD CONSTRAINT refused CHECK (false) NOT VALID")
    try:
        answer = extract(stack)
        with stack.prefect() as prefect:
            run = flow_run_of(prefect, answer.headers["X-Request-ID"])
            refused = prefect.post("artifacts/", json={"key": "k", "type": "markdown", "data": "d"})
    finally:
        execute(prefect_database, "ALTER TABLE artifact DROP CONSTRAINT refused")
    assert refused.is_error, "the server did refuse artifacts"
    assert (answer.status_code, run["state_type"]) == (200, "COMPLETED"), run["state"]


@pytest.mark.requirement("flow.re-run", "usage.re-run-bills-nothing")
def test_a_data_engineer_re_runs_it_from_prefect_and_nothing_is_billed_again(stack: RunningStack) -> None:
    answer = extract(stack)
    request_id = answer.headers["X-Request-ID"]
    assert usage_rows(stack, request_id) == 1
    with stack.prefect() as prefect:
        first = flow_run_of(prefect, request_id)
        copy = prefect.post(
            f"deployments/{first['deployment_id']}/create_flow_run",
            json={"parameters": first["parameters"], "tags": ["re-run"]},
        ).json()
        ended = eventually(
            lambda: (
                (run := prefect.get(f"flow_runs/{copy['id']}").json())["state_type"]
                in ("COMPLETED", "FAILED", "CRASHED")
                and run
            ),
            what="the re-run",
        )
    assert ended["state_type"] == "COMPLETED", ended["state"]
    assert usage_rows(stack, request_id) == 1


@pytest.mark.requirement("flow.retry-redoes-only-what-is-missing", "flow.retries", "error.503.converter")
def test_a_retry_after_a_failed_stage_redoes_only_what_is_missing(stack: RunningStack) -> None:
    results, aside = stack.home / "lake" / "results", stack.home / "lake" / "results-aside"
    extract(stack)
    results.rename(aside)
    results.write_text("a file where the folder was, so that nothing can be laid down in it")
    try:
        answer = extract(stack)
        assert answer.status_code == 503 and answer.json()["error"]["type"] == "converter_unavailable"
    finally:
        results.unlink()
        aside.rename(results)
    request_id = answer.headers["X-Request-ID"]
    with stack.prefect() as prefect:
        failed = flow_run_of(prefect, request_id)
        assert failed["state_type"] == "FAILED"
        ended = task_runs_of(prefect, failed["id"], 4)
        assert all(task["run_count"] == 1 for task in ended), "nothing is retried while a caller waits"
        before = {task["id"] for task in ended}
        prefect.post(
            f"flow_runs/{failed['id']}/set_state", json={"state": {"type": "SCHEDULED", "name": "AwaitingRetry"}}
        )

        def completed() -> dict[str, Any] | None:
            run: dict[str, Any] = prefect.get(f"flow_runs/{failed['id']}").json()
            return run if run["state_type"] == "COMPLETED" else None

        eventually(completed, what="the retried run")
        again = [task for task in task_runs_of(prefect, failed["id"], 4 + len(STAGES)) if task["id"] not in before]
    states = {task["name"].split()[0]: task["state_name"] for task in again}
    assert states == {
        "fetch": "Cached",
        "convert": "Cached",
        "interpret": "Cached",
        "assemble": "Completed",
        "meter": "Completed",
    }
    assert usage_rows(stack, request_id) == 0, "the caller got 503, so the retry bills nothing"


@pytest.mark.requirement("worker.own-flows-only")
@pytest.mark.parametrize(
    ("flow", "pull_steps"),
    [("extract", [{"prefect.deployments.steps.run_shell_script": {"script": "touch /tmp/owned"}}]), ("foreign", None)],
)
def test_the_warm_worker_refuses_foreign_code(stack: RunningStack, flow: str, pull_steps: list[Any] | None) -> None:
    with stack.prefect() as prefect:
        flow_id = prefect.post("flows/", json={"name": flow}).json()["id"]
        body = {
            "name": "foreign",
            "flow_id": flow_id,
            "work_pool_name": "extraction",
            "entrypoint": "x.py:y",
            "pull_steps": pull_steps,
        }
        deployment = prefect.post("deployments/", json=body).json()["id"]
        run = prefect.post(f"deployments/{deployment}/create_flow_run", json={}).json()["id"]

        def refused() -> dict[str, Any] | None:
            found: dict[str, Any] = prefect.get(f"flow_runs/{run}").json()
            return found if found["state_type"] in ("CRASHED", "COMPLETED", "FAILED") else None

        ended = eventually(refused, what="the refusal")
        prefect.delete(f"deployments/{deployment}")
    assert ended["state_type"] == "CRASHED"
    assert "this worker" in ended["state"]["message"]


def run_now(stack: RunningStack, flow: str, **parameters: Any) -> dict[str, Any]:
    """Run a deployment now, as an operator would, and wait for its end."""
    with stack.prefect() as prefect:
        deployment = prefect.get(f"deployments/name/{flow}/{flow}").json()["id"]
        run = prefect.post(f"deployments/{deployment}/create_flow_run", json={"parameters": parameters}).json()["id"]

        def ended() -> dict[str, Any] | None:
            found: dict[str, Any] = prefect.get(f"flow_runs/{run}").json()
            return found if found["state_type"] in ("COMPLETED", "FAILED", "CRASHED") else None

        return eventually(ended, what=f"the end of {flow}")


@pytest.mark.requirement("retention.expires-by-schedule")
def test_what_is_past_its_retention_is_deleted_and_the_rest_stays(stack: RunningStack) -> None:
    answer = extract(stack)
    results = stack.home / "lake" / "results"
    young = {path for path in results.iterdir() if path.is_file()}
    old = results / "op_of_yesterday.json"
    old.write_text("{}")
    os.utime(old, (time.time() - 25 * 3600,) * 2)
    assert answer.status_code == 200 and run_now(stack, "expire")["state_type"] == "COMPLETED"
    assert not old.exists() and young <= set(results.iterdir())


@pytest.mark.requirement("logs.in-prefect")
def test_what_a_flow_logs_is_kept_with_its_run_in_prefect_and_not_repeated_by_the_worker(stack: RunningStack) -> None:
    since = datetime.now(UTC).isoformat()
    assert extract(stack).status_code == 200
    chosen = {"logs": {"timestamp": {"after_": since}, "level": {"ge_": 20}}, "sort": "TIMESTAMP_DESC"}

    def logged() -> dict[str, Any] | None:
        lines: list[dict[str, Any]] = prefect.post("logs/filter", json=chosen).json()
        return next((line for line in lines if line["message"].startswith("exported ")), None)

    run_now(stack, "export-usage")  # unless its schedule was faster
    with stack.prefect() as prefect:
        line = eventually(logged, what="the line of export-usage in Prefect")
        assert prefect.get(f"flow_runs/{line['flow_run_id']}").json()["state_type"] in ("RUNNING", "COMPLETED")
    assert line["message"] not in (stack.home / "logs" / "worker.log").read_text()


def lines_of(prefect: httpx.Client, run_id: str) -> str:
    """What a flow run and its tasks logged, once it has said how it ended."""

    def logged() -> str | None:
        lines = prefect.post("logs/filter", json={"logs": {"flow_run_id": {"any_": [run_id]}}}).json()
        text = "\n".join(line["message"] for line in lines)
        return text if "Finished in state" in text else None

    return eventually(logged, what="the lines of the run in Prefect")


@pytest.mark.requirement("flow.logs")
def test_a_run_that_ends_well_logs_what_it_did(stack: RunningStack) -> None:
    with stack.prefect() as prefect:
        run = flow_run_of(prefect, extract(stack).headers["X-Request-ID"])
        eventually(
            lambda: f"the document of {SAMPLE.name} is results/" in lines_of(prefect, run["id"]), what="its line"
        )
        assert lines_of(prefect, run["id"]).count("Finished in state") == 1, (
            "tasks that completed have lines of their own"
        )
        for flow, line in (("compact-usage", "merged "), ("expire", "deleted after 24 hours")):
            run_id = run_now(stack, flow)["id"]
            eventually(lambda run_id=run_id, line=line: line in lines_of(prefect, run_id), what=line)  # type: ignore[misc]


@pytest.mark.requirement("logs.refusal", "batch.failed-stays-failed")
def test_a_refused_file_leaves_no_traceback_with_its_run(stack: RunningStack) -> None:
    with stack.client() as client:
        answer = client.post("/api/v1/cad/extract", files={"file": ("bad.step", b"no STEP file")})
        items = {"items": [{"file_name": "bad.step", "content_base64": "bm8gU1RFUA=="}]}
        batch = client.post("/api/v1/cad/extract/batch", json=items)
    assert (answer.status_code, batch.status_code) == (422, 202)
    with stack.prefect() as prefect:
        for request_id in (answer.headers["X-Request-ID"], batch.headers["X-Request-ID"]):
            said = lines_of(prefect, flow_run_of(prefect, request_id)["id"])
            assert "parse_error" in said or "ParseError" in said
            assert "Traceback" not in said and "NoneType" not in said, said


@pytest.mark.requirement("prefect-ui.command")
def test_the_prefect_command_reaches_the_server_with_what_spatial_env_prints(stack: RunningStack) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPATIAL_", "PREFECT_"))}
    script = f'eval "$(spatial env --home {stack.home})" && prefect work-pool ls'
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", script], env={**kept, "PATH": path}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "extraction" in done.stdout, done.stderr


@pytest.mark.requirement("usage.exported-to-parquet")
def test_usage_of_an_answer_is_exported_to_parquet_and_read_back_by_duckdb(stack: RunningStack) -> None:
    answer = extract(stack)

    def read_back() -> list[dict[str, Any]]:
        lake = Lake(f"file://{stack.home}/lake")
        sql = "SELECT input_tokens FROM usage WHERE request_id = $request_id"
        return asyncio.run(ledger_query.query(lake, sql, {"request_id": answer.headers["X-Request-ID"]}))

    def exported() -> bool:
        assert run_now(stack, "export-usage")["state_type"] == "COMPLETED"
        return read_back() == [{"input_tokens": answer.json()["usage"]["input_tokens"]}]

    eventually(exported, what="the usage row in Parquet")
    assert run_now(stack, "compact-usage")["state_type"] == "COMPLETED"
    assert exported(), "compaction neither loses a row nor shows one twice"

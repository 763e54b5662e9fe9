"""The API over the real Postgres and a real lake, with a dispatch whose outcome a test decides."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

import httpx
from fastapi import FastAPI

from api.app import create_app
from billing.provider import open_billing
from converter.client import ConverterClient
from flows.dispatch import Answer, ExtractJob, OnStage, RespondJob, RuntimeStatus, Solution
from pipelines import extraction, scenes
from pipelines.jobs import Draft
from pipelines.resources import Resources, use_resources
from spatial.contract.extraction import CadExtraction
from spatial.contract.feature_tree import FeatureTreeImport
from spatial.contract.formats import FEATURE_TREE
from spatial.contract.responses import ResponsesInput
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.errors import DesktopInferenceUnavailable
from spatial.pipeline.read import read
from spatial.reasoning.solve import solve
from storage.objects import lake
from storage.objects.lake import Lake
from storage.postgres import accounts, keys, subscriptions
from storage.postgres.database import Database
from storage.postgres.subscriptions import BillingProvider
from storage.settings import Settings

EXTRACT = "/api/v1/cad/extract"
STEP = b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n"
NAME = "bracket.step"


class BenchDispatch:
    """A dispatch without flow engine or converter: it stages, writes a small true document, and has the flow's own stage meter it.

    `failure` is raised in the middle of the work; `latch`, while it is clear, holds the work there.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings.need_database_url())
        self.lake = Lake(settings.storage_url, settings.s3_endpoint)
        self.billing: BillingProvider = open_billing(settings, self.database)
        self.resources = Resources(settings, self.database, self.lake, ConverterClient(settings.converter_url))
        self.registry = self.resources.registry
        self.heartbeats: dict[str, dict[str, float]] = {}
        self.failure: Exception | None = None
        self.unavailable_items: set[int] = set()
        """Items of responses batches that no worker takes."""
        self.before_failing: Callable[[], object] = lambda: None
        self.unwell: dict[str, Exception] = {}
        self.runtime = RuntimeStatus(
            configured=False, available=False, status="not_configured", upstream_status="no worker"
        )
        self.latch = asyncio.Event()
        self.latch.set()
        self.began = asyncio.Event()
        self.jobs: list[ExtractJob] = []
        self.asked: list[tuple[RespondJob, ResponsesInput, float]] = []
        """Reasoning requests, each with what it asks and its deadline."""
        self.respond_as: Callable[[RespondJob, ResponsesInput], Awaitable[Solution]] = solve_here
        self.submitted: list[str] = []
        """Batches that were handed to the flow engine."""
        self.cancelled: list[str] = []
        """Flow runs that were told to stop."""
        self.meshed: list[tuple[str, str, bytes]] = []
        """Files of which a mesh was asked: name, format, bytes."""
        self.started: list[tuple[str, str, dict[str, Any]]] = []
        """Runs of bulk ingest that were started: flow, name and parameters."""
        self.flow_runs: dict[str, str] = {}
        """Flow run of each tag."""

    async def extract(self, job: ExtractJob, data: bytes | None, on_stage: OnStage | None = None) -> Answer:
        """One document with nothing in it but what the request says."""
        with self.resources.stages.watch(job.operation_id, on_stage):
            return await self._extract(job, data)

    async def _extract(self, job: ExtractJob, data: bytes | None) -> Answer:
        self.jobs.append(job)
        self.began.set()
        if data is not None and job.content_key is not None:
            await self.lake.put(job.content_key, data)
        await self.latch.wait()
        if self.failure is not None:
            await self.resources.stages.measure("convert", self._fail(self.failure), job.operation_id)
        body = small_document(job)
        key = lake.result_key(job.operation_id)
        await extraction.record_source(self.lake, job, job.content_key or job.staged_key)
        await self.lake.put(key, body)
        with use_resources(self.resources):
            return Answer(await extraction.meter(job, draft_of(job, key, len(data or STEP), body)), body)

    async def _fail(self, failure: Exception) -> None:
        self.before_failing()
        raise failure

    async def respond(self, job: RespondJob, content: bytes, deadline: float) -> Solution:
        """What the solvers answer, in this process, unless a test says otherwise."""
        asked = ResponsesInput.model_validate_json(content)
        self.asked.append((job, asked, deadline))
        self.began.set()
        await self.latch.wait()
        if self.failure is not None:
            raise self.failure
        if job.item in self.unavailable_items:
            raise DesktopInferenceUnavailable("no desktop worker is available; try again later")
        return await self.respond_as(job, asked)

    async def respond_to_batch(
        self, request_id: str, asked: Sequence[tuple[RespondJob, bytes]], deadline: float
    ) -> list[Solution | BaseException]:
        """Each like a request of its own."""
        answers = (self.respond(job, content, deadline) for job, content in asked)
        return await asyncio.gather(*answers, return_exceptions=True)

    async def submit_batch(self, batch_id: str) -> None:
        """Kept for the test, which does what a flow run does."""
        self.submitted.append(batch_id)
        if "submit_batch" in self.unwell:
            raise self.unwell["submit_batch"]

    async def cancel_batch(self, flow_run_id: str) -> None:
        """Kept for the test."""
        self.cancelled.append(flow_run_id)

    async def mesh(self, file_name: str, format: str, data: bytes) -> bytes:
        """Small and true to the form, unless a test says otherwise."""
        self._well("converter")
        self.meshed.append((file_name, format, data))
        return b"glTF" + (2).to_bytes(4, "little") + (12).to_bytes(4, "little")

    async def cancel_ingest(self, flow_run_id: str) -> None:
        """Kept for the test."""
        self.cancelled.append(flow_run_id)

    async def start_ingest(self, flow: Literal["ingest", "reprocess"], name: str, parameters: dict[str, Any]) -> str:
        """Kept for the test."""
        self.started.append((flow, name, parameters))
        return str(uuid4())

    async def find_flow_run(self, tag: str) -> str | None:
        """What a test set."""
        return self.flow_runs.get(tag)

    async def wait_for_desktop_task(self, seconds: float) -> None:
        """No task is ever announced here."""
        await asyncio.sleep(min(seconds, 0.01))

    async def forward_to_prefect(self, method: str, path: str, query: str, body: bytes) -> tuple[int, bytes]:
        """A server that says what it was asked."""
        return 200, json.dumps({"method": method, "path": path, "query": query, "bytes": len(body)}).encode()

    async def import_tree(self, tree: FeatureTreeImport, data: bytes, request_id: str, account_id: str) -> bytes:
        """The scene of a tree, built by the real reader in this process."""
        steps = await asyncio.to_thread(read, FEATURE_TREE, data, scenes.FILE_NAME)
        document = assemble(
            steps.reading,
            steps.interpret(),
            None,
            file_name=scenes.FILE_NAME,
            target=TargetContract.structured,
            request_id=request_id,
            plan=None,
        )
        return result_bytes(scenes.with_stated_facts(document, tree))

    async def runtime_status(self) -> RuntimeStatus:
        """What a test set."""
        return self.runtime

    def converter_away(self) -> float:
        """It is there."""
        return 0.0

    async def converter_health(self) -> dict[str, Any]:
        """Well, unless a test says otherwise."""
        return self._well("converter") or dict.fromkeys(
            ("running", "waiting", "workers", "queue", "kept", "restarts"), 0
        )

    async def prefect_health(self) -> dict[str, Any]:
        """Well, unless a test says otherwise."""
        return self._well("prefect")

    async def worker_heartbeats(self, *pools: str) -> dict[str, dict[str, float]]:
        """What a test set; away where the flow engine is."""
        self._well("prefect")
        return {pool: self.heartbeats.get(pool, {}) for pool in pools}

    def _well(self, part: str) -> dict[str, Any]:
        if part in self.unwell:
            raise self.unwell[part]
        return {}


async def solve_here(job: RespondJob, asked: ResponsesInput) -> Solution:
    """The answer of the solver, with the provenance of a worker."""
    solved = solve(asked)
    origin = {"runtime": solved.runtime, "solver": solved.solver, "version": 1, "worker": "bench"}
    return Solution(solved.output, {**origin, "queue_ms": 0.0, "solve_ms": solved.solve_ms})


def draft_of(job: ExtractJob, result_key: str, size: int, document: bytes) -> Draft:
    """A document that was written, as the stage `assemble` reports it. size: bytes of the file."""
    return Draft(
        result_key=result_key,
        source_format=job.format,
        input_bytes=size,
        output_bytes=len(document),
        summary=[],
        warnings=[],
    )


def small_document(job: ExtractJob) -> bytes:
    """A sound document for a file of which nothing was read."""
    document = CadExtraction.model_validate(
        {
            "schema": "cad.extraction.v1",
            "source_format": job.format,
            "units": "millimeter",
            "statistics": {
                "entity_counts": {"solid": 0},
                "total_points": 0,
                "bbox": {"min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 1.0]},
            },
            "warnings": ["the sheet is empty: ø"],
            "file_name": job.file_name,
            "target_contract": job.target_contract,
            "request_id": job.request_id,
        }
    )
    return document.model_dump_json(exclude_none=True).encode()


@dataclass
class House:
    """One API process's worth of app, its dispatch, and what a test does with them."""

    app: FastAPI
    dispatch: BenchDispatch
    client: httpx.AsyncClient
    accounts: dict[str, str] = field(default_factory=dict)
    """Account of each key that this house issued."""

    async def key(self, subscription: str | None = "active") -> str:
        """A new account's key."""
        async with self.dispatch.database.transaction() as connection:
            account = await accounts.create(connection, f"account {uuid4().hex}")
            if subscription is not None:
                await subscriptions.set_status(connection, account.id, subscription)
            issued = await keys.issue(connection, account.id)
        self.accounts[issued.secret] = account.id
        return issued.secret

    async def revoke(self, secret: str) -> None:
        """Revoke a key."""
        async with self.dispatch.database.transaction() as connection:
            assert await keys.revoke(connection, secret)

    async def extract(
        self, key: str | None, *, retry: str | None = None, client: httpx.AsyncClient | None = None, **members: Any
    ) -> httpx.Response:
        """POST a JSON extract of STEP; members change or add to the body, None leaves one out."""
        said = {"file_name": NAME, "content_base64": base64.b64encode(STEP).decode(), **members}
        body = {name: value for name, value in said.items() if value is not None}
        return await (client or self.client).post(EXTRACT, json=body, headers=headers(key, retry))

    async def usage(self, secret: str) -> list[Any]:
        """The usage rows of a key's account."""
        return await self.query(f"SELECT * FROM usage WHERE account_id = '{self.accounts[secret]}'")

    async def query(self, sql: str) -> list[Any]:
        """Rows of a query, as an auditor would ask."""
        async with self.dispatch.database.transaction() as connection:
            return list((await connection.exec_driver_sql(sql)).all())


def headers(key: str | None, retry: str | None = None) -> dict[str, str]:
    """Authorization and Idempotency-Key, where there are any."""
    said = {"Authorization": f"Bearer {key}"} if key is not None else {}
    return said | ({"Idempotency-Key": retry} if retry is not None else {})


@asynccontextmanager
async def open_house(postgres_url: str, home: Path, **settings: Any) -> AsyncIterator[House]:
    """An app with its lifespan, and a client that speaks to it without a socket."""
    chosen = Settings(home=home, database_url=postgres_url, **settings)
    bench: list[BenchDispatch] = []

    @asynccontextmanager
    async def opened(settings: Settings) -> AsyncIterator[BenchDispatch]:
        dispatch = BenchDispatch(settings)
        bench.append(dispatch)
        try:
            yield dispatch
        finally:
            await dispatch.billing.close()
            await dispatch.lake.close()
            await dispatch.database.close()

    app = create_app(chosen, opened)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://api.test") as client:
            yield House(app, bench[0], client)


def assert_fault(answer: httpx.Response, status: int, type: str) -> dict[str, Any]:
    """The answer is an error of this status and type, in the Error shape; returns its details."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json"), answer.text
    body = answer.json()
    assert set(body) == {"error", "request_id"}
    assert set(body["error"]) <= {"message", "type", "details"} and body["error"]["type"] == type, body
    assert isinstance(body["error"]["message"], str) and body["error"]["message"]
    assert body["request_id"] == answer.headers["x-request-id"]
    assert status != 503 or int(answer.headers["retry-after"]) > 0
    return dict(body["error"].get("details") or {})

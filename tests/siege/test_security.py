"""What neither the code nor a running stack may do: compare secrets in a time that depends on them, unpickle, log keys and contents."""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from scripts import audit, sbom
from tests.stack.batch_client import follow, submit
from tests.support.stack import ROOT, SAMPLE, RunningStack, eventually

PACKAGES = ("api", "billing", "cli", "converter", "deployments", "flows", "pipelines", "prefect_runtime", "reasoner",
            "sandbox", "spatial", "storage", "tasks")  # fmt: skip

SECRET_NAME = re.compile(r"(?i).*(secret|token|signature|password|digest|hmac)")
"""Name of a value that an attacker may guess."""

WITHOUT_SECRETS = ("storage/", "spatial/")
"""Where comparisons are SQL of digests, whose time says nothing of the secret, and where readers compare tokens of files."""

OF_OUR_OWN = {"sandbox/forkserver.py": {"token"}}
"""Values that no caller sends: the fork server's names of its own children."""

UNPICKLING = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "jsonpickle", "joblib"}

PIPE_OF_OUR_OWN = "api/parser_process.py"
"""Its pickles pass through a pipe between two processes of ours, which nothing else can write to."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def names_of(node: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


@pytest.mark.requirement("security.constant-time")
def test_secrets_of_callers_are_compared_in_constant_time() -> None:
    compared = 0
    for path, module in modules():
        compared += sum(
            "compare_digest" in names_of(node.func) for node in ast.walk(module) if isinstance(node, ast.Call)
        )
        if path.startswith(WITHOUT_SECRETS):
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.Compare) and any(isinstance(each, ast.Eq | ast.NotEq) for each in node.ops):
                guessed = {name for name in names_of(node) if SECRET_NAME.fullmatch(name)}
                assert guessed <= OF_OUR_OWN.get(path, set()), f"{path}:{node.lineno} compares {guessed} with =="
    assert compared >= 5, "partners, desktop workers, both pages of metrics, and forms of the console"


@pytest.mark.requirement("security.no-pickle")
def test_nothing_is_unpickled_that_another_process_could_have_written() -> None:
    for path, module in modules():
        imported = {
            name.split(".")[0]
            for node in ast.walk(module)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        }
        assert not imported & UNPICKLING or path == PIPE_OF_OUR_OWN, f"{path} imports {imported & UNPICKLING}"
        for node in ast.walk(module):
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert isinstance(node.value, ast.Constant) and node.value.value is False, path


@pytest.mark.requirement("security.no-pickle")
def test_results_of_flows_in_the_lake_are_json(stack: RunningStack) -> None:
    """A run that fails keeps its results for a retry; others keep them in memory."""
    with stack.client() as client:
        answer = client.post("/api/v1/cad/extract", files={"file": ("cut.step", SAMPLE.read_bytes()[:3_000])})
    assert answer.status_code == 422

    def kept() -> list[Path]:
        return [path for path in (stack.home / "lake" / "prefect").rglob("*") if path.is_file()]

    for path in eventually(kept, what="results of the run that failed"):
        written = path.read_text()
        assert json.loads(written) is not None and "pickle" not in written, path.name


@pytest.mark.requirement("logs.no-secrets")
def test_no_log_of_a_running_stack_holds_a_key_or_what_was_sent(stack: RunningStack) -> None:
    mark = "confidential-" + "7f3a" * 8
    content = SAMPLE.read_bytes().replace(b"Bearing bracket", mark.encode())
    assert mark.encode() in content
    item = {"file_name": "marked.step", "content_base64": base64.b64encode(content).decode()}
    broken = {"file_name": "marked.svg", "content_base64": base64.b64encode(b"<svg " + mark.encode()).decode()}
    with stack.client() as client:
        for body in (item, broken, {**item, "target_contract": mark}, {mark: mark}):
            client.post("/api/v1/cad/extract", json=body)
        client.post("/api/v1/cad/extract", json=item, headers={"Authorization": f"Bearer sk_{mark}"})
        client.post("/api/v1/cad/partner-webhook", json=item, headers={"X-Service-Signature": mark})
    follow(stack, submit(stack, [item, broken])["id"])
    logs = {path.name: path.read_text(errors="replace") for path in (stack.home / "logs").glob("*.log")}
    assert {"api.log", "converter.log", "worker.log"} <= logs.keys()
    secrets = {"a key": stack.key, "what was sent": mark, "base64": item["content_base64"][400:460]}
    secrets |= {name: str(stack.addresses["prefect_auth"]).partition(":")[2] for name in ("Prefect's password",)}
    for name, text in logs.items():
        for what, secret in secrets.items():
            assert secret not in text, f"{name} holds {what}"


@pytest.mark.requirement("security.prefect-apart")
def test_no_caller_reaches_the_prefect_server_through_the_service(stack: RunningStack) -> None:
    with stack.prefect() as prefect:
        described = prefect.get(str(stack.addresses["prefect_api_url"]).removesuffix("/api") + "/openapi.json").json()
        without_auth = httpx.post(str(prefect.base_url) + "flows/filter", json={}, trust_env=False)
    assert without_auth.status_code == 401
    paths = sorted({re.sub(r"\{[^}]*\}", "x", path) for path in described["paths"]})
    assert len(paths) > 100
    with stack.client() as client:
        for path in paths:
            for asked in (path, f"/prefect{path}", f"/api/v1/desktop/prefect{path.removeprefix('/api')}"):
                answer = client.post(asked, json={})
                assert answer.status_code in (401, 404, 405), f"{asked}: {answer.status_code}"
                assert answer.headers["x-request-id"].startswith("req_"), "it is the service that answers"


@pytest.mark.requirement("security.audit")
def test_an_audit_in_which_a_package_was_skipped_is_none() -> None:
    answered: list[dict[str, Any]] = [
        {"name": "lxml", "version": "6.0", "vulns": []},
        {"name": "numpy", "skip_reason": "not found on PyPI"},
    ]
    with pytest.raises(audit.NoAuditError, match="1 of 2 packages, numpy"):
        audit.report(answered, "lock", "pypi", datetime.now(UTC))
    with pytest.raises(audit.NoAuditError):
        audit.report([], "lock", "pypi", datetime.now(UTC))


@pytest.mark.requirement("security.audit")
def test_an_audit_vouches_for_its_own_lock_and_for_a_limited_time() -> None:
    now = datetime.now(UTC)
    clean = audit.report([{"name": "lxml", "version": "6.0", "vulns": []}], "lock", "pypi", now)
    assert audit.problems(clean, "lock", now) == []
    assert audit.problems(clean, "another lock", now) == ["the audit is of another lock: run make audit"]
    assert audit.problems(clean, "lock", now + timedelta(days=31)) == ["the audit is 31 days old: run make audit"]


@pytest.mark.requirement("security.audit")
def test_a_known_vulnerability_is_named_with_the_version_that_mends_it() -> None:
    known = {"id": "PYSEC-2024-1", "fix_versions": ["6.1"], "aliases": [], "description": ""}
    found = audit.report([{"name": "lxml", "version": "6.0", "vulns": [known]}], "lock", "pypi", datetime.now(UTC))
    assert audit.problems(found, "lock", datetime.now(UTC)) == ["lxml 6.0 has PYSEC-2024-1; fixed in: 6.1"]


@pytest.mark.requirement("security.sbom")
def test_the_bill_of_materials_is_that_of_the_lock() -> None:
    written, lock = json.loads(sbom.REPORT.read_text()), sbom.LOCK.read_text()
    moment = datetime.strptime(written["metadata"]["timestamp"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert written == sbom.report(lock, moment), "the lock has changed: run make sbom"
    assert len(written["components"]) == len(re.findall(r"^\S+==", lock, flags=re.MULTILINE))
    assert moment < datetime.now(UTC) + timedelta(days=1)

"""The service as its callers meet it: a real file in, the document out, on the whole stack."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest

from tests.support.stack import SAMPLE, RunningStack


class QuietFiles(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def files_at(port: int) -> Iterator[str]:
    """The sample's folder over HTTP on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", port), partial(QuietFiles, directory=str(SAMPLE.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{port}"
        server.shutdown()


def read_of(process: psutil.Process, name: str) -> str:
    """A file of a process under /proc; empty where the process has ended meanwhile, as the converter's children do."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process.pid}/{name}").read_text()
    return ""


@pytest.mark.requirement("extract.url.200")
def test_a_file_behind_an_allowed_address_is_fetched_and_read_like_the_same_bytes(stack: RunningStack) -> None:
    with stack.client() as client, files_at(stack.files_port) as address:
        body = {"file_name": SAMPLE.name, "content_url": f"{address}/{SAMPLE.name}"}
        by_address = client.post("/api/v1/cad/extract", json=body)
        by_value = client.post("/api/v1/cad/extract", files={"file": (SAMPLE.name, SAMPLE.read_bytes())})
    assert by_address.status_code == by_value.status_code == 200
    assert by_address.json()["structure"] == by_value.json()["structure"]
    assert by_address.json()["usage"]["input_tokens"] == by_value.json()["usage"]["input_tokens"]


@pytest.mark.requirement("service.external-converter")
def test_no_kernel_is_loaded_where_keys_and_money_are(stack: RunningStack) -> None:
    with stack.client() as client:
        assert client.post("/api/v1/cad/extract", files={"file": (SAMPLE.name, SAMPLE.read_bytes())}).status_code == 200
    for part in ("deployments.serve", "deployments.worker"):
        loaded = read_of(stack.child(part), "maps")
        assert loaded and "libTK" not in loaded and "/OCP" not in loaded
    converter = stack.child("converter.service")
    trees = [converter, *converter.children(recursive=True)]
    assert any("/OCP" in Path(f"/proc/{process.pid}/maps").read_text() for process in trees), (
        "the probe sees a loaded kernel"
    )


@pytest.mark.requirement("converter.no-secrets")
def test_the_converters_environment_holds_no_setting_and_no_secret(stack: RunningStack) -> None:
    converter = stack.child("converter.service")
    assert read_of(converter, "environ")
    for process in (converter, *converter.children(recursive=True)):
        names = {entry.split("=")[0] for entry in read_of(process, "environ").split("\0") if entry}
        assert not [name for name in names if name.startswith(("SPATIAL_", "PREFECT_", "AWS_"))]

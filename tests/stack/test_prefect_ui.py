"""The artifact of a hostile file in a real browser: the UI of the stack's Prefect server, both of its versions."""

from __future__ import annotations

import httpx
import pytest

from tests.stack.test_flow import flow_run_of
from tests.support.browser import PROGRAM, browser, listener
from tests.support.stack import SAMPLE, RunningStack, eventually

HOSTILE = "<img src=http://127.0.0.1:{port}/html> ![x](http://127.0.0.1:{port}/markdown) <mxfile>"
"""Name of a product."""


def artifact_of(stack: RunningStack, prefect: httpx.Client, name: str) -> str:
    """The id of the artifact of an extraction of the sample, whose product has that name."""
    data = SAMPLE.read_bytes().replace(b"Bearing bracket", name.encode())
    with stack.client() as client:
        answer = client.post("/api/v1/cad/extract", files={"file": ("<b>part.step", data)})
    assert answer.status_code == 200 and name in answer.text, answer.text[:500]
    run = flow_run_of(prefect, answer.headers["X-Request-ID"])
    chosen = {"flow_run_id": {"any_": [run["id"]]}, "key": {"any_": ["extraction"]}}
    [page] = prefect.post("artifacts/filter", json={"artifacts": chosen}).json()
    return str(page["id"])


@pytest.mark.requirement("prefect-ui.browser")
@pytest.mark.skipif(PROGRAM is None, reason="there is no chromium")
@pytest.mark.parametrize("ui", ["", "/v2"])
def test_a_browser_that_opens_the_page_of_a_hostile_file_fetches_nothing(stack: RunningStack, ui: str) -> None:
    pages = f"{stack.addresses['prefect_api_url'].removesuffix('/api')}{ui}/artifacts/artifact"
    with listener() as (port, asked), browser() as page, stack.prefect() as prefect:
        page.remember("prefect-password", stack.addresses["prefect_auth"])
        name = HOSTILE.format(port=port)
        shown = page.open(f"{pages}/{artifact_of(stack, prefect, name)}", until="input tokens")
        assert name in shown and "<b>part.step" in shown
        assert asked == []
        bare = {"key": "control", "type": "markdown", "data": f"end of page ![x](http://127.0.0.1:{port}/control)"}
        page.open(f"{pages}/{prefect.post('artifacts/', json=bare).json()['id']}", until="end of page")
        eventually(lambda: "/control" in asked, within=30, what="what a page that is not escaped fetches")

"""The answer that the README shows, against that of a running stack."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from tests.support.stack import ROOT, SAMPLE, RunningStack

ELLIPSIS = "…"


@pytest.mark.requirement("repository.readme-answer")
def test_the_readmes_answer_is_the_one_that_the_api_gives(stack: RunningStack) -> None:
    blocks = re.findall(r"^```json\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    with stack.client() as client:
        upload = {"file": (SAMPLE.name, SAMPLE.read_bytes())}
        answer = client.post("/api/v1/cad/extract", files=upload, data={"target_contract": "both"})
    assert differences(json.loads(blocks[0]), answer.json()) == []


def differences(abridged: Any, whole: Any, path: str = "$") -> list[str]:
    """Where an abridged document says something else than the whole one; "…" stands for anything, and for the rest of a list."""
    if abridged == ELLIPSIS:
        return []
    if isinstance(abridged, dict) and isinstance(whole, dict):
        return [found for name in abridged for found in differences(abridged[name], whole.get(name), f"{path}.{name}")]
    if isinstance(abridged, list) and isinstance(whole, list):
        shown = abridged[:-1] if abridged[-1:] == [ELLIPSIS] else abridged
        found = [] if shown is not abridged or len(abridged) == len(whole) else [f"{path}: {len(whole)} items"]
        return [
            *found,
            *(each for place, item in enumerate(shown) for each in differences(item, whole[place], f"{path}[{place}]")),
        ]
    same = math.isclose(abridged, whole, rel_tol=1e-9) if isinstance(abridged, float) else abridged == whole
    return [] if same else [f"{path}: {abridged!r} is written, {whole!r} is answered"]

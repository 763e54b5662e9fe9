"""What the tests of the reasoning routes do with the house: a small solver, requests, and what they should cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from spatial.contract import examples
from spatial.contract.responses import TASK_TYPES
from spatial.reasoning.answer import Answer
from spatial.reasoning.question import Question
from spatial.reasoning.solvers import registry
from spatial.reasoning.solvers.registry import Solver
from tests.api.house import House, headers

RESPONSES = "/api/v1/responses"
BATCH = "/api/v1/responses/batch"
SCENE = {
    "point_clouds": [
        {"object_id": "box", "kind": "box", "points": [{"x": 0.0, "y": 0.0, "z": 0.0}, {"x": 1.0, "y": 2.5, "z": 3.0}]}
    ]
}
DOCUMENT = examples.EXTRACTION


def count_objects(question: Question) -> Answer:
    """The answer of the small solver: how many objects there are, and which is the primary one."""
    previous = None if question.previous is None else list(question.previous.objects)
    return Answer({"objects": len(question.scene), "primary": question.primary().id, "previous": previous})


@contextmanager
def small_solvers() -> Iterator[None]:
    """Every task is answered by `count_objects`: the routes are tested, not the solvers."""
    with pytest.MonkeyPatch.context() as patch:
        for task in TASK_TYPES:
            patch.setitem(registry.SOLVERS, task, Solver(task, count_objects))
        yield


def question(task: str = "classify", **members: Any) -> dict[str, Any]:
    """A request: members change or add to a sound input, None leaves one out."""
    said = {"task_type": task, "point_cloud_scene": SCENE, **members}
    return {"input": {name: value for name, value in said.items() if value is not None}}


async def respond(house: House, key: str | None, body: Any, *, retry: str | None = None) -> httpx.Response:
    """POST a request; bytes go as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    said = headers(key, retry) | {"Content-Type": "application/json"}
    return await house.client.post(RESPONSES, content=content, headers=said)


async def respond_to_batch(house: House, key: str | None, *items: Any, retry: str | None = None) -> httpx.Response:
    """POST a batch."""
    return await house.client.post(BATCH, json={"requests": list(items)}, headers=headers(key, retry))


def tokens_of_answer(written: bytes) -> int:
    """Output tokens by the rule: cut `,"usage":{...}` off the end of the answer as written, and count."""
    answer, _, usage = written.rpartition(b',"usage":')
    assert usage.startswith(b"{") and usage.endswith(b"}}")
    return -(-(len(answer) + 1) // 4)


async def counts(house: House, key: str) -> tuple[int, int] | None:
    """Counts of the minute and of the billing period of the key's account; None before its first request."""
    found = await house.query(
        f"SELECT minute_count, period_count FROM response_counts WHERE account_id = '{house.accounts[key]}'"
    )
    return (found[0][0], found[0][1]) if found else None

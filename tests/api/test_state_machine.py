"""Random sequences of calls over uploads, extractions, batches and Idempotency-Keys, against a model of what each must answer."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from spatial.contract import limits
from tests.api.batch_house import BATCH, begin, complete, fail, finish, item, stands, start
from tests.api.house import EXTRACT, STEP, House, headers, open_house

UPLOADS = "/api/v1/uploads"
CALLERS = st.sampled_from(("first", "second"))
RETRIES = st.none() | st.sampled_from(("one", "two"))
FILE = base64.b64encode(STEP).decode()


class Calls(RuleBasedStateMachine):
    """Two accounts. The model knows who owns what, what an Idempotency-Key stands for, and which answers are charged."""

    postgres_url = ""
    uploads = Bundle("uploads")
    batches = Bundle("batches")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory(prefix="spatial-state-")
        self.opened: AbstractAsyncContextManager[House] = open_house(self.postgres_url, Path(self.folder.name))
        self.house = self.runner.run(self.opened.__aenter__())
        self.keys = {name: self.runner.run(self.house.key()) for name in ("first", "second")}
        self.charged = dict.fromkeys(self.keys, 0)
        self.answers: dict[tuple[str, str, str], tuple[Any, dict[str, Any]]] = {}
        """By caller, route and Idempotency-Key: what was sent and what was answered."""
        self.files: dict[str, tuple[str, str]] = {}
        """By upload: its owner and its state."""
        self.items: dict[str, list[str]] = {}
        """By batch: the state of each item."""
        self.owners: dict[str, str] = {}
        self.submitted = dict.fromkeys(self.keys, 0)

    def teardown(self) -> None:
        self.runner.run(self.opened.__aexit__(None, None, None))
        self.runner.close()
        self.folder.cleanup()

    def post(self, caller: str, route: str, body: Any, retry: str | None) -> Any:
        said = headers(self.keys[caller], retry)
        return self.runner.run(self.house.client.post(route, json=body, headers=said))

    @rule(target=uploads, caller=CALLERS)
    def announce(self, caller: str) -> str:
        answer = self.post(caller, UPLOADS, {"file_name": "part.step"}, None)
        assert answer.status_code == 201
        id = str(answer.json()["id"])
        self.files[id] = caller, "waiting"
        return id

    @rule(upload=uploads, caller=CALLERS)
    def put(self, upload: str, caller: str) -> None:
        owner, state = self.files[upload]
        said = headers(self.keys[caller])
        answer = self.runner.run(self.house.client.put(f"{UPLOADS}/{upload}", content=STEP, headers=said))
        if caller != owner or state == "deleted":
            assert answer.status_code == 404
        elif state == "used":
            assert answer.status_code == 400, answer.text
        else:
            assert answer.status_code in ((200,) if state == "waiting" else (200, 409)), answer.text
            self.files[upload] = owner, "ready"

    @rule(upload=uploads, caller=CALLERS)
    def delete(self, upload: str, caller: str) -> None:
        owner, state = self.files[upload]
        said = headers(self.keys[caller])
        answer = self.runner.run(self.house.client.delete(f"{UPLOADS}/{upload}", headers=said))
        if caller != owner:
            assert answer.status_code == 404
        elif state != "deleted":
            assert answer.is_success
            self.files[upload] = owner, "deleted"

    @rule(upload=uploads, caller=CALLERS)
    def extract_upload(self, upload: str, caller: str) -> None:
        owner, state = self.files[upload]
        answer = self.post(caller, EXTRACT, {"file_name": "part.step", "upload_id": upload}, None)
        assert answer.is_success == (caller == owner and state in ("ready", "used")), answer.text
        assert answer.is_success or 400 <= answer.status_code < 500
        self.charged[caller] += answer.is_success
        if answer.is_success:
            self.files[upload] = owner, "used"

    @rule(caller=CALLERS, name=st.sampled_from(("a.step", "b.step", "c.sldprt", "")), retry=RETRIES)
    def extract(self, caller: str, name: str, retry: str | None) -> None:
        body = {"file_name": name, "content_base64": FILE}
        answer = self.post(caller, EXTRACT, body, retry)
        if self._is_known(caller, EXTRACT, retry, body, answer):
            return
        assert answer.status_code == {"c.sldprt": 415, "": 400}.get(name, 200), answer.text
        self.charged[caller] += answer.is_success
        self._remember(caller, EXTRACT, retry, body, answer)

    @rule(target=batches, caller=CALLERS, size=st.integers(1, 3), retry=RETRIES)
    def submit(self, caller: str, size: int, retry: str | None) -> str:
        body = {"items": [item(file_name=f"{place}.step") for place in range(size)]}
        answer = self.post(caller, BATCH, body, retry)
        if self._is_known(caller, BATCH, retry, body, answer):
            return str(answer.json()["id"]) if answer.is_success else next(iter(self.items), "")
        open_ones = [id for id, owner in self.owners.items() if owner == caller and self._is_open(id)]
        is_over = len(open_ones) >= limits.BATCHES_IN_FLIGHT or self.submitted[caller] >= limits.BATCHES_PER_MINUTE
        assert answer.status_code == (429 if is_over else 202), answer.text
        if is_over:
            assert int(answer.headers["retry-after"]) > 0
            return next(iter(self.items))
        id = str(answer.json()["id"])
        self.submitted[caller] += 1
        self.items[id], self.owners[id] = ["queued"] * size, caller
        self._remember(caller, BATCH, retry, body, answer)
        self.runner.run(begin(self.house, id))
        return id

    @rule(batch=batches, is_good=st.booleans())
    def end_an_item(self, batch: str, is_good: bool) -> None:
        if "queued" not in self.items.get(batch, ()):
            return
        place = self.items[batch].index("queued")
        self.runner.run(start(self.house, batch, place))
        self.runner.run(complete(self.house, batch, place) if is_good else fail(self.house, batch, place))
        self.items[batch][place] = "done" if is_good else "failed"
        self.charged[self.owners[batch]] += is_good
        if "queued" not in self.items[batch]:
            self.runner.run(finish(self.house, batch))

    @rule(batch=batches, caller=CALLERS)
    def look(self, batch: str, caller: str) -> None:
        if not batch:
            return
        if caller != self.owners[batch]:
            said = headers(self.keys[caller])
            assert self.runner.run(self.house.client.get(f"{BATCH}/{batch}", headers=said)).status_code == 404
            return
        body = self.runner.run(stands(self.house, self.keys[caller], batch))
        states = self.items[batch]
        assert [one["status"] for one in body["items"]] == states
        assert {name: count for name, count in body["counts"].items() if count} == {
            name: states.count(name) for name in set(states)
        }
        assert (body["status"] in ("done", "failed")) == ("queued" not in states)

    @invariant()
    def every_charge_is_of_an_answer(self) -> None:
        for caller, key in self.keys.items():
            assert len(self.runner.run(self.house.usage(key))) == self.charged[caller]

    def _is_open(self, batch: str) -> bool:
        return "queued" in self.items[batch]

    def _is_known(self, caller: str, route: str, retry: str | None, body: Any, answer: Any) -> bool:
        """Whether the Idempotency-Key stands for an earlier request; then the answer must be that one, or a conflict."""
        before = self.answers.get((caller, route, retry or ""))
        if before is None:
            assert "idempotency-replayed" not in answer.headers
            return False
        if before[0] == body:
            assert answer.headers["idempotency-replayed"] == "true"
            assert _lasting(answer.json()) == _lasting(before[1])
        elif answer.status_code not in (400, 415):  # a body that is refused is refused before its key is looked up
            assert answer.status_code == 409
            assert answer.json()["error"]["type"] == "idempotency_conflict"
        return True

    def _remember(self, caller: str, route: str, retry: str | None, body: Any, answer: Any) -> None:
        if retry is not None and answer.is_success:
            self.answers[caller, route, retry] = body, answer.json()


def _lasting(body: dict[str, Any]) -> dict[str, Any]:
    """An answer without what a batch has become since."""
    return {name: body[name] for name in ("id", "request_id", "schema") if name in body}


@pytest.mark.requirement("api.state-machine")
def test_any_sequence_of_calls_is_answered_as_the_model_says(postgres_url: str) -> None:
    Calls.postgres_url = postgres_url
    modest = settings(
        max_examples=12,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    run_state_machine_as_test(Calls, settings=modest)

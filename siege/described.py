"""Requests made of the interface's own description (schemathesis): what it allows, and what it forbids, is answered as it says.

    python -m siege described --seconds 600

Every operation gets requests that fit its schema and requests that break it. An answer must be no 5xx but a described one, of a described
status and media type, and its body must fit the schema of that status.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

from benchmarks import stack as stacks
from benchmarks.report import Table
from benchmarks.stack import Stack

EXAMPLES: Final = 20
"""Requests of each operation in one go; then it is the next one's turn, and after the last one the first's again."""

NEVER: Final = (500, 501, 502, 504)
"""Statuses of answers that no request may have; a 503 is described."""

LINES, LINE = 8, 400
"""Of a defect that are told, and their characters."""

KEPT: Final = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
"""Checks of schemathesis that are made; the others ask for more than the description says."""


@dataclass
class Answers:
    """What came of the requests."""

    statuses: dict[str, Counter[int]] = field(default_factory=dict)
    """By operation."""
    faults: list[str] = field(default_factory=list)


def besiege(seconds: float) -> Iterator[Table]:
    """Requests of every operation until the time is over. Raises: RuntimeError with every answer that is not as described."""
    until, answers = time.monotonic() + seconds, Answers()
    with stacks.running() as stack:
        for turn in count():
            ask(stack, EXAMPLES, answers, turn=turn, until=until)
            if answers.faults or time.monotonic() > until:
                break
    rows: list[tuple[str, ...]] = [
        (name, ", ".join(f"{count} × {status}" for status, count in sorted(counts.items())))
        for name, counts in answers.statuses.items()
    ]
    table = Table("Requests of the description", ("operation", "answers"), rows)
    if answers.faults:
        raise RuntimeError("\n".join([*answers.faults, table.text()]))
    yield table


def ask(stack: Stack, examples: int, answers: Answers, *, turn: int = 0, until: float = float("inf")) -> None:
    """So many requests of each operation, others in each turn; none after `until`, a moment of the monotonic clock."""
    schema = schemathesis.openapi.from_url(f"{stack.url}/openapi.json")
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]  # its stubs leave the error variant in
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            if time.monotonic() < until:
                _ask_operation(stack, operation, mode, examples, turn, answers)


def _ask_operation(
    stack: Stack, operation: Any, mode: GenerationMode, examples: int, turn: int, answers: Answers
) -> None:
    """Each defect is told once: hypothesis ends at the first and shows its smallest request."""
    checks = [CHECKS.get_one(name) for name in KEPT]
    counts = answers.statuses.setdefault(operation.label, Counter())

    @seed(turn)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        response = case.call(headers={"Authorization": f"Bearer {stack.key}"}, timeout=120)
        counts[response.status_code] += 1
        assert response.status_code not in NEVER, f"{response.status_code} {response.text[:LINE]}"
        case.validate_response(response, checks=checks)

    try:
        send()
    except* Unsatisfiable:
        pass  # an operation without parameters has no invalid request
    except* Exception as found:  # noqa: BLE001  # what the checks raise, one or several
        answers.faults += [_told(operation, mode, error) for error in found.exceptions]


def _told(operation: Any, mode: GenerationMode, error: BaseException) -> str:
    """A defect in a few lines: bodies are long."""
    lines = [line[:LINE] for line in f"{error}".splitlines() if line.strip()]
    return f"{operation.label}, {mode.value}: " + " | ".join(lines[:LINES])

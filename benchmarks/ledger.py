"""The proof of the ledger: random calls, replays, re-runs and killed processes; afterwards every charge is one that an answer reported.

    python -m benchmarks ledger
    python -m benchmarks.ledger --calls 300 --seed 7

Callers send random calls of every billed operation, with failures, replays, batches and re-runs of flow runs among them, and send a call
again under its Idempotency-Key where its answer was lost; meanwhile every process of the stack is killed (SIGKILL) in turn. An answer
counts once: the first 2xx that its caller received, or the replay of it where the first was lost; an answer that is not kept for a replay
may be charged once per lost attempt. Per request id, the `usage` of the answers is
compared with the rows in Postgres, and the sums with `GET /api/v1/usage` and the exported Parquet.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

import httpx
import sqlalchemy as sa

from benchmarks import stack as stacks
from benchmarks.ledger_calls import Call, make_calls
from benchmarks.ledger_sender import PATIENCE_SECONDS, UNRECORDED, Outcome, Sender, run_again
from benchmarks.parts import PARTS, kill
from benchmarks.report import Table, machine
from benchmarks.stack import Stack
from spatial.contract.routes import IMPORT_ROUTE
from storage.postgres import accounts, keys, subscriptions
from storage.postgres.database import Database
from storage.postgres.schema import operations, usage
from storage.tables import ledger
from storage.tables.ledger_query import read_groups

CALLS: Final = 1_000
SEED: Final = 20_261_123
CALLERS: Final = 4


@dataclass(frozen=True)
class Amount:
    """A charge, or a sum of charges."""

    input_tokens: int = 0
    output_tokens: int = 0
    usd: Decimal = Decimal()

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens, self.usd + other.usd
        )

    @classmethod
    def of(cls, members: dict[str, Any]) -> Amount:
        """From the members of a `usage`; dollars to the tenth decimal, as they are stored."""
        usd = round(Decimal(str(members["estimated_cost_usd"])), 10)
        return cls(int(members["input_tokens"]), int(members["output_tokens"]), usd)


@dataclass
class Proof:
    """What was sent, what was killed, and what the ledger says."""

    outcomes: Counter[str] = field(default_factory=Counter)
    """Number of calls by kind and status."""
    attempts: Counter[str] = field(default_factory=Counter)
    """What callers met before a usable answer: none at all, or one that asks to try again."""
    recovered: int = 0
    """Calls whose first answer was lost although it had been charged: its replay came instead."""
    lost_by_route: Counter[str] = field(default_factory=Counter)
    """Attempts without a usable answer."""
    not_kept: set[str] = field(default_factory=set)
    """Request ids of charges whose answer was not kept for a replay: imports, which have no Idempotency-Key. Where such an answer is lost,
    the next attempt is a charge of its own."""
    items: set[str] = field(default_factory=set)
    """Ids of the items of responses batches that were counted: one that an earlier attempt has settled is answered again."""
    killed: list[str] = field(default_factory=list)
    answers: dict[str, Amount] = field(default_factory=dict)
    """What answers reported, by request id."""
    rows: dict[str, Amount] = field(default_factory=dict)
    """What Postgres holds, by request id."""
    routes: dict[str, str] = field(default_factory=dict)
    """Routes of the rows, by request id."""
    reported: Amount = Amount()
    """Total of GET /api/v1/usage."""
    exported: Amount = Amount()
    """Total of the exported Parquet, asked with DuckDB."""
    faults: list[str] = field(default_factory=list)
    """What must not be, in sentences; empty where the proof holds."""


Disturb = Callable[[Proof], Coroutine[Any, Any, None]]
"""Does something to the stack while calls are sent; the proof says how many have ended."""


def measure(stack: Stack) -> list[Table]:
    """The proof with CALLS calls. Raises: RuntimeError where it does not hold."""
    return [_table(prove(stack, CALLS, SEED))]


def prove(stack: Stack, count: int, seed: int, parts: Sequence[tuple[str, str]] = PARTS, *, rest: float = 0.0) -> Proof:
    """Send so many calls for an account of their own, kill the parts one after another meanwhile, and compare.

    rest: how long a caller rests after each call, as a multiple of what the call took; 1 is half the load.
    """
    return prove_under(stack, count, seed, lambda proof: _kill(stack, parts, count, proof), rest)


def prove_under(stack: Stack, count: int, seed: int, disturb: Disturb, rest: float = 0.0) -> Proof:
    """Send so many calls for an account of their own while something else is done to the stack, and compare once both have ended."""
    return asyncio.run(_prove(stack, make_calls(count, seed), disturb, rest))


async def _prove(stack: Stack, calls: list[Call], disturb: Disturb, rest: float) -> Proof:
    proof = Proof()
    user, _, password = stack.addresses["prefect_auth"].partition(":")
    base = stack.addresses["prefect_api_url"] + "/"
    # No connection of ours to Postgres is open while it is killed.
    async with _database(stack) as database:
        account_id, secrets = await _accounts(database)
    async with (
        httpx.AsyncClient(base_url=stack.url, timeout=60, trust_env=False) as api,
        httpx.AsyncClient(base_url=base, auth=(user, password), timeout=30, trust_env=False) as prefect,
    ):
        sender, left = Sender(calls, api, secrets), iter(range(len(calls)))
        disturbing = asyncio.create_task(disturb(proof))
        await asyncio.gather(*(_caller(left, sender, prefect, proof, rest) for _ in range(CALLERS)))
        await disturbing
        proof.reported = await _reported(api, secrets["paying"])
    async with _database(stack) as database:
        await _read_ledger(stack, database, account_id, proof)
    proof.faults += list(_differences(proof))
    return proof


@asynccontextmanager
async def _database(stack: Stack) -> AsyncIterator[Database]:
    database = Database(stack.addresses["database_url"])
    try:
        yield database
    finally:
        await database.close()


async def _accounts(database: Database) -> tuple[str, dict[str, str]]:
    """The id of the account that pays, and a key for each kind of caller."""
    name = f"ledger {time.time_ns()}"
    async with database.transaction() as connection:
        paying, unpaid = [await accounts.create(connection, name + state) for state in ("", " unpaid")]
        await subscriptions.set_status(connection, paying.id, "active")
        secrets = {
            "paying": (await keys.issue(connection, paying.id)).secret,
            "unpaid": (await keys.issue(connection, unpaid.id)).secret,
            "unknown": "sk_nobody",
        }
    return paying.id, secrets


async def _caller(left: Iterator[int], sender: Sender, prefect: httpx.AsyncClient, proof: Proof, rest: float) -> None:
    for place in left:
        began = time.monotonic()
        if sender.calls[place].kind == "run_again":
            await _run_again(sender, place, prefect, proof)
        else:
            await _send(sender, place, proof)
        await asyncio.sleep(rest * (time.monotonic() - began))


async def _run_again(sender: Sender, place: int, prefect: httpx.AsyncClient, proof: Proof) -> None:
    earlier = sender.calls[place].earlier
    assert earlier is not None  # as EARLIER says
    before = await sender.ended(earlier)
    try:
        ended = await run_again(prefect, before.request_id)
    except TimeoutError as error:
        ended = "never"
        proof.faults.append(str(error))
    proof.outcomes[f"run_again {ended}"] += 1


async def _send(sender: Sender, place: int, proof: Proof) -> None:
    call, outcome = sender.calls[place], await sender.send(place)
    proof.outcomes[f"{call.kind} {outcome.status}"] += 1
    proof.attempts.update(outcome.attempts)
    proof.lost_by_route[call.route] += len(outcome.attempts)
    if outcome.status not in call.statuses:
        proof.faults.append(f"{call.kind} {outcome.request_id} ended {outcome.status}: {outcome.body.get('error')}")
    elif outcome.status < 300:
        await _count(call, outcome, sender, proof)


async def _count(call: Call, outcome: Outcome, sender: Sender, proof: Proof) -> None:
    """Count what a 2xx reports, once per operation; of a responses batch, what each item reports, once."""
    if call.kind == "replay":
        _count_items(outcome.body, proof)
        return
    if outcome.is_replay:
        proof.recovered += 1
        if not outcome.attempts:
            proof.faults.append(f"{call.kind} {outcome.request_id} is a replay, although it was sent once")
    body = await sender.follow(outcome.body["id"]) if outcome.status == 202 else outcome.body
    if outcome.request_id in proof.answers:
        proof.faults.append(f"two answers have the request id {outcome.request_id}")
    if not _count_items(body, proof):
        proof.answers[outcome.request_id] = Amount.of(body["usage"]) if body.get("usage") else Amount()


def _count_items(body: Any, proof: Proof) -> bool:
    """Count the items of a responses batch by the request in which each was charged; False for another answer."""
    if "data" not in body:
        return False
    for response in (entry["response"] for entry in body["data"] if "response" in entry):
        if response["id"] not in proof.items:
            proof.items.add(response["id"])
            request_id = response["request_id"]
            proof.answers[request_id] = proof.answers.get(request_id, Amount()) + Amount.of(response["usage"])
    return True


async def _kill(stack: Stack, parts: Sequence[tuple[str, str]], n_calls: int, proof: Proof) -> None:
    """Kill each part when its share of the calls has ended."""
    for place, (name, marker) in enumerate(parts):
        while proof.outcomes.total() < (place + 1) * n_calls // (len(parts) + 1):
            await asyncio.sleep(0.1)
        await asyncio.to_thread(kill, stack, name, marker, within=PATIENCE_SECONDS)
        proof.killed.append(name)


async def _reported(api: httpx.AsyncClient, key: str) -> Amount:
    answer = await api.get("/api/v1/usage", headers={"Authorization": f"Bearer {key}"})
    return Amount.of(answer.raise_for_status().json()["total"])


async def _read_ledger(stack: Stack, database: Database, account_id: str, proof: Proof) -> None:
    """The rows of the account, and the sum of what is exported of them."""
    sums = [sa.func.sum(usage.c[name]).label(name) for name in ("input_tokens", "output_tokens", "estimated_cost_usd")]
    columns = (usage.c.request_id, usage.c.route)
    query = sa.select(*columns, *sums).where(usage.c.account_id == account_id).group_by(*columns)
    not_kept = sa.select(operations.c.request_id).where(
        operations.c.account_id == account_id,
        operations.c.result_key.is_(None),
        operations.c.route == IMPORT_ROUTE,
    )
    async with database.transaction() as connection:
        for row in (await connection.execute(query)).mappings():
            proof.rows[row["request_id"]] = Amount.of(dict(row))
            proof.routes[row["request_id"]] = row["route"]
        proof.not_kept = set((await connection.execute(not_kept)).scalars())
    lake = stack.open_lake()
    try:
        await ledger.export(database, lake)
        groups = await read_groups(lake, ("account",), account_id)
    finally:
        await lake.close()
    proof.exported = _sum(Amount(one.input_tokens, one.output_tokens, one.estimated_cost_usd) for one in groups)


def _differences(proof: Proof) -> Iterator[str]:
    unrecorded = proof.outcomes[f"run_again {UNRECORDED}"]
    if unrecorded > CALLERS * len(proof.killed):
        yield f"{unrecorded} runs were never recorded, more than kills can explain"
    unanswered = proof.rows.keys() - proof.answers.keys()
    lost = unanswered & proof.not_kept
    explained = lost if len(lost) <= proof.lost_by_route[IMPORT_ROUTE] else set()
    for request_id in sorted((proof.answers.keys() | proof.rows.keys()) - explained):
        answer, row = proof.answers.get(request_id, Amount()), proof.rows.get(request_id, Amount())
        if answer != row:
            yield f"{request_id} {proof.routes.get(request_id, 'without a row')}: answers reported {answer}, the ledger holds {row}"
    total = _sum(proof.rows.values())
    for name, other in (("GET /api/v1/usage", proof.reported), ("the exported Parquet", proof.exported)):
        if other != total:
            yield f"{name} sums to {other}, the rows to {total}"


def _sum(amounts: Iterable[Amount]) -> Amount:
    return sum(amounts, Amount())


def _table(proof: Proof) -> Table:
    if proof.faults:
        raise RuntimeError("the ledger does not hold:\n" + "\n".join(proof.faults))
    note = f"{sum(proof.outcomes.values())} calls; per request id the answers and the ledger agree to the last digit."
    return Table("Ledger", ("outcome", "number"), summary(proof), note)


def shown(counts: Counter[str]) -> str:
    """Counts in one line, the most frequent first."""
    return ", ".join(f"{count} × {what}" for what, count in counts.most_common()) or "none"


def summary(proof: Proof) -> list[tuple[str, ...]]:
    """What came of the calls, and what was killed, as rows of two columns."""
    total = _sum(proof.rows.values())
    killed = ", ".join(f"{name} {count} ×" for name, count in Counter(proof.killed).items())
    return [
        *((outcome, str(count)) for outcome, count in sorted(proof.outcomes.items())),
        ("attempts without a usable answer", shown(proof.attempts)),
        ("charged answers that were lost, and came as replays", str(proof.recovered)),
        ("killed", killed),
        ("answers that report a charge", str(sum(amount != Amount() for amount in proof.answers.values()))),
        ("input and output tokens, in all four places", f"{total.input_tokens:,} and {total.output_tokens:,}"),
    ]


def main() -> None:
    """Prove it on a stack of its own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ledger", description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()
    with stacks.running() as running:
        print(f"{machine()}\n\n{_table(prove(running, chosen.calls, chosen.seed)).text()}")


if __name__ == "__main__":
    main()

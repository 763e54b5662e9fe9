"""`spatial accounts`: links to Stripe customers, and decisions on usage that Stripe does not have."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from storage.postgres.database import Database
from tests.cli.conftest import Spatial, one_sentence, ran
from tests.storage.actors import Customer, execute, fetch_column
from tests.storage.linked import charged
from tests.support.warm_commands import WarmCommands


@pytest.fixture
def spatial(warm_commands: WarmCommands, tmp_path: Path, fresh_postgres_url: str) -> Spatial:
    """The command, on a database of the test's own."""
    return partial(ran, warm_commands, tmp_path, SPATIAL_DATABASE_URL=fresh_postgres_url)


async def charge_refused(url: str, *states: str) -> None:
    """Charge the only account, and let its meter events be in these states."""
    database = Database(url)
    [account_id] = await fetch_column(database, "SELECT id FROM accounts")
    [key_id] = await fetch_column(database, "SELECT id FROM keys")
    for state in states:
        operation_id = await charged(database, Customer(account_id, key_id))
        closed = "UPDATE meter_events SET state = :state, problem = 'No active meter found' WHERE operation_id = :id"
        await execute(database, closed, state=state, id=operation_id)
    await database.close()


@pytest.mark.requirement("stripe.cli", "stripe.linking")
def test_an_account_is_linked_listed_and_unlinked(spatial: Spatial) -> None:
    for name in ("acme", "other"):
        assert spatial("keys", "issue", "--account", name).returncode == 0
    assert spatial("accounts", "link", "acme", "--stripe-customer", "cus_123abc").returncode == 0
    shown = spatial("accounts", "list")
    [acme, other] = shown.stdout.splitlines()[1:]
    assert acme.split()[0] == "acme" and acme.split()[2:] == ["cus_123abc", "none"] and other.split()[2:] == ["-", "-"]
    for wrong, says in (
        (("link", "other", "--stripe-customer", "cus_123abc"), "belongs to the account"),
        (("link", "acme", "--stripe-customer", "cus_456"), "linked to the Stripe customer cus_123abc"),
        (("link", "acme", "--stripe-customer", "acme@example.com"), "begins with cus_"),
        (("link", "nobody", "--stripe-customer", "cus_456"), "no account named nobody"),
    ):
        refused = spatial("accounts", *wrong)
        assert refused.returncode == 1 and says in one_sentence(refused)
    assert "unlinked" in spatial("accounts", "unlink", "acme").stderr
    assert "was not linked" in spatial("accounts", "unlink", "acme").stderr


@pytest.mark.requirement("stripe.cli", "stripe.bad-row", "stripe.uncertain")
def test_unsent_usage_is_listed_resent_and_dismissed(spatial: Spatial, fresh_postgres_url: str) -> None:
    assert spatial("keys", "issue", "--account", "acme").returncode == 0
    assert "no usage needs a decision" in spatial("accounts", "unsent").stderr
    assert spatial("accounts", "link", "acme", "--stripe-customer", "cus_123abc").returncode == 0
    asyncio.run(charge_refused(fresh_postgres_url, "rejected", "uncertain", "expired"))
    lines = spatial("accounts", "unsent").stdout.splitlines()[1:]
    assert [line.split()[:5] for line in lines] == [
        ["acme", state, "2", "100", "200"] for state in ("expired", "rejected", "uncertain")
    ]
    assert all("No active meter found" in line for line in lines)
    assert "2 meter events are sent again" in spatial("accounts", "resend", "acme").stderr
    assert "2 meter events are sent again" in spatial("accounts", "resend", "acme", "--uncertain").stderr
    assert "2 meter events are dismissed" in spatial("accounts", "dismiss", "acme").stderr
    assert spatial("accounts", "unsent").stdout == ""

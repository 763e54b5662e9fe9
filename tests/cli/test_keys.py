"""`spatial keys`: with a running stack, without one, and on a database of the settings."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import psutil
import pytest

from tests.cli.conftest import Spatial, one_sentence
from tests.support.stack import RunningStack

KEY = re.compile(r"sk_[A-Za-z0-9_-]{43}\n")


def status_with(stack: RunningStack, key: str) -> int:
    """What the API answers to a body that it cannot take, under a key: 401, 402, or 400 where the key is good."""
    with httpx.Client(trust_env=False) as client:
        answer = client.post(
            f"{stack.url}/api/v1/cad/extract",
            headers={"Authorization": f"Bearer {key.strip()}"},
            files={"file": ("part.step", b"ISO-10303-21; nothing in it")},
        )
    return answer.status_code


@pytest.mark.requirement("cli.keys.issue")
def test_issue_prints_the_key_alone_and_the_key_works(spatial: Spatial, stack: RunningStack) -> None:
    answer = spatial("keys", "issue", "--account", "cli works", "--home", stack.home)
    assert answer.returncode == 0, answer.stderr
    assert KEY.fullmatch(answer.stdout)
    assert status_with(stack, answer.stdout) == 422


@pytest.mark.requirement("cli.keys.subscription")
@pytest.mark.parametrize(
    ("subscription", "status"),
    [("active", 422), ("trialing", 422), ("past_due", 402), ("canceled", 402), ("none", 402)],
)
def test_the_subscription_of_the_account_is_set_with_the_key(
    spatial: Spatial, stack: RunningStack, subscription: str, status: int
) -> None:
    account = f"cli {subscription}"
    answer = spatial("keys", "issue", "--account", account, "--subscription", subscription, "--home", stack.home)
    assert status_with(stack, answer.stdout) == status


@pytest.mark.requirement("cli.keys.subscription")
def test_a_second_key_leaves_the_subscription_as_it_is(spatial: Spatial, stack: RunningStack) -> None:
    home = ("--home", stack.home)
    spatial("keys", "issue", "--account", "cli lapsed", "--subscription", "canceled", *home)
    answer = spatial("keys", "issue", "--account", "cli lapsed", *home)
    assert status_with(stack, answer.stdout) == 402


@pytest.mark.requirement("cli.keys.revoke")
@pytest.mark.parametrize("named", ["key", "prefix", "id"])
def test_a_key_is_revoked_by_itself_its_prefix_or_its_id(spatial: Spatial, stack: RunningStack, named: str) -> None:
    home = ("--home", stack.home)
    key = spatial("keys", "issue", "--account", "cli revoked", "--label", named, *home).stdout.strip()
    line = next(line for line in spatial("keys", "list", *home).stdout.splitlines() if key[:11] in line)
    name = {"key": key, "prefix": line.split()[1], "id": line.split()[0]}[named]
    assert spatial("keys", "revoke", name, *home).returncode == 0
    assert status_with(stack, key) == 401
    again = spatial("keys", "revoke", name, *home)
    assert again.returncode == 1
    assert "no valid key matches" in one_sentence(again)


@pytest.mark.requirement("cli.keys.list")
def test_the_list_shows_whose_a_key_is_and_never_the_key(spatial: Spatial, stack: RunningStack) -> None:
    key = spatial("keys", "issue", "--account", "cli listed", "--label", "drawing office", "--home", stack.home).stdout
    shown = spatial("keys", "list", "--home", stack.home).stdout
    line = next(line for line in shown.splitlines() if "cli listed" in line)
    assert key[:11] in line and "drawing office" in line
    assert key.strip() not in shown


@pytest.mark.requirement("cli.keys.without-stack")
def test_without_a_running_stack_its_database_is_started_for_the_moment(spatial: Spatial, home: Path) -> None:
    answer = spatial("keys", "issue", "--account", "acme", SPATIAL_HOME=str(home))
    assert KEY.fullmatch(answer.stdout), answer.stderr
    assert f"a new database is created in {home}" in answer.stderr
    assert "acme" in spatial("keys", "list", "--home", home).stdout
    assert [
        process for process in psutil.process_iter(["cmdline"]) if str(home) in " ".join(process.info["cmdline"] or [])
    ] == []


@pytest.mark.requirement("cli.keys.database-of-settings")
def test_a_database_of_the_settings_is_migrated_and_used(
    spatial: Spatial, empty_postgres_url: str, tmp_path: Path
) -> None:
    assert KEY.fullmatch(spatial("keys", "issue", "--account", "acme", SPATIAL_DATABASE_URL=empty_postgres_url).stdout)
    assert "acme" in spatial("keys", "list", SPATIAL_DATABASE_URL=empty_postgres_url).stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("cli.keys.database-of-settings")
def test_a_database_that_is_out_of_reach_is_one_sentence(spatial: Spatial) -> None:
    answer = spatial("keys", "list", SPATIAL_DATABASE_URL="postgresql://nobody:secret@127.0.0.1:9/spatial")
    assert answer.returncode == 1
    assert "secret" not in one_sentence(answer)

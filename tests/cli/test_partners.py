"""`spatial partners`: a secret is shown once, signs events, and stops to sign when it is removed."""

from __future__ import annotations

import hashlib
import hmac
import json
import re

import httpx
import pytest

from tests.cli.conftest import Spatial, one_sentence
from tests.support.stack import RunningStack

SECRET = re.compile(r"\S{32,}\n")
BODY = json.dumps(
    {
        "partner": "cli-cad",
        "document_id": "doc-1",
        "feature_tree": [{"id": "block", "feature_type": "box", "size": [1, 2, 3], "units": "mm"}],
    }
).encode()


def status_of_event(stack: RunningStack, secret: str) -> int:
    """What the webhook answers to an event that is signed with a secret."""
    digest = hmac.new(secret.strip().encode(), BODY, hashlib.sha256).hexdigest()
    sent = {"Content-Type": "application/json", "X-Service-Signature": digest}
    return httpx.post(
        f"{stack.url}/api/v1/cad/partner-webhook", content=BODY, headers=sent, trust_env=False, timeout=60
    ).status_code


@pytest.mark.requirement("partners.cli")
def test_a_secret_is_added_listed_and_removed(spatial: Spatial, stack: RunningStack) -> None:
    home = ("--home", stack.home)
    unknown = spatial("partners", "add", "cli-cad", "--account", "cli partner", *home)
    assert unknown.returncode == 1 and unknown.stdout == ""
    assert "there is no account named cli partner" in one_sentence(unknown) and "--create-account" in unknown.stderr
    added = spatial("partners", "add", "cli-cad", "--account", "cli partner", "--create-account", *home)
    assert added.returncode == 0, added.stderr
    assert SECRET.fullmatch(added.stdout)
    assert status_of_event(stack, added.stdout) == 200
    shown = spatial("partners", "list", *home).stdout
    line = next(line for line in shown.splitlines() if "cli-cad" in line)
    assert added.stdout.strip() not in shown
    assert spatial("partners", "remove", line.split()[0], *home).returncode == 0
    assert status_of_event(stack, added.stdout) == 401
    again = spatial("partners", "remove", line.split()[0], *home)
    assert again.returncode == 1 and "no secret has this id" in one_sentence(again)


@pytest.mark.requirement("partners.cli")
def test_a_partner_has_two_secrets_and_one_account(spatial: Spatial, stack: RunningStack) -> None:
    home = ("--home", stack.home)
    for _ in range(2):
        assert (
            spatial("partners", "add", "cli-two", "--account", "cli partner", "--create-account", *home).returncode == 0
        )
    assert spatial("partners", "add", "cli-two", "--account", "cli partner", *home).returncode == 1
    other = spatial("partners", "add", "cli-two", "--account", "cli other", "--create-account", *home)
    assert other.returncode == 1 and one_sentence(other)

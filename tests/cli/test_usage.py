"""`spatial usage`: what was metered, as the ledger has it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import httpx
import pytest

from cli.commands.usage import Dimension
from storage.tables.ledger_query import DIMENSIONS
from tests.cli.conftest import Spatial, one_sentence
from tests.support.stack import RunningStack


@pytest.mark.requirement("cli.usage")
def test_an_extraction_shows_up_with_its_tokens(spatial: Spatial, stack: RunningStack, box: Path) -> None:
    home = ("--home", stack.home)
    key = spatial("keys", "issue", "--account", "cli metered", *home).stdout.strip()
    with httpx.Client(trust_env=False, timeout=60) as client:
        answer = client.post(
            f"{stack.url}/api/v1/cad/extract",
            headers={"Authorization": f"Bearer {key}"},
            files={"file": (box.name, box.read_bytes())},
        )
    assert answer.status_code == 200, answer.text
    assert answer.json()["usage"]["input_tokens"] == math.ceil(box.stat().st_size / 4)
    shown = spatial("usage", "--account", "cli metered", *home)
    tokens = [f"{answer.json()['usage'][name]:,}" for name in ("input_tokens", "output_tokens")]
    line = next(line for line in shown.stdout.splitlines() if line.startswith("cli metered"))
    assert line.split()[3:6] == ["1", *tokens]


@pytest.mark.requirement("cli.usage.by")
def test_usage_is_grouped_by_key_and_by_other_dimensions(spatial: Spatial, stack: RunningStack, box: Path) -> None:
    home = ("--home", stack.home)
    for label in ("line one", "line two"):
        key = spatial("keys", "issue", "--account", "cli grouped", "--label", label, *home).stdout.strip()
        for _ in range(2 if label == "line two" else 1):
            answer = httpx.post(
                f"{stack.url}/api/v1/cad/extract",
                headers={"Authorization": f"Bearer {key}"},
                files={"file": (box.name, box.read_bytes())},
                timeout=60,
                trust_env=False,
            )
            assert answer.status_code == 200, answer.text
    of_account = ("usage", "--account", "cli grouped", *home)
    shown = spatial(*of_account, "--by", "key", "--by", "format")
    lines = [re.split("  +", line) for line in shown.stdout.splitlines()]
    assert lines[0][:4] == ["key", "label", "format", "items"]
    assert {(label, kind, count) for _, label, kind, count, *_ in lines[1:3]} == {
        ("line one", "step", "1"),
        ("line two", "step", "2"),
    }
    assert all(prefix.startswith("sk_") for prefix, *_ in lines[1:3]) and lines[3][:2] == ["all", "3"]
    each = spatial(*of_account, "--by", "operation").stdout.splitlines()
    assert len(each) == 5 and each[-1].split()[:2] == ["all", "3"]


@pytest.mark.requirement("cli.usage.by")
def test_the_command_names_every_dimension_of_the_ledger() -> None:
    assert [each.value for each in Dimension] == list(DIMENSIONS)


@pytest.mark.requirement("cli.usage")
def test_times_and_accounts_that_have_nothing_say_so(spatial: Spatial, stack: RunningStack) -> None:
    nothing = spatial("usage", "--until", "2001-01-01", "--home", stack.home)
    assert nothing.returncode == 0
    assert "nothing was metered" in nothing.stderr
    assert "no account is named nobody" in one_sentence(spatial("usage", "--account", "nobody", "--home", stack.home))
    assert "--since yesterday" in one_sentence(spatial("usage", "--since", "yesterday", "--home", stack.home))

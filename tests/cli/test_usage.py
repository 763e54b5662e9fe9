"""`spatial usage`: what was metered, as the ledger has it."""

from __future__ import annotations

import math
from pathlib import Path

import httpx
import pytest

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


@pytest.mark.requirement("cli.usage")
def test_times_and_accounts_that_have_nothing_say_so(spatial: Spatial, stack: RunningStack) -> None:
    nothing = spatial("usage", "--until", "2001-01-01", "--home", stack.home)
    assert nothing.returncode == 0
    assert "nothing was metered" in nothing.stderr
    assert "no account is named nobody" in one_sentence(spatial("usage", "--account", "nobody", "--home", stack.home))
    assert "--since yesterday" in one_sentence(spatial("usage", "--since", "yesterday", "--home", stack.home))

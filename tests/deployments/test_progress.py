"""What a start prints while it waits, and what it says where it gives up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from deployments import embedded, progress
from deployments.embedded import Stack
from deployments.home import Home, StackError
from deployments.progress import describe_log, last_line, step
from storage import settings

pytestmark = pytest.mark.requirement("run.busy-machine")


async def said(capfd: pytest.CaptureFixture[str], text: str) -> str:
    """What has been printed on stderr, once the text is in it."""
    shown = ""
    async with asyncio.timeout(30):
        while text not in shown:
            await asyncio.sleep(0.02)
            shown += capfd.readouterr().err
    return shown


async def test_a_part_that_takes_its_time_is_told_with_what_it_waits_for_and_the_last_line_of_its_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "NOTE_SECONDS", 0.05)
    log = tmp_path / "part.log"
    log.write_text('first\n{"message": "still at it"}\n')
    async with step("part", lambda: "an answer", log):
        shown = await said(capfd, "still at it")
    assert "  part         waits for an answer; the stack's processes have taken " in shown
    assert "; the load is " in shown and shown.rstrip().endswith("the last line of its log: still at it")
    assert "  part         up after " in capfd.readouterr().err


async def test_a_start_that_gives_up_says_what_it_waited_for_and_what_the_log_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "READY_SECONDS", 0.1)
    stack = Stack(settings.load(home=tmp_path), Home(tmp_path))
    log = stack.home.logs / "api.log"
    log.parent.mkdir()
    log.write_text("the last words\n")

    async def condition() -> str:
        return "converter and storage"

    with pytest.raises(StackError) as raised:
        await stack.wait_until("API", condition)
    assert "API did not start: it waited for converter and storage" in str(raised.value)
    assert str(raised.value).endswith(f"; see {log}, which ends:\n    the last words")


def test_a_log_that_is_absent_or_empty_is_said_so(tmp_path: Path) -> None:
    log = tmp_path / "part.log"
    assert describe_log(log) == f"{log}, which is empty"
    log.write_text("\n")
    assert (describe_log(log), last_line(log)) == (f"{log}, which is empty", "")

"""Processes of the embedded stack that end by themselves; what they import does not stay in the supervisor."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys

from deployments.home import StackError


async def run_to_end(module: str, *flags: str, environment: dict[str, str]) -> None:
    """Run `python -m module` until it ends, with the standard output of this process; if cancelled, kill it.

    Its standard error follows when it has ended. Raises: StackError with the last line of that, if it failed.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *flags),
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, errors = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        raise
    if process.returncode:
        lines = errors.decode(errors="replace").split("\n")
        reason = next((line for line in reversed(lines) if line.strip()), f"status {process.returncode}")
        raise StackError(reason)
    sys.stderr.write(errors.decode(errors="replace"))
    sys.stderr.flush()

"""The command `spatial batch`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Home, NoWait

app = typer.Typer(no_args_is_help=True, help="Extract failed items of batches again.")


@app.callback()
def _group() -> None:
    """Keeps `rerun` a subcommand although it is the only one."""


@app.command("rerun")
def rerun(
    batch_id: Annotated[str, typer.Argument(metavar="ID", help="A batch that has ended and has not expired.")],
    no_wait: NoWait = False,
    home: Home = None,
) -> None:
    """Extract every failed item of a batch again, on the running stack, and print where the documents are.

    The batch stays as it is. Each document is a separate result, billed once. Exit status: 0 success, 1 some items failed again.
    """
    from cli import batch as command

    command.rerun(batch_id, home, wait=not no_wait)

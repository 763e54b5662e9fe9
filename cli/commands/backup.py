"""The commands `spatial backup` and `spatial restore`: their arguments and options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import Home


def backup(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", dir_okay=False, metavar="FILE", help="Archive to write; the file must not exist."
        ),
    ],
    home: Home = None,
) -> None:
    """Write one archive of the database and the lake of a running or stopped stack.

    It holds the files and responses of callers, and digests of their keys; only its owner can read it.
    """
    from cli import backup as command

    command.backup(output, home)


def restore(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, metavar="FILE", help="Archive of a backup.")
    ],
    home: Home = None,
) -> None:
    """Restore a backup into an empty home, or an empty database and lake, completely or not at all."""
    from cli import backup as command

    command.restore(file, home)

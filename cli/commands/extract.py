"""The command `spatial extract`: its arguments and options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import Edges, Home, Target


def extract(
    file: Annotated[
        Path,
        typer.Argument(
            exists=True, dir_okay=False, readable=True, metavar="FILE", help="CAD model, drawing or diagram."
        ),
    ],
    target: Annotated[Target, typer.Option("--target", help="What to return.")] = Target.structured,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="F", help="Write the JSON document to F; `-` is standard output."),
    ] = None,
    edges: Edges = False,
    home: Home = None,
) -> None:
    """Extract one file on this machine, without a server, a key or metering.

    Prints a summary on a terminal, and the JSON document to a pipe or with --output -.
    """
    from cli import extract as command

    command.run(file, target.value, output, home, edges=edges)

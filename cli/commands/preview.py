"""The command `spatial preview`: its arguments and options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import Home


def preview(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, metavar="FILE", help="Drawing or diagram.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="F", help="SVG file to write; by default FILE's name with .svg."),
    ] = None,
    page: Annotated[int, typer.Option("--page", min=1, metavar="N", help="Page or space to draw.")] = 1,
    home: Home = None,
) -> None:
    """Draw one page of the extracted document as an SVG picture, with recognised parts tinted.

    The picture is drawn from the document alone: whatever the picture lacks, the document lacks.
    """
    from cli import preview as command

    command.run(file, output, page, home)

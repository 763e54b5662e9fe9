"""The command `spatial preview`: its arguments and options."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cli.options import Home


class View(StrEnum):
    """Where a model is seen from."""

    iso = "iso"
    front = "front"
    top = "top"
    right = "right"


def preview(
    file: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, readable=True, metavar="FILE", help="Model, drawing or diagram."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="F",
            help="File to write: .svg, of a model also .png or .glb; by default FILE's name with .svg, or .png of a model.",
        ),
    ] = None,
    page: Annotated[int | None, typer.Option("--page", min=1, metavar="N", help="Page or space to draw.")] = None,
    view: Annotated[View | None, typer.Option("--view", help="Where a model is seen from (iso).")] = None,
    views: Annotated[bool, typer.Option("--views", help="Draw a sheet of four views of a model.")] = False,
    features: Annotated[bool, typer.Option("--features", help="Label the features of a model.")] = False,
    section: Annotated[
        str | None,
        typer.Option("--section", metavar="x|y|z[=N]", help="Cut a model across an axis, in its middle or at N."),
    ] = None,
    exploded: Annotated[bool, typer.Option("--exploded", help="Draw the bodies of a model apart.")] = False,
    home: Home = None,
) -> None:
    """Draw a model, or one page of a drawing or diagram.

    A model is shaded, with its visible edges. A drawing or diagram is drawn from the document alone, with recognised parts
    tinted: whatever the picture lacks, the document lacks.
    """
    from cli import preview as command

    chosen = command.ModelOptions(view.value if view else None, views, features, section, exploded)
    command.run(file, output, page, chosen, home)

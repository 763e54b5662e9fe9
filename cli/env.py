"""`spatial env`: variables of a shell in which the `prefect` command is used."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

import typer

from cli import flow_runs, stack
from cli.terminal import report_errors
from prefect_runtime import environment

SHOWN: Final = ("PREFECT_API_URL", "PREFECT_API_AUTH_STRING")
"""What the `prefect` command needs to reach a server; the other variables are of processes that run flows."""


def run(home: Path | None) -> None:
    """Print one `export` per variable of the running stack, or of the server that the settings name."""
    with report_errors():
        settings = stack.settings(home)
        flow_runs.require_server(settings)
        variables = environment.client(settings)
    for name in SHOWN:
        if name in variables:
            typer.echo(f"export {name}={shlex.quote(variables[name])}")

"""The command `spatial operators`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Home

app = typer.Typer(no_args_is_help=True, help="Make, list and remove the operators who sign in to the console.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name that the operator signs in with.")]


@app.command("add")
def add(name: Name, home: Home = None) -> None:
    """Make an operator and print only the generated password on standard output."""
    from cli import operators as command

    command.add(name, home)


@app.command("list")
def list_operators(home: Home = None) -> None:
    """List the operators with their last sign-in."""
    from cli import operators as command

    command.list_operators(home)


@app.command("reset")
def reset(name: Name, home: Home = None) -> None:
    """Print a new password on standard output; the old one and every session of the operator end."""
    from cli import operators as command

    command.reset(name, home)


@app.command("remove")
def remove(name: Name, home: Home = None) -> None:
    """Remove an operator; every session of the operator ends."""
    from cli import operators as command

    command.remove(name, home)

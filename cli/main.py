"""The `spatial` command: what can be typed, and where it is done.

Each command is imported when it is run, so that `spatial --help` answers at once and `spatial extract` loads no database.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="spatial",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Turns CAD files into one structured document: on this machine, or as a service with keys and metering.",
    epilog="Settings are environment variables that begin with SPATIAL_; `spatial doctor` lists them with their values.",
)
keys_app = typer.Typer(no_args_is_help=True, help="Issue, list and revoke API keys.")
app.add_typer(keys_app, name="keys")

Home = Annotated[
    Path | None,
    typer.Option(
        "--home", metavar="DIR", help="Folder of the embedded stack's data (SPATIAL_HOME; by default .spatial)."
    ),
]


class Target(StrEnum):
    """What an extraction returns."""

    structured = "structured"
    point_cloud_scene = "point_cloud_scene"
    both = "both"


class Subscription(StrEnum):
    """State of an account's paid subscription."""

    active = "active"
    trialing = "trialing"
    past_due = "past_due"
    canceled = "canceled"
    none = "none"


def _version(wanted: bool) -> None:
    if wanted:
        from cli.version import version

        typer.echo(f"spatial {version()}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version  # the callback has answered


@app.command()
def run(
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=1, max=65535, metavar="N", help="Port of the API (SPATIAL_API_PORT; by default 8000)."
        ),
    ] = None,
    home: Home = None,
    no_sample: Annotated[bool, typer.Option("--no-sample", help="Do not extract the bundled sample part.")] = False,
    no_desktop_worker: Annotated[
        bool, typer.Option("--no-desktop-worker", help="Do not start a desktop inference worker.")
    ] = False,
) -> None:
    """Start the whole stack on this machine and serve until Ctrl-C.

    Postgres, the Prefect server with its UI, the converter, a warm worker and the API, each unless the settings point elsewhere.
    """
    from cli import run as command

    command.run(port=port, home=home, no_sample=no_sample, no_desktop_worker=no_desktop_worker)


@app.command()
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
    home: Home = None,
) -> None:
    """Extract one file here and now: no server, no key, no metering.

    On a terminal it prints a summary; piped, or with --output -, the JSON document.
    """
    from cli import extract as command

    command.run(file, target.value, output, home)


@app.command()
def preview(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, metavar="FILE", help="Drawing or diagram.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="F", help="Where to; by default FILE's name with .svg.")
    ] = None,
    page: Annotated[int, typer.Option("--page", min=1, metavar="N", help="Which of its pages or spaces.")] = 1,
    home: Home = None,
) -> None:
    """Draw what was extracted: an SVG picture of one page, with what was understood tinted.

    It is drawn from the document and nothing else, so what the picture lacks, the document lacks.
    """
    from cli import preview as command

    command.run(file, output, page, home)


@keys_app.command("issue")
def keys_issue(
    account: Annotated[
        str, typer.Option("--account", metavar="NAME", help="Account that pays; created if it does not exist.")
    ],
    subscription: Annotated[
        Subscription | None,
        typer.Option(
            "--subscription", help="Set the account's subscription; a new account gets `active` unless told otherwise."
        ),
    ] = None,
    label: Annotated[str | None, typer.Option("--label", metavar="TEXT", help="What the key is for.")] = None,
    home: Home = None,
) -> None:
    """Issue a key and print it, alone, on standard output. It is stored hashed and cannot be shown again."""
    from cli import keys as command

    command.issue(account, subscription.value if subscription else None, label, home)


@keys_app.command("list")
def keys_list(home: Home = None) -> None:
    """List every key: its id, how it begins, whose it is and whether it is revoked."""
    from cli import keys as command

    command.listing(home)


@keys_app.command("revoke")
def keys_revoke(
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="The key itself, its id, or the prefix that the list shows.")
    ],
    home: Home = None,
) -> None:
    """Revoke a key; requests with it are refused from now on."""
    from cli import keys as command

    command.revoke(key, home)


@app.command()
def usage(
    account: Annotated[str | None, typer.Option("--account", metavar="NAME", help="Only this account.")] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="From this day or moment on (ISO 8601, UTC).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Before this day or moment (ISO 8601, UTC).")
    ] = None,
    home: Home = None,
) -> None:
    """Show what was metered, by account and day."""
    from cli import usage as command

    command.run(account, since, until, home)


@app.command()
def doctor(home: Home = None) -> None:
    """Check settings and parts; say what to do.

    Says what is configured and from where, what can be reached, and what to do about what cannot. Exit status 1 if
    something that is needed is broken.
    """
    from cli import doctor as command

    command.run(home)


if __name__ == "__main__":
    app()

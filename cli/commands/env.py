"""The command `spatial env`: its arguments and options."""

from __future__ import annotations

from cli.options import Home


def env(home: Home = None) -> None:
    """Print the variables with which `prefect` talks to this stack's server, for eval "$(spatial env)".

    They hold the server's auth string: whoever has it can run every flow.
    """
    from cli import env as command

    command.run(home)

"""The command `spatial doctor`: its arguments and options."""

from __future__ import annotations

from cli.options import Home


def doctor(home: Home = None) -> None:
    """Check the settings and the parts of the service.

    Reports what is configured and from where, what can be reached, and how to repair what cannot. Exit status 1 if
    something required is broken.
    """
    from cli import doctor as command

    command.run(home)

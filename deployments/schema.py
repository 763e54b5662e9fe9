"""Create missing databases and bring the service's schema up to date: `python -m deployments.schema [NAME …]`.

The supervisor runs it as a process of its own, whose memory ends with it.
"""

from __future__ import annotations

import asyncio
import sys

from deployments.run_program import run_program
from storage import settings as settings_module
from storage.postgres.address import sibling_url
from storage.postgres.database import migrate
from storage.postgres.server import create_database


async def prepare(url: str, missing: list[str]) -> None:
    """Create databases of these names on the server of a URL, unless they exist; migrate the one that it names. Raises: SpatialError."""
    for name in missing:
        await create_database(sibling_url(url, name))
    await migrate(url)


def main(argv: list[str] | None = None) -> int:
    """Prepare the database that the settings of the environment name."""
    names = sys.argv[1:] if argv is None else argv
    return run_program(lambda: asyncio.run(prepare(settings_module.load().need_database_url(), names)))


if __name__ == "__main__":
    sys.exit(main())

"""The last steps of the first `spatial run`: create a demo account, print its key, and extract a sample part by the API.

The supervisor runs it as a process of its own, whose memory ends with it:

    python -m deployments.first_run --api URL [--prefect-ui URL] [--no-sample]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

import httpx

from deployments.run_program import run_program
from spatial.contract.extraction import CadExtraction
from spatial.document.summary import summarise
from storage import settings as settings_module
from storage.postgres import accounts, keys, operators, subscriptions
from storage.postgres.database import Database
from storage.settings import Settings

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "bracket.step"
"""The bundled sample part."""

DEMO = "demo"
"""Name of the account that a first run creates."""


class Welcome:
    """The greeting of a stack on standard output and standard error."""

    def __init__(self, settings: Settings, api: str, prefect_ui: str) -> None:
        self._settings = settings
        self._api = api
        self._prefect_ui = prefect_ui

    async def greet(self, *, sample: bool) -> None:
        """Print the addresses. On a first run, create the demo account and extract the sample with its key first."""
        database = Database(self._settings.need_database_url())
        try:
            key = await self._create_demo_account(database)
            await self._create_operator(database)
            if key is not None and sample:
                print(await self._extract(key), flush=True)
        finally:
            await database.close()
        print(f"\n  Console     {self._api}/console", file=sys.stderr)
        print(f"  API docs    {self._api}/docs", file=sys.stderr)
        if self._prefect_ui:
            print(
                f"  Prefect UI  {self._prefect_ui}  (sign in with the auth string in {self._home_secret()})",
                file=sys.stderr,
            )
        print("  Stop with Ctrl-C\n", file=sys.stderr)

    def _home_secret(self) -> Path:
        return self._settings.home / "run" / "stack.json"

    async def _create_demo_account(self, database: Database) -> str | None:
        """Create the demo account and print its key; None if the account exists already."""
        async with database.transaction() as connection:
            if await accounts.by_name(connection, DEMO) is not None:
                return None
            account = await accounts.create(connection, DEMO)
            await subscriptions.set_status(connection, account.id, "active")
            secret = (await keys.issue(connection, account.id, label="first run")).secret
        print(
            f"\ndemo account created with an active subscription; its API key, shown this once:\n\n    {secret}\n",
            flush=True,
        )
        return secret

    async def _create_operator(self, database: Database) -> None:
        """Create the first operator of the console and print the password, unless there is an operator."""
        async with database.transaction() as connection:
            operator = await operators.add_first(connection)
        if operator is not None:
            print(
                f"\nconsole account {operator.name} created for {self._api}/console; its password, shown this once:\n\n"
                f"    {operator.password}\n",
                flush=True,
            )

    async def _extract(self, key: str) -> str:
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=90) as client:
                answer = await client.post(
                    f"{self._api}/api/v1/cad/extract",
                    headers={"Authorization": f"Bearer {key}"},
                    files={"file": (SAMPLE.name, SAMPLE.read_bytes())},
                )
        except httpx.HTTPError as error:
            return f"the sample part was not extracted: the API did not answer ({error!r})"
        if answer.status_code != 200:
            return f"the sample part was not extracted: {answer.status_code} {answer.json()['error']['message']}"
        document = CadExtraction.model_validate_json(answer.content)
        return "\n".join([f"{SAMPLE.name} through the API:", *(f"  {line}" for line in summarise(document))])


def main(argv: list[str] | None = None) -> int:
    """Parse the flags and greet, with the settings of the environment."""
    parser = argparse.ArgumentParser(prog="python -m deployments.first_run", description=__doc__)
    parser.add_argument("--api", required=True, help="Address of the API.")
    parser.add_argument("--prefect-ui", default="", help="Address of the Prefect UI, if the stack started it.")
    parser.add_argument("--no-sample", action="store_true", help="Do not extract the bundled sample part.")
    arguments = parser.parse_args(argv)

    def greet() -> None:
        welcome = Welcome(settings_module.load(), arguments.api, arguments.prefect_ui)
        asyncio.run(welcome.greet(sample=not arguments.no_sample))

    return run_program(greet)


if __name__ == "__main__":
    sys.exit(main())

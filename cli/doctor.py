"""`spatial doctor`: print the settings with their sources, then check every part and print its state and, if it is broken, a remedy."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import typer

from cli import checks, stack
from cli.checks import Finding
from cli.terminal import table
from cli.version import version
from storage import settings as settings_module
from storage.environment import PREFIX
from storage.settings import Settings, SettingsError

NOT_SET: Final = "not set"

SIGNS: Final = {"ok": ("✓", "ok", "green"), "idle": ("–", "--", "yellow"), "broken": ("✗", "!!", "red")}
"""By verdict: its sign, the ASCII sign for encodings without that character, and its colour on a terminal."""


def run(home: Path | None) -> None:
    """Run all checks; exit status 1 if a needed part is broken."""
    typer.echo(f"Spatial Geometry Service {version()}\n")
    findings = checks.of_machine()
    try:
        settings = stack.settings(home)
    except SettingsError as error:
        findings.append(Finding("settings", "broken", error.message, "correct or unset that variable"))
    else:
        typer.echo(_settings(settings) + "\n")
        findings += [*_misspelled_settings(), *asyncio.run(checks.of_parts(settings, stack.addresses(settings.home)))]
    typer.echo("\n".join(_report_lines(findings)))
    if any(finding.verdict == "broken" for finding in findings):
        raise typer.Exit(1)


def _settings(settings: Settings) -> str:
    """The table of settings. Those that come from the running stack are marked, and those that it has otherwise are shown beside."""
    running = stack.addresses(settings.home)
    values = running.get("settings", {})
    rows = [
        [
            row.variable,
            row.value or NOT_SET,
            _origin(row.variable, row.source, set(running)),
            *([_differing(row.value, values.get(row.variable, row.value))] if values else []),
        ]
        for row in settings_module.describe(settings)
    ]
    return table(["setting", "value", "from", *(["in the running stack"] if values else [])], rows)


def _differing(configured: str, running: str) -> str:
    return "" if running == configured else running or NOT_SET


def _origin(variable: str, source: str, running: set[str]) -> str:
    name = variable.removeprefix(PREFIX).lower()
    return "running stack" if source == "flag" and name in running else source


def _misspelled_settings() -> list[Finding]:
    return [
        Finding(
            "settings", "broken", f"{name} is not a setting", "correct its name (the table above has them) or unset it"
        )
        for name in settings_module.unknown_variables()
    ]


def _report_lines(findings: list[Finding]) -> Iterable[str]:
    width = max(len(finding.part) for finding in findings)
    for finding in findings:
        sign, ascii_sign, colour = SIGNS[finding.verdict]
        mark = typer.style(sign if _carries(sign) else ascii_sign, fg=colour, bold=True)
        yield f"{mark} {finding.part.ljust(width)}  {finding.detail}"
        if finding.remedy:
            yield f"  {' ' * width}  {'→' if _carries('→') else '->'} {finding.remedy}"


def _carries(text: str) -> bool:
    """Whether stdout's encoding has these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True

"""docker-compose.yml as its services would have it: variables put in, anchors followed, images' own settings added."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.support.stack import ROOT

COMPOSE_FILE = ROOT / "docker-compose.yml"

VARIABLE = re.compile(r"\$(?:(?P<escaped>\$)|\{(?P<name>\w+)(?P<operator>:-|:\?)?(?P<word>[^}]*)\})")


class MissingVariable(Exception):
    """A variable without a default that nobody has set; the message is the file's own."""


def substituted(value: Any, variables: Mapping[str, str]) -> Any:
    """Every ${NAME}, ${NAME:-default} and ${NAME:?message} of a document put in, and $$ made $. Raises: MissingVariable."""
    if isinstance(value, dict):
        return {name: substituted(item, variables) for name, item in value.items()}
    if isinstance(value, list):
        return [substituted(item, variables) for item in value]
    return VARIABLE.sub(lambda found: _value(found, variables), value) if isinstance(value, str) else value


def _value(found: re.Match[str], variables: Mapping[str, str]) -> str:
    if found["escaped"]:
        return "$"
    given = variables.get(found["name"], "")
    if not given and found["operator"] == ":?":
        raise MissingVariable(found["word"])
    return given or (found["word"] if found["operator"] == ":-" else "")


@dataclass(frozen=True)
class Dockerfile:
    """What a Dockerfile says, by instruction; continued lines are one."""

    path: Path

    @property
    def lines(self) -> list[tuple[str, str]]:
        text = re.sub(r"\\\n\s*", " ", re.sub(r"^\s*#.*\n", "", self.path.read_text(), flags=re.MULTILINE))
        return [(name, rest.strip()) for name, rest in re.findall(r"^([A-Z]+) (.+)$", text, flags=re.MULTILINE)]

    def all(self, instruction: str) -> list[str]:
        """What follows every such instruction, in order."""
        return [rest for name, rest in self.lines if name == instruction]

    @property
    def environment(self) -> dict[str, str]:
        """Of the image; PATH is the image's own affair."""
        pairs = dict(pair.split("=", 1) for line in self.all("ENV") for pair in line.split())
        return {name: value for name, value in pairs.items() if name != "PATH"}

    @property
    def command(self) -> list[str]:
        return re.findall(r'"([^"]+)"', self.all("CMD")[-1])


@dataclass(frozen=True)
class Service:
    """One service of the file."""

    name: str
    raw: dict[str, Any] = field(repr=False)

    @property
    def dockerfile(self) -> Dockerfile | None:
        """Where the image is built from here; None where it comes from elsewhere."""
        return Dockerfile(ROOT / self.raw["build"]["dockerfile"]) if "build" in self.raw else None

    @property
    def command(self) -> list[str]:
        """What the container runs: the file's command, or the image's."""
        if "command" in self.raw:
            return [str(word) for word in self.raw["command"]]
        return self.dockerfile.command if self.dockerfile else []

    @property
    def own_environment(self) -> dict[str, str]:
        """What the file sets."""
        return {name: str(value) for name, value in self.raw.get("environment", {}).items()}

    @property
    def environment(self) -> dict[str, str]:
        """What the process sees: the image's and the file's."""
        return (self.dockerfile.environment if self.dockerfile else {}) | self.own_environment

    @property
    def needs(self) -> dict[str, str]:
        """Service to the condition that is waited for."""
        return {name: item["condition"] for name, item in self.raw.get("depends_on", {}).items()}

    @property
    def replicas(self) -> int:
        return int(self.raw.get("deploy", {}).get("replicas", 1))


def services(variables: Mapping[str, str], *overrides: Path) -> dict[str, Service]:
    """The services of docker-compose.yml, with the files laid over it that are named. Raises: MissingVariable."""
    document = yaml.safe_load(COMPOSE_FILE.read_text())["services"]
    for path in overrides:
        for name, change in yaml.safe_load(path.read_text())["services"].items():
            document[name] = _merged(document.get(name, {}), change)
    return {name: Service(name, substituted(raw, variables)) for name, raw in document.items()}


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """As Compose merges: mappings by name, commands and single values replaced, lists added up."""
    merged = dict(below)
    for name, value in above.items():
        if isinstance(value, dict) and isinstance(merged.get(name), dict):
            merged[name] = merged[name] | value
        elif (
            isinstance(value, list)
            and name not in {"command", "entrypoint", "test"}
            and isinstance(merged.get(name), list)
        ):
            merged[name] = [*merged[name], *value]
        else:
            merged[name] = value
    return merged

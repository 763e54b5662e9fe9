"""Every message that can reach a user, on one page, from the source: `make messages` prints it for a person to read in one sitting.

    error     the message of an exception, or of a function that prints one and exits
    warning   what gets into the warnings of a document, and the details of its validity
    finding   a verdict of `spatial doctor` and what to do about it, and why a batch or a flow run failed
    output    what a command or a process prints
    help      the help texts of commands, arguments and options
    part      a text that another message contains in place of a placeholder

A placeholder of a message is shown as `{expression}`. A message is found where it is passed to a sink: an exception, print,
the warnings of a document. A function that passes one of its parameters on to a sink is a sink itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent))  # this script is also loaded from other folders

from message_sinks import Message, Sinks
from message_source import Source

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = (
    "api", "billing", "cli", "converter", "deployments", "flows", "pipelines", "prefect_runtime", "reasoner", "sandbox", "spatial",
    "storage", "tasks",
    "clients/python/src/spatial_geometry",
)  # fmt: skip


def messages(root: Path = ROOT) -> list[Message]:
    """Every message of the packages, by kind and place."""
    paths = [path for name in PACKAGES for path in sorted((root / name).rglob("*.py"))]
    found = {(each.kind, each.text, each.source, each.line): each for each in _messages(Source(root, paths))}
    return sorted(found.values())


def _messages(source: Source) -> Iterator[Message]:
    sinks = Sinks(source)
    for module in source.modules:
        yield from sinks.messages(module)
    yield from sinks.docstrings()


def main() -> None:
    """Print the page."""
    kind = ""
    for message in messages():
        if message.kind != kind:
            kind = message.kind
            print(f"\n# {kind}\n")
        print(f"{message.text}\n    {message.maker}, {message.source}:{message.line}")


if __name__ == "__main__":
    main()

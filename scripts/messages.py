"""Every message that can reach a user, on one page, from the source: `make messages` prints it for a person to read in one sitting.

    error     the first argument of an exception of ours
    warning   what is appended to the warnings of a document
    help      a command's or an option's help text, and what a command prints

A placeholder of a message is shown as `{expression}`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = (
    "api", "cli", "converter", "deployments", "flows", "pipelines", "prefect_runtime", "spatial", "storage", "tasks",
)  # fmt: skip

BUILT_IN: Final = {"ValueError", "TypeError", "RuntimeError"}
"""Exceptions of Python that we raise; they tell a programmer something, and reach no user."""


@dataclass(frozen=True, order=True)
class Message:
    """One message, where it is made, and of what kind."""

    kind: str
    source: str
    """File, relative to the repository."""
    line: int
    maker: str
    """The exception's class, or the function that is called."""
    text: str


def messages(root: Path = ROOT) -> list[Message]:
    """Every message of the packages, by kind and place."""
    trees = {
        path: ast.parse(path.read_text("utf-8")) for name in PACKAGES for path in sorted((root / name).rglob("*.py"))
    }
    errors = _exceptions(trees.values())
    found = [
        Message(kind, str(path.relative_to(root)), call.lineno, maker, text)
        for path, tree in trees.items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for kind, maker, text in _of_call(call, errors)
    ]
    return sorted(set(found))


def _exceptions(trees: Iterator[ast.Module] | object) -> set[str]:
    """Names of our classes whose bases lead to Exception."""
    bases = {
        node.name: {_name(base) for base in node.bases}
        for tree in trees  # type: ignore[attr-defined]
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"Exception"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found - {"Exception"}


def _of_call(call: ast.Call, errors: set[str]) -> Iterator[tuple[str, str, str]]:
    maker = _name(call.func)
    first = call.args[0] if call.args else None
    if maker in errors and first is not None:
        yield from (("error", maker, text) for text in _texts(first))
    elif maker in {"append", "add"} and "warning" in ast.unparse(call.func) and first is not None:
        yield from (("warning", maker, text) for text in _texts(first))
    for keyword in call.keywords:
        if keyword.arg == "help":
            yield from (("help", maker, text) for text in _texts(keyword.value))


def _texts(node: ast.expr) -> Iterator[str]:
    """The text of a string, with its placeholders; both texts of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{" + ast.unparse(part.value) + "}"  # type: ignore[attr-defined]
            for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        for left in _texts(node.left):
            yield from (left + right for right in list(_texts(node.right)) or ["{" + ast.unparse(node.right) + "}"])


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def main() -> None:
    """Print the page."""
    kind = ""
    for message in messages():
        if message.kind != kind:
            kind = message.kind
            print(f"\n# {kind}\n")
        print(f"{message.text}\n    {message.maker}, {message.source}:{message.line}")


if __name__ == "__main__":
    sys.exit(main())

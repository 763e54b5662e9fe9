"""What the members of a contract model mean, from the strings below them: read when an interface is described, not at every import.

pydantic's own `use_attribute_docstrings` reads the source of each model when the model is defined, a quarter of what importing the
contract takes.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise


@cache
def descriptions(model: type) -> dict[str, str]:
    """The strings below the members of a model and of the models that it extends, by the members' names."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        body = _classes(base.__module__).get(base.__qualname__)
        found |= dict(_described(body)) if body is not None else {}
    return found


def _described(body: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for member, after in pairwise(body.body):
        if not isinstance(member, ast.AnnAssign) or not isinstance(member.target, ast.Name):
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
            yield member.target.id, inspect.cleandoc(after.value.value)


@cache
def _classes(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by their qualified names; none where it has no source."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):  # built in, or made at run time
        return {}
    return dict(_within(tree, ""))


def _within(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, child
            yield from _within(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef):
            yield from _within(child, f"{prefix}{child.name}.<locals>.")

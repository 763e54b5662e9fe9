"""The source as trees, and the texts that an expression of it can have.

`Source.texts` follows variables, constants and functions of the same module or of an imported one as far as that is
certain, and leaves out what it cannot follow.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final

Function = ast.FunctionDef | ast.AsyncFunctionDef

COPIES: Final = {"list", "tuple", "sorted", "dict.fromkeys", "reversed", "filter"}
"""Calls whose result holds the texts of their last argument."""

DEPTH: Final = 6
"""Functions and variables that are followed one after the other."""


@dataclass(eq=False)
class Module:
    """One file."""

    path: str
    """Relative to the root."""
    name: str
    """As it is imported."""
    functions: dict[str, list[Function]] = field(default_factory=dict)
    """Functions and methods by name."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Local name to module and name in it; the name is empty where a module is imported."""
    owner: dict[ast.AST, Function | None] = field(default_factory=dict)
    """Expression to the innermost function around it."""
    calls: list[ast.Call] = field(default_factory=list)
    assignments: list[tuple[ast.expr, ast.expr]] = field(default_factory=list)
    """Targets with their values."""
    assigned: dict[tuple[Function | None, str], list[ast.expr]] = field(default_factory=dict)
    """Function, or None outside of functions, and variable to what it is assigned."""
    results: dict[Function, list[ast.expr]] = field(default_factory=dict)
    """Function to what it returns or yields."""


@dataclass(frozen=True, eq=False)
class Text:
    """One text and where it is written."""

    text: str
    node: ast.expr
    module: Module


class Source:
    """All files."""

    def __init__(self, root: Path, paths: Iterable[Path]) -> None:
        trees = {path.relative_to(root): _parsed(path.read_text("utf-8")) for path in paths}
        self.modules = [_module(path, tree) for path, tree in trees.items()]
        self.docstrings = {
            (str(path), node.name, node.lineno): ast.get_docstring(node) or ""
            for path, tree in trees.items()
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
        }
        """Of functions outside of classes, by file, name and line."""
        self.bases = {
            node.name: {name_of(base) for base in node.bases}
            for tree in trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
        }
        """Of all classes."""
        self._by_name = {module.name: module for module in self.modules}

    def functions(self, call: ast.Call, module: Module) -> list[tuple[Function, Module]]:
        """The functions of ours that a call may be of."""
        where, name = self._target(call.func, module)
        found = where.functions.get(name, []) if where is not None else []
        return [(each, where) for each in found] if where is not None else []

    def _target(self, callee: ast.expr, module: Module) -> tuple[Module | None, str]:
        if isinstance(callee, ast.Name):
            if callee.id in module.imports:
                home, name = module.imports[callee.id]
                return self._by_name.get(home), name
            return module, callee.id
        if isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name):
            if callee.value.id in ("self", "cls"):
                return module, callee.attr
            home, name = module.imports.get(callee.value.id, ("", ""))
            return self._by_name.get(f"{home}.{name}" if name else home), callee.attr
        return None, ""

    def texts(self, node: ast.AST | None, module: Module, depth: int = DEPTH) -> Iterator[Text]:
        """The texts of an expression: of a string, of the strings in a list, of both arms of a choice."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Text(node.value, node, module)
        elif isinstance(node, ast.JoinedStr):
            yield Text("".join(self._shown(part, module) for part in node.values), node, module)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield from self._sum(node, module, depth)
        elif isinstance(node, ast.Call):
            yield from self._of_call(node, module, depth)
        elif isinstance(node, ast.Name) and depth:
            for value in self._values(node, module):
                yield from self.texts(value, module, depth - 1)
        else:
            for part in _alternatives(node):
                yield from self.texts(part, module, depth)

    def placeholders(self, node: ast.expr, module: Module) -> Iterator[Text]:
        """The texts that may stand in the place of a message's placeholders."""
        for part in ast.walk(node):
            if isinstance(part, ast.FormattedValue):
                yield from self.texts(part.value, module)
                if isinstance(part.value, ast.Subscript):
                    yield from self.texts(self._constant(part.value.value, module), module)

    def _shown(self, part: ast.expr, module: Module) -> str:
        """A part of an f-string; a constant stands for itself, and other placeholders are shown as what they contain."""
        if not isinstance(part, ast.FormattedValue):
            return str(part.value)  # type: ignore[attr-defined]  # a constant
        constant = self._constant(part.value, module) if module.owner.get(part.value) is not None else None
        is_text = isinstance(constant, ast.Constant) and isinstance(constant.value, str)
        return str(constant.value) if is_text else "{" + ast.unparse(part.value) + "}"  # type: ignore[union-attr]

    def _sum(self, node: ast.BinOp, module: Module, depth: int) -> Iterator[Text]:
        left, right = list(self.texts(node.left, module, depth)), list(self.texts(node.right, module, depth))
        if isinstance(node.left, ast.List) or isinstance(node.right, ast.List):
            yield from left + right
        elif left or right:
            ends = [each.text for each in right] or ["{" + ast.unparse(node.right) + "}"]
            begins = [each.text for each in left] or ["{" + ast.unparse(node.left) + "}"]
            yield from (Text(begin + end, node, module) for begin, end in product(begins, ends))

    def _of_call(self, call: ast.Call, module: Module, depth: int) -> Iterator[Text]:
        if isinstance(call.func, ast.Attribute) and isinstance(
            call.func.value, ast.Subscript
        ):  # a sentence of a table, filled in
            yield from self.texts(self._constant(call.func.value.value, module), module, depth)
        elif ast.unparse(call.func) in COPIES or (isinstance(call.func, ast.Attribute) and call.func.attr == "join"):
            yield from self.texts(call.args[-1] if call.args else None, module, depth)
        elif depth:
            for function, home in self.functions(call, module):
                for result in home.results.get(function, ()):
                    yield from self.texts(result, home, depth - 1)

    def _values(self, name: ast.Name, module: Module) -> list[ast.expr]:
        """What a variable is assigned, in its function or else in its module."""
        function = module.owner.get(name)
        found = module.assigned.get((function, name.id), []) if function is not None else []
        constant = None if found else self._constant(name, module)
        return found if constant is None else [constant]

    def _constant(self, node: ast.expr, module: Module) -> ast.expr | None:
        if not isinstance(node, ast.Name):
            return None
        home, name = module.imports.get(node.id, (module.name, node.id))
        where = self._by_name.get(home)
        found = where.assigned.get((None, name)) if where is not None else None
        return found[0] if found else None


def _parsed(text: str) -> ast.Module:
    """The tree of a module. Python 3.11 counts the depth of a tree in one place for all parsing: a finaliser that garbage collection
    runs meanwhile, and that formats a traceback, parses too, and the outer call fails with SystemError."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        if collects:
            gc.enable()


def _alternatives(node: ast.AST | None) -> Iterator[ast.AST]:
    """The expressions that hold the texts of this one."""
    match node:
        case ast.IfExp():
            yield from (node.body, node.orelse)
        case ast.BoolOp():
            yield from node.values
        case ast.List() | ast.Tuple() | ast.Set():
            yield from node.elts
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            yield node.elt
        case ast.Starred() | ast.NamedExpr() | ast.Await():
            yield node.value
        case ast.Dict():
            yield from node.values


def _module(path: Path, tree: ast.Module) -> Module:
    module = Module(str(path), ".".join(path.with_suffix("").parts))
    _enter(tree, None, module)
    return module


def _enter(node: ast.AST, owner: Function | None, module: Module) -> None:
    """Enter what is below a node into the tables of its module."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            module.functions.setdefault(child.name, []).append(child)
            _enter(child, child, module)
        else:
            module.owner[child] = owner
            _enter_statement(child, owner, module)
            _enter(child, owner, module)


def _enter_statement(node: ast.AST, owner: Function | None, module: Module) -> None:
    match node:
        case ast.ImportFrom():
            module.imports |= {each.asname or each.name: (node.module or "", each.name) for each in node.names}
        case ast.Import():
            module.imports |= {each.asname or each.name: (each.name, "") for each in node.names}
        case ast.Call():
            module.calls.append(node)
        case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value) | ast.YieldFrom(value=value):
            _enter_result(value, owner, module)
        case ast.Assign(targets=[target], value=value) | ast.AugAssign(target=target, value=value):
            _enter_assignment(target, value, owner, module)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            _enter_assignment(target, value, owner, module)


def _enter_result(value: ast.expr, owner: Function | None, module: Module) -> None:
    if owner is not None:
        module.results.setdefault(owner, []).append(value)


def _enter_assignment(target: ast.expr, value: ast.expr, owner: Function | None, module: Module) -> None:
    module.assignments.append((target, value))
    if isinstance(target, ast.Name):
        module.assigned.setdefault((owner, target.id), []).append(value)


def name_of(node: ast.AST) -> str:
    """The last name of an expression, or the key of an item; empty if it has none."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=key)):
            return str(key)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""

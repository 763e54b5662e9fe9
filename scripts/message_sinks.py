"""Where messages go: the sinks, the functions that pass a parameter on to one, and the messages that are passed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from message_source import Function, Module, Source, Text, name_of

PYTHON_ERRORS: Final = {"ValueError": 0, "TypeError": 0, "RuntimeError": 0, "LookupError": 0, "PydanticCustomError": 1}
"""Exceptions of libraries that are raised here, with the place of the message among their arguments."""

PRINTERS: Final = {"print", "echo", "prompt", "_say"}

FINDINGS: Final = {"Finding": (2, 3), "Failed": (), "Completed": (), "Crashed": ()}
"""Records of what is wrong, with the places of their texts; any of them may have a `message`."""

DETAILS: Final = {"_Layer": (2,)}
"""Records of a document with a text that explains them."""

COLLECTORS: Final = {"doubt": 0}
"""Methods that collect warnings for later, with the place of the text."""

COMMANDS: Final = "cli/commands/"

WORDS: Final = 2
"""A text with fewer words is a name or a cell of a table."""


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


@dataclass(frozen=True, eq=False)
class _Passed:
    """An expression that is passed to a sink."""

    kind: str
    maker: str
    value: ast.expr


class Sinks:
    """All sinks of a source."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._errors = _exceptions(source)
        self._functions: dict[Function, dict[str, str]] = {}
        """Functions that pass parameters on: parameter to the kind of message."""
        while self._add_functions():
            pass

    def messages(self, module: Module) -> Iterator[Message]:
        """The messages that a module makes."""
        for passed in self._passed(module):
            for text in self._source.texts(passed.value, module):
                yield from self._messages(passed, text)

    def docstrings(self) -> Iterator[Message]:
        """The docstrings of commands, which Typer shows."""
        for (path, name, line), text in self._source.docstrings.items():
            if path.startswith(COMMANDS) and not name.startswith("_"):
                yield Message("help", path, line, name, " ".join(text.split()))

    def _messages(self, passed: _Passed, text: Text) -> Iterator[Message]:
        if _is_message(passed.kind, text.text):
            yield _message(passed.kind, passed.maker, text)
        for part in self._source.placeholders(text.node, text.module):
            if _is_message("part", part.text):
                yield _message("part", passed.maker, part)

    def _add_functions(self) -> bool:
        """Find functions that pass a parameter on to a sink that is known; True if there was a new one."""
        known = sum(map(len, self._functions.values()))
        for module in self._source.modules:
            for passed in self._passed(module):
                function = module.owner.get(passed.value)
                if function is not None:
                    self._add(function, passed)
        return sum(map(len, self._functions.values())) > known

    def _add(self, function: Function, passed: _Passed) -> None:
        for name, is_whole in _names(passed.value):
            if name in _parameters(function):
                kind = _kind_of(function, passed.kind) if is_whole else "part"
                self._functions.setdefault(function, {}).setdefault(name, kind)

    def _passed(self, module: Module) -> Iterator[_Passed]:
        for call in module.calls:
            yield from self._of_call(call, module)
        for target, value in module.assignments:
            if name_of(target).endswith("warnings") and not isinstance(value, ast.Name | ast.Attribute):
                yield _Passed("warning", "warnings", value)

    def _of_call(self, call: ast.Call, module: Module) -> Iterator[_Passed]:
        maker = name_of(call.func)
        for kind, place in self._places(call, maker):
            if len(call.args) > place:
                yield _Passed(kind, maker, call.args[place])
        for keyword in call.keywords:
            if kind := self._kind_of_keyword(maker, keyword.arg or ""):
                yield _Passed(kind, maker, keyword.value)
        for function, _ in self._source.functions(call, module):
            given = _arguments(call, function)
            for name, kind in self._functions.get(function, {}).items():
                if name in given:
                    yield _Passed(kind, maker, given[name])

    def _places(self, call: ast.Call, maker: str) -> Iterator[tuple[str, int]]:
        if maker in self._errors:
            yield "error", self._errors[maker]
        if maker in PRINTERS:
            yield "output", 0
        if maker in COLLECTORS or (maker in {"append", "extend"} and "warning" in ast.unparse(call.func)):
            yield "warning", COLLECTORS.get(maker, 0)
        yield from (("finding", place) for place in FINDINGS.get(maker, ()))
        yield from (("warning", place) for place in DETAILS.get(maker, ()))

    def _kind_of_keyword(self, maker: str, name: str) -> str:
        if name in {"help", "epilog"} or (name == "description" and maker == "ArgumentParser"):
            return "help"
        if name == "message" and (maker in self._errors or maker in FINDINGS):
            return "error" if maker in self._errors else "finding"
        return "warning" if name == "warnings" or (name == "detail" and maker in DETAILS) else ""


def _exceptions(source: Source) -> dict[str, int]:
    """Exceptions, and the place of the message among their arguments: our classes whose bases lead to Exception."""
    found = {"Exception", *PYTHON_ERRORS}
    while more := {name for name, above in source.bases.items() if above & found} - found:
        found |= more
    return {**dict.fromkeys(found - {"Exception"}, 0), **PYTHON_ERRORS}


def _names(value: ast.expr) -> Iterator[tuple[str, bool]]:
    """Names in a message, and whether the message is that name, with at most a label before it."""
    if isinstance(value, ast.Name):
        yield value.id, True
    elif isinstance(value, ast.JoinedStr):
        labels = [part.value for part in value.values if isinstance(part, ast.Constant)]
        is_whole = all(str(label).endswith(": ") or not str(label).strip() for label in labels)
        for place, part in enumerate(value.values, start=1):
            if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name):
                yield part.value.id, is_whole and place == len(value.values)


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _arguments(call: ast.Call, function: Function) -> dict[str, ast.expr]:
    """The arguments of a call by the names of the function's parameters."""
    names = [name for name in _parameters(function) if name not in ("self", "cls")]
    given = dict(zip(names, call.args, strict=False))
    return {**given, **{keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}}


def _kind_of(function: Function, kind: str) -> str:
    """What a function prints that returns an exit is an error."""
    return "error" if function.returns is not None and "Exit" in ast.unparse(function.returns) else kind


def _is_message(kind: str, text: str) -> bool:
    words = re.sub(r"\{[^}]*\}", "", text).split()
    return kind == "help" or len([word for word in words if re.search(r"[^\W\d_]{2}", word)]) >= WORDS


def _message(kind: str, maker: str, text: Text) -> Message:
    return Message(kind, text.module.path, text.node.lineno, maker, text.text)

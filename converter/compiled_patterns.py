"""Compiled patterns, kept beside the code as Python keeps compiled modules.

`re` translates a pattern in Python, for the matcher in C to take as it is. Drawings need 500 patterns, a quarter of the time of a command
that reads one small file. So the process that loads the readers keeps the translations in a file of `__pycache__`, for those that are
started after it; the name of a pattern there is the pattern itself with its flags.

The only module with names of `re` that Python does not publish; tests/converter/test_compiled_patterns.py lists them ([decision 72]).

[decision 72]: docs/decisions/0072-translated-patterns-are-kept.md
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from array import array
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

import spatial

_compiler: Any = import_module("re._compiler")
_parser: Any = import_module("re._parser")
_matcher: Any = _compiler._sre

SOURCES: Final = Path(spatial.__file__).parent
"""The code whose patterns these are: the file is of one state of it."""

SUFFIXES: Final = (".py", ".toml")
"""Of code, and of vocabularies that patterns are made of."""

CODE: Final = "I"
"""Type of the matcher's code in an array."""

Key: TypeAlias = tuple[str | bytes, int]
Translation: TypeAlias = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""All flags, the matcher's code, the number of groups, and their names in both directions."""


class CompiledPatterns:
    """The patterns of some formats."""

    def __init__(self, names: Iterable[str], folder: Path = SOURCES / "__pycache__") -> None:
        """names: of the formats."""
        self._path = folder / f"patterns-{'-'.join(sorted(names))}.{sys.implementation.cache_tag}-{_matcher.MAGIC}"
        self._state = _state()
        self._known = self._read()
        self._used: dict[Key, None] = {}
        self._compile = _compiler.compile

    @property
    def are_known(self) -> bool:
        """Whether the file is there, of this state of the code."""
        return bool(self._known)

    def install(self) -> None:
        """From here on patterns of the file are not translated again in this process, or in one forked from it."""
        _compiler.compile = self._compiled

    def keep(self) -> None:
        """Write the patterns that were compiled since `install`; nothing where the folder may not be written to."""
        entries = [_entry(key, translation(*key)) for key in self._used]
        content = json.dumps([self._state, entries]).encode("ascii")
        written = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            try:
                written.write_bytes(content)
                written.replace(self._path)
            finally:
                written.unlink(missing_ok=True)

    def _compiled(self, pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        key = (pattern, int(flags))
        known = self._known.get(key)
        if known is None:
            compiled: re.Pattern[Any] = self._compile(pattern, flags)
            self._used[key] = None
            return compiled
        return matcher(pattern, known)

    def _read(self) -> dict[Key, Translation]:
        with contextlib.suppress(OSError, ValueError, TypeError):
            state, entries = json.loads(self._path.read_bytes())
            if state == self._state:
                return dict(map(_known, entries))
        return {}


def _entry(key: Key, of: Translation) -> list[Any]:
    """A pattern and its translation as the file has them: bytes in hexadecimal digits, of a pattern too."""
    (pattern, flags), (whole, code, groups, numbers, names) = key, of
    written = [pattern] if isinstance(pattern, str) else pattern.hex()
    return [written, flags, whole, code.hex(), groups, numbers, names]


def _known(entry: list[Any]) -> tuple[Key, Translation]:
    """The same of an entry of the file."""
    written, flags, whole, code, groups, numbers, names = entry
    pattern = bytes.fromhex(written) if isinstance(written, str) else str(*written)
    return (pattern, flags), (whole, bytes.fromhex(code), groups, numbers, tuple(names))


def matcher(pattern: str | bytes, of: Translation) -> re.Pattern[Any]:
    """The compiled pattern of a translation."""
    whole, code, groups, numbers, names = of
    compiled: re.Pattern[Any] = _matcher.compile(pattern, whole, array(CODE, code).tolist(), groups, numbers, names)
    return compiled


def translation(pattern: str | bytes, flags: int) -> Translation:
    """What `re` makes of a pattern for its matcher."""
    parsed = _parser.parse(pattern, flags)
    numbers = parsed.state.groupdict
    names: list[str | None] = [None] * parsed.state.groups
    for name, number in numbers.items():
        names[number] = name
    code = array(CODE, _compiler._code(parsed, flags)).tobytes()
    return flags | parsed.state.flags, code, parsed.state.groups - 1, dict(numbers), tuple(names)


def _state() -> str:
    """What changes with the code: name, size and time of each of its files."""
    return "\n".join(sorted(_files(str(SOURCES))))


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path)
            elif entry.name.endswith(SUFFIXES):
                found = entry.stat()
                yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"

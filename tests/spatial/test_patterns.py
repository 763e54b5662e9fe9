"""No regular expression of the package can try exponentially many ways to divide one run of characters."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, Final

import pytest

import spatial

pytestmark = pytest.mark.requirement("repository.patterns")

sre, parser = importlib.import_module("re._constants"), importlib.import_module("re._parser")
"""Modules of re that are not public, and have no types."""
REPEATS: Final = (sre.MAX_REPEAT, sre.MIN_REPEAT)
MANY: Final = 12
"""Repetitions from which ways to divide a run are too many to try."""


def is_ambiguous(pattern: str, flags: int = 0) -> bool:
    """Whether a repetition has a body that is itself a repetition of variable length: `(?:a{1,3}|b)*` divides `aaaa` in seven ways."""
    return any(
        op in REPEATS and value[1] >= MANY and _is_stretching(value[2])
        for op, value in _parts(parser.parse(pattern, flags))
    )


def _parts(sequence: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    """Every part of a parsed pattern, those within others too."""
    for op, value in sequence:
        yield op, value
        if op in (*REPEATS, sre.POSSESSIVE_REPEAT):
            yield from _parts(value[2])
        elif op is sre.SUBPATTERN:
            yield from _parts(value[3])
        elif op is sre.ATOMIC_GROUP:
            yield from _parts(value)
        elif op is sre.BRANCH:
            for branch in value[1]:
                yield from _parts(branch)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _parts(value[1])


def _is_stretching(sequence: Any) -> bool:
    """Whether all that a body must match is one repetition of variable length."""
    needed = [(op, value) for op, value in sequence if op is not sre.AT and not _may_be_empty(op, value)]
    if len(needed) != 1:
        return not needed and len(sequence) > 0
    ((op, value),) = needed
    if op in REPEATS:
        return bool(value[0] != value[1]) or _is_stretching(value[2])
    if op is sre.SUBPATTERN:
        return _is_stretching(value[3])
    return op is sre.BRANCH and any(map(_is_stretching, value[1]))


def _may_be_empty(op: Any, value: Any) -> bool:
    if op in REPEATS:
        return bool(value[0] == 0)
    return op is sre.SUBPATTERN and bool(value[3].getwidth()[0] == 0)


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(spatial.__path__, "spatial."):
        yield importlib.import_module(found.name)


def _patterns(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _patterns(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _patterns(each)


@pytest.mark.parametrize(
    ("pattern", "ambiguous"),
    [
        (r"(?:[a-z]{1,3}|\d)*", True),
        (r"(\w+)*:", True),
        (r"(?:(?:\s*\d+)\s*)+", True),
        (r"(?:[a-z]{1,3}(?![a-z])|\d)*", False),
        (r"(?:\d+,)*", False),
        (r"(?:[a-z]{1,3}+)*+", False),
        (r"\w+\s*\d*", False),
    ],
)
def test_ambiguous_repetitions_are_told(pattern: str, ambiguous: bool) -> None:
    assert is_ambiguous(pattern) is ambiguous


def test_no_pattern_of_a_module_is_ambiguous() -> None:
    found = {
        f"{module.__name__}.{name}": pattern
        for module in _modules()
        for name, value in vars(module).items()
        for pattern in _patterns(value)
    }
    assert len(found) > 300
    assert [name for name, pattern in found.items() if is_ambiguous(pattern.pattern, pattern.flags)] == []

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


def is_ambiguous(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether a repetition has a body that is itself a repetition of variable length: `(?:a{1,3}|b)*` divides `aaaa` in seven ways."""
    return any(
        op in REPEATS and value[1] >= MANY and _is_stretching(value[2])
        for op, value in _parts(parser.parse(pattern, flags))
    )


def is_slow(pattern: bytes) -> bool:
    """Whether two repetitions without end divide one run between them: `\\d+\\.?\\d*` tries every place of each run."""
    bodies = [
        parser.parse(pattern),
        *(body for op, value in _parts(parser.parse(pattern)) for body in _bodies(op, value)),
    ]
    return any(_is_dividing(list(body)) for body in bodies)


def _bodies(op: Any, value: Any) -> list[Any]:
    if op is sre.BRANCH:
        return list(value[1])
    if op is sre.ATOMIC_GROUP:
        return [value]
    place = {sre.SUBPATTERN: 3, sre.ASSERT: 1, sre.ASSERT_NOT: 1, **dict.fromkeys((*REPEATS, sre.POSSESSIVE_REPEAT), 2)}
    return [value[place[op]]] if op in place else []


def _is_dividing(body: list[tuple[Any, Any]]) -> bool:
    for place, (op, value) in enumerate(body):
        if op in REPEATS and value[1] is sre.MAXREPEAT:
            for later, further in body[place + 1 :]:
                if later in REPEATS and further[1] is sre.MAXREPEAT and repr(further[2]) == repr(value[2]):
                    return True
                if not _may_be_empty(later, further):
                    break
    return False


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


def _patterns(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
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


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (rb"\d+\.?\d*E", True),
        (rb"(?:a|\s*;?\s*)$", True),
        (rb"\d++(?:\.\d*+)?+E", False),
        (rb"\d+\.\d*E", False),
        (rb"\s*(?:;\s*)?$", False),
    ],
)
def test_repetitions_that_divide_a_run_are_told(pattern: bytes, slow: bool) -> None:
    assert is_slow(pattern) is slow


def test_no_pattern_of_bytes_divides_a_run() -> None:
    """They go through whole files, of which a run may be a large part."""
    found = {
        f"{module.__name__}.{name}": pattern.pattern
        for module in _modules()
        for name, value in vars(module).items()
        for pattern in _patterns(value)
        if isinstance(pattern.pattern, bytes)
    }
    assert len(found) > 10
    assert [name for name, pattern in found.items() if is_slow(pattern)] == []

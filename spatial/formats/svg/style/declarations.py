"""Declarations of a rule or a `style` attribute: `stroke: red; fill: none !important`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import tinycss2

from spatial.formats.svg.style.properties import READ, Declarations, expand_font, is_valid

NESTING: Final = 8
"""Deepest brackets in a value; no property that is read needs more."""


class Block(NamedTuple):
    """What one rule or one `style` attribute declares."""

    normal: Declarations
    important: Declarations


_JOINED: Final = frozenset("\"'\\()[]{}/@")
"""Signs with which a semicolon may be something else than the end of a declaration."""


def parse_attribute(text: str) -> Block:
    """The declarations of a `style` attribute."""
    if not _JOINED.isdisjoint(text):
        return _parsed(text)
    # A drawing has a hundred thousand styles that differ in a width: the other declarations are parsed once.
    block = Block({}, {})
    for each in map(_parsed, text.split(";")):
        block.normal.update(each.normal)
        block.important.update(each.important)
    return block


@lru_cache(maxsize=8192)
def _parsed(text: str) -> Block:
    return block_of(tinycss2.parse_blocks_contents(text, skip_comments=True, skip_whitespace=True))


def block_of(contents: Iterable[Any]) -> Block:
    """The declarations that concern drawing and have valid values; the last of a property holds."""
    block = Block({}, {})
    for each in contents:
        if each.type == "declaration" and not is_nested_deeper(each.value, NESTING):
            (block.important if each.important else block.normal).update(_read(each))
    return block


def _read(declaration: Any) -> Declarations:
    if declaration.lower_name == "font":
        found = expand_font([token for token in declaration.value if token.type != "comment"])
    elif declaration.lower_name in READ:
        found = {declaration.lower_name: tinycss2.serialize(declaration.value).strip()}
    else:
        return {}
    return {name: value for name, value in found.items() if is_valid(name, value)}


def is_nested_deeper(tokens: Sequence[Any], most: int) -> bool:
    """Whether brackets and functions stand in one another more than `most` times: serialising them recurses."""
    level: list[Any] = list(tokens)
    for _ in range(most):
        level = [
            inner
            for token in level
            for inner in (getattr(token, "content", None) or getattr(token, "arguments", None) or ())
        ]
    return bool(level)

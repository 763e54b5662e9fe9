"""Parses untrusted XML: no DTD, no entities defined in the file, no network, bounded depth.

The service limits the size of the file; `inflate` limits what compressed parts inflate to.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from lxml import etree

from spatial.errors import ParseError

DEPTH: Final = 256
"""libxml2's own bound without `huge_tree`: deeper nesting is refused by the parser."""

_ADVICE: Final = re.compile(
    r",? ?(?:use XML_PARSE_HUGE option|see xmlCtxtSetMaxAmplification|line \d+, column \d+| ?\(<string>, line \d+\))"
)
_SAFE: Final[dict[str, Any]] = {
    "resolve_entities": False, "load_dtd": False, "no_network": True, "dtd_validation": False, "remove_comments": True,
    "remove_pis": True, "huge_tree": False,
}  # fmt: skip
"""Options of every parser here."""
_BOMBS: Final = {
    "amplification factor": "has entities that stand for far more text than the file holds",
    "Excessive depth": f"nests elements deeper than {DEPTH} levels",
}
"""Words of libxml2 for what is well-formed and refused, and what it is."""
_DOCTYPE: Final = re.compile(rb"<!DOCTYPE", re.IGNORECASE)


def parse(data: bytes, file_name: str) -> tuple[Any, list[str]]:
    """The root element, and warnings: entities that a DTD defines are not resolved.

    Raises: ParseError, with the line.
    """
    try:
        root = etree.fromstring(data, etree.XMLParser(**_SAFE))
    except (etree.XMLSyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        cut = not data.rstrip().endswith(b">") or parse_cut(data) is not None
        bomb = next((says for sign, says in _BOMBS.items() if sign in str(error)), None)
        cut_off = f"is cut off in line {line}" if cut and line else None
        what = bomb or cut_off or f"is not well-formed XML: {_reason(error)}"
        raise ParseError(
            f"{file_name}: the file {what}; export it again",
            details={"phase": "read", **({"line": line} if line else {})},
        ) from error
    declared = _DOCTYPE.search(data[:4096]) is not None and root.getroottree().docinfo.internalDTD is not None
    warnings = ["the file has a DTD, which is not read; text that its entities stand for is missing"]
    return root, warnings if declared and any(True for _ in root.iter(etree.Entity)) else []


def parse_cut(data: bytes) -> tuple[Any, list[Any]] | None:
    """The root of a file that is cut off and well-formed up to there, and the elements that are not closed, outermost first.

    None where something else is wrong with it, or no element begins.
    """
    parser = etree.XMLPullParser(events=("start", "end"), **_SAFE)
    try:
        parser.feed(data)
    except etree.XMLSyntaxError:
        return None
    unclosed: list[Any] = []
    root = None
    for event, element in parser.read_events():
        root = element if root is None else root
        if event == "start":
            unclosed.append(element)
        else:
            unclosed.pop()
    return (root, unclosed) if root is not None and unclosed else None


def local(element: Any) -> str:
    """The name of an element without its namespace; empty for comments and entities."""
    return _local(element.tag)


@lru_cache(maxsize=1024)
def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _reason(error: Exception) -> str:
    """The parser's first sentence, without the source excerpt and without advice to programmers of libxml2."""
    return _ADVICE.sub("", str(error).split("\n", 1)[0])[:200].rstrip(" ,")

"""Removes from log lines what they must not hold: keys, credentials, signed addresses, the content of files.

The rules read untrusted text, so each is one pass without nested repetition; in doubt they remove too much.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

LONGEST: Final = 16_384
"""Characters of one logged text; of a longer one, the beginning and the end."""

_HIDDEN: Final = "***"

_WORDS: Final = (
    r"passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|auth[_-]?string|authorization|prefect_auth"
    r"|cookie|signature|credentials?|content_base64"
)

_SECRET_NAME: Final = re.compile(rf"(?i).*(?:{_WORDS})")
"""Name of a field whose value is not shown; the plural `tokens` counts something and is no secret."""


def _url(found: re.Match[str]) -> str:
    """An address without credentials and without its query, which holds signatures and tokens."""
    scheme, _, rest = found[0].partition("://")
    _, at, host = rest.rpartition("@")
    address, asks, _ = (host if at else rest).partition("?")
    return f"{scheme}://{_HIDDEN + '@' if at else ''}{address}{'?' + _HIDDEN if asks else ''}"


def _base64(found: re.Match[str]) -> str:
    """A long run of base64; a SHA-256 in hex is as long and stays."""
    return found[0] if re.fullmatch("[0-9a-f]{64}", found[0]) else f"[{len(found[0])} characters]"


_RULES: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    (re.compile(r"sk_[A-Za-z0-9_-]{32,}|(?<![A-Za-z0-9])sk_[A-Za-z0-9_-]{8,}"), "sk_" + _HIDDEN),
    (re.compile(r"(?<![A-Za-z0-9])(rk|whsec)_[A-Za-z0-9_-]{8,}"), r"\1_" + _HIDDEN),
    (re.compile(r"(?i)(authorization[\"'\\]*\s*[:=]\s*b?[\"'\\]*)[^\r\n\"'\\]+"), r"\1" + _HIDDEN),
    (re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{6,}"), r"\1" + _HIDDEN),
    (re.compile(r"\b((?i:basic)\s+)(?=[a-z]*[A-Z0-9+/=])[A-Za-z0-9+/]{6,}={0,2}"), r"\1" + _HIDDEN),
    (re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,31}://(?:[^\s@]{1,256}@)*[^\s\"'<>]*"), _url),
    (re.compile(r"(?i)\b(X-(?:Amz|Goog)-[A-Za-z-]{1,40}(?:=|%3D))[^&\s\"']+"), r"\1" + _HIDDEN),
    (
        re.compile(
            rf"(?i)((?:{_WORDS})[\"'\\]*\s*(?:[:=]|%3D|,(?=\s*b?[\"']))\s*b?)(\"[^\"]*\"|'[^']*'|[^\s,;&\"')}}]+)"
        ),
        r"\1" + _HIDDEN,
    ),
    # pydantic and SQLAlchemy repeat their input.
    (re.compile(r"input_value=(?:(?!, input_type=).)*", re.DOTALL), "input_value=" + _HIDDEN),
    (re.compile(r"\[parameters: [^\n]*"), f"[parameters: {_HIDDEN}]"),
    (re.compile(r"(?<![A-Za-z0-9])b'(?:[^'\\]|\\.){32,}'|(?<![A-Za-z0-9])b\"(?:[^\"\\]|\\.){32,}\""), "b'…'"),
    (
        re.compile(r"[A-Za-z0-9+/]{64,}(?:(?:\\[rn]|[\r\n])+[A-Za-z0-9+/]{4,76})*={0,2}|[A-Za-z0-9_-]{64,}={0,2}"),
        _base64,
    ),
)
"""One row per kind of secret, in the order of removal."""


def text(raw: str) -> str:
    """The text without secrets, and not longer than LONGEST and a few words."""
    shown = raw if len(raw) <= 4 * LONGEST else raw[: 2 * LONGEST] + " … " + raw[-2 * LONGEST :]
    for pattern, instead in _RULES:
        shown = pattern.sub(instead, shown)
    if len(shown) <= LONGEST:
        return shown
    half = LONGEST // 2
    return f"{shown[:half]} … [{len(raw)} characters] … {shown[-half:]}"


def value(of: Any, name: str = "") -> Any:
    """A field's value as JSON may show it: no secret, no bytes, no number that JSON does not have."""
    if name and _SECRET_NAME.fullmatch(name):
        return _HIDDEN
    if of is None or isinstance(of, bool | int):
        return of
    if isinstance(of, float):
        return of if math.isfinite(of) else str(of)
    if isinstance(of, bytes | bytearray | memoryview):
        return f"[{len(of)} bytes]"
    if isinstance(of, Mapping):
        return {text(str(key)): value(member, str(key)) for key, member in of.items()}
    if isinstance(of, list | tuple | set | frozenset):
        return [value(member) for member in of]
    return text(str(of))

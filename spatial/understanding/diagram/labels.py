"""Labels as plain text: what a person reads of the HTML that draw.io keeps, placeholders filled in."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Final

LABEL_CHARACTERS: Final = 20_000
"""Longest label that is kept; nobody reads more in a shape."""

MARKUP_CHARACTERS: Final = 8 * LABEL_CHARACTERS
"""How much of a label with tags is looked at."""

_TAG: Final = re.compile(
    r"""<(/?)([a-zA-Z][\w:-]*+)(?:(?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+>|[^<>]*+>)|<!--.*?(?:-->|\Z)|<![^<>]*+>""",
    re.DOTALL,
)
_BREAKS: Final = frozenset(
    {
        "br", "p", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "pre", "blockquote", "section",
        "article", "header", "footer", "dt", "dd", "dl",
    }
)  # fmt: skip
"""Elements that begin or end a line."""
_ELEMENTS: Final = frozenset(
    {
        "a", "abbr", "b", "big", "center", "code", "em", "font", "i", "img", "label", "mark", "q", "s", "small", "span", "strike",
        "strong", "sub", "sup", "tbody", "td", "th", "thead", "tt", "u", "var",
    }
)  # fmt: skip
"""Further elements that labels are made of."""
_SILENT: Final = re.compile(r"<(script|style|head|title)\b[^<>]*+>.*?(?:</\1\s*+>|\Z)", re.DOTALL | re.IGNORECASE)
_SPACES: Final = re.compile(r"[^\S\n]+")
_LINES: Final = re.compile(r" ?\n[ \n]*")
_PLACEHOLDER: Final = re.compile(r"%([^%{}\s\"'=;][^%{}\"'=;\n]{0,99})%")


def plain(label: str, *, is_html: bool = True) -> str:
    """The text of a label: tags gone, entities decoded, `<br>` and blocks as line breaks, runs of space as one.

    is_html: the style says `html=1`. Elsewhere draw.io shows what is written, `List<String>`, and only what is surely HTML is
    taken for it.
    """
    if "<" not in label and "&" not in label:
        return _tidy(label[:LABEL_CHARACTERS])
    text = _SILENT.sub("", _beginning(label))
    text = _TAG.sub(_replacement if is_html else _sure_replacement, text)
    return _tidy(html.unescape(text)[:LABEL_CHARACTERS])


def _beginning(label: str) -> str:
    """As much of a label as is looked at; a tag that the cut goes through is no text."""
    cut = label[:MARKUP_CHARACTERS]
    return cut[: cut.rindex("<")] if len(cut) < len(label) and cut.rfind("<") > cut.rfind(">") else cut


def _sure_replacement(tag: re.Match[str]) -> str:
    """Like `_replacement`, but what no HTML element is called stays."""
    name = tag.group(2)
    return _replacement(tag) if name is None or name.lower() in _BREAKS | _ELEMENTS else tag.group(0)


def _replacement(tag: re.Match[str]) -> str:
    name = (tag.group(2) or "").lower()
    if name in ("td", "th"):
        return "" if tag.group(1) else " "
    return "\n" if name in _BREAKS else ""


def _tidy(text: str) -> str:
    if "\n" not in text and "\t" not in text and "  " not in text and "\xa0" not in text and "\r" not in text:
        return text.strip()
    return _LINES.sub("\n", _SPACES.sub(" ", text.replace("\xa0", " ").replace("\r", ""))).strip()


def filled(label: str, lookup: Callable[[str], str | None]) -> str:
    """A label with its `%name%` replaced; names that nobody knows stay as they are."""

    def value(match: re.Match[str]) -> str:
        found = lookup(match.group(1))
        return match.group(0) if found is None else found

    return _PLACEHOLDER.sub(value, label)

"""The `style` elements of an SVG: which rules there are and to what they apply (CSS Syntax 3, Cascading 4, Media Queries 4).

The medium is a screen, as in a browser. Nothing is fetched. What is not understood is left out, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import tinycss2
from cssselect2 import Matcher, SelectorError, compile_selector_list

from spatial.formats import markup
from spatial.formats.svg.style.declarations import Block, block_of, is_nested_deeper
from spatial.formats.svg.style.matching import Budget, BudgetExceededError, match

CHARACTERS: Final = 1_000_000
"""Most characters of all style sheets of a file: some seconds of parsing."""

SELECTORS: Final = 5_000
"""Most selectors of one file."""

SELECTOR_TOKENS: Final = 64
"""Longest selector; cssselect2 compiles each into one expression, and the compiler of Python recurses."""

SELECTOR_NESTING: Final = 3
"""Deepest `:not()`, `:is()` and `:has()` in one another."""

_QUIET: Final = frozenset(
    {"charset", "font-face", "keyframes", "page", "font-feature-values", "counter-style", "property"}
)
"""At-rules that change nothing that is read."""

_MEDIA: Final = frozenset({"all", "screen"})


class Matched:
    """What rules declare for some elements, the most specific last; a thing of its own, so that many blocks are compared at once."""

    __slots__ = ("blocks",)

    def __init__(self, blocks: list[Block]) -> None:
        self.blocks = blocks


NONE: Final = Matched([])

MATCHED: Final = 4096
"""Most of these that are told apart; a drawing may have as many as shapes."""


class StyleSheet:
    """The rules of all `style` elements."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self._matcher = Matcher()
        self._budget = Budget()
        self._namespaces: dict[str | None, str] = {}
        self._selectors = 0
        self.is_local = True
        """Whether tag, class and id of an element decide which rules it has."""
        self._ids: set[str] = set()
        self._known: dict[tuple[str, str | None, str | None], Matched] = {}
        self._distinct: dict[tuple[int, ...], Matched] = {}
        """By the blocks, all of which the matcher holds."""

    @classmethod
    def of(cls, root: Any) -> StyleSheet:
        """Of a whole file."""
        sheet, left = cls(), CHARACTERS
        for element in root.iter("{*}style"):
            if (element.get("type") or "text/css").partition(";")[0].strip().lower() != "text/css":
                continue
            if not sheet._is_medium(tinycss2.parse_component_value_list(element.get("media") or "all", True)):
                continue
            text = "".join(element.itertext())
            if len(text) > left:
                sheet._warn(f"the style sheets are longer than {CHARACTERS:,} characters; what follows is left out")
            sheet.check_variables(text)
            sheet._add(tinycss2.parse_stylesheet(text[:left], skip_comments=True, skip_whitespace=True))
            left = max(0, left - len(text))
        return sheet

    def check_variables(self, text: str) -> None:
        """Report custom properties: what is declared with them is left out."""
        if "var(" in text:
            self._warn("values with custom properties (var()) are not evaluated and are left out")

    @property
    def has_rules(self) -> bool:
        """Whether any rule is left to match."""
        return self._selectors > 0

    @property
    def has_ids(self) -> bool:
        """Whether a rule asks for ids."""
        return bool(self._ids)

    def declared(self, element: Any, attributes: Mapping[str, str]) -> Matched:
        """What the rules declare for an element with these attributes; the same thing for two elements for which they declare the same."""
        if not self.has_rules:
            return NONE
        if not self.is_local:
            return self._matched(element)
        name = attributes.get("id")
        key = (element.tag, attributes.get("class"), name if name in self._ids else None)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._matched(element)
        return found

    def _matched(self, element: Any) -> Matched:
        try:
            blocks = match(self._matcher, element, self._budget)
        except BudgetExceededError:
            self._selectors = 0
            name = markup.local(element)
            self._warn(f"the style sheets take too many steps to match; from a <{name}> on, their rules are left out")
            return NONE
        if not blocks:
            return NONE
        if len(self._distinct) >= MATCHED:
            self._distinct.clear()
        return self._distinct.setdefault(tuple(map(id, blocks)), Matched(blocks))

    def _add(self, rules: Iterable[Any]) -> None:
        """Add rules; a stack holds those of @media in @media."""
        waiting = list(rules)[::-1]
        while waiting:
            rule = waiting.pop()
            if rule.type == "qualified-rule":
                self._add_rule(rule)
            elif rule.type == "at-rule" and rule.lower_at_keyword == "media":
                if rule.content is not None and self._is_medium(rule.prelude):
                    waiting += tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)[::-1]
            elif rule.type == "at-rule":
                self._skip(rule)
            elif rule.type == "error":
                self._warn("a part of a style sheet is malformed and is left out")

    def _skip(self, rule: Any) -> None:
        """Report an at-rule that is left out."""
        name = rule.lower_at_keyword
        if name == "namespace":
            self._add_namespace([token for token in rule.prelude if token.type not in ("whitespace", "comment")])
        elif name == "import":
            self._warn("a style sheet imports another, which is not fetched; its rules are missing")
        elif name.removeprefix("-webkit-").removeprefix("-moz-") not in _QUIET:
            self._warn(f"the rules of @{name[:40]} in a style sheet are not evaluated and are left out")

    def _add_namespace(self, tokens: Sequence[Any]) -> None:
        if tokens and tokens[-1].type in ("string", "url"):
            self._namespaces[tokens[0].value if tokens[0].type == "ident" else None] = tokens[-1].value

    def _add_rule(self, rule: Any) -> None:
        if self._selectors >= SELECTORS:
            self._warn(f"the style sheets have more than {SELECTORS:,} selectors; what follows is left out")
            return
        contents = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        if any(each.type == "qualified-rule" for each in contents):
            self._warn("rules within rules of a style sheet are not evaluated and are left out")
        block = block_of(contents)
        if not block.normal and not block.important:
            return
        for selector in self._compile(rule.prelude):
            self._selectors += 1
            self._matcher.add_selector(selector, block)

    def _compile(self, prelude: Sequence[Any]) -> list[Any]:
        """The selectors of a rule; one that is not understood invalidates the rule, as CSS has it."""
        parts = _split(prelude)
        if any(len(part) > SELECTOR_TOKENS for part in parts) or is_nested_deeper(prelude, SELECTOR_NESTING):
            self._warn(
                f"a rule of a style sheet is left out: one of its selectors has more than {SELECTOR_TOKENS} tokens or "
                f"{SELECTOR_NESTING} levels of brackets; write shorter selectors"
            )
            return []
        try:
            compiled: list[Any] = compile_selector_list(list(prelude), self._namespaces)
        except (SelectorError, NotImplementedError):
            self._warn(
                f"a rule of a style sheet is left out: {tinycss2.serialize(prelude).strip()[:60]!r} is not understood"
            )
            return []
        self.is_local = self.is_local and all(_names_alone(part) for part in parts)
        self._ids.update(token.value for token in prelude if token.type == "hash")
        return compiled

    def _is_medium(self, prelude: Sequence[Any]) -> bool:
        """Whether a list of media queries holds for a screen; conditions on its size are not known."""
        return any(self._is_query(part) for part in _split(prelude))

    def _is_query(self, tokens: Sequence[Any]) -> bool:
        words = [token.lower_value for token in tokens if token.type == "ident"]
        inverted, words = words[:1] == ["not"], [word for word in words if word not in ("not", "only", "and")]
        is_screen = not words or words[0] in _MEDIA
        if any(token.type in ("() block", "function") for token in tokens) and is_screen != inverted:
            self._warn("rules of a style sheet depend on properties of the screen (@media) and are left out")
            return False
        return is_screen != inverted

    def _warn(self, words: str) -> None:
        if words not in self.warnings and len(self.warnings) < 20:
            self.warnings.append(words)


def _names_alone(selector: Sequence[Any]) -> bool:
    """Whether name, class and id of an element decide whether it is selected: no other element, attribute or pseudo-class."""
    tokens = [token for token in selector if token.type != "comment"]
    while tokens and tokens[0].type == "whitespace":
        tokens.pop(0)
    while tokens and tokens[-1].type == "whitespace":
        tokens.pop()
    return all(
        token.type in ("ident", "hash") or (token.type == "literal" and token.value in (".", "*", "|"))
        for token in tokens
    )


def _split(tokens: Sequence[Any]) -> list[list[Any]]:
    """The parts between commas."""
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts

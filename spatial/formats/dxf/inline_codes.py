"""The inline codes of an MTEXT: words, stacks and spaces as a person reads them."""

from __future__ import annotations

import re
from typing import Final

from spatial.formats.dxf.mtext_tokens import Token, tokens
from spatial.formats.dxf.text_codes import GAP, drawn_text, with_signs

GAP_HEIGHT: Final = 1e-3
"""Letters as low as this are there for the machine only."""

_STACK: Final = re.compile(r"\\S[^;]{0,200};")
_DEVIATION: Final = re.compile(r"\s*[+\-±]?\s*[\d.,]+\s*°?\s*")
_DEVIATIONS: Final = re.compile(rf" {_DEVIATION.pattern}/{_DEVIATION.pattern}")
"""A stack of two deviations, as it is joined."""


def joined_tokens(text: str, font: str) -> str:
    """The lines of an MTEXT; control codes (`%%c`) stand in them as they are. font: of its style."""
    words = _PlainText(font)
    for token in tokens(_shielded(text)):
        words.add(token)
    return words.joined()


def _shielded(text: str) -> str:
    """With the caret of stacked deviations as a caret, which is written `^ `."""
    # `\\S+0.2^-0.1;` is what people type, and `^-` a control character.
    return _STACK.sub(lambda found: re.sub(r"\^(?! )", "^ ", found[0]), text)


class _PlainText:
    """Tokens as they come, joined to lines."""

    def __init__(self, font: str) -> None:
        self.font = font
        self.pieces: list[str] = []
        self.minute = False
        self.closing = False

    def add(self, token: Token) -> None:
        """One more token."""
        if token.height < GAP_HEIGHT:
            self._add_minute(token)
        elif isinstance(token.data, tuple):
            self._add(self._stack(*token.data, token))
        elif token.kind == "word":
            self._add(self._apart(self._word(token.data, token)))
        elif token.kind == "line":
            self._add("\n")
        elif token.kind == "tab":
            self._add("\t")
        else:
            self._space()

    def _add(self, piece: str) -> None:
        self.minute, self.closing = False, piece == GAP
        self.pieces.append(piece)

    def _add_minute(self, token: Token) -> None:
        """The first minute space opens a gap, the second closes it."""
        if token.kind != "word":
            self.minute, self.closing = not self.closing, False

    def _space(self) -> None:
        self._add(GAP if self.minute else " ")

    def _word(self, word: str, token: Token) -> str:
        return drawn_text(word, token.font or self.font)

    def _stack(self, upper: str, lower: str, kind: str, token: Token) -> str:
        upper, lower = (self._word(with_signs(part), token).strip() for part in (upper, lower))
        if kind in ("/", "#"):
            before = self._before()
            return f"{' ' if before.isdigit() else ''}{upper}/{lower}"
        if not lower or not upper:
            return f" {upper or lower}" if self._before().isdigit() else upper or lower
        if _DEVIATION.fullmatch(upper) and _DEVIATION.fullmatch(lower):
            return f" {upper}/{lower}"
        return f"{upper}/{lower}"

    def _apart(self, word: str) -> str:
        """A word apart from deviations that it follows without a space: `4X` behind a stack belongs to no digit of it."""
        is_glued = bool(self.pieces) and _DEVIATIONS.fullmatch(self.pieces[-1]) and word[:1].isalnum()
        return f" {word}" if is_glued else word

    def _before(self) -> str:
        return self.pieces[-1][-1:] if self.pieces else ""

    def joined(self) -> str:
        return "".join(self.pieces)

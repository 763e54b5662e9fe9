"""The inline codes of an MTEXT, which ezdxf takes apart: words, stacks and spaces as a person reads them."""

from __future__ import annotations

import re
from typing import Final

from spatial.formats.dxf.ezdxf_names import MTextContext, MTextParser, TokenType
from spatial.formats.dxf.text_codes import GAP, drawn_text, with_signs

GAP_HEIGHT: Final = 1e-3
"""Letters as low as this are there for the machine only."""

_UNSET_FAMILY: Final = MTextContext().font_face.family
"""What MTextParser calls the font of the style."""

_STACK: Final = re.compile(r"\\S[^;]{0,200};")
_DEVIATION: Final = re.compile(r"\s*[+\-±]?\s*[\d.,]+\s*°?\s*")


def joined_tokens(text: str, font: str) -> str:
    """The lines of an MTEXT; control codes (`%%c`) stand in them as they are. font: of its style."""
    words = _PlainText(font)
    for token in MTextParser(_shielded(text)):
        words.add(token.type, token.data, token.ctx)
    return words.joined()


def _shielded(text: str) -> str:
    """With the caret of stacked deviations kept out of MTextParser's way."""
    # `\\S+0.2^-0.1;` is what people type; MTextParser takes `^-` for a control character, `^ ` for a caret.
    return _STACK.sub(lambda found: re.sub(r"\^(?! )", "^ ", found[0]), text)


class _PlainText:
    """Tokens as they come, joined to lines."""

    def __init__(self, font: str) -> None:
        self.font = font
        self.pieces: list[str] = []
        self.minute = False
        self.closing = False

    def add(self, type: TokenType, data: object, context: MTextContext) -> None:
        """One more token."""
        if context.cap_height < GAP_HEIGHT:
            self._add_minute(type)
        elif type == TokenType.WORD:
            self._add(self._word(str(data), context))
        elif type == TokenType.STACK:
            self._add(self._stack(data, context))
        elif type in (TokenType.NEW_PARAGRAPH, TokenType.NEW_COLUMN, TokenType.WRAP_AT_DIMLINE):
            self._add("\n")
        elif type == TokenType.TABULATOR:
            self._add("\t")
        else:
            self._space()

    def _add(self, piece: str) -> None:
        self.minute, self.closing = False, piece == GAP
        self.pieces.append(piece)

    def _add_minute(self, type: TokenType) -> None:
        """The first minute space opens a gap, the second closes it."""
        if type != TokenType.WORD:
            self.minute, self.closing = not self.closing, False

    def _space(self) -> None:
        self._add(GAP if self.minute else " ")

    def _word(self, word: str, context: MTextContext) -> str:
        return drawn_text(word, self._font(context))

    def _font(self, context: MTextContext) -> str:
        family = context.font_face.family
        return self.font if family == _UNSET_FAMILY else family or self.font

    def _stack(self, data: object, context: MTextContext) -> str:
        upper, lower, kind = (str(part) for part in data)  # type: ignore[attr-defined]  # a triple
        upper, lower = (self._word(with_signs(part), context).strip() for part in (upper, lower))
        if kind in ("/", "#"):
            before = self._before()
            return f"{' ' if before.isdigit() else ''}{upper}/{lower}"
        if not lower or not upper:
            return f" {upper or lower}" if self._before().isdigit() else upper or lower
        if _DEVIATION.fullmatch(upper) and _DEVIATION.fullmatch(lower):
            return f" {upper}/{lower}"
        return f"{upper}/{lower}"

    def _before(self) -> str:
        return self.pieces[-1][-1:] if self.pieces else ""

    def joined(self) -> str:
        return "".join(self.pieces)

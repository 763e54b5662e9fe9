"""The content of an MTEXT, taken apart at its inline codes.

Source: AutoCAD help, "Format codes for multiline text"; what it leaves open is as `ezdxf.tools.text.MTextParser` has it, with which
tests compare.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["word", "stack", "line", "tab", "space"]
"""line: the begin of another line or column."""
Stack: TypeAlias = tuple[str, str, str]
"""What stands above, what below, and the sign between: `^`, `/`, `#`, or nothing, and then there is nothing below."""


class Token(NamedTuple):
    """A piece, and the lettering that it is in."""

    kind: Kind
    data: str | Stack
    """Of a word or a stack."""
    font: str | None
    """As the content names it; None where it is that of the style."""
    height: float
    """Of letters, 1 being that of the entity where the content gives no other."""


class _Lettering(NamedTuple):
    font: str | None = None
    height: float = 1.0


_CARET: Final = re.compile(r"\^(.)")
_PLAIN: Final = re.compile(r"[^\x00-\x20\\{}%]+")
_STACK: Final = re.compile(r"(?:\\;|[^;])*")
_TO_SEMICOLON: Final = re.compile(r"[^;]*")
_NUMBER: Final = r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
_VALUES: Final = {
    **dict.fromkeys("HWT", re.compile(rf"(?:{_NUMBER}(x?))?;?")),
    "Q": re.compile(rf"{_NUMBER}?;?"),
    **dict.fromkeys("Cc", re.compile(r"\d*;?")),
    "A": re.compile(r"(?s:.)?;?"),
    "p": re.compile(r"[^;]*;?"),
    **dict.fromkeys("LlOoKk", re.compile("")),
}
"""Codes, and the value that belongs to each; all but H change what is no matter here."""
_SIGNS: Final = {"c": "Ø", "d": "°", "p": "±", "%": "%"}
"""Of control codes. The others stand as they are."""
_BREAKS: Final[dict[str, Kind]] = {"~": "space", "P": "line", "N": "line", "X": "line"}
_BLANKS: Final[dict[str, Kind]] = {"\t": "tab", "\n": "line"}
"""Control characters; the others and the blank are a space."""


def tokens(content: str) -> Iterator[Token]:
    """Its pieces in order."""
    return _Tokens(_CARET.sub(lambda found: chr((ord(found[1]) - 64) % 126), content)).read()


class _Tokens:
    """A content while it is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lettering = _Lettering()
        self.outer: list[_Lettering] = []
        """Lettering of the groups around."""
        self.word = ""

    def read(self) -> Iterator[Token]:
        while self.at < len(self.text):
            plain = _PLAIN.match(self.text, self.at)
            if plain is not None:
                self.word += plain[0]
                self.at = plain.end()
                continue
            yield from self._sign(self.text[self.at])
        yield from self._ended_word()

    def _sign(self, sign: str) -> Iterator[Token]:
        """What is no letter of a word, or may be none."""
        if sign == "\\":
            yield from self._backslash()
        elif sign == "%":
            self._percent()
        elif sign in "{}":
            yield from self._ended_word()
            self.at += 1
            self._group(sign)
        else:
            self.at += 1
            yield from self._between(_BLANKS.get(sign, "space"))

    def _group(self, sign: str) -> None:
        if sign == "{":
            self.outer.append(self.lettering)
        elif self.outer:
            self.lettering = self.outer.pop()

    def _percent(self) -> None:
        sign = _SIGNS.get(self.text[self.at + 2 : self.at + 3].lower()) if self.text.startswith("%%", self.at) else None
        self.word += sign or "%"
        self.at += 3 if sign else 1

    def _backslash(self) -> Iterator[Token]:
        code = self.text[self.at + 1 : self.at + 2]
        if code in ("\\", "{", "}"):
            self.word += code
            self.at += 2
            return
        if not code:
            self.at += 1
            yield from self._between("space")
            return
        yield from self._ended_word()
        self.at += 2
        if code in _BREAKS:
            yield self._token(_BREAKS[code])
        elif code == "S":
            yield self._token("stack", self._stack())
        elif code in "fF":
            self._set_font()
        elif code in _VALUES:
            self._set_value(code)
        else:
            self.word = f"\\{code}"

    def _set_font(self) -> None:
        found = self._taken(_TO_SEMICOLON)[0]
        self.at += 1
        if name := found.split("|")[0]:
            self.lettering = self.lettering._replace(font=name)

    def _set_value(self, code: str) -> None:
        found = self._taken(_VALUES[code])
        if code == "H" and found[1]:
            number = abs(float(found[1]))
            self.lettering = self.lettering._replace(height=self.lettering.height * number if found[2] else number)

    def _stack(self) -> Stack:
        content = self._taken(_STACK)[0]
        self.at += 1
        above, below, sign, place = "", "", "", 0
        while place < len(content):
            is_escaped = content[place] == "\\"
            place += is_escaped
            letter = content[place : place + 1]
            place += 1
            if not sign and not is_escaped and letter in "^/#":
                sign = letter
                continue
            letter = " " if "" < letter < " " else letter
            above, below = (above, below + letter) if sign else (above + letter, below)
        return above, below, sign

    def _taken(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """What a pattern, which may match nothing, finds here."""
        found = pattern.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        return found

    def _between(self, kind: Kind) -> Iterator[Token]:
        yield from self._ended_word()
        yield self._token(kind)

    def _ended_word(self) -> Iterator[Token]:
        if self.word:
            yield self._token("word", self.word)
            self.word = ""

    def _token(self, kind: Kind, data: str | Stack = "") -> Token:
        return Token(kind, data, *self.lettering)

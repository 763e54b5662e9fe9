"""What a person reads in texts and dimensions of a DXF."""

from __future__ import annotations

import random

import pytest
from ezdxf.tools.text import MTextContext, MTextParser, TokenType, plain_mtext

from spatial.formats.dxf import mtext, text_codes
from spatial.formats.dxf.dimension import text_of
from spatial.formats.dxf.dimstyle import Variables, angle_text, length_text, written
from spatial.formats.dxf.mtext_tokens import tokens
from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.tags import Record


@pytest.mark.requirement("dxf.text-codes")
@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("%%c10 %%p0.1", "Ø10 ±0.1"),
        ("45%%d %%uunder%%u 50%%%", "45° under 50%"),
        ("%%129 6", "Ø 6"),
        (r"\U+2205 8 \U+00B1", "Ø 8 ±"),
        (r"\M+18140", "\u3000"),
        ("a^Ib", "a\tb"),
    ],
)
def test_codes_of_a_line(raw: str, read: str) -> None:
    assert text_codes.plain_line(raw) == read


@pytest.mark.requirement("dxf.text-codes")
@pytest.mark.parametrize("font", ["Symbol", "symbol.ttf", r"C:\Windows\Fonts\symbol.ttf", "SymbolMT"])
def test_a_style_in_the_symbol_font_draws_its_signs(font: str) -> None:
    assert text_codes.plain_line("Æ14 \uf0b10,1 %%c6", font) == "Ø14 ±0,1 Ø6"
    assert mtext.plain_mtext("Æ14", font) == "Ø14"


@pytest.mark.requirement("dxf.text-codes")
@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (r"\A1;2{\H1.000000x;\S1#2;}" + '"', '2 1/2"'),
        (r"10{\H0.7x;\S+0.2^-0.1;}", "10 +0.2/-0.1"),
        (r"10\S+0.2^ -0.1;", "10 +0.2/-0.1"),
        (r"10\S+0.2^ -0.1;4X", "10 +0.2/-0.1 4X"),
        (r"10{\H0.7x;\S+0.2^ 0;}TYP)", "10 +0.2/0 TYP)"),
        (r"{\fArial|b1;Bold}\Pnext\Nthird", "Bold\nnext\nthird"),
        (r"{\Fgdt|c0;n}12 {\fAMGDT|b0;x}5", "Ø12 ↧5"),
        (r"{\fSymbol|b0|i0|c2|p18;Æ}14 {\FSYMBOL.TTF;±}0,1", "Ø14 ±0,1"),
        (r"{\fSymbol|c2;%%c\U+00B3%%d a}5", "Ø≥° α5"),
        (r"{\fSymbolic;Æ}14", "Æ14"),
        (r"\pi-3,l3,t3;1.^Ifirst", "1.\tfirst"),
        (r"\\ \{ \}", "\\ { }"),
        ("%%c5 %%nope", "Ø5 %%nope"),
    ],
)
def test_codes_of_paragraphs(raw: str, read: str) -> None:
    assert mtext.plain_mtext(raw) == read


@pytest.mark.requirement("dxf.text-codes")
@pytest.mark.parametrize("raw", [r"{\C1;red} \Lline\l", r"{\H3x;{\W0.8;a}b}c", r"\T1.2;wide \Q15;slant"])
def test_paragraphs_read_as_ezdxf_reads_them(raw: str) -> None:
    assert mtext.plain_mtext(raw) == plain_mtext(raw)


@pytest.mark.requirement("dxf.tolerance-frame")
def test_frames_are_cells_of_signs() -> None:
    raw = r"{\Fgdt;j}%%v{\Fgdt;n}0.2{\Fgdt;m}%%vA%%vB%%v%%v^J{\Fgdt;b}%%v0.05%%vC%%v%%v%%v"
    assert mtext.plain_tolerance(raw) == "⌖|Ø0.2Ⓜ|A|B\n⊥|0.05|C"


def variables(**settings: float | str) -> Variables:
    codes = {
        "post": 3, "lfac": 144, "dec": 271, "zin": 78, "rnd": 45, "tol": 71, "lim": 72, "tp": 47, "tm": 48, "tdec": 272,
        "lunit": 277, "dsep": 278, "alt": 170, "altd": 171, "adec": 179, "aunit": 275,
    }  # fmt: skip
    overrides: dict[int, Value] = {codes[name]: value for name, value in settings.items()}
    return Variables(None, overrides)


@pytest.mark.requirement("dxf.dimension-text")
@pytest.mark.parametrize(
    ("value", "settings", "read"),
    [
        (12.5, {"dec": 2}, "12.50"),
        (12.5, {"dec": 2, "zin": 8}, "12.5"),
        (0.5, {"dec": 2, "zin": 12}, ".5"),
        (12.345, {"dec": 2, "dsep": 44}, "12,35"),
        (12.3, {"dec": 1, "rnd": 0.5}, "12.5"),
        (8, {"dec": 0, "post": "<> mm"}, "8 mm"),
        (8, {"dec": 0, "post": "4x <>"}, "4x 8"),
        (10, {"dec": 0, "tol": 1, "tp": 0.1, "tm": 0.1, "tdec": 1}, "10±0.1"),
        (10, {"dec": 0, "tol": 1, "tp": 0.2, "tm": 0.1, "tdec": 1}, "10 +0.2/-0.1"),
        (10, {"dec": 1, "lim": 1, "tp": 0.2, "tm": 0.1}, "10.2/9.9"),
        (25.4, {"dec": 1, "alt": 1, "altd": 0}, "25.4 [645]"),
        (2.5, {"lunit": 5, "dec": 4}, "2 1/2"),
        (14.5, {"lunit": 4, "dec": 4}, "1'-2 1/2\""),
        (24, {"lunit": 4, "dec": 4}, "2'"),
        (24, {"lunit": 4, "dec": 4, "zin": 1}, "2'-0\""),
        (6.25, {"lunit": 4, "dec": 4}, '6 1/4"'),
    ],
)
def test_lengths_are_written_by_their_style(value: float, settings: dict[str, float], read: str) -> None:
    assert length_text(value, variables(**settings)) == read


@pytest.mark.requirement("dxf.dimension-text")
def test_signs_angles_and_zero() -> None:
    assert length_text(6, variables(dec=0), "Ø") == "Ø6"
    assert angle_text(44.96, variables(adec=1)) == "45.0°"
    assert angle_text(30.5, variables(adec=2, aunit=1)) == "30°30'"
    assert written(-0.001, 2, 1, 0) == "0.0"


@pytest.mark.requirement("dxf.dimension-text")
@pytest.mark.parametrize(
    ("user", "shown", "read"),
    [
        ("", None, "Ø6"),
        ("<>", None, "Ø6"),
        ("4X <> THRU", None, "4X Ø6 THRU"),
        ("REF", None, "REF"),
        (" ", None, None),
        ("4X <>", "4X Ø6.0", "4X Ø6.0"),
    ],
)
def test_the_users_text(user: str, shown: str | None, read: str | None) -> None:
    record = Record("DIMENSION", [1], [user])
    assert text_of(record, "diameter", 6.0, variables(dec=0), shown) == read


PIECES = (
    "\\", "{", "}", ";", "%", "%%c", "%%P", "%%u", "%%%", "%%065", "^", "^I", "^J", "^ ", "^-", "\\P", "\\N", "\\X", "\\~",
    "\\S", "\\S1/2;", "\\S+0.1^ -0.2;", "\\S1#2", "\\Sa\\;b^c;", "\\f", "\\Fgdt;", "\\fArial|b0|i1;", "\\H", "\\H2.5;",
    "\\H0.7x;", "\\H.5x", "\\H1e-9;", "\\W0.8;", "\\T1.1;", "\\Q15;", "\\A1;", "\\C7;", "\\c255;", "\\C", "\\L", "\\l", "\\K",
    "\\pi-3,l3,t3;", "\\pxqc;", "\\U+2205", "\\M", "a", "12", ".", " ", "\t", "\n", "\x00", "\xe9", "\u65e5", "x", "|", "/", "#",
    "-", "1e5", "\\\\", "\\{", "\\}", "\\;",
)  # fmt: skip
"""Of which contents of MTEXT are made, whole codes and halves."""

KINDS = {
    TokenType.WORD: "word",
    TokenType.STACK: "stack",
    TokenType.SPACE: "space",
    TokenType.NBSP: "space",
    TokenType.TABULATOR: "tab",
    TokenType.NEW_PARAGRAPH: "line",
    TokenType.NEW_COLUMN: "line",
    TokenType.WRAP_AT_DIMLINE: "line",
}


def by_ezdxf(content: str) -> list[tuple[object, ...]] | None:
    """The tokens of a content after ezdxf, which some broken stacks and alignments fail."""
    unset = MTextContext().font_face.family
    found: list[tuple[object, ...]] = []
    try:
        for token in MTextParser(content):
            family = token.ctx.font_face.family
            found.append(
                (KINDS[token.type], token.data or "", None if family == unset else family, token.ctx.cap_height)
            )
    except (TypeError, ValueError):
        return None
    return found


@pytest.mark.requirement("dxf.text-codes")
def test_inline_codes_are_taken_apart_as_by_ezdxf() -> None:
    chosen = random.Random(15)
    read = 0
    for _ in range(3_000):
        content = "".join(chosen.choices(PIECES, k=chosen.randrange(15)))
        expected, found = by_ezdxf(content), [tuple(token) for token in tokens(content)]
        read += expected is not None
        assert found == expected or expected is None, content
    assert read > 2_500

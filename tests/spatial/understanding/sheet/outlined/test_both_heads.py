"""What the head of lettering sees stands, with the doubt of the head that knows words."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.outlined.both_heads import DOUBT, together
from spatial.understanding.sheet.outlined.read_character import ReadCharacter

STEP = 8.0


def line(
    text: str, chance: float = 0.99, others: str = "", rest: float = 0.01, shift: float = 0.0
) -> list[ReadCharacter]:
    """Characters three steps apart, every one with the same others. rest: the chance of those."""
    return [
        ReadCharacter(sign, chance, begin, begin + STEP, tuple((other, rest) for other in others if other != sign))
        for begin, sign in ((shift + 3 * STEP * place, sign) for place, sign in enumerate(text))
    ]


def text_of(characters: list[ReadCharacter]) -> str:
    return "".join(each.sign for each in characters)


@pytest.mark.requirement("lines.heads")
def test_what_both_see_is_surer_and_what_one_sees_is_doubted() -> None:
    agreed = together(line("R2.5", 0.8), line("R2.5", 0.8), STEP)
    assert text_of(agreed) == "R2.5" and [each.chance for each in agreed] == pytest.approx([0.96] * 4)
    doubted = together(line("72.5", 0.9), line("T2.5", 0.9), STEP)
    assert text_of(doubted) == "72.5" and doubted[0].chance == pytest.approx(0.9 * (1.0 - (1.0 - DOUBT) * 0.9))
    unsure = together(line("4mm.", 0.5), line("4mm、", 0.9), STEP)
    assert text_of(unsure) == "4mm,"
    alone = together(line("2.5", 0.9), [], STEP)
    assert [each.chance for each in alone] == [0.9] * 3


@pytest.mark.requirement("lines.heads")
def test_a_line_that_the_head_of_words_is_sure_of_is_its_line() -> None:
    assert text_of(together(line("Holow"), line("Hollow"), STEP)) == "Hollow"
    assert text_of(together(line("72.5"), line("T2.5", 0.9), STEP)) == "72.5", "a line in doubt is not"


@pytest.mark.requirement("lines.heads")
def test_blanks_are_no_characters_of_the_other_head() -> None:
    assert together(line("1 OF 1"), line("1OF 1 ", 0.9), STEP)[0].chance > 0.99
    shifted = together(line("1 2"), line(" 1 2", 0.9, shift=-2.5 * STEP), STEP)
    assert text_of(shifted) == "1 2" and min(each.chance for each in shifted) >= 0.99


@pytest.mark.requirement("lines.heads")
def test_a_word_decides_among_look_alikes() -> None:
    assert text_of(together(line("N0T", 0.9, others="O"), line("NOT", 0.9), STEP)) == "NOT"
    assert text_of(together(line("C□MMENTS", 0.9), line("COMMENTS", 0.9), STEP)) == "COMMENTS"
    assert text_of(together(line("105", 0.99), line("1O5", 0.6, others="0", rest=0.39), STEP)) == "105"


@pytest.mark.requirement("lines.heads")
@pytest.mark.parametrize("chance", [0.9, 0.99])
def test_a_diameter_that_begins_a_number_is_no_zero_and_a_struck_zero_within_one_is(chance: float) -> None:
    begins = together(line("Ø12"), line("012", chance), STEP)
    assert text_of(begins) == "Ø12" and begins[0].chance == 0.99
    assert text_of(together(line("4x Ø12"), line("4x 012", chance), STEP)) == "4x Ø12"
    assert text_of(together(line("3Ø3"), line("303", chance), STEP)) == "303"


@pytest.mark.requirement("lines.heads")
@pytest.mark.parametrize("chance", [0.9, 0.99])
def test_characters_that_the_network_has_not_are_not_doubted(chance: float) -> None:
    read = together(line("ШЛИФ⌵"), line("WNNOV", chance), STEP)
    assert text_of(read) == "ШЛИФ⌵" and [each.chance for each in read] == [0.99] * 5


@pytest.mark.requirement("lines.heads")
def test_a_row_of_rings_with_slots_is_what_the_other_head_sees() -> None:
    assert text_of(together(line("ØØØØ0"), line("000", 0.5), STEP)) == "000"
    assert text_of(together(line("Ø8 Ø19 Ø10"), line("08 019 010", 0.9), STEP)) == "Ø8 Ø19 Ø10"

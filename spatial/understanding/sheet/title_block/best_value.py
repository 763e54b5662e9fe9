"""The value of a field among the texts that stand where it should."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.fields import FIELDS, can_be, is_distinctive, is_empty_statement
from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.value_forms import COLONS, DASHES, FILE_NAME, has_digit, tidy
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.items import Item, joined, rows, without_labelled
from spatial.understanding.sheet.title_block.tolerance_box import tolerances

_OF_ONE_WORD: Final = frozenset({"units", "cage_code"})
"""Keys whose value is one word, however far apart its letters are set: "INC HES"."""
_OF_THE_PART: Final = frozenset({"material", "finish"})
"""Keys of what the part is made of and covered with."""
_MODEL: Final = re.compile(r"[^\W\d_]-?\d{1,4}")
"""A letter and figures, which name a thing where a label says that they do: "X6"."""
NUMBERS: Final = frozenset({"drawing_number", "part_number"})
"""Keys of numbers."""


def best(key: str, items: Sequence[Item]) -> tuple[str, Sequence[Item]]:
    """The value of `key` that `items` make together, or one of them does; empty where they make none."""
    if key == "tolerances":
        return tolerances(items), items
    if _is_whole(key, items):
        return tidy(joined(items)), items
    return _of_some(key, items)


def _is_whole(key: str, items: Sequence[Item]) -> bool:
    """Whether several pieces make a value of a form together: a stroke between two numbers fills an empty field elsewhere."""
    in_pieces = len(items) > 2 and FIELDS[key].is_formed and not any(item.wording for item in items)
    return in_pieces and is_distinctive(key, tidy(joined(items)))


def _of_some(key: str, items: Sequence[Item]) -> tuple[str, Sequence[Item]]:
    """The value that `items` make once labels and what fills an empty field are left out."""
    if len(items) > 1 and is_empty_statement(key, tidy(joined(items))):
        # "Material <not" over "specified>".
        return "", ()
    kept = [
        item
        for item in items
        if item.wording is None
        and not is_empty_statement(key, item.text)
        and not is_form_sentence(item.text)
        and not item.text.rstrip().endswith(COLONS)
    ]
    kept = _once(key, without_labelled(_without_files(kept)))
    if key == "units":
        kept = [item for item in items if not is_template_text(item.text)]
    if not kept:
        first_issue = key == "revision" and len(items) == 1 and items[0].text.strip() in DASHES
        return (items[0].text.strip(), items) if first_issue else ("", ())
    kept = list(_of_key(key, kept))
    if not kept:
        return "", ()
    whole = tidy(joined(kept))
    if can_be(key, whole) or (key == "title" and len(kept) == 1 and _MODEL.fullmatch(whole) is not None):
        return whole, kept
    if key in _OF_ONE_WORD and can_be(key, closed := whole.replace(" ", "")):
        return closed, kept
    alone = [item for item in kept if can_be(key, tidy(item.text))]
    if FIELDS[key].is_formed and len(alone) == 1:
        return tidy(alone[0].text), alone
    tall = max(item.height for item in kept)
    large = [item for item in kept if item.height > 0.8 * tall]
    if not FIELDS[key].is_formed and len(large) < len(kept) and can_be(key, whole := tidy(joined(large))):
        return whole, large
    return "", ()


def _of_key(key: str, items: Sequence[Item]) -> Sequence[Item]:
    """`items` but for what names another thing: a company at an empty field of the part, a name over a number."""
    whole = tidy(joined(items))
    if key in _OF_THE_PART and values.is_company(whole) and not is_distinctive(key, whole):
        return ()
    return (name_over_number(items)[1] if key in NUMBERS else ()) or items


def name_over_number(items: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item]]:
    """The lines of a number's field that name the thing, and the last one, that numbers it; both empty where it has no such lines."""
    *names, last = rows(items)
    number = tidy(joined(last))
    is_named = names and all(_is_name(tidy(joined(line))) for line in names)
    is_numbered = (
        len(number.split()) == 1 and has_digit(number) and number.isupper() and can_be("drawing_number", number)
    )
    return ([item for line in names for item in line], last) if is_named and is_numbered else ((), ())


def _is_name(line: str) -> bool:
    """Whether a line is several words, one of them without figures."""
    words = line.split()
    return len(words) > 1 and can_be("title", line) and any(word.isalpha() and len(word) > 2 for word in words)


def _without_files(items: list[Item]) -> list[Item]:
    """`items` without names of files beside other lettering: a form prints its own path where there is room."""
    return [item for item in items if FILE_NAME.fullmatch(item.text.strip()) is None] or items


def _once(key: str, items: list[Item]) -> list[Item]:
    """`items` of a number of which one repeats all of the others or begins them: that one alone."""
    if key not in NUMBERS or len(items) < 2:
        return items
    shortest = min(items, key=lambda item: len(item.text.strip()))
    number = shortest.text.strip()
    repeated = all(item.text.strip() == number or item.text.strip().startswith(f"{number} ") for item in items)
    return [shortest] if repeated and has_digit(number) else items

"""Pages of which nothing is read: each has a warning of its own where they are few; where they are many, one warning counts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from spatial.counting import count_of, listed

FEW_PAGES: Final = 8
"""Pages of one kind that have a warning each."""
MOST_NAMED: Final = 20
"""Pictures that a warning names."""
MOST_RANGES: Final = 20
"""Ranges of pages that a warning names."""
_OVER: Final = "; the invisible text over it was left out"
_SEND: Final = "; send the PDF that the CAD program exports, or the CAD file"
_LOOK: Final = "; look at the page there and type what it says, or send a PDF without"


def without_text(page: int) -> str:
    """A page without lettering."""
    return f"page {page} has no text"


def is_image(page: int, *, has_text: bool) -> str:
    """A page whose lettering is pixels; has_text: whether text is shown invisibly over them."""
    return f"page {page} is an image: its lettering is pixels and was not read{_OVER if has_text else ''}{_SEND}"


def pictured(page: int, ids: Sequence[str]) -> list[str]:
    """A page on which pictures are painted over texts or lines; ids: their entities."""
    if not ids:
        return []
    said = count_of(len(ids), "picture covers", "pictures cover")
    whose = "its" if len(ids) == 1 else "their"
    what = f"what is drawn beneath, which is not visible; {whose} lettering is pixels and was not read"
    return [f"page {page}: {said} {what}: {listed(ids, MOST_NAMED)}{_LOOK} {'it' if len(ids) == 1 else 'them'}"]


def counted(warnings: Sequence[str], pages: Iterable[int]) -> list[str]:
    """`warnings`, those that more than FEW_PAGES of `pages` have alike as one that counts them, where the first of them stood."""
    numbers = list(pages)
    images = "pages are images: their lettering is pixels and was not read"
    found = _together(warnings, {without_text(page): page for page in numbers}, "pages have no text")
    found = _together(found, {is_image(page, has_text=False): page for page in numbers}, images, _SEND)
    return _together(found, {is_image(page, has_text=True): page for page in numbers}, images + _OVER, _SEND)


def _together(warnings: Sequence[str], said: dict[str, int], many: str, advice: str = "") -> list[str]:
    """said: each warning of one kind to its page; many, advice: what stands before the pages and after them."""
    places = [place for place, warning in enumerate(warnings) if warning in said]
    if len(places) <= FEW_PAGES:
        return list(warnings)
    pages = [said[warnings[place]] for place in places]
    rest = [warning for warning in warnings[places[0] :] if warning not in said]
    return [*warnings[: places[0]], f"{len(pages):,} {many}: {_ranges(pages)}{advice}", *rest]


def _ranges(pages: Sequence[int]) -> str:
    """Ascending pages: `1 to 240, 244`."""
    runs = [[page for _, page in run] for _, run in groupby(enumerate(pages), key=lambda each: each[1] - each[0])]
    return listed([f"{run[0]}" if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs], MOST_RANGES)

"""How many of the sizes of a sheet its document measures: what `dimensions` has, by text, length and kind.

A size counts as found only where its text is one of `dimensions`. A callout of that text is not enough: it says what is printed, and
a dimension what was measured, and between which points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tests.accuracy.spelling import same_text, spelled

if TYPE_CHECKING:
    from tests.accuracy.score import Score

Facts = Mapping[str, Any]
MEASURED: Final = ("basic", "fit", "hole", "limit", "radius", "reference_dimension", "tolerance")
"""Types of callouts that are sizes. A hole whose leader comes from a note may have no dimension line."""
COMPLETE: Final = "dimensions of complete labels"
SIZED: Final = "sizes of callouts"
CLOSE: Final = 0.005
"""Relative difference of a measured length from the right one: arrowheads end at the middle of a line or at its edge."""


def score_dimensions(truth: Facts, found: list[Facts], made: Score) -> None:
    """Plain sizes and those of callouts as a label lists them; all of a generated sheet, whose truth has `dimensions` of its own."""
    if "dimensions" in truth:
        _generated(truth, found, made)
        return
    labelled = truth.get("callouts") or []
    plain = [each for each in labelled if each.get("type") == "dimension" for _ in range(each.get("occurrences") or 1)]
    sized = [each for each in labelled if each.get("type") in MEASURED]
    _plain(plain, labelled, found, made, is_complete=truth.get("dimensions_complete") is True)
    read = {spelled(each.get("text")): each for each in found}
    for each in sized:
        has = any(_is_text(each, text) for text in read)
        _count(made, SIZED, has)
        _count(made, f"{SIZED} {each['type']}", has)


def _note(text: str, hit: Facts | None, made: Score, *, is_complete: bool) -> None:
    made.note("dimensions", hit is not None, f"dimension missed: {text!r}", text)
    if is_complete:
        _count(made, COMPLETE, hit is not None)


def _count(made: Score, name: str, is_right: bool) -> None:
    tally = made.tallies[name]
    tally.right, tally.missed = tally.right + is_right, tally.missed + (not is_right)


def _is_text(want: Facts, text: str) -> bool:
    return any(same_text(form, text) for form in (want.get("text"), want.get("text_layer")) if form)


def _plain(
    plain: list[Facts], labelled: Iterable[Facts], found: list[Facts], made: Score, *, is_complete: bool
) -> None:
    """As a multiset; what is found beside them is wrong where the label says that it lists them all."""
    hits = _hits(plain, found)
    for place, want in enumerate(plain):
        hit = hits.get(place)
        _note(str(want["text"]), hit, made, is_complete=is_complete)
        if hit is not None and is_complete:
            made.judge("dimensions", hit.get("confidence"), True)
    if is_complete:
        others = [each for each in labelled if each.get("type") != "dimension"]
        free = [each for each in found if each.get("text") and not any(each is hit for hit in hits.values())]
        _beside(free, [part for each in others for part in (each, *(each.get("parts") or ()))], made)


def _hits(plain: list[Facts], found: Iterable[Facts]) -> dict[int, Facts]:
    """The dimension of each size, by its place: by what is printed, then by what the text layer says of it (`Ø` as a drawn sign)."""
    free = [each for each in found if each.get("text")]
    hits: dict[int, Facts] = {}
    for form in ("text", "text_layer"):
        for place, want in enumerate(plain):
            if place in hits or not want.get(form):
                continue
            hit = next((each for each in free if spelled(each["text"]) == spelled(want[form])), None)
            if hit is not None:
                hits[place] = hit
                free = [each for each in free if each is not hit]
    return hits


def _beside(free: list[Facts], callouts: list[Facts], made: Score) -> None:
    """A size that is a callout in the label is listed there once, however often it stands on the sheet."""
    for each in free:
        if not any(_is_text(callout, each["text"]) for callout in callouts):
            made.invent(COMPLETE, f"dimension invented: {each['text']!r}", each["text"])
            made.judge("dimensions", each.get("confidence"), False)


def _generated(truth: Facts, found: list[Facts], made: Score) -> None:
    """Each dimension that was drawn: its text, and of those found what they measure. One whose text is a callout's may be at its leader."""
    free = [each for each in found if each.get("text")]
    for want in truth["dimensions"]:
        fitting = [each for each in free if _is_text(want, each["text"])]
        fitting = [each for each in fitting if _is_printed(want, each)] or ([] if want["plain"] else fitting)
        hit = min(fitting, key=partial(_off, want), default=None)
        free = [each for each in free if each is not hit]
        _note(want["text"], hit, made, is_complete=True)
        if hit is not None:
            made.judge("dimensions", hit.get("confidence"), True)
            _measures(want, hit, made)
    _beside(free, truth["callouts"], made)


def _is_printed(want: Facts, found: Facts) -> bool:
    return spelled(want["text"]) == spelled(found["text"])


def _off(want: Facts, found: Facts) -> float:
    """Relative difference between the length that was drawn and the one that is said; of what says none, 1."""
    value = found.get("value")
    return 1.0 if value is None else abs(value / want["value"] - 1)


def _measures(want: Facts, hit: Facts, made: Score) -> None:
    text = want["text"]
    made.note(
        "dimension value",
        _off(want, hit) <= CLOSE,
        f"dimension value: {text!r} measures {want['value']:g}, read {hit.get('value')}",
    )
    made.note(
        "dimension type",
        hit.get("type") == want["type"],
        f"dimension type: {text!r} is {want['type']}, read {hit.get('type')}",
    )
    if "printed" in hit and want["printed"] is not None:
        right = abs(hit["printed"] / want["printed"] - 1) <= CLOSE
        made.note(
            "dimension printed", right, f"dimension printed: {text!r} is {want['printed']:g}, read {hit['printed']}"
        )

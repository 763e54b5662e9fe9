"""Where and why facts of drawings are lost: each that a label has and a document has not, by the last step that still had it, and by cause.

    python -m benchmarks accuracy --losses

Glossary
  lettering  how a sheet is lettered: as text, as text and drawn, drawn (letters are strokes or outlines), or in a picture, where a
             reader without OCR has nothing to read.
  step       the last that had the fact: `understanding` where a text of the document says it whole, `within a text` where it is a
             part of one, `in pieces` where its words stand in texts of their own, `misread` where a text is much like it, else
             `not read`.
  cause      what on the sheet makes the reader fail, as a person found it by looking: tests/sheets/real/causes.csv.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.report import Table
from tests.accuracy.board import REAL, Known, structure
from tests.accuracy.kinds_of_lettering import LETTERINGS, PICTURE, lettering
from tests.accuracy.score import score
from tests.accuracy.score_dimensions import COMPLETE
from tests.accuracy.spelling import spelled

STEPS: Final = ("understanding", "within a text", "in pieces", "misread", "not read")
ELEMENTS: Final = ("callouts", "frames", "basic", "dimensions", "title block", "bom", "revisions", "notes")
CAUSES: Final = REAL / "causes.csv"
UNKNOWN: Final = "not looked at"
_ELEMENT_OF: Final = {COMPLETE: "dimensions"}
"""The element of a tally whose wrong facts are counted elsewhere."""
LIKE: Final = 0.6
"""How much of a text agrees with what is printed where it is called misread."""
SHORTEST: Final = 3
"""Characters from which likeness says anything."""


@dataclass(frozen=True)
class Losses:
    """What the document of one sheet lacks, and what it says that its label has not."""

    sheet: str
    lettering: str
    lost: list[tuple[str, str]]
    """Element and text, as printed."""
    wrong: list[tuple[str, str]]
    texts: list[str]
    """Of the document, as `texts_of` gives them."""
    asked: Counter[str]
    """Facts of the label by element."""


def of_sheet(known: Known, said: Mapping[str, Any]) -> Losses:
    """said: the `structure` of the sheet's document."""
    made = score(known.truth, said)
    asked = Counter({name: made.tallies[name].right + made.tallies[name].missed for name in ELEMENTS})
    wrong = [(_ELEMENT_OF.get(name, name), fact) for name, fact in made.wrong]
    return Losses(known.truth.get("file", known.name), lettering(said), made.missed, wrong, texts_of(said), asked)


def tables(sheets: Iterable[Known]) -> list[Table]:
    """What is lost by step, and by cause. What stands in pictures is counted apart or left out: metadata is read from vector text
    and never from pixels (specification, "CadExtraction")."""
    losses = [of_sheet(known, structure(known.data, known.name)) for known in sheets]
    return [by_step(losses), by_cause(losses, causes())]


def by_step(losses: Iterable[Losses]) -> Table:
    """Facts missed by element and step, a column for each lettering, and their part of the element's facts that are drawn."""
    lost: Counter[tuple[str, str, str]] = Counter()
    asked: Counter[str] = Counter()
    for each in losses:
        lost.update((name, step(fact, each.texts), each.lettering) for name, fact in each.lost)
        asked += each.asked if each.lettering != PICTURE else Counter()
    rows = [_row(name, at, lost, asked[name]) for name in ELEMENTS for at in STEPS]
    note = "Of an element's facts on sheets that are no pictures, so many percent are lost at this step. Aim: none above 1 %."
    headings = ("element", "lost at", *(f"{each} sheets" for each in LETTERINGS), "without pictures", "% of its facts")
    return Table(
        "Facts lost, by the last step that had them", headings, [row for row in rows if set(row[2:6]) != {"0"}], note
    )


def by_cause(losses: Iterable[Losses], known: Mapping[Fact, str]) -> Table:
    """Facts lost and wrong by element and cause, on sheets that are no pictures.

    known: causes that a person found, as `causes` reads them. What has none is counted as such.
    """
    counts: dict[str, Counter[tuple[str, str]]] = {"lost": Counter(), "wrong": Counter()}
    asked: Counter[str] = Counter()
    for each in losses:
        if each.lettering == PICTURE:
            continue
        asked += each.asked
        for kind, facts in (("lost", each.lost), ("wrong", each.wrong)):
            counts[kind].update((name, known.get(Fact(name, each.sheet, kind, fact), UNKNOWN)) for name, fact in facts)
    lost, wrong = counts["lost"], counts["wrong"]
    order = {name: place for place, name in enumerate(ELEMENTS)}
    found = sorted(
        {*lost, *wrong}, key=lambda each: (order.get(each[0], len(order)), -lost[each], -wrong[each], each[1])
    )
    rows: list[tuple[str, ...]] = [
        (*each, str(lost[each]), str(wrong[each]), f"{100 * lost[each] / max(asked[each[0]], 1):.2f}") for each in found
    ]
    note = f"Causes are those of {CAUSES.name}, found by looking at the sheets. Aim: none that a person could read above 1 %."
    headings = ("element", "cause", "lost", "wrong", "lost, % of its facts")
    return Table("Facts lost and wrong, by cause", headings, rows, note)


class Fact(NamedTuple):
    """A fact that is lost (`lost`: printed and not in the document) or wrong (`wrong`: in the document and not printed)."""

    element: str
    sheet: str
    kind: str
    text: str


def causes(file: Path = CAUSES) -> dict[Fact, str]:
    """The causes that were found by looking, a row a fact: element, sheet, kind, fact, cause."""
    with file.open(encoding="utf-8", newline="") as rows:
        return {Fact(*row[:4]): row[4] for row in islice(csv.reader(rows), 1, None)}


def _row(name: str, at: str, lost: Mapping[tuple[str, str, str], int], asked: int) -> tuple[str, ...]:
    counts = {each: lost[name, at, each] for each in LETTERINGS}
    drawn = sum(count for each, count in counts.items() if each != PICTURE)
    return (name, at, *map(str, counts.values()), str(drawn), f"{100 * drawn / max(asked, 1):.2f}")


def texts_of(said: Mapping[str, Any]) -> list[str]:
    """What the texts of a document say, in one spelling: each whole and each of its lines."""
    return list(dict.fromkeys(filter(None, map(spelled, _texts(said)))))


def _texts(said: Mapping[str, Any]) -> Iterator[str]:
    for entry in (*(said.get("annotations") or ()), *(said.get("dimensions") or ())):
        text = entry.get("text") or ""
        yield text
        yield from text.splitlines()


def step(fact: str, texts: list[str]) -> str:
    """The last step that had a fact.

    texts: those of the document, as `texts_of` gives them.
    """
    wanted = spelled(fact)
    if wanted in texts:
        return "understanding"
    if any(wanted in text for text in texts):
        return "within a text"
    words = [spelled(word) for word in fact.split()]
    if len(words) > 1 and all(any(word in text for text in texts) for word in words):
        return "in pieces"
    if any(wanted.startswith(text) and wanted[len(text) :] in texts for text in texts):
        return "in pieces"
    if len(wanted) >= SHORTEST and any(SequenceMatcher(None, wanted, text).ratio() >= LIKE for text in texts):
        return "misread"
    return "not read"

"""Where facts of drawings are lost: each fact that a label has and a document has not, by the last step that still had it.

    python -m benchmarks accuracy --losses

Glossary
  lettering  how a sheet is lettered: as text, as text and drawn, drawn (letters are strokes or outlines), or in a picture, where a
             reader without OCR has nothing to read.
  step       the last that had the fact: `understanding` where a text of the document says it whole, `within a text` where it is a
             part of one, `in pieces` where its words stand in texts of their own, `misread` where a text is much like it, else
             `not read`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, Final

from benchmarks.report import Table
from tests.accuracy.board import Known, structure
from tests.accuracy.kinds_of_lettering import LETTERINGS, PICTURE, lettering
from tests.accuracy.score import score
from tests.accuracy.spelling import spelled

STEPS: Final = ("understanding", "within a text", "in pieces", "misread", "not read")
ELEMENTS: Final = ("callouts", "frames", "basic", "dimensions", "title block", "bom", "revisions", "notes")
LIKE: Final = 0.6
"""How much of a text agrees with what is printed where it is called misread."""
SHORTEST: Final = 3
"""Characters from which likeness says anything."""


def table(sheets: Iterable[Known]) -> Table:
    """Facts missed by element and step, a column for each lettering, and their part of the element's facts that are drawn.

    What stands in pictures is counted apart: metadata is read from vector text and never from pixels (specification, "CadExtraction").
    """
    lost: Counter[tuple[str, str, str]] = Counter()
    asked: Counter[str] = Counter()
    for known in sheets:
        said = structure(known.data, known.name)
        made = score(known.truth, said)
        of_sheet, texts = lettering(said), texts_of(said)
        for name, fact in made.missed:
            lost[name, step(fact, texts), of_sheet] += 1
        for name in ELEMENTS if of_sheet != PICTURE else ():
            asked[name] += made.tallies[name].right + made.tallies[name].missed
    rows = [_row(name, each, lost, asked[name]) for name in ELEMENTS for each in STEPS]
    note = "Of an element's facts on sheets that are no pictures, so many percent are lost at this step. Aim: none above 1 %."
    headings = ("element", "lost at", *(f"{each} sheets" for each in LETTERINGS), "without pictures", "% of its facts")
    return Table(
        "Facts lost, by the last step that had them", headings, [row for row in rows if set(row[2:6]) != {"0"}], note
    )


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

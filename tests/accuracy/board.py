"""The scoreboard: sheets read by our own readers, scored, and laid out as figures.

Glossary
  sheet        a file with its truth: generated, of the corpus beside the repository, or a real one labelled in tests/sheets.
  office       who drew a sheet: the owner of the repository that it comes from.
  held out     labelled before any reader had seen it, and not used for developing one.
  macro        the mean over sheets: a sheet with three callouts counts as much as one with sixty.
  calibration  of what was read with a confidence near 0.9, about 0.9 should be right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from spatial.pipeline.read import read_file
from tests.accuracy.kinds_of_lettering import PICTURE, lettering
from tests.accuracy.score import Score, score

if TYPE_CHECKING:
    from tests.sheets.generate import Format

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus"
REAL = ROOT / "tests" / "sheets" / "real"
HELD_OUT = ROOT / "tests" / "sheets" / "held_out"
WRITTEN = ROOT / "tests" / "sheets" / "written"
"""Sheets that were written as text, without a look at the readers: tests/sheets/written/README.md."""
FETCHED = ROOT / "tests" / "sheets" / "fetched"
"""Labelled sheets that are not part of the repository, where scripts/fetch_sheets.py has fetched them."""
MAIN = (
    "callouts",
    "title block",
    "bom",
    "revisions",
    "notes",
    "quantity",
    "through",
    "depth",
    "parts of stacks",
    "outside diameters",
    "frames",
    "basic",
    "datums",
    "dimensions",
    "dimensions of complete labels",
    "sizes of callouts",
)
Figure = Literal["precision", "recall", "f1"]
AIMS: dict[str, tuple[str, Figure]] = {
    "callouts F1": ("callouts", "f1"),
    "title block precision": ("title block", "precision"),
    "title block recall": ("title block", "recall"),
    "parts list F1": ("bom", "f1"),
    "revisions F1": ("revisions", "f1"),
    "notes F1": ("notes", "f1"),
    "dimensions recall": ("dimensions", "recall"),
    "dimensions precision": ("dimensions of complete labels", "precision"),
}
"""What has an aim: the macro of which figure of which tally."""
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


@dataclass(frozen=True)
class Known:
    """A sheet whose truth is known."""

    name: str
    data: bytes
    truth: dict[str, Any]

    @property
    def office(self) -> str:
        """Who drew it; empty of a generated sheet."""
        origin = self.truth.get("origin") or {}
        return str(origin.get("repository", "")).removeprefix("github.com/").split("/")[0]


@dataclass
class Board:
    """Scores of many sheets."""

    sheets: dict[str, Score] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    pictures: set[str] = field(default_factory=set)
    """Sheets whose lettering is in pictures."""

    def total(self) -> Score:
        made = Score()
        for each in self.sheets.values():
            made.add(each)
        return made

    def macro(self, name: str, figure: Figure = "f1") -> float:
        """Mean over the sheets that have something to say about it; 1 where none has."""
        figures: list[float] = [
            getattr(each.tallies[name], figure) for each in self.sheets.values() if _asked(each, name)
        ]
        return sum(figures) / len(figures) if figures else 1.0

    def aims(self) -> dict[str, float]:
        """The figures that have an aim, of what the sheets have at all."""
        return {
            aim: self.macro(name, figure)
            for aim, (name, figure) in AIMS.items()
            if any(_asked(each, name) for each in self.sheets.values())
        }

    def rows(self) -> list[tuple[str, ...]]:
        """One row a figure: what, right, invented, missed, precision, recall, F1, macro F1."""
        tallies = self.total().tallies
        names = [name for name in MAIN if name in tallies] + sorted(name for name in tallies if name not in MAIN)
        return [
            (
                name,
                *map(str, tally.counts),
                *(f"{figure:.3f}" for figure in (*tally.figures, self.macro(name))),
            )
            for name in names
            if (tally := tallies[name]).asked
        ]

    def lines(self) -> list[str]:
        """The figures as text: the table, the aims, and what was not read."""
        table = [f"{row[0]:28}" + "".join(f"{cell:>11}" for cell in row[1:]) for row in (HEADINGS, *self.rows())]
        aims = ", ".join(f"{aim} {got:.3f}" for aim, got in self.aims().items())
        unread = [f"not read: {name}: {why}" for name, why in self.failed.items()]
        return [*table, f"macro over sheets: {aims}", *unread]


def _asked(score: Score, name: str) -> bool:
    return name in score.tallies and score.tallies[name].asked


HEADINGS = ("what", "right", "invented", "missed", "precision", "recall", "F1", "macro F1")


def generated(count: int, format: Format, start: int = 0) -> Iterator[Known]:
    """Sheets of the seeds from `start`."""
    from tests.sheets.generate import sheet  # draws with libraries that a process which only reads need not load

    for seed in range(start, start + count):
        made = sheet(seed, format=format)
        yield Known(made.file_name, made.data, made.truth)


def labelled(folder: Path, *, fetched: bool | None = None) -> Iterator[Known]:
    """Drawings that are labelled under a folder; fetched: only those that are fetched, or only those beside their label."""
    for path in sorted(folder.rglob("*.truth.json")):
        truth = json.loads(path.read_text("utf-8"))
        source = sheet_of(path, truth["file"])
        if source is None or source.suffix.lower() not in {".pdf", ".dxf"}:
            continue
        if fetched is None or fetched == (source.parent == FETCHED):
            yield Known(source.name, source.read_bytes(), truth)


def sheet_of(label: Path, file: str) -> Path | None:
    """The sheet of a label: beside it or fetched; None where it is neither."""
    return next((place for place in (label.parent / file, FETCHED / file) if place.exists()), None)


@lru_cache(maxsize=128)
def structure(data: bytes, name: str) -> dict[str, Any]:
    """The `structure` of the document as the service would answer it, in this process; read once for all boards, and not to be changed."""
    steps = read_file(data, name)
    meaning = steps.interpret()
    made: dict[str, Any] = steps.reading.structure.model_dump(mode="json", exclude_none=True)
    made |= meaning.structure
    made["callouts"] = [callout.model_dump(mode="json", exclude_none=True) for callout in meaning.callouts or []]
    if meaning.drawing_metadata is not None:
        made["drawing_metadata"] = meaning.drawing_metadata.model_dump(mode="json", exclude_none=True)
    return made


def scored(sheets: Iterator[Known]) -> Board:
    """Read and score all; a sheet that is not read at all says nothing and is named."""
    board = Board()
    for known in sheets:
        said: dict[str, Any] = {}
        try:
            said = structure(known.data, known.name)
        except Exception as error:  # noqa: BLE001  # one sheet's fault is a figure of the board, whatever it is
            board.failed[known.name] = f"{type(error).__name__}: {error}"
        board.sheets[known.name] = score(known.truth, said)
        if lettering(said) == PICTURE:
            board.pictures.add(known.name)
    return board


def calibration(judged: list[tuple[str, float, bool]]) -> list[tuple[float, float, int, float, float]]:
    """Bins of confidence: from, to, how many, mean confidence, part that was right."""
    bins = []
    for low, high in pairwise(BINS):
        inside = [(sure, right) for _, sure, right in judged if low <= sure < high or (sure == high == 1.0)]
        if inside:
            sure, right = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            bins.append((low, high, len(inside), sure, right))
    return bins

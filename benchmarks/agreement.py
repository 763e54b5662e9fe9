"""How far two independent labellings of the same sheets agree: beyond that no figure of a reader says anything.

python -m benchmarks accuracy --agreement
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Table
from tests.accuracy.board import HEADINGS, REAL, ROOT, Board
from tests.accuracy.score import elements_of, score, table_rows

LABELLED_TWICE: Final = ROOT / "tests" / "sheets" / "labelled_twice"
_TABLES: Final = ("bom", "revisions")
_BY_FORM_ONLY: Final = ("frames", "parts of stacks", "sizes of callouts")
"""What a label says in words and a document in members."""


def agreement(first: Path, second: Path) -> Board:
    """The second labels scored as if a reader had read them, against the first, in the elements that both speak of."""
    board = Board()
    for path in sorted(second.glob("*.truth.json")):
        truth = json.loads((first / path.name).read_text("utf-8"))
        label = json.loads(path.read_text("utf-8"))
        both = [name for name in elements_of(truth) if name in elements_of(label)]
        board.sheets[truth["file"]] = score(truth | {"labelled": both}, _as_read(label))
    return board


def tables() -> list[Table]:
    """Of each set that was labelled twice, the board of what both people labelled."""
    sets = sorted(folder for folder in LABELLED_TWICE.iterdir() if folder.is_dir())
    return [_table(folder.name, agreement(REAL, folder)) for folder in sets]


def _table(name: str, made: Board) -> Table:
    note = "The second labels against the first, made without sight of each other."
    rows = [row for row in made.rows() if not row[0].startswith(_BY_FORM_ONLY)]
    return Table(f"Agreement of two labellings, {name} set, {len(made.sheets)} sheets", HEADINGS, rows, note)


def _as_read(label: dict[str, Any]) -> dict[str, Any]:
    """A label in the form of a document's `structure`."""
    callouts = label.get("callouts") or []
    plain = [each for each in callouts if each.get("type") == "dimension"]
    return {
        "callouts": callouts,
        "dimensions": [{"text": each["text"]} for each in plain for _ in range(each.get("occurrences") or 1)],
        "drawing_metadata": {
            "title_block": {"fields": label.get("title_block") or {}},
            "notes": {"items": label.get("notes") or []},
            **{name: {"rows": table_rows(label.get(name) or [])} for name in _TABLES},
        },
    }

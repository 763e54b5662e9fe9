"""How far two independent labellings of the same sheets agree: beyond that no figure of a reader says anything.

python -m benchmarks accuracy --agreement
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Table
from tests.accuracy.board import HEADINGS, REAL, ROOT, Board
from tests.accuracy.score import score, table_rows

LABELLED_TWICE: Final = ROOT / "tests" / "sheets" / "labelled_twice"
_TABLES: Final = ("bom", "revisions")
_BY_FORM_ONLY: Final = ("frames", "parts of stacks", "sizes of callouts")
"""What a label says in words and a document in members."""


def agreement(first: Path = REAL, second: Path = LABELLED_TWICE) -> Board:
    """The second labels scored as if a reader had read them, against the first."""
    board = Board()
    for path in sorted(second.glob("*.truth.json")):
        truth = json.loads((first / path.name).read_text("utf-8"))
        said = _as_read(json.loads(path.read_text("utf-8")))
        board.sheets[truth["file"]] = score(truth, said)
    return board


def table() -> Table:
    """The board of what both people labelled."""
    made = agreement()
    note = "The second labels against the first, made without sight of each other."
    rows = [row for row in made.rows() if not row[0].startswith(_BY_FORM_ONLY)]
    return Table(f"Agreement of two labellings, {len(made.sheets)} sheets", HEADINGS, rows, note)


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

"""The contract package and the requirement check (issue "The main job", part 2)."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "ARCHITECTURE: How it grows; STYLE 1",
        {
            "formats.table": "Every extension has one row of the formats table; a row says name, kind, media type and reader.",
            "formats.sniff": "A content is recognised by its leading bytes, whatever its name.",
            "formats.hostile": "No leading bytes make recognising take longer than reading them.",
            "contract.strict": "Models are strict: no number from a string, no NaN, no Infinity, no unknown property of a closed model.",
            "contract.json-schema": "The JSON Schema of a model shows its optional members without null, and every member typed.",
            "contract.round-trip": "What a model writes it reads back equal.",
            "contract.examples": "The examples of a model's JSON Schema are valid and describe themselves when written again.",
            "contract.either-parser": "A body is judged the same whether it is read as JSON or as parsed values.",
            "contract.points-are-cheap": "A point is a plain dict, so 65,536 of them cost no model each.",
            "contract.solids-numbered": "Solids and faces that come without an id are numbered by their place.",
        },
    ),
    *rows(
        "architecture: the contract",
        {
            "requirements.row-without-test": "A whole run fails on a row that is not pending and has no test.",
            "requirements.pending-with-test": "A whole run fails on a pending row that has a test.",
            "requirements.skipped": "A whole run fails on a row whose every test was skipped, unless the row names what its proof needs.",
            "requirements.needs": "A row whose proof needs what the machine lacks is reported as unproven, by name, and fails no run.",
            "requirements.unknown-id": "Any run fails on a test that wears an id without a row.",
            "requirements.test-without-row": "A whole run fails on a test that wears no requirement.",
            "requirements.partial-run": "A run with a path, keyword or marker selected is not asked to be complete.",
            "requirements.ids-unique": "No two rows have the same id.",
            "requirements.several-processes": "A run of several processes is refused as a run of one is, before its first test.",
            "processes.shared-once": "In a run of several processes, what tests share is made once, in one of them.",
            "processes.figures": "Figures that a test wants seen are shown at the end of a run, in whichever process it ran.",
            "processes.ends": "A run of several processes says when each of them ended, with which module, and what it took of a processor.",
        },
    ),
)

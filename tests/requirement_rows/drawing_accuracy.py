"""How often drawings are read right, and how we know."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "issue 3: how good",
    {
        "drawing-accuracy.rules": "Extractions are scored against truth by type, text and quantity of callouts, by key, by cell and by note.",
        "drawing-accuracy.generated": "Scores on generated sheets are printed at the end of a test run and hold their floors.",
        "drawing-accuracy.real": "Scores on real labelled sheets are printed at the end of a test run and hold their floors.",
        "drawing-accuracy.generator": "A seed and a format give one sheet, always the same bytes, whose texts do not overlap.",
        "drawing-accuracy.properties": "Of any generated sheet: evidence exists for every fact, all is finite, and nothing is read that is not printed.",
    },
)

"""How often drawings are read right, and how we know."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "issue 3: how good",
    {
        "drawing-accuracy.rules": "Extractions are scored against truth by type, text and quantity of callouts, by key, by cell and by note, and by the sizes that are dimensions.",
        "drawing-accuracy.generated": "Scores on generated sheets are printed at the end of a test run and hold their floors.",
        "drawing-accuracy.real": "Scores on real labelled sheets are printed at the end of a test run and hold their floors.",
        "drawing-accuracy.written": "Scores on sheets written after standards and programs are printed at the end of a test run and hold their floors.",
        "drawing-accuracy.leave-one-out": "The sheets of each office are scored without the words that only they have and that no standard prescribes.",
        "drawing-accuracy.ablation": "Labels in words that no vocabulary knows leave pairs of label and value found and formed values named.",
        "drawing-accuracy.losses": "Facts that real sheets have and documents have not are counted by the last step that had them.",
        "drawing-accuracy.origin": "Every label of a real sheet names repository, path, commit, licence and checksum, and ORIGIN.md lists them.",
        "drawing-accuracy.agreement": "Two labellings of the same sheets are compared by the rules that readings are scored by.",
        "drawing-accuracy.fetch": "Labelled sheets that are not copied are fetched from their origins, and refused where the checksum differs.",
        "drawing-accuracy.independent": "The generator of sheets imports nothing of what sheets are understood by: neither words nor shapes.",
        "drawing-accuracy.generator": "A seed and a format give one sheet, always the same bytes, whose texts do not overlap.",
        "drawing-accuracy.properties": "Of any generated sheet: evidence exists for every fact, all is finite, and nothing is read that is not printed.",
    },
)

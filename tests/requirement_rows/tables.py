"""The tables of bulk ingest: what they hold, and how they are asked."""

from typing import Final

from tests.requirement_rows._row import Row, rows

_TABLES: Final = rows(
    "docs/tables.md",
    {
        "tables.every-fact-once": "Every callout, entity, face, node, … of a document is one row of its table, with the document's values.",
        "tables.nothing-invented": "What a document does not say is NULL, and what no column holds is kept as JSON.",
        "tables.schemas": "Every row fits the schema of its table, and every table says whose its rows are.",
        "tables.documented": "docs/tables.md has every column of every view with its type, and no other.",
        "tables.questions": "Every question of docs/tables.md is answered with the rows that its words promise.",
        "tables.views": "The views follow the newest manifest, and are there with their columns before anything was ingested.",
        "tables.superseded": "What is superseded is not seen; the rest is.",
        "tables.old-objects": "A column that an older object lacks is NULL in its rows.",
        "tables.drawings": "The view drawings has one row a drawing and source, with its title block pivoted.",
        "tables.swept": "A question whose objects are swept away meanwhile is asked anew; one that can never be read is one sentence.",
        "tables.confined": "A question reads nothing but the tables, and changes nothing.",
        "tables.whole-reads": "Threads that read the same object at once each get the bytes that they asked for.",
        "tables.errors": "SQL that is wrong is one sentence, with the names that were perhaps meant.",
    },
)

_COMMAND: Final = rows(
    "README: the command line",
    {
        "cli.query.views": "spatial query without SQL lists every view with its rows and columns.",
        "cli.query.describe": "spatial query --describe explains every column of a view, as docs/tables.md does.",
        "cli.query.formats": "An answer is a table, csv, json or Parquet; in a pipe csv, in a file what its name says.",
        "cli.query.limit": "--limit bounds the rows, and a table that is cut says so.",
        "cli.query.only-the-lake": "spatial query needs no stack: it reads object storage and nothing else.",
        "cli.query.errors": "SQL that is wrong, a file that cannot be written: one sentence, exit status 1, and no half file.",
    },
)

ROWS: Final[tuple[Row, ...]] = (*_TABLES, *_COMMAND)

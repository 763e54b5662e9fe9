"""What bulk ingest and reprocessing promise."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "docs/ingest.md",
    {
        "ingest.source": "A folder and a bucket are walked and read alike, whatever the names; what is not there or out of reach is told.",
        "ingest.choice": "Glob, formats, sizes and changed-since narrow down what is ingested.",
        "ingest.links": "Symbolic links are neither followed nor read.",
        "ingest.chunk": "A file that is gone, changed or too large when its turn comes holds up no other.",
        "ingest.outage": "A converter that is away is waited for; what it did not come back for is left to the next run, and is no failure.",
        "ingest.tries": "A file that times out is tried again, a broken one is not; both are quarantined until reprocessing asks.",
        "ingest.run": "An ingest brings every file into documents and tables, poisoned ones into failures, with progress and an account.",
        "ingest.twice": "Running an ingest twice changes nothing.",
        "ingest.killed": "An ingest that was killed is finished by the next one, with every fact once.",
        "ingest.dry-run": "A dry run says what would be read and changes nothing.",
        "ingest.reprocess": "Reprocessing selects by status, source, version and SQL; new results replace the old ones.",
        "ingest.dask": "The chunks of a run can be worked on by a Dask cluster; a runner that is not installed says what to install.",
        "ingest.progress": "The progress of a run moves with each file, never goes back, and estimates the time left; its name is the same in the terminal and in Prefect.",
        "ingest.schedule-source": "A schedule of ingest without a source is refused where the settings give it, and reported where it was added in Prefect.",
        "ingest.schedule": "Settings give ingest a cron schedule; without them it has none.",
        "ingest.cli": "`spatial ingest` and `spatial reprocess` need a running stack, follow the run and end with its status.",
    },
)

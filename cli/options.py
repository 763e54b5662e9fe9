"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Target(StrEnum):
    """What an extraction returns."""

    structured = "structured"
    point_cloud_scene = "point_cloud_scene"
    both = "both"


class Runner(StrEnum):
    """Where the chunks of a bulk run are processed."""

    local = "local"
    dask = "dask"
    ray = "ray"


Home = Annotated[
    Path | None,
    typer.Option(
        "--home", metavar="DIR", help="Folder of the embedded stack's data (SPATIAL_HOME; by default .spatial)."
    ),
]
Formats = Annotated[
    list[str] | None, typer.Option("--format", metavar="NAME", help="Only this format, such as step; may be repeated.")
]
ChunkFiles = Annotated[
    int | None, typer.Option("--chunk-files", min=1, max=5_000, metavar="N", help="Files per task run (500).")
]
Parallel = Annotated[
    int | None,
    typer.Option(
        "--parallel", min=1, max=256, metavar="N", help="Files at the same time (three per worker of the converter)."
    ),
]
Tries = Annotated[
    int | None,
    typer.Option(
        "--tries", min=1, max=10, metavar="N", help="Attempts for a file that times out or kills its process (3)."
    ),
]
BulkTarget = Annotated[Target | None, typer.Option("--target", help="Content of the documents (structured).")]
Edges = Annotated[
    bool, typer.Option("--edges", help="List the edges of models: how faces meet. The document gets larger.")
]
BulkRunner = Annotated[
    Runner | None, typer.Option("--runner", help="Where chunks are processed (SPATIAL_INGEST_RUNNER).")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only report which files would be read.")]
NoWait = Annotated[bool, typer.Option("--no-wait", help="Print the id of the flow run and exit at once.")]

"""`spatial preview`: draw a page of a document, to compare it with the original file."""

from __future__ import annotations

import logging
from pathlib import Path

from cli.extract import extract_document
from cli.terminal import failure, progress, report_errors
from spatial.contract.extraction import TargetContract
from spatial.counting import count_of
from spatial.document.preview import picture


def run(file: Path, output: Path | None, page: int, home: Path | None) -> None:
    """Extract the file, draw one page, and write the picture."""
    logging.getLogger("converter").addHandler(logging.NullHandler())
    with report_errors():
        document = extract_document(file, TargetContract.structured, home)
        pages = picture.pages(document)
        if not pages:
            raise failure(f"{file.name} has no page that can be drawn; name a drawing or a diagram")
        if page not in pages:
            raise failure(f"{file.name} has no page {page}; choose {' or '.join(map(str, pages))}")
        target = output or Path(f"{file.stem}.svg")
        if target.resolve() == file.resolve():
            raise failure(f"{file}: the picture would overwrite it; name another file with --output")
        body = picture.svg(document, page)
        target.write_text(body, encoding="utf-8")
        more = f"; the file has {count_of(len(pages), 'page')}, and --page N draws another" if len(pages) > 1 else ""
        progress(f"{target}: page {page}, {count_of(len(body), 'character')}{more}")

"""`spatial preview`: the picture of a document, to be put beside the original."""

from __future__ import annotations

import logging
from pathlib import Path

from cli.extract import extracted
from cli.terminal import failed, progress, sentences
from spatial.contract.extraction import TargetContract
from spatial.document.preview import picture


def run(file: Path, output: Path | None, page: int, home: Path | None) -> None:
    """Extract, draw one page, write it."""
    logging.getLogger("converter").addHandler(logging.NullHandler())
    with sentences():
        document = extracted(file, TargetContract.structured, home)
        pages = picture.pages(document)
        if not pages:
            raise failed(
                f"{file.name}: {document.source_format} has no flat geometry to draw; drawings and diagrams have"
            )
        if page not in pages:
            raise failed(f"{file.name}: there is no page {page}; it has {', '.join(map(str, pages))}")
        target = output or Path(f"{file.stem}.svg")
        if target.resolve() == file.resolve():
            raise failed(f"{file}: would be overwritten by its own picture; name another file with --output")
        body = picture.svg(document, page)
        target.write_text(body, encoding="utf-8")
        more = f"; --page draws one of {len(pages)}" if len(pages) > 1 else ""
        progress(f"{target}: page {page}, {len(body):,} characters{more}")

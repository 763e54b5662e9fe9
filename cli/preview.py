"""`spatial preview`: draw a model, or a page of a document, to compare it with the original file."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from cli import stack
from cli.extract import extract_document
from cli.terminal import failure, progress, report_errors
from converter import local
from converter.documents import parsed
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract
from spatial.counting import count_of
from spatial.document.preview import picture
from spatial.models.picture import VIEWS, PictureFormat, PicturePlan, Section, ViewName

MODEL: Final = "brep"
"""Kind of the formats that have solids."""

PICTURES: Final = (".png", ".svg")
PAGES: Final = ".svg"
MESH: Final = ".glb"


@dataclass(frozen=True)
class ModelOptions:
    """What the command line says of the picture of a model."""

    view: str | None
    views: bool
    features: bool
    section: str | None
    exploded: bool

    @property
    def given(self) -> list[str]:
        """The options that were given."""
        both = {
            "view": self.view,
            "views": self.views,
            "features": self.features,
            "section": self.section,
            "exploded": self.exploded,
        }
        return [f"--{name}" for name, value in both.items() if value]

    def plan(self, extension: str) -> PicturePlan:
        """What is drawn. Raises: InvalidRequest."""
        return PicturePlan(
            format=cast(PictureFormat, extension.removeprefix(".")),
            views=VIEWS if self.views else (cast(ViewName, self.view or VIEWS[0]),),
            features=self.features,
            section=Section.parse(self.section) if self.section else None,
            exploded=self.exploded,
        )


def run(file: Path, output: Path | None, page: int | None, options: ModelOptions, home: Path | None) -> None:
    """Draw a model, or a page of the document, and write the picture."""
    # The error message already contains what the converter logs about a failed file.
    logging.getLogger("converter").addHandler(logging.NullHandler())
    with report_errors():
        is_model = format_of(file.name).kind == MODEL
        target = output or Path(f"{file.stem}{'.png' if is_model else '.svg'}")
        if target.resolve() == file.resolve():
            raise failure(f"{file}: the picture would overwrite it; name another file with --output")
        if is_model:
            _draw_model(file, target, page, options, home)
        else:
            _draw_page(file, target, page or 1, options, home)


def _draw_model(file: Path, target: Path, page: int | None, options: ModelOptions, home: Path | None) -> None:
    if page is not None:
        raise failure(f"{file.name} is a model and has no pages; run it without --page")
    if options.view and options.views:
        raise failure("--view and --views exclude each other; give one of them")
    settings, extension = stack.settings(home), target.suffix.lower()
    seconds, memory = settings.convert_seconds, settings.convert_memory_bytes
    if extension == MESH:
        if options.given:
            raise failure(f"{target} is a mesh, which {' and '.join(options.given)} cannot change; write .png or .svg")
        body, notes = local.mesh(file.read_bytes(), file.name, deadline=seconds, memory=memory), []
    elif extension in PICTURES:
        made = local.picture(file.read_bytes(), file.name, options.plan(extension), deadline=seconds, memory=memory)
        body, notes = made.content, made.notes
    else:
        raise failure(f"{target}: a model is drawn as .png, .svg or .glb; name such a file with --output")
    target.write_bytes(body)
    progress("; ".join([f"{target}: {count_of(len(body), 'byte')}", *notes]))


def _draw_page(file: Path, target: Path, page: int, options: ModelOptions, home: Path | None) -> None:
    if options.given:
        raise failure(f"{file.name} is no model; run it without {' and '.join(options.given)}")
    if target.suffix.lower() != PAGES:
        raise failure(f"{target}: a page of a drawing or diagram is drawn as .svg; name such a file with --output")
    document = parsed(extract_document(file, TargetContract.structured, home), file.name)
    pages = picture.pages(document)
    if not pages:
        raise failure(f"{file.name} has no page that can be drawn; name a model, a drawing or a diagram")
    if page not in pages:
        raise failure(f"{file.name} has no page {page}; choose {' or '.join(map(str, pages))}")
    body = picture.svg(document, page)
    target.write_text(body, encoding="utf-8")
    more = f"; the file has {count_of(len(pages), 'page')}, and --page N draws another" if len(pages) > 1 else ""
    progress(f"{target}: page {page}, {count_of(len(body), 'character')}{more}")

"""Write the section `Views` of docs/tables.md from storage/tables/descriptions.toml and the schemas: python scripts/tables_page.py."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from storage.objects.lake import Lake
from storage.tables import descriptions
from storage.tables.query import ViewSummary, list_views

PAGE: Final = Path(__file__).parents[1] / "docs" / "tables.md"
HEADING: Final = "## Views\n"


def views_section(views: list[ViewSummary]) -> str:
    """The section as Markdown."""
    return "\n".join([HEADING, *(line for view in views for line in _view(view))])


def _view(view: ViewSummary) -> Iterator[str]:
    yield from (f"### {view.name}", "", descriptions.about(view.name), "", "| column | type | what |", "|---|---|---|")
    groups = {name: names for names in descriptions.grouped_columns(view.name) for name in names}
    texts = descriptions.columns(view.name)
    for (names, kind), _ in groupby((groups[name], kind) for name, kind in view.columns):
        columns = ", ".join(f"`{name}`" for name in names)
        yield f"| {columns} | {kind} | {texts[names[0]]} |"
    yield ""


def page(views: list[ViewSummary]) -> str:
    """docs/tables.md with that section, which is its last."""
    before, _, _ = PAGE.read_text("utf-8").partition(HEADING)
    return before + views_section(views).rstrip("\n") + "\n"


async def _views() -> list[ViewSummary]:
    """The views of an empty lake."""
    with tempfile.TemporaryDirectory() as folder:
        lake = Lake(f"file://{folder}")
        try:
            return await list_views(lake)
        finally:
            await lake.close()


if __name__ == "__main__":
    PAGE.write_text(page(asyncio.run(_views())), "utf-8")

"""The language that sheets are written in: one command a line, millimeters; see README.md."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from tests.sheets.written import cells, frames, lists
from tests.sheets.written.page import KEYS, PAPERS, Sheet, options_of
from tests.sheets.written.paper import DxfPaper, Paper, PdfPaper
from tests.sheets.written.views import View, draw


def read(source: str, name: str) -> tuple[bytes, dict[str, Any]]:
    """The file and the truth of a layout."""
    lines = [line for line in source.splitlines() if line.strip() and not line.startswith("//")]
    sheet = _start(lines[0], name)
    for number, line in enumerate(lines[1:], 2):
        command, _, rest = line.strip().partition(" ")
        try:
            COMMANDS[command](sheet, rest)
        except (KeyError, ValueError, IndexError, AttributeError, TypeError) as error:
            raise ValueError(f"{name}: command {number} {line!r}: {error!r}") from error
    for view in sheet.views:
        _see(sheet, view)
    lists.end_table(sheet)
    return sheet.paper.data(), sheet.truth


def _start(line: str, name: str) -> Sheet:
    plain, options = options_of(shlex.split(line))
    wide, high = PAPERS[plain[1]]
    dxf = options.get("dxf")
    paper: Paper = DxfPaper(wide, high, dxf) if dxf else PdfPaper(wide, high, options.get("pieces", "line"))
    truth: dict[str, Any] = {
        "file": f"{name}.{'dxf' if dxf else 'pdf'}",
        "origin": {"licence": "own work", "layout": f"{name}.txt", "after": options.get("after", "")},
        "pages": 1,
        "title_block": dict.fromkeys(KEYS),
        "bom": [],
        "revisions": [],
        "notes": [],
        "callouts": [],
    }
    return Sheet(paper, (wide, high), options, (0, 0, wide, high), truth)


def _view(sheet: Sheet, rest: str) -> None:
    """`view kind x y w h [factor=1] [mark=,] [size=2.5] [cap=…]`, callouts follow as `! type text`, sizes as `d type text`."""
    plain, options = options_of(shlex.split(rest))
    kind, x, y, w, h = plain
    left, top = sheet.at(x, y)
    sheet.views.append(
        View(
            kind,
            left,
            top,
            float(w),
            float(h),
            float(options.get("size", "2.5")),
            sheet.options.get("dimfont", sheet.font),
            float(options.get("factor", "1")),
            options.get("mark", "."),
            caption=options.get("cap", ""),
        )
    )


def _callout(sheet: Sheet, rest: str) -> None:
    kind, _, text = rest.partition(" ")
    sheet.views[-1].callouts.append((kind, text))


def _dimension(sheet: Sheet, rest: str) -> None:
    kind, _, text = rest.partition(" ")
    sheet.views[-1].dims.append((kind, text))


def _upright(sheet: Sheet, rest: str) -> None:
    """`v type text`: the overall size read from the right."""
    sheet.views[-1].dims += [("", "")] * (1 - len(sheet.views[-1].dims))
    _dimension(sheet, rest)


def _see(sheet: Sheet, view: View) -> None:
    for text in draw(sheet.paper, view):
        sheet.truth["callouts"].append({"type": "dimension", "text": text, "page": 1})
    for kind, text in (*view.callouts, *(size for size in view.dims if size[0])):
        sheet.truth["callouts"].append(
            {"type": kind, "text": text, "quantity": None, "through": None, "depth": None, "page": 1}
        )


COMMANDS: dict[str, Callable[[Sheet, str], None]] = {
    "frame": frames.frame,
    "rect": frames.rectangle,
    "line": frames.line,
    "circle": frames.circle,
    "logo": frames.logo,
    "proj": frames.projection,
    "grid": cells.grid,
    "c": cells.cell,
    "t": cells.text,
    "notes": lists.notes,
    "*": lists.marked,
    "-": lists.plain,
    "+": lists.more,
    "#": lists.heading,
    "gap": lists.gap,
    "table": lists.table,
    "r": lists.row,
    "view": _view,
    "!": _callout,
    "d": _dimension,
    "v": _upright,
    "true": cells.true,
    "changed": lists.changed,
}

"""Commands that write notes and tables."""

from __future__ import annotations

from tests.sheets.written.cells import middle
from tests.sheets.written.page import MARKS, Sheet, lengths, options_of, parts, rule


def notes(sheet: Sheet, rest: str) -> None:
    """`notes x y size [lead=1.8] [tab=6]`: where the next notes stand."""
    (x, y, size), options = options_of(rest.split())
    left, top = sheet.at(x, y)
    sheet.cursor = {
        "x": left,
        "y": top,
        "size": float(size),
        "lead": float(options.get("lead", "1.8")),
        "tab": float(options.get("tab", "0")),
    }


def _write(sheet: Sheet, text: str, shift: float = 0) -> None:
    place = sheet.cursor
    sheet.paper.text(place["x"] + shift, place["y"], place["size"], text, "l", 0, sheet.font)
    place["y"] += place["size"] * place["lead"]


def marked(sheet: Sheet, rest: str) -> None:
    """`* 1. text`: a note with its mark; with `tab` the text is a piece of its own."""
    mark, _, text = rest.partition("、" if "、" in rest[:3] else " ")
    tab = sheet.cursor["tab"]
    sheet.truth["notes"].append({"number": MARKS.sub("", mark) or None, "text": text})
    if tab:
        sheet.paper.text(sheet.cursor["x"], sheet.cursor["y"], sheet.cursor["size"], mark, "l", 0, sheet.font)
        _write(sheet, text, tab)
    else:
        _write(sheet, rest)


def plain(sheet: Sheet, rest: str) -> None:
    """`- text`: a note without a mark."""
    sheet.truth["notes"].append({"number": None, "text": rest})
    _write(sheet, rest)


def more(sheet: Sheet, rest: str) -> None:
    """`+ text`: the next line of the note before."""
    sheet.truth["notes"][-1]["text"] += " " + rest
    indent = sheet.cursor["tab"] or (sheet.cursor["size"] * 2 if sheet.truth["notes"][-1]["number"] else 0)
    _write(sheet, rest, indent)


def heading(sheet: Sheet, rest: str) -> None:
    """`# text`: lettering that is no note."""
    _write(sheet, rest)


def gap(sheet: Sheet, rest: str) -> None:
    sheet.cursor["y"] += float(rest)


def table(sheet: Sheet, rest: str) -> None:
    """`table bom|revisions|other x y w=… h=… [size] [up=1] [nohead=1]`; rows follow as `r a | b | c`."""
    end_table(sheet)
    (kind, x, y), options = options_of(rest.split())
    left, top = sheet.at(x, y)
    sheet.table = {
        "kind": kind,
        "x": left,
        "y": top,
        "w": lengths(options["w"]),
        "h": float(options["h"]),
        "options": options,
        "rows": [],
    }


def row(sheet: Sheet, rest: str) -> None:
    sheet.table["rows"].append(parts(rest, len(sheet.table["w"])))


def end_table(sheet: Sheet) -> None:
    table, sheet.table = sheet.table, {}
    if not table:
        return
    options, high = table["options"], table["h"]
    step = -high if "up" in options else high
    size = float(options.get("size", "2"))
    for index, row in enumerate(table["rows"]):
        x = table["x"]
        y = table["y"] + index * step - (high if "up" in options else 0)
        for wide, cell in zip(table["w"], row, strict=True):
            if "norule" not in options:
                rule(sheet, x, y, wide, high, 0.25)
            middle(sheet, (x, y, wide, high), cell, size, sheet.font, options.get("a", "l"), "0")
            x += wide
    head = [] if "nohead" in options else table["rows"][0]
    if table["kind"] in ("bom", "revisions"):
        made = {"table": table["kind"], "page": 1, "columns": head, "rows": table["rows"][len(head) and 1 :]}
        sheet.truth[table["kind"]].append(made)


def changed(sheet: Sheet, rest: str) -> None:
    """`changed a | b | c`: a row of changes that stands in cells of a grid."""
    row = [cell.strip() for cell in rest.split("|")]
    sheet.truth["revisions"].append({"table": "revisions", "page": 1, "columns": [], "rows": [row]})

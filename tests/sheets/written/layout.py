"""The language that sheets are written in: one command a line, millimeters; see README.md."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.sheets.written.paper import DxfPaper, Paper, PdfPaper, width
from tests.sheets.written.views import View, draw

PAPERS = {
    "A4": (210, 297), "A3": (420, 297), "A2": (594, 420), "A1": (841, 594), "A4L": (297, 210), "A": (279.4, 215.9),
    "AP": (215.9, 279.4), "B": (431.8, 279.4), "C": (558.8, 431.8), "D": (863.6, 558.8), "A3P": (297, 420),
}  # fmt: skip
KEYS = (
    "title drawing_number part_number revision material finish scale sheet size drawn_by checked_by approved_by date "
    "weight tolerances units project customer company cage_code"
).split()


@dataclass
class Grid:
    x: float
    y: float
    columns: list[float]
    rows: list[float]
    options: dict[str, str]

    def box(self, place: str) -> tuple[float, float, float, float]:
        """Left, top, width, height of `column,row` or `column,row:columnsxrows`, counted from 1."""
        first, _, span = place.partition(":")
        column, row = (int(n) - 1 for n in first.split(","))
        wide, high = (int(n) for n in (span or "1x1").split("x"))
        return (
            self.x + sum(self.columns[:column]),
            self.y + sum(self.rows[:row]),
            sum(self.columns[column : column + wide]),
            sum(self.rows[row : row + high]),
        )


@dataclass
class Sheet:
    """One sheet while it is drawn, and its truth."""

    paper: Paper
    extent: tuple[float, float]
    options: dict[str, str]
    inner: tuple[float, float, float, float]
    truth: dict[str, Any]
    grid: Grid | None = None
    cursor: dict[str, float] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)

    @property
    def font(self) -> str:
        return self.options.get("font", "arial")

    def at(self, x: str, y: str) -> tuple[float, float]:
        """Signed: from the right or lower edge of the frame (`+`: outside); plain: from its left or upper edge."""
        left, top, right, bottom = self.inner
        return (
            right + float(x) if x[0] in "-+" else left + float(x),
            bottom + float(y) if y[0] in "-+" else top + float(y),
        )

    def key(self, key: str, value: str) -> None:
        """`key`, or `key=what is true of it`; several values of one key are joined as printed."""
        name, _, given = key.partition("=")
        if name not in KEYS:
            raise ValueError(f"no key of a title block: {name}")
        if not value.startswith(given + "\\n"):  # a first line may stand for the whole, which the label keeps
            value = given or value
        old, value = self.truth["title_block"][name], value.replace("\\n", "\n").strip()
        joint = "; " if name == "tolerances" else " "
        self.truth["title_block"][name] = f"{old}{joint}{value}" if old else value


def parts(text: str, count: int) -> list[str]:
    found = [part.strip() for part in text.split("|")]
    return found + [""] * (count - len(found))


def options_of(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Plain words and `name=value` words."""
    plain = [word for word in words if "=" not in word]
    return plain, dict(word.split("=", 1) for word in words if "=" in word)


def lengths(text: str) -> list[float]:
    """`10,20x3` is 10, 20, 20, 20."""
    made: list[float] = []
    for part in text.split(","):
        size, _, times = part.partition("x")
        made += [float(size)] * int(times or 1)
    return made


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
    _end_table(sheet)
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


def _frame(sheet: Sheet, rest: str) -> None:
    """`left top right bottom` margins, `zones=8x6`: fields of reference around the frame."""
    plain, options = options_of(rest.split())
    left, top, right, bottom = (float(n) for n in plain)
    wide, high = sheet.extent
    sheet.inner = (left, top, wide - right, high - bottom)
    if "hidden" not in options:
        _box(sheet, left, top, wide - left - right, high - top - bottom, float(options.get("w", "0.7")))
    if "zones" in options:
        _zones(sheet, *(int(n) for n in options["zones"].split("x")))


def _zones(sheet: Sheet, columns: int, rows: int) -> None:
    left, top, right, bottom = sheet.inner
    _box(sheet, left - 5, top - 5, right - left + 10, bottom - top + 10, 0.25)
    for index in range(columns):
        x = left + (right - left) * (index + 0.5) / columns
        for y in (top - 1.4, bottom + 3.6):
            sheet.paper.text(x, y, 2.2, str(index + 1), "c", 0, sheet.font)
        if index:
            edge = left + (right - left) * index / columns
            sheet.paper.line(edge, top - 5, edge, top)
            sheet.paper.line(edge, bottom, edge, bottom + 5)
    for index in range(rows):
        y = top + (bottom - top) * (index + 0.5) / rows + 1
        for x in (left - 2.5, right + 2.5):
            sheet.paper.text(x, y, 2.2, "ABCDEFGH"[index], "c", 0, sheet.font)


def _box(sheet: Sheet, x: float, y: float, w: float, h: float, weight: float) -> None:
    for a, b, c, d in ((x, y, x + w, y), (x + w, y, x + w, y + h), (x + w, y + h, x, y + h), (x, y + h, x, y)):
        sheet.paper.line(a, b, c, d, weight)


def _rect(sheet: Sheet, rest: str) -> None:
    x, y, w, h, *weight = rest.split()
    _box(sheet, *sheet.at(x, y), float(w), float(h), float((weight or ["0.25"])[0]))


def _line(sheet: Sheet, rest: str) -> None:
    x, y, u, v, *weight = rest.split()
    sheet.paper.line(*sheet.at(x, y), *sheet.at(u, v), float((weight or ["0.25"])[0]))


def _circle(sheet: Sheet, rest: str) -> None:
    x, y, r = rest.split()
    sheet.paper.circle(*sheet.at(x, y), float(r))


def _logo(sheet: Sheet, rest: str) -> None:
    """A mark of an office without letters: a ring and a wedge in the box."""
    x, y, w, h = rest.split()
    left, top = sheet.at(x, y)
    wide, high = float(w), float(h)
    sheet.paper.circle(left + wide / 2, top + high / 2, min(wide, high) / 2, 0.5)
    sheet.paper.fill([(left + wide / 2, top), (left + wide / 2 + high / 3, top + high * 0.7), (left + wide / 2 - high / 3, top + high * 0.7)])


def _projection(sheet: Sheet, rest: str) -> None:
    """The symbol of first- or third-angle projection (ISO 128-3), `x y size first|third`."""
    x, y, size, angle = rest.split()
    (left, top), s = sheet.at(x, y), float(size)
    cone, rings = (left, left + s * 2.1) if angle == "first" else (left + s * 1.4, left + s * 0.5)
    narrow, broad = s * 0.25, s * 0.5
    mid = top + s / 2
    for a, b, c, d in ((cone, -narrow, cone, narrow), (cone, -narrow, cone + s, -broad), (cone + s, -broad, cone + s, broad), (cone, narrow, cone + s, broad)):
        sheet.paper.line(a, mid + b, c, mid + d, 0.3)
    for r in (narrow, broad):
        sheet.paper.circle(rings, mid, r, 0.3)


def _grid(sheet: Sheet, rest: str) -> None:
    """`x y cols=… rows=…`; `mode=over` (label over value), `beside`, `one`; `ls`, `vs` sizes; `w` weight; `box=1`."""
    (x, y), options = options_of(rest.split())
    left, top = sheet.at(x, y)
    sheet.grid = Grid(left, top, lengths(options["cols"]), lengths(options["rows"]), options)
    if "box" in options:
        _box(sheet, left, top, sum(sheet.grid.columns), sum(sheet.grid.rows), float(options["box"]))


def _cell(sheet: Sheet, rest: str) -> None:
    """`c column,row[:wxh] label | value | key | options`."""
    place, _, body = rest.partition(" ")
    label, value, key, given = parts(body, 4)
    assert sheet.grid is not None
    options = {**sheet.grid.options, **options_of(given.split())[1]}
    box = sheet.grid.box(place)
    if options.get("rule", "1") != "0":
        _box(sheet, *box, float(options.get("w", "0.25")))
    _letter(sheet, box, label, value, options)
    if key:
        sheet.key(key, value)


def _letter(sheet: Sheet, box: tuple[float, float, float, float], label: str, value: str, options: dict[str, str]) -> None:
    x, y, w, h = box
    small, large = float(options.get("ls", "1.8")), float(options.get("vs", "2.5"))
    lf, vf = options.get("lf", sheet.font), options.get("vf", sheet.font)
    mode = options.get("mode", "over")
    if not value or not label:
        _middle(sheet, box, label or value, small if label else large, lf if label else vf, options.get("la" if label else "va", "l"), options.get("rot", "0"))
    elif mode == "beside":
        base = y + h / 2 + small / 2
        _fit(sheet, x + 1, base, small, label, "l", lf, w)
        start = x + float(options.get("tab", width(label, small, lf) + 3))
        _fit(sheet, start, y + h / 2 + large / 2, large, value, "l", vf, x + w - start - 0.5)
    else:
        _over(sheet, box, label, value, small, large, lf, vf, options)


def _over(sheet: Sheet, box: tuple[float, float, float, float], label: str, value: str, small: float, large: float, lf: str, vf: str, options: dict[str, str]) -> None:
    x, y, w, h = box
    centred = options.get("la") == "c"
    for index, line in enumerate(label.split("\\n")):
        _fit(sheet, x + w / 2 if centred else x + 0.8, y + 0.8 + small + index * small * 1.5, small, line, "c" if centred else "l", lf, w - 1)
    lines = value.split("\\n")
    for index, line in enumerate(lines):
        base = y + h - 1 - (len(lines) - 1 - index) * large * 1.6
        middle = options.get("va") == "c"
        _fit(sheet, x + w / 2 if middle else x + float(options.get("indent", "1.5")), base, large, line, "c" if middle else "l", vf, w - 2)


def _middle(sheet: Sheet, box: tuple[float, float, float, float], text: str, size: float, name: str, align: str, rot: str) -> None:
    x, y, w, h = box
    lines = text.split("\\n")
    for index, line in enumerate(lines):
        shift = (index - (len(lines) - 1) / 2) * size * 1.6
        if rot != "0":
            sheet.paper.text(x + w / 2 + size / 2 + shift, y + h / 2, size, line, "c", float(rot), name)
        else:
            at = {"l": x + 1, "c": x + w / 2, "r": x + w - 1}[align]
            _fit(sheet, at, y + h / 2 + size / 2 + shift, size, line, align, name, w - 1.2)


def _fit(sheet: Sheet, x: float, y: float, size: float, text: str, align: Any, name: str, room: float) -> None:
    """Smaller where the cell is too narrow."""
    wide = width(text, size, name)
    sheet.paper.text(x, y, size * min(1.0, max(room, 1) / wide) if wide else size, text, align, 0, name)


def _text(sheet: Sheet, rest: str) -> None:
    """`t x y size text | key | options`; options `a=l|c|r`, `rot`, `f` font."""
    x, y, size, body = rest.split(" ", 3)
    text, key, given = parts(body, 3)
    options = options_of(given.split())[1]
    align: Any = options.get("a", "l")
    for index, line in enumerate(text.split("\\n")):
        left, base = sheet.at(x, y)
        sheet.paper.text(left, base + index * float(size) * 1.7, float(size), line, align, float(options.get("rot", "0")), options.get("f", sheet.font))
    if key:
        sheet.key(key, text)


def _notes(sheet: Sheet, rest: str) -> None:
    """`notes x y size [lead=1.8] [tab=6]`: where the next notes stand."""
    (x, y, size), options = options_of(rest.split())
    left, top = sheet.at(x, y)
    sheet.cursor = {"x": left, "y": top, "size": float(size), "lead": float(options.get("lead", "1.8")), "tab": float(options.get("tab", "0"))}


def _write(sheet: Sheet, text: str, shift: float = 0) -> None:
    place = sheet.cursor
    sheet.paper.text(place["x"] + shift, place["y"], place["size"], text, "l", 0, sheet.font)
    place["y"] += place["size"] * place["lead"]


def _marked(sheet: Sheet, rest: str) -> None:
    """`* 1. text`: a note with its mark; with `tab` the text is a piece of its own."""
    mark, _, text = rest.partition("、" if "、" in rest[:3] else " ")
    tab = sheet.cursor["tab"]
    sheet.truth["notes"].append({"number": mark.strip("()[].:-、)）").strip() or None, "text": text})
    if tab:
        sheet.paper.text(sheet.cursor["x"], sheet.cursor["y"], sheet.cursor["size"], mark, "l", 0, sheet.font)
        _write(sheet, text, tab)
    else:
        _write(sheet, rest)


def _plain(sheet: Sheet, rest: str) -> None:
    """`- text`: a note without a mark."""
    sheet.truth["notes"].append({"number": None, "text": rest})
    _write(sheet, rest)


def _more(sheet: Sheet, rest: str) -> None:
    """`+ text`: the next line of the note before."""
    sheet.truth["notes"][-1]["text"] += " " + rest
    indent = sheet.cursor["tab"] or (sheet.cursor["size"] * 2 if sheet.truth["notes"][-1]["number"] else 0)
    _write(sheet, rest, indent)


def _heading(sheet: Sheet, rest: str) -> None:
    """`# text`: lettering that is no note."""
    _write(sheet, rest)


def _gap(sheet: Sheet, rest: str) -> None:
    sheet.cursor["y"] += float(rest)


def _table(sheet: Sheet, rest: str) -> None:
    """`table bom|revisions|other x y w=… h=… [size] [up=1] [nohead=1]`; rows follow as `r a | b | c`."""
    _end_table(sheet)
    (kind, x, y), options = options_of(rest.split())
    left, top = sheet.at(x, y)
    sheet.table = {"kind": kind, "x": left, "y": top, "w": lengths(options["w"]), "h": float(options["h"]), "options": options, "rows": []}


def _row(sheet: Sheet, rest: str) -> None:
    sheet.table["rows"].append(parts(rest, len(sheet.table["w"])))


def _end_table(sheet: Sheet) -> None:
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
                _box(sheet, x, y, wide, high, 0.25)
            _middle(sheet, (x, y, wide, high), cell, size, sheet.font, options.get("a", "l"), "0")
            x += wide
    head = [] if "nohead" in options else table["rows"][0]
    if table["kind"] in ("bom", "revisions"):
        made = {"table": table["kind"], "page": 1, "columns": head, "rows": table["rows"][len(head) and 1 :]}
        sheet.truth[table["kind"]].append(made)


def _view(sheet: Sheet, rest: str) -> None:
    """`view kind x y w h [factor=1] [mark=,] [size=2.5] [cap=…]`, callouts follow as `! type text`, sizes as `d type text`."""
    plain, options = options_of(shlex.split(rest))
    kind, x, y, w, h = plain
    left, top = sheet.at(x, y)
    sheet.views.append(
        View(kind, left, top, float(w), float(h), float(options.get("size", "2.5")), sheet.options.get("dimfont", sheet.font), float(options.get("factor", "1")), options.get("mark", "."), caption=options.get("cap", ""))
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
        sheet.truth["callouts"].append({"type": kind, "text": text, "quantity": None, "through": None, "depth": None, "page": 1})


def _true(sheet: Sheet, rest: str) -> None:
    """`true key value`: what is printed where no cell says it."""
    key, _, value = rest.partition(" ")
    sheet.key(key, value)


def _changed(sheet: Sheet, rest: str) -> None:
    """`changed a | b | c`: a row of changes that stands in cells of a grid."""
    row = [cell.strip() for cell in rest.split("|")]
    sheet.truth["revisions"].append({"table": "revisions", "page": 1, "columns": [], "rows": [row]})


COMMANDS: dict[str, Callable[[Sheet, str], None]] = {
    "frame": _frame, "rect": _rect, "line": _line, "circle": _circle, "logo": _logo, "proj": _projection, "grid": _grid, "c": _cell,
    "t": _text, "notes": _notes, "*": _marked, "-": _plain, "+": _more, "#": _heading, "gap": _gap, "table": _table, "r": _row,
    "view": _view, "!": _callout, "d": _dimension, "v": _upright, "true": _true, "changed": _changed,
}  # fmt: skip

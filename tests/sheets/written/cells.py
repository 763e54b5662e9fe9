"""Commands that letter the cells of a grid, and free texts."""

from __future__ import annotations

from typing import Any

from tests.sheets.written.page import Grid, Sheet, lengths, options_of, parts, rule
from tests.sheets.written.paper import width


def grid(sheet: Sheet, rest: str) -> None:
    """`x y cols=… rows=…`; `mode=over` (label over value), `beside`, `one`; `ls`, `vs` sizes; `w` weight; `box=1`."""
    (x, y), options = options_of(rest.split())
    left, top = sheet.at(x, y)
    sheet.grid = Grid(left, top, lengths(options["cols"]), lengths(options["rows"]), options)
    if "box" in options:
        rule(sheet, left, top, sum(sheet.grid.columns), sum(sheet.grid.rows), float(options["box"]))


def cell(sheet: Sheet, rest: str) -> None:
    """`c column,row[:wxh] label | value | key | options`."""
    place, _, body = rest.partition(" ")
    label, value, key, given = parts(body, 4)
    assert sheet.grid is not None
    options = {**sheet.grid.options, **options_of(given.split())[1]}
    box = sheet.grid.box(place)
    if options.get("rule", "1") != "0":
        rule(sheet, *box, float(options.get("w", "0.25")))
    _letter(sheet, box, label, value, options)
    if key:
        sheet.key(key, value)


def _letter(
    sheet: Sheet, box: tuple[float, float, float, float], label: str, value: str, options: dict[str, str]
) -> None:
    x, y, w, h = box
    small, large = float(options.get("ls", "1.8")), float(options.get("vs", "2.5"))
    lf, vf = options.get("lf", sheet.font), options.get("vf", sheet.font)
    mode = options.get("mode", "over")
    if not value or not label:
        middle(
            sheet,
            box,
            label or value,
            small if label else large,
            lf if label else vf,
            options.get("la" if label else "va", "l"),
            options.get("rot", "0"),
        )
    elif mode == "beside":
        base = y + h / 2 + small / 2
        _fit(sheet, x + 1, base, small, label, "l", lf, w)
        start = x + float(options.get("tab", width(label, small, lf) + 3))
        _fit(sheet, start, y + h / 2 + large / 2, large, value, "l", vf, x + w - start - 0.5)
    else:
        _over(sheet, box, label, value, small, large, lf, vf, options)


def _over(
    sheet: Sheet,
    box: tuple[float, float, float, float],
    label: str,
    value: str,
    small: float,
    large: float,
    lf: str,
    vf: str,
    options: dict[str, str],
) -> None:
    x, y, w, h = box
    centred = options.get("la") == "c"
    for index, line in enumerate(label.split("\\n")):
        _fit(
            sheet,
            x + w / 2 if centred else x + 0.8,
            y + 0.8 + small + index * small * 1.5,
            small,
            line,
            "c" if centred else "l",
            lf,
            w - 1,
        )
    lines = value.split("\\n")
    for index, line in enumerate(lines):
        base = y + h - 1 - (len(lines) - 1 - index) * large * 1.6
        middle = options.get("va") == "c"
        _fit(
            sheet,
            x + w / 2 if middle else x + float(options.get("indent", "1.5")),
            base,
            large,
            line,
            "c" if middle else "l",
            vf,
            w - 2,
        )


def middle(
    sheet: Sheet, box: tuple[float, float, float, float], text: str, size: float, name: str, align: str, rot: str
) -> None:
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


def text(sheet: Sheet, rest: str) -> None:
    """`t x y size text | key | options`; options `a=l|c|r`, `rot`, `f` font."""
    x, y, size, body = rest.split(" ", 3)
    text, key, given = parts(body, 3)
    options = options_of(given.split())[1]
    align: Any = options.get("a", "l")
    for index, line in enumerate(text.split("\\n")):
        left, base = sheet.at(x, y)
        sheet.paper.text(
            left,
            base + index * float(size) * 1.7,
            float(size),
            line,
            align,
            float(options.get("rot", "0")),
            options.get("f", sheet.font),
        )
    if key:
        sheet.key(key, text)


def true(sheet: Sheet, rest: str) -> None:
    """`true key value`: what is printed where no cell says it."""
    key, _, value = rest.partition(" ")
    sheet.key(key, value)

"""Commands that draw frames, lines and symbols."""

from __future__ import annotations

from tests.sheets.written.page import Sheet, options_of, rule


def frame(sheet: Sheet, rest: str) -> None:
    """`left top right bottom` margins, `zones=8x6`: fields of reference around the frame."""
    plain, options = options_of(rest.split())
    left, top, right, bottom = (float(n) for n in plain)
    wide, high = sheet.extent
    sheet.inner = (left, top, wide - right, high - bottom)
    if "hidden" not in options:
        rule(sheet, left, top, wide - left - right, high - top - bottom, float(options.get("w", "0.7")))
    if "zones" in options:
        _zones(sheet, *(int(n) for n in options["zones"].split("x")))


def _zones(sheet: Sheet, columns: int, rows: int) -> None:
    left, top, right, bottom = sheet.inner
    rule(sheet, left - 5, top - 5, right - left + 10, bottom - top + 10, 0.25)
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


def rectangle(sheet: Sheet, rest: str) -> None:
    x, y, w, h, *weight = rest.split()
    rule(sheet, *sheet.at(x, y), float(w), float(h), float((weight or ["0.25"])[0]))


def line(sheet: Sheet, rest: str) -> None:
    x, y, u, v, *weight = rest.split()
    sheet.paper.line(*sheet.at(x, y), *sheet.at(u, v), float((weight or ["0.25"])[0]))


def circle(sheet: Sheet, rest: str) -> None:
    x, y, r = rest.split()
    sheet.paper.circle(*sheet.at(x, y), float(r))


def logo(sheet: Sheet, rest: str) -> None:
    """A mark of an office without letters: a ring and a wedge in the box."""
    x, y, w, h = rest.split()
    left, top = sheet.at(x, y)
    wide, high = float(w), float(h)
    sheet.paper.circle(left + wide / 2, top + high / 2, min(wide, high) / 2, 0.5)
    sheet.paper.fill(
        [
            (left + wide / 2, top),
            (left + wide / 2 + high / 3, top + high * 0.7),
            (left + wide / 2 - high / 3, top + high * 0.7),
        ]
    )


def projection(sheet: Sheet, rest: str) -> None:
    """The symbol of first- or third-angle projection (ISO 128-3), `x y size first|third`."""
    x, y, size, angle = rest.split()
    (left, top), s = sheet.at(x, y), float(size)
    cone, rings = (left, left + s * 2.1) if angle == "first" else (left + s * 1.4, left + s * 0.5)
    narrow, broad = s * 0.25, s * 0.5
    mid = top + s / 2
    for a, b, c, d in (
        (cone, -narrow, cone, narrow),
        (cone, -narrow, cone + s, -broad),
        (cone + s, -broad, cone + s, broad),
        (cone, narrow, cone + s, broad),
    ):
        sheet.paper.line(a, mid + b, c, mid + d, 0.3)
    for r in (narrow, broad):
        sheet.paper.circle(rings, mid, r, 0.3)

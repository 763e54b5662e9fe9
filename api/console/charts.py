"""Charts as SVG made by the server: columns per day, bars per name, strips of health. Colours are classes of the style sheet.

Every mark has a title that a pointer shows; the page that has a chart has its numbers as a table too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from markupsafe import Markup

from storage.postgres.probe_results import ProbeResult

Svg = Markup

COLOURS: Final = 8
"""Classes `series-0` to `series-7` of the style sheet; the rest of the series share the last."""

WIDTH: Final = 760
HEIGHT: Final = 240
LEFT: Final = 64
BOTTOM: Final = 28
TOP: Final = 16

BARS_WIDTH: Final = 460
"""Width of a bar chart, of which two stand side by side."""

BARS: Final = 12
"""Names that a bar chart shows."""

ROW: Final = 36
"""Height of a bar with its name."""

LABELS: Final = 8
"""Days that are written below a chart, at most."""

SLOTS: Final = 96
"""Parts of a strip of health: a quarter of an hour each, for a day."""

STRIP: Final = 22
"""Height of a strip."""


def columns(title: str, labels: Sequence[str], series: Mapping[str, Mapping[str, int]], *, unit: str) -> Svg:
    """One column per label, stacked from the series' values. Empty where there is nothing to show."""
    totals = [sum(values.get(label, 0) for values in series.values()) for label in labels]
    if not any(totals):
        return Markup()
    top = _round_up(max(totals))
    height, step = HEIGHT - BOTTOM - TOP, (WIDTH - LEFT) / len(labels)
    marks = [_grid(top * part / 4, HEIGHT - BOTTOM - height * part / 4) for part in range(5)]
    for place, label in enumerate(labels):
        below = float(HEIGHT - BOTTOM)
        for number, (name, values) in enumerate(series.items()):
            if value := values.get(label, 0):
                tall = height * value / top
                below -= tall
                frame = (LEFT + step * place + step * 0.1, below, step * 0.8, tall)
                marks.append(_rectangle(frame, number, f"{label} {name}: {value:,} {unit}"))
    marks += [
        _text(LEFT + step * (place + 0.5), HEIGHT - 8, label[5:], "middle")
        for place, label in enumerate(labels)
        if place % math.ceil(len(labels) / LABELS) == 0
    ]
    return _svg(title, HEIGHT, marks) + _legend(list(series))


def bars(title: str, values: Mapping[str, float], *, unit: str) -> Svg:
    """One bar per name, as long as its value; the first BARS of them. Empty where there is nothing to show."""
    shown = list(values.items())[:BARS]
    most = max((value for _, value in shown), default=0)
    if not most:
        return Markup()
    marks = []
    for place, (name, value) in enumerate(shown):
        top = place * ROW
        marks.append(_text(0, top + 16, f"{_shortened(name)} · {_amount(value)}", "start"))
        marks.append(_rectangle((0, top + 21, BARS_WIDTH * value / most, 9), 0, f"{name}: {_amount(value)} {unit}"))
    return _svg(title, len(shown) * ROW, marks, BARS_WIDTH, "chart bars")


def history(probe: str, results: Sequence[ProbeResult], since: datetime, length: timedelta) -> Svg:
    """A strip of the time from `since`: each part shows the worst result in it; a part without results is empty."""
    slot = length / SLOTS
    worst: dict[int, ProbeResult] = {}
    for result in results:
        place = int((result.minute - since) / slot)
        if 0 <= place < SLOTS and (place not in worst or worst[place].status == "healthy"):
            worst[place] = result
    step = WIDTH / SLOTS
    marks = []
    for place in range(SLOTS):
        found = worst.get(place)
        kind = "unknown" if found is None else "well" if found.status == "healthy" else "unwell"
        moment = (since + slot * place).strftime("%Y-%m-%d %H:%M")
        words = f"{moment}: {'not recorded' if found is None else f'{found.status}, {found.detail}'}"
        frame = {
            "x": _number(step * place + 0.5),
            "width": _number(step - 1),
            "height": STRIP,
            "kind": kind,
            "words": words,
        }
        marks.append(
            Markup(
                '<rect class="probe-{kind}" x="{x}" y="0" width="{width}" height="{height}" rx="1"><title>{words}</title></rect>'
            ).format(**frame)
        )
    unwell = sum(result.status != "healthy" for result in worst.values())
    return _svg(f"{probe}: {unwell} of {len(worst)} recorded quarters of an hour had a failed probe", STRIP, marks)


def _svg(title: str, height: int, marks: Sequence[Markup], width: int = WIDTH, kind: str = "chart") -> Svg:
    opening = Markup(
        '<svg class="{kind}" viewBox="0 0 {width} {height}" role="img" aria-label="{title}" preserveAspectRatio="xMinYMin meet">'
    ).format(kind=kind, width=width, height=height, title=title)
    return opening + Markup().join(marks) + Markup("</svg>")


def _grid(value: float, y: float) -> Markup:
    line = Markup('<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>')
    return line.format(left=LEFT, right=WIDTH, y=_number(y)) + _text(LEFT - 8, y + 4, _abbreviated(value), "end")


def _rectangle(frame: tuple[float, float, float, float], series: int, words: str) -> Markup:
    x, y, width, height = map(_number, frame)
    mark = Markup(
        '<rect class="series-{series}" x="{x}" y="{y}" width="{width}" height="{height}"><title>{words}</title></rect>'
    )
    return mark.format(series=min(series, COLOURS - 1), x=x, y=y, width=width, height=height, words=words)


def _text(x: float, y: float, words: str, anchor: str) -> Markup:
    mark = Markup('<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>')
    return mark.format(x=_number(x), y=_number(y), anchor=anchor, words=words)


def _legend(names: Sequence[str]) -> Markup:
    entry = Markup('<li><span class="swatch series-{number}"></span>{name}</li>')
    listed = [entry.format(number=min(place, COLOURS - 1), name=name) for place, name in enumerate(names)]
    return Markup('<ul class="legend">') + Markup().join(listed) + Markup("</ul>")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _shortened(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:59]}…"


def _round_up(value: float) -> float:
    """The next number of the form 1, 2, 4 or 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 8, 10) if step * power >= value)


def _amount(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _abbreviated(value: float) -> str:
    for limit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:g}{sign}"
    return f"{value:g}"

"""Views of parts with dimensions and leaders round them, each text in room of its own."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.sheets import marks
from tests.sheets.canvas import Canvas, Linear, Point, polar
from tests.sheets.marks import Mark
from tests.sheets.style import Style


@dataclass
class View:
    """A plate with holes; what stands round it is reserved in bands."""

    width: float
    height: float
    across: list[tuple[float, float, Mark]] = field(default_factory=list)
    """Dimensions below: from, to, along the lower edge."""
    up: list[tuple[float, float, Mark]] = field(default_factory=list)
    """Dimensions at the left."""
    leaders: list[tuple[Mark, bool]] = field(default_factory=list)
    """From the top; whether each points at a hole."""
    slanted: Mark | None = None
    """On the cut corner at the upper left."""
    cut: float = 0
    caption: str | None = None
    datum: str | None = None
    hatched: bool = False
    bands: dict[str, float] = field(default_factory=dict)

    @property
    def box(self) -> Point:
        bands = self.bands
        return bands["left"] + self.width + bands["right"], bands["below"] + self.height + bands["above"]


def factor(style: Style) -> float:
    """What a millimeter of paper measures, in the unit of the sheet."""
    paper, real = (float(part) for part in style.scale.split(":"))
    return real / paper / (25.4 if style.inch else 1)


def view(rng: random.Random, style: Style, measure: Canvas) -> View:
    """A random view and the room that it needs."""
    made = View(_long(rng, style, 40, 110), _long(rng, style, 36, 80))
    made.across = [_along(rng, style, made.width) for _ in range(rng.randint(0, 2))] + [_all(rng, style, made.width)]
    made.up = [_along(rng, style, made.height) for _ in range(rng.randint(0, 1))] + [_all(rng, style, made.height)]
    made.leaders = [_led(rng, style) for _ in range(rng.randint(1, 4))]
    while sum(_tall(style, mark) for mark, _ in made.leaders) > made.height + 8:
        made.leaders.pop()
    if rng.random() < 0.25:
        made.cut = _long(rng, style, 14, 18)
        value = made.cut * 2**0.5 * factor(style)
        made.slanted = Mark("dimension", (style.number(value, 3 if style.inch else 1),), value=value)
    made.caption = rng.choice([None, None, None, "SECTION A-A", "A-A (2:1)", "DETAIL B", "VIEW C"])
    made.datum = rng.choice("ABC") if rng.random() < 0.25 else None
    made.hatched = rng.random() < 0.2
    _bands(made, style, measure)
    return made


def _led(rng: random.Random, style: Style) -> tuple[Mark, bool]:
    at_hole = rng.random() < 0.6
    return (marks.at_leader if at_hole else marks.at_edge)(rng, style), at_hole


def _long(rng: random.Random, style: Style, least: float, most: float) -> float:
    """A length on paper that measures a round value."""
    each = factor(style)
    real = each * (25.4 if style.inch else 1)
    return marks.size(rng, style, least * real, most * real) / each


def _along(rng: random.Random, style: Style, whole: float) -> tuple[float, float, Mark]:
    length = _long(rng, style, min(18, whole / 2), whole * 0.7)
    length = min(length, whole)
    start = rng.choice([0.0, (whole - length) / 2, whole - length])
    return start, start + length, marks.linear(rng, style, round(length * factor(style), 6))


def _all(rng: random.Random, style: Style, whole: float) -> tuple[float, float, Mark]:
    return 0, whole, marks.linear(rng, style, round(whole * factor(style), 6))


def _tall(style: Style, mark: Mark) -> float:
    """Height that a leader's text needs."""
    height = style.lettering
    more = 2.4 if mark.type == "surface_finish" else (0.8 if mark.upper else 0)
    return height * (1.6 * max(1, len(mark.lines)) + 1.6 + more)


def _pitch(style: Style, mark: Mark, upright: bool, wide: float) -> float:
    """Room that a dimension needs across its line."""
    if upright:
        return wide + 5
    lines = len(mark.lines) + (0.9 if mark.upper else 0) + (0.8 if mark.boxed else 0)
    return style.lettering * (1.5 + 1.6 * lines) + 2


def _bands(made: View, style: Style, measure: Canvas) -> None:
    wide = {id(mark): _wide(mark, style, measure) for mark in _marks(made)}
    below = 6 + sum(_pitch(style, mark, False, 0) for _, _, mark in made.across)
    left = 6 + sum(_pitch(style, mark, style.upright, wide[id(mark)]) for _, _, mark in made.up)
    right = 16 + max((wide[id(mark)] for mark, _ in made.leaders), default=0) + 2 * style.lettering
    outside = max(_outside(start, end, made.width, wide[id(mark)]) for start, end, mark in made.across)
    above = 6 + (style.lettering * 3 if made.caption else 0) + (style.lettering * 4 if made.datum else 0)
    above = max(
        above, 6 + max((_outside(start, end, made.height, wide[id(mark)]) for start, end, mark in made.up), default=0)
    )
    if made.slanted:
        above, left = max(above, 16.0), max(left, 20.0)
    made.bands = {"left": left + 4, "right": max(right, outside) + 3, "below": below + 4, "above": above + 4}


def _outside(start: float, end: float, whole: float, wide: float) -> float:
    """How far a text that does not fit between its arrows stands out, at most."""
    return max(0.0, end + 7 + wide + 8 - whole) if end - start < wide + 20 else 0.0


def _wide(mark: Mark, style: Style, measure: Canvas) -> float:
    height = style.lettering
    if mark.cells:
        return sum(max(measure.wide(cell, height) + height, 2 * height) for cell in mark.cells)
    small = max((measure.wide(text, height) for text in (mark.upper, mark.lower) if text), default=0)
    more = 4 * height if mark.type == "surface_finish" else 0
    return max(measure.wide(line, height) for line in mark.lines) + small + more + height


def _marks(made: View) -> list[Mark]:
    return [mark for _, _, mark in [*made.across, *made.up]] + [mark for mark, _ in made.leaders]


def draw(canvas: Canvas, rng: random.Random, style: Style, made: View, corner: Point) -> list[Mark]:
    """Draws it with the lower left corner of its room at a point; returns all that was written."""
    x, y = corner[0] + made.bands["left"], corner[1] + made.bands["below"]
    _outline(canvas, made, x, y)
    holes = _holes(canvas, rng, style, made, (x, y))
    written = _dimensions(canvas, style, made, x, y)
    written += _leaders(canvas, rng, style, made, (x, y), holes)
    if made.caption:
        canvas.text(
            (x + made.width / 2, y + made.height + made.bands["above"] - 4 - style.lettering),
            made.caption,
            style.lettering,
            0,
            "center",
        )
    if made.datum:
        _datum(canvas, style, made.datum, (x + made.width * 0.75, y + made.height))
    if made.slanted:
        start, end = (x, y + made.height - made.cut), (x + made.cut, y + made.height)
        base = (start[0] - 5, start[1] + 5)
        canvas.linear(Linear(start, end, base, 45, made.slanted, factor(style)))
        written.append(made.slanted)
    return written


def _outline(canvas: Canvas, made: View, x: float, y: float) -> None:
    right, top, cut = x + made.width, y + made.height, made.cut
    corners = [(x, y), (right, y), (right, top), (x + cut, top), (x, top - cut)]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        if start != end:
            canvas.line(start, end, 0.5)
    canvas.line((x - 3, y + made.height / 2), (right + 3, y + made.height / 2), 0.18, dashed=True)
    if made.hatched:
        for step in range(2, 12, 2):
            canvas.line((x + step, y), (x, y + step), 0.13)
            canvas.line((x + step + 2, y + 1), (x + step + 12, y + 11), 0.13)


def _holes(canvas: Canvas, rng: random.Random, style: Style, made: View, at: Point) -> list[tuple[Point, float]]:
    """One for each leader to a hole, lower ones for lower leaders."""
    count = sum(at_hole for _, at_hole in made.leaders)
    holes = []
    for place in range(count):
        middle = at[0] + made.width * rng.uniform(0.45, 0.85), at[1] + made.height * (1 - (place + 0.7) / (count + 0.6))
        radius = min(rng.uniform(2, 5), made.height / (count + 1) / 2.5)
        canvas.circle(middle, radius, 0.5)
        canvas.line((middle[0] - radius - 2, middle[1]), (middle[0] + radius + 2, middle[1]), 0.13, dashed=True)
        canvas.line((middle[0], middle[1] - radius - 2), (middle[0], middle[1] + radius + 2), 0.13, dashed=True)
        holes.append((middle, radius))
    return holes


def _dimensions(canvas: Canvas, style: Style, made: View, x: float, y: float) -> list[Mark]:
    base, each = y - 6.0, factor(style)
    for start, end, mark in made.across:
        pitch = _pitch(style, mark, False, 0)
        base -= pitch
        canvas.linear(Linear((x + start, y), (x + end, y), (x, base + 2), 0, mark, each))
    base = x - 6.0
    for start, end, mark in made.up:
        pitch = _pitch(style, mark, style.upright, _wide(mark, style, canvas))
        base -= pitch
        at = base + (pitch / 2 if style.upright else 2)
        if not style.upright:
            at = base + pitch - 3 if style.asme else base + pitch - 2
        canvas.linear(Linear((x, y + start), (x, y + end), (at, y), 90, mark, each))
    return [mark for _, _, mark in [*made.across, *made.up]]


def _leaders(
    canvas: Canvas, rng: random.Random, style: Style, made: View, at: Point, holes: list[tuple[Point, float]]
) -> list[Mark]:
    right, y, free = at[0] + made.width, at[1] + made.height + 4, list(holes)
    for mark, at_hole in made.leaders:
        tall = _tall(style, mark)
        middle = y - tall / 2 - (style.lettering if mark.type == "surface_finish" else 0)
        knee, landing = (right + 8, middle), (right + 12, middle)
        hole = free.pop(0) if at_hole else None
        if hole:
            (cx, cy), radius = hole
            length = ((knee[0] - cx) ** 2 + (knee[1] - cy) ** 2) ** 0.5
            tip = cx + (knee[0] - cx) / length * radius, cy + (knee[1] - cy) / length * radius
        else:
            tip = right, min(max(middle - 4, at[1] + 1), at[1] + made.height - 1)
        canvas.leader(tip, knee, landing, mark, hole)
        y -= tall
    return [mark for mark, _ in made.leaders]


def _datum(canvas: Canvas, style: Style, letter: str, at: Point) -> None:
    """A datum feature sign (ISO 5459)."""
    height = style.lettering
    canvas.fill(((at[0] - height / 2, at[1]), (at[0] + height / 2, at[1]), (at[0], at[1] + height * 0.8)))
    low = at[1] + height * 1.6
    canvas.line((at[0], at[1] + height * 0.8), (at[0], low), 0.18)
    corners = [
        (at[0] - height, low),
        (at[0] + height, low),
        (at[0] + height, low + 2 * height),
        (at[0] - height, low + 2 * height),
    ]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        canvas.line(start, end, 0.25)
    canvas.text((at[0], low + height / 2), letter, height, 0, "center")


def wedge(canvas: Canvas, rng: random.Random, style: Style, corner: Point) -> Mark:
    """Two edges and the angle between them; needs 70 by 50 mm."""
    angle = rng.choice([20, 30, 37.5, 45, 60])
    center, text = (
        (corner[0] + 5, corner[1] + 5),
        style.number(angle, None if not style.inch else 0 if angle % 1 == 0 else 1) + "°",
    )
    kind = rng.random() < 0.4
    mark = (
        Mark("tolerance", (f"{text} ±{style.number(0.5, 1)}°",), value=angle, nominal=text)
        if kind
        else Mark("dimension", (text,), value=angle, nominal=text)
    )
    for turn in (0.0, angle):
        canvas.line(center, polar(center, 40, turn), 0.5)
    canvas.angular(center, 30, 0, angle, mark)
    return mark

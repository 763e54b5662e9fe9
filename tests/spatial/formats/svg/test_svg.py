"""Plain SVG against expectations worked out by hand, with matrices by numpy."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.models.sampling_plan import SamplingPlan
from tests.spatial.diagrams import source
from tests.spatial.formats.svg.written import NAMESPACES, Record, entities, only, structure, texts


def numbers(d: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+", d)]


def along(d: str, steps: int = 64) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(n, 2): points on path data of M, L, C and Z."""
    found: list[Any] = []
    for command, text in re.findall(r"([MLCZ])([^MLCZ]*)", d):
        values = np.array(numbers(text)).reshape(-1, 2)
        if command == "C":
            t = np.linspace(0, 1, steps)[:, None]
            p0, (p1, p2, p3) = found[-1], values
            found.extend((1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t**2 * p2 + t**3 * p3)
        else:
            found.extend(values)
    return np.array(found)


def matrix(text: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A transform list as SVG 1.1 chapter 7.6 defines it."""
    result = np.eye(3)
    for name, inside in re.findall(r"(\w+)\(([^)]*)\)", text):
        v = [float(each) for each in inside.replace(",", " ").split()]
        turn = math.radians(v[0])
        step = np.eye(3)
        if name == "translate":
            step[:2, 2] = v[0], v[1] if len(v) > 1 else 0
        elif name == "scale":
            step[0, 0], step[1, 1] = v[0], v[-1]
        elif name == "rotate":
            about, back = np.eye(3), np.eye(3)
            about[:2, 2], back[:2, 2] = (v[1:3], np.negative(v[1:3])) if len(v) == 3 else ((0, 0), (0, 0))
            step[:2, :2] = [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
            step = about @ step @ back
        elif name == "skewX":
            step[0, 1] = math.tan(turn)
        elif name == "skewY":
            step[1, 0] = math.tan(turn)
        else:
            step[:2] = np.array(v).reshape(3, 2).T
        result = result @ step
    return result


STEPS = st.one_of(
    st.tuples(st.integers(-50, 50), st.integers(-50, 50)).map(lambda v: f"translate({v[0]},{v[1]})"),
    st.sampled_from(["scale(2)", "scale(.5 -1.5)", "rotate(30)", "rotate(-45 10 20)", "skewX(20)", "skewY(-10)"]),
    st.sampled_from(["matrix(1 2 3 4 5 6)", "translate(7)", "matrix(0,1,-1,0,3,4)"]),
)


@pytest.mark.requirement("svg.transforms")
@settings(max_examples=150, deadline=None)
@given(st.lists(STEPS, max_size=3).map(" ".join), st.lists(STEPS, max_size=3).map(", ".join))
def test_transforms_multiply(outer: str, inner: str) -> None:
    line = only(f'<g transform="{outer}"><line transform="{inner}" x1="1" y1="2" x2="30" y2="-4"/></g>')
    placed = matrix(outer) @ matrix(inner) @ np.array([[1, 30], [2, -4], [1, 1]])
    assert np.allclose([line["start"], line["end"]], placed[:2].T, atol=0.001)


@pytest.mark.requirement("svg.transforms")
@pytest.mark.parametrize(
    ("fit", "start", "end"),
    [
        (None, (0, 100), (400, 500)),  # 100 x 100 in 400 x 600: scale 4, 200 spare below
        ("xMidYMid meet", (0, 100), (400, 500)),
        ("xMinYMin", (0, 0), (400, 400)),
        ("xMaxYMax meet", (0, 200), (400, 600)),
        ("xMidYMid slice", (-100, 0), (500, 600)),
        ("xMinYMid slice", (0, 0), (600, 600)),
        ("none", (0, 0), (400, 600)),
    ],
)
def test_view_boxes_are_fitted(fit: str | None, start: tuple[float, float], end: tuple[float, float]) -> None:
    said = f'preserveAspectRatio="{fit}"' if fit else ""
    line = '<line x1="10" y1="20" x2="110" y2="120"/>'
    found = only(line, f'width="400" height="600" viewBox="10 20 100 100" {said}')
    assert (tuple(found["start"]), tuple(found["end"])) == (start, end)
    nested = f'<svg x="5" y="7" width="400" height="600" viewBox="10 20 100 100" {said}>{line}</svg>'
    found = only(nested, 'width="1000" height="1000"')
    assert tuple(found["start"]) == (start[0] + 5, start[1] + 7)
    assert tuple(found["end"]) == (end[0] + 5, end[1] + 7)


@pytest.mark.requirement("svg.transforms")
def test_percentages_are_of_the_nearest_viewport() -> None:
    root = 'width="500" height="500" viewBox="0 0 100 100"'
    assert only('<rect width="100%" height="50%"/>', root)["points"] == [[0, 0], [500, 0], [500, 250], [0, 250]]
    inner = '<svg x="10%" width="50%" height="50%" viewBox="0 0 10 10"><line x2="100%" y2="100%"/></svg>'
    assert only(inner, root)["start"] == [50, 0] and only(inner, root)["end"] == [300, 250]
    assert only('<circle cx="50%" cy="50%" r="10%"/>', root) | {} == only('<circle cx="50" cy="50" r="10"/>', root)


@pytest.mark.requirement("svg.units")
@pytest.mark.parametrize(
    ("width", "pixels", "unit"),
    [("100mm", 377.953, "millimeter"), ("1in", 96, "inch"), ("72pt", 96, "point"), ("2.54cm", 96, "centimeter"), ("6pc", 96, "pica"),
     ("50px", 50, "pixel"), ("50", 50, "pixel")],
)  # fmt: skip
def test_lengths_become_pixels_and_are_told_as_written(width: str, pixels: float, unit: str) -> None:
    root = f'width="{width}" height="{width}"'
    found = structure(f'<line x2="{width}"/>', root)
    assert found["entities"][0]["end"] == [pytest.approx(pixels, abs=0.001), 0]
    (sheet,) = found["sheets"]
    assert sheet["declared_size"]["width"]["unit"] == unit
    assert sheet["bbox"] == pytest.approx([0, 0, pixels, pixels], abs=0.001)
    read = source(f"<svg {NAMESPACES} {root}/>", "a.svg").reading
    assert (read.units.name, read.source_format) == ("pixel", "svg")


@pytest.mark.requirement("svg.shapes")
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ('<line x1="1" y1="2" x2="3" y2="4"/>', {"type": "line", "start": [1, 2], "end": [3, 4]}),
        ('<polyline points="1,2 3,4 5 6"/>', {"type": "polyline", "points": [[1, 2], [3, 4], [5, 6]], "closed": False}),
        ('<polygon points="1-2.5.5,4 5 6"/>', {"type": "polyline", "points": [[1, -2.5], [0.5, 4], [5, 6]], "closed": True}),
        ('<rect x="1" y="2" width="3" height="4"/>', {"points": [[1, 2], [4, 2], [4, 6], [1, 6]], "closed": True}),
        ('<circle cx="1" cy="2" r="3"/>', {"type": "circle", "center": [1, 2], "radius": 3}),
        ('<circle cx="1" cy="2" r="3" transform="scale(2)"/>', {"type": "circle", "center": [2, 4], "radius": 6}),
        ('<path d="M1 2L3 4"/>', {"type": "line", "start": [1, 2], "end": [3, 4]}),
        ('<path d="m1 2 2 2h5v-1z"/>', {"points": [[1, 2], [3, 4], [8, 4], [8, 3]], "closed": True}),
        ('<path d="M1 2C3 4 5 6 7 8"/>', {"type": "path", "d": "M1 2C3 4 5 6 7 8"}),
        ('<path d="M0 0c1 2 3 4 5 6s1 1 2 2"/>', {"d": "M0 0C1 2 3 4 5 6C7 8 6 7 7 8"}),
        ('<path d="M0 0Q3 3 6 0T12 0"/>', {"d": "M0 0C2 2 4 2 6 0C8 -2 10 -2 12 0"}),
        ('<path d="M0 0S3 3 6 0"/>', {"d": "M0 0C0 0 3 3 6 0"}),
        ('<path d="M0 0L1 1M5 5L6 6"/>', {"d": "M0 0L1 1 M5 5L6 6"}),
        ('<path d="M0 0H5Zl1 1"/>', {"d": "M0 0L5 0Z M0 0L1 1"}),
        ('<path d="M0 0L5 5 oops L9 9"/>', {"type": "line", "end": [5, 5]}),
    ],
)  # fmt: skip
def test_shapes_have_their_geometry(body: str, wanted: Record) -> None:
    found = only(body)
    assert found | wanted == found


@pytest.mark.requirement("svg.shapes")
@pytest.mark.parametrize(
    "body",
    [
        '<rect width="0" height="5"/>',
        '<circle r="-1"/>',
        '<path d=""/>',
        '<path d="L1 2"/>',
        '<polyline points="1 2"/>',
        "<ellipse/>",
    ],
)
def test_nothing_is_drawn_of_shapes_without_extent(body: str) -> None:
    assert entities(body) == []


@pytest.mark.requirement("svg.shapes")
def test_a_circle_under_skew_is_an_ellipse() -> None:
    found = only('<circle cx="10" cy="0" r="5" transform="scale(3 1)"/>')
    assert found["type"] == "ellipse" and found["center"] == [30, 0]
    assert np.abs(found["major_axis"]).tolist() == [15, 0]
    assert np.abs(found["minor_axis"]).tolist() == [0, 5]
    turned = only('<ellipse rx="4" ry="2" transform="rotate(30)"/>')
    assert math.hypot(*turned["major_axis"]) == pytest.approx(4, abs=0.001)
    assert math.degrees(math.atan2(turned["major_axis"][1], turned["major_axis"][0])) % 180 == pytest.approx(
        30, abs=0.02
    )


@pytest.mark.requirement("svg.shapes")
@pytest.mark.parametrize(
    ("radii", "rx", "ry"), [('rx="5"', 5, 5), ('ry="5"', 5, 5), ('rx="5" ry="8"', 5, 8), ('rx="90" ry="4"', 20, 4)]
)
def test_rounded_corners_are_quarter_ellipses(radii: str, rx: float, ry: float) -> None:
    found = only(f'<rect x="10" y="20" width="40" height="30" {radii}/>')
    assert found["bbox"] == [10, 20, 50, 50]
    for x, y in along(found["d"]):
        # Inside the corner's square a point is on its ellipse, else on a side.
        dx, dy = max(10 + rx - x, x - 50 + rx, 0) / rx, max(20 + ry - y, y - 50 + ry, 0) / ry
        on_side = min(abs(x - 10), abs(x - 50), abs(y - 20), abs(y - 50)) < 0.001
        assert on_side or math.hypot(dx, dy) == pytest.approx(1, abs=0.002)


@pytest.mark.requirement("svg.shapes")
@pytest.mark.parametrize(("large", "sweep"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_arcs_lie_on_their_circle(large: int, sweep: int) -> None:
    found = only(f'<path d="M10 0A10 10 0 {large}{sweep}0 10"/>')
    # Through (10, 0) and (0, 10) go two circles of radius 10, about the origin and about (10, 10).
    middle = (0, 0) if large != sweep else (10, 10)
    points = along(found["d"])
    assert np.allclose(np.hypot(*(points - middle).T), 10, atol=0.01)
    lengths = np.hypot(*np.diff(points, axis=0).T).sum()
    assert lengths == pytest.approx((1.5 if large else 0.5) * math.pi * 10, abs=0.05)
    turn = _cross(points, middle)
    assert (turn > 0) == bool(sweep)


def _cross(points: np.ndarray[Any, np.dtype[np.float64]], middle: tuple[float, float]) -> float:
    (ax, ay), (bx, by) = points[0] - middle, points[3] - middle
    return float(ax * by - ay * bx)


@pytest.mark.requirement("svg.shapes")
@pytest.mark.parametrize(
    ("d", "wanted"),
    [
        ("M0 0A0 5 0 0 1 9 9", {"type": "line", "end": [9, 9]}),  # no radius: a line
        ("M0 0A5 5 0 0 1 0 0L1 1", {"type": "line", "end": [1, 1]}),  # no way: nothing
        ("M0 0A1 1 0 0 1 10 0", {"bbox": [0, -5, 10, 0]}),  # too small: just large enough
        ("M0 0a5 5 0 0110 0", {"bbox": [0, -5, 10, 0]}),  # flags without separators
        ("M0 0C0 40 10 40 10 0", {"bbox": [0, 0, 10, 30]}),  # the box of the curve, not of its control points
    ],
)
def test_odd_arcs_and_boxes_of_curves(d: str, wanted: Record) -> None:
    found = only(f'<path d="{d}"/>')
    assert found | wanted == found


@pytest.mark.requirement("svg.use")
def test_use_symbols_and_definitions() -> None:
    body = """
      <defs><rect id="r" width="2" height="2"/><g id="g" transform="scale(2)"><use xlink:href="#r" x="1"/></g></defs>
      <symbol id="s" viewBox="0 0 10 10"><line x2="10" y2="10"/></symbol>
      <use href="#r" x="10" y="20"/><use href="#g" transform="translate(100 0)"/><use href="#s" x="5" y="5" width="100" height="100"/>
    """
    first, second, third = entities(body)
    assert first["points"][0] == [10, 20]
    assert second["points"][::2] == [[102, 0], [106, 4]]
    assert (third["start"], third["end"]) == ([5, 5], [105, 105])


@pytest.mark.requirement("svg.use")
def test_use_of_itself_and_of_nothing_ends_with_a_warning() -> None:
    body = '<g id="a"><use href="#a"/><line x2="1"/></g><use href="#none"/><use href="http://example.com/#x"/><use/>'
    read = source(f"<svg {NAMESPACES}>{body}</svg>", "a.svg").reading
    assert "uses itself" in "".join(read.warnings)
    assert "not in the file" in "".join(read.warnings)
    assert len(read.structure.entities) == 1


@pytest.mark.requirement("svg.use")
@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ('<g id="a"><text>A</text><use href="#b"/><use href="#b"/></g><g id="b"><text>B</text><use href="#a"/></g>', 5),
        ('<use id="a" href="#a"/>', 0),
        ('<symbol id="a"><text>A</text><use href="#a"/><use href="#a"/></symbol><use href="#a"/>', 1),
        ('<g id="b"><g id="a"><text>A</text></g><use href="#a"/><use href="#b"/></g><use href="#b"/>', 4),
        (
            '<g id="a"><text>A</text><use href="#a"/></g><g><use href="#a"/><g id="a"><text>B</text><use href="#a"/></g></g>',
            4,
        ),
    ],
    ids=["by way of another", "a use", "a symbol", "beside it", "one of two of a name"],
)
def test_what_an_element_stands_in_is_not_drawn_within_it(body: str, texts: int) -> None:
    read = source(f"<svg {NAMESPACES}>{body}</svg>", "a.svg").reading
    assert "uses itself" in "".join(read.warnings)
    assert len(read.structure.annotations) == texts


@pytest.mark.requirement("svg.use")
@pytest.mark.parametrize("within", ["", "<text>A</text>", '<line x2="1"/>'], ids=["nothing", "text", "line"])
def test_use_of_use_ends_where_it_multiplies(within: str) -> None:
    nest = "".join(f'<g id="g{n}"><use href="#g{n - 1}"/><use href="#g{n - 1}"/></g>' for n in range(1, 24))
    read = source(
        f'<svg {NAMESPACES}><defs><g id="g0">{within}</g>{nest}</defs><use href="#g23"/></svg>', "a.svg"
    ).reading
    assert "use others for more than" in "".join(read.warnings)


@pytest.mark.requirement("svg.styles")
@pytest.mark.parametrize(
    ("body", "color"),
    [
        ('<line x2="1" stroke="red"/>', "#ff0000"),
        ('<g stroke="#0f0"><line x2="1"/></g>', "#00ff00"),
        ('<g stroke="red" style="stroke:blue"><line x2="1"/></g>', "#0000ff"),
        ("<style>.a{stroke:red} line{stroke:blue}</style><line class='b a' x2='1'/>", "#ff0000"),
        ("<style>line{stroke:blue}</style><line stroke='red' x2='1'/>", "#0000ff"),
        ("<style>#i{stroke:lime}.a{stroke:red}</style><line id='i' class='a' x2='1'/>", "#00ff00"),
        ("<style>.a{stroke:red}</style><line class='a' style='stroke: rgb(1,2,3)' x2='1'/>", "#010203"),
        ("<style><![CDATA[/* x */ g > .a, .b { stroke : #123456 ; }]]></style><g><line class='b' x2='1'/></g>", "#123456"),
        ("<style>line:hover{stroke:red} *{stroke:#111}</style><line x2='1'/>", "#111111"),
        ("<g stroke='red'><line stroke='inherit' x2='1'/></g>", "#ff0000"),
        ("<line x2='1'/>", None),
        ("<line stroke='none' x2='1'/>", None),
    ],
)  # fmt: skip
def test_style_applies_in_the_order_of_css(body: str, color: str | None) -> None:
    assert only(body).get("color") == color


@pytest.mark.requirement("svg.styles")
def test_widths_dashes_and_fills() -> None:
    found = only(
        '<rect width="9" height="9" stroke="red" stroke-width="2" stroke-dasharray="4 2" transform="scale(3)"/>'
    )
    assert (found["width"], found["dash"], found["fill"]) == (6, "4 2", "#000000")
    assert "fill" not in only('<rect width="9" height="9" fill="none"/>')
    assert only('<rect width="9" height="9" fill="url(#gradient)"/>')["fill"] == "pattern"


@pytest.mark.requirement("svg.text")
def test_texts_and_tspans_have_places() -> None:
    body = """<text x="10" y="20" font-size="10">one <tspan font-weight="bold">line</tspan>
      <tspan x="10" dy="12">second</tspan><tspan x="10" dy="12">third</tspan></text>
      <text transform="translate(100 50) rotate(-90)">up</text><text/><text x="1">  </text>"""
    found = texts(body)
    assert [each["text"] for each in found] == ["one line", "second", "third", "up"]
    assert [each["position"] for each in found] == [[10, 20], [10, 32], [10, 44], [100, 50]]
    assert found[3]["angle"] == 90
    assert found[0]["height"] == pytest.approx(7.16)


@pytest.mark.requirement("svg.text")
def test_anchored_text_begins_before_its_place() -> None:
    start, middle, end = (
        texts(f'<text x="100" y="9" text-anchor="{anchor}">words</text>')[0]["position"][0]
        for anchor in ("start", "middle", "end")
    )
    assert end < middle < start == 100
    assert texts('<text x="50%" y="50%">here</text>')[0]["position"] == [200, 150]


@pytest.mark.requirement("svg.visibility")
def test_what_is_not_seen_is_kept_and_marked() -> None:
    body = """<clipPath id="c"><rect width="1" height="1"/></clipPath>
      <g display="none"><line id="a" x2="1" visibility="visible"/></g>
      <g visibility="hidden"><line id="b" x2="1"/><line id="c" x2="1" visibility="visible"/></g>
      <g clip-path="url(#c)"><line id="d" x2="1"/></g><line id="e" x2="1" style="display:none"/><line id="f" x2="1"/>"""
    found = {each["element"]: (each.get("visible", True), each.get("clipped", False)) for each in entities(body)}
    assert found == {
        "a": (False, False), "b": (False, False), "c": (True, False), "d": (True, True), "e": (False, False),
        "f": (True, False),
    }  # fmt: skip


@pytest.mark.requirement("svg.layers")
def test_layers_are_inkscapes_or_named_groups() -> None:
    body = """<g inkscape:groupmode="layer" inkscape:label="Walls" id="layer1"><g id="inner"><line x2="1"/></g></g>
      <g id="plain"><g><line x2="2"/></g></g><g inkscape:groupmode="layer" inkscape:label="Off" style="display:none"/>
      <line x2="3"/>"""
    found = structure(body)
    assert [each.get("layer") for each in found["entities"]] == ["Walls", "plain", None]
    assert [(each["name"], each["visible"]) for each in found["layers"]] == [
        ("Walls", True),
        ("plain", True),
        ("Off", False),
    ]


@pytest.mark.requirement("svg.shapes")
def test_points_lie_on_what_is_drawn() -> None:
    read = source(f'<svg {NAMESPACES}><circle cx="50" cy="50" r="20" transform="scale(2)"/></svg>', "a.svg")
    (cloud,) = read.sample(SamplingPlan(points_per_object=50, points_total=50, seed=1)).point_clouds
    distances = [math.hypot(each["x"] - 100, each["y"] - 100) for each in cloud.points]
    assert np.allclose(distances, 40, atol=0.15)


@pytest.mark.requirement("svg.shapes")
def test_pictures_and_foreign_objects() -> None:
    body = '<image x="1" y="2" width="3" height="4" href="x.png"/><foreignObject><p>words</p></foreignObject>'
    (picture,) = entities(body)
    assert picture["type"] == "image" and picture["points"][2] == [4, 6]


@pytest.mark.requirement("svg.damaged-numbers")
@pytest.mark.parametrize(
    "shape",
    [
        '<line x1="0" y1="0" x2="1e30" y2="5"/>',
        '<line x1="0" y1="0" x2="abc" y2="5"/>',
        '<circle cx="1e999" cy="5" r="3"/>',
        '<polyline points="0,0 5,1e12"/>',
    ],
)
def test_a_shape_with_a_damaged_number_is_left_out_and_counted(shape: str) -> None:
    reading = source(f'<svg {NAMESPACES} width="90" height="90"><line x2="9" y2="9"/>{shape}</svg>', "a.svg").reading
    assert len(reading.structure.entities) == 1
    assert "coordinates are damaged or out of range: 1 shape was left out" in reading.warnings


@pytest.mark.requirement("svg.damaged-numbers")
def test_a_damaged_view_box_does_not_count_and_is_said() -> None:
    reading = source(
        f'<svg {NAMESPACES} width="90" height="90" viewBox="0 0 1e999 100"><line x2="9" y2="9"/></svg>', "a.svg"
    ).reading
    assert "the viewBox is damaged or out of range, so that it does not count" in reading.warnings
    assert "view_box" not in (reading.structure.sheets[0].model_extra or {})


@pytest.mark.requirement("svg.damaged-numbers")
@pytest.mark.parametrize("height", ["-5", "1e999", "-3mm"])
def test_a_side_that_can_be_none_does_not_count_and_is_said(height: str) -> None:
    reading = source(f'<svg {NAMESPACES} width="90" height="{height}"><line x2="9" y2="9"/></svg>', "a.svg").reading
    assert "the height is damaged, negative or out of range, so that it does not count" in reading.warnings
    sheet = reading.structure.sheets[0]
    assert list(sheet.bbox) == [0.0, 0.0, 90.0, 150.0]
    assert set((sheet.model_extra or {})["declared_size"]) == {"width"}

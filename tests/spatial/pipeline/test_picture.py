"""Pictures of solids: projections, hidden lines, cuts and labels against what the geometry says."""

from __future__ import annotations

import io
from itertools import pairwise
from math import pi, sqrt
from pathlib import Path
from typing import Any

import cadquery as cq
import numpy as np
import pytest
from lxml import etree
from PIL import Image

from spatial.contract.features import Feature, HoleStep, HoleTreatment, TurnedStep, Undercut
from spatial.errors import InvalidRequest, ParseError
from spatial.models.brep.model import BrepModel
from spatial.models.picture import VIEWS, PicturePlan, Section, ViewName
from spatial.pipeline.brep import BrepSteps
from spatial.pipeline.picture import draw, labels, scene
from spatial.pipeline.picture.explosion import exploded
from spatial.pipeline.picture.scene import SceneBody
from spatial.pipeline.picture.view import SAMPLES, View, camera_of, render
from spatial.pipeline.read import read_file
from tests.spatial import parts
from tests.spatial.models.test_brep_errors import model_of
from tests.support.stack import ROOT

SAMPLE = ROOT / "examples" / "bracket.step"
SIZE = (400, 300)
BOX = (20.0, 20.0, 380.0, 280.0)


def drilled() -> cq.Solid:
    """40 x 30 x 20 with a hole of 10 from top to bottom."""
    return parts.solid(cq.Workplane().box(40, 30, 20).faces(">Z").hole(10))


def bodies_of(*shapes: cq.Shape) -> list[SceneBody]:
    warnings: list[str] = []
    found = [body for shape in shapes for body in scene.bodies(model_of(shape.wrapped), warnings)]
    assert not warnings
    return found


def seen(found: list[SceneBody], name: ViewName, section: Section | None = None) -> View:
    if section is not None and section.offset is not None:
        found = scene.cut(found, section.number, section.offset, -1.0 if section.axis == "y" else 1.0)
    return render(found, camera_of(found, name, BOX), SIZE, section)


def sample_of(name: str = SAMPLE.name) -> tuple[BrepSteps, list[Feature]]:
    steps = read_file((SAMPLE.parent / name).read_bytes(), name)
    assert isinstance(steps, BrepSteps)
    return steps, [Feature.model_validate(row) for row in steps.interpret().structure["features"]]


def assembly(
    folder: Path, *placed: tuple[cq.Workplane, tuple[float, float, float], tuple[float, float, float]]
) -> BrepSteps:
    together = cq.Assembly()
    for part, place, color in placed:
        together.add(part, loc=cq.Location(cq.Vector(*place)), color=cq.Color(*color))
    together.export(str(file := folder / "together.step"))
    steps = read_file(file.read_bytes(), file.name)
    assert isinstance(steps, BrepSteps)
    return steps


def length_of(strokes: list[Any]) -> float:
    """Length of each line once: the strokes lie on each other where pieces meet."""
    return float(sum(np.linalg.norm(stroke[1] - stroke[0]) for stroke in strokes))


@pytest.mark.requirement("picture.projection")
@pytest.mark.parametrize(("name", "width", "height"), [("front", 40, 20), ("top", 40, 30), ("right", 30, 20)])
def test_the_silhouette_is_as_large_as_the_part(name: ViewName, width: float, height: float) -> None:
    view = seen(bodies_of(drilled()), name)
    row, column = np.nonzero(view.body >= 0)
    assert np.ptp(column) + 1 == pytest.approx(width * view.camera.scale, abs=1)
    assert np.ptp(row) + 1 == pytest.approx(height * view.camera.scale, abs=1)
    assert view.camera.scale == pytest.approx(SAMPLES * min(360 / width, 260 / height))


@pytest.mark.requirement("picture.projection")
def test_a_hole_is_open_where_one_looks_along_it_and_closed_across() -> None:
    view = seen(bodies_of(drilled()), "top")
    scale = view.camera.scale
    outside = (40 * 30 - pi * 25) * scale**2
    # A row of samples around the outline and the hole; chords of the triangles lie within the circle.
    assert np.count_nonzero(view.body >= 0) == pytest.approx(outside, abs=(140 + 10 * pi) * scale)
    middle = np.array(view.body.shape) // 2
    assert view.body[tuple(middle)] < 0
    assert seen(bodies_of(drilled()), "front").body[tuple(middle)] == 0


@pytest.mark.requirement("picture.hidden-lines")
def test_of_a_box_nine_edges_are_seen_and_three_are_hidden() -> None:
    view = seen(bodies_of(parts.solid(cq.Workplane().box(40, 30, 20))), "iso")
    # Seen at equal angles to the axes, every edge is drawn at the cosine of 35.26 degrees.
    expected = 3 * (40 + 30 + 20) * sqrt(2 / 3) * view.camera.scale
    assert length_of(view.strokes) == pytest.approx(expected, rel=0.01)
    hidden = view.camera.project(np.array([-20.0, 15.0, -10.0]))[:2]
    near = [stroke for stroke in view.strokes if np.linalg.norm(stroke - hidden, axis=1).min() < 4]
    assert not near, "the corner behind has no line"


@pytest.mark.requirement("picture.hidden-lines")
def test_what_a_wall_hides_is_not_drawn_and_a_rim_is() -> None:
    found = bodies_of(drilled())
    front, top = seen(found, "front"), seen(found, "top")
    frame = 2 * (40 + 20) * front.camera.scale
    # Front and back edges are drawn on each other, and so are both halves of the two rims, which are seen edge on.
    assert length_of(front.strokes) == pytest.approx(2 * frame + 4 * 10 * front.camera.scale, abs=10)
    points = np.concatenate(front.strokes)
    low, high = points.min(axis=0), points.max(axis=0)
    on_frame = (np.abs(points - low) < 2) | (np.abs(points - high) < 2)
    assert on_frame.any(axis=1).all(), "the hole's edges are hidden"
    reach = 5 * top.camera.scale
    rim = [s for s in top.strokes if np.abs(np.linalg.norm(s - top.camera.centre, axis=1) - reach).max() < 3]
    assert length_of(rim) >= 10 * pi * top.camera.scale * 0.99


@pytest.mark.requirement("picture.hidden-lines")
def test_a_cylinder_has_outlines_and_no_seam() -> None:
    view = seen(bodies_of(parts.solid(cq.Workplane().circle(10).extrude(40))), "front")
    upright = [s for s in view.strokes if abs(s[0][0] - s[1][0]) < 0.5 * abs(s[0][1] - s[1][1])]
    places = {round(float(s[:, 0].mean() - view.camera.centre[0]) / view.camera.scale) for s in upright}
    assert places == {-10, 10}


@pytest.mark.requirement("picture.section")
@pytest.mark.parametrize(
    ("axis", "offset", "name", "area", "border"),
    [
        ("z", 0.0, "top", 40 * 30 - pi * 25, 140 + 10 * pi),
        ("y", 0.0, "front", (40 - 10) * 20, 160),
        ("x", 4.0, "right", (30 - 6) * 20, 128),
    ],
)
def test_the_cut_face_has_the_area_of_the_section(
    axis: Any, offset: float, name: ViewName, area: float, border: float
) -> None:
    view = seen(bodies_of(drilled()), name, Section(axis=axis, offset=offset))
    cut = np.count_nonzero((view.body >= 0) & (view.face < 0))
    assert cut == pytest.approx(area * view.camera.scale**2, abs=border * view.camera.scale)


@pytest.mark.requirement("picture.section")
def test_an_oblique_cut_is_foreshortened() -> None:
    view = seen(bodies_of(parts.solid(cq.Workplane().box(40, 30, 20))), "iso", Section(axis="x", offset=0.0))
    cut = np.count_nonzero((view.body >= 0) & (view.face < 0))
    assert cut == pytest.approx(30 * 20 / sqrt(3) * view.camera.scale**2, rel=0.01)


@pytest.mark.requirement("picture.section")
def test_half_of_the_body_is_left() -> None:
    (body,) = scene.cut(bodies_of(drilled()), 0, 4.0, 1.0)
    assert body.mesh.box == pytest.approx(np.array([[-20, -15, -10], [4, 15, 10]]), abs=1e-6)
    assert body.mesh.beside.max() < len(body.mesh.corners)
    assert np.abs(body.outline[..., 0] - 4.0).max() < 1e-9
    around = np.linalg.norm(body.outline[:, 1] - body.outline[:, 0], axis=1).sum()
    # Two rectangles, 12 x 20 each: the hole is 6 wide where it is cut.
    assert around == pytest.approx(2 * 2 * (12 + 20), rel=0.01)


@pytest.mark.requirement("picture.section")
@pytest.mark.parametrize(("text", "axis", "offset"), [("x", "x", None), ("Z=12.5", "z", 12.5), (" y = -3 ", "y", -3.0)])
def test_a_section_is_an_axis_and_an_offset(text: str, axis: str, offset: float | None) -> None:
    assert Section.parse(text) == Section.model_validate({"axis": axis, "offset": offset})
    for wrong in ("", "w", "x=", "x=1e", "xy", "z=12.5mm"):
        with pytest.raises(InvalidRequest, match="give x, y or z, and an offset if wanted"):
            Section.parse(wrong)


@pytest.mark.requirement("picture.errors")
def test_a_section_beside_everything_says_between_what_to_choose() -> None:
    with pytest.raises(InvalidRequest, match="lies beside everything; choose an offset between -10 and 10"):
        draw.draw(model_of(drilled().wrapped), [], PicturePlan(section=Section(axis="z", offset=11.0)), "part")


@pytest.mark.requirement("picture.errors")
def test_a_file_without_surfaces_is_refused() -> None:
    empty = BrepModel(parts.reading_of(), [])
    with pytest.raises(ParseError, match="no surface that can be drawn; export solids or surfaces"):
        draw.draw(empty, [], PicturePlan(), "part")


@pytest.mark.requirement("picture.labels")
def test_labels_say_the_callout_point_at_the_feature_and_do_not_overlap() -> None:
    steps, features = sample_of()
    found = scene.bodies(steps._model, [])
    view = render(found, camera_of(found, "iso", (320.0, 48.0, 1280.0, 1152.0)), (1600, 1200))
    written, hidden = labels.labels(view, found, features, (0.0, 0.0, 1600.0, 1200.0))
    by_text = {label.text: label for label in written}
    assert {"4X Ø6.6 THRU, CBORE Ø11 x 6 DEEP", "4X Ø3.3 x 12 DEEP", "4X R8", "2X R5", "R32"} <= set(by_text)
    assert "Ø26 THRU, CBORE Ø38 x 6 DEEP" in by_text
    assert {feature.type for feature in hidden} == {"boss", "fillet"}, "the boss behind and the fillet at its foot"
    counterbored = {face for feature in features if feature.counterbore for face in feature.faces}
    x, y = by_text["4X Ø6.6 THRU, CBORE Ø11 x 6 DEEP"].target
    assert f"face-{view.face[int(y * SAMPLES), int(x * SAMPLES)] + 1}" in counterbored
    for on_left in (True, False):
        heights = sorted(label.y for label in written if label.on_left is on_left)
        assert all(below - above >= labels.SIZE for above, below in pairwise(heights))


@pytest.mark.requirement("picture.labels")
def test_more_labels_than_there_is_room_for_stay_apart() -> None:
    crowd = [(100 - n, np.array([float(n % 7), 150.0]), f"R{n}") for n in range(80)]
    written = labels._placed(crowd, (0.0, 0.0, 400.0, 300.0))
    for on_left in (True, False):
        heights = sorted(label.y for label in written if label.on_left is on_left)
        assert len(heights) == int(300 // (labels.SIZE * labels.LINE))
        assert all(below - above >= labels.SIZE for above, below in pairwise(heights))
        assert heights[0] > 0 and heights[-1] < 300


@pytest.mark.requirement("picture.formats")
@pytest.mark.parametrize("views", [("iso",), VIEWS])
def test_a_png_is_as_large_as_asked_for_and_small_to_send(views: Any) -> None:
    steps, _ = sample_of()
    made = steps.picture(PicturePlan(views=views, features=True), "bracket")
    picture = Image.open(io.BytesIO(made.content))
    assert (picture.format, picture.size) == ("PNG", (1600, 1200))
    assert len(made.content) < 150_000
    assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 20


@pytest.mark.requirement("picture.formats")
def test_an_svg_has_the_visible_lines_and_the_labels_as_text() -> None:
    steps, _ = sample_of()
    made = steps.picture(PicturePlan(format="svg", features=True, width=800, height=600), "a < b")
    root = etree.fromstring(made.content)
    name = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{name}title") == "a < b"
    assert "2X R5" in [text.text for text in root.iter(f"{name}text")]
    (edges,) = [path for path in root.iter(f"{name}path") if path.get("class") == "edges"]
    assert edges.get("d", "").count("M") > 20
    assert "features cannot be seen from here" in " ".join(made.notes)


@pytest.mark.requirement("picture.formats")
def test_igs_and_open_surfaces_are_drawn_too() -> None:
    found = read_file((ROOT / "converter" / "specimens" / "iges.iges").read_bytes(), "iges.iges")
    assert isinstance(found, BrepSteps)
    assert found.picture(PicturePlan(width=400, height=300), "part").content.startswith(b"\x89PNG")
    shell = parts.source_of(open_shapes=[parts.open_box()])
    assert BrepSteps(shell).picture(PicturePlan(width=400, height=300), "part").content.startswith(b"\x89PNG")


@pytest.mark.requirement("picture.colors")
def test_bodies_have_the_colours_of_the_file(tmp_path: Path) -> None:
    box = cq.Workplane().box(10, 10, 10)
    steps = assembly(tmp_path, (box, (0, 0, 0), (1, 0, 0)), (box, (20, 0, 0), (0, 0, 1)))
    view = seen(scene.bodies(steps._model, []), "front")
    for place, channel in ((0, 0), (1, 2)):
        colors = view.colors[view.body == place]
        assert colors[:, channel].min() > 0.3
        assert np.delete(colors, channel, axis=1).max() < 0.01


@pytest.mark.requirement("picture.exploded")
def test_an_exploded_assembly_has_its_bodies_apart(tmp_path: Path) -> None:
    plate = cq.Workplane().box(40, 40, 5)
    pin = cq.Workplane().circle(3).extrude(12)
    grey = (0.5, 0.5, 0.5)
    steps = assembly(
        tmp_path,
        (plate, (0, 0, 0), grey),
        (plate, (0, 0, 5), grey),
        (pin, (10, 10, -2), grey),
        (pin, (-10, 10, -2), grey),
    )
    found = scene.bodies(steps._model, [])
    apart = exploded(found)
    boxes = np.array([body.mesh.box for body in apart])
    common = np.minimum(boxes[:, None, 1], boxes[None, :, 1]) - np.maximum(boxes[:, None, 0], boxes[None, :, 0])
    assert not (common > 1e-6).all(axis=2)[~np.eye(len(boxes), dtype=bool)].any()
    sizes = [np.ptp(body.mesh.box, axis=0) for body in found]
    assert [np.ptp(body.mesh.box, axis=0) for body in apart] == [pytest.approx(size) for size in sizes]
    shifts = np.array([after.mesh.box[0] - before.mesh.box[0] for before, after in zip(found, apart, strict=True)])
    pins = shifts[2:]
    assert pins[:, :2] == pytest.approx(0.0, abs=1e-9), "pins leave along their axis"
    assert pins[0] == pytest.approx(pins[1]), "pins of one level stay on one"


@pytest.mark.requirement("picture.views")
def test_the_views_of_a_sheet_line_up() -> None:
    cells = {cell.name: cell for cell in draw._cells(PicturePlan(views=VIEWS))}
    found = bodies_of(drilled())
    scale = draw._shared_scale(found, list(cells.values()), PicturePlan(views=VIEWS), [])
    middle = np.zeros((1, 3))
    at = {
        name: camera_of(found, name, draw._inner(cell, PicturePlan(views=VIEWS), []), scale)
        for name, cell in cells.items()
    }
    front, top, right = (at[name].project(middle)[0] for name in ("front", "top", "right"))
    assert cells["front"].box[0] == cells["top"].box[0] and front[0] == pytest.approx(top[0])
    assert cells["front"].box[1] == cells["right"].box[1] and front[1] == pytest.approx(right[1])


@pytest.mark.requirement("picture.labels")
@pytest.mark.parametrize("depth", [8.0, None])
def test_a_label_stands_beside_the_part(depth: float | None) -> None:
    bored = HoleTreatment(diameter=22.25, depth=6.75)
    hole = Feature(
        id="feature-1", type="hole", solids=["solid-1"], faces=["face-1"], diameter=12.5, through=depth is None,
        depth=depth, counterbore=bored,
    )  # fmt: skip
    plan = PicturePlan(features=True)
    (cell,) = draw._cells(plan)
    text = labels.words(hole)
    assert text is not None
    left, _, right, _ = draw._inner(cell, plan, [hole])
    assert min(left, plan.width - right) >= labels.LETTER * labels.SIZE * len(text) + labels.GAP


@pytest.mark.requirement("picture.labels")
def test_the_label_of_a_stepped_bore_has_all_its_diameters() -> None:
    steps: list[HoleStep | TurnedStep] = [
        HoleStep(shape="cylinder", diameter=30, begin=0, end=80),
        HoleStep(shape="cylinder", diameter=20, begin=80, end=100),
        HoleStep(shape="cylinder", diameter=10, begin=100, end=110),
        HoleStep(shape="cylinder", diameter=26, begin=110, end=130),
    ]
    bore = Feature(id="feature-1", type="hole", solids=[], faces=[], diameter=10, through=True, steps=steps)
    assert labels.words(bore) == "Ø10 THRU, Ø30 x 80 DEEP, Ø20 x 100 DEEP, Ø26 x 20 DEEP FAR SIDE"
    bored = HoleTreatment(diameter=30, depth=8)
    bore = bore.model_copy(
        update={"counterbore": bored, "steps": [steps[0].model_copy(update={"end": 8.0}), *steps[1:3]]}
    )
    assert labels.words(bore) == "Ø10 THRU, CBORE Ø30 x 8 DEEP, Ø20 x 100 DEEP"


@pytest.mark.requirement("picture.labels")
def test_the_labels_of_slots_say_their_section() -> None:
    slot = Feature(id="feature-1", type="slot", solids=[], faces=[], width=16, length=90, depth=8, through=False)
    assert labels.words(slot) == "SLOT 16 x 90 x 8 DEEP"
    assert labels.words(slot.model_copy(update={"angle": 90.0})) == "V-GROOVE 90° 16 x 90 x 8 DEEP"
    dovetail = slot.model_copy(update={"undercut": Undercut(width=24, depth=8, angle=60)})
    assert labels.words(dovetail) == "DOVETAIL 60° 16 x 90/24 x 8 DEEP"

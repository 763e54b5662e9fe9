"""The console in a real browser, over the whole stack: what an operator does, and what stands in the way of nobody."""

from __future__ import annotations

import importlib.util
import io
import re
from pathlib import Path
from typing import Any

import cadquery as cq
import ezdxf.filemanagement
import httpx
import pytest
from PIL import Image

from tests.stack.batch_client import follow, gate, inline, submit
from tests.support.console import DESKTOP, PHONE, Browser, browser, needs_browser
from tests.support.stack import ROOT, SAMPLE, RunningStack, eventually

SHEET = ROOT / "examples" / "sheet.pdf"
SPECIMENS = ROOT / "converter" / "specimens"

pytestmark = needs_browser


def status_with(stack: RunningStack, key: str) -> int:
    """What the API answers to an extraction with a key."""
    sent = {"file": (SAMPLE.name, SAMPLE.read_bytes())}
    bearer = {"Authorization": f"Bearer {key}"}
    return httpx.post(
        f"{stack.url}/api/v1/cad/extract", files=sent, headers=bearer, trust_env=False, timeout=120
    ).status_code


@pytest.mark.requirement("console.browser.keys")
def test_a_key_is_issued_used_seen_in_the_usage_and_revoked(stack: RunningStack) -> None:
    with browser(stack) as opened:
        page = opened.page
        opened.open("/console/accounts")
        page.get_by_role("link", name="demo", exact=True).click()
        page.get_by_label("Name of the new key").fill("browser test")
        page.get_by_role("button", name="Issue a key").click()
        key = page.locator("#secret").inner_text()
        assert status_with(stack, key) == 200
        opened.open("/console/usage")
        assert "browser test" in page.locator("main").inner_text()
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV").click()
        assert "/api/v1/cad/extract" in Path(download.value.path()).read_text()
        opened.open("/console/accounts")
        page.get_by_role("link", name="demo", exact=True).click()
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Revoke browser test").click()
        page.locator("tr", has_text="browser test").get_by_text("revoked").wait_for()
        assert status_with(stack, key) == 401


@pytest.mark.requirement("console.browser.batch")
def test_a_batch_is_watched_cancelled_and_its_failed_items_are_tried_again(stack: RunningStack) -> None:
    with browser(stack) as opened, gate(stack) as held:
        page = opened.page
        failing = submit(stack, [inline("good.step"), inline("bad.step", b"no STEP at all")])
        opened.open(f"/console/batches/{failing['id']}")
        page.get_by_text("1 of 2 done, 1 failed").wait_for()
        assert "parse_error" in page.locator("main").inner_text()
        page.get_by_role("button", name="Extract the failed items again").click()
        page.get_by_text("0 of 1 done, 1 failed").wait_for()
        slow = submit(stack, [inline("now.step"), held.item("later.step")])
        opened.open(f"/console/batches/{slow['id']}")
        page.get_by_text("1 of 2 done").wait_for()
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Cancel the batch").click()
        page.get_by_text("cancelled before this item ended").wait_for()
        assert follow(stack, slow["id"])["status"] == "done"


def assert_solids(opened: Browser) -> None:
    """Surfaces are drawn, and a face in their middle can be read."""
    stats = eventually(lambda: opened.evaluate("document.querySelector('.pane').view.stats"), what="a drawn frame")
    assert stats["triangles"] > 0 and stats["calls"] <= 50
    box = opened.page.locator("canvas").bounding_box()
    assert box is not None
    places = [
        (box["width"] * across / 16, box["height"] * down / 16) for across in range(4, 13) for down in range(4, 13)
    ]
    seen = "([x, y]) => document.querySelector('.pane').view.pick(x, y)"
    x, y = next(place for place in places if opened.page.evaluate(seen, list(place)) >= 0)
    opened.page.mouse.click(box["x"] + x, box["y"] + y)
    opened.page.locator(".chosen", has_text="area").wait_for()


def colours_of(opened: Browser) -> int:
    """How many colours the sheet has on the page."""
    picture = Image.open(io.BytesIO(opened.page.locator(".sheet").screenshot()))
    return len(picture.convert("RGB").getcolors(maxcolors=1 << 24) or ())


def assert_sheet(opened: Browser) -> None:
    """Lines are drawn."""
    assert opened.evaluate("document.querySelector('.pane').view.marks") > 1
    assert colours_of(opened) > 2
    assert "entities" in opened.page.locator("#panels").inner_text()


def assert_diagram(opened: Browser) -> None:
    """Nodes are drawn and listed."""
    assert opened.evaluate("document.querySelector('.pane').view.marks") > 1
    assert colours_of(opened) > 2
    assert "components" in opened.page.locator("#panels").inner_text()


SHOWN: Any = {
    "step.step": assert_solids,
    "iges.iges": assert_solids,
    "dxf.dxf": assert_sheet,
    "pdf.pdf": assert_sheet,
    "svg.svg": assert_sheet,
    "drawio.drawio": assert_diagram,
    "png.png": assert_diagram,
}


@pytest.mark.requirement("console.browser.formats")
def test_a_file_of_every_format_is_dropped_and_shown(stack: RunningStack) -> None:
    with browser(stack) as opened:
        for name, check in SHOWN.items():
            opened.extract(SPECIMENS / name)
            check(opened)
            assert opened.page.locator(".problem:visible").count() == 0, name


@pytest.mark.requirement("console.browser.formats")
def test_a_file_that_cannot_be_read_is_refused_in_words(stack: RunningStack, tmp_path: Path) -> None:
    with browser(stack) as opened:
        opened.expected = {415, 422}
        opened.open("/console/viewer")
        (tmp_path / "part.sldprt").write_bytes(b"x")
        opened.page.set_input_files("#file", str(tmp_path / "part.sldprt"))
        opened.page.get_by_text(".sldprt files are not read").wait_for()
        (tmp_path / "part.step").write_bytes(b"no STEP at all")
        opened.page.set_input_files("#file", str(tmp_path / "part.step"))
        opened.page.get_by_text("the content looks like").wait_for()


def painted(opened: Browser, side: str = "figure") -> dict[str, str]:
    """How everything that is lit on a sheet is lit, by its id."""
    return dict(opened.evaluate(f"Object.fromEntries(document.querySelector('{side} .pane').view.painted)"))


def place_of(opened: Browser, record: str) -> tuple[float, float]:
    """Where the middle of a record is on the page."""
    read = """async (id) => {
        const view = document.querySelector('.pane').view, [x, y, width, height] = view.box;
        const [left, top, right, bottom] = await view.worker.call('boxOf', `${view.base}/pages/${view.number}`, [id]);
        const frame = view.canvas.getBoundingClientRect(), scale = Math.min(frame.width / width, frame.height / height);
        const across = (left + right) / 2 - x - width / 2, down = (top + bottom) / 2 - y - height / 2;
        return [frame.x + frame.width / 2 + scale * across, frame.y + frame.height / 2 + scale * down];
    }"""
    x, y = opened.page.evaluate(read, record)
    return x, y


WITHOUT_WORKER_CANVAS = "delete globalThis.OffscreenCanvas"


@pytest.mark.requirement("console.browser.drawing")
@pytest.mark.parametrize("script", ["", WITHOUT_WORKER_CANVAS], ids=["worker", "page"])
def test_an_entry_lights_its_source_on_the_sheet_and_the_other_way_round(stack: RunningStack, script: str) -> None:
    with browser(stack) as opened:
        page = opened.page
        page.add_init_script(script)
        opened.extract(SHEET)
        assert "MOUNTING BRACKET" in page.locator("#panels").inner_text()
        assert colours_of(opened) > 2
        entry = page.locator(".entry", has_text="3X R5.5").first
        entry.hover()
        (source,) = opened.evaluate("JSON.parse(document.querySelector('.entry:hover').dataset.ids)")
        eventually(lambda: painted(opened) == {source: "lit"}, what="the source is lit")
        page.mouse.move(0, 0)
        eventually(lambda: painted(opened) == {}, what="nothing is lit")
        page.mouse.move(*place_of(opened, source))
        eventually(lambda: painted(opened) == {source: "lit"}, what="what is pointed at is lit")
        assert "is-lit" in (entry.get_attribute("class") or "")
        assert page.locator(".sheet").get_attribute("title") == "radius: 3X R5.5"


@pytest.mark.requirement("console.browser.drawing")
def test_a_sheet_is_zoomed_and_moved_and_painted_again(stack: RunningStack) -> None:
    with browser(stack) as opened:
        opened.extract(SHEET)
        page = opened.page
        sheet = page.locator(".sheet")
        sheet.focus()
        page.keyboard.press("f")  # shows the cross that the focus has
        whole = sheet.screenshot()
        part = "document.querySelector('.pane').view.all.part.box"
        before = opened.evaluate(part)
        for key in ("+", "ArrowLeft"):
            page.keyboard.press(key)
        eventually(lambda: round(before[2] / opened.evaluate(part)[2], 3) == 1.4, what="the part is painted larger")
        assert sheet.screenshot() != whole
        page.keyboard.press("f")
        eventually(lambda: opened.evaluate(part) == before, what="the whole sheet is painted")
        assert sheet.screenshot() == whole


def middle_pixel(opened: Browser) -> tuple[int, int, int]:
    """Colour of the middle of the model's view."""
    read = """() => {
        const view = document.querySelector('.pane').view, pixel = new Uint8Array(4);
        view.render();
        const gl = view.renderer.getContext();
        gl.readPixels(view.canvas.width / 2, view.canvas.height / 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return [...pixel.slice(0, 3)];
    }"""
    red, green, blue = opened.evaluate(read)
    return red, green, blue


@pytest.mark.requirement("console.browser.model")
def test_two_faces_are_measured_and_a_section_hides_what_is_before_it(stack: RunningStack, tmp_path: Path) -> None:
    block = tmp_path / "block.step"
    cq.exporters.export(cq.Workplane("XY").box(30, 20, 10), str(block))
    with browser(stack) as opened:
        opened.extract(block)
        view = "document.querySelector('.pane').view"
        box = opened.page.locator("canvas").bounding_box()
        assert box is not None
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for side in ("top", "bottom"):
            opened.evaluate(f"{view}.look('{side}')")
            opened.page.mouse.click(*middle)
        measured = opened.page.locator(".measured").inner_text()
        assert "parallel planes, 10 mm apart" in measured and "nearest points 10 mm apart" in measured
        opened.evaluate(f"{view}.look('top')")
        picked = f"{view}.pick({box['width'] / 2 + 2}, {box['height'] / 2 + 2})"
        whole = opened.evaluate(picked)
        opened.page.get_by_label("Section across").select_option("z")
        assert opened.evaluate(picked) not in (whole, -1), "the face behind the cut is read"
        red, _, blue = middle_pixel(opened)
        assert red > blue, "the cut face is filled: surfaces of planes are blue, the hatch is brown"
        opened.page.get_by_label("Section across").select_option("")
        opened.tab("Contents")
        opened.page.get_by_label("Show ").first.uncheck()
        assert opened.evaluate(picked) == -1


@pytest.mark.requirement("console.browser.model")
def test_a_feature_lights_its_faces_and_a_face_names_its_feature(stack: RunningStack) -> None:
    with browser(stack) as opened:
        opened.extract(SAMPLE)
        opened.tab("Features")
        opened.page.locator(".entry", has_text="hole").first.hover()
        (kind,) = set(opened.evaluate("[...document.querySelector('.pane').view.colours.values()]"))
        assert kind == "lit"
        number = opened.evaluate("[...document.querySelector('.pane').view.colours.keys()][0]")
        opened.evaluate(f"document.querySelector('.pane').view.onPick({number})")
        opened.page.locator(".chosen", has_text="part of hole").wait_for()


@pytest.mark.requirement("console.browser.model")
def test_an_assembly_of_many_parts_is_drawn_in_few_calls(stack: RunningStack, tmp_path: Path) -> None:
    part = cq.Workplane("XY").box(8, 8, 4).edges().fillet(1)
    assembly = cq.Assembly(name="grid")
    for place in range(150):
        assembly.add(part, loc=cq.Location(cq.Vector(10 * (place % 15), 10 * (place // 15), 0)))
    assembly.export(str(file := tmp_path / "grid.step"))
    with browser(stack) as opened:
        opened.extract(file)
        stats = eventually(lambda: opened.evaluate("document.querySelector('.pane').view.stats"), what="a drawn frame")
        assert stats["triangles"] > 10_000 and stats["calls"] <= 50
        assert opened.page.locator(".tree input").count() > 150
        opened.page.get_by_label("Section across").select_option("x")
        opened.evaluate("document.querySelector('.pane').view.render()")
        assert opened.evaluate("document.querySelector('.pane').view.stats.calls") <= 50, "with its hatch"


@pytest.mark.requirement("console.browser.model")
def test_a_model_whose_validity_is_not_known_is_not_called_invalid(stack: RunningStack, tmp_path: Path) -> None:
    bare = re.sub(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\([^)]*\)\s*\)\s*", b"", SAMPLE.read_bytes())
    (unitless := tmp_path / "unitless.step").write_bytes(bare)
    with browser(stack) as opened:
        opened.extract(unitless)
        words = opened.page.locator("#panels").inner_text()
        assert "not known: units: millimeter, assumed because the file declares no unit" in words
        assert "not valid" not in words


@pytest.mark.requirement("console.browser.reasoning")
def test_an_answer_is_shown_with_its_proof_and_two_revisions_are_compared(stack: RunningStack, tmp_path: Path) -> None:
    plain, drilled = tmp_path / "plain.step", tmp_path / "drilled.step"
    block = cq.Workplane("XY").box(40, 30, 8)
    cq.exporters.export(block, str(plain))
    cq.exporters.export(block.faces(">Z").workplane().hole(6), str(drilled))
    with browser(stack) as opened:
        opened.extract(plain)
        opened.extract(drilled)
        opened.tab("Reasoning")
        opened.page.get_by_label("Task").select_option("stability")
        opened.page.get_by_role("button", name="Ask").click()
        opened.page.locator(".chosen", has_text="stable").wait_for()
        assert opened.evaluate("document.querySelector('.pane').view.proof.children.length") > 0
        opened.tab("Compare")
        opened.page.get_by_role("button", name="Compare").click()
        opened.page.locator(".differences", has_text="hole").wait_for()
        assert opened.page.locator(".pane").count() == 2
        lit = "[...document.querySelector('.pane').view.colours.values()]"
        assert "added" in opened.evaluate(lit)


def sheet(path: Path, *, thread: str, is_later: bool) -> Path:
    """Two revisions of a drawing: a line, a circle and a fit stay; an arc goes, a circle comes, a thread changes."""
    document = ezdxf.filemanagement.new("R2010", units=4)
    space = document.modelspace()
    space.add_line((0, 0), (100, 0))
    space.add_circle((20, 20), 5)
    space.add_text("Ø10 H7", height=3).set_placement((28, 20))
    space.add_text(thread, height=3).set_placement((50, 10))
    if is_later:
        space.add_circle((70, 40), 9)
    else:
        space.add_arc((70, 20), 8, 0, 180)
    document.saveas(path)
    return path


def diagram(path: Path, cells: str) -> Path:
    """A page with the nodes Start and Work, an edge from one to the other, and further cells."""
    shared = (
        '<mxCell id="a" value="Start" vertex="1" parent="1"><mxGeometry x="40" y="40" width="100" height="40" as="geometry"/></mxCell>'
        '<mxCell id="b" value="Work" vertex="1" parent="1"><mxGeometry x="40" y="140" width="100" height="40" as="geometry"/></mxCell>'
        '<mxCell id="e" edge="1" parent="1" source="a" target="b"><mxGeometry relative="1" as="geometry"/></mxCell>'
    )
    root = f'<root><mxCell id="0"/><mxCell id="1" parent="0"/>{shared}{cells}</root>'
    path.write_text(f'<mxfile><diagram name="P" id="p"><mxGraphModel>{root}</mxGraphModel></diagram></mxfile>')
    return path


def compare(opened: Browser, earlier: Path, later: Path) -> tuple[dict[str, str], dict[str, str]]:
    """What is lit of the earlier and of the later file."""
    opened.extract(earlier)
    opened.extract(later)
    opened.tab("Compare")
    opened.page.get_by_role("button", name="Compare").click()
    opened.page.locator(".differences li").first.wait_for()
    lit = [lambda side=side: painted(opened, side) for side in (".beside", "figure:not(.beside)")]
    before, after = (eventually(one, what="a side is lit") for one in lit)
    return before, after


@pytest.mark.requirement("console.browser.differences")
def test_what_differs_between_two_drawings_is_lit_on_the_side_that_has_it(stack: RunningStack, tmp_path: Path) -> None:
    first = sheet(tmp_path / "first.dxf", thread="M5x0.8", is_later=False)
    second = sheet(tmp_path / "second.dxf", thread="M6x1", is_later=True)
    with browser(stack) as opened:
        earlier, later = compare(opened, first, second)
        # entity-1 and entity-2 stay as they are, and so does annotation-1, the fit.
        assert earlier == {"entity-3": "removed", "annotation-2": "changed"}
        assert later == {"entity-3": "added", "annotation-2": "changed"}
        opened.page.screenshot(path=tmp_path / "drawings.png")


def parts_list(path: Path, rows: list[tuple[str, ...]]) -> Path:
    """A drawing whose ruled parts list has these rows; its texts are numbered row by row, four in the heading."""
    document = ezdxf.filemanagement.new("R2010", units=4)
    space = document.modelspace()
    table = [("ITEM", "QTY", "DESCRIPTION", "MATERIAL"), *rows]
    lefts, bottom = (100, 115, 135, 195, 235), 100 - 8 * len(table)
    for place in range(len(table) + 1):
        space.add_line((lefts[0], 100 - 8 * place), (lefts[-1], 100 - 8 * place))
    for left in lefts:
        space.add_line((left, 100), (left, bottom))
    for place, row in enumerate(table):
        for left, cell in zip(lefts, row, strict=False):
            space.add_text(cell, height=3).set_placement((left + 2, 94.5 - 8 * place))
    document.saveas(path)
    return path


@pytest.mark.requirement("console.browser.differences")
def test_rows_of_a_parts_list_that_differ_are_lit(stack: RunningStack, tmp_path: Path) -> None:
    kept, changed = ("1", "1", "BASE PLATE", "STEEL"), ("2", "4", "SCREW M6", "A2")
    first = parts_list(tmp_path / "first.dxf", [kept, changed, ("3", "1", "COVER", "ALU")])
    second = parts_list(
        tmp_path / "second.dxf",
        [kept, ("2", "4", "SCREW M8", "A2"), ("3", "2", "COVER", "ALU"), ("4", "1", "PIN", "A2")],
    )
    with browser(stack) as opened:
        # The longer list has further lines of its frame, which are entities.
        earlier, later = (
            {name: how for name, how in lit.items() if name.startswith("annotation")}
            for lit in compare(opened, first, second)
        )
        # annotation-9 to -12 are the cells of the screw, -13 to -16 those of the cover, -17 to -20 those of the pin.
        cells = {f"annotation-{number}": "changed" for number in range(9, 17)}
        assert earlier == cells
        assert later == cells | {f"annotation-{number}": "added" for number in range(17, 21)}


@pytest.mark.requirement("console.browser.differences")
def test_what_differs_between_two_diagrams_is_lit_on_the_side_that_has_it(stack: RunningStack, tmp_path: Path) -> None:
    geometry = '<mxGeometry x="240" y="{}" width="100" height="40" as="geometry"/>'
    old = f'<mxCell id="d" value="Old" vertex="1" parent="1">{geometry.format(40)}</mxCell>'
    new = (
        f'<mxCell id="c" value="End" vertex="1" parent="1">{geometry.format(140)}</mxCell>'
        '<mxCell id="f" edge="1" parent="1" source="b" target="c"><mxGeometry relative="1" as="geometry"/></mxCell>'
    )
    with browser(stack) as opened:
        earlier, later = compare(
            opened, diagram(tmp_path / "first.drawio", old), diagram(tmp_path / "second.drawio", new)
        )
        assert earlier == {"d": "removed"}
        assert later == {"c": "added", "f": "added"}, "the node that a new edge begins at is not lit"


@pytest.mark.requirement("console.browser.stages")
def test_the_stages_are_listed_while_a_file_is_extracted(stack: RunningStack) -> None:
    with browser(stack) as opened:
        opened.open("/console/viewer")
        # The answer 204 keeps the browser on the page, where the list of stages stays as it was at the end.
        opened.page.route("**/console/viewer/*/req_*", lambda route: route.fulfill(status=204))
        opened.page.set_input_files("#file", str(SAMPLE))
        opened.page.locator("[data-stage=meter][data-state=ok]").wait_for()
        states = opened.page.eval_on_selector_all("[data-stage]", "all => all.map(one => one.dataset.state)")
        assert states == ["ok"] * 6
        assert opened.page.locator("[data-stage=convert] .took").inner_text().endswith(" s")


@pytest.mark.requirement("console.browser.stages")
def test_a_file_whose_points_fail_is_extracted_without_them(stack: RunningStack) -> None:
    refused = (
        'event: stage\ndata: {"stage": "sample", "event": "began", "ms": 1}\n\n'
        'event: stage\ndata: {"stage": "sample", "event": "refused", "ms": 2}\n\n'
        'event: error\ndata: {"error": {"message": "sampling needs more memory"}}\n\n'
    )
    with browser(stack) as opened:
        opened.open("/console/viewer")
        # Points of a file as small as the sample never fail, so the first answer is written here; the second is the service's.
        answer = {"body": refused, "content_type": "text/event-stream", "headers": {"X-Request-ID": "req_1"}}
        opened.page.route("**/extract", lambda route: route.fulfill(**answer), times=1)
        opened.page.set_input_files("#file", str(SAMPLE))
        opened.page.get_by_text("sampling needs more memory").wait_for()
        opened.page.get_by_role("button", name="Extract without points").click()
        opened.page.wait_for_selector("#viewer[data-ready]")
        assert opened.page.get_by_label("surfaces").is_visible() and not opened.page.get_by_label("points").count()


@pytest.mark.requirement("console.browser.tables")
def test_a_query_is_asked_and_its_answer_downloaded(stack: RunningStack) -> None:
    with browser(stack) as opened:
        opened.open("/console/tables")
        page = opened.page
        page.get_by_label("One SELECT").fill(
            "SELECT * FROM (VALUES ('thread', 5), ('hole', 3)) AS found(type, callouts)"
        )
        page.get_by_role("button", name="Run").click()
        page.get_by_text("2 rows").wait_for()
        assert page.locator("svg.chart rect").count() == 2
        with page.expect_download() as download:
            page.get_by_role("button", name="Export csv").click()
        assert Path(download.value.path()).read_text().split() == ["type,callouts", "thread,5", "hole,3"]


PAGES = [
    "/console", "/console/viewer", "/console/accounts", "/console/usage", "/console/requests", "/console/batches", "/console/ingest",
    "/console/tables?question=0", "/console/tables/callouts", "/console/health", "/console/password",
]  # fmt: skip


def barriers(opened: Browser) -> list[str]:
    """What axe-core calls serious or critical on the page, one line each."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(opened.page).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.requirement("console.browser.barriers")
@pytest.mark.parametrize("kind", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_page_has_a_serious_barrier_or_is_wider_than_the_window(stack: RunningStack, kind: dict[str, Any]) -> None:
    assert importlib.util.find_spec("axe_playwright_python") is not None
    batch = submit(stack, [inline("good.step"), inline("bad.step", b"no STEP at all")])
    follow(stack, batch["id"])
    with browser(stack, kind) as opened:
        for path in [*PAGES, f"/console/batches/{batch['id']}"]:
            opened.open(path)
            assert barriers(opened) == [], path
            assert opened.evaluate("document.documentElement.scrollWidth") <= kind["viewport"]["width"], path
        for file in (SAMPLE, SHEET, SPECIMENS / "drawio.drawio"):
            opened.extract(file)
            for name in opened.page.get_by_role("tab").all_inner_texts():
                opened.tab(name)
                assert barriers(opened) == [], f"{file.name}, {name}"
            drawn = opened.page.locator("canvas, .sheet").first.bounding_box()
            assert drawn is not None and drawn["height"] > kind["viewport"]["height"] / 3, f"{file.name} can be seen"
            assert opened.evaluate("document.documentElement.scrollWidth") <= kind["viewport"]["width"], file.name

"""The console in a real browser as people use it: by keyboard alone, on a phone, and with doubt about what was read."""

from __future__ import annotations

from pathlib import Path

import cadquery as cq
import ezdxf.filemanagement
import pytest

from tests.stack.batch_client import follow, inline, submit
from tests.stack.test_console import diagram, painted
from tests.support.console import PHONE, Browser, browser, needs_browser, password_of
from tests.support.stack import RunningStack, eventually

pytestmark = needs_browser

MOST_STOPS = 80
"""Presses of Tab after which what is looked for counts as out of reach."""


def tab_to(opened: Browser, selector: str, key: str = "Tab") -> None:
    """Move the focus to what matches, step by step; it is shown there."""
    for _ in range(MOST_STOPS):
        opened.page.keyboard.press(key)
        if opened.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            assert opened.evaluate("document.activeElement.matches(':focus-visible')"), selector
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def tab_panel(opened: Browser, name: str) -> None:
    """Open a panel of the viewer, from what is below it or before it."""
    opened.page.locator("[role=tab][aria-selected=true]").focus()
    for _ in range(opened.page.get_by_role("tab").count()):
        if opened.page.locator(":focus").inner_text().startswith(name):
            return
        opened.page.keyboard.press("ArrowRight")
    raise AssertionError(f"there is no panel {name}")


@pytest.mark.requirement("console.browser.keyboard")
def test_an_operator_signs_in_and_issues_a_key_by_keyboard(stack: RunningStack) -> None:
    with browser(stack) as opened:
        opened.expected = {401}
        page, keyboard = opened.page, opened.page.keyboard
        page.context.clear_cookies()
        opened.open("/console")
        page.locator("input[name=name]:focus").wait_for()
        for words, after in (("admin", "Tab"), (password_of(stack), "Enter")):
            keyboard.type(words)
            keyboard.press(after)
        page.get_by_role("button", name="Sign out").wait_for()
        page.wait_for_load_state()  # a script that moves where Tab begins has done so
        keyboard.press("Tab")
        assert page.locator(":focus").inner_text() == "Skip to the content"
        opened.open("/console/accounts")
        tab_to(opened, "main table a")
        keyboard.press("Enter")
        page.get_by_label("Name of the new key").wait_for()
        tab_to(opened, "input[name=label]")
        keyboard.type("by keyboard")
        keyboard.press("Enter")
        page.locator("#secret").wait_for()
        tab_to(opened, "[data-copy]")


@pytest.mark.requirement("console.browser.keyboard")
def test_a_model_is_chosen_read_measured_cut_and_asked_about_by_keyboard(stack: RunningStack, tmp_path: Path) -> None:
    block = tmp_path / "block.step"
    cq.exporters.export(cq.Workplane("XY").box(30, 20, 10).faces(">Z").workplane().hole(4), str(block))
    with browser(stack) as opened:
        page, keyboard = opened.page, opened.page.keyboard
        opened.open("/console/viewer")
        tab_to(opened, "#file")
        page.locator("#file:focus").set_input_files(str(block))  # the dialog that Space opens is the system's
        page.wait_for_selector("#viewer[data-ready]")
        tab_to(opened, "#viewer canvas")
        before = opened.evaluate("document.querySelector('.pane').view.camera.position.toArray()")
        keyboard.press("ArrowLeft")
        assert opened.evaluate("document.querySelector('.pane').view.camera.position.toArray()") != before
        keyboard.press("f")
        for _ in range(4):
            keyboard.press("Shift+ArrowLeft")
        keyboard.press("Enter")
        page.locator(".chosen h3").wait_for()
        keyboard.press("Enter")
        assert page.locator(".chosen").count() == 1, "the same face is no second one"
        for _ in range(3):
            keyboard.press("Shift+ArrowDown")  # from the front onto the top
        keyboard.press("Enter")
        page.locator(".measured").wait_for()
        tab_to(opened, "[aria-label='Section across']", "Shift+Tab")
        keyboard.press("ArrowDown")
        tab_to(opened, "input[type=range]")
        tab_panel(opened, "Features")
        tab_to(opened, ".entry")
        eventually(
            lambda: opened.evaluate("document.querySelector('.pane').view.colours.size") > 1, what="its faces are lit"
        )
        tab_panel(opened, "Reasoning")
        tab_to(opened, "select[name=task_type]")
        keyboard.type("stability")
        tab_to(opened, "form button")
        keyboard.press("Enter")
        page.locator(".chosen", has_text="stable").wait_for()


@pytest.mark.requirement("console.browser.keyboard", "console.browser.doubt")
def test_doubt_is_marked_on_the_sheet_and_in_the_list_and_the_cross_opens_an_entry(
    stack: RunningStack, tmp_path: Path
) -> None:
    document = ezdxf.filemanagement.new("R2010", units=4)
    space = document.modelspace()
    space.add_lwpolyline([(0, 0), (100, 0), (100, 60), (0, 60)], close=True)
    space.add_circle((50, 30), 10)
    space.add_diameter_dim((50, 30), radius=10, angle=0).render()
    document.saveas(file := tmp_path / "plate.dxf")
    with browser(stack) as opened:
        page = opened.page
        opened.extract(file)
        page.locator(".tints", has_text="low confidence").wait_for()
        entry = page.locator(".entry", has_text="low confidence 0.70")
        (source,) = opened.evaluate("JSON.parse(document.querySelector('.entry').dataset.ids)")
        tab_to(opened, ".sheet")
        page.evaluate(
            """async (id) => {
                const view = document.querySelector('.pane').view;
                const [left, top, right, bottom] = await view.worker.call('boxOf', `${view.base}/pages/${view.number}`, [id]);
                view.box = [left - 10, top - 10, right - left + 20, bottom - top + 20];
            }""",
            source,
        )
        page.keyboard.press("Enter")
        eventually(lambda: entry.evaluate("one => one === document.activeElement"), what="its entry has the focus")
        eventually(lambda: painted(opened) == {source: "lit"}, what="its source is lit")


@pytest.mark.requirement("console.browser.drawing")
def test_cycles_and_components_of_a_diagram_are_listed_and_lit(stack: RunningStack, tmp_path: Path) -> None:
    cells = (
        '<mxCell id="f" edge="1" parent="1" source="b" target="a"><mxGeometry relative="1" as="geometry"/></mxCell>'
        '<mxCell id="c" value="One" vertex="1" parent="1"><mxGeometry x="240" y="40" width="100" height="40" as="geometry"/></mxCell>'
        '<mxCell id="d" value="Two" vertex="1" parent="1"><mxGeometry x="240" y="140" width="100" height="40" as="geometry"/></mxCell>'
        '<mxCell id="g" edge="1" parent="1" source="c" target="d"><mxGeometry relative="1" as="geometry"/></mxCell>'
    )
    with browser(stack) as opened:
        opened.extract(diagram(tmp_path / "round.drawio", cells))
        groups = opened.page.locator(".group .group", has_text="nodes")
        assert groups.filter(has_text="Components").locator(".entry").count() == 2
        (cycle,) = groups.filter(has_text="Cycles").locator(".entry").all()
        assert "Start, Work" in cycle.inner_text()
        cycle.hover()
        eventually(lambda: painted(opened) == {"a": "lit", "b": "lit"}, what="the cycle is lit")


@pytest.mark.requirement("console.browser.barriers")
def test_tables_fit_a_phone(stack: RunningStack) -> None:
    batch = submit(stack, [inline("good.step"), inline("bad.step", b"no STEP at all")])
    follow(stack, batch["id"])
    with browser(stack, PHONE) as opened:
        for path in ("/console", "/console/requests", f"/console/batches/{batch['id']}", "/console/health"):
            opened.open(path)
            tables = "[...document.querySelectorAll('.stacks')]"
            assert opened.evaluate(f"{tables}.length") > 0
            assert opened.evaluate(f"{tables}.every((one) => one.scrollWidth <= one.clientWidth)"), path
            assert opened.evaluate("[...document.querySelectorAll('.stacks td')].every((one) => one.dataset.label)")

"""Style sheets of SVG against what a browser shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.spatial.formats.svg.written import entities, only, reading, structure

LINE = '<line x2="9" stroke="red"/>'


def colour(css: str, body: str = '<g class="a"><line class="b" id="i" x2="9" stroke="red"/></g>') -> Any:
    return only(f"<style>{css}</style>{body}").get("color")


@pytest.mark.requirement("svg.styles")
@pytest.mark.parametrize(
    ("css", "wanted"),
    [
        ("g.a line{stroke:blue}", "#0000ff"),
        ("g.z line{stroke:blue}", "#ff0000"),
        ("svg > g > .b{stroke:blue}", "#0000ff"),
        ("svg > .b{stroke:blue}", "#ff0000"),
        ("line[x2='9']{stroke:blue}", "#0000ff"),
        ("line:first-child{stroke:blue}", "#0000ff"),
        ("line:not(.b){stroke:blue}", "#ff0000"),
        ("line + line{stroke:blue}", "#ff0000"),
        (".a .b{stroke:blue} .b{stroke:lime}", "#0000ff"),  # two classes weigh more than one that comes later
        ("#i{stroke:blue} g.a line.b{stroke:lime}", "#0000ff"),
        (".b{stroke:blue !important} #i{stroke:lime}", "#0000ff"),
        (".b{stroke:blue; stroke:no-such-colour}", "#0000ff"),
        (".b{stroke:blue; stroke:var(--c)}", "#0000ff"),
        ("/* .b{stroke:lime} */ .b{stroke:blue}", "#0000ff"),
        (".b:hover{stroke:lime}", "#ff0000"),
        ("@media print{.b{stroke:blue}}", "#ff0000"),
        ("@media not print{.b{stroke:blue}}", "#0000ff"),
        ("@media print, screen{.b{stroke:blue}}", "#0000ff"),
        ("@media only screen{@media all{.b{stroke:blue}}}", "#0000ff"),
        ("@namespace s url(http://www.w3.org/2000/svg); s|line{stroke:blue}", "#0000ff"),
        ("@font-face{font-family:x} .b{stroke:blue}", "#0000ff"),
        (".b{stroke:rebeccapurple}", "#663399"),
        (".b{stroke:hsl(240 100% 50%)}", "#0000ff"),
        (".b{stroke:rgb(0 0 255 / 50%)}", "#0000ff"),
        (".b{stroke:#00f8}", "#0000ff"),
        (".b{stroke:DarkSlateGray}", "#2f4f4f"),
        (".b{stroke:transparent}", None),
        (".a{color:blue} .b{stroke:currentColor}", "#0000ff"),
        (".b{stroke:initial}", None),
        ("line.b, g:oops{stroke:blue}", "#ff0000"),  # one selector that is not understood invalidates the rule
    ],
)
def test_rules_apply_as_in_a_browser(css: str, wanted: str | None) -> None:
    assert colour(css) == wanted


@pytest.mark.requirement("svg.styles")
def test_important_rules_outweigh_the_style_attribute() -> None:
    line = '<line class="b" x2="9" style="stroke:red"/>'
    assert colour(".b{stroke:blue}", line) == "#ff0000"
    assert colour(".b{stroke:blue !important}", line) == "#0000ff"
    assert colour(".b{stroke:blue !important}", line.replace("red", "red !important")) == "#ff0000"


@pytest.mark.requirement("svg.styles")
def test_a_descendant_selector_hides() -> None:
    body = '<style>g.off line{display:none}</style><g class="off"><line x2="9"/></g><g><line x2="8"/></g>'
    assert [each.get("visible", True) for each in entities(body)] == [False, True]


@pytest.mark.requirement("svg.styles")
@pytest.mark.parametrize(("media", "wanted"), [("print", "#ff0000"), ("screen", "#0000ff"), ("all", "#0000ff")])
def test_a_style_element_has_a_medium(media: str, wanted: str) -> None:
    assert only(f'<style media="{media}">line{{stroke:blue}}</style>{LINE}')["color"] == wanted


@pytest.mark.requirement("svg.styles")
def test_font_sizes_are_relative_to_the_parent() -> None:
    body = "<style>.h{font:bold 20px/1.2 Arial, sans-serif} .s{font-size:50%} .e{font-size:2em}</style>"
    body += '<g class="h"><text>A</text><g class="s"><text>B</text><text class="e">C</text></g></g>'
    found = structure(body)["annotations"]
    sizes = {each["text"]: each["height"] / found[0]["height"] for each in found}
    assert sizes == pytest.approx({"A": 1, "B": 0.5, "C": 1}, abs=0.001)
    assert found[0]["style"] == "Arial, sans-serif"


@pytest.mark.requirement("svg.styles")
def test_used_elements_match_where_they_are_defined_and_inherit_where_they_are_used() -> None:
    body = "<style>.d line{stroke:blue} .u line{stroke:lime} .u{stroke-dasharray:3}</style>"
    body += '<defs><g class="d"><line id="l" x2="9"/></g></defs><g class="u"><use href="#l"/></g>'
    assert (only(body)["color"], only(body)["dash"]) == ("#0000ff", "3")


@pytest.mark.requirement("svg.hostile-styles")
@pytest.mark.parametrize(
    ("css", "warned"),
    [
        ("@import url(http://127.0.0.1:9/a.css);", "not fetched"),
        ("@supports (display:grid){line{stroke:lime}}", "@supports"),
        ("@media (min-width:100px){line{stroke:lime}}", "depend on properties of the screen"),
        ("line{stroke:var(--c)}", "custom properties"),
        ("g:oops line{stroke:lime}", "not understood"),
        ("line{stroke:lime", ""),
        ("g " * 100 + "line{stroke:lime}", "more than 64 tokens"),
        (":not(" * 200 + "g" + ")" * 200 + "{stroke:lime}", "levels of brackets"),
        ("line{stroke:" + "rgb(" * 5_000 + ")" * 5_000 + "}", ""),
        ("g{" * 5_000, ""),
        ("}" * 5_000, "malformed"),
        (".x{stroke:red}" * 6_000, "more than 5,000 selectors"),
        ("/*" + "x" * 1_000_001 + "*/line{stroke:lime}", "longer than 1,000,000 characters"),
    ],
)  # fmt: skip
def test_hostile_style_sheets_are_bounded(css: str, warned: str) -> None:
    found = reading(f"<style>{css}</style>{LINE}")
    (line,) = found.structure.entities
    assert line["color"] in ("#ff0000", "#00ff00")
    assert any(warned in warning for warning in found.warnings) or not warned


@pytest.mark.requirement("svg.hostile-styles")
def test_selectors_that_multiply_end_with_a_warning() -> None:
    css = ".none " + "g " * 12 + "line{stroke:blue}"
    body = "<g>" * 200 + LINE + "</g>" * 200
    found = reading(f"<style>{css}</style>{body}")
    assert found.structure.entities[0]["color"] == "#ff0000"
    assert any("too many steps" in warning for warning in found.warnings)

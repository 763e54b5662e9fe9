"""Drawings that would pass the deadline: refused at once with an estimate, or answered without what a warning names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pymupdf
import pytest

from benchmarks import generate
from spatial.contract.limits import CONVERT_SECONDS
from spatial.errors import ParseError
from spatial.formats.pdf.budget import LETTERING_SECONDS_A_BYTE, LETTERING_SHARE, SECONDS_A_BYTE
from spatial.models.time_limit import set_time_limit
from spatial.pipeline.estimate import COSTS
from spatial.pipeline.read import Steps, read_file


@pytest.fixture(autouse=True)
def usual_limit() -> Iterator[None]:
    yield
    set_time_limit(CONVERT_SECONDS)


@pytest.mark.requirement("drawing.estimate")
@pytest.mark.parametrize(("format", "unit"), [("svg", "element"), ("dxf", "byte"), ("drawio", "cell")])
def test_a_drawing_that_takes_longer_than_the_deadline_is_refused_with_an_estimate(format: str, unit: str) -> None:
    data, name = generate.MAKERS[format](200), f"sheet.{format}"
    expected = COSTS[format].count(data) * COSTS[format].seconds
    set_time_limit(expected * 1.01)
    assert read_file(data, name).reading.entity_counts
    set_time_limit(expected * 0.99)
    with pytest.raises(
        ParseError, match=rf"sheet\.{format}: [\d,]+ {unit}s take about .* s to read, and .* s is the most"
    ) as error:
        read_file(data, name)
    assert error.value.details is not None
    assert error.value.details["estimated_seconds"] == pytest.approx(expected, abs=1e-3)


@pytest.mark.requirement("drawing.estimate")
def test_elements_of_an_svg_that_are_only_counted_cost_little() -> None:
    cost, many = COSTS["svg"], 2_400_000
    assert cost.count(b"<svg><g></g><a/></svg>") == 3
    assert cost.of(many) < many * cost.seconds / 5
    assert cost.of(1_000) == pytest.approx(1_000 * cost.seconds)


def two_pages() -> bytes:
    """A page of one line, and one of a thousand; each has a text."""
    document: Any = pymupdf.open()
    for lines in (1, 1_000):
        page = document.new_page(width=400, height=300)
        shape = page.new_shape()
        for number in range(lines):
            shape.draw_line((10, 10 + number / 5), (390, 10 + number / 5))
        shape.finish(width=0.5)
        shape.commit()
        page.insert_text((100, 280), f"SHEET OF {lines}")
    return bytes(document.tobytes())


def pages_of(steps: Steps) -> tuple[set[int], list[str]]:
    """The pages that have entities, and the texts of all."""
    found = steps.reading.structure.model_dump(exclude_none=True)
    return {entity["page"] for entity in found["entities"]}, [note["text"] for note in found["annotations"]]


@pytest.mark.requirement("drawing.estimate")
def test_a_pdf_is_answered_without_the_geometry_of_a_page_that_takes_too_long() -> None:
    data = two_pages()
    texts = ["SHEET OF 1", "SHEET OF 1000"]
    whole = read_file(data, "set.pdf")
    assert pages_of(whole) == ({1, 2}, texts)
    assert not any("not read" in warning for warning in whole.reading.warnings)
    set_time_limit(2 * 20_000 * SECONDS_A_BYTE)
    part = read_file(data, "set.pdf")
    assert pages_of(part) == ({1}, texts)
    (warning,) = [each for each in part.reading.warnings if "not read" in each]
    assert warning.startswith("page 2: its geometry was not read: 0.0")
    assert [sheet.get("geometry") for sheet in part.reading.structure.model_dump()["sheets"]] == [
        None,
        "not read within the deadline",
    ]


@pytest.mark.requirement("drawing.estimate")
def test_nothing_is_read_of_a_page_whose_lettering_takes_too_long_and_the_others_are() -> None:
    set_time_limit(5_000 * LETTERING_SECONDS_A_BYTE / LETTERING_SHARE)
    part = read_file(two_pages(), "set.pdf")
    assert pages_of(part) == ({1}, ["SHEET OF 1"])
    (warning,) = [each for each in part.reading.warnings if "not read" in each]
    assert warning.startswith("page 2: it was not read: to look for lettering in 0.0")
    assert part.reading.structure.model_dump()["sheets"][1]["geometry"] == "not read within the deadline"


@pytest.mark.requirement("drawing.estimate")
def test_a_pdf_of_which_nothing_can_be_read_within_the_deadline_is_refused() -> None:
    set_time_limit(1e-6)
    with pytest.raises(ParseError, match=r"set\.pdf: page 1: it was not read: .* print fewer layers"):
        read_file(two_pages(), "set.pdf")


@pytest.mark.requirement("drawing.estimate")
def test_a_page_without_content_is_read_however_short_the_deadline_is() -> None:
    document: Any = pymupdf.open()
    page = document.new_page()
    document.xref_set_key(page.xref, "Contents", "null")
    set_time_limit(1e-9)
    assert not any("not read" in each for each in read_file(document.tobytes(), "empty.pdf").reading.warnings)


@pytest.mark.requirement("drawing.patience")
def test_interpretation_stops_at_half_of_a_short_deadline() -> None:
    steps = read_file(two_pages(), "set.pdf")
    steps.spent = 0.0
    set_time_limit(1e-6)
    assert any("5e-07 s are enough for" in warning for warning in steps.interpret().warnings)


@pytest.mark.requirement("drawing.unlisted")
def test_entities_that_are_not_listed_are_counted_by_type_and_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spatial.formats.pdf.paths.ENTITIES", 600)
    found = read_file(two_pages(), "set.pdf").reading
    first, second = found.structure.model_dump()["sheets"]
    assert "unlisted" not in first
    assert second["unlisted"] == {"count": 401, "types": {"line": 401}, "bbox": [10.0, 90.2, 390.0, 170.2]}
    assert len(found.structure.entities or ()) == 600
    assert any(
        "page 2: only the first 599 of 1,000 entities" in each and "(401 line)" in each for each in found.warnings
    )


@pytest.mark.requirement("drawing.unlisted")
def test_elements_of_an_svg_after_the_last_that_is_listed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spatial.formats.svg.walk.ENTITIES", 2)
    shapes = (
        '<rect width="9" height="9"/>\n' * 2
        + '<g>\n<line x2="9"/><text>A</text></g><defs><path d="M0 0h9"/></defs>\n<line x2="5"/>'
    )
    found = read_file(f'<svg xmlns="http://www.w3.org/2000/svg">\n{shapes}</svg>'.encode(), "a.svg").reading
    assert len(found.structure.entities or ()) == 2
    (sheet,) = found.structure.model_dump()["sheets"]
    assert sheet["unlisted"] == {"count": 3, "types": {"line": 2, "text": 1}, "from_line": 5}
    assert found.warnings == [
        "only the first 2 entities are listed; what follows from line 5 of the file on was not read: 2 line, 1 text"
    ]


def outlined(letters: int) -> bytes:
    """A page of bars with a foot, each filled, as an L is drawn."""
    document: Any = pymupdf.open()
    page = document.new_page(width=600, height=400)
    shape = page.new_shape()
    for number in range(letters):
        x, y = 20 + 5 * (number % 100), 20 + 11 * (number // 100)
        corners = [(0, 0), (1, 0), (1, 4), (3, 4), (3, 5), (0, 5), (0, 0)]
        shape.draw_polyline([(x + right, y + down) for right, down in corners])
    shape.finish(fill=(0, 0, 0), width=0)
    shape.commit()
    return bytes(document.tobytes())


@pytest.mark.requirement("drawing.estimate")
@pytest.mark.parametrize(("seconds", "is_read"), [(0.9, True), (0.7, False)])
def test_drawn_lettering_that_takes_longer_than_the_deadline_is_left_out_with_a_warning(
    seconds: float, is_read: bool
) -> None:
    set_time_limit(seconds)
    steps = read_file(outlined(800), "letters.pdf")
    too_many = [each for each in steps.reading.warnings if "too many to read it from" in each]
    assert len(too_many) == (0 if is_read else 1)
    assert all("800 small pieces" in each for each in too_many)
    assert pages_of(steps)[0] == {1}, "its geometry is read either way"


@pytest.mark.requirement("drawing.patience")
def test_what_reading_took_of_the_deadline_is_not_left_for_interpretation() -> None:
    steps = read_file(two_pages(), "set.pdf")
    assert 0 < steps.spent < CONVERT_SECONDS
    assert not steps.interpret().warnings
    steps.spent = 0.85 * CONVERT_SECONDS
    assert any("could not be read" in warning for warning in steps.interpret().warnings)
